extension Catalogue {
    /// What the chat database knows of the agent's connections.
    static let chatConnections: [CatalogueTable] = [
        CatalogueTable(
            "connections", "A connection of the agent and the one thing it is for, if that is known yet.",
            [
                .public("connection_id", "the connection's number"),
                .public("user_id", "the profile whose connection it is"),
                .personal("agent_conn_id", "the agent's id of it; connections.conn_id of the agent database"),
                .public("conn_status", "how far it has come"),
                .public("conn_type", "contact, member, user_contact, snd_file or rcv_file"),
                .public("contact_id", "the contact it leads to, or NULL"),
                .public("group_member_id", "the member it leads to, or NULL"),
                .public("user_contact_link_id", "the profile's link it listens at, or NULL"),
                .public("via_user_contact_link", "the profile's link by which it came, or NULL"),
                .public("custom_user_profile_id", "the random profile used with it, or NULL"),
                .personal("conn_req_inv", "the one-time invitation it was made from or for"),
                .personal("local_alias", "name given to it while nobody has answered, may be empty"),
                .public("to_subscribe", "1 when the agent has yet to subscribe to it"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("snd_file_id", "the file sent over it, or NULL"),
                .public("rcv_file_id", "the file received over it, or NULL"),
            ])
    ]
}
