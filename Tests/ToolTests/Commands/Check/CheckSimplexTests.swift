import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Rule: docs/checks.md.
@Suite("check of stores of SimpleX Chat")
struct CheckSimplexTests {
    /// Checks a store as the command does.
    private func checked(_ store: SimplexStore) throws -> CheckedStore {
        try CheckedStore.check(store.location, with: SQLiteEngine(), Output(.json, terminal: Terminal()))
    }

    @Test("A healthy store has no finding", arguments: SimplexStore.versions)
    func healthy(_ version: SimplexStore.Version) throws {
        let checkup = try checked(SimplexStore(version, isHealthy: true)).checkup
        #expect(checkup.findings.map { "\($0.id): \($0.sample)" } == [])
        // Left out are the rules that only chatdb keeps, and what the facts about a version do not allow. The relays of
        // the channel have no connections in either database.
        let general = Set(StoreCheck.all.filter(\.isGeneral).map(\.id))
        let others = checkup.leftOut.filter { $0.reason != .otherProgram }
        #expect(
            others.map(\.id) == ["transferWithoutAgentFile"]
                + (version.hasRelays
                    ? ["groupRelayWithoutConnection"] : ["channelWithoutRelay", "channelWithoutLink"]))
        let unchecked = Set(checkup.leftOut.filter { $0.reason == .otherProgram }.map(\.id)).intersection(general)
        #expect(
            unchecked == ["chatSchemaLost", "chatDuplicateRow", "agentSchemaLost", "agentDuplicateRow"])
    }

    @Test("A fault is found, reported by number, and nothing else is", arguments: SimplexFault.all)
    func found(_ fault: SimplexFault) throws {
        let store = try SimplexStore(isHealthy: true)
        for sql in fault.chat { try store.execute(sql) }
        for sql in fault.agent { try store.execute(sql, in: .agent) }
        let checkup = try checked(store).checkup
        #expect(checkup.findings.map(\.id) == [fault.id])
        let finding = try #require(checkup.findings.first)
        #expect(finding.sample.map(\.description) == fault.sample)
        #expect(finding.count == fault.count ?? fault.sample.count)
        if let detail = fault.detail { #expect(finding.detail == detail) }
        #expect(!finding.isFixable)
    }

    @Test("A fault is found in the oldest described version too, if that version can have it")
    func oldest() throws {
        var applied = 0
        for fault in SimplexFault.all {
            let store = try SimplexStore(SimplexStore.versions[0], isHealthy: true)
            do {
                for sql in fault.chat { try store.execute(sql) }
                for sql in fault.agent { try store.execute(sql, in: .agent) }
            } catch {
                // The version lacks the table or column.
                continue
            }
            applied += 1
            #expect(try checked(store).checkup.findings.map(\.id) == [fault.id])
        }
        #expect(applied > 30)
    }

    @Test(
        "connections that the agent lacks are called the newest ones only if all of them are", arguments: [true, false])
    func newest(_ areNewest: Bool) throws {
        let store = try SimplexStore(isHealthy: true)
        for number in 901...902 {
            try store.execute(
                """
                INSERT INTO connections (connection_id, agent_conn_id, conn_level, conn_status, conn_type, user_id, created_at,
                    updated_at)
                SELECT \(areNewest ? number : number - 1_800), CAST('new\(number)' AS BLOB), conn_level, conn_status, conn_type,
                    user_id, created_at, updated_at FROM connections WHERE connection_id = 1
                """)
        }
        let found = try #require(checked(store).checkup.findings.first { $0.id == "connectionWithoutAgent" })
        #expect(found.count == 2)
        #expect((found.detail == "they are the newest ones") == areNewest)
        let remedy = found.remedy(in: .simplex).text()
        #expect(
            remedy.hasPrefix("The agent's file is older") == areNewest && !remedy.contains("If they are"), "\(remedy)")
    }

    @Test("JSON has the numbers of all rows up to 1000, and a text those of the first ten")
    func samples() throws {
        let store = try SimplexStore(isHealthy: true)
        try store.execute(
            """
            WITH RECURSIVE n (n) AS (SELECT 1001 UNION ALL SELECT n + 1 FROM n WHERE n < 2005)
            INSERT INTO contact_profiles (contact_profile_id, display_name, full_name, user_id, created_at, updated_at)
            SELECT n, 'd', CAST(x'FF' AS TEXT), 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00' FROM n
            """)
        let found = try checked(store)
        let finding = try #require(found.checkup.findings.first { $0.id == "invalidText" })
        #expect(finding.count == 1_005 && finding.sample.count == 1_000)
        let text = CheckReport(found: found, .none).explanation(of: finding)
        #expect(text.contains("contact_profiles 1010 full_name (not UTF-8), …."))
        #expect(!text.contains("contact_profiles 1011"))
    }

    @Test("Every check that runs on these stores has a fault that it finds here")
    func complete() {
        let given = Set(StoreCheck.all.filter { $0.isGiven && !$0.id.contains("Schema") }.map(\.id))
        let files = Set(["chatDamaged", "agentDamaged", "chatDamagedPage", "agentDamagedPage"])
        // Their tables are not described; the tests of chatdb's own stores have them.
        let undescribed = Set(["deliveryTaskWithoutMessage", "deliveryJobWithoutBody"])
        // Its proof is a finding too: LostRelaysTests.
        let twofold = Set(["groupRelayWithoutConnection"])
        let lost = Set(DatabaseName.allCases.flatMap { [StoreCheck.schemaLost($0), StoreCheck.duplicateRow($0)] })
        let general = Set(StoreCheck.all.filter(\.isGeneral).map(\.id))
        #expect(
            Set(SimplexFault.all.map(\.id))
                == general.subtracting(given).subtracting(files)
                .subtracting(undescribed).subtracting(lost).subtracting(twofold))
    }

    /// The tables of the agent that name a connection.
    private static let ofConnections = [
        "connections", "rcv_queues", "snd_queues", "messages", "snd_messages", "address_ratchet_keys",
    ]

    /// The checks whose findings follow from a mismatched pair.
    private static let following = [
        "profileWithoutAgent", "profileMarkedDeleted", "agentProfileWithoutProfile", "connectionWithoutAgent",
        "agentConnectionWithoutConnection", "connectionDeletedOnOneSide", "transferWithoutAgentFile",
        "groupRelayWithoutConnection",
    ]

    private func isFolded(_ checkup: CheckResult) -> Bool {
        checkup.leftOut.filter { $0.reason == .mismatchedPair }.map(\.id) == Self.following
    }

    @Test("The agent database of another store is one finding, and what follows from it is left out")
    func otherStore() throws {
        let store = try SimplexStore(isHealthy: true)
        for table in Self.ofConnections {
            try store.execute("UPDATE \(table) SET conn_id = CAST('z' || conn_id AS BLOB)", in: .agent)
        }
        let reason = "connections: the agent database lacks 2 of 2, and the chat database lacks 2 of 2"
        let checkup = try checked(store).checkup
        #expect(checkup.findings.map(\.id) == ["mismatchedPair"])
        #expect(checkup.findings.first?.sample == [.text(reason)])
        #expect(isFolded(checkup))
        try store.execute("UPDATE users SET user_id = user_id + 10", in: .agent)
        try store.execute("UPDATE connections SET user_id = user_id + 10", in: .agent)
        try store.execute("UPDATE client_services SET user_id = user_id + 10", in: .agent)
        let both = try checked(store).checkup
        #expect(both.findings.map(\.id) == ["mismatchedPair"])
        #expect(
            both.findings.first?.sample == [
                .text(reason),
                .text("profiles: the agent database has none of the profiles, and others instead"),
            ])
    }

    @Test("Versions that no release had together are a mismatched pair")
    func versions() throws {
        let pair = SimplexStore.Version(chat: "20260924", agent: "20250322")
        let checkup = try checked(SimplexStore(pair, isHealthy: true)).checkup
        #expect(checkup.findings.map(\.id) == ["mismatchedPair"])
        #expect(
            checkup.findings.first?.sample == [
                .text("versions: no release had agent 2025-03-22 and chat 2026-09-24 together")
            ])
        #expect(isFolded(checkup))
    }

    @Test("Profiles that the agent does not know are orphans while the connections agree")
    func orphans() throws {
        let store = try SimplexStore(isHealthy: true)
        for table in ["users", "connections", "client_services"] {
            try store.execute("UPDATE \(table) SET user_id = user_id + 10", in: .agent)
        }
        #expect(try checked(store).checkup.findings.map(\.id) == ["profileWithoutAgent", "agentProfileWithoutProfile"])
    }

    @Test("A list of migrations that lost rows is named as such, whether it is empty, lost, or ends too early")
    func lostMigrations() throws {
        let cases: [(sql: String, list: String)] = [
            ("DELETE FROM migrations", "the list is empty"), ("DROP TABLE migrations", "the list is empty"),
            ("DELETE FROM migrations WHERE name > '20260701'", "the list ends with 2026"),
        ]
        for one in cases {
            let store = try SimplexStore(isHealthy: true)
            try store.execute(one.sql)
            let checkup = try checked(store).checkup
            #expect(checkup.findings.map(\.id) == ["lostMigrations"], "\(one.sql)")
            let sample = checkup.findings.first?.sample.first?.description ?? ""
            #expect(sample.hasPrefix("chat: \(one.list)"), "\(sample)")
        }
        // The remedy is that of the app, although chatdb no longer knows the store by its list.
        let run = try ToolRun()
        let store = try SimplexStore(in: run.folder, isHealthy: true)
        try store.execute("DELETE FROM migrations")
        let answer = try run(["check", "-d", store.location.prefix, "--format", "json"]).answer()
        #expect(answer["findings"]?[0]?["remedy"]?.stringValue?.contains("Do not start the app") == true)
    }

    @Test("A view in the place of a table is named as such, and its rows are not called lost")
    func view() throws {
        let store = try SimplexStore(isHealthy: true)
        try store.execute("ALTER TABLE chat_tags RENAME TO old_tags", "CREATE VIEW chat_tags AS SELECT * FROM old_tags")
        let checkup = try checked(store).checkup
        #expect(checkup.findings.first { $0.id == "viewForTable" }?.sample == [.text("chat_tags")])
        #expect(!checkup.findings.contains { $0.id == "chatSchemaMissing" })
    }

    @Test("The time line has the names of versions")
    func timeline() throws {
        let run = try ToolRun()
        let store = try SimplexStore(in: run.folder, isHealthy: true)
        let answer = try run(["inspect", "-d", store.location.prefix, "--format", "json"]).answer()
        let last = answer["timeline"]?.arrayValue?.last {
            $0["database"] == "agent" && $0["event"] == "lastMigration"
        }
        #expect(last?["detail"] == answer["store"]?["agent"]?["version"] && last?["detail"] != nil)
        // A note about one check speaks of one.
        let text = try run(["check", "-d", store.location.prefix]).output
        #expect(text.contains("1 check was left out, because the store does not have what it reads"), "\(text)")
    }

    @Test("A version between two described ones has only the differences that neither explains; a newer one has none")
    func between() throws {
        let store = try SimplexStore(.init(chat: "20260222", agent: "20260410"), isHealthy: true)
        try store.execute(
            "INSERT INTO migrations VALUES ('20260403_item_viewed', '2026-04-03 00:00:00', NULL)",
            "ALTER TABLE chat_items ADD COLUMN item_viewed INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE chat_items ADD COLUMN item_liked INTEGER NOT NULL DEFAULT 0",
            "CREATE TABLE simplex_names (a INTEGER)", "ALTER TABLE contacts DROP COLUMN favorite")
        let checkup = try checked(store).checkup
        #expect(checkup.findings.map(\.id) == ["chatSchemaMissing", "chatSchemaDrift"])
        #expect(
            checkup.findings.map(\.sample) == [
                [.text("missing column contacts.favorite")],
                [
                    .text("extra column chat_items.item_liked"),
                    .text("extra table simplex_names, known since 2026-09-24"),
                ],
            ])
        try store.execute("INSERT INTO migrations VALUES ('20990101_future', '2099-01-01 00:00:00', NULL)")
        let newer = try checked(store).checkup
        #expect(!newer.findings.contains { $0.id.hasPrefix("chatSchema") })
        #expect(newer.leftOut.first { $0.id == "chatSchemaDrift" }?.reason == .otherVersion)
    }

    @Test("The answer of the command names the cause, what was left out, and a remedy in the app")
    func answer() throws {
        let run = try ToolRun()
        let store = try SimplexStore(in: run.folder, isHealthy: true)
        for table in Self.ofConnections {
            try store.execute("UPDATE \(table) SET conn_id = CAST('z' || conn_id AS BLOB)", in: .agent)
        }
        try store.execute(
            "INSERT INTO contact_profiles (contact_profile_id, display_name, full_name) VALUES (31, 'x', '')")
        let outcome = try run(["check", "-d", store.location.prefix, "--format", "json"])
        #expect(outcome.code == 1)
        let answer = try outcome.answer()
        let findings = answer["findings"]?.arrayValue ?? []
        #expect(findings.map { $0["id"]?.stringValue } == ["mismatchedPair", "unusedContactProfile"])
        #expect(findings.first?["remedy"]?.stringValue?.hasPrefix("Do not start the app") == true)
        #expect(findings.last?["detail"]?.stringValue?.hasPrefix("they hold ") == true)
        #expect(findings.first?["detail"] == .null)
        #expect(findings.allSatisfy { $0["fixable"] == false })
        let leftOut = answer["leftOut"]?.arrayValue ?? []
        #expect(
            leftOut.filter { $0["reason"] == "mismatchedPair" }.compactMap { $0["id"]?.stringValue } == Self.following)
        let text = try run(["check", "-d", store.location.prefix]).output
        #expect(text.contains("8 checks were left out, because the two databases do not belong together"))
        #expect(text.contains("refers to: they hold "))
    }

    @Test("Of the files that may be the missing database, only those are named whose rows fit the other database")
    func copied() throws {
        let run = try ToolRun()
        let store = try SimplexStore(in: run.folder, isHealthy: true)
        let (chat, agent) = (store.location.path(of: .chat), store.location.path(of: .agent))
        let (own, other) = (run.file("own.bin"), run.file("other.bin"))
        try FileManager.default.copyItem(atPath: agent, toPath: own)
        for table in Self.ofConnections {
            try store.execute("UPDATE \(table) SET conn_id = CAST('z' || conn_id AS BLOB)", in: .agent)
        }
        try FileManager.default.moveItem(atPath: agent, toPath: other)
        try FileManager.default.copyItem(atPath: chat, toPath: agent)
        let answer = try run(["check", "-d", store.location.prefix, "--format", "json"]).answer()
        let found = answer["findings"]?.arrayValue?.first { $0["id"] == "copiedDatabase" }
        let sample = found?["sample"]?.texts?.first ?? ""
        #expect(sample.contains("own.bin") && !sample.contains("other.bin"), "\(answer)")
    }

    @Test("A remedy for these stores names no command that writes, and each command that it names works on them")
    func remedies() throws {
        let run = try ToolRun()
        let store = try SimplexStore(in: run.folder, isHealthy: true)
        let words = ["GROUP": "news", "USER": "alice"]
        var tried: Set<HintedCommand> = []
        // A change of the passphrase is completed only where one was interrupted.
        for check in StoreCheck.all where check.isGeneral && check.id != StoreCheck.interruptedPassphraseChange {
            for command in Remedies.remedy(for: check.id, in: .simplex)?.commands ?? []
            where tried.insert(command).inserted {
                let before = try run.folder.fingerprint()
                let arguments = command.name.words.dropFirst() + command.arguments.map { words[$0] ?? $0 }
                let outcome = try run(arguments + ["-d", store.location.prefix])
                #expect(outcome.code == 0, "\(check.id): \(arguments): \(outcome.errors)")
                // A salvage writes a new store.
                let after = try run.folder.fingerprint().filter { before[$0.key] != nil || command.name != .salvage }
                #expect(after == before, "\(check.id): \(arguments)")
            }
        }
        #expect(!tried.isEmpty)
    }

    @Test("Each command that a remedy for chatdb's own stores names is accepted there")
    func ownRemedies() throws {
        let words = [
            "ADDRESS": DemoStore.otherRelay, "DATABASE": "chat", "GROUP": "news", "LINK": GroupNounTests.channelLink,
            "NAME": "new", "OPERATOR": "simplex", "RELAY": "mine", "ROW": "row:1", "SERVER": "id:1", "SQL": "SELECT 1",
            "USER": "alice",
        ]
        let newest = try #require(try MigrationSource.build.load()[.chat]?.last?.name)
        var tried: Set<HintedCommand> = []
        for check in StoreCheck.all where check.id != StoreCheck.interruptedPassphraseChange {
            for command in Remedies.remedy(for: check.id, in: .chatdb)?.commands ?? []
            where tried.insert(command).inserted {
                let demo = try DemoStore.make()
                #expect(try demo("backup", demo.file("b")).code == 0)
                let backup = try FileManager.default.contentsOfDirectory(atPath: demo.file("b")).first ?? ""
                if command.name == .presetImport {
                    #expect(try demo("preset", "export", "-o", demo.file("p.json")).code == 0)
                }
                let paths = ["FOLDER": demo.file("b/\(backup)"), "FILE": demo.file("p.json")]
                var arguments = command.arguments.map { paths[$0] ?? words[$0] ?? $0 }
                if command.name == .migrateBaseline { arguments = ["--to", newest] }
                let type = try #require(CommandTree.command(command.name.words))
                // `check` takes it with --fix only.
                let isReading = command.name == .check && command.arguments.isEmpty
                if !isReading, CommandTree.help(of: type).contains("--yes") { arguments.append("--yes") }
                let outcome = try demo(command.name.words.dropFirst() + arguments)
                // A rule may refuse it where nothing is wrong; a wrong command ends with another code.
                #expect([0, 1].contains(outcome.code), "\(check.id): \(arguments): \(outcome.errors)")
                #expect(!outcome.errors.contains("readOnlyStore"), "\(check.id): \(arguments)")
            }
        }
        #expect(tried.count > 20)
    }
}
