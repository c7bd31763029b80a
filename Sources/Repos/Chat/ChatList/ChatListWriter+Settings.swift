import ChatDBEngine
public import ChatDBSchema

/// What a chat says otherwise than its profile. Rule: docs/domain.md, "Settings and tags".
extension ChatListWriter {
    /// Says of what a chat tells: of everything, of nothing (it is muted), or in a group of mentions only. What is unread
    /// of the profile follows. Throws `chatNotFound`, and `noSuchChatSetting` for mentions of a contact, and for notes.
    public func setNotifications(
        _ notifications: ChatNotifications, of chat: ChatID, of user: UserID
    ) throws(ChatsError) {
        if notifications == .mentions, chat.groupID == nil { throw .noSuchChatSetting(chat) }
        try set("enable_ntfs = \(notifications.rawValue)", of: chat, of: user)
    }

    /// Says whether delivery receipts are sent in a chat; nil for what the profile says. Throws `chatNotFound`, and
    /// `noSuchChatSetting` for notes.
    public func setReceipts(_ areSent: Bool?, of chat: ChatID, of user: UserID) throws(ChatsError) {
        try set("send_rcpts = \(areSent)", of: chat, of: user)
    }

    /// Says after how many seconds the messages of a chat are removed; 0 keeps them, and nil is what the profile says.
    /// Nothing is removed by this. Throws `chatNotFound`, `invalidTTL` for less than 0, and `noSuchChatSetting` for notes.
    public func setTimeToLive(_ seconds: Int64?, of chat: ChatID, of user: UserID) throws(ChatsError) {
        if let seconds, seconds < 0 { throw .invalidTTL(seconds) }
        try set("chat_item_ttl = \(seconds)", of: chat, of: user)
    }

    /// Marks a chat a favourite, or no longer. Throws `chatNotFound`.
    public func setFavourite(_ chat: ChatID, _ isFavourite: Bool, of user: UserID) throws(ChatsError) {
        try change("favorite = \(isFavourite)", of: chat, of: user)
    }

    private func set(_ columns: Query, of chat: ChatID, of user: UserID) throws(ChatsError) {
        guard chat.hasSettings else { throw .noSuchChatSetting(chat) }
        try change(columns, of: chat, of: user)
    }
}
