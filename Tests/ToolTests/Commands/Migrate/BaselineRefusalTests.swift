import Foundation
import Testing

@testable import ChatDBTool

/// What `migrate baseline` refuses, and what its errors and hints say.
@Suite("refusals of chatdb migrate baseline") struct BaselineRefusalTests {
    private let chatdb: ToolRun
    private let arguments = ["--migrations-dir", "migrations", "--database", "chat=app.sqlite"]
    private let name = ["--to", "20260101_first"]

    init() throws {
        chatdb = try ToolRun()
        try chatdb.sql("CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT)", in: "app.sqlite")
        let folder = chatdb.file("migrations/chat")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let first = try chatdb.succeed("schema", "dump", "--database", "chat=app.sqlite").output
        try first.write(toFile: folder + "/20260101_first.up.sql", atomically: false, encoding: .utf8)
    }

    @Test("an unfinished migration after the named one does not prevent a baseline, and the named one must be valid")
    func unfinished() throws {
        let folder = chatdb.file("migrations/chat")
        let later = folder + "/20260201_colour.up.sql"
        try "COMMIT;\n".write(toFile: later, atomically: false, encoding: .utf8)
        try "-- unfinished\n".write(
            toFile: folder + "/20260101_first.down.sql", atomically: false, encoding: .utf8)
        let baseline = ["migrate", "baseline", "--yes", "--format", "json"] + name + arguments
        // The database would keep the unfinished down file.
        #expect(try chatdb(baseline).refusal()["code"] == "invalidMigration")
        try FileManager.default.removeItem(atPath: folder + "/20260101_first.down.sql")
        try chatdb.sql("ALTER TABLE users ADD COLUMN age INTEGER", in: "app.sqlite")
        #expect(try chatdb(baseline).refusal()["code"] == "otherSchema")
        try chatdb.sql("ALTER TABLE users DROP COLUMN age", in: "app.sqlite")
        #expect(try chatdb(baseline).code == 0)
    }

    @Test("the error for a migration of the database that is not named says which database is named")
    func otherDatabase() throws {
        let baseline = ["migrate", "baseline", "--yes", "--format", "json"] + name
        let refused = try chatdb(baseline + ["--migrations-dir", "migrations", "--database", "agent=app.sqlite"])
        let refusal = try refused.refusal()
        let message = "20260101_first is a migration of the chat database, but --database names the agent database"
        #expect(refused.code == 64 && refusal["message"]?.stringValue == message, "\(refused)")
        #expect(refusal["hint"]?.stringValue?.contains("/app.sqlite', or move its migrations") == true, "\(refusal)")
    }

    @Test("the hint for a store of chatdb's own is no command that fails")
    func ownStore() throws {
        try chatdb.succeed("migrate", "run")
        for folder in [[], ["--migrations-dir", "migrations"]] {
            let version = folder.isEmpty ? ["--to", MigrationFixture.oldVersion] : name
            let refusal = try chatdb(["migrate", "baseline", "--yes", "--format", "json"] + version + folder).refusal()
            #expect(refusal["code"] == "alreadyAdopted", "\(refusal)")
            let hint = refusal["hint"]?.stringValue ?? ""
            #expect(hint.hasPrefix("a store of chatdb's own needs no adoption"), "\(refusal)")
            #expect(!hint.contains("migrate run") && hint.contains("--database"), "\(refusal)")
        }
    }

    @Test("no hint about a text file names a command that ends with the same error")
    func textFile() throws {
        try "This is a text.\n".write(toFile: chatdb.file("notes.txt"), atomically: false, encoding: .utf8)
        let options = ["--migrations-dir", "migrations", "--database", "chat=notes.txt"]
        for command in [["baseline", "--yes"] + name, ["run", "--yes"], ["plan"]] {
            let refused = try chatdb(["migrate"] + command + options)
            #expect(refused.code == 66 && refused.errors.contains("a text file"), "\(command): \(refused)")
            #expect(!refused.errors.contains("chatdb check"), "\(command): \(refused)")
        }
        let check = try chatdb("check", "-d", "notes.txt")
        #expect(check.code == 66 && !check.errors.contains("chat="), "\(check)")
        #expect(try chatdb("check", "-d", "app.sqlite").errors.contains("/app.sqlite'"))
    }
}
