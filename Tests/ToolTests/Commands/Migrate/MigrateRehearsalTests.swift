import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// `migrate verify --data`: a run on a private copy, in the test's own folder for temporary files.
@Suite struct MigrateRehearsalTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func rehearse(_ chatdb: ToolRun, _ arguments: String...) throws -> ToolRun.Outcome {
        try chatdb(
            ["migrate", "verify", "--data", chatdb.store, "--format", "json"] + arguments,
            environment: ["TMPDIR": temporary.path])
    }

    private func left() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: temporary.path) }

    @Test("it reports the time and space of each step; the store is unchanged, and no copy is left")
    func steps() throws {
        let chatdb = try MigrationFixture.oldStore()
        let before = try chatdb.folder.fingerprint()
        let run = try rehearse(chatdb)
        #expect(run.code == 0 && run.errors.isEmpty)
        let steps = try run.answer()["steps"]?.arrayValue ?? []
        #expect(steps.map { $0["name"]?.stringValue?.hasPrefix("2026") } == Array(repeating: true, count: 10))
        #expect(steps.map { $0["database"] } == ["agent", "agent"] + Array(repeating: "chat", count: 8))
        #expect(steps.allSatisfy { ($0["peakBytes"]?.integerValue ?? 0) >= ($0["bytes"]?.integerValue ?? 1) })
        #expect(try chatdb.folder.fingerprint() == before)
        #expect(try left().isEmpty)
        let chat = try rehearse(chatdb, "--only", "chat").answer()["steps"]?.arrayValue ?? []
        #expect(chat.map { $0["database"] } == Array(repeating: "chat", count: 8))
    }

    @Test("on a terminal of 80 columns it is a table, and says that nothing was changed")
    func terminal() throws {
        let shown = try MigrationFixture.oldStore().onTerminal("migrate", "verify", "--data", "x", "--no-progress")
            .output
        let lines = shown.split(separator: "\n")
        #expect(lines.first?.hasPrefix("Database  Migration") == true)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(shown.contains("The store was only read; a run would migrate it to this version."))
    }

    @Test("it lists the data that a run would delete: as a table, in JSON, and for CSV on standard error")
    func losses() throws {
        let chatdb = try MigrationFixture.newerStore()
        let lost: JSONValue = [
            ["database": "chat", "kind": "table", "table": "notes", "column": .null, "rows": 2]
        ]
        #expect(try rehearse(chatdb, "--yes").answer()["losses"] == lost)
        let arguments = ["migrate", "verify", "--data", chatdb.store, "--yes"]
        let text = try chatdb(arguments).output
        #expect(text.contains("Data that a run would lose\n") && text.contains("(the whole table)"), "\(text)")
        #expect(!text.contains("No table would have fewer rows."))
        let csv = try chatdb(arguments + ["--format", "csv"])
        #expect(csv.errors.contains("lost: notes in the chat database, 2 rows"), "\(csv)")
        let old = try MigrationFixture.oldStore()
        #expect(try rehearse(old).answer()["losses"] == [])
        #expect(try old("migrate", "verify", "--data", "x").output.contains("No table would have fewer rows."))
    }

    @Test("a store at this version has nothing to rehearse")
    func nothingToDo() throws {
        let chatdb = try DemoStore.empty()
        #expect(try rehearse(chatdb).answer()["steps"] == [])
        #expect(
            try chatdb("migrate", "verify", "--data", "x").output
                == "Nothing to do: the store is at this version, so no migration was rehearsed.\n")
    }

    @Test("a rehearsal runs SQL stored in a newer store only with consent")
    func newer() throws {
        let chatdb = try MigrationFixture.newerStore()
        let before = try chatdb.folder.fingerprint()
        let refused = try rehearse(chatdb)
        #expect(refused.code == 64 && refused.output.isEmpty)
        #expect(try refused.refusal()["code"] == "confirmationNeeded")
        #expect(try left().isEmpty)
        let run = try rehearse(chatdb, "--yes")
        #expect(run.code == 0)
        #expect(try run.answer()["steps"]?.arrayValue?.map { $0["direction"] } == ["down"])
        let asked = try TerminalRun(
            ["migrate", "verify", "--data", chatdb.store], in: chatdb, environment: ["TMPDIR": temporary.path])
        let question = try asked.terminal.read(until: "[y/N] ")
        #expect(question.contains("from the store") && question.contains("DROP TABLE notes;"))
        asked.terminal.type("n\n")
        #expect(try asked.end().code == 1)
        #expect(try chatdb.folder.fingerprint() == before)
        #expect(try left().isEmpty)
    }

    @Test("a rehearsal finds what a run would refuse: exit 65, the store is unchanged, and no copy is left")
    func failing() throws {
        let chatdb = try MigrationFixture.newerStore()
        let folder = chatdb.file("migrations")
        try MigrationFixture.write(
            ["20991231_notes_gone.up.sql": "-- Why: a test.\nDELETE FROM notes;"], to: folder + "/chat")
        let before = try chatdb.folder.fingerprint()
        let run = try rehearse(chatdb, "--migrations-dir", folder)
        #expect(run.code == 65 && run.output.isEmpty)
        #expect(try run.refusal()["message"]?.stringValue?.contains("would lose rows of notes") == true)
        #expect(try run.refusal()["state"] == "The store was only read, and no copy of it is left.")
        #expect(try chatdb.folder.fingerprint() == before)
        #expect(try left().isEmpty)
    }

    @Test("Ctrl-C stops it: exit 130, and no copy is left")
    func interrupted() throws {
        let (_, run) = try endless()
        run.interrupt()
        let end = try run.end()
        #expect(end.code == 130 && end.answer.isEmpty, "\(end)")
        #expect(end.shown.contains("The store was only read"))
        #expect(try left().isEmpty)
    }

    @Test("the next rehearsal removes the copy of a killed one, and keeps that of a running one")
    func killed() throws {
        let (chatdb, dead) = try endless()
        dead.kill()
        _ = try dead.end()
        let abandoned = try left()
        #expect(abandoned.count == 1 && abandoned.first?.hasPrefix("chatdb-rehearsal-") == true)
        let (_, living) = try endless()
        let both = try left()
        #expect(both.count == 1 && both != abandoned)
        #expect(try rehearse(chatdb).code == 0)
        #expect(try left() == both)
        living.interrupt()
        _ = try living.end()
        #expect(try left().isEmpty)
    }

    /// A rehearsal that has reached a migration without an end.
    private func endless() throws -> (ToolRun, TerminalRun) {
        let chatdb = try MigrationFixture.oldStore()
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        try MigrationFixture.write(["20991231_endless.up.sql": MigrationFixture.endless], to: folder + "/chat")
        let run = try TerminalRun(
            ["migrate", "verify", "--data", chatdb.store, "-v", "--no-progress", "--migrations-dir", folder],
            in: chatdb, environment: ["TMPDIR": temporary.path])
        _ = try run.terminal.read(until: "up 20991231_endless")
        return (chatdb, run)
    }

    @Test("--only rehearses one database alone, and the hint names the option")
    func loneDatabase() throws {
        let chatdb = try MigrationFixture.oldStore()
        try FileManager.default.removeItem(atPath: chatdb.file("x_agent.db"))
        let refused = try rehearse(chatdb)
        #expect(refused.code == 66)
        #expect(try refused.refusal()["code"] == "incompleteStore")
        #expect(try refused.refusal()["hint"]?.stringValue?.hasSuffix("--only chat") == true)
        #expect(try rehearse(chatdb, "--only", "chat").code == 0)
        #expect(try left().isEmpty)
    }

    @Test("no store, and a store of SimpleX Chat: refused, and no file is created")
    func refused() throws {
        let chatdb = try ToolRun()
        let missing = try rehearse(chatdb)
        #expect(missing.code == 66)
        #expect(try missing.refusal()["code"] == "storeNotFound" && missing.refusal()["state"] == nil)
        let file = try chatdb("migrate", "verify", "--data", "chat=nofile.db", "--format", "json")
        #expect(try file.refusal()["hint"] == "check the path of --data" && file.refusal()["state"] == nil, "\(file)")
        for name in ["x_chat.db", "x_agent.db"] {
            try chatdb.sql(
                """
                CREATE TABLE migrations (name TEXT NOT NULL PRIMARY KEY, ts TEXT NOT NULL, down TEXT);
                INSERT INTO migrations VALUES ('20220101_initial', '2022-01-01 00:00:00', NULL);
                """, in: name)
        }
        let foreign = try rehearse(chatdb)
        #expect(foreign.code == 1)
        #expect(try foreign.refusal()["code"] == "readOnlyStore")
        #expect(try left().isEmpty)
    }
}
