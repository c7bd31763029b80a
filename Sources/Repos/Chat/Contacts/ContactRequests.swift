public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The requests of people to become a contact of a profile. Rule: docs/domain.md, "Contacts".
public struct ContactRequestsRepo: Repository {
    package typealias Failure = ContactsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All unanswered requests of a profile, the newest first. The list is empty when there are none.
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

    /// The request that a new one repeats, or nil. If the new one has an `xContactID`, it is the request with the same
    /// one; otherwise the request that came by the same link from the same address, and is equal otherwise. Without one
    /// of these, a request repeats no other, so that requests of different people are not confused.
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

/// A request as it came from the agent.
public struct NewContactRequest: Sendable, Hashable {
    /// The profile's link they came by.
    public var linkID: UserContactLinkID
    /// The agent's id of the request.
    public var agentInvitationID: InvitationID
    /// The random id by which their app repeats the request; nil from an old app.
    public var xContactID: String?
    /// The profile of the person who asks.
    public var profile: ContactProfileContent

    /// A request as it came from the agent.
    public init(
        linkID: UserContactLinkID, agentInvitationID: InvitationID, xContactID: String? = nil,
        profile: ContactProfileContent
    ) {
        self.linkID = linkID
        self.agentInvitationID = agentInvitationID
        self.xContactID = xContactID
        self.profile = profile
    }
}

/// The result of receiving a request.
public struct ReceivedRequest: Sendable, Hashable {
    /// Whether it was a new one.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The first request of a person.
        case received
        /// The person had asked before: the request now has the newer data.
        case repeated
    }

    /// The kind of result.
    public let outcome: Outcome
    /// The request as it is now.
    public let request: ContactRequest
}

/// Receiving and answering requests. Rule: docs/domain.md, "Contacts".
public struct ContactRequestsWriter: Writer {
    package typealias Failure = ContactsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Stores a request. One that repeats another, of the same person, takes its place: same row, with the agent's id,
    /// the link and the profile that came last. Two requests are the same with the same `xContactID`; without it, with
    /// the same link, address and other data. The same request of the agent is always the same.
    ///
    /// Throws `linkNotFound`, `invalidContactName`, and `invalidInvitation` for an id of the agent that is no text;
    /// nothing has changed then.
    public func receive(_ given: NewContactRequest, of user: UserID) throws(ContactsError) -> ReceivedRequest {
        var request = given
        request.profile = try ContactProfilesWriter.checked(given.profile)
        guard given.agentInvitationID.text?.isEmpty == false else { throw .invalidInvitation(given.agentInvitationID) }
        _ = try UserContactLinksRepo(tx).get(given.linkID, of: user)
        let requests = ContactRequestsRepo(tx)
        if let old = try requests.find(repeatedBy: request, of: user) {
            try replace(old, with: request)
            return ReceivedRequest(outcome: .repeated, request: try requests.get(old.id, of: user))
        }
        let name = try profiles.claim(request.profile.displayName, of: user)
        let profile = try profiles.insert(request.profile, of: user)
        let id = ContactRequestID(
            try insert(
                """
                INSERT INTO contact_requests (
                    user_id, user_contact_link_id, agent_invitation_id, xcontact_id, contact_profile_id,
                    local_display_name, created_at, updated_at)
                VALUES (
                    \(user), \(request.linkID), \(request.agentInvitationID.text), \(request.xContactID), \(profile),
                    \(name), \(now), \(now))
                """, returning: "contact_request_id"))
        return ReceivedRequest(outcome: .received, request: try requests.get(id, of: user))
    }

    /// Accepts a request: removes it, and creates a contact with its profile and name. The agent sends the answer by
    /// the request's `agentInvitationID`, so read the request first. If the contact was created before the answer, it
    /// is kept.
    ///
    /// Throws `contactRequestNotFound`; nothing has changed then.
    public func accept(_ id: ContactRequestID, of user: UserID) throws(ContactsError) -> Contact {
        let request = try ContactRequestsRepo(tx).get(id, of: user)
        let contacts = ContactsRepo(tx)
        try deleteRow(request)
        if let contact = request.contactID, try contacts.find(contact, of: user, includingDeleted: true) != nil {
            try run(
                """
                UPDATE contacts
                SET deleted = 0, contact_used = 1, contact_status = \(ContactStatus.active), updated_at = \(now)
                WHERE contact_id = \(contact) AND user_id = \(user)
                """)
            try release([request], of: user)
            return try contacts.get(contact, of: user)
        }
        let number = newNumber(in: .contacts)
        let contact = ContactID(
            try insert(
                """
                INSERT INTO contacts (
                    \(number.column)user_id, contact_profile_id, local_display_name, contact_used, chat_ts, created_at,
                    updated_at)
                VALUES (
                    \(number.value)\(user), \(request.profile.id), \(request.localDisplayName), 1, \(now), \(now),
                    \(now))
                """, returning: "contact_id"))
        return try contacts.get(contact, of: user)
    }

