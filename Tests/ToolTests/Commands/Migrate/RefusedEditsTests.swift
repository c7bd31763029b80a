import Foundation
import Testing

/// Edited files of applied migrations that `--accept-edited` does not accept. Rule: docs/migrations.md, "Edited
/// migrations".
@Suite("edited files that no run accepts") struct RefusedEditsTests {
    private static let first = "20260101_0000_first"
    private static let others =
        "the migrations look like those of another database: the chat database has none of the "
        + "tables that they create, and \(first) was edited after being applied"
    private let chatdb: ToolRun

    /// Adopts n.db with the migrations of the folder a.
    init() throws {
        chatdb = try ToolRun()
        try chatdb.sql(
            """
            CREATE TABLE notebooks(id INTEGER PRIMARY KEY); CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT);
            INSERT INTO notes (body) VALUES ('a');
            """, in: "n.db")
        let schema = try chatdb.succeed("schema", "dump", "--database", "chat=n.db").output
        try write("a", Self.first, schema)
        _ = try chatdb.succeed(
            "migrate", "baseline", "--to", Self.first, "--migrations-dir", "a", "--database", "chat=n.db", "--yes")
    }

    private func write(_ folder: String, _ name: String, _ up: String, down: String? = nil) throws {
        let path = chatdb.file("\(folder)/chat")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try up.write(toFile: "\(path)/\(name).up.sql", atomically: false, encoding: .utf8)
        try down?.write(toFile: "\(path)/\(name).down.sql", atomically: false, encoding: .utf8)
    }

    private func run(_ command: [String], in folder: String) throws -> ToolRun.Outcome {
        try chatdb(command + ["--migrations-dir", folder, "--database", "chat=n.db"])
    }

    private func expectRefusal(_ command: [String], in folder: String, _ message: String, _ hint: String) throws {
        let refused = try run(["migrate"] + command + ["--format", "json"], in: folder)
        #expect(refused.code == 78, "\(command): \(refused)")
        let refusal = try refused.refusal()
        #expect(refusal["code"] == "editedMigration", "\(command): \(refusal)")
        #expect(refusal["message"]?.stringValue?.hasPrefix(message) == true, "\(command): \(refusal)")
        #expect(refusal["hint"]?.stringValue?.hasPrefix(hint) == true, "\(command): \(refusal)")
        #expect(refusal["hint"]?.stringValue?.contains("--accept-edited") == false, "\(command): \(refusal)")
    }

