import Foundation
import Testing

@testable import ChatDBTool

/// `--allow-out-of-order`: a migration of another branch.
@Suite struct MigrateOutOfOrderTests {
    private static let name = "20260714_between"

    /// A store of this build, and the options that name its migrations and one more between them.
    private func merged() throws -> (ToolRun, [String]) {
        let demo = try DemoStore.make()
        let folder = try MigrationFixture.migrationsFolder(in: demo)
        try MigrationFixture.write(
            ["\(Self.name).up.sql": "-- Why: a test.\nALTER TABLE users ADD COLUMN colour TEXT;"], to: folder + "/chat")
        return (demo, ["--migrations-dir", folder])
    }

    @Test("plan, run and status show the migration and the reason; afterwards nothing is wrong")
    func applied() throws {
        let (demo, options) = try merged()
        let allowed = options + ["--allow-out-of-order", "merge of colours"]
        let note = "chat \(Self.name): out of order: merge of colours"
        #expect(try demo(["migrate", "plan"] + options).code == 78)
        let plan = try demo(["migrate", "plan"] + allowed)
        #expect(plan.code == 0 && plan.output.contains(note), "\(plan.output)\(plan.errors)")
        #expect(try demo(["migrate", "up", "--dry-run"] + allowed).output == plan.output)
        let json = try demo(["migrate", "plan", "--format", "json"] + allowed).answer()["chat"]
        #expect(json?["migrations"]?.arrayValue?.map { $0["note"]?.stringValue } == ["out of order: merge of colours"])
        #expect(try demo(["migrate", "plan", "--format", "csv"] + allowed).errors.contains("note: \(note)"))
        let run = try demo(["migrate", "up"] + allowed)
        #expect(run.code == 0 && run.output.contains(note), "\(run.output)\(run.errors)")
        #expect(try demo(["migrate", "status", "--exit-code"] + options).output.contains("note: \(note)"))
        #expect(try demo(["schema", "diff", "--exit-code"] + options).code == 0)
        #expect(try demo(["migrate", "run"] + options).output.contains("Nothing to do"))
        let down = try demo(["migrate", "down", "--steps", "1", "--yes"] + options)
        #expect(down.code == 0, "\(down.errors)")
        #expect(try demo(["schema", "diff", "--exit-code"] + options).code == 0)
    }

    @Test("check says that the folder has an earlier migration, and not that it lacks files")
    func checked() throws {
        let (demo, options) = try merged()
        let findings = try demo(["check", "--format", "json"] + options).answer()["findings"]?.arrayValue ?? []
        let remedy = findings.first { $0["id"] == "otherHistory" }?["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("come before one that the database has applied"), "\(findings)")
        #expect(remedy.contains("If no other store has applied them, rename their files"), "\(remedy)")
        #expect(remedy.contains("chatdb migrate up --allow-out-of-order REASON"), "\(remedy)")
        let status = try demo(["migrate", "status"] + options).output
        #expect(status.contains("If one has, as after a merge of branches, apply it as it is: chatdb"), "\(status)")
    }

    /// An adopted database that applied an earlier migration after a later one, and the options that name it.
    private func adopted() throws -> (ToolRun, [String]) {
        let store = try ToolRun()
        let made = try store.shell(
            """
            set -e
            app='--database chat=app.db --migrations-dir m'
            sqlite3 app.db 'CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT)'; mkdir -p m/chat
            echo 'CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT);' > m/chat/20260101_first.up.sql
            $CHATDB migrate baseline --to 20260101_first $app --yes
            echo 'ALTER TABLE notes ADD COLUMN colour TEXT;' > m/chat/20260301_colour.up.sql
            $CHATDB migrate up $app
            echo 'ALTER TABLE notes ADD COLUMN pinned INTEGER;' > m/chat/20260201_pinned.up.sql
            $CHATDB migrate up $app --allow-out-of-order 'merge of branches'
            """)
        try #require(made.code == 0, "\(made)")
        return (store, ["--database", "chat=app.db", "--migrations-dir", "m"])
    }

    @Test("after such a run, baseline records the migration of a change that was made by hand")
    func baseline() throws {
        let (store, options) = try adopted()
        func write(_ name: String, _ sql: String) throws {
            try sql.write(toFile: store.file("m/chat/\(name).up.sql"), atomically: false, encoding: .utf8)
        }
        try store.sql(
            "ALTER TABLE notes ADD COLUMN added TEXT; INSERT INTO notes (added) VALUES ('kept')", in: "app.db")
        try write("20260401_added", "ALTER TABLE notes ADD COLUMN added TEXT;\n")
        let made = try store(["migrate", "baseline", "--to", "20260401_added", "--yes"] + options)
        #expect(made.code == 0, "\(made)")
        let check = try store(["check"] + options)
        #expect(check.output.contains("found no problems"), "\(check)")
        #expect(try store.sql("SELECT added FROM notes", in: "app.db") == "kept")
        // The schema does not show whether a migration that only changes rows was applied.
        try write("20260501_rows", "UPDATE notes SET title = added;\n")
        let words = ["migrate", "baseline", "--to", "20260501_rows", "--yes", "--format", "json"]
        #expect(try store(words + options).refusal()["code"] == "alreadyAdopted")
    }

    @Test("the commands that a restore of a backup from before such a run proposes work")
    func restored() throws {
        let (store, options) = try adopted()
        let backups = try FileManager.default.contentsOfDirectory(atPath: store.file("app.db.backups"))
        let backup = try #require(backups.first { $0.hasSuffix("-20260301_colour") }, "\(backups)")
        let restore = ["restore", store.file("app.db.backups/\(backup)")] + options
        let planned = try store(restore + ["--dry-run"]).output
        let done = try store(restore + ["--yes"]).output
        for text in [planned, done] {
            #expect(text.contains(", and lacks 20260201_pinned, which comes before migrations that it has; "))
        }
        let plan = try #require(planned.firstMatch(of: #/; chatdb (migrate plan .*) shows after the restore/#)).1
        // A change by hand may prevent the run, which the plan says.
        let shown = #/; chatdb (migrate plan .*) shows whether chatdb would refuse the upgrade; chatdb migrate up /#
        let first = try #require(done.firstMatch(of: shown)).1
        let run = try #require(done.firstMatch(of: #/; chatdb (migrate up .*) upgrades it/#)).1
        for command in [plan, first, run] {
            let outcome = try store.shell("$CHATDB " + command.replacing("REASON", with: "merge"))
            #expect(outcome.code == 0, "\(command): \(outcome)")
        }
        #expect(try store(["check"] + options).output.contains("found no problems"))
    }

    @Test(
        "the reason must be one line of text, and not the word of the hints",
        arguments: ["", " ", "a\nb", "\u{1b}[31m", "REASON"])
    func reasons(_ reason: String) throws {
        let (demo, options) = try merged()
        #expect(try demo(["migrate", "run", "--allow-out-of-order", reason] + options).code == 64)
        #expect(try demo(["migrate", "down", "--steps", "1", "--allow-out-of-order", "x"] + options).code == 64)
    }
}
