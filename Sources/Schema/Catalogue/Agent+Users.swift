extension Catalogue {
    /// Profiles as the network side knows them, and the servers of all of them.
    static let agentUsers: [CatalogueTable] = [
        CatalogueTable(
            "users", "A profile: to the agent database, no more than a number.",
            [
                .public("user_id", "the profile's number, never given twice; users.agent_user_id of the chat database"),
                .public("deleted", "1 while the profile's connections are being deleted at their servers"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "servers", "A message server (SMP) with queues or work for any of the profiles.",
            [
                .personal("host", "host name, or several separated by commas, as in the server's address"),
                .personal("port", "port as text"),
                .personal("key_hash", "hash of the server's identity key, base64url with padding"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
