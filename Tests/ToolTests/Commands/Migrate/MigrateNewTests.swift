import Foundation
import Testing

@testable import ChatDBTool

/// `migrate new`: the first files of a migration.
@Suite struct MigrateNewTests {
    @Test("new writes two files that a run refuses until they have contents")
    func new() throws {
        let chatdb = try ToolRun()
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        let arguments = ["migrate", "new", "20991231_colours", "--only", "chat", "--migrations-dir", folder]
        let written = try chatdb(arguments + ["--format", "json"]).answer()
        #expect(written["name"] == "20991231_colours")
        for key in ["up", "down"] {
            let path = try #require(written[key]?.stringValue)
            #expect(path.hasPrefix(folder) && FileManager.default.fileExists(atPath: path))
        }
        let refused = try chatdb("migrate", "plan", "--migrations-dir", folder, "--format", "json")
        #expect(try refused.code == 65 && refused.refusal()["code"]?.stringValue == "invalidMigration")
        #expect(try chatdb(arguments).code == 73, "never over a file that is there")
        #expect(try chatdb("migrate", "new", "20200101_old", "--only", "chat", "--migrations-dir", folder).code == 65)
        #expect(try chatdb("migrate", "new", "x/y", "--only", "chat", "--migrations-dir", folder).code == 65)
        #expect(try chatdb("migrate", "new", "words").code == 64, "which database?")
    }

    @Test("new writes to ./migrations/sqlite, and reports when that folder is missing")
    func newDefault() throws {
        let chatdb = try ToolRun()
        let missing = try chatdb("migrate", "new", "colours", "--only", "agent")
        #expect(missing.code == 66 && missing.errors.contains("migrations/sqlite"))
        #expect(missing.errors.contains("hint: --migrations-dir names the folder"))
        let folder = chatdb.folder.file("migrations/sqlite/agent")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(try chatdb("migrate", "new", "more colours", "--only", "agent").code == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).map { $0.dropFirst(8) }
        #expect(Set(names) == ["_more_colours.up.sql", "_more_colours.down.sql"])
    }
}
