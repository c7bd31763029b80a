import ChatDBKit
import Foundation
import TestKit
import Testing

/// The rules for writing into a store of SimpleX Chat. Each has the harm of its breach: the same write made by plain
/// SQL, and the next start of every version of the app. Rule: docs/simplex.md, "Writing relays and servers".
@Suite("rules for writing into a store of SimpleX Chat")
struct SimplexRulesTests {
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

    private static let key: String = "0YuTwO05YJWS8rkjn9eLJDjQhFKvIYd8d4xG8X1blIU="
    private static let onion: String = "beccx4yfxxbvyhqypaavemqurytl6hozr47wfc7uuecacjqdvwpw2xid.onion"
    private static let flux: String =
        "smp1.simplexonflux.com,qb4yoanyl4p7o33yrknv4rs6qo7ugeb2tu2zo66sbebezs4cpyosarid.onion"
    private static let relay1: String = "https://smp5.simplex.im/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
    private static let relay1Long: String =
        "simplex:/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw?h=smp5.simplex.im"
    private static let laterRelay: String = "https://smp77.simplex.im/r#\(SimplexPhone.key)"

    private static func server(_ kind: String, _ host: String, user: Int = 1, port: String = "") -> String {
        """
        INSERT INTO protocol_servers (user_id, protocol, host, port, key_hash, preset, enabled)
        VALUES (\(user), '\(kind)', '\(host)', '\(port)', CAST('\(key)' AS BLOB), 0, 1)
        """
    }

    private static func relay(_ address: String, domains: String = "", user: Int = 1, name: String = "new") -> String {
        """
        INSERT INTO chat_relays (user_id, address, display_name, domains, preset, enabled)
        VALUES (\(user), CAST('\(address)' AS BLOB), '\(name)', '\(domains)', 0, 1)
        """
    }

    private static func ofPreset(_ change: String) -> String {
        "UPDATE protocol_servers SET \(change) WHERE user_id = 1 AND host LIKE 'smp9.simplex.im,%'"
    }

    /// The user's own servers are disabled.
    private static let onlyPresets: String = "UPDATE protocol_servers SET enabled = 0 WHERE preset = 0"

    /// Hosts that chatdb's own stores take, and that the app cannot read.
    private static let unreadable: [Breach] = [
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

    @Test(
        "the forbidden write does harm, and chatdb refuses the same write and the same wish with the reason",
        arguments: breaches)
    func breach(_ breach: Breach) throws {
        let phone = try SimplexPhone(hasPresets: breach.hasPresets)
        for sql in breach.prepare?.split(separator: ";") ?? [] { try phone.store.execute(String(sql)) }
        #expect(try phone.refusal(ofSQL: breach.sql) == breach.code, "\(breach.rule)")
        if !breach.command.isEmpty {
            let refusal = try phone.refusal(breach.command)
            #expect(refusal.code == breach.commandCode ?? breach.code, "\(breach.rule): \(refusal.text)")
        }
        let before = try phone.launches()
        let newest = try phone.newest()
        func write() throws { try phone.store.execute("PRAGMA foreign_keys = ON", breach.sql) }
        func expect(_ word: String) throws {
            try write()
            let harm = try phone.harm(since: before)
            #expect(harm.contains { $0.contains(word) }, "\(breach.rule): \(harm)")
        }
        switch breach.harm {
        case .statement: #expect(throws: (any Error).self) { try write() }
        case .start:
            try expect("does not start")
            // chatdb's own start of the app fails in the same way, so it writes nothing there.
            #expect(Self.refusals.contains(try phone.refusal(["server", "add", SimplexPhone.server]).code ?? ""))
        case .later(let server, let relay):
            try write()
            let later = try AppLaunch.newest.adding(server: server, relay: relay)
            #expect(throws: (any Error).self) { try phone.store.write { chat in _ = try later.run(in: chat) } }
        case .dropped: try expect("drops")
        case .unsaved: try expect("saves nothing")
        case .fallback: try expect("falls back")
        case .undone(let question):
            let answer = try phone.store.rows(question)
            try phone.store.execute(breach.sql)
            #expect(try phone.store.rows(question) != answer)
            try phone.store.write { chat in _ = try AppLaunch.newest.run(in: chat) }
            #expect(try phone.store.rows(question) == answer)
        case .loss(let question):
            let answer = try phone.store.rows(question)
            try write()
            #expect(try phone.store.rows(question) != answer)
        case .used(let host):
            #expect(!newest.used.values.contains { $0.contains(host) })
            try write()
            #expect(try phone.newest().used.values.contains { $0.contains(host) })
        case .listed(let address):
            try write()
            #expect(try phone.newest().relays["simplex"]?.contains(address) == true)
        case .unknown:
            try write()
            #expect(try phone.harm(since: before).isEmpty)
        }
    }

    @Test(
        "a version without roles of single servers takes no choice about them, on or off",
        arguments: SimplexStore.versions.filter { !$0.hasServerRoles })
    func missingRoles(_ version: SimplexStore.Version) throws {
        let phone = try SimplexPhone(version)
        for role in ["role_storage", "role_proxy", "role_names"] {
            for value in [0, 1] {
                let sql = """
                    INSERT INTO protocol_servers (user_id, protocol, host, port, key_hash, preset, enabled, \(role))
                    VALUES (1, 'smp', 'new.example.org', '', '\(Self.key)', 0, 1, \(value))
                    """
                #expect(try phone.refusal(ofSQL: sql) == "simplexVersionLacks")
            }
        }
        let relay = Self.relay(SimplexPhone.relay)
        #expect(try phone.refusal(ofSQL: relay) == (version.hasRelays ? nil : "simplexVersionLacks"))
        #expect(
            try phone.refusal(ofSQL: "UPDATE server_operators SET smp_role_names = 1 WHERE server_operator_id = 1")
                == "simplexVersionLacks")
    }

