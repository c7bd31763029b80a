extension Catalogue {
    /// Connections, how they come about, and the work that is open for them.
    static let agentConnections: [CatalogueTable] = [
        CatalogueTable(
            "connections", "A connection to one contact, member or address, over one queue or more each way.",
            [
                .personal("conn_id", "the connection's id; connections.agent_conn_id of the chat database"),
                .public("user_id", "the profile it belongs to"),
                .public("conn_mode", "whether it was made by an invitation for one or is an address for many"),
                .public("last_internal_msg_id", "number of the last message in either direction"),
                .public("last_internal_rcv_msg_id", "number of the last message received"),
                .public("last_internal_snd_msg_id", "number of the last message sent"),
                .public("last_external_snd_msg_id", "the number the other side gave to its last message"),
                .secret("last_rcv_msg_hash", "hash of the last message received; the next one must name it"),
                .secret("last_snd_msg_hash", "hash of the last message sent; the next one names it"),
                .public("enable_ntfs", "1 when its messages may raise a notification"),
                .public("deleted", "1 while its queues are being deleted at their servers"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("ratchet_sync_state", "whether both ratchets agree (ok), or how far their renewal is"),
            ]),
        CatalogueTable(
            "conn_confirmations", "The other side's answer to an invitation, until the connection is complete.",
            [
                .personal("confirmation_id", "the answer's id"),
                .personal("conn_id", "the connection it is for"),
                .secret("e2e_snd_pub_key", "the other side's public key for the queue's encryption"),
                .secret("sender_key", "the key by which the server will know the sender"),
                .secret("ratchet_state", "the ratchet made from the answer"),
                .secret("sender_conn_info", "what the other side says of itself: an encoded message"),
                .public("accepted", "1 once this side has accepted"),
                .secret("own_conn_info", "what this side says of itself: an encoded message"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "conn_invitations", "Somebody's request to connect, received through one of the profile's addresses.",
            [
                .personal("invitation_id", "the request's id"),
                .personal("contact_conn_id", "the connection of the address it came through"),
                .secret("cr_invitation", "the invitation to answer, with its queues and keys"),
                .secret("recipient_conn_info", "what the requester says of themselves: an encoded message"),
                .public("accepted", "1 once this side has accepted"),
                .secret("own_conn_info", "what this side says of itself: an encoded message"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "commands", "An act on a connection that a server has not completed yet; survives a restart.",
            [
                .public("command_id", "the command's number; in this order a server's commands are done"),
                .personal("conn_id", "the connection it is for"),
                .personal("host", "the server it is done at, with the port; NULL when it needs none"),
                .personal("port", "the server's port as text; NULL when it needs none"),
                .personal("corr_id", "the id under which the app waits for the outcome"),
                .public("command_tag", "what kind of command it is"),
                .secret("command", "the command itself, encoded, with its keys"),
                .public("failed", "1 when it will not be tried again"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
