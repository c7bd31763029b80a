/// How far a replica of a chunk is.
public enum SentReplicaStatus: StoredText {
    /// The server has a place for it.
    case created
    /// It is at the server.
    case uploaded
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order of a transfer.
    public static let known: [SentReplicaStatus] = [.created, .uploaded]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .created: "created"
        case .uploaded: "uploaded"
        case .unknown(let text): text
        }
    }
}
