public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Requests to connect, received through addresses. Rule: docs/domain.md, "Agent database", Requests.
public struct InvitationsRepo: Repository {
    package typealias Failure = InvitationsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The request with an id. Throws `invitationNotFound`.
    public func get(_ id: InvitationID) throws(InvitationsError) -> AgentInvitation {
        let found: AgentInvitation? = try first(
            "SELECT \(AgentInvitation.columns) FROM conn_invitations WHERE invitation_id = \(id)")
        guard let found else { throw .invitationNotFound(id) }
        return found
    }

    /// The requests that came through an address, accepted ones among them, by id. The list is empty when there are
    /// none.
    public func all(through address: AgentConnectionID) throws(InvitationsError) -> [AgentInvitation] {
        try all(
            """
            SELECT \(AgentInvitation.columns) FROM conn_invitations
            WHERE contact_conn_id = \(address) ORDER BY invitation_id
            """)
    }
}

/// Changes to requests to connect. Rule: docs/domain.md, "Agent database", Requests.
public struct InvitationsWriter: Writer {
    package typealias Failure = InvitationsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Stores a request that came through an address. The id is random bytes of the caller. Throws
    /// `connectionNotFound`, `notAnAddress` and `invitationExists`.
    @discardableResult
    public func create(
        _ id: InvitationID, _ invitation: SecretBytes, senderInfo: SecretBytes, through address: AgentConnectionID
    ) throws(InvitationsError) -> AgentInvitation {
        try requireConnection(address)
        let isAddress = try row(
            "SELECT conn_id FROM connections WHERE conn_id = \(address) AND conn_mode = \(ConnectionMode.contact)")
        if isAddress == nil { throw .notAnAddress(address) }
        if try row("SELECT invitation_id FROM conn_invitations WHERE invitation_id = \(id)") != nil {
            throw .invitationExists(id)
        }
        try run(
            """
            INSERT INTO conn_invitations (
                invitation_id, contact_conn_id, cr_invitation, recipient_conn_info, created_at, updated_at)
            VALUES (\(id), \(address), \(invitation), \(senderInfo), \(now), \(now))
            """)
        return try InvitationsRepo(tx).get(id)
    }

    /// Accepts a request, with the data that this side sends. Throws `invitationNotFound` and `alreadyAccepted`.
    @discardableResult
    public func accept(_ id: InvitationID, ownInfo: SecretBytes) throws(InvitationsError) -> AgentInvitation {
        let invitations = InvitationsRepo(tx)
        if try invitations.get(id).isAccepted { throw .alreadyAccepted(id) }
        try run(
            """
            UPDATE conn_invitations SET accepted = 1, own_conn_info = \(ownInfo), updated_at = \(now)
            WHERE invitation_id = \(id)
            """)
        return try invitations.get(id)
    }

    /// Withdraws the acceptance of a request after joining failed, so that it can be accepted again. Throws
    /// `invitationNotFound`.
    public func withdraw(_ id: InvitationID) throws(InvitationsError) {
        let changed = try run(
            """
            UPDATE conn_invitations SET accepted = 0, own_conn_info = NULL, updated_at = \(now)
            WHERE invitation_id = \(id)
            """)
        if changed == 0 { throw .invitationNotFound(id) }
    }

    /// Removes a request: it was rejected, or is done. Throws `invitationNotFound`.
    public func delete(_ id: InvitationID) throws(InvitationsError) {
        let changed = try run("DELETE FROM conn_invitations WHERE invitation_id = \(id)")
        if changed == 0 { throw .invitationNotFound(id) }
    }
}