    /// The facts begin in May 2025. These are the changes since then and since the operators came that concern what
    /// chatdb writes, or reads for it.
    @Test(
        "stores of October and December 2024 take the changes too",
        arguments: ["20241027_server_operators", "20241222_operator_conditions"])
    func oldest(_ last: String) throws {
        let phone = try SimplexPhone(SimplexStore.versions[0], hasPresets: false)
        try phone.store.execute("DELETE FROM migrations WHERE name > '\(last)'")
        if last < "20241222" {
            try phone.store.execute("ALTER TABLE operator_usage_conditions DROP COLUMN auto_accepted")
        }
        try phone.store.write { chat in _ = try AppLaunch.newest.run(in: chat) }
        for words in [
            ["server", "add", SimplexPhone.server], ["server", "disable", "smp11.simplex.im"],
            ["operator", "disable", "Nobody"], ["server", "delete", "my.example.org", "--yes"],
        ] {
            let before = try phone.launches()
            let outcome = try phone(words)
            #expect(outcome.code == 0, "\(words): \(outcome.errors)")
            #expect(try phone.harm(since: before).isEmpty, "\(words)")
        }
        try phone.expectSameUse()
    }

    static let hostTexts: [String: String?] = [
        "a.example.org": "a.example.org", "A.Example.org,b": "A.Example.org,b", "": nil, "a,": nil, "a,,b": nil,
        "a:1": nil, "192.0.2.7": "192.0.2.7", "192.0.2.07": "192.0.2.7", "192.0.2.400": "192.0.2.144",
        "400.0.2.1": "400.0.2.1", "1.2.3": "1.2.3", "1.2.3.4.example.org": nil, "\(onion)": onion,
        "www.\(onion)": nil, "ABC.onion": nil, ".onion": ".onion", "a.onion.b": nil, "2001:db8::1": "2001:db8::1",
        "[2001:DB8:0:0::1]": "2001:db8::1", "[::1]": "::1", "::": "::", "1:2:3:4:5:6:7:8": "1:2:3:4:5:6:7:8",
        "1:0:0:2:0:0:0:3": "1:0:0:2::3", "[1:2:3:4:5:6:7:8:9]": nil, "[::ffff:192.0.2.1]": "::ffff:192.0.2.1",
        "::ffff:192.0.2.1": nil, "[::192.0.2.1]": "::192.0.2.1", "::ffff:1": "::255.255.0.1", "face": "face",
    ]

