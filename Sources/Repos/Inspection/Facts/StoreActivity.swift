public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// When messages were last received and sent, from public columns only. Hidden profiles do not count.
public struct ChatActivity: Sendable, Hashable {
    /// When the last message was received. It is nil if no searched entry is a received message with a time that can be
    /// read.
    public let lastReceived: StoredTime?
    /// When the last message was sent. It is nil in the same cases as ``lastReceived``.
    public let lastSent: StoredTime?
    /// Whether the chats have more entries than those that are searched.
    public let hasOlder: Bool
    /// The number of searched entries whose time cannot be read.
    public let unreadable: Int

    /// The number of entries of chats that are searched, the newest first. A store may have millions, and no index
    /// separates received messages from sent ones.
    public static let searched = 1000

    /// Reads a chat database of any version, as this build sees it.
    public init(of chat: any ReadTransaction) throws(StoreError) {
        let rows = try chat.rows(
            """
            SELECT item_sent, \(Self.time("created_at", in: chat.dialect)) AS at,
                CASE WHEN user_id IN (SELECT user_id FROM users WHERE view_pwd_hash IS NOT NULL) THEN 1 ELSE 0 END
                    AS is_hidden
            FROM chat_items ORDER BY chat_item_id DESC LIMIT \(number: Self.searched + 1)
            """)
        var last: [Int64: StoredTime] = [:]
        var unreadable = 0
        for row in rows.prefix(Self.searched) {
            if try row.get("is_hidden") as Bool { continue }
            guard let isSent = try? row.get("item_sent") as Int64, let text = try? row.get("at") as String,
                let time = StoredTime(text: text)
            else {
                unreadable += 1
                continue
            }
            last[isSent] = max(last[isSent] ?? time, time)
        }
        (lastReceived, lastSent) = (last[0], last[1])
        hasOlder = rows.count > Self.searched
        self.unreadable = unreadable
    }

    /// The beginning of a text that may be a time. NULL for another value.
    fileprivate static func time(_ column: Query, in dialect: Dialect) -> Query {
        let beginning: Query = "substr(\(column), 1, 40)"
        return dialect.typeName.map { "CASE \($0(column)) WHEN 'text' THEN \(beginning) END" } ?? beginning
    }
}

/// The messages of the agent that wait to be sent to a server, without those that were given up, and without those of
/// deleted connections.
public struct AgentActivity: Sendable, Hashable {
    /// The number of messages that wait. A message that waits for two queues counts once.
    public let waiting: Int
    /// When the oldest waiting message was written. It is nil if no message waits, or if no such time can be read.
    public let oldestWaiting: StoredTime?

    /// The number of times that are searched for one that can be read, the oldest first.
    private static let searched = 1000

    /// Reads an agent database of any version, chatdb's or SimpleX Chat's: these columns are the same in all.
    public init(of agent: any ReadTransaction) throws(StoreError) {
        let messages = WaitingMessages.rows(in: agent.dialect)
        waiting = try agent.count("SELECT count(*) FROM \(messages)")
        let time = ChatActivity.time("internal_ts", in: agent.dialect)
        let times = try agent.rows(
            """
            SELECT DISTINCT \(time) AS at FROM \(agent.dialect.ofFile("messages"))
            WHERE (conn_id, internal_id) IN (SELECT conn_id, internal_id FROM \(messages)) AND \(time) IS NOT NULL
            ORDER BY at LIMIT \(number: Self.searched)
            """)
        oldestWaiting =
            times.lazy.compactMap { row in
                (try? row.get("at") as String).flatMap(StoredTime.init(text:))
            }.first
    }
}
