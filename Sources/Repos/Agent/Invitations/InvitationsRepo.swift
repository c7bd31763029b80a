public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Requests to connect, received through addresses. Rule: docs/domain.md, "Agent database", Requests.
public struct InvitationsRepo: Repository {
    package typealias Failure = InvitationsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
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

    /// The requests that came through an address, accepted ones among them, by id. None is an empty list.
    public func all(through address: AgentConnectionID) throws(InvitationsError) -> [AgentInvitation] {
        try all(
            """
            SELECT \(AgentInvitation.columns) FROM conn_invitations
            WHERE contact_conn_id = \(address) ORDER BY invitation_id
            """)
    }
}
