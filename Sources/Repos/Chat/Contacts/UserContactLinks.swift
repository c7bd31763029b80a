public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The links by which others reach a profile: its address and those of its groups. Rule: docs/domain.md, "Contacts".
public struct UserContactLinksRepo: Repository {
    package typealias Failure = ContactsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All links of a profile, its address first, then those of groups by number. The list is empty when there are
    /// none.
    public func all(of user: UserID) throws(ContactsError) -> [UserContactLink] {
        try all(
            """
            SELECT \(UserContactLink.columns) FROM user_contact_links
            WHERE user_id = \(user)
            ORDER BY group_id IS NOT NULL, user_contact_link_id
            """)
    }

    /// The link of a profile with a number, or nil.
    public func find(_ id: UserContactLinkID, of user: UserID) throws(ContactsError) -> UserContactLink? {
        try first(
            """
            SELECT \(UserContactLink.columns) FROM user_contact_links
            WHERE user_contact_link_id = \(id) AND user_id = \(user)
            """)
    }

    /// The link of a profile with a number. Throws `linkNotFound`.
    public func get(_ id: UserContactLinkID, of user: UserID) throws(ContactsError) -> UserContactLink {
        guard let link = try find(id, of: user) else { throw .linkNotFound(id) }
        return link
    }

    /// The link of a profile with a text, in full or short and in any spelling, or nil. This shows whether a link is
    /// the profile's own. Rule: docs/domain.md, "Prepared groups".
    public func find(text: String, of user: UserID) throws(ContactsError) -> UserContactLink? {
        let key = LinkKey.of(text)
        return try first(
            """
            SELECT \(UserContactLink.columns) FROM user_contact_links
            WHERE (user_id = \(user) AND conn_req_contact = \(text))
                OR (user_id = \(user) AND short_link_contact = \(text))
                OR (user_id = \(user) AND conn_req_contact_key = \(key))
                OR (user_id = \(user) AND short_link_contact_key = \(key))
            ORDER BY user_contact_link_id LIMIT 1
            """)
    }

    /// The address of a profile, or nil when it has none. Of several, which another app can make, the oldest.
    public func address(of user: UserID) throws(ContactsError) -> UserContactLink? {
        try first(
            """
            SELECT \(UserContactLink.columns) FROM user_contact_links
            WHERE user_id = \(user) AND group_id IS NULL
            ORDER BY user_contact_link_id LIMIT 1
            """)
    }

    /// The link of a group of a profile, or nil when it has none.
    public func groupLink(of group: GroupID, of user: UserID) throws(ContactsError) -> UserContactLink? {
        try first(
            """
            SELECT \(UserContactLink.columns) FROM user_contact_links
            WHERE group_id = \(group) AND user_id = \(user)
            """)
    }
}

/// The result of deleting a link of a profile.
public struct DeletedLink: Sendable, Hashable {
    /// The link as it was.
    public let link: UserContactLink
    /// The connections at which it listened, by number: the agent may now delete them.
    public let connections: [AgentConnectionID]
}

/// Changes to the address of a profile and to the links of its groups. Rule: docs/domain.md, "Contacts".
public struct UserContactLinksWriter: Writer {
    package typealias Failure = ContactsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    // MARK: - Address

    /// Makes the address of a profile, which does not accept requests automatically. Throws `invalidLink`,
    /// `profileNotFound`, and `addressAlreadyExists`: a profile has one.
    public func createAddress(
        _ link: String, short: String? = nil, of user: UserID
    ) throws(ContactsError) -> UserContactLink {
        if let existing = try links.address(of: user) { throw .addressAlreadyExists(existing.id) }
        try requireProfile(user)
        return try insert(link, short: short, group: nil, groupLinkID: nil, role: nil, of: user)
    }

    /// Sets how the address of a profile answers requests. Throws `addressNotFound`, and `businessAddressIncognito` for
    /// random profiles at the address of a business.
    @discardableResult
    public func setAutoAccept(_ settings: AutoAccept, of user: UserID) throws(ContactsError) -> UserContactLink {
        let address = try address(of: user)
        if settings.isIncognito, address.isBusinessAddress { throw .businessAddressIncognito(address.id) }
        try set(
            """
            auto_accept = \(settings.isOn), auto_accept_incognito = \(settings.isIncognito),
            auto_reply_msg_content = \(settings.reply)
            """, of: address)
        return try links.get(address.id, of: user)
    }

    /// Sets whether the address of a profile is that of a business: each request becomes a business chat. Throws
    /// `addressNotFound`, and `businessAddressIncognito` when the address accepts requests with random profiles.
    @discardableResult
    public func setBusinessAddress(_ isBusiness: Bool, of user: UserID) throws(ContactsError) -> UserContactLink {
        let address = try address(of: user)
        if isBusiness, address.autoAccept.isIncognito { throw .businessAddressIncognito(address.id) }
        try set("business_address = \(isBusiness)", of: address)
        return try links.get(address.id, of: user)
    }

    /// Deletes the address of a profile, with the requests that came by it and have no answer: the agent forgets them
    /// with it. Contacts stay. Throws `addressNotFound`.
    @discardableResult
    public func deleteAddress(of user: UserID) throws(ContactsError) -> DeletedLink {
        try delete(address(of: user))
    }

