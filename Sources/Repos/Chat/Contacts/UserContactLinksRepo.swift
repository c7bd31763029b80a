public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The links by which others reach a profile: its address and those of its groups. Rule: docs/domain.md, "Contacts".
public struct UserContactLinksRepo: Repository {
    package typealias Failure = ContactsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All links of a profile, its address first, then those of groups by number. None is an empty list.
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

    /// The link of a profile with a text, in full or short, or nil. It tells whether a link is the profile's own.
    public func find(text: String, of user: UserID) throws(ContactsError) -> UserContactLink? {
        try first(
            """
            SELECT \(UserContactLink.columns) FROM user_contact_links
            WHERE (user_id = \(user) AND conn_req_contact = \(text))
                OR (user_id = \(user) AND short_link_contact = \(text))
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
