public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Changes to the list of chats itself. Rule: docs/domain.md, "The list of chats".
public struct ChatListWriter: Writer {
    package typealias Failure = ChatsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Marks a chat unread by hand, or takes that back; its items stay as they are, and so does its place. Throws
    /// `chatNotFound`.
    public func setUnread(_ chat: ChatID, _ isUnread: Bool, of user: UserID) throws(ChatsError) {
        try change("unread_chat = \(isUnread)", of: chat, of: user)
    }

    /// Sets columns that chats of every kind have, or those of this kind.
    func change(_ columns: Query, of chat: ChatID, of user: UserID) throws(ChatsError) {
        let changed = try run(
            "UPDATE \(chat.table) SET \(columns), updated_at = \(now) WHERE \(chat.isRow(of: user))")
        if changed == 0 { throw .chatNotFound(chat) }
    }
}

/// The settings of a chat that differ from those of its profile. Rule: docs/domain.md, "Settings and tags".
extension ChatListWriter {
    /// Sets the notifications of a chat: all, none (the chat is muted), or for mentions only in a group. What is unread
    /// of the profile follows. Throws `chatNotFound`, and `noSuchChatSetting` for mentions of a contact, and for notes.
    public func setNotifications(
        _ notifications: ChatNotifications, of chat: ChatID, of user: UserID
    ) throws(ChatsError) {
        if notifications == .mentions, chat.groupID == nil { throw .noSuchChatSetting(chat) }
        try set("enable_ntfs = \(notifications.rawValue)", of: chat, of: user)
    }

    /// Sets whether delivery receipts are sent in a chat; nil for the setting of the profile. Throws `chatNotFound`,
    /// and `noSuchChatSetting` for notes.
    public func setReceipts(_ areSent: Bool?, of chat: ChatID, of user: UserID) throws(ChatsError) {
        try set("send_rcpts = \(areSent)", of: chat, of: user)
    }

    /// Sets after how many seconds the messages of a chat are removed; 0 keeps them, and nil is the setting of the
    /// profile. The call itself removes nothing. Throws `chatNotFound`, `invalidTTL` for less than 0, and
    /// `noSuchChatSetting` for notes.
    public func setTimeToLive(_ seconds: Int64?, of chat: ChatID, of user: UserID) throws(ChatsError) {
        if let seconds, seconds < 0 { throw .invalidTTL(seconds) }
        try set("chat_item_ttl = \(seconds)", of: chat, of: user)
    }

    /// Marks a chat a favourite, or no longer. Throws `chatNotFound`.
    public func setFavourite(_ chat: ChatID, _ isFavourite: Bool, of user: UserID) throws(ChatsError) {
        try change("favorite = \(isFavourite)", of: chat, of: user)
    }

    /// Sets the colours of a chat, one JSON object that is kept unchanged; nil for those of the profile. Throws
    /// `chatNotFound`, `invalidThemes`, and `noSuchChatSetting` for notes.
    public func setThemes(_ given: String?, of chat: ChatID, of user: UserID) throws(ChatsError) {
        let themes: String?
        do throws(DocumentProblem) {
            themes = try DocumentRule.checked(given)
        } catch {
            throw .invalidThemes(error)
        }
        try set("ui_themes = \(themes)", of: chat, of: user)
    }

    private func set(_ columns: Query, of chat: ChatID, of user: UserID) throws(ChatsError) {
        guard chat.hasSettings else { throw .noSuchChatSetting(chat) }
        try change(columns, of: chat, of: user)
    }
}

/// The notifications of a chat.
public enum ChatNotifications: Int64, Sendable, Hashable, CaseIterable {
    /// No notifications: the chat is muted.
    case none = 0
    /// All notifications.
    case all = 1
    /// Notifications for mentions of the profile only. Only groups have mentions.
    case mentions = 2
}

/// The settings of a chat. Rule: docs/domain.md, "Settings and tags".
public struct ChatSettings: Sendable, Hashable {
    /// Its notifications.
    public let notifications: ChatNotifications
    /// Whether delivery receipts are sent in it; nil for the setting of the profile.
    public let sendsReceipts: Bool?
    /// After how many seconds its messages are removed; 0 keeps them, and nil is the setting of the profile.
    public let timeToLive: Int64?
    /// Whether it is a favourite.
    public let isFavourite: Bool
}

extension ChatListRepo {
    /// The settings of a chat. Notes are never muted, and have neither receipts nor a time to live. Throws
    /// `chatNotFound`.
    public func settings(of chat: ChatID, of user: UserID) throws(ChatsError) -> ChatSettings {
        let columns: Query = chat.hasSettings ? "enable_ntfs, send_rcpts, chat_item_ttl" : Self.noSettings
        let settings: ChatSettings? = try first(
            "SELECT \(columns), favorite FROM \(chat.table) WHERE \(chat.isRow(of: user))")
        guard let settings else { throw .chatNotFound(chat) }
        return settings
    }

    /// The colours of a chat, a JSON document; nil for those of the profile, and for notes. Throws `chatNotFound`.
    public func themes(of chat: ChatID, of user: UserID) throws(ChatsError) -> String? {
        let column: Query = chat.hasSettings ? "ui_themes" : "NULL AS ui_themes"
        let themes: Themes? = try first("SELECT \(column) FROM \(chat.table) WHERE \(chat.isRow(of: user))")
        guard let themes else { throw .chatNotFound(chat) }
        return themes.text
    }

    private static let noSettings: Query = "NULL AS enable_ntfs, NULL AS send_rcpts, NULL AS chat_item_ttl"
}

extension ChatID {
    /// Whether this kind of chat has settings that differ from those of its profile.
    var hasSettings: Bool { noteFolderID == nil }
}

extension ChatSettings: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        let stored: Int64? = try row.get("enable_ntfs")
        try self.init(
            notifications: stored.flatMap(ChatNotifications.init) ?? .all, sendsReceipts: row.get("send_rcpts"),
            timeToLive: row.get("chat_item_ttl"), isFavourite: row.get("favorite"))
    }
}
