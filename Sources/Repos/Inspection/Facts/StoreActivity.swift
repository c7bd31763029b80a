public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// When messages were last received and sent, from public columns only. Hidden profiles do not count.
public struct ChatActivity: Sendable, Hashable {
    /// When the last message was received. It is nil if no searched entry is a received message, or if the time of the
    /// last one cannot be read.
    public let lastReceived: StoredTime?
    /// When the last message was sent. It is nil in the same cases as ``lastReceived``.
    public let lastSent: StoredTime?

    /// The number of entries of chats that are searched, the newest first. A store may have millions.
    public static let searched = 1000

    /// Reads a chat database of any version, as this build sees it.
    public init(of chat: any ReadTransaction) throws(StoreError) {
        let rows = try chat.rows(
            """
            SELECT item_sent, max(created_at) AS last
            FROM (SELECT item_sent, created_at, user_id FROM chat_items ORDER BY chat_item_id DESC LIMIT \(Self.searched))
            WHERE user_id NOT IN (SELECT user_id FROM users WHERE view_pwd_hash IS NOT NULL) GROUP BY item_sent
            """)
        func last(_ isSent: Int64) -> StoredTime? {
            let row = rows.first { (try? $0.get("item_sent")) == isSent }
            return (try? row?.optionalTime("last")) ?? nil
        }
        (lastReceived, lastSent) = (last(0), last(1))
    }
}

/// The messages of the agent that wait to be sent to a server, without those that were given up.
public struct AgentActivity: Sendable, Hashable {
    /// The number of messages that wait.
    public let waiting: Int
    /// When the oldest waiting message was written. It is nil if no message waits, or if that time cannot be read.
    public let oldestWaiting: StoredTime?

    /// Reads an agent database of any version, chatdb's or SimpleX Chat's: these columns are the same in all.
    public init(of agent: any ReadTransaction) throws(StoreError) {
        let row = try agent.first(
            """
            SELECT count(*) AS waiting, min(messages.internal_ts) AS oldest
            FROM (SELECT DISTINCT conn_id, internal_id FROM snd_message_deliveries WHERE failed = 0)
                JOIN messages USING (conn_id, internal_id)
            """)
        waiting = Int(try row?.get("waiting") ?? 0 as Int64)
        oldestWaiting = (try? row?.optionalTime("oldest")) ?? nil
    }
}
