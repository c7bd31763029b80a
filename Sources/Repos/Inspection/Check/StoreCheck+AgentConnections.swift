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
            try checked.transaction(.agent).forEach(
                """
                SELECT place, CAST(ratchet_sync_state AS TEXT) AS state
                FROM \(checked.numbered("connections", in: .agent)) AS connections
                WHERE \(isUsed) AND ratchet_sync_state IS NOT NULL AND CAST(ratchet_sync_state AS TEXT) <> 'ok'
                ORDER BY place
                """
            ) { row in
                let state: String = try row.get("state")
                let known = ["allowed", "required", "started", "agreed"].contains(state)
                found.add("\(try row.get("place") as Int64) (\(known ? state : "another state"))")
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
                try checked.transaction(.agent).forEach(
                    """
                    SELECT queue.place, CAST(queue.status AS TEXT) = 'disabled' AS is_disabled
                    FROM \(checked.numbered(table, in: .agent)) AS queue
                    JOIN main.connections ON connections.conn_id = queue.conn_id
                    WHERE \(isUsed) AND \(isGone("queue")) AND NOT EXISTS (
                        SELECT 1 FROM main.\(identifier: table) AS other
                        WHERE other.conn_id = queue.conn_id AND NOT \(isGone("other")))
                    ORDER BY queue.place
                    """
                ) { row in
                    let state = try row.get("is_disabled") as Bool ? "disabled" : "deleted"
                    found.add("\(table) \(try row.get("place") as Int64) (\(state))")
                }
            }
        },
        StoreCheck(
            "undeliveredMessage", .warning, "messages that wait to be sent to a server", in: [.agent],
            isGeneral: true
        ) { checked, found in
            let agent = try checked.transaction(.agent)
            let deliveries: Query = "SELECT snd_message_delivery_id FROM \(AgentActivity.waiting)"
            try found.add(deliveries + " ORDER BY snd_message_delivery_id", in: agent)
            if found.count == 0 { return }
            if let oldest = try AgentActivity(of: agent).oldestWaiting {
                found.detail = "the oldest waits since \(oldest.text.prefix(10))"
            }
        },
    ]

    private static let isUsed: Query = "coalesce(connections.deleted, 0) = 0"
}
