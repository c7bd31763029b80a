import ChatDBSchema

/// The rule for JSON documents of an app that chatdb keeps unchanged: preferences, and the colours of chats.
package enum DocumentRule {
    /// The most bytes of a document.
    package static let largest = 16_384

    /// The document without white space around it. Throws for a text that is not one JSON object, or too large.
    package static func checked(_ given: String) throws(DocumentProblem) -> String {
        let text = NameRule.trimmed(given)
        if text.utf8.count > largest { throw .tooLarge(text.utf8.count, largest: largest) }
        let document: JSONValue
        do throws(JSONSyntaxError) {
            document = try JSONValue(parsing: text, limits: JSONLimits(bytes: largest, depth: 32))
        } catch {
            throw .notJSON(error.description)
        }
        guard case .object = document else { throw .notAnObject }
        return text
    }

    /// The same for a document that may be missing.
    package static func checked(_ given: String?) throws(DocumentProblem) -> String? {
        guard let given else { return nil }
        let text: String = try checked(given)
        return text
    }
}

/// Why a text is no document of an app.
public enum DocumentProblem: Error, Sendable, Hashable {
    /// Not JSON, with the place and the reason.
    case notJSON(String)
    /// JSON, and no object.
    case notAnObject
    /// The number of bytes, and the number that is allowed.
    case tooLarge(Int, largest: Int)

    /// A clause that follows the plural name of the document.
    public var message: String {
        switch self {
        case .notJSON(let reason): "are not JSON: \(reason)"
        case .notAnObject: "are no JSON object; expected {\"name\": value, …}"
        case .tooLarge(let bytes, let largest): "have \(bytes) bytes; expected at most \(largest)"
        }
    }
}
