extension CatalogueTable {
    /// What the agent databases of SimpleX Chat have since 2026-04-11 and this build has not: whole tables, and columns
    /// of tables that this build has too. `Catalogue` says which of two descriptions counts.
    static let simplexAgent: [CatalogueTable] = [
        CatalogueTable(
            "connections", "A connection to one contact, member or address.",
            [.personal("service_request_expires_at", "until when the request to a service is valid, UTC, or NULL")]),
        CatalogueTable(
            "conn_invitations", "A request to connect.",
            [.public("service_request", "1 when the request goes to a service")]),
        CatalogueTable(
            "rcv_queues", "A queue to receive from.",
            [.public("rcv_service_assoc", "1 when the server delivers its messages over the client's service")]),
        CatalogueTable(
            "ratchets", "The ratchet of a connection.",
            [
                .secret("rc_verify_code_ad", "the keys that the security code is computed from"),
                .secret("rc_verify_code_pq", "the post-quantum part of them, or NULL"),
            ]),
        CatalogueTable(
            "client_services", "The certificate by which a server knows this client, for each profile and server.",
            [
                .public("user_id", "the profile"),
                .personal("host", "the server, with the port"),
                .personal("port", "the server's port as text"),
                .personal("server_key_hash", "hash of the server's identity key, when it is not that of servers"),
                .secret("service_cert", "the certificate of this client"),
                .secret("service_cert_hash", "hash of the certificate"),
                .secret("service_priv_key", "the private key of the certificate"),
                .secret("service_id", "the id that the server gave this client, or NULL"),
                .public("service_queue_count", "how many queues the server delivers over it"),
                .secret("service_queue_ids_hash", "hash of the ids of these queues"),
            ]),
        CatalogueTable(
            "address_ratchet_keys", "The keys of an address, from which the ratchets of its requests are made.",
            [
                .public("address_ratchet_key_id", "the row's number"),
                .personal("conn_id", "the connection of the address"),
                .personal("ratchet_key_id", "the id of the keys, as the address names them"),
                .secret("x3dh_priv_key_1", "the first private key"),
                .secret("x3dh_priv_key_2", "the second private key"),
                .secret("pq_priv_kem", "the post-quantum private key, or NULL"),
                .public("created_at", "when the row was made, UTC"),
            ]),
    ]
}
