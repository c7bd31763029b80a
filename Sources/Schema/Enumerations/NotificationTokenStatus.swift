/// How far the registration of a device with a notification server is.
public enum NotificationTokenStatus: StoredText {
    /// Not registered.
    case new
    /// The server knows it and has sent a code to prove it.
    case registered
    /// The push service refused it.
    case invalid
    /// The code came.
    case confirmed
    /// Notifications come.
    case active
    /// The push service has forgotten it.
    case expired
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order of a registration.
    public static let known: [NotificationTokenStatus] = [.new, .registered, .invalid, .confirmed, .active, .expired]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .new: "NEW"
        case .registered: "REGISTERED"
        case .invalid: "INVALID"
        case .confirmed: "CONFIRMED"
        case .active: "ACTIVE"
        case .expired: "EXPIRED"
        case .unknown(let text): text
        }
    }
}
