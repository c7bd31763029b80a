public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Changes to the message servers of the agent. Rule: docs/domain.md, "Agent database", Servers.
public struct AgentServersWriter: Writer {
    package typealias Failure = AgentServersError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Sees to it that a server is known, and answers it. Throws `differentKeyHash` when it is known with another
    /// certificate: queues at it would then be trusted to somebody else.
    @discardableResult
    public func add(_ id: AgentServerID, keyHash: String) throws(AgentServersError) -> AgentServer {
        if let existing = try AgentServersRepo(tx).find(id) {
            if existing.keyHash != keyHash { throw .differentKeyHash(id) }
            return existing
        }
        try run(
            """
            INSERT INTO servers (host, port, key_hash, created_at, updated_at)
            VALUES (\(id.host), \(id.port), \(keyHash), \(now), \(now))
            """)
        return AgentServer(id: id, keyHash: keyHash)
    }

    /// Gives a server the hash of its new certificate. Throws `agentServerNotFound`.
    public func setKeyHash(_ keyHash: String, of id: AgentServerID) throws(AgentServersError) {
        let changed = try run(
            """
            UPDATE servers SET key_hash = \(keyHash), updated_at = \(now)
            WHERE host = \(id.host) AND port = \(id.port)
            """)
        if changed == 0 { throw .agentServerNotFound(id) }
    }

    /// Removes the servers that no queue, command or subscription refers to, and answers how many there were.
    @discardableResult
    public func removeUnused() throws(AgentServersError) -> Int {
        try run(
            """
            DELETE FROM servers
            WHERE NOT EXISTS (
                    SELECT 1 FROM rcv_queues WHERE rcv_queues.host = servers.host AND rcv_queues.port = servers.port)
                AND NOT EXISTS (
                    SELECT 1 FROM snd_queues WHERE snd_queues.host = servers.host AND snd_queues.port = servers.port)
                AND NOT EXISTS (
                    SELECT 1 FROM commands WHERE commands.host = servers.host AND commands.port = servers.port)
                AND NOT EXISTS (
                    SELECT 1 FROM ntf_subscriptions
                    WHERE ntf_subscriptions.smp_host = servers.host AND ntf_subscriptions.smp_port = servers.port)
            """)
    }
}
