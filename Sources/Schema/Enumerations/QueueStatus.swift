/// How far a queue is set up; either way. Rule: docs/domain.md, "Agent database", Queues.
public enum QueueStatus: StoredText {
    /// Made, and nobody has used it.
    case new
    /// The other side is known.
    case confirmed
    /// Only the other side can send to it.
    case secured
    /// Messages go through it.
    case active
    /// Given up; another has its place.
    case disabled
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order a queue goes through them.
    public static let known: [QueueStatus] = [.new, .confirmed, .secured, .active, .disabled]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .new: "new"
        case .confirmed: "confirmed"
        case .secured: "secured"
        case .active: "active"
        case .disabled: "disabled"
        case .unknown(let text): text
        }
    }
}
