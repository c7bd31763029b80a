/// How far a file that is sent is.
public enum AgentSentFileStatus: StoredText {
    /// Nothing is done.
    case new
    /// It is encrypted.
    case encrypting
    /// Its chunks are ready.
    case encrypted
    /// Chunks are to be uploaded.
    case uploading
    /// All chunks are uploaded.
    case complete
    /// It will not be sent.
    case error
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order of a transfer.
    public static let known: [AgentSentFileStatus] = [.new, .encrypting, .encrypted, .uploading, .complete, .error]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .new: "new"
        case .encrypting: "encrypting"
        case .encrypted: "encrypted"
        case .uploading: "uploading"
        case .complete: "complete"
        case .error: "error"
        case .unknown(let text): text
        }
    }
}
