public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The contacts of a profile. Rule: docs/domain.md, "Contacts".
///
/// The profile's own contact is not among them. Soft-deleted contacts are in a result only where its description says
/// so. An id of another profile is not found.
///
/// ```swift
/// let first = try store.read { try ContactsRepo($0).page(of: user.id, limit: 50) }
/// let next = try store.read { try ContactsRepo($0).page(of: user.id, after: first.next, limit: 50) }
/// ```
public struct ContactsRepo: Repository {
    package typealias Failure = ContactsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The contact of a profile with a number, or nil.
    public func find(
        _ id: ContactID, of user: UserID, includingDeleted: Bool = false
    ) throws(ContactsError) -> Contact? {
        try first(
            """
            SELECT \(Contact.columns) FROM \(Contact.tables)
            WHERE contacts.contact_id = \(id) AND contacts.user_id = \(user) AND contacts.is_user = 0
                AND contacts.deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            """)
    }

    /// The contact of a profile with a number. Throws `contactNotFound`.
    public func get(
        _ id: ContactID, of user: UserID, includingDeleted: Bool = false
    ) throws(ContactsError) -> Contact {
        guard let contact = try find(id, of: user, includingDeleted: includingDeleted) else {
            throw .contactNotFound(.id(id))
        }
        return contact
    }

    /// The contact the profile lists as exactly this name, or nil: at most one has it.
    public func find(
        named name: String, of user: UserID, includingDeleted: Bool = false
    ) throws(ContactsError) -> Contact? {
        try first(
            """
            SELECT \(Contact.columns) FROM \(Contact.tables)
            WHERE contacts.user_id = \(user) AND contacts.local_display_name = \(name) AND contacts.is_user = 0
                AND contacts.deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            """)
    }

    /// The contacts who gave an address as their own, newest chat first. The list is empty when there are none. Several
    /// contacts may give the same address.
    public func all(link: String, of user: UserID) throws(ContactsError) -> [Contact] {
        try all(
            """
            SELECT \(Contact.columns) FROM \(Contact.tables)
            WHERE contact_profiles.user_id = \(user) AND contact_profiles.contact_link = \(link)
                AND contacts.user_id = \(user) AND contacts.is_user = 0 AND contacts.deleted = 0
            ORDER BY contacts.chat_ts DESC, contacts.contact_id DESC
            """)
    }

    /// The random profile by which a contact knows the profile, or nil when it knows the real one. Of a soft-deleted
    /// contact too. Throws `contactNotFound`.
    public func incognitoProfile(for id: ContactID, of user: UserID) throws(ContactsError) -> ContactProfile? {
        guard let profile = try get(id, of: user, includingDeleted: true).incognitoProfileID else { return nil }
        return try first(
            """
            SELECT \(ContactProfile.columns) FROM contact_profiles
            WHERE contact_profile_id = \(profile) AND user_id = \(user)
            """)
    }
}

/// The position in the list of contacts where a page ends and the next one begins. It stays valid when contacts come or
/// go. Rule: docs/domain.md, "Contacts", Lists.
public struct ContactCursor: Sendable, Hashable {
    /// The time as stored: a store of another app has more digits than chatdb writes.
    let chatTime: String
    let id: ContactID
}

/// Some contacts, and how to go on.
public struct ContactPage: Sendable, Hashable {
    /// The contacts, newest chat first.
    public let contacts: [Contact]
    /// The argument for the next page; nil when this is the last.
    public let next: ContactCursor?
}

extension ContactsRepo {
    /// A page of the contacts of a profile, newest chat first, then by number, the highest first; the first page, or
    /// the one after a cursor. An empty page is the last. A contact whose chat moves while the caller reads the pages
    /// may be missed or come twice. All others come once.
    public func page(
        of user: UserID, after cursor: ContactCursor? = nil, limit: Int = 50
    ) throws(ContactsError) -> ContactPage {
        let size = PageSize.atLeastOne(limit)
        let position: Query =
            cursor.map { "AND (contacts.chat_ts, contacts.contact_id) < (\($0.chatTime), \($0.id))" } ?? ""
        let rows: [PagedContact] = try first(size + 1) { limit in
            """
            SELECT \(Contact.columns) FROM \(Contact.tables)
            WHERE contacts.user_id = \(user) AND contacts.is_user = 0 AND contacts.deleted = 0 \(position)
            ORDER BY contacts.chat_ts DESC, contacts.contact_id DESC
            LIMIT \(number: limit)
            """
        }
        let shown = rows.prefix(size)
        return ContactPage(contacts: shown.map(\.contact), next: rows.count > size ? shown.last?.cursor : nil)
    }

