extension Catalogue {
    /// The state of end-to-end encryption, and what tells a broken ratchet from a repeated message.
    static let agentRatchets: [CatalogueTable] = [
        CatalogueTable(
            "ratchets", "The encryption state of a connection: before it is agreed the keys, afterwards the ratchet.",
            [
                .personal("conn_id", "the connection it encrypts"),
                .secret("x3dh_priv_key_1", "first private key of the agreement"),
                .secret("x3dh_priv_key_2", "second private key of the agreement"),
                .secret("ratchet_state", "the ratchet; NULL until it is agreed"),
                .public("e2e_version", "version of the encryption both sides use"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .secret("x3dh_pub_key_1", "first public key of the agreement, to send it again"),
                .secret("x3dh_pub_key_2", "second public key of the agreement, to send it again"),
            ]),
        CatalogueTable(
            "skipped_messages", "The key of a message that has not come yet although later ones have.",
            [
                .public("skipped_message_id", "the row's number"),
                .personal("conn_id", "the connection whose ratchet made the key"),
                .secret("header_key", "key of the message's header"),
                .public("msg_n", "the message's number in its chain"),
                .secret("msg_key", "key of the message"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "encrypted_rcv_message_hashes", "An encrypted message already received, known by its hash.",
            [
                .public("encrypted_rcv_message_hash_id", "the row's number"),
                .personal("conn_id", "the connection it came through"),
                .secret("hash", "hash of the encrypted message"),
                .public("created_at", "when the row was made, UTC; old rows are removed by it"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "processed_ratchet_key_hashes", "Keys that were already used to renew a ratchet, known by their hash.",
            [
                .public("processed_ratchet_key_hash_id", "the row's number"),
                .personal("conn_id", "the connection whose ratchet was renewed"),
                .secret("hash", "hash of the keys"),
                .public("created_at", "when the row was made, UTC; old rows are removed by it"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