    @Test("a folder that creates none of the tables of the database is that of another one, with every option")
    func otherFolder() throws {
        try write("b", Self.first, "CREATE TABLE songs(id INTEGER PRIMARY KEY);\n")
        try write("b", "20260201_0000_albums", "CREATE TABLE albums(id INTEGER PRIMARY KEY);\n")
        let before = try chatdb.folder.fingerprint()
        for command in [["plan"], ["run", "--yes"], ["up"], ["up", "--dry-run"]] {
            for option in [[], ["--accept-edited"]] {
                try expectRefusal(command + option, in: "b", Self.others, "name the folder with the migrations of this")
            }
        }
        let rehearsed = try chatdb(
            "migrate", "verify", "--data", "chat=n.db", "--migrations-dir", "b", "--accept-edited")
        #expect(rehearsed.code == 78 && rehearsed.errors.contains(Self.others), "\(rehearsed)")
        for command in [["migrate", "status"], ["check"]] {
            let shown = try run(command, in: "b").output
            #expect(shown.contains("look like those of another database: the chat database has none"), "\(shown)")
            #expect(!shown.contains("--accept-edited"), "\(shown)")
        }
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("a run with nothing to do warns of the folder of another database, and accepts none of its files")
    func nothingToDo() throws {
        try write("b", Self.first, "CREATE TABLE songs(id INTEGER PRIMARY KEY);\n")
        for command in [["plan"], ["run", "--yes"], ["run", "--dry-run"]] {
            let outcome = try run(["migrate"] + command, in: "b")
            let shown = outcome.output + outcome.errors
            #expect(outcome.code == 0 && shown.contains("Nothing to do"), "\(command): \(outcome)")
            #expect(shown.contains("warning: \(Self.others)"), "\(command): \(shown)")
            #expect(!shown.contains("--accept-edited"), "\(command): \(shown)")
        }
        try expectRefusal(["run", "--yes", "--accept-edited"], in: "b", Self.others, "name the folder")
        try expectRefusal(["run", "--yes", "--strict"], in: "b", Self.others, "name the folder")
    }

    @Test("a plan down to the files of another database is refused like the run, before losses are counted")
    func down() throws {
        try write(
            "a", "20260201_0000_c", "ALTER TABLE notes ADD COLUMN c TEXT;\n", down: "ALTER TABLE notes DROP COLUMN c;\n"
        )
        #expect(try run(["migrate", "up"], in: "a").code == 0)
        try write("g", Self.first, "CREATE TABLE t(a INTEGER PRIMARY KEY);\n")
        for command in [["plan"], ["run", "--confirm", "yes-up-down"], ["run", "--yes"]] {
            try expectRefusal(command + ["--accept-edited"], in: "g", Self.others, "name the folder")
        }
    }

    @Test("a table that an unknown migration renamed is not that of another database; a plan compares no schema then")
    func renamed() throws {
        try write(
            "a", "20260201_0000_r",
            "-- chatdb: data-loss\nALTER TABLE notes RENAME TO entries;\nDROP TABLE notebooks;\n",
            down: "CREATE TABLE notebooks(id INTEGER PRIMARY KEY);\nALTER TABLE entries RENAME TO notes;\n")
        let renamed = try run(["migrate", "up"], in: "a")
        #expect(renamed.code == 0, "\(renamed)")
        let schema = try String(contentsOfFile: chatdb.file("a/chat/\(Self.first).up.sql"), encoding: .utf8)
        try write("g", Self.first, "-- A comment.\n" + schema)
        let plan = try run(["migrate", "plan", "--accept-edited"], in: "g")
        #expect(plan.code == 0, "\(plan)")
        #expect(plan.output.contains("the schema of the chat database was not compared"), "\(plan)")
        #expect(!plan.output.contains("is that of the store"), "\(plan)")
    }

    @Test("an edited file by which the schema fits a later version is an edit, and no list that lost rows")
    func laterVersion() throws {
        let schema = try String(contentsOfFile: chatdb.file("a/chat/\(Self.first).up.sql"), encoding: .utf8)
        try write("f", Self.first, schema.replacing("body TEXT", with: "content TEXT"))
        try write("f", "20260301_0000_x", "ALTER TABLE notes RENAME COLUMN content TO body;\n")
        let before = try chatdb.folder.fingerprint()
        let message =
            "\(Self.first) was edited after being applied (the checksum differs), and by the files as they are, "
            + "the schema of the chat database fits 20260301_0000_x better, which is not applied"
        for command in [["plan"], ["run", "--yes"], ["run", "--yes", "--accept-edited"]] {
            try expectRefusal(command, in: "f", message, "restore the files as they were")
        }
        let check = try run(["check", "--format", "json"], in: "f").answer()
        let findings = check["findings"]?.arrayValue ?? []
        let ids = findings.compactMap { $0["id"]?.stringValue }
        #expect(ids.contains("editedMigration") && !ids.contains("lostMigrations"), "\(ids)")
        let remedy = findings.first { $0["id"] == "editedMigration" }?["remedy"]?.stringValue ?? ""
        #expect(remedy.hasPrefix(message + "; restore the files") && !remedy.contains("--accept-edited"), "\(remedy)")
        let status = try run(["migrate", "status"], in: "f").output
        #expect(status.contains(message) && !status.contains("lost rows, or somebody"), "\(status)")
        #expect(try chatdb.folder.fingerprint() == before)
        // The way of the advice: the restored file shows that no row was lost.
        try write("f", Self.first, schema)
        let restored = try run(["check", "--format", "json"], in: "f").answer()
        let left = (restored["findings"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
        #expect(!left.contains("lostMigrations") && !left.contains("editedMigration"), "\(left)")
    }

    @Test("a list that lost rows is found again after an edited file was restored")
    func lostRows() throws {
        let schema = try String(contentsOfFile: chatdb.file("a/chat/\(Self.first).up.sql"), encoding: .utf8)
        try write("a", "20260201_0000_c", "ALTER TABLE notes ADD COLUMN c TEXT;\n")
        #expect(try run(["migrate", "up"], in: "a").code == 0)
        try chatdb.sql("DELETE FROM migrations WHERE name = '20260201_0000_c'", in: "n.db")
        try write("a", Self.first, "-- A comment.\n" + schema)
        let message = "\(Self.first) was edited after being applied"
        try expectRefusal(["run", "--yes", "--accept-edited"], in: "a", message, "restore the files as they were")
        try write("a", Self.first, schema)
        let refused = try run(["migrate", "run", "--yes", "--format", "json"], in: "a")
        #expect(try refused.code == 78 && refused.refusal()["code"] == "lostMigrations", "\(refused)")
    }
}
