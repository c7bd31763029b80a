public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Changes to what is still to be done on connections. Rule: docs/domain.md, "Agent database", Commands.
public struct CommandsWriter: Writer {
    package typealias Failure = CommandsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Adds a command at the end of what there is to do. Throws `connectionNotFound` and `serverNotFound`.
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

    /// Sends a command to another server, since it was moved there, or to none; it keeps its place. Throws
    /// `commandNotFound` and `serverNotFound`.
    public func move(_ id: AgentCommandID, to server: AgentServerID?) throws(CommandsError) {
        try requireServer(server)
        let changed = try run(
            """
            UPDATE commands SET host = \(server?.host), port = \(server?.port), updated_at = \(now)
            WHERE command_id = \(id)
            """)
        if changed == 0 { throw .commandNotFound(id) }
    }

    /// Notes that a command has failed for good: it is not tried again, and those behind it are. Throws
    /// `commandNotFound`.
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
