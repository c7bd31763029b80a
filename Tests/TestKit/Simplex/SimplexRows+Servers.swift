/// Two operators, one of them off; servers of alice and work; relays of both.
extension SimplexRows {
    static let serverKey = "0YuTwO05YJWS8rkjn9eLJDjQhFKvIYd8d4xG8X1blIU="
    static let relayKey = "Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
    static let otherKey = "_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ"

    var servers: [Row] {
        [
            Row(
                "server_operators",
                [
                    "server_operator_id": "1", "server_operator_tag": "'simplex'", "trade_name": "'SimpleX Chat'",
                    "server_domains": "'simplex.im'",
                ]),
            Row(
                "server_operators",
                [
                    "server_operator_id": "2", "server_operator_tag": "'flux'", "trade_name": "'Flux'",
                    "server_domains": "'simplexonflux.com'", "enabled": "0", "xftp_role_proxy": "0",
                ]),
            Row("server_operators", ["server_operator_id": "3", "trade_name": "'Nobody'", "server_domains": "NULL"]),
            Row(
                "usage_conditions",
                ["usage_conditions_id": "1", "conditions_commit": "'abc'", "created_at": "'2026-01-01 00:00:00'"]),
            Row(
                "operator_usage_conditions",
                [
                    "operator_usage_conditions_id": "1", "server_operator_id": "1",
                    "server_operator_tag": "'simplex'", "conditions_commit": "'abc'", "accepted_at": Self.time,
                    "auto_accepted": "NULL",
                ]),
            server(
                1, "smp", "smp8.simplex.im,beccx4yfxxbvyhqypaavemqurytl6hozr47wfc7uuecacjqdvwpw2xid.onion", preset: true
            ),
            server(2, "smp", "my.example.org", port: "7001", password: "'secret'"),
            server(3, "smp", "smp1.simplexonflux.com", preset: true),
            server(4, "xftp", "xftp1.simplex.im", preset: true),
            server(5, "smp", "work.example.org", user: 2),
        ]
    }

    private func server(
        _ id: Int, _ kind: String, _ host: String, port: String = "", password: String = "NULL", preset: Bool = false,
        user: Int = 1
    ) -> Row {
        Row(
            "protocol_servers",
            [
                "smp_server_id": "\(id)", "host": "'\(host)'", "port": "'\(port)'",
                "key_hash": Self.bytes(Self.serverKey), "basic_auth": password,
                "preset": preset ? "1" : "0", "tested": id == 2 ? "1" : "NULL", "user_id": "\(user)",
                "protocol": "'\(kind)'", "role_proxy": id == 2 ? "0" : "NULL",
            ])
    }

    /// 1 a preset, 2 alice's own, 3 the same relay with another text of the address, soft-deleted, 4 work's, 5 of the
    /// operator that is off, 6 with an invalid address.
    var relays: [Row] {
        [
            relay(1, "https://smp5.simplex.im/r#\(Self.otherKey)", "SimpleX 5", domains: "simplex.im", preset: true),
            relay(2, "https://relay.example.org/r#\(Self.relayKey)", "mine", tested: "1"),
            relay(3, "simplex:/r#\(Self.relayKey)?h=RELAY.example.org", "mine before", deleted: true),
            relay(4, "https://relay.example.org/r#\(Self.relayKey)", "shared", user: 2),
            relay(5, "https://r.simplexonflux.com/r#\(Self.otherKey)", "Flux 1", domains: "x.org,simplexonflux.com"),
            relay(6, "not a link", "odd", enabled: false),
        ]
    }

    private func relay(
        _ id: Int, _ address: String, _ name: String, domains: String = "", preset: Bool = false,
        tested: String = "NULL", enabled: Bool = true, deleted: Bool = false, user: Int = 1
    ) -> Row {
        Row(
            "chat_relays",
            [
                "chat_relay_id": "\(id)", "address": Self.bytes(address), "display_name": "'\(name)'",
                "full_name": "'Relay \(id)'", "domains": "'\(domains)'", "preset": preset ? "1" : "0",
                "tested": tested, "enabled": enabled ? "1" : "0", "user_id": "\(user)",
                "deleted": deleted ? "1" : "0", "created_at": Self.time, "updated_at": Self.time,
            ])
    }
}
