/// What is to be done next with the registration of a device.
public enum NotificationTokenAction: StoredText {
    /// Register it.
    case register
    /// Send the code back.
    case verify
    /// Ask how it is.
    case check
    /// Remove it.
    case delete
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order of a registration.
    public static let known: [NotificationTokenAction] = [.register, .verify, .check, .delete]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .register: "REGISTER"
        case .verify: "VERIFY"
        case .check: "CHECK"
        case .delete: "DELETE"
        case .unknown(let text): text
        }
    }
}
