/// How far an item of a chat has come. Rule: docs/domain.md, "Chat items".
public enum ChatItemStatus: StoredText {
    /// Made, not sent yet.
    case sndNew
    /// Handed to the server. What a newer or older app adds to the text makes it another, kept as it is.
    case sndSent
    /// Received and not read. An item is unread when it has this status, and only then.
    case rcvNew
    /// Received and read.
    case rcvRead
    /// A text with details (such as which error), or from a newer app; kept.
    case unknown(String)

    /// Sent items first.
    public static let known: [ChatItemStatus] = [.sndNew, .sndSent, .rcvNew, .rcvRead]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .sndNew: "snd_new"
        case .sndSent: "snd_sent"
        case .rcvNew: "rcv_new"
        case .rcvRead: "rcv_read"
        case .unknown(let text): text
        }
    }
}
