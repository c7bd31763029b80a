/// Which way a message, an item or a file goes. Stored as `0` (received) or `1` (sent).
public enum MessageDirection: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// From somebody else.
    case received
    /// From the profile.
    case sent

    /// The direction of the stored switch `item_sent` or `msg_sent`.
    public init(isSent: Bool) {
        self = isSent ? .sent : .received
    }

    /// The stored switch.
    public var isSent: Bool { self == .sent }

    /// `received` or `sent`.
    public var description: String { rawValue }
}
