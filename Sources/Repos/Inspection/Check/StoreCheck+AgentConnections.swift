import ChatDBEngine
import ChatDBSchema

/// The agent's side of connections that the app uses. Rule: docs/domain.md, "Agent database".
extension StoreCheck {
    static let ofAgentConnections = [
        StoreCheck(
            "ratchetOutOfSync", .warning, "connections whose encryption needs to be synchronized", in: [.agent],
            isGeneral: true
        ) { checked, found in
            try checked.require("connections", "ratchet_sync_state", in: .agent)
            let dialect = try checked.transaction(.agent).dialect
            try found.addConnections(
                """
                SELECT \(dialect.bytes("conn_id")) AS key_bytes, CAST(ratchet_sync_state AS TEXT) AS state
                FROM \(dialect.ofFile("connections"))
                WHERE \(isUsed) AND ratchet_sync_state IS NOT NULL AND CAST(ratchet_sync_state AS TEXT) <> 'ok'
                ORDER BY conn_id
                """, checked
            ) { row, name in
                let state: String = try row.get("state")
                let known = ["allowed", "required", "started", "agreed"].contains(state)
                return "\(name) (\(known ? state : "another state"))"
            }
        },
        StoreCheck(
            "disabledQueue", .warning,
            "disabled or deleted queues of connections that are in use and have no other queue",
            in: [.agent], isGeneral: true
        ) { checked, found in
            let dialect = try checked.transaction(.agent).dialect
            for table in ["rcv_queues", "snd_queues"] {
                // Only queues for sending lack the mark in stores of SimpleX Chat.
                let columns = try checked.structure(.agent).tables[table]?.columnNames ?? []
                let isGone: (Query) -> Query = { alias in
                    let isDisabled: Query = "CAST(\(alias).status AS TEXT) = 'disabled'"
                    return columns.contains("deleted") ? "(\(isDisabled) OR \(alias).deleted = 1)" : isDisabled
                }
                try found.addConnections(
                    """
                    SELECT \(dialect.bytes("queue.conn_id")) AS key_bytes,
                        CASE WHEN CAST(queue.status AS TEXT) = 'disabled' THEN 1 ELSE 0 END AS is_disabled
                    FROM \(dialect.ofFile(table)) AS queue
                    JOIN \(dialect.ofFile("connections")) ON connections.conn_id = queue.conn_id
                    WHERE \(isUsed) AND \(isGone("queue")) AND NOT EXISTS (
                        SELECT 1 FROM \(dialect.ofFile(table)) AS other
                        WHERE other.conn_id = queue.conn_id AND NOT \(isGone("other")))
                    ORDER BY queue.conn_id
                    """, checked
                ) { row, name in
                    "\(name) (\(table) \(try row.get("is_disabled") as Bool ? "disabled" : "deleted"))"
                }
            }
        },
        StoreCheck(
            "undeliveredMessage", .warning, "messages that have waited for more than a day to be sent to a server",
            in: [.agent], isGeneral: true, walk: undelivered),
    ]

    private static let isUsed: Query = "coalesce(connections.deleted, 0) = 0"

    /// Reports the messages that were written more than a day before the newest message of the agent. A store that was
    /// sent to somebody may be old, so the time of the check says nothing: a message that was the last of all waits
    /// because the app was closed.
    private static func undelivered(_ checked: CheckContext, _ found: inout FoundRows) throws {
        let agent = try checked.transaction(.agent)
        let dialect = agent.dialect
        let waiting = WaitingMessages.rows(in: dialect)
        guard try agent.first("SELECT 1 FROM \(waiting) LIMIT 1") != nil else { return }
        guard let newest = try newest(in: agent) else { return }
        let day: Int64 = 86_400_000_000
        let last = StoredTime(microseconds: min(newest, .now()).microseconds - day).text.prefix(19)
        let time = Self.time
        var oldest: String?
        try found.addConnections(
            """
            SELECT \(dialect.bytes("waiting.conn_id")) AS key_bytes, delivery,
                min(substr(\(time), 1, 10)) OVER () AS oldest
            FROM \(waiting) JOIN \(dialect.ofFile("messages"))
                ON messages.conn_id = waiting.conn_id AND messages.internal_id = waiting.internal_id
            WHERE \(isTime(dialect)) AND \(time) < \(String(last)) ORDER BY delivery
            """, checked
        ) { row, name in
            oldest = try row.get("oldest")
            return "delivery \(try row.get("delivery") as Int64) of \(name)"
        }
        if let oldest { found.detail = "the oldest waits since \(oldest)" }
    }

    private static let time: Query = "CAST(messages.internal_ts AS TEXT)"

    /// The condition that the time of a message can be read. Another check reports one that cannot.
    private static func isTime(_ dialect: Dialect) -> Query { dialect.isTime("substr(\(time), 1, 19)") }

    /// When the newest message was sent or received, to the second; nil if no time can be read.
    private static func newest(in agent: any ReadTransaction) throws(StoreError) -> StoredTime? {
        let messages = agent.dialect.ofFile("messages")
        // An index has the last text, which is the newest time if it is one.
        let last = try agent.first("SELECT max(internal_ts) AS newest FROM \(messages)")?.stored("newest")
        if case .text(let text)? = last, let time = StoredTime(text: String(text.prefix(19))) { return time }
        let newest: String? = try agent.first(
            "SELECT max(substr(\(time), 1, 19)) AS newest FROM \(messages) WHERE \(isTime(agent.dialect))"
        )?.get("newest")
        return newest.flatMap(StoredTime.init(text:))
    }
}
