/// What a connection is for.
public enum ConnectionType: StoredText {
    /// A contact, which need not be known yet.
    case contact
    /// A member of a group.
    case member
    /// An address or a group link of the profile.
    case userContact
    /// A file going out; only in old stores.
    case sentFile
    /// A file coming in; only in old stores.
    case receivedFile
    /// A text from a newer app, kept.
    case unknown(String)

    /// In their natural order.
    public static let known: [ConnectionType] = [.contact, .member, .userContact, .sentFile, .receivedFile]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .contact: "contact"
        case .member: "member"
        case .userContact: "user_contact"
        case .sentFile: "snd_file"
        case .receivedFile: "rcv_file"
        case .unknown(let text): text
        }
    }
}
