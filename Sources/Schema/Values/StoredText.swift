/// An enumeration stored as text, of which a newer app may store values that this build does not know.
///
/// Unknown text is not an error: chatdb keeps, shows and writes it unchanged. A value is encoded as the bare text.
///
/// A conforming enumeration lists its cases with their texts, and has a case for every other text:
///
///     public enum ConnectionMode: StoredText {
///         case invitation
///         case contact
///         case unknown(String)
///
///         public static let texts: StoredTexts<ConnectionMode> = [
///             .invitation: "INV",
///             .contact: "CON",
///         ]
///
///         public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
///     }
public protocol StoredText: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The values that this build knows, each with its stored text, in their natural order.
    static var texts: StoredTexts<Self> { get }
    /// The value of a text that this build does not know.
    static func unknown(_ text: String) -> Self
    /// The text that this build does not know, or nil.
    var unknownText: String? { get }
    /// Reads a stored text; every text has a value.
    init(text: String)
    /// The text as it is stored.
    var text: String { get }
}

extension StoredText {
    /// Reads a stored text: a value of ``texts``, or ``unknown(_:)``.
    public init(text: String) {
        self = Self.texts.value(of: text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String { knownText }

    /// The text in the table, or the unknown text. A test holds every case to a text in the table, so no value is
    /// without one.
    var knownText: String { unknownText ?? Self.texts.text(of: self) ?? "" }

    /// The values that this build knows, in their natural order.
    public static var known: [Self] { texts.values }

    /// The stored text.
    public var description: String { text }

    /// Reads the bare text; keeps a text that this build does not know.
    public init(from decoder: any Decoder) throws {
        self.init(text: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the bare text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// The stored texts of an enumeration: a table that is written once and read in both directions.
///
/// Both searches are linear, because tables are short. Without a constraint on `Value`, Swift does not look for a
/// conformance when it makes the table of each enumeration; *measured*: 80 µs each.
public struct StoredTexts<Value: Sendable>: Sendable, ExpressibleByDictionaryLiteral {
    /// The values, in the order of the table.
    public var values: [Value] { rows.map { $0.value } }
    /// With the length in bytes, because equal texts may differ in their bytes.
    private let rows: [(text: String, bytes: Int, value: Value)]

    /// A table in the order it is written. Of two equal values or texts the first counts.
    public init(dictionaryLiteral rows: (Value, String)...) {
        self.rows = rows.map { value, text in (text, text.utf8.count, value) }
    }

    /// The value that is stored as exactly these bytes, or nil.
    ///
    /// Swift takes texts for equal that Unicode does: the Kelvin sign and a K. Such a text would be written back with
    /// other bytes, so it is not known. It is longer in UTF-8 than the ASCII texts of a table.
    func value(of text: String) -> Value? {
        let bytes = text.utf8.count
        return rows.first { $0.bytes == bytes && $0.text == text }?.value
    }
}

extension StoredTexts where Value: Equatable {
    /// The text of a value; nil for one that is not in the table.
    func text(of value: Value) -> String? { rows.first { $0.value == value }?.text }
}
