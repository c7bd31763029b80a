/// How far the watch over a connection's queue is.
public enum NotificationSubscriptionStatus: StoredText {
    /// To be made.
    case new
    /// The notification server has not subscribed yet.
    case pending
    /// The queue is watched.
    case active
    /// The notification server lost its connection to the message server.
    case inactive
    /// Another subscriber took over.
    case end
    /// The message server refused.
    case auth
    /// The queue is not watched any more.
    case deleted
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order of a subscription.
    public static let known: [NotificationSubscriptionStatus] = [
        .new, .pending, .active, .inactive, .end, .auth, .deleted,
    ]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .new: "NEW"
        case .pending: "PENDING"
        case .active: "ACTIVE"
        case .inactive: "INACTIVE"
        case .end: "END"
        case .auth: "AUTH"
        case .deleted: "DELETED"
        case .unknown(let text): text
        }
    }
}
