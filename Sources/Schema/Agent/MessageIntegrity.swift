/// The integrity of the sequence of messages: the result of comparing a message's number and the hash of its
/// predecessor with those that the connection stored. Rule: docs/domain.md, "Agent database".
public enum MessageIntegrity: StoredText {
    /// The message is the next one.
    case ok
    /// The messages numbered `from` to `to`, both included, were not received.
    case skipped(from: Int64, to: Int64)
    /// Its number is lower than one already received.
    case badID
    /// Its number is right and the hash of its predecessor is not.
    case badHash
    /// The message was received before.
    case duplicate
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The values without numbers. `skipped` is known too, with any two numbers in order.
    public static let texts: StoredTexts<MessageIntegrity> = [
        .ok: "ok",
        .badID: "bad_id",
        .badHash: "bad_hash",
        .duplicate: "duplicate",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }

    /// Reads a stored text; every text has a value.
    public init(text: String) {
        self = Self.texts.value(of: text) ?? Self.skipped(text) ?? .unknown(text)
    }

    /// The text as it is stored: `skipped 3-5` for the value with numbers.
    public var text: String {
        if case .skipped(let from, let to) = self { return "skipped \(from)-\(to)" }
        return knownText
    }

    /// Reads only what `text` writes, so that reading and writing back never changes a row.
    private static func skipped(_ text: String) -> MessageIntegrity? {
        let parts = text.dropFirst("skipped ".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let from = Int64(parts[0]), let to = Int64(parts[1]), from <= to else { return nil }
        let value = MessageIntegrity.skipped(from: from, to: to)
        return value.text == text ? value : nil
    }
}

/// The counters of a connection, and the hashes of its last messages. All numbers are 0 and
/// the hashes empty before the first message. Rule: docs/domain.md, "Agent database", Numbers of messages.
public struct MessageCounters: Sendable, Hashable {
    /// The number of the last message, both directions together.
    public let lastID: AgentMessageID
    /// The number of received messages.
    public let lastReceived: Int64
    /// The number of sent messages, by which the other side knows the last one.
    public let lastSent: SenderMessageNumber
    /// The highest number that the other side gave to a received message.
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
    /// Compares a message with the counters of its connection: the number its sender gave it, and the hash it says the
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

    /// Whether the message becomes the last of its connection: its number is higher.
    public var isNewest: Bool {
        switch self {
        case .ok, .skipped, .badHash: true
        case .badID, .duplicate, .unknown: false
        }
    }
}
