public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// A request as it came from the agent.
public struct NewContactRequest: Sendable, Hashable {
    /// The profile's link they came by.
    public var linkID: UserContactLinkID
    /// The agent's id of the request.
    public var agentInvitationID: InvitationID
    /// The random id by which their app repeats the request; nil from an old app.
    public var xContactID: String?
    /// What they say of themselves.
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

/// What came of receiving a request.
public struct ReceivedRequest: Sendable, Hashable {
    /// Whether it was a new one.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Somebody asked for the first time.
        case received
        /// They had asked before: their request now says what they said last.
        case repeated
    }

    /// Which of the two.
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
    /// the link and the profile that came last. The same `xContactID` makes it one; without it the same address of
    /// theirs at the same link, and all else they say; the same request of the agent in any case.
    ///
    /// Throws `linkNotFound`, `invalidContactName`, and `invalidInvitation` for an id of the agent that is no text, and then
    /// has changed nothing.
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

    /// Accepts a request: it goes, and a contact with its profile and name is there, ready to be talked to. The answer
    /// goes out by the request's `agentInvitationID`, so read the request first. A request whose contact was made
    /// before the answer keeps that contact.
    ///
    /// Throws `contactRequestNotFound`, and then has changed nothing.
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
        let contact = ContactID(
            try insert(
                """
                INSERT INTO contacts (
                    user_id, contact_profile_id, local_display_name, contact_used, chat_ts, created_at, updated_at)
                VALUES (
                    \(user), \(request.profile.id), \(request.localDisplayName), 1, \(now), \(now), \(now))
                """, returning: "contact_id"))
        return try contacts.get(contact, of: user)
    }

    /// Rejects a request: it goes with its profile, and its name is free. Answers the request as it was, which the agent
    /// rejects by its `agentInvitationID`. Throws `contactRequestNotFound`, and then has changed nothing.
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

    /// Removes profiles and names of requests that are gone, unless somebody else has them.
    private func release(_ requests: [ContactRequest], of user: UserID) throws(ContactsError) {
        try profiles.deleteUnused(requests.map(\.profile.id), of: user)
        try profiles.releaseUnused(requests.map(\.localDisplayName), of: user)
    }
}
