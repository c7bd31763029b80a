import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// `check` reports everything that `inspect` warns of. Rule: docs/checks.md.
@Suite("check and inspect")
struct CheckAndInspectTests {
    /// A state of a store, as other tests make it.
    struct State: CustomTestStringConvertible, Sendable {
        let name: String
        var make: @Sendable () throws -> ToolRun = { try DemoStore.make() }
        let prepare: String
        var store = "x"

        var testDescription: String { name }
    }

    private static let sql = "sqlite3 x_chat.db"
    private static let page =
        "page=$(sqlite3 x_chat.db \"SELECT rootpage FROM sqlite_schema WHERE name = 'chat_relays'\"); "
        + "dd if=/dev/zero of=x_chat.db bs=4096 seek=$((page - 1)) count=1 conv=notrunc status=none"

    private static let states = [
        State(name: "an older store", make: { try MigrationFixture.oldStore() }, prepare: ""),
        State(name: "a newer store", make: { try MigrationFixture.newerStore() }, prepare: ""),
        State(
            name: "another history", make: { try MigrationFixture.newerStore() },
            prepare: "\(sql) \"DELETE FROM migrations WHERE name LIKE '20260907%'\""),
        State(
            name: "a migration out of order",
            prepare: "\(sql) \"DELETE FROM migrations WHERE name LIKE '20260713%'\""),
        State(
            name: "a list of migrations that lost its end",
            prepare: "\(sql) \"DELETE FROM migrations WHERE name > '202611'\""),
        State(name: "no chat database", prepare: "rm x_chat.db"),
        State(name: "no agent database", prepare: "rm x_agent.db"),
        State(name: "exchanged files", prepare: "mv x_chat.db y; mv x_agent.db x_chat.db; mv y x_agent.db"),
        State(name: "one file twice", prepare: "cp x_chat.db x_agent.db"),
        State(
            name: "two programs", make: { try SimplexFolder().run },
            prepare: "$CHATDB migrate run -d y; cp y_agent.db simplex_v1_agent.db", store: "simplex_v1"),
        State(
            name: "SimpleX Chat without an active profile", make: { try SimplexFolder().run },
            prepare: "sqlite3 simplex_v1_chat.db 'UPDATE users SET active_user = 0'", store: "simplex_v1"),
        State(
            name: "SimpleX Chat without servers", make: { try SimplexFolder().run },
            prepare: "sqlite3 simplex_v1_chat.db 'UPDATE protocol_servers SET enabled = 0'", store: "simplex_v1"),
        State(name: "two stores", prepare: "$CHATDB migrate run -d y; cp y_agent.db x_agent.db"),
        State(
            name: "an interrupted migration", make: { try MigrationFixture.interruptedStore() }, prepare: ""),
        State(name: "a broken record", prepare: "echo x > x.migrating"),
        State(name: "a broken record of a restore", prepare: "mkdir x.restoring; echo x > x.restoring/restore.json"),
        State(name: "a file that is no database", prepare: "echo hello > x_agent.db"),
        State(name: "a damaged page", prepare: page),
        State(
            name: "an edited migration",
            prepare: "\(sql) \"UPDATE migrations SET checksum = 'x' WHERE name = '20260608_search'\""),
        State(name: "another table", prepare: "\(sql) 'CREATE TABLE more (a)'"),
        State(name: "a lost index", prepare: "\(sql) 'DROP INDEX idx_files_user_id'"),
        State(name: "a missing table", prepare: "\(sql) 'DROP TABLE chat_tags_chats'"),
        State(
            name: "a view for a table",
            prepare: "\(sql) 'ALTER TABLE chat_tags RENAME TO old; CREATE VIEW chat_tags AS SELECT * FROM old'"),
        State(name: "no active profile", prepare: "\(sql) 'UPDATE users SET active_user = 0'"),
        State(
            name: "two active profiles",
            prepare: "\(sql) 'DROP INDEX idx_users_active_user; UPDATE users SET active_user = 1'"),
        State(name: "no relays", prepare: "\(sql) 'UPDATE chat_relays SET enabled = 0'"),
        State(name: "operators off", prepare: "\(sql) 'UPDATE server_operators SET enabled = 0'"),
        State(name: "no servers", prepare: "\(sql) 'UPDATE protocol_servers SET enabled = 0'"),
        State(
            name: "an older store without servers", make: { try MigrationFixture.oldStore() },
            prepare:
                "\(sql) \"INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (1, 'a', 'a')\" "
                + "|| true"),
        State(
            name: "a channel without an active relay",
            prepare: "\(sql) 'UPDATE groups SET creating_in_progress = 0'"),
        State(
            name: "a channel whose relays are lost",
            prepare: "\(sql) 'UPDATE groups SET creating_in_progress = 0; "
                + "UPDATE group_relays SET chat_relay_id = 99 + chat_relay_id'"),
        State(
            name: "a channel without a relay",
            prepare: "\(sql) 'UPDATE groups SET creating_in_progress = 0; DELETE FROM group_relays'"),
        State(name: "files of a killed restore", prepare: "mkdir x.restoring; cp x_chat.db x.restoring"),
        State(name: "a lost profile", prepare: "\(sql) 'DELETE FROM users WHERE user_id = 1'"),
        State(name: "no profile that is left", prepare: "\(sql) 'DELETE FROM users'"),
        State(name: "a lost channel", prepare: "\(sql) 'DELETE FROM groups'"),
        State(
            name: "a lost membership of the profile",
            prepare: "\(sql) \"DELETE FROM group_members WHERE member_category = 'user'\""),
        State(
            name: "a lost group of SimpleX Chat", make: { try HintSituation.healthySimplexStore() },
            prepare: "sqlite3 simplex_v1_chat.db 'DELETE FROM groups WHERE group_id = 1'", store: "simplex_v1"),
    ]

