/// One of the two databases of a store.
public enum DatabaseName: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// Profiles, contacts, groups and channels, messages, relays, servers, settings.
    case chat
    /// The network side: keys, ratchets, queues, servers, undelivered messages.
    case agent

    /// The name as people read it: `chat` or `agent`.
    public var description: String { rawValue }
}
