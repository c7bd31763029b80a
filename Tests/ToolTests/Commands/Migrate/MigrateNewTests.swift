import ChatDBKit
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

    @Test("new names the migrations that have the same words")
    func sameWords() throws {
        let chatdb = try ToolRun()
        for name in ["20200101_colours", "20200102_colours_again"] {
            let made = try chatdb("migrate", "new", name, "--only", "chat", "--format", "json").answer()
            #expect(made["sameWords"]?.texts == [])
        }
        let shown = try chatdb("migrate", "new", "colours", "--only", "chat")
        #expect(shown.code == 0 && shown.output.contains("20200101_colours has the same words"), "\(shown.output)")
        #expect(shown.output.contains("chatdb refuses a file without a statement\n"), "\(shown.output)")
        #expect(!shown.output.contains("colours_again"))
    }

    @Test("new writes to ./migrations, makes the folders that are missing, and says so")
    func newDefault() throws {
        let chatdb = try ToolRun()
        let first = try chatdb("migrate", "new", "colours", "--only", "agent")
        #expect(first.code == 0 && first.output.contains("chatdb made the folder migrations/agent"))
        let second = try chatdb("migrate", "new", "a second one", "--only", "agent", "--format", "json").answer()
        #expect(second["madeFolders"]?.texts == [])
        let folder = chatdb.folder.file("migrations/agent")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { $0.dropFirst(13) }
        #expect(
            names == [
                "_colours.down.sql", "_colours.up.sql", "_a_second_one.down.sql", "_a_second_one.up.sql",
            ])
        let other = try chatdb("migrate", "new", "x", "--only", "chat", "--migrations-dir", "d", "--format", "json")
        #expect(try other.answer()["madeFolders"]?.texts == ["d", "d/chat"])
    }

    @Test("new writes to ./migrations/sqlite if that is where migrations are, and no command passes over that folder")
    func newNested() throws {
        let chatdb = try ToolRun()
        let nested = chatdb.file("migrations/sqlite/chat")
        try FileManager.default.createDirectory(atPath: nested, withIntermediateDirectories: true)
        let made = try chatdb("migrate", "new", "colours", "--only", "chat", "--format", "json").answer()
        let up = try #require(made["up"]?.stringValue)
        #expect(up.hasPrefix("migrations/sqlite/chat/"))
        let parent = try chatdb("migrate", "plan", "--migrations-dir", "migrations", "--format", "json").refusal()
        #expect(parent["code"] == "noMigrationsFolder")
        #expect(
            parent["hint"] == "the folder migrations/sqlite contains them: --migrations-dir migrations/sqlite",
            "\(parent)")
        // With a folder of its own, the other one is named, and new no longer chooses it.
        try FileManager.default.createDirectory(
            atPath: chatdb.file("migrations/chat"), withIntermediateDirectories: false)
        let both = try chatdb("migrate", "plan", "--migrations-dir", "migrations")
        #expect(both.code == 65 && both.errors.contains(up), "\(both.errors)")
        #expect(both.errors.contains("a migration lies in migrations/chat, not below sqlite"), "\(both.errors)")
        let next = try chatdb("migrate", "new", "sizes", "--only", "chat", "--format", "json").answer()
        #expect(next["up"]?.stringValue?.hasPrefix("migrations/chat/") == true)
    }

    @Test(
        "new proposes to rename the last migration only if the new name then sorts last, and the order stays",
        arguments: [
            (["20991231_use"], "20991231_0900_x", true),
            (["20991231_0800_a", "20991231_use"], "20991231_0900_x", true),
            (["20991231_add", "20991231_use"], "20991231_0900_x", false),
            (["20991231_use"], "20991230_0900_x", false), (["20991231_1000_use"], "20991231_0900_x", false),
        ])
    func renamed(_ names: [String], _ new: String, _ isProposed: Bool) throws {
        let chatdb = try ToolRun()
        for name in names { #expect(try chatdb("migrate", "new", name, "--only", "chat").code == 0) }
        let refused = try chatdb("migrate", "new", new, "--only", "chat", "--format", "json")
        let hint = try #require(refused.refusal()["hint"]?.stringValue)
        let command = "chatdb migrate new 21000101_0000_x --only chat"
        let rename = "; or, if 20991231_use is not applied yet, rename its files to 20991231_HHMM_use first"
        #expect(hint == command + (isProposed ? rename : ""), "\(hint)")
    }

    @Test("new explains why a name of today does not sort last, and proposes one that does")
    func digits() throws {
        let chatdb = try ToolRun()
        let today = try #require(MigrationDay(Date()))
        #expect(try chatdb("migrate", "new", "\(today)_add", "--only", "chat").code == 0)
        let refused = try chatdb("migrate", "new", "x", "--only", "chat", "--format", "json")
        #expect(try refused.code == 65 && refused.refusal()["code"] == "migrationNotLast")
        let proposal = try #require(refused.refusal()["details"]?["proposal"]?.stringValue)
        #expect(try chatdb("migrate", "new", proposal, "--only", "chat").code == 0)
        #expect(try chatdb("migrate", "new", "y", "--only", "chat").code == 0)
    }
}
