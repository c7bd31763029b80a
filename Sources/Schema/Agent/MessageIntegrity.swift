/// What a received message says about those before it: the result of comparing its number and the hash of its
/// predecessor with what the connection had. Rule: docs/domain.md, "Agent database".
public enum MessageIntegrity: StoredText {
    /// The next one, as expected.
    case ok
    /// Those numbered `from` to `to`, both included, never came.
    case skipped(from: Int64, to: Int64)
    /// Its number is lower than one already received.
    case badID
    /// Its number is right and the hash of its predecessor is not.
    case badHash
    /// It had been received before.
    case duplicate
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// Those without numbers; `skipped` is known too, with any two numbers in order.
    public static let texts: StoredTexts<MessageIntegrity> = [
        .ok: "ok",
        .badID: "bad_id",
        .badHash: "bad_hash",
        .duplicate: "duplicate",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.texts.value(of: text) ?? Self.skipped(text) ?? .unknown(text)
    }

    /// The text as it is stored: `skipped 3-5` for the value with numbers.
    public var text: String {
        if case .skipped(let from, let to) = self { return "skipped \(from)-\(to)" }
        return knownText
    }

    /// Only the text that `text` would write, so that reading and writing again never changes a row.
    private static func skipped(_ text: String) -> MessageIntegrity? {
        let parts = text.dropFirst("skipped ".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let from = Int64(parts[0]), let to = Int64(parts[1]), from <= to else { return nil }
        let value = MessageIntegrity.skipped(from: from, to: to)
        return value.text == text ? value : nil
    }
}

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
