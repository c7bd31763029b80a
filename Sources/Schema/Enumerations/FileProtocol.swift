/// How a file gets from one device to another.
public enum FileProtocol: StoredText {
    /// In chunks, over file servers.
    case xftp
    /// In messages; only in old stores.
    case smp
    /// Not at all: it is in the profile's own notes.
    case local
    /// A text from a newer app, kept.
    case unknown(String)

    /// In their natural order.
    public static let known: [FileProtocol] = [.xftp, .smp, .local]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .xftp: "xftp"
        case .smp: "smp"
        case .local: "local"
        case .unknown(let text): text
        }
    }
}
