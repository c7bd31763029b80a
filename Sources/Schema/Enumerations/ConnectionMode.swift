/// How a connection of the agent was made.
public enum ConnectionMode: StoredText {
    /// By an invitation for one.
    case invitation
    /// As an address for many.
    case contact
    /// A text from a newer app, kept.
    case unknown(String)

    /// Invitations first.
    public static let known: [ConnectionMode] = [.invitation, .contact]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .invitation: "INV"
        case .contact: "CON"
        case .unknown(let text): text
        }
    }
}
