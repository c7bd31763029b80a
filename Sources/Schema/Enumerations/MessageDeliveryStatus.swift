/// How far a message has come on one connection. Rule: docs/domain.md, "Messages".
public enum MessageDeliveryStatus: StoredText {
    /// The agent has received it.
    case rcvAgent
    /// Its receipt was acknowledged to the agent.
    case rcvAcknowledged
    /// To be handed to the agent.
    case sndPending
    /// The agent has it.
    case sndAgent
    /// The server has it.
    case sndSent
    /// A text with details, or from a newer app; kept.
    case unknown(String)

    /// Received first, each in the order of its steps.
    public static let known: [MessageDeliveryStatus] = [
        .rcvAgent, .rcvAcknowledged, .sndPending, .sndAgent, .sndSent,
    ]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .rcvAgent: "rcv_agent"
        case .rcvAcknowledged: "rcv_acknowledged"
        case .sndPending: "snd_pending"
        case .sndAgent: "snd_agent"
        case .sndSent: "snd_sent"
        case .unknown(let text): text
        }
    }
}