    /// The finding that says the same as a warning.
    private static let findings: [(warning: String, ids: Set<String>)] = [
        ("database is missing (", ["missingDatabase"]),
        ("a migration begun at ", ["interruptedMigration"]),
        ("x.migrating", ["interruptedMigration"]), ("a restore of ", ["interruptedRestore"]),
        ("a change of the passphrase begun", ["interruptedPassphraseChange"]),
        ("a change of the passphrase was killed", ["abandonedFiles"]),
        ("restore.json", ["interruptedRestore"]), ("files were exchanged", ["exchangedFiles"]),
        ("contains a chat database", ["exchangedFiles", "copiedDatabase"]),
        ("contains an agent database", ["exchangedFiles", "copiedDatabase"]),
        ("are of different programs", ["foreignPair"]), ("do not belong together", ["mismatchedPair"]),
        ("is older than this build", ["olderVersion"]), ("is newer than this build", ["newerVersion"]),
        ("has another history", ["otherHistory"]), ("lost rows: do not migrate it", ["lostMigrations"]),
        ("which comes before migrations that are applied", ["otherHistory", "lostMigrations"]),
        ("were edited after being applied", ["editedMigration"]), ("is a view, not a table", ["viewForTable"]),
        ("are not shown", ["chatDamaged", "unreadableDatabase", "chatSchemaMissing"]),
        (
            "from that of its version",
            [
                "chatSchemaDrift", "chatSchemaLost", "chatSchemaMissing", "chatDuplicateRow", "agentSchemaDrift",
                "agentSchemaLost", "agentSchemaMissing",
            ]
        ),
        ("x_agent.db", ["unreadableDatabase"]), ("x_chat.db", ["unreadableDatabase"]),
        ("No profile is active.", ["noActiveProfile"]), ("profiles are active.", ["severalActiveProfiles"]),
        ("No chat relays enabled.", ["noEnabledRelays"]), ("No SMP servers enabled.", ["noEnabledSMPServers"]),
        ("No XFTP servers enabled.", ["noEnabledXFTPServers"]),
        ("lost, and other rows still refer to", ["chatDanglingReference"]),
        ("lost, and its members still refer to it", ["chatDanglingReference"]),
        ("has lost the membership of the profile", ["groupWithoutOwnMember"]),
        ("has no relay.", ["channelWithoutRelay"]), ("has lost the rows of its relays", ["channelWithoutRelay"]),
        ("no active relay.", ["channelWithoutActiveRelay"]), ("known to be active.", ["channelWithoutActiveRelay"]),
    ]

