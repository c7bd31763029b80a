public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The message servers (SMP) where the agent has queues or commands. They belong to the device, not to a profile. Rule:
/// docs/domain.md, "Agent database", Servers.
public struct AgentServersRepo: Repository {
    package typealias Failure = AgentServersError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// All servers, by host and port. The list is empty when there are none.
    public func all() throws(AgentServersError) -> [AgentServer] {
        try all("SELECT \(AgentServer.columns) FROM servers ORDER BY host, port")
    }

    /// The server at a host and a port, or nil.
    public func find(_ id: AgentServerID) throws(AgentServersError) -> AgentServer? {
        try first("SELECT \(AgentServer.columns) FROM servers WHERE host = \(id.host) AND port = \(id.port)")
    }

    /// The servers with queues to subscribe to, without deleted queues and those of deleted connections and profiles.
    /// By host and port; the list may be empty.
    public func toSubscribe() throws(AgentServersError) -> [AgentServer] {
        try all(
            """
            SELECT \(AgentServer.columns) FROM servers
            WHERE EXISTS (
                SELECT 1 FROM rcv_queues
                JOIN connections ON connections.conn_id = rcv_queues.conn_id
                WHERE rcv_queues.host = servers.host AND rcv_queues.port = servers.port
                    AND \(ReceiveQueuesRepo.isSubscribed))
            ORDER BY host, port
            """)
    }

    /// The servers at which a command waits that has not failed, by host and port. The list is empty when there are
    /// none.
    public func withCommands() throws(AgentServersError) -> [AgentServer] {
        try all(
            """
            SELECT \(AgentServer.columns) FROM servers
            WHERE EXISTS (
                SELECT 1 FROM commands
                WHERE commands.host = servers.host AND commands.port = servers.port AND commands.failed = 0)
            ORDER BY host, port
            """)
    }
}

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

    /// Adds a server unless the store has it, and returns it. Throws `differentKeyHash` when the store has it with
    /// another certificate: otherwise its queues would move to another server.
    @discardableResult
    public func add(_ id: AgentServerID, keyHash given: String) throws(AgentServersError) -> AgentServer {
        let keyHash = ServerKeyHash.text(given)
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
            UPDATE servers SET key_hash = \(ServerKeyHash.text(keyHash)), updated_at = \(now)
            WHERE host = \(id.host) AND port = \(id.port)
            """)
        if changed == 0 { throw .agentServerNotFound(id) }
    }

    /// Removes the servers that no queue, command or subscription refers to, and returns their number.
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

/// Errors of operations on a message server of the agent. Rule: docs/domain.md, "Agent database", Servers.
public enum AgentServersError: RuleViolation, Hashable {
    /// No such server exists.
    case agentServerNotFound(AgentServerID)
    /// The server is known with another certificate.
    case differentKeyHash(AgentServerID)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .agentServerNotFound(let id):
            .refused(
                "agentServerNotFound", "the agent database has no server \(id)", ["server": .string(id.description)])
        case .differentKeyHash(let id):
            .refused(
                "differentKeyHash",
                "the server \(id) cannot be added: it is known with another key hash; change that one if the "
                    + "server was renewed", ["server": .string(id.description)])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
