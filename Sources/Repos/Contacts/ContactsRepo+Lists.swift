import ChatDBEngine
public import ChatDBSchema

/// Where a page of contacts ends and the next one begins. It stays valid when contacts come or go.
/// Rule: docs/domain.md, "Contacts", Lists.
public struct ContactCursor: Sendable, Hashable {
    /// As stored: a store of another app has more digits than a time of ours is written with.
    let chatTime: String
    let id: ContactID
}

/// Some contacts, and how to go on.
public struct ContactPage: Sendable, Hashable {
    /// The contacts, newest chat first.
    public let contacts: [Contact]
    /// What to ask the next page with; nil when this is the last.
    public let next: ContactCursor?
}

extension ContactsRepo {
    /// A page of the contacts of a profile, newest chat first, then by number, the highest first; the first page, or the
    /// one after a cursor. An empty page is the last. A contact whose chat moves while one goes through the pages may
    /// be missed or come twice; all others come once.
    public func page(
        of user: UserID, after cursor: ContactCursor? = nil, limit: Int = 50
    ) throws(ContactsError) -> ContactPage {
        let size = PageSize.atLeastOne(limit)
        let position: Query =
            cursor.map { "AND (contacts.chat_ts, contacts.contact_id) < (\($0.chatTime), \($0.id))" } ?? ""
        let rows: [PagedContact] = try all(
            """
            SELECT \(Contact.columns) FROM \(Contact.tables)
            WHERE contacts.user_id = \(user) AND contacts.is_user = 0 AND contacts.deleted = 0 \(position)
            ORDER BY contacts.chat_ts DESC, contacts.contact_id DESC
            LIMIT \(size + 1)
            """)
        let shown = rows.prefix(size)
        return ContactPage(contacts: shown.map(\.contact), next: rows.count > size ? shown.last?.cursor : nil)
    }

    /// The favourites of a profile, newest chat first. None is an empty list.
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
    /// so many. Looked at are the name in the lists, the names they gave themselves, and the alias; case does not
    /// matter. A text without words finds nobody.
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
                let contact = try Contact(row: row)
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
