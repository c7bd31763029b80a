public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// When messages were last received and sent, and which wait to be sent. From public columns only.
public struct StoreTimeline: Sendable, Hashable {
    /// When the last message was received and stored; nil if there is none among the last ``looked`` entries of chats,
    /// or if its time cannot be read. Hidden profiles do not count.
    public private(set) var lastReceived: StoredTime?
    /// When the last message was sent; nil as for ``lastReceived``.
    public private(set) var lastSent: StoredTime?
    /// The number of messages that wait to be sent to a server, without those that were given up.
    public private(set) var waiting = 0
    /// When the oldest of them was written; nil if there is none, or if its time cannot be read.
    public private(set) var oldestWaiting: StoredTime?

    /// The number of entries of chats that are searched, the newest: a store may have millions.
    public static let looked = 10_000

    /// Reads both databases, as this build sees them; what is in a missing one stays nil.
    public init(chat: (any ReadTransaction)?, agent: (any ReadTransaction)?) throws(StoreError) {
        if let chat { try readItems(chat) }
        if let agent { try readDeliveries(agent) }
    }

    private mutating func readItems(_ chat: any ReadTransaction) throws(StoreError) {
        let rows = try chat.rows(
            """
            SELECT item_sent, max(created_at) AS last
            FROM (SELECT item_sent, created_at, user_id FROM chat_items ORDER BY chat_item_id DESC LIMIT \(Self.looked))
            WHERE user_id NOT IN (SELECT user_id FROM users WHERE view_pwd_hash IS NOT NULL) GROUP BY item_sent
            """)
        for row in rows {
            let time = try? row.optionalTime("last")
            if try row.get("item_sent") { lastSent = time } else { lastReceived = time }
        }
    }

    private mutating func readDeliveries(_ agent: any ReadTransaction) throws(StoreError) {
        let row = try agent.first(
            """
            SELECT count(*) AS waiting, min(messages.created_at) AS oldest
            FROM (SELECT DISTINCT conn_id, internal_id FROM snd_message_deliveries WHERE failed = 0)
                JOIN messages USING (conn_id, internal_id)
            """)
        waiting = Int(try row?.get("waiting") ?? 0 as Int64)
        oldestWaiting = try? row?.optionalTime("oldest")
    }
}
