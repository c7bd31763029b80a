package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ContactProfile: RowRecord {
    /// Of `contact_profiles`, whatever it is joined to.
    static let columns: Query = """
        contact_profiles.contact_profile_id, contact_profiles.display_name, contact_profiles.full_name,
        contact_profiles.short_descr, contact_profiles.image, contact_profiles.contact_link,
        contact_profiles.preferences, contact_profiles.local_alias, contact_profiles.incognito
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("contact_profile_id"),
            content: ContactProfileContent(
                displayName: row.get("display_name"), fullName: row.get("full_name"),
                shortDescription: row.get("short_descr"), image: row.get("image"),
                contactLink: row.get("contact_link"), preferences: row.get("preferences")),
            localAlias: row.get("local_alias"), isIncognito: row.get("incognito"))
    }
}

extension Contact: RowRecord {
    /// The random profile is that of the newest connection, which is the one in use.
    static let columns: Query = """
        contacts.contact_id, contacts.user_id, contacts.local_display_name, contacts.contact_used,
        contacts.contact_status, contacts.chat_ts, contacts.favorite, contacts.deleted,
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
            incognitoProfileID: row.get("incognito_profile_id"))
    }
}
