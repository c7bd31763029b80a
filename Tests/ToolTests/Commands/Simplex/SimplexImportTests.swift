import ChatDBKit
import Foundation
import TestKit
import Testing

/// Imports into stores of SimpleX Chat, which keeps its operators and presets itself. Rule: docs/simplex.md, "Writing
/// relays and servers".
@Suite("imports into a store of SimpleX Chat")
struct SimplexImportTests {
    private func write(_ text: String, _ name: String, in phone: SimplexPhone) throws -> String {
        let path = phone.run.file(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func presets(_ phone: SimplexPhone) throws -> [String] {
        try phone.store.rows("SELECT user_id, host, preset FROM protocol_servers WHERE preset = 1 ORDER BY 1, 2")
    }

    @Test("operators and presets that the store lacks are left out, and the notes say so")
    func presetsLeftOut() throws {
        let phone = try SimplexPhone()
        let exported = try phone(["preset", "export"]).output
        let other = exported.replacing("smp9.simplex.im,", with: "smp99.simplex.im,")
            .replacing("simplexonflux.com", with: "other.example").replacing("flux", with: "other")
            .replacing("Flux", with: "Other")
        let file = try write(other, "other.json", in: phone)
        let before = try phone.dump()
        for options in [[], ["--trust-operators"], ["--mode", "replace"], ["--mode", "restore"]] {
            let run = try phone(["preset", "import", file, "--dry-run"] + options)
            #expect(run.code == 0, "\(options): \(run.errors)")
            #expect(run.output.contains("the operator Other is left out"), "\(options): \(run.output)")
            #expect(run.output.contains("1 preset that the store lacks is left out"), "\(options): \(run.output)")
        }
        let kept = try presets(phone)
        let run = try phone(["preset", "import", file, "--mode", "restore", "--yes"])
        #expect(run.code == 0, "\(run.errors)")
        #expect(try presets(phone) == kept)
        #expect(try SimplexPhone.tables(before, phone.dump()).isSubset(of: ["protocol_servers", "chat_relays"]))
    }

    @Test("a server with one role gets all three, which the plan shows; a second import changes nothing")
    func partialRoles() throws {
        let phone = try SimplexPhone()
        let file = try write(
            """
            {"format": "chatdb-preset", "version": 1, "custom": {
                "smpServers": [{"address": "\(SimplexPhone.server)", "roles": {"proxy": false}}],
                "relays": [{"address": "\(SimplexPhone.relay)", "name": "ours", "domains": ["r.example.net"]}]}}
            """, "roles.json", in: phone)
        let first = try phone(["preset", "import", file, "--yes"])
        #expect(first.code == 0, "\(first.errors)")
        #expect(first.output.contains("storage on, proxy off, names off"), "\(first.output)")
        #expect(first.output.contains("SimpleX Chat has none for relays of the user"), "\(first.output)")
        #expect(
            try phone.store.rows(
                "SELECT role_storage, role_proxy, role_names FROM protocol_servers WHERE host = 'new.example.org'")
                == ["1|0|0"])
        let before = try phone.run.folder.fingerprint()
        let again = try phone(["preset", "import", file, "--yes", "--format", "json"])
        #expect(try again.answer()["changes"]?.arrayValue?.isEmpty == true, "\(again.output)")
        #expect(try phone(["preset", "import", file, "--dry-run", "--exit-code"]).code == 0)
        #expect(try phone.run.folder.fingerprint() == before)
    }

    @Test("no plan and no answer names a hidden profile or what it has", arguments: ["table", "json"])
    func hidden(_ format: String) throws {
        let phone = try SimplexPhone()
        try phone.store.execute(
            """
            INSERT INTO protocol_servers (user_id, protocol, host, port, key_hash, preset, enabled)
            SELECT 3, protocol, 'veil.example.org', port, key_hash, 0, 1 FROM protocol_servers WHERE smp_server_id = 2
            """)
        let exported = try phone(["preset", "export"]).output
        let list = try write("\(SimplexPhone.server)\n", "list.txt", in: phone)
        let file = try write(exported.replacing("my.example.org", with: "other.example.org"), "mine.json", in: phone)
        for (path, mode) in [(list, "merge"), (file, "merge"), (file, "replace"), (file, "restore")] {
            for consent in ["--dry-run", "--yes"] {
                let run = try phone(["preset", "import", path, "--mode", mode, consent, "--format", format])
                #expect(run.code == 0, "\(mode): \(run.errors)")
                for name in ["mask", "veil"] { #expect(!(run.output + run.errors).contains(name), "\(run.output)") }
            }
        }
        #expect(try phone.store.rows("SELECT user_id FROM protocol_servers WHERE host LIKE 'veil%'") == ["3"])
    }

    @Test("entries that collide with presets, and contact addresses, are left out; the rest is added")
    func customLeftOut() throws {
        let phone = try SimplexPhone()
        let launches = try phone.launches()
        let key = SimplexPhone.key
        let list = try write(
            """
            smp://\(key)=@x.example.org,smp9.simplex.im
            smp://\(key)=@smp77.simplex.im
            https://smp44.simplex.im/r#\(key)
            https://h.example.org/a#\(key)
            \(SimplexPhone.server)

            """, "list.txt", in: phone)
        let run = try phone(["preset", "import", list, "--yes", "--format", "json"])
        #expect(run.code == 0, "\(run.errors)")
        let notes = try run.answer()["notes"]?.texts ?? []
        for reason in [
            "x.example.org,smp9.simplex.im is left out: a preset of SimpleX Chat has its host",
            "smp77.simplex.im is left out: its host belongs to the operator",
            "smp44.simplex.im/r", "it is not the link of a relay",
        ] {
            #expect(notes.contains { $0.contains(reason) }, "\(reason): \(notes)")
        }
        #expect(try phone.store.rows("SELECT count(*) FROM protocol_servers WHERE host = 'new.example.org'") == ["1"])
        #expect(try phone.harm(since: launches).isEmpty)
    }

    @Test("servers for which there is no room beside another one are left out; the rest is added")
    func noRoom() throws {
        let phone = try SimplexPhone()
        let launches = try phone.launches()
        let key = SimplexPhone.key
        let list = try write(
            """
            smp://\(key)=@both.example.org
            xftp://\(key)=@both.example.org
            smp://\(key)=@other.example.org,my.example.org
            \(SimplexPhone.server)

            """, "list.txt", in: phone)
        let run = try phone(["preset", "import", list, "--yes", "--format", "json"])
        #expect(run.code == 0, "\(run.errors)")
        let notes = try run.answer()["notes"]?.texts ?? []
        for reason in [
            "xftp://\(key)=@both.example.org is left out: SimpleX Chat cannot keep it beside smp://",
            "@other.example.org,my.example.org is left out: SimpleX Chat cannot keep it beside smp://",
        ] {
            #expect(notes.contains { $0.contains(reason) }, "\(reason): \(notes)")
        }
        #expect(
            try phone.store.rows(
                "SELECT protocol, host FROM protocol_servers WHERE host LIKE '%both%' OR port = '5224'")
                == ["smp|both.example.org", "smp|new.example.org"])
        #expect(try phone.harm(since: launches).isEmpty)
        // The direct command gives the reason.
        let refusal = try phone.refusal(["server", "add", "xftp://\(key)=@both.example.org"])
        #expect(refusal.code == "simplexServerTaken", "\(refusal.text)")
    }

    @Test("relays and roles for which an older version has no place are left out; the servers are added")
    func older() throws {
        let phone = try SimplexPhone(SimplexStore.versions[0])
        let launches = try phone.launches()
        let key = SimplexPhone.key
        let list = try write("\(SimplexPhone.relay)\n\(SimplexPhone.server)\n", "list.txt", in: phone)
        let run = try phone(["preset", "import", list, "--yes", "--format", "json"])
        #expect(run.code == 0, "\(run.errors)")
        #expect(
            try run.answer()["notes"]?.texts?.contains(
                "each relay of the file is left out: this version of SimpleX Chat has no relays") == true)
        #expect(try phone.refusal(["relay", "add", SimplexPhone.relay]).code == "simplexVersionLacks")

        // A choice about a role must not be dropped in silence: the app would keep queues there.
        let file = try write(
            """
            {"format": "chatdb-preset", "version": 1, "custom": {"smpServers": [
                {"address": "smp://\(key)=@proxy.example.org", "enabled": true, "roles": {"storage": false}},
                {"address": "smp://\(key)=@plain.example.org", "enabled": true}]}}
            """, "roles.json", in: phone)
        for _ in 0..<2 {
            let run = try phone(["preset", "import", file, "--yes", "--format", "json"])
            #expect(run.code == 0, "\(run.errors)")
            #expect(
                try run.answer()["notes"]?.texts?.contains {
                    $0.hasSuffix("proxy.example.org is left out: this version of SimpleX Chat cannot store its roles")
                } == true)
        }
        #expect(
            try phone.store.rows(
                "SELECT host FROM protocol_servers WHERE host IN ('new.example.org', 'proxy.example.org', 'plain.example.org')"
            ) == ["new.example.org", "plain.example.org"])
        #expect(try phone.harm(since: launches).isEmpty)
    }

    @Test("an operator whose conditions were not accepted stays off, and the rest of the file is imported")
    func conditions() throws {
        let (mine, other) = (try SimplexPhone(), try SimplexPhone())
        try mine.store.execute("UPDATE server_operators SET enabled = 1 WHERE server_operator_tag = 'flux'")
        try mine.answer("server", "add", SimplexPhone.server)
        let file = mine.run.file("mine.json")
        #expect(try mine(["preset", "export", "-o", file]).code == 0)
        let run = try other(["preset", "import", file, "--set-enabled", "--yes", "--format", "json"])
        #expect(run.code == 0, "\(run.errors)")
        #expect(
            try run.answer()["notes"]?.texts?.contains {
                $0.contains("stays off: its current conditions of use were not accepted in the app")
            } == true)
        #expect(
            try other.store.rows("SELECT enabled FROM server_operators WHERE server_operator_tag = 'flux'") == ["0"])
        #expect(try other.store.rows("SELECT count(*) FROM protocol_servers WHERE host = 'new.example.org'") == ["1"])
        #expect(try other.refusal(["operator", "enable", "flux"]).code == "simplexConditions")
    }

    @Test("with --set-enabled presets are switched as the file says, and the app keeps that")
    func switches() throws {
        let (mine, other) = (try SimplexPhone(), try SimplexPhone())
        try mine.answer("server", "disable", "smp9.simplex.im")
        try mine.answer("relay", "disable", "SimpleX Chat Relay 3")
        let file = mine.run.file("mine.json")
        #expect(try mine(["preset", "export", "-o", file]).code == 0)
        let run = try other(["preset", "import", file, "--set-enabled", "--yes"])
        #expect(run.code == 0, "\(run.errors)")
        let question = """
            SELECT enabled FROM protocol_servers WHERE user_id = 1 AND host LIKE 'smp9.simplex.im,%'
            UNION ALL SELECT enabled FROM chat_relays WHERE user_id = 1 AND display_name = 'SimpleX Chat Relay 3'
            """
        #expect(try other.store.rows(question) == ["0", "0"])
        try other.store.write { chat in _ = try AppLaunch.newest.run(in: chat) }
        #expect(try other.store.rows(question) == ["0", "0"])
        #expect(
            try mine.store.rows("SELECT count(*) FROM protocol_servers")
                == other.store.rows("SELECT count(*) FROM protocol_servers"))
    }
}
