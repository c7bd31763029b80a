import ChatDBKit
import Foundation
import Testing

@Suite struct NewMigrationTests {
    private let day: MigrationDay

    init() throws { day = try #require(MigrationDay(year: 2026, month: 9, day: 5)) }

    @Test("words get today's date in front, and a complete name stays unchanged")
    func names() throws {
        let folder = try MigrationFolderFixture()
        let first = try NewMigration.write("add relays", for: .chat, in: folder.path, on: day)
        #expect(first.name == "20260905_add_relays")
        #expect(first.upPath == folder.path + "/chat/20260905_add_relays.up.sql")
        #expect(first.downPath == folder.path + "/chat/20260905_add_relays.down.sql")
        #expect(
            try NewMigration.write("Drop-Index_2", for: .chat, in: folder.path, on: day).name == "20260905_drop_index_2"
        )
        let whole = try NewMigration.write("20270101_next", for: .chat, in: folder.path + "/", on: day)
        #expect(whole.upPath == folder.path + "/chat/20270101_next.up.sql")
        #expect(try folder.names("agent") == [])
        #expect(try folder.names("chat").count == 6)
        #expect(try NewMigration.write("a", for: .agent, in: folder.path, on: day).name == "20260905_a")
    }

    @Test("the files ask for the reason, and are refused until they contain statements")
    func unfinished() throws {
        let folder = try MigrationFolderFixture()
        let new = try NewMigration.write("a", for: .chat, in: folder.path, on: day)
        #expect(try folder.read("chat/20260905_a.up.sql").hasPrefix("-- Why: "))
        #expect(try folder.read("chat/20260905_a.down.sql").hasPrefix("-- "))
        let invalid = try #require(problems(of: .folder(folder.path)))
        #expect(invalid.problems.map(\.file) == [new.downPath, new.upPath])
        #expect(invalid.problems.allSatisfy { $0.reason.hasPrefix("no statements") })
        for path in [new.upPath, new.downPath] {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try (text + "SELECT 1;\n").write(toFile: path, atomically: false, encoding: .utf8)
        }
        #expect(try MigrationSource.folder(folder.path).load()[.chat]?.map(\.name) == ["20260905_a"])
    }

    @Test("a name that would not be applied last among the database's migrations is refused")
    func order() throws {
        let folder = try MigrationFolderFixture([
            "chat/20260905_b.up.sql": "SELECT 1", "chat/20990101_X.up.sql": "out of the pattern",
            "agent/20280101_c.up.sql": "SELECT 1",
        ])
        for name in ["a", "20250101_z"] {
            #expect(
                throws: MigrationFileError.notLast(
                    name: name == "a" ? "20260905_a" : name, last: "20260905_b", database: .chat)
            ) {
                try NewMigration.write(name, for: .chat, in: folder.path, on: day)
            }
        }
        #expect(try folder.names("chat").count == 2)
        #expect(try NewMigration.write("c", for: .chat, in: folder.path, on: day).name == "20260905_c")
    }

    @Test("an existing file is never overwritten, even when only one of the two exists")
    func existing() throws {
        for suffix in [".up.sql", ".down.sql"] {
            let folder = try MigrationFolderFixture(["chat/20260905_a\(suffix)": "mine"])
            let path = folder.path + "/chat/20260905_a\(suffix)"
            #expect(throws: MigrationFileError.fileExists(path: path)) {
                try NewMigration.write("a", for: .chat, in: folder.path, on: day)
            }
            #expect(try folder.names("chat") == ["20260905_a\(suffix)"])
            #expect(try folder.read("chat/20260905_a\(suffix)") == "mine")
        }
    }

    @Test("a missing folder is named")
    func missing() throws {
        let folder = try MigrationFolderFixture(databases: ["agent"])
        #expect(throws: MigrationFileError.noFolder(path: folder.path + "/chat")) {
            try NewMigration.write("a", for: .chat, in: folder.path, on: day)
        }
        #expect(throws: MigrationFileError.noFolder(path: folder.path + "/x")) {
            try NewMigration.write("a", for: .agent, in: folder.path + "/x", on: day)
        }
    }

    @Test(
        "invalid names create no files",
        arguments: ["", " ", "é", "../a", "20260231_a", "20260905_", "a.b", "a\n"])
    func pattern(_ name: String) throws {
        let folder = try MigrationFolderFixture()
        do throws(MigrationFileError) {
            _ = try NewMigration.write(name, for: .chat, in: folder.path, on: day)
            Issue.record("it was accepted")
        } catch {
            #expect(error.code == "invalidMigrationName")
        }
        #expect(try folder.names("chat") == [])
    }
}