    @Test(
        "the hosts of the app: the text that it writes, or none where it cannot read them",
        arguments: hostTexts)
    func hosts(_ text: String, _ expected: String?) {
        #expect(AppHost.list(text)?.map(\.text).joined(separator: ",") == expected)
        #expect(AppLaunchHost.written(text) == expected)
    }

    @Test("the app clears roles of a server of which one is missing; chatdb writes all three, and they stay")
    func roles() throws {
        let phone = try SimplexPhone()
        let sql = "UPDATE protocol_servers SET role_storage = 0 WHERE smp_server_id = 5"
        let question = "SELECT role_storage, role_proxy, role_names FROM protocol_servers WHERE smp_server_id = 5"
        let bytes = try phone.bytes(.chat)
        try phone.store.execute(sql)
        try phone.store.write { chat in _ = try AppLaunch.newest.run(in: chat) }
        #expect(try phone.store.rows(question) == ["||"])
        try bytes.write(to: URL(fileURLWithPath: phone.store.location.path(of: .chat)))
        #expect(try phone.refusal(ofSQL: sql) == nil)
        #expect(try phone.store.rows(question) == ["0|1|0"])
        #expect(try phone.refusal(ofSQL: sql) == nil)
        try phone.store.write { chat in _ = try AppLaunch.newest.run(in: chat) }
        #expect(try phone.store.rows(question) == ["0|1|0"])
    }

