import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Commands whose store is named as if it were the database of a program.
@Suite struct ProgramNamesTests {
    let chatdb: ToolRun

    /// The database `app.db` of a program, and its migrations in the folder `m`.
    init() throws {
        chatdb = try ToolRun()
        try chatdb.sql("CREATE TABLE t (a)", in: "app.db")
        try FileManager.default.createDirectory(atPath: chatdb.file("m/chat"), withIntermediateDirectories: true)
        try MigrationFixture.write(
            ["20260101_first.up.sql": "CREATE TABLE t (a);", "20260201_more.up.sql": "ALTER TABLE t ADD COLUMN b;"],
            to: chatdb.file("m/chat"))
    }

    @Test("a run makes no store with the name of a database file without --create, and names the file")
    func noStore() throws {
        let before = try chatdb.folder.fingerprint()
        for (name, file) in [("app", "app.db"), ("nothere.db", "nothere.db"), ("a.sqlite3", "a.sqlite3")] {
            let folder = ["--migrations-dir", "m", "-d", name]
            for command in [["run"], ["run", "--encrypt"], ["up"], ["up", "--dry-run"], ["plan"]] {
                let refused = try chatdb(["migrate"] + command + ["--format", "json"] + folder)
                let refusal = try refused.refusal()
                #expect(refused.code == 66 && refusal["code"] == "storeNotFound", "\(command): \(refusal)")
                let hint = refusal["hint"]?.stringValue ?? ""
                #expect(hint.contains("--database 'chat=/") && hint.contains("/\(file)'"), "\(command): \(hint)")
                #expect(hint.contains(": chatdb migrate run --create -d /"), "\(command): \(hint)")
            }
            let read = try chatdb("inspect", "-d", name)
            #expect(read.code == 66 && read.errors.contains("--database 'chat="), "\(read.errors)")
        }
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("a log without its database is named, also if the store is named like a database")
    func lonelyLog() throws {
        _ = try chatdb.shell("echo log > app_chat.db-wal")
        let refused = try chatdb("inspect", "-d", "app")
        #expect(refused.code == 66 && refused.errors.contains("a log has only the newest changes"), "\(refused)")
    }

    @Test("with --create a run makes such a store, and later runs need no --create")
    func create() throws {
        let folder = ["--migrations-dir", "m", "-d", "app"]
        #expect(try chatdb(["migrate", "run", "--create"] + folder).code == 0)
        #expect(FileState(at: chatdb.file("app_chat.db")).bytes != nil)
        for command in [["run"], ["plan"], ["up"]] {
            #expect(try chatdb(["migrate"] + command + folder).code == 0, "\(command)")
        }
    }

    @Test("migrations in the folder of a database that was not named are reported, and not applied")
    func unusedFolder() throws {
        let folder = ["--migrations-dir", "m"]
        let named = folder + ["--database", "chat=app.db"]
        #expect(try chatdb(["migrate", "baseline", "--to", "20260101_first", "--yes"] + named).code == 0)
        let before = try chatdb(["migrate", "status"] + named)
        #expect(!(before.output + before.errors).contains("names no agent database"), "\(before)")
        try FileManager.default.createDirectory(atPath: chatdb.file("m/agent"), withIntermediateDirectories: true)
        try MigrationFixture.write(["20260301_keys.up.sql": "CREATE TABLE k (a);"], to: chatdb.file("m/agent"))
        let sentence =
            "note: the folder m/agent has 1 migration, and --database names no agent database; chatdb leaves it out"
        for command in [
            ["migrate", "plan"], ["migrate", "run", "--dry-run"], ["migrate", "run", "--yes"], ["migrate", "status"],
            ["check"],
        ] {
            let run = try chatdb(command + named)
            #expect(run.code == 0 && (run.output + run.errors).contains(sentence), "\(command): \(run)")
            let json = try chatdb(command + named + ["--format", "json"])
            #expect((json.output + json.errors).contains("names no agent database"), "\(command): \(json)")
        }
        let plan = try chatdb(["migrate", "plan", "--format", "json"] + named).answer()
        #expect(plan["notes"]?.arrayValue?.first?.stringValue?.contains("names no agent database") == true, "\(plan)")
        let rehearsed = try chatdb(["migrate", "verify", "--data", "chat=app.db"] + folder)
        #expect(rehearsed.code == 0, "\(rehearsed)")
        let noted = "1 migration, and --data names no agent database; chatdb leaves it out"
        #expect(rehearsed.errors.contains(noted), "\(rehearsed)")
    }
}
