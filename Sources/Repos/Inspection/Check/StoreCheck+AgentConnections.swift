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
            try found.addConnections(
                """
                SELECT CAST(conn_id AS BLOB) AS key_bytes, CAST(ratchet_sync_state AS TEXT) AS state
                FROM main.connections
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
            for table in ["rcv_queues", "snd_queues"] {
                // Only queues for sending lack the mark in stores of SimpleX Chat.
                let columns = try checked.structure(.agent).tables[table]?.columnNames ?? []
                let isGone: (Query) -> Query = { alias in
                    let isDisabled: Query = "CAST(\(alias).status AS TEXT) = 'disabled'"
                    return columns.contains("deleted") ? "(\(isDisabled) OR \(alias).deleted = 1)" : isDisabled
                }
                try found.addConnections(
                    """
                    SELECT CAST(queue.conn_id AS BLOB) AS key_bytes,
                        coalesce(CAST(queue.status AS TEXT) = 'disabled', 0) AS is_disabled
                    FROM main.\(identifier: table) AS queue
                    JOIN main.connections ON connections.conn_id = queue.conn_id
                    WHERE \(isUsed) AND \(isGone("queue")) AND NOT EXISTS (
                        SELECT 1 FROM main.\(identifier: table) AS other
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
        guard try agent.first("SELECT 1 FROM \(WaitingMessages.rows) LIMIT 1") != nil else { return }
        let time: Query = "CAST(messages.internal_ts AS TEXT)"
        // Another check reports a time that cannot be read.
        let isTime: Query = "datetime(substr(\(time), 1, 19)) = substr(\(time), 1, 19)"
        let last: String? = try agent.first(
            """
            SELECT datetime(min(max(substr(\(time), 1, 19)), datetime('now')), '-1 day') AS last
            FROM main.messages WHERE \(isTime)
            """
        )?.get("last")
        guard let last else { return }
        var oldest: String?
        try found.addConnections(
            """
            SELECT CAST(waiting.conn_id AS BLOB) AS key_bytes, delivery, min(substr(\(time), 1, 10)) OVER () AS oldest
            FROM \(WaitingMessages.rows) AS waiting JOIN main.messages
                ON messages.conn_id = waiting.conn_id AND messages.internal_id = waiting.internal_id
            WHERE \(isTime) AND \(time) < \(last) ORDER BY delivery
            """, checked
        ) { row, name in
            oldest = try row.get("oldest")
            return "delivery \(try row.get("delivery") as Int64) of \(name)"
        }
        if let oldest { found.detail = "the oldest waits since \(oldest)" }
    }
}
