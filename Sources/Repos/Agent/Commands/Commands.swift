public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The pending commands of connections. They survive a restart. Rule: docs/domain.md, "Agent database", Commands.
public struct CommandsRepo: Repository {
    package typealias Failure = CommandsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The command with a number, failed or not. Throws `commandNotFound`.
    public func get(_ id: AgentCommandID) throws(CommandsError) -> AgentCommand {
        let found: AgentCommand? = try first("SELECT \(AgentCommand.columns) FROM commands WHERE command_id = \(id)")
        guard let found else { throw .commandNotFound(id) }
        return found
    }

    /// The next command of a connection, at any server: the oldest that has not failed. Nil when there is nothing to
    /// do, and while the connection is being deleted.
    public func next(of connection: AgentConnectionID) throws(CommandsError) -> AgentCommand? {
        try first(
            """
            SELECT \(AgentCommand.columns) FROM commands
            JOIN connections ON connections.conn_id = commands.conn_id
            WHERE commands.conn_id = \(connection) AND commands.failed = 0 AND connections.deleted = 0
            ORDER BY commands.command_id LIMIT 1
            """)
    }

    /// The next command of a connection at a server; without a server, the next command that needs no server. Commands
    /// of one connection are done in their order at each server. Nil when there is nothing to do.
    public func next(
        of connection: AgentConnectionID, at server: AgentServerID?
    ) throws(CommandsError) -> AgentCommand? {
        try first(
            """
            SELECT \(AgentCommand.columns) FROM commands
            JOIN connections ON connections.conn_id = commands.conn_id
            WHERE commands.conn_id = \(connection) AND \(Self.isAt(server)) AND commands.failed = 0
                AND connections.deleted = 0
            ORDER BY commands.command_id LIMIT 1
            """)
    }

    /// The connections with commands for a server, or with commands that need no server, the longest waiting first. The
    /// list is empty when there are none.
    public func waiting(at server: AgentServerID?) throws(CommandsError) -> [AgentConnectionID] {
        do throws(StoreError) {
            return try tx.rows(
                """
                SELECT commands.conn_id, min(commands.command_id) AS first_id FROM commands
                JOIN connections ON connections.conn_id = commands.conn_id
                WHERE \(Self.isAt(server)) AND commands.failed = 0 AND connections.deleted = 0
                GROUP BY commands.conn_id ORDER BY min(commands.command_id)
                """
            ).map { row throws(StoreError) in try row.get("conn_id") }
        } catch {
            throw .store(error)
        }
    }

    private static func isAt(_ server: AgentServerID?) -> Query {
        guard let server else { return "commands.host IS NULL AND commands.port IS NULL" }
        return "commands.host = \(server.host) AND commands.port = \(server.port)"
    }
}

/// Changes to the pending commands of connections. Rule: docs/domain.md, "Agent database", Commands.
public struct CommandsWriter: Writer {
    package typealias Failure = CommandsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Adds a command after all others. Throws `connectionNotFound` and `serverNotFound`.
    @discardableResult
    public func add(
        _ command: SecretBytes, tag: String, correlationID: CorrelationID, of connection: AgentConnectionID,
        at server: AgentServerID? = nil
    ) throws(CommandsError) -> AgentCommand {
        try requireConnection(connection)
        try requireServer(server)
        let id = try insert(
            """
            INSERT INTO commands (conn_id, host, port, corr_id, command_tag, command, created_at, updated_at)
            VALUES (
                \(connection), \(server?.host), \(server?.port), \(correlationID), \(tag), \(command), \(now), \(now))
            """, returning: "command_id")
        return try CommandsRepo(tx).get(AgentCommandID(id))
    }

    /// Assigns a command to another server or to none; the command keeps its place. Throws `commandNotFound` and
    /// `serverNotFound`.
    public func move(_ id: AgentCommandID, to server: AgentServerID?) throws(CommandsError) {
        try requireServer(server)
        let changed = try run(
            """
            UPDATE commands SET host = \(server?.host), port = \(server?.port), updated_at = \(now)
            WHERE command_id = \(id)
            """)
        if changed == 0 { throw .commandNotFound(id) }
    }

    /// Marks a command as failed for good: it is skipped from now on. Throws `commandNotFound`.
    public func failed(_ id: AgentCommandID) throws(CommandsError) {
        let changed = try run("UPDATE commands SET failed = 1, updated_at = \(now) WHERE command_id = \(id)")
        if changed == 0 { throw .commandNotFound(id) }
    }

    /// Removes a command: it is done. Throws `commandNotFound`.
    public func delete(_ id: AgentCommandID) throws(CommandsError) {
        let changed = try run("DELETE FROM commands WHERE command_id = \(id)")
        if changed == 0 { throw .commandNotFound(id) }
    }

    private func requireServer(_ server: AgentServerID?) throws(CommandsError) {
        guard let server else { return }
        let found = try row("SELECT host FROM servers WHERE host = \(server.host) AND port = \(server.port)")
        if found == nil { throw .serverNotFound(server) }
    }
}

/// Errors of operations on a command. Rule: docs/domain.md, "Agent database", Commands.
public enum CommandsError: ConnectionViolation, Hashable {
    /// No such connection exists, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// No such command exists: it is done, or its connection was removed.
    case commandNotFound(AgentCommandID)
    /// The command's server is not known yet.
    case serverNotFound(AgentServerID)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .connectionNotFound(let id):
            .refused("agentConnectionNotFound", "there is no connection \(id)", ["connection": .string(id.description)])
        case .commandNotFound(let id):
            .refused("commandNotFound", "there is no command \(id)", ["command": .integer(id.rawValue)])
        case .serverNotFound(let id):
            .refused(
                "agentServerNotFound",
                "the command cannot be added: the agent database has no server \(id); add the server first",
                ["server": .string(id.description)])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
