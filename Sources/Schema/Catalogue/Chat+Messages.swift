extension Catalogue {
    /// Messages as they went over connections.
    static let chatMessages: [CatalogueTable] = [
        CatalogueTable(
            "messages", "A message as it was sent or received, before it became a chat item.",
            [
                .public("message_id", "the message's number"),
                .public("user_id", "the profile whose message it is"),
                .public("msg_sent", "1 sent, 0 received"),
                .public("chat_msg_event", "what kind of event it is, such as x.msg.new"),
                .personal("msg_body", "the message: a JSON document"),
                .public("connection_id", "the connection it came by, or NULL"),
                .public("group_id", "the group it was for, or NULL"),
                .personal("shared_msg_id", "random id by which both sides know it"),
                .public("author_group_member_id", "the member who wrote it, or NULL"),
                .public("forwarded_by_group_member_id", "the member or relay that passed it on, or NULL"),
                .personal("broker_ts", "when the server took it, UTC"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "msg_deliveries", "A message on one connection.",
            [
                .public("msg_delivery_id", "the delivery's number"),
                .public("message_id", "the message"),
                .public("connection_id", "the connection"),
                .public("agent_msg_id", "the agent's number of the message on that connection"),
                .public("delivery_status", "how far it has come"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
