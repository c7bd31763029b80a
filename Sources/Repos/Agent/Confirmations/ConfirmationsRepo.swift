public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The other side's answers to invitations. Rule: docs/domain.md, "Agent database", Confirmations.
public struct ConfirmationsRepo: Repository {
    package typealias Failure = ConfirmationsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The answer with an id. Throws `confirmationNotFound`.
    public func get(_ id: ConfirmationID) throws(ConfirmationsError) -> AgentConfirmation {
        let found: AgentConfirmation? = try first(
            "SELECT \(AgentConfirmation.columns) FROM conn_confirmations WHERE confirmation_id = \(id)")
        guard let found else { throw .confirmationNotFound(id) }
        return found
    }

    /// The answers a connection has got, by id. None is an empty list.
    public func all(of connection: AgentConnectionID) throws(ConfirmationsError) -> [AgentConfirmation] {
        try all(
            """
            SELECT \(AgentConfirmation.columns) FROM conn_confirmations
            WHERE conn_id = \(connection) ORDER BY confirmation_id
            """)
    }

    /// The answer that was accepted for a connection, or nil.
    public func accepted(of connection: AgentConnectionID) throws(ConfirmationsError) -> AgentConfirmation? {
        try first(
            """
            SELECT \(AgentConfirmation.columns) FROM conn_confirmations
            WHERE conn_id = \(connection) AND accepted = 1 ORDER BY confirmation_id
            """)
    }
}
