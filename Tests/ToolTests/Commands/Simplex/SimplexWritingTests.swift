import ChatDBKit
import Foundation
import TestKit
import Testing

/// Relays, servers and operators written into stores of SimpleX Chat. Rule: docs/simplex.md, "Writing relays and
/// servers".
@Suite("writing into a store of SimpleX Chat")
struct SimplexWritingTests {
    /// A change with its command, the tables that it concerns, and what the store has afterwards.
    struct Change: CustomTestStringConvertible {
        let command: [String]
        let table: String
        /// A question with the answer after the change; and the answer before it.
        let sql: String
        let before: String
        let after: String
        var needsRelays: Bool { table == "chat_relays" }

        var testDescription: String { command.prefix(2).joined(separator: " ") }
    }

    private static let preset = "smp11.simplex.im"
    static let changes = [
        Change(
            command: ["relay", "add", SimplexPhone.relay, "--name", "ours"], table: "chat_relays",
            sql: """
                SELECT count(*) FROM chat_relays WHERE user_id = 1 AND display_name = 'ours' AND enabled = 1
                    AND typeof(address) = 'blob' AND CAST(address AS TEXT) = '\(SimplexPhone.relay)' AND domains = ''
                    AND preset = 0 AND deleted = 0 AND length(updated_at) = 26
                """, before: "0", after: "1"),
        Change(
            command: ["relay", "enable", "odd"], table: "chat_relays",
            sql: "SELECT enabled FROM chat_relays WHERE chat_relay_id = 6", before: "0", after: "1"),
        Change(
            command: ["relay", "disable", "SimpleX Chat Relay 1"], table: "chat_relays",
            sql: "SELECT enabled FROM chat_relays WHERE display_name = 'SimpleX Chat Relay 1' AND user_id = 1",
            before: "1", after: "0"),
        Change(
            command: ["relay", "delete", "mine", "--yes"], table: "chat_relays",
            sql: "SELECT deleted FROM chat_relays WHERE chat_relay_id = 2", before: "0", after: "1"),
        Change(
            command: ["relay", "delete", "odd", "--yes"], table: "chat_relays",
            sql: "SELECT count(*) FROM chat_relays WHERE chat_relay_id = 6", before: "1", after: "0"),
        Change(
            command: ["server", "add", SimplexPhone.server], table: "protocol_servers",
            sql: """
                SELECT count(*) FROM protocol_servers WHERE user_id = 1 AND protocol = 'smp' AND host = 'new.example.org'
                    AND port = '5224' AND typeof(port) = 'text' AND typeof(key_hash) = 'blob' AND length(key_hash) = 44
                    AND basic_auth IS NULL AND preset = 0 AND tested IS NULL AND enabled = 1
                    AND length(updated_at) = 26
                """, before: "0", after: "1"),
        Change(
            command: ["server", "disable", "my.example.org"], table: "protocol_servers",
            sql: "SELECT enabled FROM protocol_servers WHERE smp_server_id = 2", before: "1", after: "0"),
        Change(
            command: ["server", "enable", preset], table: "protocol_servers",
            sql: "SELECT enabled FROM protocol_servers WHERE host LIKE '\(preset)%' AND user_id = 1", before: "0",
            after: "1"),
        Change(
            command: ["server", "delete", "my.example.org", "--yes"], table: "protocol_servers",
            sql: "SELECT count(*) FROM protocol_servers WHERE smp_server_id = 2", before: "1", after: "0"),
        Change(
            command: ["operator", "disable", "Nobody"], table: "server_operators",
            sql: "SELECT enabled FROM server_operators WHERE server_operator_id = 3", before: "1", after: "0"),
        Change(
            command: ["operator", "enable", "flux"], table: "server_operators",
            sql: "SELECT enabled FROM server_operators WHERE server_operator_id = 2", before: "0", after: "1"),
    ]

    /// A store for a change: its preset server is disabled, and the conditions of Flux are accepted.
    private func phone(_ version: SimplexStore.Version = SimplexStore.newest) throws -> SimplexPhone {
        let phone = try SimplexPhone(version)
        try phone.store.execute(
            "UPDATE protocol_servers SET enabled = 0 WHERE host LIKE '\(Self.preset)%'",
            """
            INSERT INTO operator_usage_conditions (server_operator_id, server_operator_tag, conditions_commit, accepted_at)
            VALUES (2, 'flux', 'abc', '2026-07-20 09:05:00.123456')
            """)
        return phone
    }

