/// An enumeration stored as text, of which a newer app may store values that this build does not know.
///
/// Unknown text is kept as it is, shown as it is and written back as it is; it is never an error.
/// Encoded as the bare text.
public protocol StoredText: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The value of a stored text; any text has one.
    init(text: String)
    /// The text as it is stored.
    var text: String { get }
    /// The values this build knows, in their natural order.
    static var known: [Self] { get }
}

extension StoredText {
    /// The stored text.
    public var description: String { text }

    /// Reads the bare text; text this build does not know is kept.
    public init(from decoder: any Decoder) throws {
        self.init(text: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the bare text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The known value with this text, if there is one.
    static func known(_ text: String) -> Self? {
        known.first { $0.text == text }
    }

    /// The known values by their texts: for an enumeration of which an answer has hundreds.
    static func knownByText() -> [String: Self] {
        Dictionary(known.map { ($0.text, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
