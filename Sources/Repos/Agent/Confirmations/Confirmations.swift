public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The other side's answers to invitations. Rule: docs/domain.md, "Agent database", Confirmations.
public struct ConfirmationsRepo: Repository {
    package typealias Failure = ConfirmationsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the agent database.
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

    /// The answers to a connection's invitation, by id. The list is empty when there are none.
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

/// Changes to the other side's answers to invitations. Rule: docs/domain.md, "Agent database", Confirmations.
public struct ConfirmationsWriter: Writer {
    package typealias Failure = ConfirmationsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Stores an answer that came. Several may: an invitation can be passed on. Throws `connectionNotFound`,
    /// `confirmationExists`, and `alreadyAccepted` when one of them was accepted.
    @discardableResult
    public func create(
        _ new: NewAgentConfirmation, of connection: AgentConnectionID
    ) throws(ConfirmationsError) -> AgentConfirmation {
        try requireConnection(connection)
        if try row("SELECT conn_id FROM conn_confirmations WHERE confirmation_id = \(new.id)") != nil {
            throw .confirmationExists(new.id)
        }
        let confirmations = ConfirmationsRepo(tx)
        if let accepted = try confirmations.accepted(of: connection) { throw .alreadyAccepted(existing: accepted.id) }
        try run(
            """
            INSERT INTO conn_confirmations (
                confirmation_id, conn_id, e2e_snd_pub_key, sender_key, ratchet_state, sender_conn_info, created_at,
                updated_at)
            VALUES (
                \(new.id), \(connection), \(new.e2ePublicKey), \(new.senderKey), \(new.ratchetState),
                \(new.senderInfo), \(now), \(now))
            """)
        return try confirmations.get(new.id)
    }

    /// Accepts an answer, with the data that this side sends. Throws `confirmationNotFound`, and `alreadyAccepted` when
    /// it or another of its connection was accepted.
    @discardableResult
    public func accept(_ id: ConfirmationID, ownInfo: SecretBytes) throws(ConfirmationsError) -> AgentConfirmation {
        let confirmations = ConfirmationsRepo(tx)
        let confirmation = try confirmations.get(id)
        if let accepted = try confirmations.accepted(of: confirmation.connectionID) {
            throw .alreadyAccepted(existing: accepted.id)
        }
        try run(
            """
            UPDATE conn_confirmations SET accepted = 1, own_conn_info = \(ownInfo), updated_at = \(now)
            WHERE confirmation_id = \(id)
            """)
        return try confirmations.get(id)
    }

    /// Removes the answers of a connection that is complete, and returns their number.
    @discardableResult
    public func deleteAll(of connection: AgentConnectionID) throws(ConfirmationsError) -> Int {
        try run("DELETE FROM conn_confirmations WHERE conn_id = \(connection)")
    }
}
