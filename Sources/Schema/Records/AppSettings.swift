/// The settings of an app's screens: one JSON object, which belongs to the app and whose text is kept as it is.
///
/// Rule: docs/domain.md, "Settings and tags".
public struct AppSettings: Sendable, Hashable {
    /// The most bytes a document may have.
    public static let largest = 1 << 20
    /// How deep its values may be nested.
    public static let deepest = 32

    /// The document as it was given, without blanks around it.
    public let text: String
    private let members: [JSONValue.Member]

    /// Reads a document: strict JSON, an object, no name twice, within the limits.
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

    /// A setting that is text; nil when it is missing or something else.
    public func text(_ name: String) -> String? { value(name)?.stringValue }

    /// A setting that is a whole number; nil when it is missing or something else.
    public func number(_ name: String) -> Int64? { value(name)?.integerValue }

    /// A setting that is true or false; nil when it is missing or something else.
    public func flag(_ name: String) -> Bool? { value(name)?.boolValue }

    private func value(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }
}

/// Why a text is no document of settings. It holds nothing of the text.
public struct InvalidAppSettings: ChatDBError, Sendable, Hashable, CustomStringConvertible {
    /// A clause that follows "the settings of the app".
    public let message: String

    init(_ message: String) {
        self.message = message
    }

    /// What a report says about the error.
    public var info: ErrorInfo { ErrorInfo(.invalid, "invalidAppSettings", "the settings of the app \(message)") }

    /// The message.
    public var description: String { message }
}
