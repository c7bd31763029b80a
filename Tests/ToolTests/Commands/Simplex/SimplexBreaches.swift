import Testing

/// Forbidden writes into a store of SimpleX Chat, each with its harm.
extension SimplexRulesTests {
    /// What a forbidden write does.
    enum Harm {
        /// SQLite refuses it already.
        case statement
        /// A version of the app does not start.
        case start
        /// A later version, with one more preset server or relay, does not start.
        case later(server: String?, relay: String?)
        /// A version of the app does not list an entry that it lists now.
        case dropped
        /// The app saves no change of its list any more.
        case unsaved
        /// A version of the app uses disabled servers.
        case fallback
        /// The start undoes it: this question then has the answer from before.
        case undone(String)
        /// Rows of another table are removed: this question then has another answer.
        case loss(String)
        /// The newest app uses servers with this host, and did not use them before.
        case used(String)
        /// The newest app lists the relay under this operator.
        case listed(String)
        /// No harm by a known version: the app offers no such change.
        case unknown
    }

    struct Breach: CustomTestStringConvertible {
        let rule: String
        /// The forbidden write, to the store and to chatdb's copy of the configuration.
        let sql: String
        let harm: Harm
        /// The code with which chatdb refuses the write.
        let code: String
        /// A command with the same wish and the code of its refusal; empty if no command has the wish.
        var command: [String] = []
        /// The code of the command's refusal, if it is another one.
        var commandCode: String?
        /// Whether the app has added its presets.
        var hasPresets = true
        /// SQL before all.
        var prepare: String?

        var testDescription: String { rule }
    }

    static let key: String = "0YuTwO05YJWS8rkjn9eLJDjQhFKvIYd8d4xG8X1blIU="
    static let onion: String = "beccx4yfxxbvyhqypaavemqurytl6hozr47wfc7uuecacjqdvwpw2xid.onion"
    static let flux: String =
        "smp1.simplexonflux.com,qb4yoanyl4p7o33yrknv4rs6qo7ugeb2tu2zo66sbebezs4cpyosarid.onion"
    static let relay1: String = "https://smp5.simplex.im/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
    static let relay1Long: String =
        "simplex:/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw?h=smp5.simplex.im"
    static let laterRelay: String = "https://smp77.simplex.im/r#\(SimplexPhone.key)"

    static func server(_ kind: String, _ host: String, user: Int = 1, port: String = "") -> String {
        """
        INSERT INTO protocol_servers (user_id, protocol, host, port, key_hash, preset, enabled)
        VALUES (\(user), '\(kind)', '\(host)', '\(port)', CAST('\(key)' AS BLOB), 0, 1)
        """
    }

    static func relay(_ address: String, domains: String = "", user: Int = 1, name: String = "new") -> String {
        """
        INSERT INTO chat_relays (user_id, address, display_name, domains, preset, enabled)
        VALUES (\(user), CAST('\(address)' AS BLOB), '\(name)', '\(domains)', 0, 1)
        """
    }

    static func ofPreset(_ change: String) -> String {
        "UPDATE protocol_servers SET \(change) WHERE user_id = 1 AND host LIKE 'smp9.simplex.im,%'"
    }

    /// The user's own servers are disabled.
    static let onlyPresets: String = "UPDATE protocol_servers SET enabled = 0 WHERE preset = 0"

    /// Hosts that chatdb's own stores take, and that the app cannot read.
    static let unreadable: [Breach] = [
        "www.\(onion)", "ABCDEF.onion", "a-b.onion", "x.onion.example.org", "a.onions.example.org",
        "1.2.3.4.example.org", "203.0.113.5.sslip.io", "c.example.org,d.example.onion",
    ].map { host in
        Breach(
            rule: "the app can read the host: \(host)", sql: server("smp", host), harm: .start, code: "simplexHost",
            command: ["server", "add", "smp://\(key)@\(host)"])
    }

