import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// What a plan says about values that it overwrites, data that it copies, and migrations that cannot be undone. Rule:
/// docs/migrations.md, "Data that will be lost".
@Suite struct PlannedChangesTests {
    private static let name = "21000101_more"

    /// A store with two notes, and its folder of migrations, which has one more.
    private func pending(_ up: String, down: String? = nil) throws -> (chatdb: ToolRun, folder: String) {
        let chatdb = try MigrationFixture.newerStore()
        let folder = chatdb.file("migrations")
        try MigrationFixture.write(["\(Self.name).up.sql": "-- Why: a test.\n\(up)"], to: folder + "/chat")
        if let down { try MigrationFixture.write(["\(Self.name).down.sql": down], to: folder + "/chat") }
        return (chatdb, folder)
    }

    @Test("a plan and the question name the columns that an UPDATE overwrites, and do not say that nothing is lost")
    func overwritten() throws {
        let (chatdb, folder) = try pending("UPDATE notes SET body = 'gone ' || id, id = id + 10;")
        let note = "\(Self.name) may overwrite values of notes.id, notes.body; the plan does not count these values"
        let plan = try chatdb.succeed("migrate", "plan", "--migrations-dir", folder).output
        #expect(plan.contains("unknown") && plan.contains("note: \(note)\n"), "\(plan)")
        #expect(!plan.contains("may lose data"), "\(plan)")
        let answer = try chatdb("migrate", "plan", "--format", "json", "--migrations-dir", folder).answer()
        #expect(answer["chat"]?["migrations"]?[0]?["dataLoss"] == .null, "\(answer)")
        #expect(answer["notes"]?.texts?.contains(note) == true, "\(answer)")
        let run = try TerminalRun(["migrate", "run", "--migrations-dir", folder], in: chatdb)
        let asked = try run.terminal.read(until: "[y/N] ")
        run.terminal.type("n\n")
        #expect(try run.end().code == 1 && asked.contains("may overwrite values"), "\(asked)")
    }

    @Test("a plan of a user's migration without down SQL says that it cannot be undone; that of a new store does not")
    func withoutDown() throws {
        let (chatdb, folder) = try pending("CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT;")
        let plan = try chatdb.succeed("migrate", "plan", "--migrations-dir", folder).output
        #expect(plan.contains("note: \(Self.name) has no down SQL, so chatdb cannot undo it\n"), "\(plan)")
        let new = try ToolRun().succeed("migrate", "plan", "--migrations-dir", folder).output
        #expect(!new.contains("no down SQL"), "\(new)")
        try MigrationFixture.write(["\(Self.name).down.sql": "DROP TABLE more;"], to: folder + "/chat")
        let undoable = try chatdb.succeed("migrate", "plan", "--migrations-dir", folder).output
        #expect(!undoable.contains("no down SQL"), "\(undoable)")
    }

    @Test("the answer of a run says that it counts as lost also what the migration copied elsewhere")
    func copied() throws {
        let (chatdb, folder) = try pending(
            "CREATE TABLE remarks (id INTEGER PRIMARY KEY, text TEXT) STRICT;\n"
                + "INSERT INTO remarks SELECT id, body FROM notes;",
            down: "-- chatdb: data-loss\nUPDATE notes SET body = (SELECT text FROM remarks r WHERE r.id = notes.id);\n"
                + "DROP TABLE remarks;")
        let note = "note: \(Self.name) read remarks before it removed it: what it copied elsewhere counts as lost too\n"
        for format in ["table", "json", "csv"] {
            try chatdb.succeed("migrate", "run", "--yes", "--migrations-dir", folder)
            let run = try chatdb.succeed(
                "migrate", "down", "--steps", "1", "--yes", "--format", format, "--migrations-dir", folder)
            #expect((format == "table" ? run.output : run.errors).contains(note), "\(run)")
        }
    }

    @Test("without a terminal migrate run shows people the plan before the refusal, and programs only the refusal")
    func refused() throws {
        let (chatdb, folder) = try pending("CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT;")
        let run = ["migrate", "run", "--migrations-dir", folder]
        let people = try chatdb(run)
        #expect(people.code == 78 && people.output.isEmpty, "\(people)")
        let parts = people.errors.components(separatedBy: "error: ")
        #expect(parts.count == 2 && parts[0].contains("Data loss") && parts[0].contains(Self.name), "\(people)")
        for other in [["--format", "json"], ["--format", "csv"], ["--confirm", "error"]] {
            let errors = try chatdb(run + other).errors
            #expect(!errors.contains("Data loss"), "\(other): \(errors)")
        }
    }
}
