import ChatDBKit
import Foundation
import TestKit
import Testing

/// The rules for writing into a store of SimpleX Chat. Each has the harm of its breach: the same write made by plain
/// SQL, and the next start of every version of the app. Rule: docs/simplex.md, "Writing relays and servers".
@Suite("rules for writing into a store of SimpleX Chat")
struct SimplexRulesTests {
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

    @Test(
        "the refusal of an entry that the app leaves out has its name, the newest such version, the reason, and a hint")
    func leftOut() throws {
        let phone = try SimplexPhone(hasPresets: false)
        // No version has a preset relay with this host and this key.
        try phone.store.execute(
            """
            UPDATE chat_relays SET enabled = 0,
                address = CAST(replace(CAST(address AS TEXT), 'smp6.simplex.im', 'smp5.simplex.im') AS BLOB)
            WHERE chat_relay_id = 1
            """)
        let command = ["relay", "enable", "SimpleX 5", "-u", "alice"]
        let error = try phone(command + ["--format", "json"]).refusal()
        #expect(error["code"] == "simplexUnused", "\(error)")
        #expect(error["details"]?["entries"]?.texts == ["SimpleX 5 of alice"], "\(error)")
        let text = try phone(command).errors
        #expect(text.contains("(newer than v6.5.5) would leave out an enabled entry\n  SimpleX 5 of alice: "))
        #expect(text.contains(": stored as a preset of the app, but this version has no such preset\n"), "\(text)")
        #expect(text.contains("hint: if the app lists the entry, enable it there; otherwise"), "\(text)")
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

    @Test("a removed relay whose row in group_relays is lost is soft-deleted, as the answer before the change says")
    func relayOfLostRow() throws {
        let phone = try SimplexPhone()
        try phone.store.execute(
            """
            INSERT INTO contact_profiles (contact_profile_id, display_name, full_name, user_id, created_at, updated_at)
            VALUES (900, 'mine', '', 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00')
            """,
            "UPDATE group_members SET contact_profile_id = 900 WHERE group_member_id = 24", "DELETE FROM group_relays")
        #expect(try phone.answer("relay", "delete", "mine", "--dry-run")["outcome"] == "softDeleted")
        try phone.answer("relay", "disable", "mine")
        #expect(try phone.answer("relay", "delete", "mine", "--yes")["outcome"] == "softDeleted")
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
        #expect((outcome.output + outcome.errors).contains("the app uses work.example.org, smp2.example.org"))
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
        #expect((outcome.output + outcome.errors).contains("the app uses presets of its own choice"))
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