    static let breaches: [Breach] =
        unreadable + [
            Breach(
                rule: "the app can read the hosts of a relay",
                sql: relay("https://1.2.3.4.example.org/r#\(SimplexPhone.key)"), harm: .start, code: "simplexHost",
                command: ["relay", "add", "https://1.2.3.4.example.org/r#\(SimplexPhone.key)"]),
            Breach(
                rule: "an IPv6 address has two texts, and the app writes one of them into both rows",
                sql: server("smp", "[2001:db8:0::1]"), harm: .start, code: "simplexHost",
                command: ["server", "add", "smp://\(key)@[2001:db8::1]"],
                prepare: server("smp", "2001:db8::1")),
            Breach(
                rule: "an SMP and an XFTP server cannot have the same host and port",
                sql: server("xftp", "smp1.example.org"), harm: .statement, code: "simplexServerTaken",
                command: ["server", "add", "xftp://\(key)@smp1.example.org"]),
            Breach(
                rule: "a host is in one server of a protocol, whatever the port",
                sql: server("smp", "my.example.org"), harm: .unsaved, code: "simplexServerTaken",
                command: ["server", "add", "smp://\(SimplexPhone.key)=@my.example.org"]),
            Breach(
                rule: "a custom server does not get the hosts and port of a preset",
                sql: server("xftp", "smp8.simplex.im,\(onion)", user: 2), harm: .start, code: "simplexPresetAddress",
                command: ["server", "add", "xftp://\(key)@smp8.simplex.im,\(onion)", "-u", "work"], hasPresets: false),
            Breach(
                rule: "a custom server does not get one host of a preset: the app would drop it in silence",
                sql: server("smp", "smp9.simplex.im"), harm: .dropped, code: "simplexPresetAddress",
                command: ["server", "add", "smp://\(key)@smp9.simplex.im"], hasPresets: false),
            Breach(
                rule: "the spelling of the host makes no difference",
                sql: server("smp", "smp9.simplex.im,x.example.org"), harm: .dropped, code: "simplexPresetAddress",
                command: ["server", "add", "smp://\(key)@SMP9.SimpleX.im,x.example.org"], hasPresets: false),
            Breach(
                rule: "a custom server does not get the address of a preset of a version that comes later",
                sql: server("smp", flux), harm: .start, code: "simplexPresetAddress",
                command: ["server", "add", "smp://\(key)@\(flux)"], hasPresets: false),
            Breach(
                rule: "a custom server has no host of an operator: a version of tomorrow may have it as a preset",
                sql: server("smp", "smp77.simplex.im"),
                harm: .later(server: "smp://\(SimplexPhone.key)=@smp77.simplex.im", relay: nil),
                code: "simplexOperatorDomain", command: ["server", "add", "smp://\(key)@smp77.simplex.im"]),
            Breach(
                rule: "a preset stays: the app adds it again, enabled",
                sql: "DELETE FROM protocol_servers WHERE host LIKE 'smp9.simplex.im,%'",
                harm: .undone(
                    "SELECT count(*), min(enabled) FROM protocol_servers WHERE host LIKE 'smp9.simplex.im,%'"),
                code: "simplexPresetEntry", command: ["server", "delete", "smp9.simplex.im", "--yes"],
                commandCode: "presetServerCannotBeDeleted"),
            Breach(
                rule: "the host of a preset stays", sql: ofPreset("host = 'smp9.simplex.im'"), harm: .dropped,
                code: "simplexPresetEntry"),
            Breach(
                rule: "the port of a preset stays", sql: ofPreset("port = '5224'"), harm: .dropped,
                code: "simplexPresetEntry"),
            Breach(
                rule: "the key of a preset stays", sql: ofPreset("key_hash = CAST('\(key)' AS BLOB)"), harm: .start,
                code: "simplexPresetEntry"),
            Breach(
                rule: "the password of a preset stays: none", sql: ofPreset("basic_auth = 'secret'"), harm: .start,
                code: "simplexPresetEntry"),
            Breach(
                rule: "no server becomes a preset",
                sql: "UPDATE protocol_servers SET preset = 1 WHERE smp_server_id = 2",
                harm: .unknown, code: "simplexPresetEntry"),
            Breach(
                rule: "no relay becomes a preset", sql: "UPDATE chat_relays SET preset = 1 WHERE chat_relay_id = 2",
                harm: .unknown, code: "simplexPresetEntry"),
            Breach(
                rule: "without an enabled server for a role, the app uses disabled ones",
                sql: "UPDATE protocol_servers SET enabled = 0 WHERE user_id = 2 AND protocol = 'smp'", harm: .fallback,
                code: "simplexFallback"),
            Breach(
                rule: "an operator is for all profiles: none may be left without a server",
                sql: "UPDATE server_operators SET enabled = 0 WHERE server_operator_id = 1", harm: .fallback,
                code: "simplexFallback", command: ["operator", "disable", "simplex", "-u", "alice"],
                prepare: onlyPresets),
            Breach(
                rule: "an entry that the app drops serves no role",
                sql: "UPDATE protocol_servers SET enabled = 0 WHERE user_id = 1 AND protocol = 'smp' AND preset = 0 "
                    + "AND host NOT LIKE 'smp9.%'",
                harm: .fallback, code: "simplexFallback",
                // The host of a preset in a custom row, as another tool may have written it; all presets are off.
                prepare: "UPDATE protocol_servers SET enabled = 0 WHERE preset = 1; "
                    + server("smp", "smp9.simplex.im", port: "2")),
            Breach(
                rule: "an operator is enabled only if its current conditions were accepted",
                sql: "UPDATE server_operators SET enabled = 1 WHERE server_operator_id = 2",
                harm: .used("smp1.simplexonflux.com"), code: "simplexConditions",
                command: ["operator", "enable", "flux"]),
            Breach(
                rule: "the name of an operator is the app's",
                sql: "UPDATE server_operators SET trade_name = 'Mine', server_domains = 'example.org' "
                    + "WHERE server_operator_id = 1",
                harm: .undone("SELECT trade_name, server_domains FROM server_operators WHERE server_operator_id = 1"),
                code: "simplexOperatorData"),
            Breach(
                rule: "a custom relay does not get the address of a preset", sql: relay(relay1, user: 2), harm: .start,
                code: "simplexPresetAddress", command: ["relay", "add", relay1, "-u", "work"], hasPresets: false),
            Breach(
                rule: "a preset relay that was removed is in the way of the app",
                sql: "UPDATE chat_relays SET deleted = 1 WHERE preset = 1 "
                    + "AND CAST(address AS TEXT) = '\(relay1)'",
                harm: .start, code: "simplexPresetEntry",
                command: ["relay", "delete", "SimpleX Chat Relay 1", "--yes"],
                commandCode: "presetRelayCannotBeDeleted"),
            Breach(
                rule: "a custom relay has no host of an operator: a version of tomorrow may have it as a preset",
                sql: relay(laterRelay), harm: .later(server: nil, relay: laterRelay), code: "simplexOperatorDomain",
                command: ["relay", "add", laterRelay]),
            Breach(
                rule: "a relay that a channel refers to is not removed from the table",
                sql: "DELETE FROM chat_relays WHERE chat_relay_id = 2",
                harm: .loss("SELECT count(*) FROM group_relays"), code: "simplexUnexpected"),
            Breach(
                rule: "a relay has no second spelling",
                sql: relay("simplex:/r#\(SimplexPhone.key)?h=relay.example.org"), harm: .unsaved,
                code: "simplexUnexpected"),
            Breach(
                rule: "a relay has a name of its own", sql: relay(SimplexPhone.relay, name: "mine"), harm: .unsaved,
                code: "duplicateRelayName", command: ["relay", "add", SimplexPhone.relay, "--name", "mine"]),
            Breach(
                rule: "a custom relay has no domains: the app would take it for one of the operator",
                sql: relay(SimplexPhone.relay, domains: "simplex.im"), harm: .listed(SimplexPhone.relay),
                code: "simplexRelayDomains", command: ["relay", "add", SimplexPhone.relay, "--domain", "simplex.im"]),
            Breach(
                rule: "a contact address is no relay", sql: relay("https://h.example.org/a#\(SimplexPhone.key)"),
                harm: .unknown, code: "simplexRelayLink",
                command: ["relay", "add", "https://h.example.org/a#\(SimplexPhone.key)"]),
            Breach(
                rule: "the address of a relay is a link", sql: relay("no address"), harm: .start,
                code: "simplexRelayLink"),
            Breach(
                rule: "the key of a server is text in base64url",
                sql: "UPDATE protocol_servers SET key_hash = x'00ff10' WHERE smp_server_id = 2", harm: .start,
                code: "simplexStart"),
            Breach(
                rule: "a switch is 0 or 1", sql: "UPDATE protocol_servers SET enabled = 2 WHERE smp_server_id = 2",
                harm: .start, code: "simplexStart"),
        ]
}
