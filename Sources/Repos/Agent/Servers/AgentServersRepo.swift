public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The message servers (SMP) that the agent has queues or work at. They are the device's, not a profile's.
/// Rule: docs/domain.md, "Agent database", Servers.
public struct AgentServersRepo: Repository {
    package typealias Failure = AgentServersError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// All servers, by host and port. None is an empty list.
    public func all() throws(AgentServersError) -> [AgentServer] {
        try all("SELECT \(AgentServer.columns) FROM servers ORDER BY host, port")
    }

    /// The server at a host and a port, or nil.
    public func find(_ id: AgentServerID) throws(AgentServersError) -> AgentServer? {
        try first("SELECT \(AgentServer.columns) FROM servers WHERE host = \(id.host) AND port = \(id.port)")
    }

    /// The servers with queues to subscribe to: not deleted, of connections and profiles that are not. By host and
    /// port; none is an empty list.
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

    /// The servers at which a command waits that has not failed, by host and port. None is an empty list.
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
