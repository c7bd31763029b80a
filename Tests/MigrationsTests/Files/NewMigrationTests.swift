import ChatDBKit
import Foundation
import Testing

@Suite struct NewMigrationTests {
    /// 2026-09-05, 14:30.
    private let minute: MigrationMinute

    init() throws { minute = try #require(MigrationMinute(Date(timeIntervalSince1970: 1_788_618_600))) }

    @Test("words get the time in front, and a complete name stays unchanged")
    func names() throws {
        let folder = try MigrationFolderFixture()
        let first = try NewMigration.write("add relays", for: .chat, in: folder.path, at: minute)
        #expect(first.name == "20260905_1430_add_relays")
        #expect(first.upPath == folder.path + "/chat/20260905_1430_add_relays.up.sql")
        #expect(first.downPath == folder.path + "/chat/20260905_1430_add_relays.down.sql")
        let second = try NewMigration.write("Drop-Index_2", for: .chat, in: folder.path, at: minute)
        #expect(second.name == "20260905_1430_drop_index_2")
        let whole = try NewMigration.write("20270101_next", for: .chat, in: folder.path + "/", at: minute)
        #expect(whole.upPath == folder.path + "/chat/20270101_next.up.sql")
        #expect(try folder.names("agent") == [])
        #expect(try folder.names("chat").count == 6)
        #expect(try NewMigration.write("a", for: .agent, in: folder.path, at: minute).name == "20260905_1430_a")
    }

    @Test("the files ask for the reason, and are refused until they contain statements")
    func unfinished() throws {
        let folder = try MigrationFolderFixture()
        let new = try NewMigration.write("a", for: .chat, in: folder.path, at: minute)
        #expect(try folder.read("chat/20260905_1430_a.up.sql").hasPrefix("-- Why: "))
        #expect(try folder.read("chat/20260905_1430_a.down.sql").hasPrefix("-- "))
        let invalid = try #require(problems(of: .folder(folder.path)))
        #expect(invalid.problems.map(\.file) == [new.downPath, new.upPath])
        #expect(invalid.problems.allSatisfy { $0.reason.hasPrefix("no statements") })
        for path in [new.upPath, new.downPath] {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try (text + "SELECT 1;\n").write(toFile: path, atomically: false, encoding: .utf8)
        }
        #expect(try MigrationSource.folder(folder.path).load()[.chat]?.map(\.name) == ["20260905_1430_a"])
    }

    @Test("a name that would not be applied last among the database's migrations is refused, and another is proposed")
    func order() throws {
        let folder = try MigrationFolderFixture([
            "chat/20260905_b.up.sql": "SELECT 1", "chat/20990101_X.up.sql": "out of the pattern",
            "agent/20280101_c.up.sql": "SELECT 1",
        ])
        let cases = [
            ("a", "20260905_1430_a", "20260906_0000_a"), ("20250101_z", "20250101_z", "20260906_z"),
            ("20250101_0130_z", "20250101_0130_z", "20260906_0000_z"),
        ]
        for (given, name, proposal) in cases {
            #expect(
                throws: MigrationFileError.notLast(
                    name: name, last: "20260905_b", database: .chat, proposal: proposal)
            ) {
                try NewMigration.write(given, for: .chat, in: folder.path, at: minute)
            }
        }
        #expect(try folder.names("chat").count == 2)
        #expect(
            try NewMigration.write("20260906_0000_a", for: .chat, in: folder.path, at: minute).name
                == "20260906_0000_a")
        #expect(try NewMigration.write("c", for: .chat, in: folder.path, at: minute).name == "20260906_0001_c")
    }

    @Test("the error says that digits sort before letters if the last migration of the day has no time")
    func digits() throws {
        let folder = try MigrationFolderFixture([
            "chat/20260905_add.up.sql": "SELECT 1", "agent/20991231_add.up.sql": "SELECT 1",
        ])
        #expect {
            try NewMigration.write("x", for: .chat, in: folder.path, at: minute)
        } throws: { error in
            "\(error)".contains("20260905_add")
                && "\(error)".contains("digits sort before letters; 20260906_0000_x does")
        }
        #expect {
            try NewMigration.write("x", for: .agent, in: folder.path, at: minute)
        } throws: { error in
            !"\(error)".contains("digits") && "\(error)".contains("; 21000101_0000_x does")
        }
    }

    @Test("migrations of one minute, and of a clock that is ahead, sort in the order in which they were made")
    func sameMinute() throws {
        let folder = try MigrationFolderFixture()
        let names = try ["z", "y", "y", "x"].map {
            try NewMigration.write($0, for: .chat, in: folder.path, at: minute).name
        }
        #expect(names == ["20260905_1430_z", "20260905_1431_y", "20260905_1432_y", "20260905_1433_x"])
        let late = try MigrationFolderFixture(["chat/20260905_2359_b.up.sql": "SELECT 1"])
        #expect(try NewMigration.write("a", for: .chat, in: late.path, at: minute).name == "20260906_0000_a")
        let future = try MigrationFolderFixture(["chat/20260906_1430_b.up.sql": "SELECT 1"])
        #expect(throws: MigrationFileError.self) {
            try NewMigration.write("a", for: .chat, in: future.path, at: minute)
        }
    }

    @Test("words that are in use before a later migration get a proposal")
    func inUse() throws {
        let folder = try MigrationFolderFixture([
            "chat/20260905_1430_a.up.sql": "SELECT 1", "chat/20260909_b.up.sql": "SELECT 1",
        ])
        #expect(
            throws: MigrationFileError.notLast(
                name: "20260905_1430_a", last: "20260909_b", database: .chat, proposal: "20260910_0000_a")
        ) {
            try NewMigration.write("a", for: .chat, in: folder.path, at: minute)
        }
    }

    @Test("an existing file is never overwritten, even when only one of the two exists")
    func existing() throws {
        for suffix in [".up.sql", ".down.sql"] {
            let folder = try MigrationFolderFixture(["chat/20260905_a\(suffix)": "mine"])
            let path = folder.path + "/chat/20260905_a\(suffix)"
            #expect(throws: MigrationFileError.fileExists(path: path)) {
                try NewMigration.write("20260905_a", for: .chat, in: folder.path, at: minute)
            }
            #expect(try folder.names("chat") == ["20260905_a\(suffix)"])
            #expect(try folder.read("chat/20260905_a\(suffix)") == "mine")
        }
    }

    @Test("missing folders are made, and named; an error leaves none of them")
    func missing() throws {
        let folder = try MigrationFolderFixture(databases: ["agent"])
        let chat = try NewMigration.write("a", for: .chat, in: folder.path, at: minute)
        #expect(chat.madeFolders == [folder.path + "/chat"])
        let deep = folder.path + "/x/y/"
        let new = try NewMigration.write("a", for: .agent, in: deep, at: minute)
        #expect(new.madeFolders == [folder.path + "/x", folder.path + "/x/y", folder.path + "/x/y/agent"])
        #expect(try folder.names("x/y/agent") == ["20260905_1430_a.down.sql", "20260905_1430_a.up.sql"])
        #expect(try NewMigration.write("b", for: .agent, in: deep, at: minute).madeFolders == [])
        #expect(throws: MigrationFileError.self) {
            try NewMigration.write("A.b", for: .chat, in: folder.path + "/z", at: minute)
        }
        try folder.write(Data(), to: "file")
        #expect(throws: MigrationFileError.self) {
            try NewMigration.write("a", for: .chat, in: folder.path + "/file/z", at: minute)
        }
        #expect(throws: MigrationFileError.noFolder(path: "")) {
            try NewMigration.write("a", for: .chat, in: "", at: minute)
        }
        #expect(try folder.names("") == ["agent", "chat", "file", "x"])
    }

    @Test(
        "invalid names create no files",
        arguments: ["", " ", "é", "../a", "20260231_a", "20260905_", "a.b", "a\n"])
    func pattern(_ name: String) throws {
        let folder = try MigrationFolderFixture()
        do throws(MigrationFileError) {
            _ = try NewMigration.write(name, for: .chat, in: folder.path, at: minute)
            Issue.record("it was accepted")
        } catch {
            #expect(error.code == "invalidMigrationName")
        }
        #expect(try folder.names("chat") == [])
    }
}
