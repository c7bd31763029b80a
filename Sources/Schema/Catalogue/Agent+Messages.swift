extension Catalogue {
    /// Messages on their way: received and not yet acknowledged, sent and not yet delivered.
    static let agentMessages: [CatalogueTable] = [
        CatalogueTable(
            "messages", "A message of a connection, in either direction.",
            [
                .personal("conn_id", "the connection it belongs to"),
                .public("internal_id", "its number in the connection, both directions together"),
                .personal("internal_ts", "when it was received or accepted for sending, UTC"),
                .public("msg_type", "what kind of message it is"),
                .public("msg_flags", "how it is treated on its way, for instance whether it notifies"),
                .secret("msg_body", "the body; empty when it is in snd_message_bodies"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "rcv_messages", "What only a received message has.",
            [
                .personal("conn_id", "the connection it came through"),
                .public("internal_rcv_id", "its number among the messages received"),
                .public("internal_id", "its number in the connection, both directions together"),
                .public("external_snd_id", "the number the sender gave it"),
                .personal("broker_id", "the id the server gave it"),
                .personal("broker_ts", "when the server received it, UTC"),
                .secret("internal_hash", "hash of the message"),
                .secret("external_prev_snd_hash", "hash of the message before it, as the sender says"),
                .public("integrity", "how it follows the one before: ok, or what is wrong"),
                .public("user_ack", "1 once the app has taken it, so that the server may forget it"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("rcv_queue_id", "number of the queue it came through, which may be gone since"),
                .public("receive_attempts", "how often it was handed to the app"),
            ]),
        CatalogueTable(
            "snd_messages", "What only a sent message has.",
            [
                .personal("conn_id", "the connection it is sent through"),
                .public("internal_snd_id", "its number among the messages sent, which the receiver sees"),
                .public("internal_id", "its number in the connection, both directions together"),
                .secret("internal_hash", "hash of the message"),
                .secret("previous_msg_hash", "hash of the message sent before it"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("snd_message_body_id", "its body, which other messages may share; NULL when it has its own"),
                .secret("msg_encrypt_key", "the key the body is encrypted with for this connection"),
                .public("padded_msg_len", "the length it is padded to, in bytes"),
            ]),
        CatalogueTable(
            "snd_message_deliveries", "A sent message in one of the queues it is still to go through.",
            [
                .public("snd_message_delivery_id", "the delivery's number; in this order a queue is worked off"),
                .personal("conn_id", "the connection of message and queue"),
                .public("snd_queue_id", "number of the queue within the connection"),
                .public("internal_id", "number of the message within the connection"),
                .public("failed", "1 when it will not be tried again"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "snd_message_bodies", "The body of one or more sent messages, stored once.",
            [
                .public("snd_message_body_id", "the body's number"),
                .secret("agent_msg", "the body, before it is encrypted for each connection"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