    @Test("a server that the app drops is not enabled")
    func dropped() throws {
        let phone = try SimplexPhone(hasPresets: false)
        try phone.store.execute(
            Self.server("smp", "smp9.simplex.im"),
            "UPDATE protocol_servers SET enabled = 0 WHERE host = 'smp9.simplex.im'")
        #expect(
            try phone.refusal(ofSQL: "UPDATE protocol_servers SET enabled = 1 WHERE host = 'smp9.simplex.im'")
                == "simplexUnused")
    }

    /// The codes for a store with which the app does not start: chatdb itself cannot read some of these values.
    private static let refusals: Set<String> = ["simplexStart", "unexpectedRow"]

    /// Values of operators and of their conditions with which the app does not start.
    static let undecodable: [String] = [
        "UPDATE server_operators SET server_domains = NULL WHERE server_operator_id = 3",
        "UPDATE server_operators SET server_operator_tag = 'later' WHERE server_operator_id = 3",
        "UPDATE server_operators SET enabled = 3 WHERE server_operator_id = 3",
        "UPDATE server_operators SET smp_role_proxy = 7 WHERE server_operator_id = 1",
        "UPDATE operator_usage_conditions SET auto_accepted = NULL",
        "UPDATE protocol_servers SET tested = 5 WHERE smp_server_id = 2",
        "UPDATE chat_relays SET enabled = 4 WHERE chat_relay_id = 2",
    ]

    @Test("a store with a value that the app cannot read is not written", arguments: undecodable)
    func unreadable(_ sql: String) throws {
        let phone = try SimplexPhone()
        try phone.store.execute(sql)
        #expect(throws: (any Error).self) { try phone.launches() }
        let refusal = try phone.refusal(["server", "add", SimplexPhone.server])
        #expect(Self.refusals.contains(refusal.code ?? ""), "\(refusal)")
    }

    @Test("an operator without a domain owns every server with a name, as in the app")
    func everyDomain() throws {
        let phone = try SimplexPhone()
        try phone.store.execute(
            "UPDATE server_operators SET server_domains = '', enabled = 0 WHERE server_operator_id = 3")
        #expect(try phone.newest().used.values.allSatisfy { !$0.contains("my.example.org") })
        try phone.store.execute("UPDATE protocol_servers SET enabled = 0 WHERE preset = 1")
        // The profile has enabled servers, and the app uses none of them.
        try phone.expectSameUse()
    }

    @Test("the hints of the refusals can be followed")
    func hints() throws {
        let phone = try SimplexPhone(hasPresets: false)
        try phone.store.execute("UPDATE protocol_servers SET enabled = 0 WHERE preset = 0 AND protocol = 'smp'")
        for (command, hint) in [
            (["server", "add", "smp://\(SimplexPhone.key)=@smp9.simplex.im"], "chatdb server enable SERVER"),
            (["operator", "disable", "simplex"], "--allow-fallback"),
            (["operator", "enable", "flux"], "accept the conditions in the app"),
            (["server", "add", "xftp://\(Self.key)@smp1.example.org"], "chatdb server list"),
        ] {
            let outcome = try phone(command + ["--format", "json"])
            #expect(try outcome.refusal()["hint"]?.stringValue?.contains(hint) == true, "\(outcome.errors)")
        }
        // The app adds the preset, and then it can be switched.
        try phone.store.write { chat in _ = try AppLaunch.newest.run(in: chat) }
        try phone.answer("server", "disable", "smp9.simplex.im")
        try phone.answer("server", "enable", "smp9.simplex.im")
    }

    @Test("a removed relay that a channel uses is soft-deleted, and group_relays has the same rows")
    func usedRelay() throws {
        let phone = try SimplexPhone()
        let uses = try phone.store.rows("SELECT * FROM group_relays ORDER BY group_relay_id")
        #expect(uses.count == 2)
        #expect(try phone.answer("relay", "delete", "mine", "--yes")["outcome"] == "softDeleted")
        #expect(try phone.store.rows("SELECT * FROM group_relays ORDER BY group_relay_id") == uses)
        #expect(try phone.store.rows("SELECT deleted FROM chat_relays WHERE chat_relay_id = 2") == ["1"])
    }

    @Test("a relay that is added again comes back in its own row, in whatever spelling, and never in a second one")
    func addedAgain() throws {
        let phone = try SimplexPhone()
        try phone.store.execute("DELETE FROM chat_relays WHERE chat_relay_id = 3")
        try phone.answer("relay", "delete", "mine", "--yes")
        let rows = try phone.store.rows("SELECT count(*) FROM chat_relays")
        try phone.answer("relay", "add", "simplex:/r#\(SimplexPhone.key)?h=relay.example.org")
        #expect(try phone.store.rows("SELECT count(*) FROM chat_relays") == rows)
        #expect(
            try phone.store.rows("SELECT deleted, enabled, address, preset FROM chat_relays WHERE chat_relay_id = 2")
                == ["0|1|https://relay.example.org/r#\(SimplexPhone.key)|0"])
        // The preset is switched instead of added.
        for spelling in [Self.relay1, Self.relay1Long] {
            try phone.answer("relay", "disable", "SimpleX Chat Relay 1")
            #expect(try phone.answer("relay", "add", spelling)["relay"]?["name"] == "SimpleX Chat Relay 1")
            #expect(try phone.store.rows("SELECT count(*) FROM chat_relays") == rows)
        }
    }

    @Test("a preset relay is added in no spelling where the store lacks it", arguments: [relay1, relay1Long])
    func presetRelay(_ address: String) throws {
        let phone = try SimplexPhone(hasPresets: false)
        #expect(try phone.refusal(["relay", "add", address, "-u", "work"]).code == "simplexPresetAddress")
    }

    @Test("with --allow-fallback the change is made, and the answer says what the app will use")
    func fallback() throws {
        let phone = try SimplexPhone()
        try phone.store.execute(Self.onlyPresets)
        let launches = try phone.launches()
        #expect(try !phone.newest().used["2 smp storage", default: []].contains("smp2.example.org"))
        let refused = try phone.refusal(["operator", "disable", "simplex"])
        #expect(refused.code == "simplexFallback")
        for profile in ["work", "a hidden profile"] { #expect(refused.text.contains(profile), "\(refused.text)") }
        #expect(!refused.text.contains("mask"))
        let outcome = try phone(["operator", "disable", "simplex", "--allow-fallback"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        // The servers of the operator are not among those that the app uses instead.
        let used = try phone.newest().used["2 smp storage", default: []]
        #expect(used.contains("smp2.example.org") && used.contains("work.example.org"))
        #expect(!used.contains { $0.hasSuffix("simplex.im") })
        #expect((outcome.output + outcome.errors).contains("it would use work.example.org, smp2.example.org"))
        try phone.expectSameUse()
        #expect(try phone.harm(since: launches).contains { $0.contains("falls back") })
        // What is missing already is no reason to refuse another change.
        #expect(try phone(["server", "add", SimplexPhone.server]).code == 0)
    }

    @Test("where nothing is left that the app may use, it uses presets of its own choice, and the answer says so")
    func nothingLeft() throws {
        let phone = try SimplexPhone()
        try phone.store.execute("DELETE FROM protocol_servers WHERE preset = 0 AND user_id = 2")
        let outcome = try phone(["operator", "disable", "simplex", "--allow-fallback"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect((outcome.output + outcome.errors).contains("it would use presets of its own choice"))
        #expect(try phone.newest().used["2 xftp storage"]?.isEmpty == true)
        try phone.expectSameUse()
    }

    @Test("the last enabled server of a profile is not switched off, and a hidden profile is not named")
    func lastServer() throws {
        let phone = try SimplexPhone()
        try phone.store.execute(
            "UPDATE protocol_servers SET enabled = 0 WHERE user_id = 1 AND protocol = 'xftp' AND preset = 1")
        #expect(try phone.refusal(["server", "disable", "xftp1.example.org"]).code == "simplexFallback")
        #expect(try phone.refusal(["server", "delete", "xftp1.example.org", "--yes"]).code == "simplexFallback")
        #expect(try phone.refusal(["server", "delete", "xftp1.example.org", "--dry-run"]).code == "simplexFallback")
        #expect(try phone.answer("server", "add", SimplexPhone.files)["user"]?["name"] == "alice")
        #expect(try phone(["server", "disable", "xftp1.example.org"]).code == 0)
    }

    @Test("the presets that chatdb knows are those of the recorded history")
    func presets() throws {
        struct History: Decodable {
            struct Server: Decodable {
                let address: String
                let enabled: Bool?
            }
            struct Relay: Decodable {
                let name: String
                let address: String
                let domains: [String]
                let enabled: Bool?
            }
            struct Roles: Decodable {
                let smp: AppPreset.Roles
                let xftp: AppPreset.Roles
            }
            struct Operator: Decodable {
                let tag: String
                let tradeName: String
                let legalName: String?
                let domains: [String]
                let enabledByDefault: Bool
                let roles: Roles
                let smp: [Server]
                let xftp: [Server]
                let relays: [Relay]
            }
            struct Version: Decodable { let operators: [Operator] }
            struct Terminal: Decodable { let versions: [Version] }
            struct Partial: Decodable { let relays: [Relay] }

            let versions: [Version]
            let cli: Terminal
            let partial: [Partial]
            let alsoKnownNotPreset: [Server]
        }
        func text(_ server: AppPreset.Server) -> String {
            let address = server.address
            let password = address.password.map { ":\($0)" } ?? ""
            let port = address.port.isEmpty ? "" : ":\(address.port)"
            return "\(address.serverProtocol)://\(address.keyHash)\(password)@\(address.host)\(port)"
                + " \(server.isEnabled)"
        }
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Fixtures/simplex-presets-history.json")
        let history = try JSONDecoder().decode(History.self, from: Data(contentsOf: url))
        let known = try AppPresets.known.get()
        let recorded = history.versions + history.cli.versions
        #expect(known.versions.count == recorded.count)
        for (version, facts) in zip(known.versions, recorded) {
            #expect(version.operators.map(\.tag) == facts.operators.map(\.tag))
            for (known, fact) in zip(version.operators, facts.operators) {
                #expect(known.tradeName == fact.tradeName && known.domains == fact.domains)
                #expect(known.legalName == fact.legalName && known.isEnabled == fact.enabledByDefault)
                for (roles, fact) in [(known.smpRoles, fact.roles.smp), (known.xftpRoles, fact.roles.xftp)] {
                    #expect(roles.storage == fact.storage && roles.proxy == fact.proxy)
                }
                #expect(
                    known.servers.map(text)
                        == (fact.smp + fact.xftp).map { "\($0.address) \($0.enabled ?? false)" })
                #expect(
                    known.relays.map { [$0.name, $0.address, "\($0.domains)", "\($0.enabled)"] }
                        == fact.relays.map { [$0.name, $0.address, "\($0.domains)", "\($0.enabled ?? false)"] })
            }
        }
        for relay in history.partial.flatMap(\.relays) { #expect(known.hasRelay(relay.address)) }
        for server in history.alsoKnownNotPreset {
            let host = try #require(server.address.split(separator: "@").last?.split(separator: ",").first)
            #expect(known.hasHost([String(host)]) != nil)
        }
    }
}
