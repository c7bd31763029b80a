/// What is to be done next at the notification server.
public enum NotificationServerAction: StoredText {
    /// Make the subscription.
    case create
    /// Ask how it is.
    case check
    /// Remove it.
    case delete
    /// Remove it and make another.
    case rotate
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order of a subscription.
    public static let known: [NotificationServerAction] = [.create, .check, .delete, .rotate]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .create: "N_CREATE"
        case .check: "N_CHECK"
        case .delete: "N_DELETE"
        case .rotate: "N_ROTATE"
        case .unknown(let text): text
        }
    }
}
