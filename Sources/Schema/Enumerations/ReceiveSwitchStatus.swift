/// How far the move of a queue to receive from is.
public enum ReceiveSwitchStatus: StoredText {
    /// The move was asked for.
    case switchStarted
    /// The sender is told of the new queue.
    case sendingQADD
    /// The sender is told to use the new queue.
    case sendingQUSE
    /// A message came through the new queue.
    case receivedMessage
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order of the move.
    public static let known: [ReceiveSwitchStatus] = [.switchStarted, .sendingQADD, .sendingQUSE, .receivedMessage]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .switchStarted: "switch_started"
        case .sendingQADD: "sending_qadd"
        case .sendingQUSE: "sending_quse"
        case .receivedMessage: "received_message"
        case .unknown(let text): text
        }
    }
}
