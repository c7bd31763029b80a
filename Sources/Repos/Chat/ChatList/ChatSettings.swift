package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Of what a chat tells.
public enum ChatNotifications: Int64, Sendable, Hashable, CaseIterable {
    /// Of nothing: the chat is muted.
    case none = 0
    /// Of everything.
    case all = 1
    /// Of what mentions the profile. Only groups have mentions.
    case mentions = 2
}

/// What a chat has set for itself. Rule: docs/domain.md, "Settings and tags".
public struct ChatSettings: Sendable, Hashable {
    /// Of what it tells.
    public let notifications: ChatNotifications
    /// Whether delivery receipts are sent in it; nil for what the profile says.
    public let sendsReceipts: Bool?
    /// After how many seconds its messages are removed; 0 keeps them, and nil is what the profile says.
    public let timeToLive: Int64?
    /// Whether it is a favourite.
    public let isFavourite: Bool
}

extension ChatListRepo {
    /// What a chat has set for itself. Notes are never muted, and have neither receipts nor a time to live. Throws
    /// `chatNotFound`.
    public func settings(of chat: ChatID, of user: UserID) throws(ChatsError) -> ChatSettings {
        let columns: Query = chat.hasSettings ? "enable_ntfs, send_rcpts, chat_item_ttl" : Self.noSettings
        let settings: ChatSettings? = try first(
            "SELECT \(columns), favorite FROM \(chat.table) WHERE \(chat.isRow(of: user))")
        guard let settings else { throw .chatNotFound(chat) }
        return settings
    }

    private static let noSettings: Query = "NULL AS enable_ntfs, NULL AS send_rcpts, NULL AS chat_item_ttl"
}

extension ChatID {
    /// Whether it can say otherwise than the profile does.
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
