public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// What is still to be done on connections; survives a restart. Rule: docs/domain.md, "Agent database", Commands.
public struct CommandsRepo: Repository {
    package typealias Failure = CommandsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The command with a number, failed or not. Throws `commandNotFound`.
    public func get(_ id: AgentCommandID) throws(CommandsError) -> AgentCommand {
        let found: AgentCommand? = try first("SELECT \(AgentCommand.columns) FROM commands WHERE command_id = \(id)")
        guard let found else { throw .commandNotFound(id) }
        return found
    }

    /// What is to be done next on a connection, at whatever server: the oldest command that has not failed. Nil when
    /// there is nothing to do, and while the connection is being deleted.
    public func next(of connection: AgentConnectionID) throws(CommandsError) -> AgentCommand? {
        try first(
            """
            SELECT \(AgentCommand.columns) FROM commands
            JOIN connections ON connections.conn_id = commands.conn_id
            WHERE commands.conn_id = \(connection) AND commands.failed = 0 AND connections.deleted = 0
            ORDER BY commands.command_id LIMIT 1
            """)
    }

    /// What is to be done next on a connection at a server; without a server, what needs none. Commands of one
    /// connection are done in their order at each server. Nil when there is nothing to do.
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

    /// The connections with something to do at a server, or of what needs none, the longest waiting first. None is an
    /// empty list.
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
