/// The settings of an app's screens: one JSON object of the app, whose text is kept unchanged.
///
/// Rule: docs/domain.md, "Settings and tags".
public struct AppSettings: Sendable, Hashable {
    /// The most bytes a document may have.
    public static let largest = 1 << 20
    /// The greatest depth of its values.
    public static let deepest = 32

    /// The document as given, without white space around it.
    public let text: String
    private let members: [JSONValue.Member]

    /// Parses a document: strict JSON, an object, no name twice, within the limits.
    public init(_ given: String) throws(InvalidAppSettings) {
        let document: JSONValue
        do throws(JSONSyntaxError) {
            document = try JSONValue(parsing: given, limits: JSONLimits(bytes: Self.largest, depth: Self.deepest))
        } catch {
            throw InvalidAppSettings("are not JSON: \(error.description)")
        }
        guard case .object(let members) = document else {
            throw InvalidAppSettings("are no object; expected {\"name\": value, …}")
        }
        self.members = members
        let blanks: Set<Unicode.Scalar> = [" ", "\t", "\n", "\r"]
        var scalars = given.unicodeScalars[...]
        while let first = scalars.first, blanks.contains(first) { scalars.removeFirst() }
        while let last = scalars.last, blanks.contains(last) { scalars.removeLast() }
        text = String(scalars)
    }

    /// The names of the settings, in their order.
    public var names: [String] { members.map(\.name) }

    /// The text of a setting; nil when it is missing or has another type.
    public func text(_ name: String) -> String? { value(name)?.stringValue }

    /// The integer of a setting; nil when it is missing or has another type.
    public func number(_ name: String) -> Int64? { value(name)?.integerValue }

    /// The boolean of a setting; nil when it is missing or has another type.
    public func flag(_ name: String) -> Bool? { value(name)?.boolValue }

    private func value(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }
}

/// The reason why a text is no document of settings. It contains nothing of the text.
public struct InvalidAppSettings: ChatDBError, Sendable, Hashable, CustomStringConvertible {
    /// A clause that follows "the settings of the app".
    public let message: String

    init(_ message: String) {
        self.message = message
    }

    /// The problem of bytes that are not UTF-8.
    package static let notText = InvalidAppSettings("are not UTF-8")

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo { ErrorInfo(.invalid, "invalidAppSettings", "the settings of the app \(message)") }

    /// The message.
    public var description: String { message }
}