    /// The cursor for the contacts after one of them. Throws `contactNotFound`.
    package func cursor(after id: ContactID, of user: UserID) throws(ContactsError) -> ContactCursor {
        let found: PagedContact? = try first(
            """
            SELECT \(Contact.columns) FROM \(Contact.tables)
            WHERE contacts.contact_id = \(id) AND contacts.user_id = \(user) AND contacts.is_user = 0
            """)
        guard let found else { throw .contactNotFound(.id(id)) }
        return found.cursor
    }

    /// The favourites of a profile, newest chat first. The list is empty when there are none.
    public func favourites(of user: UserID) throws(ContactsError) -> [Contact] {
        try all(
            """
            SELECT \(Contact.columns) FROM \(Contact.tables)
            WHERE contacts.user_id = \(user) AND contacts.is_user = 0 AND contacts.deleted = 0
                AND contacts.favorite = 1
            ORDER BY contacts.chat_ts DESC, contacts.contact_id DESC
            """)
    }

    /// The contacts in whose names every word of a text occurs, as a word or a part of one, newest chat first; at most
    /// `limit`. The names are the one in the lists, those that the contacts gave themselves, and the alias. Case makes
    /// no difference. A text without words matches no contact.
    public func search(_ text: String, of user: UserID, limit: Int = 50) throws(ContactsError) -> [Contact] {
        let words = text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        let size = PageSize.atLeastOne(limit)
        if words.isEmpty { return [] }
        struct Enough: Error {}
        var found: [Contact] = []
        do {
            try tx.forEach(
                """
                SELECT \(Contact.columns) FROM \(Contact.tables)
                WHERE contacts.user_id = \(user) AND contacts.is_user = 0 AND contacts.deleted = 0
                ORDER BY contacts.chat_ts DESC, contacts.contact_id DESC
                """
            ) { row in
                // In Swift, because a database folds the case of ASCII letters only.
                guard let contact: Contact = try record(of: row) else { return }
                let names = contact.names.map { $0.lowercased() }
                guard words.allSatisfy({ word in names.contains { $0.contains(word) } }) else { return }
                found.append(contact)
                if found.count == size { throw Enough() }
            }
        } catch is Enough {
            return found
        } catch let error as StoreError {
            throw .store(error)
        } catch {
            throw .store(StoreError(.other, "the contacts could not be read"))
        }
        return found
    }
}

extension Contact {
    fileprivate var names: [String] {
        [localDisplayName, profile.content.displayName, profile.content.fullName, profile.localAlias]
    }
}

private struct PagedContact: RowRecord {
    let contact: Contact
    let cursor: ContactCursor

    init(row: ResultRow) throws(StoreError) {
        contact = try Contact(row: row)
        cursor = ContactCursor(chatTime: try row.get("chat_ts"), id: contact.id)
    }
}

extension ContactProfile: RowRecord {
    /// The columns of `contact_profiles`, in any join.
    static let columns: Query = """
        contact_profiles.contact_profile_id, contact_profiles.display_name, contact_profiles.full_name,
        contact_profiles.short_descr, contact_profiles.image, contact_profiles.contact_link,
        contact_profiles.preferences, contact_profiles.local_alias, contact_profiles.incognito,
        contact_profiles.description AS profile_description, contact_profiles.chat_peer_type
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("contact_profile_id"),
            content: ContactProfileContent(
                displayName: row.get("display_name"), fullName: row.get("full_name"),
                shortDescription: row.get("short_descr"), description: row.get("profile_description"),
                image: row.get("image"), contactLink: row.get("contact_link"),
                preferences: row.get("preferences"), peerType: row.get("chat_peer_type")),
            localAlias: row.get("local_alias"), isIncognito: row.get("incognito"))
    }
}

extension Contact: RowRecord {
    /// The random profile is that of the newest connection, which is the one in use.
    static let columns: Query = """
        contacts.contact_id, contacts.user_id, contacts.local_display_name, contacts.contact_used,
        contacts.contact_status, contacts.chat_ts, contacts.favorite, contacts.deleted,
        contacts.contact_group_member_id, contacts.contact_grp_inv_sent,
        \(ContactProfile.columns),
        (SELECT connections.custom_user_profile_id FROM connections
            WHERE connections.contact_id = contacts.contact_id
            ORDER BY connections.connection_id DESC LIMIT 1) AS incognito_profile_id
        """

    static let tables: Query = """
        contacts
        JOIN contact_profiles ON contact_profiles.contact_profile_id = contacts.contact_profile_id
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("contact_id"), userID: row.get("user_id"), localDisplayName: row.get("local_display_name"),
            profile: ContactProfile(row: row), isUsed: row.get("contact_used"), status: row.get("contact_status"),
            chatTime: row.time("chat_ts"), isFavourite: row.get("favorite"), isDeleted: row.get("deleted"),
            incognitoProfileID: row.get("incognito_profile_id"), memberID: row.get("contact_group_member_id"),
            isInvitationSent: row.get("contact_grp_inv_sent"))
    }
}
