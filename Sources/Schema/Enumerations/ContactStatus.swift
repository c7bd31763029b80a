/// Whether a contact is still one, and if not, how it ended.
public enum ContactStatus: StoredText {
    /// Both sides have each other.
    case active
    /// The contact has deleted the profile from their contacts.
    case deleted
    /// The profile has ended it and kept the conversation.
    case deletedByUser
    /// A text from a newer app, kept.
    case unknown(String)

    /// In their natural order.
    public static let known: [ContactStatus] = [.active, .deleted, .deletedByUser]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .active: "active"
        case .deleted: "deleted"
        case .deletedByUser: "deletedByUser"
        case .unknown(let text): text
        }
    }
}
