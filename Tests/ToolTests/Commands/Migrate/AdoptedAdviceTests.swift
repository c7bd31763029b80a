import Foundation
import Testing

@testable import ChatDBTool

/// What commands say about a database that was adopted. Rule: docs/adoption.md.
@Suite("advice about an adopted database") struct AdoptedAdviceTests {
    private let chatdb: ToolRun
    private let arguments = ["--migrations-dir", "migrations", "--database", "chat=app.sqlite"]

    /// Adopts a database with the version of the first of two migrations.
    init() throws {
        chatdb = try ToolRun()
        try chatdb.sql(
            """
            CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE posts(id INTEGER PRIMARY KEY, author INTEGER REFERENCES users(id));
            """, in: "app.sqlite")
        let folder = chatdb.file("migrations/chat")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let first = try chatdb.succeed("schema", "dump", "--database", "chat=app.sqlite").output
        try first.write(toFile: folder + "/20260101_first.up.sql", atomically: false, encoding: .utf8)
        try "ALTER TABLE users ADD COLUMN colour TEXT;\n".write(
            toFile: folder + "/20260201_colour.up.sql", atomically: false, encoding: .utf8)
        let made = try chatdb(["migrate", "baseline", "--yes", "--to", "20260101_first"] + arguments)
        try #require(made.code == 0, "\(made.errors)")
    }

    @Test("a plan says that a run will be refused because of an unknown trigger, and ends with its exit code")
    func plannedTrigger() throws {
        try chatdb.sql("CREATE TRIGGER Loud AFTER INSERT ON users BEGIN SELECT 1; END", in: "app.sqlite")
        let plan = try chatdb(["migrate", "plan", "--format", "json"] + arguments)
        let warning = try plan.answer()["warnings"]?.texts?.first ?? ""
        #expect(warning.hasPrefix("the run will be refused: the chat database has "), "\(plan)")
        #expect(warning.contains("differ from it: Loud; chatdb schema diff "), "\(warning)")
        let shown = try chatdb(["migrate", "up", "--dry-run"] + arguments)
        #expect(shown.code == 1 && shown.output.contains("the run will be refused"), "\(shown)")
        #expect(try chatdb(["migrate", "run", "--yes"] + arguments).code == plan.code && plan.code == 1)
        // Without steps there is no run to refuse.
        try FileManager.default.removeItem(atPath: chatdb.file("migrations/chat/20260201_colour.up.sql"))
        #expect(try chatdb(["migrate", "plan"] + arguments).code == 0)
    }

    @Test("a plan says that a run will be refused because a view would lack its table, and ends with its exit code")
    func plannedView() throws {
        let folder = chatdb.file("migrations/chat")
        try "CREATE VIEW Written AS SELECT id FROM posts;\nALTER TABLE users ADD COLUMN colour TEXT;\n".write(
            toFile: folder + "/20260201_colour.up.sql", atomically: false, encoding: .utf8)
        try "-- chatdb: data-loss\nDROP TABLE posts;\n".write(
            toFile: folder + "/20260301_silent.up.sql", atomically: false, encoding: .utf8)
        let run = try chatdb(["migrate", "run", "--yes"] + arguments)
        #expect(run.code != 0 && run.errors.contains("Written"), "\(run)")
        let plan = try chatdb(["migrate", "plan"] + arguments)
        #expect(plan.code == run.code && plan.output.contains("the run will be refused: "), "\(plan) \(run)")
    }

    @Test("the remedy for lost rows speaks of rows, and not of chats")
    func lostRows() throws {
        try chatdb.sql("PRAGMA foreign_keys = OFF; INSERT INTO posts VALUES (1, 99)", in: "app.sqlite")
        let findings = try chatdb(["check", "--format", "json"] + arguments).answer()["findings"]?.arrayValue ?? []
        let remedy = findings.first { $0["id"] == "chatDanglingReference" }?["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("Delete no row because of them") && !remedy.contains("chats"), "\(findings)")
    }
}