    // MARK: - Links of groups

    /// Makes the link of a group, by which one joins with a role: observer, author or member. `id` is the random text
    /// by which the members know the link.
    ///
    /// Throws `invalidLink`, `invalidLinkRole`, `groupNotFound`, and `groupLinkAlreadyExists`: a group has one.
    public func createGroupLink(
        _ link: String, short: String? = nil, id: String, role: GroupMemberRole = .member, to group: GroupID,
        of user: UserID
    ) throws(ContactsError) -> UserContactLink {
        try check(role)
        let groups = try ContactsRepo(tx).count(
            "SELECT count(*) FROM groups WHERE group_id = \(group) AND user_id = \(user)")
        if groups == 0 { throw .groupNotFound(group) }
        if let existing = try links.groupLink(of: group, of: user) {
            throw .groupLinkAlreadyExists(existing.id, group: group)
        }
        return try insert(link, short: short, group: group, groupLinkID: id, role: role, of: user)
    }

    /// Sets the role of those who join a group by its link from now on. Throws `invalidLinkRole` and
    /// `groupLinkNotFound`.
    @discardableResult
    public func setRole(
        _ role: GroupMemberRole, ofLinkTo group: GroupID, of user: UserID
    ) throws(ContactsError) -> UserContactLink {
        try check(role)
        let link = try groupLink(of: group, of: user)
        try set("group_link_member_role = \(role)", of: link)
        return try links.get(link.id, of: user)
    }

    /// Deletes the link of a group, with the requests that came by it and have no answer. Members stay. Throws
    /// `groupLinkNotFound`.
    @discardableResult
    public func deleteGroupLink(to group: GroupID, of user: UserID) throws(ContactsError) -> DeletedLink {
        try delete(groupLink(of: group, of: user))
    }

    // MARK: - Both

    /// Stores the short link of an address or group link, or takes it away. Throws `linkNotFound` and `invalidLink`.
    @discardableResult
    public func setShortLink(
        _ short: String?, of id: UserContactLinkID, of user: UserID
    ) throws(ContactsError) -> UserContactLink {
        let link = try links.get(id, of: user)
        if let short, NameRule.trimmed(short).isEmpty { throw .invalidLink }
        try set(
            "short_link_contact = \(short), short_link_contact_key = \(short.flatMap(LinkKey.of))", of: link)
        return try links.get(id, of: user)
    }
}

extension UserContactLinksWriter {
    private var links: UserContactLinksRepo { UserContactLinksRepo(tx) }

    private func address(of user: UserID) throws(ContactsError) -> UserContactLink {
        guard let address = try links.address(of: user) else { throw .addressNotFound }
        return address
    }

    private func groupLink(of group: GroupID, of user: UserID) throws(ContactsError) -> UserContactLink {
        guard let link = try links.groupLink(of: group, of: user) else { throw .groupLinkNotFound(group) }
        return link
    }

    private func check(_ role: GroupMemberRole) throws(ContactsError) {
        guard [.observer, .author, .member].contains(role) else { throw .invalidLinkRole(role) }
    }

    private func insert(
        _ link: String, short: String?, group: GroupID?, groupLinkID: String?, role: GroupMemberRole?, of user: UserID
    ) throws(ContactsError) -> UserContactLink {
        for text in [link, short ?? link] where NameRule.trimmed(text).isEmpty { throw .invalidLink }
        let number = newNumber(in: .contactLinks)
        let id = UserContactLinkID(
            try insert(
                """
                INSERT INTO user_contact_links (
                    \(number.column)user_id, group_id, conn_req_contact, conn_req_contact_key, short_link_contact,
                    short_link_contact_key, group_link_id, group_link_member_role, created_at, updated_at)
                VALUES (
                    \(number.value)\(user), \(group), \(link), \(LinkKey.of(link)), \(short),
                    \(short.flatMap(LinkKey.of)), \(groupLinkID), \(role), \(now), \(now))
                """, returning: "user_contact_link_id"))
        return try links.get(id, of: user)
    }

    private func set(_ columns: Query, of link: UserContactLink) throws(ContactsError) {
        try run(
            """
            UPDATE user_contact_links SET \(columns), updated_at = \(now)
            WHERE user_contact_link_id = \(link.id) AND user_id = \(link.userID)
            """)
    }

    private func delete(_ link: UserContactLink) throws(ContactsError) -> DeletedLink {
        let connections: [ChatConnection] = try ContactsRepo(tx).all(
            """
            SELECT \(ChatConnection.columns) FROM connections
            WHERE user_contact_link_id = \(link.id) AND user_id = \(link.userID)
            ORDER BY connection_id
            """)
        try ContactRequestsWriter(tx, clock: clock).removeAll(by: link.id, of: link.userID)
        try run(
            """
            DELETE FROM user_contact_links
            WHERE user_contact_link_id = \(link.id) AND user_id = \(link.userID)
            """)
        return DeletedLink(link: link, connections: connections.map(\.agentID))
    }
}
