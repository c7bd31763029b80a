import ChatDBEngine

/// The messages of the agent that wait to be sent to a server. Those that were given up do not wait, and neither do
/// those of connections that are being deleted.
enum WaitingMessages {
    /// A row of `waiting` for each message, with `conn_id`, `internal_id`, and in `delivery` the number of its first
    /// delivery. A message has several deliveries while its connection changes queues. The columns are the same in
    /// every agent database, chatdb's or SimpleX Chat's.
    static func rows(in dialect: Dialect) -> Query {
        """
        (SELECT snd_message_deliveries.conn_id, internal_id, min(snd_message_delivery_id) AS delivery
        FROM \(dialect.ofFile("snd_message_deliveries"))
        JOIN \(dialect.ofFile("connections")) ON connections.conn_id = snd_message_deliveries.conn_id
        WHERE coalesce(connections.deleted, 0) = 0 AND coalesce(failed, 0) = 0
        GROUP BY snd_message_deliveries.conn_id, internal_id) AS waiting
        """
    }
}
