/// Whether the ratchets of both sides agree, or how far their renewal is.
public enum RatchetSyncState: StoredText {
    /// They agree.
    case ok
    /// They may have run apart: renewal may be asked for.
    case allowed
    /// They have run apart: without renewal nothing can be sent.
    case required
    /// Renewal was asked for.
    case started
    /// New keys are agreed, and a first message with them has not come.
    case agreed
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order of a renewal.
    public static let known: [RatchetSyncState] = [.ok, .allowed, .required, .started, .agreed]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .ok: "ok"
        case .allowed: "allowed"
        case .required: "required"
        case .started: "started"
        case .agreed: "agreed"
        case .unknown(let text): text
        }
    }
}
