/// How far the move of a queue to send to is.
public enum SendSwitchStatus: StoredText {
    /// The receiver is given the key for the new queue.
    case sendingQKEY
    /// A message to try the new queue is on its way.
    case sendingQTEST
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order of the move.
    public static let known: [SendSwitchStatus] = [.sendingQKEY, .sendingQTEST]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .sendingQKEY: "sending_qkey"
        case .sendingQTEST: "sending_qtest"
        case .unknown(let text): text
        }
    }
}
