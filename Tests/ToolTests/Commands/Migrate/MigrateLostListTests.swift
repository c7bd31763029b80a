import ChatDBKit
import Foundation
import Testing

/// A run with a list of migrations that lost rows would apply or undo the wrong migrations. Rule: docs/migrations.md,
/// "A list that lost rows".
@Suite("migrate with a list of migrations that lost rows")
struct MigrateLostListTests {
    /// A loss of rows of the list of one database.
    struct Loss: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let database: DatabaseName
        let condition: String

        var file: String { "x_\(database).db" }
        var hint: String { "the schema of the \(database) database is newer than its list of migrations" }
    }

    private static let newest = "name = (SELECT max(name) FROM migrations)"
    private static let losses = [
        Loss(testDescription: "the last row of the chat", database: .chat, condition: newest),
        Loss(testDescription: "all rows of the chat", database: .chat, condition: "1"),
        // The last migration of both lists is then one of the chat database.
        Loss(testDescription: "the last row of the agent", database: .agent, condition: newest),
    ]

    private static let runs = [
        ["up"], ["run", "--yes"], ["down", "--steps", "1", "--yes"], ["run", "--confirm", "yes-up-down"],
    ]

    @Test("no run changes the store, and the error names the list", arguments: losses)
    func refused(_ loss: Loss) throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM migrations WHERE \(loss.condition)", in: loss.file)
        let schemas = ["x_chat.db", "x_agent.db"].map { (file: $0, sql: "SELECT group_concat(sql) FROM sqlite_schema") }
        let before = try schemas.map { try demo.sql($0.sql, in: $0.file) }
        for command in Self.runs {
            let run = try demo(["migrate"] + command + ["--format", "json"])
            #expect(run.code == 78, "\(command): \(run)")
            let refusal = try run.refusal()
            #expect(refusal["code"] == "lostMigrations", "\(command): \(refusal)")
            #expect(refusal["hint"]?.stringValue?.hasPrefix(loss.hint) == true, "\(command): \(refusal)")
            #expect(try schemas.map { try demo.sql($0.sql, in: $0.file) } == before, "\(command)")
        }
    }

    @Test("a plan says that the run will be refused, and ends with the exit code of the run", arguments: losses)
    func planned(_ loss: Loss) throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM migrations WHERE \(loss.condition)", in: loss.file)
        for command in [["plan"], ["down", "--steps", "1", "--dry-run"], ["up", "--dry-run"]] {
            let plan = try demo(["migrate"] + command + ["--format", "json"])
            #expect(plan.code == 78, "\(command): \(plan)")
            let warning = try plan.answer()["warnings"]?.texts?.first ?? ""
            #expect(warning.hasPrefix("the run will be refused: \(loss.hint)"), "\(command): \(warning)")
        }
    }

    @Test("the advice of a plan repeats the option that names the store", arguments: [["plan"], ["up", "--dry-run"]])
    func repeated(_ command: [String]) throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM migrations WHERE \(Self.newest)")
        let plan = try demo(["migrate"] + command + ["-d", demo.file("x")])
        #expect(plan.code == 78 && plan.output.contains("chatdb check -d \(demo.file("x")) shows more"), "\(plan)")
    }

    @Test("baseline writes the rows again with the migrations of this build", arguments: losses)
    func written(_ loss: Loss) throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM migrations WHERE \(loss.condition)", in: loss.file)
        let newest = try MigrationSource.build.load().values.compactMap { $0.last?.name }.max()
        let written = try demo("migrate", "baseline", "--to", try #require(newest), "--yes")
        #expect(written.code == 0, "\(written)")
        let run = try demo("migrate", "down", "--steps", "1", "--yes")
        #expect(run.code == 0, "\(run)")
    }

    @Test("a baseline of one of two databases names its backup, and no command that would refuse to restore it")
    func writtenAlone() throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM migrations WHERE \(Self.newest)")
        let newest = try #require(try MigrationSource.build.load()[.chat]?.last?.name)
        let made = try demo("migrate", "baseline", "--to", newest, "--only", "chat", "--yes", "--format", "json")
            .answer()
        #expect(made["backup"]?.stringValue?.hasSuffix("-lost-migrations") == true, "\(made)")
        #expect(made["undo"] == .null, "\(made)")
    }

    @Test("backup list says which backup baseline made, and recommends another one")
    func listed() throws {
        let demo = try DemoStore.finished()
        let newest = try #require(try MigrationSource.build.load().values.compactMap { $0.last?.name }.max())
        let made = try demo("backup", "make", "--format", "json").answer()["backup"]?["path"]?.stringValue
        let path = try #require(made)
        try demo.sql("DELETE FROM migrations WHERE \(Self.newest)")
        #expect(try demo("migrate", "baseline", "--to", newest, "--yes").code == 0)
        let list = try demo("backup", "list").output
        let parts = list.components(separatedBy: "To undo migrate baseline")
        #expect(parts.count == 2 && parts[0].contains("chatdb restore \(path)"), "\(list)")
        #expect(parts.last?.contains("-lost-migrations -d") == true, "\(list)")
    }

    @Test(
        "the command in the remedy of check writes the rows again in their order, and relays are listed and changed",
        arguments: [newest, "1", "name LIKE '20260713%'", "name < '20250601' OR \(newest)"])
    func advised(_ condition: String) throws {
        let demo = try DemoStore.finished()
        let rows = "SELECT group_concat(name || coalesce(down, '') || checksum) FROM migrations ORDER BY rowid"
        let before = try demo.sql(rows)
        try demo.sql("DELETE FROM migrations WHERE \(condition)")
        let findings = try demo("check", "--format", "json").answer()["findings"]?.arrayValue
        let remedy = findings?.first { $0["id"] == "lostMigrations" }?["remedy"]?.stringValue ?? ""
        let command = try #require(remedy.firstMatch(of: #/chatdb (migrate baseline --to \w+) makes/#), "\(remedy)").1
        let written = try demo(command.split(separator: " ").map(String.init) + ["--yes"])
        #expect(written.code == 0, "\(written)")
        #expect(try demo.sql(rows) == before)
        #expect(try demo("check").code == 0)
        #expect(try demo("relay", "list").code == 0)
        #expect(try demo("user", "add", "zoe").code == 0)
        let run = try demo("migrate", "down", "--steps", "1", "--yes")
        #expect(run.code == 0, "\(run)")
    }

    @Test("if baseline refuses the store, the remedy of check names no such command")
    func unadvised() throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM migrations; DELETE FROM store")
        let findings = try demo("check", "--format", "json").answer()["findings"]?.arrayValue
        let remedy = findings?.first { $0["id"] == "lostMigrations" }?["remedy"]?.stringValue ?? ""
        #expect(!remedy.contains("baseline") && remedy.contains("a lost row of the table store"), "\(remedy)")
    }

    @Test("baseline adopts nothing with the migrations of this build")
    func foreign() throws {
        let run = try ToolRun()
        try run.sql("CREATE TABLE t(a)", in: "app.sqlite")
        let refused = try run("migrate", "baseline", "--to", "new", "--yes", "--database", "chat=app.sqlite")
        #expect(refused.code == 64 && refused.errors.contains("--migrations-dir"), "\(refused)")
    }

    @Test("a run of the database whose list is whole is not refused")
    func other() throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM migrations WHERE \(Self.newest)")
        #expect(try demo("migrate", "down", "--steps", "1", "--only", "agent", "--dry-run").code == 0)
    }
}
