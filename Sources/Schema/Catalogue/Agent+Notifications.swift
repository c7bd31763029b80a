extension Catalogue {
    /// Push notifications: the servers that send them, this device's tokens there, and the connections they watch.
    static let agentNotifications: [CatalogueTable] = [
        CatalogueTable(
            "ntf_servers", "A notification server.",
            [
                .personal("ntf_host", "host name, or several separated by commas, as in the server's address"),
                .personal("ntf_port", "port as text"),
                .personal("ntf_key_hash", "hash of the server's identity key, base64url with padding"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "ntf_tokens", "This device's registration with a notification server, for all profiles.",
            [
                .public("provider", "the push service"),
                .secret("device_token", "the device's address at the push service"),
                .personal("ntf_host", "the notification server, with the port"),
                .personal("ntf_port", "the notification server's port as text"),
                .personal("tkn_id", "the registration's id at the server; NULL until registered"),
                .secret("tkn_pub_key", "public key of the registration"),
                .secret("tkn_priv_key", "private key, which authorizes commands to the server"),
                .secret("tkn_pub_dh_key", "public key for what the server sends"),
                .secret("tkn_priv_dh_key", "private key for what the server sends"),
                .secret("tkn_dh_secret", "the secret shared with the server; NULL until registered"),
                .public("tkn_status", "how far the registration is"),
                .public("tkn_action", "what is to be done next with it, or NULL"),
                .public("ntf_mode", "how notifications are delivered, or NULL when not chosen"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "ntf_subscriptions", "A connection watched by a notification server.",
            [
                .personal("conn_id", "the connection"),
                .personal("smp_host", "the message server with its queue; NULL when not known"),
                .personal("smp_port", "the message server's port as text"),
                .personal("smp_ntf_id", "the queue's notifier id; NULL until the message server gave one"),
                .personal("ntf_host", "the notification server, with the port"),
                .personal("ntf_port", "the notification server's port as text"),
                .personal("ntf_sub_id", "the subscription's id at the notification server; NULL until made"),
                .public("ntf_sub_status", "how far the subscription is"),
                .public("ntf_sub_action", "what is to be done next at the notification server, or NULL"),
                .public("ntf_sub_smp_action", "what is to be done next at the message server, or NULL"),
                .public("ntf_sub_action_ts", "when the next act is due, UTC, or NULL"),
                .public("ntf_failed", "1 when the act at the notification server will not be tried again"),
                .public("smp_failed", "1 when the act at the message server will not be tried again"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
