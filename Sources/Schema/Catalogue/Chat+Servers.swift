extension Catalogue {
    /// Operators, the conditions of their use, and the servers of each profile.
    static let chatServers: [CatalogueTable] = [
        CatalogueTable(
            "server_operators", "Somebody who runs servers and relays; the same for all profiles.",
            [
                .public("server_operator_id", "the operator's number"),
                .public("server_operator_tag", "the name presets know it by; NULL for one the user added"),
                .personal("trade_name", "name as shown"),
                .personal("legal_name", "name of the company or person"),
                .personal("server_domains", "domains of its servers and relays, separated by commas"),
                .public("enabled", "0 switches its servers and relays off for every profile"),
                .public("smp_role_storage", "1 when its SMP servers may hold queues to receive from"),
                .public("smp_role_proxy", "1 when its SMP servers may forward what is sent"),
                .public("xftp_role_storage", "1 when its XFTP servers may hold files"),
                .public("xftp_role_proxy", "1 when its XFTP servers may forward what is sent"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("smp_role_names", "1 when its SMP servers may resolve names"),
            ]),
        CatalogueTable(
            "usage_conditions", "A version of the operators' conditions of use.",
            [
                .public("usage_conditions_id", "the row's number"),
                .public("conditions_commit", "the commit by which the text of this version is known"),
                .personal("notified_at", "when the user was told of this version, UTC; NULL if not yet"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "operator_usage_conditions", "The acceptance of a version of the conditions for one operator.",
            [
                .public("operator_usage_conditions_id", "the row's number"),
                .public("server_operator_id", "the operator; NULL when it is gone"),
                .public("server_operator_tag", "the operator's tag at that time"),
                .public("conditions_commit", "the version that was accepted"),
                .personal("accepted_at", "when it was accepted, UTC"),
                .public("auto_accepted", "1 when time ran out and nobody was asked"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "protocol_servers", "A server for messages (SMP) or files (XFTP) that a profile may use.",
            [
                .public("smp_server_id", "the server's number, whatever its protocol"),
                .public("user_id", "the profile whose server it is"),
                .personal("host", "host names separated by commas; the first is primary"),
                .personal("port", "port as text; empty for the protocol's own"),
                .personal("key_hash", "hash of the server's identity key, base64url with padding"),
                .secret("basic_auth", "password for making queues or files there; NULL for none"),
                .public("preset", "1 when it came with an operator's preset, 0 for the user's own"),
                .public("tested", "result of the last test: 1 passed, 0 failed, NULL untested"),
                .public("enabled", "0 when the profile has switched it off"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("protocol", "smp or xftp"),
                .public("role_storage", "1 or 0 for this server alone; NULL as its operator"),
                .public("role_proxy", "1 or 0 for this server alone; NULL as its operator"),
                .public("role_names", "1 or 0 for this server alone; NULL as its operator"),
            ]),
    ]
}
