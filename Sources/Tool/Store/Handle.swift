/// How somebody names a thing on the command line: `name:2`, `id:2`, or a text that is a name first and an id after.
struct Handle {
    let text: String
    /// The id, unless the text says that it is a name.
    let id: Int64?
    /// The name, unless the text says that it is an id.
    let name: String?

    init(_ given: String) {
        if given.hasPrefix("id:") {
            text = String(given.dropFirst(3))
            id = Int64(text)
            name = nil
        } else if given.hasPrefix("name:") {
            text = String(given.dropFirst(5))
            id = nil
            name = text
        } else {
            text = given
            id = Int64(given)
            name = given
        }
    }
}
