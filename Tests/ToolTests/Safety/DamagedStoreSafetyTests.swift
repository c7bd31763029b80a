import ChatDBKit
import Foundation
import Testing

/// Damage: every command reports which database is damaged, the state, and what to do.
@Suite("safety of damaged stores") struct DamagedStoreSafetyTests {
    /// A store with a damaged page of the chat database: the root of this table or index.
    private func damaged(_ name: String) throws -> ToolRun {
        let demo = try DemoStore.make()
        let root = try #require(UInt64(demo.sql("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'")))
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: demo.file("x_chat.db")))
        try file.seek(toOffset: (root - 1) * 4096)
        try file.write(contentsOf: Data(count: 4096))
        try file.close()
        return demo
    }

    @Test("a command that meets damage names the store and what to do")
    func named() throws {
        let demo = try damaged("chat_relays")
        for command in [["relay", "usage"], ["relay", "list"]] {
            let run = try demo(command + ["--format", "json", "-d", demo.store])
            let error = try run.refusal()
            #expect(run.code == 66 && error["code"] == "damaged")
            #expect(error["message"]?.stringValue?.hasPrefix("\(demo.store): ") == true)
            #expect(error["hint"]?.stringValue?.contains("chatdb check -d \(demo.store)") == true)
        }
    }

    @Test("backup of a damaged store reports damage and the database, and leaves no files")
    func backup() throws {
        for name in ["chat_relays", "chat_items"] {
            let demo = try damaged(name)
            let before = try demo.folder.fingerprint().filter { $0.key.hasSuffix(".db") }
            let run = try demo("backup", "--format", "json")
            let error = try run.refusal()
            #expect(run.code == 66 && error["code"] == "damaged", "\(run.errors)")
            #expect(error["message"]?.stringValue?.hasPrefix("the chat database is damaged: ") == true)
            #expect(error["message"]?.stringValue?.contains("it is damaged") == false)
            #expect(error["state"] == "Nothing was changed.")
            #expect(error["hint"]?.stringValue?.contains("--backup-dir") == false)
            #expect(try demo.folder.fingerprint().filter { $0.key.hasSuffix(".db") } == before)
            #expect(!FileManager.default.fileExists(atPath: demo.file("x.backups")))
        }
    }

    @Test("check calls nothing in a damaged file fixable, and --fix refuses with the state")
    func check() throws {
        let demo = try damaged("chat_items")
        try demo.sql("INSERT INTO users (deleted) VALUES (0)", in: "x_agent.db")
        let run = try demo("check", "--format", "json")
        let findings = try run.answer()["findings"]?.arrayValue ?? []
        #expect(findings.contains { $0["id"] == "chatDamaged" })
        #expect(!findings.contains { $0["id"] == "searchIndex" || $0["fixable"] == true })
        // Checks that failed for one reason share one sentence.
        let failed = try demo("check").output.split(separator: "\n").filter { $0.contains("not checked: ") }
        #expect(failed.count == Set(failed.map { $0.components(separatedBy: "not checked: ").last }).count)
        #expect(failed.count < (try run.answer()["leftOut"]?.arrayValue ?? []).count)
        let fix = try demo("check", "--fix", "--yes", "--format", "json")
        #expect(fix.code == 66)
        #expect(try fix.refusal()["state"] == "Nothing was changed.")
        // Words of chatdb's own are no names of the file.
        let message = try fix.refusal()["message"]?.stringValue ?? ""
        #expect(message.contains("chat_items") && !message.contains("other"), "\(message)")
    }

    @Test("of a damaged database, check gives no remedy for rows that may look wrong only because of the damage")
    func doubtful() throws {
        let demo = try damaged("chat_tags")
        try demo.sql("UPDATE groups SET conn_link_started_connection = 1")
        try demo.sql("INSERT INTO users (deleted) VALUES (0)", in: "x_agent.db")
        let answer = try demo("check", "--format", "json").answer()
        let findings = answer["findings"]?.arrayValue ?? []
        func remedy(_ id: String) -> String? { findings.first { $0["id"] == .string(id) }?["remedy"]?.stringValue }
        #expect(remedy("startedWithoutLink") == "" && remedy("unfinishedChannel") == "", "\(answer)")
        #expect(remedy("agentProfileWithoutProfile") == "", "it reads both databases")
        #expect(remedy("chatDamaged")?.contains("chatdb restore FOLDER") == true)
        let note = "the chat database is damaged, and findings without a remedy may come from the damage"
        #expect(answer["notes"]?.arrayValue?.count { $0.stringValue?.hasPrefix(note) == true } == 1)
        let text = try demo("check").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("\(note): restore a backup first") && !text.contains("chatdb group"), "\(text)")
        #expect(try demo("check", "--format", "csv").errors.contains(note))
        let whole = try DemoStore.make()("check", "--format", "json").answer()
        #expect(whole["notes"]?.arrayValue?.isEmpty == true && whole["findings"]?[0]?["remedy"] != "")
    }

    @Test("of a damaged index, the note names the finding about it, and no backup, because no row is lost")
    func damagedIndex() throws {
        let demo = try damaged("idx_group_relays_chat_relay_id")
        let answer = try demo("check", "--format", "json").answer()
        let notes = answer["notes"]?.texts ?? []
        #expect(notes.contains { $0.hasSuffix("no row is lost, so see chatDamaged first") }, "\(answer)")
        #expect(!notes.contains { $0.contains("restore a backup") }, "\(notes)")
    }

    @Test("check does not pass half a store, or a store of another program")
    func halves() throws {
        let lone = try DemoStore.make()
        try FileManager.default.removeItem(atPath: lone.file("x_agent.db"))
        let answer = try lone("check", "--format", "json").answer()
        #expect(
            answer["findings"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == [
                "missingDatabase", "unfinishedChannel",
            ])
        let text = try lone("check").output
        #expect(!text.contains("in order") && text.contains("checks were left out, because the agent database"))
        #expect(
            try lone("inspect", "--format", "json").answer()["warnings"]?.texts?.first
                == "the agent database is missing (\(lone.file("x_agent.db")))")
        let simplex = try SimplexFolder()
        let checked = try simplex(["check"])
        #expect(checked.output.contains("checks were left out, because they apply only to chatdb's own stores"))
        let newer = try DemoStore.finished()
        #expect(try newer("check").output == "The store is in order.\n")
        try newer.sql("INSERT INTO migrations VALUES ('20990101_future', '2099-01-01 00:00:00.000', NULL, NULL, NULL)")
        let found = try newer("check", "--format", "json").answer()
        #expect(found["findings"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == ["newerVersion"])
        #expect(found["leftOut"]?.arrayValue?.isEmpty == false)
    }

    @Test("backup offers chatdb restore only where that would work, and otherwise explains the manual way")
    func offers() throws {
        let lone = try DemoStore.make()
        try FileManager.default.removeItem(atPath: lone.file("x_agent.db"))
        let mixed = try DemoStore.make()
        try mixed.sql("UPDATE store SET store_id = 'another'")
        for store in [lone, mixed] {
            let shown = try store("backup")
            #expect(shown.code == 0 && !shown.output.contains("chatdb restore /"))
            #expect(shown.output.contains("Close all programs that use the store"))
            #expect(try store("backup", "--format", "json").answer()["restore"] == .null)
        }
        // SimplexRestoreTests runs this command.
        let simplex = try SimplexFolder()
        let shown = try simplex.run("backup", "-d", simplex.store.location.prefix)
        #expect(shown.code == 0 && shown.output.contains("chatdb restore /"))
        let newer = try MigrationFixture.newerStore()
        let offer = try #require(newer("backup", "--format", "json").answer()["restore"]?.stringValue)
        #expect(offer.hasSuffix(" --force"))
        #expect(try newer.shell("\"$CHATDB\"\(offer.dropFirst("chatdb".count)) --yes").code == 0)
    }

    @Test("restore offers to undo itself only where that works, and reports the differences")
    func replaced() throws {
        let demo = try DemoStore.make()
        let path = try #require(demo("backup", "--format", "json").answer()["backup"]?["path"]?.stringValue)
        try demo.succeed("user", "add", "later")
        let whole = try demo("restore", path, "--yes", "--format", "json").answer()
        #expect(whole["undo"]?.stringValue?.hasSuffix(" --force") == true)
        #expect(whole["differences"]?.arrayValue?.contains { $0["table"] == "users" } == true)
        try Data("hello".utf8).write(to: URL(fileURLWithPath: demo.file("x_chat.db")))
        let broken = try demo("restore", path, "--yes", "--format", "json").answer()
        #expect(broken["undo"] == .null && broken["replaced"]?.stringValue != nil)
    }
}
