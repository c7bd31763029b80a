/// What a received message says about those before it: the result of comparing its number and the hash of its
/// predecessor with what the connection had. Rule: docs/domain.md, "Agent database".
public enum MessageIntegrity: StoredText {
    /// The next one, as expected.
    case ok
    /// Those numbered `from` to `to`, both included, never came.
    case skipped(from: Int64, to: Int64)
    /// Its number is lower than one already received.
    case badID
    /// Its number is right and the hash of its predecessor is not.
    case badHash
    /// It had been received before.
    case duplicate
    /// A text from a newer app, kept.
    case unknown(String)

    /// Those without numbers; `skipped` is known too, with any two numbers in order.
    public static let known: [MessageIntegrity] = [.ok, .badID, .badHash, .duplicate]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? Self.skipped(text) ?? .unknown(text)
    }

    /// The text as it is stored: `skipped 3-5` for the one with numbers.
    public var text: String {
        switch self {
        case .ok: "ok"
        case .skipped(let from, let to): "skipped \(from)-\(to)"
        case .badID: "bad_id"
        case .badHash: "bad_hash"
        case .duplicate: "duplicate"
        case .unknown(let text): text
        }
    }

    /// Only the text that `text` would write, so that reading and writing again never changes a row.
    private static func skipped(_ text: String) -> MessageIntegrity? {
        let parts = text.dropFirst("skipped ".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let from = Int64(parts[0]), let to = Int64(parts[1]), from <= to else { return nil }
        let value = MessageIntegrity.skipped(from: from, to: to)
        return value.text == text ? value : nil
    }
}