    @Test("check finds everything that inspect warns of", arguments: states)
    func same(_ state: State) throws {
        let store = try state.make()
        let prepared = try store.shell("set -e\n\(state.prepare)")
        #expect(prepared.code == 0, "\(state.name): \(prepared.errors)")
        let shown = try store.shell("$CHATDB inspect -d \(state.store) --format json").answer()["warnings"]?.texts ?? []
        let run = try store.shell("$CHATDB check -d \(state.store) --format json")
        let found = Set(try run.answer()["findings"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? [])
        if !state.name.hasSuffix("older store without servers") {
            #expect(!shown.isEmpty, "\(state.name): inspect warns of nothing")
        }
        for warning in shown {
            guard let expected = Self.findings.first(where: { warning.contains($0.warning) }) else {
                Issue.record("\(state.name): no finding is known for: \(warning)")
                continue
            }
            #expect(!found.isDisjoint(with: expected.ids), "\(state.name): \(warning): \(found.sorted())")
        }
    }

    @Test("every warning of inspect about profiles has a check, and every check has a remedy")
    func kinds() {
        for kind in StoreWarning.Kind.allCases {
            #expect(StoreCheck.all.contains { $0.id == kind.checkID }, "\(kind)")
            #expect(Remedies.remedy(for: kind.checkID, in: .chatdb) != nil, "\(kind)")
        }
    }

    @Test("a value that cannot be read is reported with its column and row, and without the value")
    func row() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE groups SET chat_ts = 'soon'")
        let run = try demo("group", "show", "id:1", "-u", "alice")
        #expect(run.code == 65, "\(run.errors)")
        #expect(
            run.errors.contains(
                "column chat_ts holds another text where a time is expected, in the row with group_id 1"))
        #expect(!run.errors.contains("soon"))
    }

    @Test("check counts the channels without an active relay, as inspect does")
    func channels() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE groups SET creating_in_progress = 0")
        let warnings = try demo("inspect", "--format", "json").answer()["warnings"]?.texts ?? []
        #expect(warnings.contains { $0.contains("1 channel has no active relay.") }, "\(warnings)")
        let findings = try demo("check", "--format", "json").answer()["findings"]?.arrayValue ?? []
        let found = findings.first { $0["id"] == "channelWithoutActiveRelay" }
        #expect(found?["count"] == 1 && found?["sample"] == ["group 1 (profile 1)"], "\(String(describing: found))")
    }

    @Test("inspect warns of lost profiles, channels and memberships, and its next commands have check")
    func losses() throws {
        let losses = [
            ("DELETE FROM users WHERE user_id = 1", "1 profile is lost, and other rows still refer to it."),
            ("DELETE FROM groups", "1 group or channel is lost, and its members still refer to it."),
            (
                "DELETE FROM group_members WHERE member_category = 'user'",
                "alice: 1 channel has lost the membership of the profile. Channel: news."
            ),
        ]
        for (sql, warning) in losses {
            let demo = try DemoStore.make()
            try demo.sql("PRAGMA foreign_keys = OFF; \(sql)")
            let answer = try demo("inspect", "--format", "json").answer()
            let warnings = answer["warnings"]?.texts ?? []
            #expect(warnings.contains(warning), "\(sql): \(warnings)")
            #expect(answer["next"]?.texts?.contains { $0.hasPrefix("chatdb check ") } == true, "\(sql)")
        }
    }

    @Test("check reports a channel without a relay once, and inspect warns of it")
    func channelsWithoutRelay() throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM group_relays")
        let answer = try demo("inspect", "--format", "json").answer()
        let warning = "alice: 1 channel has lost the rows of its relays: their status is unknown. Channel: news."
        #expect(answer["warnings"]?.texts == [warning])
        #expect(answer["next"]?.texts?.first?.hasPrefix("chatdb group relays id:1 --user id:1 ") == true)
        let findings = try demo("check", "--format", "json").answer()["findings"]?.arrayValue ?? []
        #expect(findings.map { $0["id"] } == ["channelWithoutRelay"])
        #expect(findings.first?["count"] == 1 && findings.first?["sample"] == ["group 1 (profile 1)"], "\(findings)")
        let title = findings.first?["message"]?.stringValue ?? ""
        #expect(title.contains("lost the rows of their relays"), "\(findings)")
        // Another owner knows the relays as members only.
        try demo.sql("UPDATE group_members SET member_status = 'connected' WHERE member_category = 'user'")
        #expect(try demo("inspect", "--format", "json").answer()["warnings"]?.texts == [])
        #expect(try demo("check").output == "The store is in order.\n")
        // Without the members, nothing shows that a row is lost.
        try demo.sql(
            """
            UPDATE group_members SET member_status = 'creator' WHERE member_category = 'user';
            UPDATE group_members SET member_status = 'left' WHERE member_role = 'relay'
            """)
        let bare = try demo("inspect", "--format", "json").answer()["warnings"]?.texts
        #expect(bare == ["alice: 1 channel has no relay. Subscribers can neither read nor join it. Channel: news."])
    }

    @Test("check leaves out, with the reason, the warnings of inspect that it could not read")
    func unreadable() throws {
        let demo = try DemoStore.make()
        try demo.sql("DROP TABLE group_relays")
        let run = try demo("check", "--format", "json")
        let leftOut = try run.answer()["leftOut"]?.arrayValue ?? []
        #expect(leftOut.contains { $0["id"] == "channelWithoutActiveRelay" && $0["reason"] == "failed" }, "\(leftOut)")
        #expect(try demo("check").output.contains("not checked: no such table: group_relays"))
    }

    @Test("migrate status says that a migration is out of order, and what to do")
    func outOfOrder() throws {
        let demo = try DemoStore.make()
        let folder = try MigrationFixture.migrationsFolder(in: demo)
        try MigrationFixture.write(
            ["20260714_between.up.sql": "-- Why: a test.\nCREATE TABLE between_two (a INTEGER) STRICT;"],
            to: folder + "/chat")
        let status = ["migrate", "status", "--migrations-dir", folder]
        let text = try demo(status)
        #expect(
            text.output.contains(
                "warning: chat out of order: 20260714_between is not applied, although "
                    + "20261124_relay_service is."))
        #expect(
            text.output.contains("give it a date after 20261124_relay_service") && !text.output.contains("pending:"))
        #expect(try demo(status + ["--format", "json"]).answer()["chat"]?["outOfOrder"]?.texts == ["20260714_between"])
        // The advice works.
        #expect(text.output.contains("chatdb migrate up --allow-out-of-order REASON --migrations-dir"))
        let file = folder + "/chat/20260714_between.up.sql"
        try FileManager.default.moveItem(atPath: file, toPath: folder + "/chat/20261125_between.up.sql")
        #expect(try demo(status).output.contains("chat pending: 20261125_between"))
        #expect(try demo("migrate", "up", "--migrations-dir", folder).code == 0)
        #expect(try demo(status + ["--format", "json"]).answer()["chat"]?["outOfOrder"]?.texts == [])
    }
}
