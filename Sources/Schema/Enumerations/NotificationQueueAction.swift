/// What is to be done next at the message server.
public enum NotificationQueueAction: StoredText {
    /// Get a notifier id for the queue.
    case createKey
    /// Give the notifier id back.
    case delete
    /// A text from a newer app, kept.
    case unknown(String)

    /// Making first.
    public static let known: [NotificationQueueAction] = [.createKey, .delete]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .createKey: "S_KEY"
        case .delete: "S_DELETE"
        case .unknown(let text): text
        }
    }
}
