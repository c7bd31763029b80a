/// How far a connection is.
public enum ConnectionStatus: StoredText {
    /// An invitation was made, nobody answered.
    case new
    /// Made from a link, not used yet.
    case prepared
    /// The profile has joined.
    case joined
    /// Somebody asks to connect.
    case requested
    /// The request was accepted.
    case accepted
    /// Messages can be sent, not yet received.
    case sendReady
    /// Both ways work.
    case ready
    /// Given up.
    case deleted
    /// It could not be made; why, as the app wrote it, or an empty text.
    case failed(reason: String)
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order a connection goes through them; of the failed ones, the one without a reason.
    public static let known: [ConnectionStatus] = [
        .new, .prepared, .joined, .requested, .accepted, .sendReady, .ready, .deleted, .failed(reason: ""),
    ]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        if let status = Self.known(text) {
            self = status
        } else if text.utf8.starts(with: "failed ".utf8), text.utf8.count > 7 {
            // By scalars: a combining mark after the blank would otherwise be dropped together with it.
            self = .failed(reason: String(text.unicodeScalars.dropFirst(7)))
        } else {
            self = .unknown(text)
        }
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .new: "new"
        case .prepared: "prepared"
        case .joined: "joined"
        case .requested: "requested"
        case .accepted: "accepted"
        case .sendReady: "snd-ready"
        case .ready: "ready"
        case .deleted: "deleted"
        case .failed(let reason): reason.isEmpty ? "failed" : "failed " + reason
        case .unknown(let text): text
        }
    }
}
