public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Those who asked a profile to be a contact. Rule: docs/domain.md, "Contacts".
public struct ContactRequestsRepo: Repository {
    package typealias Failure = ContactsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All requests a profile has not answered, the last one first. None is an empty list.
    public func all(of user: UserID) throws(ContactsError) -> [ContactRequest] {
        try all(
            """
            SELECT \(ContactRequest.columns) FROM \(ContactRequest.tables)
            WHERE contact_requests.user_id = \(user)
            ORDER BY contact_requests.updated_at DESC, contact_requests.contact_request_id DESC
            """)
    }

    /// The request to a profile with a number, or nil.
    public func find(_ id: ContactRequestID, of user: UserID) throws(ContactsError) -> ContactRequest? {
        try first(
            """
            SELECT \(ContactRequest.columns) FROM \(ContactRequest.tables)
            WHERE contact_requests.contact_request_id = \(id) AND contact_requests.user_id = \(user)
            """)
    }

    /// The request to a profile with a number. Throws `contactRequestNotFound`.
    public func get(_ id: ContactRequestID, of user: UserID) throws(ContactsError) -> ContactRequest {
        guard let request = try find(id, of: user) else { throw .contactRequestNotFound(id) }
        return request
    }

    /// The request that a new one repeats, or nil: with an id of the person's own, the one with that id; without, the
    /// one that came by the same link from the same address, and says the same. A person without either cannot be known
    /// again, so that nobody's request is taken for another's.
    func find(repeatedBy request: NewContactRequest, of user: UserID) throws(ContactsError) -> ContactRequest? {
        if let xContactID = request.xContactID {
            return try first(
                """
                SELECT \(ContactRequest.columns) FROM \(ContactRequest.tables)
                WHERE contact_requests.user_id = \(user) AND contact_requests.xcontact_id = \(xContactID)
                """)
        }
        let requests: [ContactRequest] = try all(
            """
            SELECT \(ContactRequest.columns) FROM \(ContactRequest.tables)
            WHERE contact_requests.user_contact_link_id = \(request.linkID) AND contact_requests.user_id = \(user)
                AND contact_requests.xcontact_id IS NULL
                AND (contact_requests.agent_invitation_id = \(request.agentInvitationID.text)
                    OR contact_profiles.contact_link = \(request.profile.contactLink))
            ORDER BY contact_requests.contact_request_id
            """)
        return requests.first {
            $0.agentInvitationID == request.agentInvitationID || $0.profile.content == request.profile
        }
    }
}