    /// Rejects a request: removes it with its profile and name. Returns the request as it was; the agent rejects it by
    /// its `agentInvitationID`. Throws `contactRequestNotFound`; nothing has changed then.
    @discardableResult
    public func reject(_ id: ContactRequestID, of user: UserID) throws(ContactsError) -> ContactRequest {
        let request = try ContactRequestsRepo(tx).get(id, of: user)
        try deleteRow(request)
        try release([request], of: user)
        return request
    }

    /// Removes all requests that came by a link.
    func removeAll(by link: UserContactLinkID, of user: UserID) throws(ContactsError) {
        let requests: [ContactRequest] = try ContactRequestsRepo(tx).all(
            """
            SELECT \(ContactRequest.columns) FROM \(ContactRequest.tables)
            WHERE contact_requests.user_contact_link_id = \(link) AND contact_requests.user_id = \(user)
            """)
        try run("DELETE FROM contact_requests WHERE user_contact_link_id = \(link) AND user_id = \(user)")
        try release(requests, of: user)
    }

    // MARK: - Parts

    private var profiles: ContactProfilesWriter { ContactProfilesWriter(tx: tx, clock: clock) }

    private func replace(_ old: ContactRequest, with request: NewContactRequest) throws(ContactsError) {
        let name = try profiles.update(
            old.profile, to: request.profile, localName: old.localDisplayName, of: old.userID)
        try run(
            """
            UPDATE contact_requests
            SET agent_invitation_id = \(request.agentInvitationID.text), user_contact_link_id = \(request.linkID),
                local_display_name = \(name), updated_at = \(now)
            WHERE contact_request_id = \(old.id) AND user_id = \(old.userID)
            """)
        guard name != old.localDisplayName else { return }
        // A contact made before the answer has the same profile and the same name.
        try run(
            """
            UPDATE contacts SET local_display_name = \(name), updated_at = \(now)
            WHERE contact_profile_id = \(old.profile.id) AND user_id = \(old.userID)
            """)
        try profiles.releaseUnused([old.localDisplayName], of: old.userID)
    }

    private func deleteRow(_ request: ContactRequest) throws(ContactsError) {
        try run(
            """
            DELETE FROM contact_requests
            WHERE contact_request_id = \(request.id) AND user_id = \(request.userID)
            """)
    }

    /// Removes profiles and names of removed requests, unless another row uses them.
    private func release(_ requests: [ContactRequest], of user: UserID) throws(ContactsError) {
        try profiles.deleteUnused(requests.map(\.profile.id), of: user)
        try profiles.releaseUnused(requests.map(\.localDisplayName), of: user)
    }
}

extension ContactRequest: RowRecord {
    static let columns: Query = """
        contact_requests.contact_request_id, contact_requests.user_id, contact_requests.user_contact_link_id,
        contact_requests.agent_invitation_id, contact_requests.xcontact_id, contact_requests.local_display_name,
        contact_requests.contact_id, contact_requests.updated_at, \(ContactProfile.columns)
        """

    static let tables: Query = """
        contact_requests
        JOIN contact_profiles ON contact_profiles.contact_profile_id = contact_requests.contact_profile_id
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("contact_request_id"), userID: row.get("user_id"), linkID: row.get("user_contact_link_id"),
            agentInvitationID: InvitationID(text: row.get("agent_invitation_id")), xContactID: row.get("xcontact_id"),
            profile: ContactProfile(row: row), localDisplayName: row.get("local_display_name"),
            contactID: row.get("contact_id"), updatedAt: row.time("updated_at"))
    }
}

extension UserContactLink: RowRecord {
    static let columns: Query = """
        user_contact_link_id, user_id, group_id, conn_req_contact, short_link_contact, auto_accept,
        auto_accept_incognito, auto_reply_msg_content, group_link_id, group_link_member_role, business_address
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("user_contact_link_id"), userID: row.get("user_id"), groupID: row.get("group_id"),
            fullLink: row.get("conn_req_contact"), shortLink: row.get("short_link_contact"),
            autoAccept: AutoAccept(
                isOn: row.get("auto_accept"), isIncognito: row.get("auto_accept_incognito"),
                reply: row.get("auto_reply_msg_content")),
            groupLinkID: row.get("group_link_id"), memberRole: row.get("group_link_member_role"),
            isBusinessAddress: row.get("business_address"))
    }
}
