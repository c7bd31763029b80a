/// A label that a profile puts on its chats. Rule: docs/domain.md, "Settings and tags".
public struct ChatTag: Sendable, Hashable {
    /// Its number.
    public let id: ChatTagID
    /// The profile it belongs to.
    public let userID: UserID
    /// Its text.
    public let text: String
    /// Its picture, one character; nil for none.
    public let emoji: String?
    /// Its place in the list, from 0.
    public let order: Int64
    /// How many contacts, without soft-deleted ones, and groups have it.
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
    /// Its number.
    public let id: NoteFolderID
    /// The profile whose notes they are.
    public let userID: UserID
    /// The time of the last note; the chat list is sorted by it.
    public let chatTime: StoredTime
    /// Whether it is marked a favourite.
    public let isFavourite: Bool
    /// Whether it is marked unread by hand.
    public let isUnread: Bool

    package init(id: NoteFolderID, userID: UserID, chatTime: StoredTime, isFavourite: Bool, isUnread: Bool) {
        self.id = id
        self.userID = userID
        self.chatTime = chatTime
        self.isFavourite = isFavourite
        self.isUnread = isUnread
    }
}
