/// The number of a tag for chats: `chat_tags.chat_tag_id`.
public typealias ChatTagID = RowID<ChatTag>

/// The number of a profile's notes to itself: `note_folders.note_folder_id`.
public typealias NoteFolderID = RowID<NoteFolder>

/// A label that a profile puts on its chats. Rule: docs/domain.md, "Settings and tags".
public struct ChatTag: Sendable, Hashable {
    /// The row's key, `chat_tags.chat_tag_id`.
    public let id: ChatTagID
    /// The profile it belongs to.
    public let userID: UserID
    /// Its text.
    public let text: String
    /// An emoji, one character; nil for none.
    public let emoji: String?
    /// Its place in the list, from 0.
    public let order: Int64
    /// The number of contacts, without soft-deleted ones, and groups that have it.
    public let chats: Int

    package init(id: ChatTagID, userID: UserID, text: String, emoji: String?, order: Int64, chats: Int) {
        self.id = id
        self.userID = userID
        self.text = text
        self.emoji = emoji
        self.order = order
        self.chats = chats
    }
}

/// A chat that can have tags.
public enum TaggedChat: Sendable, Hashable {
    /// The chat with a contact.
    case contact(ContactID)
    /// A group or a channel.
    case group(GroupID)
}

/// The notes a profile writes to itself: one chat. Rule: docs/domain.md, "Settings and tags".
public struct NoteFolder: Sendable, Hashable {
    /// The row's key, `note_folders.note_folder_id`.
    public let id: NoteFolderID
    /// The profile whose notes they are.
    public let userID: UserID
    /// The time of the last note; the chat list is sorted by it.
    public let chatTime: StoredTime
    /// Whether the user marked it a favourite.
    public let isFavourite: Bool
    /// Whether the user marked it unread.
    public let isUnread: Bool

    package init(id: NoteFolderID, userID: UserID, chatTime: StoredTime, isFavourite: Bool, isUnread: Bool) {
        self.id = id
        self.userID = userID
        self.chatTime = chatTime
        self.isFavourite = isFavourite
        self.isUnread = isUnread
    }
}

extension CatalogueTable {
    /// Tags for chats, and the notes of a profile.
    static let chatOrganisation: [CatalogueTable] = [
        CatalogueTable(
            "chat_tags", "A tag that a profile puts on chats.",
            [
                .public("chat_tag_id", "the tag's number"),
                .public("user_id", "the profile whose tag it is"),
                .personal("chat_tag_text", "the tag's text"),
                .personal("chat_tag_emoji", "the tag's picture, or NULL"),
                .public("tag_order", "position in the list of tags"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "chat_tags_chats", "A chat with a tag on it.",
            [
                .public("contact_id", "the contact whose chat it is, or NULL"),
                .public("group_id", "the group, or NULL"),
                .public("chat_tag_id", "the tag"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "note_folders", "The notes a profile writes to itself: one chat.",
            [
                .public("note_folder_id", "the folder's number"),
                .public("user_id", "the profile whose notes they are"),
                .personal("chat_ts", "time of the last note, UTC; the chat list is sorted by it"),
                .public("favorite", "1 when marked a favourite"),
                .public("unread_chat", "1 when marked unread by hand"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
