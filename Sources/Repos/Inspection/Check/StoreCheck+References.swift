import ChatDBEngine
import ChatDBSchema

/// Rule: docs/domain.md, "Profiles", Scope.
extension StoreCheck {
    static let ofReferences = [
        StoreCheck(
            "crossProfileReference", .error, "rows that refer to a row of another profile",
            rows: references.map(query) + tags)
    ]

    /// Columns of rows of a profile that refer to rows of a profile.
    private static let references: [(child: String, column: String, parent: String, key: String)] = [
        ("contacts", "contact_profile_id", "contact_profiles", "contact_profile_id"),
        ("contact_requests", "contact_profile_id", "contact_profiles", "contact_profile_id"),
        ("contact_requests", "contact_id", "contacts", "contact_id"),
        ("contact_requests", "user_contact_link_id", "user_contact_links", "user_contact_link_id"),
        ("user_contact_links", "group_id", "groups", "group_id"),
        ("groups", "group_profile_id", "group_profiles", "group_profile_id"),
        ("group_members", "group_id", "groups", "group_id"),
        ("group_members", "contact_profile_id", "contact_profiles", "contact_profile_id"),
        ("group_members", "member_profile_id", "contact_profiles", "contact_profile_id"),
        ("group_members", "contact_id", "contacts", "contact_id"),
        ("connections", "contact_id", "contacts", "contact_id"),
        ("connections", "group_member_id", "group_members", "group_member_id"),
        ("connections", "user_contact_link_id", "user_contact_links", "user_contact_link_id"),
        ("connections", "custom_user_profile_id", "contact_profiles", "contact_profile_id"),
        ("messages", "connection_id", "connections", "connection_id"),
        ("messages", "group_id", "groups", "group_id"),
        ("chat_items", "contact_id", "contacts", "contact_id"),
        ("chat_items", "group_id", "groups", "group_id"),
        ("chat_items", "group_member_id", "group_members", "group_member_id"),
        ("chat_items", "note_folder_id", "note_folders", "note_folder_id"),
        ("files", "contact_id", "contacts", "contact_id"),
        ("files", "group_id", "groups", "group_id"),
        ("files", "chat_item_id", "chat_items", "chat_item_id"),
    ]

    private static func query(
        _ reference: (child: String, column: String, parent: String, key: String)
    ) -> Query {
        let (child, parent): (Query, Query) = ("\(identifier: reference.child)", "\(identifier: reference.parent)")
        return """
            SELECT \(reference.child + " ") || child.rowid FROM \(child) AS child JOIN \(parent) AS parent
                ON parent.\(identifier: reference.key) = child.\(identifier: reference.column)
            WHERE parent.user_id <> child.user_id ORDER BY child.rowid
            """
    }

    /// The table of tags on chats is the only one without a column for the profile.
    private static let tags: [Query] = ["contact", "group"].map { chat in
        """
        SELECT 'chat_tags_chats ' || chat_tags_chats.rowid FROM chat_tags_chats JOIN chat_tags USING (chat_tag_id)
            JOIN \(identifier: chat + "s") AS chat
                ON chat.\(identifier: chat + "_id") = chat_tags_chats.\(identifier: chat + "_id")
        WHERE chat.user_id <> chat_tags.user_id ORDER BY chat_tags_chats.rowid
        """
    }
}
