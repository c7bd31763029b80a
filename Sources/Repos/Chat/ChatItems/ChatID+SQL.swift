import ChatDBEngine
import ChatDBSchema

// Look-ups by number or by shared id only check the profile. The `+` before `user_id` prevents SQLite's planner from
// reading every row of the profile instead.

extension ChatID {
    /// The condition that an item is in this chat of a profile.
    func hasItem(of user: UserID) -> Query {
        switch self {
        case .contact(let id): "chat_items.user_id = \(user) AND chat_items.contact_id = \(id)"
        case .group(let id): "chat_items.user_id = \(user) AND chat_items.group_id = \(id)"
        case .notes(let id): "chat_items.user_id = \(user) AND chat_items.note_folder_id = \(id)"
        }
    }

    /// The condition that an item is in one part of this chat of a profile: in a support chat of a group or, without a
    /// scope, in the main chat of a group, or in another chat.
    func hasItem(of user: UserID, in scope: GroupScope?) -> Query {
        if let scope { return "\(hasItem(of: user)) AND \(scope.condition)" }
        return groupID == nil ? hasItem(of: user) : "\(hasItem(of: user)) AND chat_items.group_scope_tag IS NULL"
    }

    /// The condition that an item is in this chat of a profile and has a shared id. An index of the chat covers it.
    func hasItem(of user: UserID, sharedID: String) -> Query {
        let place: Query =
            switch self {
            case .contact(let id): "chat_items.contact_id = \(id)"
            case .group(let id): "chat_items.group_id = \(id)"
            case .notes(let id): "chat_items.note_folder_id = \(id)"
            }
        return "\(place) AND chat_items.shared_msg_id = \(sharedID) AND +chat_items.user_id = \(user)"
    }

    /// The table of chats of this kind.
    var table: Query {
        switch self {
        case .contact: "contacts"
        case .group: "groups"
        case .notes: "note_folders"
        }
    }

    /// The condition that a row of that table is this chat of a profile.
    func isRow(of user: UserID) -> Query {
        switch self {
        case .contact(let id): "contact_id = \(id) AND user_id = \(user) AND is_user = 0"
        case .group(let id): "group_id = \(id) AND user_id = \(user)"
        case .notes(let id): "note_folder_id = \(id) AND user_id = \(user)"
        }
    }

    var contactID: ContactID? { if case .contact(let id) = self { id } else { nil } }
    var groupID: GroupID? { if case .group(let id) = self { id } else { nil } }
    var noteFolderID: NoteFolderID? { if case .notes(let id) = self { id } else { nil } }
}

/// The unread items of a profile: new items in chats that are not muted, of contacts that are not deleted. In a group
/// with notifications for mentions only, only mentions count. Rule: docs/domain.md, "Profiles", Receipts and
/// notifications.
///
/// The condition has two parts. For each of them an index has the unread items.
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
