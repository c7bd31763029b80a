/// How notifications are delivered.
public enum NotificationMode: StoredText {
    /// The device is woken now and then.
    case periodic
    /// The device is woken by every message.
    case instant
    /// A text from a newer app, kept.
    case unknown(String)

    /// Periodic first.
    public static let known: [NotificationMode] = [.periodic, .instant]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .periodic: "PERIODIC"
        case .instant: "INSTANT"
        case .unknown(let text): text
        }
    }
}
