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
