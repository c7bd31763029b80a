/// A thing named on the command line: `name:2`, `id:2`, or a text that is a name first and an id otherwise.
struct NameOrID {
    let text: String
    /// The id; nil when the text is not a number, or says that it is a name.
    let id: Int64?
    /// The name; nil when the text says that it is an id.
    let name: String?
    /// What may be found by something else too, an address or a host; nil when the text says what it is.
    let other: String?

    init(_ given: String) {
        if given.hasPrefix("id:") {
            text = String(given.dropFirst(3))
            id = Int64(text)
            name = nil
            other = nil
        } else if given.hasPrefix("name:") {
            text = String(given.dropFirst(5))
            id = nil
            name = text
            other = nil
        } else {
            text = given
            id = Int64(given)
            name = given
            other = given
        }
    }
}

/// The one of several things that a name means.
enum NameMatcher {
    /// The one thing that the first of the ways of naming that leads anywhere leads to; nil when none does. Throws
    /// `ambiguousName` when it leads to several.
    static func one<Thing: Candidate>(
        _ things: [Thing], by ways: [(Thing) -> Bool], what: String, _ given: String
    ) throws -> Thing? {
        for isMeant in ways {
            let found = things.filter(isMeant)
            if found.count > 1 {
                throw NameError.ambiguous(what: what, name: given, candidates: found.map(\.candidate))
            }
            if let thing = found.first { return thing }
        }
        return nil
    }
}

/// A thing that may have the same name as another one.
protocol Candidate {
    /// How it is named for certain, and what it is: `id:7 (mine)`.
    var candidate: String { get }
}
