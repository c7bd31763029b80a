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
}