    @Test(
        """
        each change is made in every described version, in the forms of the app; only its rows differ, the agent's file \
        has the same bytes, there is a backup from before, and every version of the app starts and keeps the choices
        """,
        arguments: SimplexStore.versions)
    func everyChange(_ version: SimplexStore.Version) throws {
        let phone = try phone(version)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640], ofItemAtPath: phone.store.location.path(of: .chat))
        let (agent, access) = (try phone.bytes(.agent), try phone.access())
        let tables = try phone.store.rows("SELECT sql FROM sqlite_master ORDER BY rowid")
        for change in Self.changes where version.hasRelays || !change.needsRelays {
            let (before, launches) = (try phone.dump(), try phone.launches())
            #expect(try phone.store.rows(change.sql) == [change.before], "\(change.command)")
            let outcome = try phone(change.command)
            #expect(outcome.code == 0, "\(change.command): \(outcome.errors)")
            #expect(outcome.output.contains("At its next start, SimpleX Chat ("), "\(outcome.output)")
            #expect(outcome.output.contains("A backup of the store from before is in "))
            #expect(outcome.output.contains("chatdb restore "))
            #expect(try phone.store.rows(change.sql) == [change.after], "\(change.command)")
            #expect(try SimplexPhone.tables(before, phone.dump()) == [change.table], "\(change.command)")
            #expect(try phone.harm(since: launches).isEmpty, "\(change.command)")
            let backups = phone.run.file("simplex_v1.backups")
            let names = try FileManager.default.contentsOfDirectory(atPath: backups)
            let copy = try names.map { name in
                try phone.run.sql(".dump", in: "simplex_v1.backups/\(name)/simplex_v1_chat.db")
            }.map { Set($0.split(separator: "\n").map(String.init)) }
            #expect(copy == [before], "\(change.command)")
            try FileManager.default.removeItem(atPath: backups)
            #expect(try phone.bytes(.agent) == agent && phone.others().allSatisfy { $0.contains("-deleted-") })
            #expect(try phone.access() == access, "\(change.command)")
        }
        #expect(try phone.store.rows("PRAGMA journal_mode") == ["delete"])
        #expect(try phone.store.rows("PRAGMA integrity_check") == ["ok"])
        #expect(try phone.store.rows("PRAGMA foreign_key_check").isEmpty)
        #expect(try phone.store.rows("SELECT sql FROM sqlite_master ORDER BY rowid") == tables)
    }

    /// Rule: docs/domain.md, "Numbers of new rows".
    @Test("a new relay gets a number after that of a lost one, and so is not in the channels of the lost one")
    func lostRelay() throws {
        let phone = try phone()
        try phone.store.execute("UPDATE group_relays SET chat_relay_id = 900 WHERE group_relay_id = 1")
        #expect(try phone.store.rows("SELECT count(*) FROM group_relays WHERE chat_relay_id = 900") == ["1"])
        let outcome = try phone(["relay", "add", SimplexPhone.relay, "--name", "ours"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let number = try phone.store.rows("SELECT chat_relay_id FROM chat_relays WHERE display_name = 'ours'")
        #expect(number == ["901"])
    }

    @Test("a change that is already there writes nothing, and makes no backup")
    func again() throws {
        let phone = try phone()
        for command in [
            ["relay", "disable", "odd"],
            ["server", "enable", "my.example.org"], ["operator", "disable", "flux"],
        ] {
            let before = try phone.run.folder.fingerprint()
            let outcome = try phone(command)
            #expect(outcome.code == 0, "\(command): \(outcome.errors)")
            #expect(try phone.run.folder.fingerprint() == before, "\(command)")
            #expect(!outcome.errors.contains("backup"), "\(command): \(outcome.errors)")
        }
    }

    @Test("a dry run shows what the change does and what the app does with it, and writes nothing; so does a refusal")
    func dryRun() throws {
        let phone = try phone()
        let file = phone.run.file("list.txt")
        try Data("\(SimplexPhone.server)\n\(SimplexPhone.relay)\n".utf8).write(to: URL(fileURLWithPath: file))
        for command in [
            ["relay", "delete", "mine"], ["server", "delete", "my.example.org"], ["preset", "import", file],
        ] {
            let before = try phone.run.folder.fingerprint()
            let dry = try phone(command + ["--dry-run"])
            #expect(dry.code == 0, "\(dry.errors)")
            #expect(dry.output.contains("At its next start, SimpleX Chat ("), "\(dry.output)")
            #expect(dry.output.contains("chatdb would first make a backup of the store in "), "\(dry.output)")
            let json = try phone(command + ["--dry-run", "--format", "json"])
            let answer = try json.answer()
            #expect(answer["applied"] == false)
            #expect(answer["simplex"]?["nextStart"]?.stringValue?.hasPrefix("At its next start") == true)
            #expect(answer["simplex"]?["backup"]?["path"] == .null && answer["simplex"]?["archive"] == .null)
            let unconfirmed = try phone.refusal(command)
            #expect(unconfirmed.code == "confirmationNeeded")
            #expect(try phone.run.folder.fingerprint() == before)
        }
    }

    @Test("--quiet keeps what the app does and the command that undoes it, and CSV has them on standard error")
    func quiet() throws {
        let phone = try phone()
        try phone.store.execute("UPDATE protocol_servers SET enabled = 0 WHERE preset = 0")
        let quiet = try phone(["operator", "disable", "simplex", "--allow-fallback", "--quiet"])
        #expect(quiet.code == 0, "\(quiet.errors)")
        #expect(quiet.output.contains("At its next start, SimpleX Chat ("), "\(quiet.output)")
        #expect(quiet.output.contains("A backup of the store from before is in "), "\(quiet.output)")
        #expect(quiet.output.contains("chatdb restore "), "\(quiet.output)")
        #expect(quiet.output.contains("has no enabled SMP server with the role"), "\(quiet.output)")
        let csv = try phone(["server", "enable", "my.example.org", "--format", "csv"])
        #expect(csv.errors.contains("note: At its next start") && csv.errors.contains("note: chatdb restore "))
        #expect(!csv.output.contains("At its next start"), "\(csv.output)")
        let json = try phone.answer("operator", "enable", "simplex")
        #expect(json["simplex"]?["fallbacks"]?.arrayValue?.isEmpty == true)
        #expect(json["simplex"]?["backup"]?["command"]?.stringValue?.hasPrefix("chatdb restore ") == true)
    }

    @Test("at the prompt, what the app does stands after the changes and before the question")
    func prompt() throws {
        let phone = try phone()
        let file = phone.run.file("list.txt")
        try Data("\(SimplexPhone.server)\n".utf8).write(to: URL(fileURLWithPath: file))
        for (words, change) in [
            (["preset", "import", file], "new.example.org"),
            (["server", "delete", "my.example.org"], "In SimpleX Chat"),
            (["relay", "delete", "mine"], "In SimpleX Chat"),
        ] {
            let run = try TerminalRun(words + ["-d", phone.store.location.prefix], in: phone.run, answer: .shown)
            run.terminal.type("n\n")
            let shown = try run.end().shown
            let places = try [change, "At its next start", "[y/N]"].map { try #require(shown.range(of: $0)).lowerBound }
            #expect(places == places.sorted(), "\(shown)")
        }
    }

    @Test("what was deleted is put back by the command of the answer, and the store then has the same entries")
    func undo() throws {
        let phone = try phone()
        try phone.store.execute("DELETE FROM chat_relays WHERE chat_relay_id = 3")
        func state() throws -> [String] {
            try phone.store.rows(
                """
                SELECT user_id, address, display_name, domains, preset, tested, enabled, deleted FROM chat_relays
                ORDER BY user_id, address
                """)
                + phone.store.rows(
                    """
                    SELECT user_id, protocol, host, port, key_hash, basic_auth, preset, tested, enabled, role_proxy
                    FROM protocol_servers ORDER BY user_id, protocol, host
                    """)
        }
        for command in [
            ["relay", "delete", "odd"], ["relay", "delete", "mine"], ["server", "delete", "my.example.org"],
        ] {
            let (before, launches) = (try state(), try phone.launches())
            let answer = try phone.answer(command[0], command[1], command[2], "--yes")
            #expect(try state() != before)
            let undo = try #require(answer["kept"]?["command"]?.stringValue)
            let words = undo.split(separator: " ").dropFirst().map(String.init)
            let put = try phone.run(words + ["--yes"])
            #expect(put.code == 0, "\(undo): \(put.errors)")
            #expect(try state() == before, "\(command)")
            #expect(try phone.harm(since: launches).isEmpty)
        }
    }

    @Test("what was deleted leaves no bytes in the database")
    func secureDelete() throws {
        let phone = try phone()
        #expect(try phone.bytes(.chat).range(of: Data("my.example.org".utf8)) != nil)
        try phone.answer("server", "delete", "my.example.org", "--yes", "--no-backup")
        #expect(try phone.bytes(.chat).range(of: Data("my.example.org".utf8)) == nil)
    }

    @Test("the other commands that write are refused as before, and name what chatdb does change")
    func others() throws {
        let phone = try phone()
        for command in [
            ["relay", "edit", "mine", "--name", "x"], ["server", "edit", "my.example.org", "--address", "smp://x@y"],
            ["server", "set-roles", "my.example.org", "proxy"], ["operator", "set-roles", "flux", "--smp", "storage"],
            ["preset", "sync", "--yes"], ["user", "add", "x"], ["server", "mark-tested", "my.example.org", "passed"],
        ] {
            let refusal = try phone.refusal(command)
            #expect(refusal.code == "readOnlyStore", "\(command): \(refusal.text)")
            #expect(refusal.text.contains("only the relays and servers of profiles, operators and"))
        }
    }
}
