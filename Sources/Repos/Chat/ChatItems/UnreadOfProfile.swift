import ChatDBEngine
import ChatDBSchema

/// What counts as unread of a profile: new items in chats that are not muted, of contacts that are not deleted, and of a
/// group that tells of mentions only, the mentions. Rule: docs/domain.md, "Profiles", Receipts and notifications.
///
/// In two parts, for each of which an index has what is unread.
enum UnreadOfProfile {
    /// The condition on items in chats with contacts of a profile.
    static func withContacts(_ user: Query) -> Query {
        """
        chat_items.user_id = \(user) AND chat_items.item_status = 'rcv_new' AND chat_items.contact_id > 0
        AND EXISTS (
            SELECT 1 FROM contacts
            WHERE contacts.contact_id = chat_items.contact_id AND contacts.deleted = 0
                AND coalesce(contacts.enable_ntfs, 1) = 1)
        """
    }

    /// The condition on items in groups of a profile.
    static func inGroups(_ user: Query) -> Query {
        """
        chat_items.user_id = \(user) AND chat_items.item_status = 'rcv_new' AND chat_items.group_id > 0
        AND EXISTS (
            SELECT 1 FROM groups
            WHERE groups.group_id = chat_items.group_id
                AND (coalesce(groups.enable_ntfs, 1) = 1
                    OR groups.enable_ntfs = 2 AND chat_items.user_mention = 1))
        """
    }
}
