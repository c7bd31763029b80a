/// How far a file that is received is.
public enum AgentReceivedFileStatus: StoredText {
    /// Chunks are to come.
    case receiving
    /// All chunks are here.
    case received
    /// It is put together.
    case decrypting
    /// It is saved.
    case complete
    /// It will not come.
    case error
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order of a transfer.
    public static let known: [AgentReceivedFileStatus] = [.receiving, .received, .decrypting, .complete, .error]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .receiving: "receiving"
        case .received: "received"
        case .decrypting: "decrypting"
        case .complete: "complete"
        case .error: "error"
        case .unknown(let text): text
        }
    }
}
