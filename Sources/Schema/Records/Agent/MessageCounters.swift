/// What a connection remembers of its messages: how many there were, and the last one each way. All numbers are 0 and
/// the hashes empty before the first message. Rule: docs/domain.md, "Agent database", Numbers of messages.
public struct MessageCounters: Sendable, Hashable {
    /// The number of the last message, both directions together.
    public let lastID: AgentMessageID
    /// How many were received.
    public let lastReceived: Int64
    /// How many were sent, which is the number the other side knows the last one by.
    public let lastSent: SenderMessageNumber
    /// The highest number the other side gave to a message that came.
    public let lastExternal: SenderMessageNumber
    /// The hash of the message with that number.
    public let lastReceivedHash: SecretBytes
    /// The hash of the last message sent.
    public let lastSentHash: SecretBytes

    package init(
        lastID: AgentMessageID, lastReceived: Int64, lastSent: SenderMessageNumber,
        lastExternal: SenderMessageNumber, lastReceivedHash: SecretBytes, lastSentHash: SecretBytes
    ) {
        self.lastID = lastID
        self.lastReceived = lastReceived
        self.lastSent = lastSent
        self.lastExternal = lastExternal
        self.lastReceivedHash = lastReceivedHash
        self.lastSentHash = lastSentHash
    }
}

extension MessageIntegrity {
    /// How a message follows what the connection remembers: the number its sender gave it, and the hash it says the
    /// message before it had. Rule: docs/domain.md, "Agent database", Receiving.
    public init(of number: SenderMessageNumber, previousHash: SecretBytes, after counters: MessageCounters) {
        let (given, last) = (number.rawValue, counters.lastExternal.rawValue)
        if given < last {
            self = .badID
        } else if given == last {
            self = .duplicate
        } else if given - 1 > last {
            // No overflow: what is greater than another number is not the least, what is less not the greatest.
            self = .skipped(from: last + 1, to: given - 1)
        } else {
            self = previousHash == counters.lastReceivedHash ? .ok : .badHash
        }
    }

    /// Whether the connection remembers the message as its last: the number went up.
    public var isNewest: Bool {
        switch self {
        case .ok, .skipped, .badHash: true
        case .badID, .duplicate, .unknown: false
        }
    }
}
