/// How far a file is on its way to one recipient, or to the profile: `file_status` of `snd_files` and `rcv_files`.
/// Rule: docs/domain.md, "Files".
public enum FileStatus: StoredText {
    /// Offered.
    case new
    /// The recipient wants it.
    case accepted
    /// It is on its way.
    case connected
    /// It has arrived.
    case complete
    /// One of the two has given up.
    case cancelled
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order a file goes through them.
    public static let known: [FileStatus] = [.new, .accepted, .connected, .complete, .cancelled]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .new: "new"
        case .accepted: "accepted"
        case .connected: "connected"
        case .complete: "complete"
        case .cancelled: "cancelled"
        case .unknown(let text): text
        }
    }

    /// Whether nothing more comes of it.
    public var isEnded: Bool { self == .complete || self == .cancelled }

    /// Whether the step is allowed: forward only, though steps may be skipped, and nothing after an end. From a status
    /// of a newer app only the end `cancelled` can be reached.
    public func canBecome(_ next: FileStatus) -> Bool {
        if next == .cancelled { return !isEnded }
        guard !isEnded, let from = Self.known.firstIndex(of: self), let to = Self.known.firstIndex(of: next) else {
            return false
        }
        return from < to
    }
}
