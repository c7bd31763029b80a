import ChatDBKit
import ChatDBMigrationFiles
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

@Suite struct MigrationSourceTests {
    @Test("migrations from a folder and embedded ones are paired by name and sorted")
    func both() throws {
        let files = [
            "chat/20260902_b.up.sql": "-- why\n-- chatdb: rebuild\nCREATE TABLE b (c);\nSELECT 1",
            "chat/20260901_a.up.sql": "CREATE TABLE a (b)",
            "chat/20260901_a.down.sql": "-- chatdb:data-loss  \r\n-- chatdb: rebuild\r\nDROP TABLE a;",
            "agent/20260903_c.up.sql": "SELECT 1",
        ]
        let folder = try MigrationFolderFixture(files)
        let embedded = files.map { (path: "sqlite/" + $0.key, content: $0.value) }
        for source in [MigrationSource.folder(folder.path), .folder(folder.path + "/"), .embedded(embedded)] {
            let migrations = try source.load()
            #expect(migrations.keys.count == 2)
            let chat = try #require(migrations[.chat])
            #expect(chat.map(\.name) == ["20260901_a", "20260902_b"])
            #expect(migrations[.agent]?.map(\.name) == ["20260903_c"])
            #expect(try chat[0].up.directives == [])
            #expect(try chat[0].down?.directives == [.dataLoss, .rebuild])
            #expect(chat[0].down?.text == files["chat/20260901_a.down.sql"])
            #expect(chat[0].down?.source.hasSuffix("chat/20260901_a.down.sql") == true)
            #expect(chat[1].down == nil)
            #expect(try chat[1].up.directives == [.rebuild])
            #expect(try chat[1].up.statements.map(\.line) == [3, 4])
            #expect(try chat[1].up.statements.map(\.number) == [1, 2])
        }
    }

    @Test("the migrations of this build are valid: the program does not validate them when it starts")
    func build() throws {
        #expect(problems(of: .embedded(MigrationSource.ownFiles))?.problems.map(\.description) == nil)
        #expect(try MigrationSource.build.load() == MigrationSource.embedded(MigrationSource.ownFiles).load())
    }

    @Test("only the plan that needs a faulty migration of a build reports it, before creating any file")
    func faultyBuild() throws {
        let store = try SyntheticStore()
        let good = [(path: "sqlite/chat/20260901_a.up.sql", content: "CREATE TABLE a (b INTEGER) STRICT")]
        _ = try store.migrator(MigrationSource.load(ownFiles: good)).run()
        let before = try store.folder.fingerprint()
        for content in ["CREATE TABLE b (c INTEGER); COMMIT", "CREATE TABLE 'b", "-- nothing"] {
            let faulty = good + [(path: "sqlite/chat/20260902_b.up.sql", content: content)]
            let migrator = store.migrator(try MigrationSource.load(ownFiles: faulty))
            #expect(try migrator.context.status().hasPending)
            for work in [{ _ = try migrator.plan() }, { _ = try migrator.run() }] {
                #expect {
                    try work()
                } throws: { error in
                    ((error as? MigrationFailure)?.error ?? error as? MigrationError)?.code == "invalidMigration"
                }
            }
        }
        #expect(try store.folder.fingerprint() == before)
    }

    @Test("one folder may be missing or empty; hidden files, README, copies and notes are skipped")
    func empty() throws {
        let folder = try MigrationFolderFixture(
            [
                "chat/.up.sql": "?", "chat/README": "?", "chat/README.md": "?", "notes.txt": "?", "chat/notes.txt": "?",
                "chat/20260901_a.up.sql~": "?", "chat/20260901_a.up.sql.orig": "?", "chat/20260901_a.up.sql.swp": "?",
                "chat/20260901_a.up.sql.bak": "?", "chat/20260901_a.up.sql.rej": "?", "chat/20260901_a.up.sql.BAK": "?",
            ], databases: ["chat"])
        #expect(try MigrationSource.folder(folder.path).load() == [.chat: [], .agent: []])
        #expect(try MigrationSource.embedded([]).load() == [.chat: [], .agent: []])
        #expect(try MigrationSource.embedded([("sqlite/README.md", "?")]).load() == [.chat: [], .agent: []])
    }

    @Test("loading fails without both folders, or with a file at a folder's path")
    func folders() throws {
        let folder = try MigrationFolderFixture(["file": ""], databases: [])
        #expect(throws: MigrationFileError.noMigrationFolders(path: folder.path)) {
            try MigrationSource.folder(folder.path).load()
        }
        let missing = folder.path + "/missing"
        #expect(throws: MigrationFileError.noFolder(path: missing)) { try MigrationSource.folder(missing).load() }
        let file = folder.path + "/file"
        #expect(throws: MigrationFileError.notAFolder(path: file)) { try MigrationSource.folder(file).load() }
        // A path through a file: the system's message.
        #expect(throws: MigrationFileError.cannotRead(path: file + "/x", reason: "Not a directory")) {
            try MigrationSource.folder(file + "/x").load()
        }
        try folder.write(Data(), to: "chat")
        #expect(throws: MigrationFileError.notAFolder(path: folder.path + "/chat")) {
            try MigrationSource.folder(folder.path).load()
        }
        #expect(throws: MigrationFileError.noFolder(path: "")) { try MigrationSource.folder("").load() }
    }

    @Test("files that are not migrations are refused by name, all at once")
    func strangers() throws {
        let folder = try MigrationFolderFixture([
            "20260901_a.up.sql": "SELECT 1", "chat/notes.sql.txt": "", "chat/20260901_a.up.sql.new": "",
            "chat/20260901_a.sql": "", "chat/20260902_b.UP.sql": "", "chat/20260903_c.down.sql": "SELECT 1",
            "chat/2026_d.up.sql": "'not read", "agent/.up.sql": "", "chat/20260904_E.up.sql": "'not read",
        ])
        let invalid = try #require(problems(of: .folder(folder.path)))
        let found = invalid.problems.map { $0.description.replacing(folder.path + "/", with: "") }
        #expect(
            found == [
                "20260901_a.up.sql: a migration lies in the folder chat or agent",
                "chat/20260901_a.sql: a migration's file ends in .up.sql or .down.sql",
                "chat/20260901_a.up.sql.new: a migration's file ends in .up.sql or .down.sql",
                "chat/20260902_b.UP.sql: a migration's file ends in .up.sql or .down.sql",
                "chat/20260903_c.down.sql: there is no file 20260903_c.up.sql beside it",
                "chat/20260904_E.up.sql: the words of a migration's name are made of a-z, 0-9 and _",
                "chat/2026_d.up.sql: a migration's name is YYYYMMDD_words or YYYYMMDD_HHMM_words",
                "chat/notes.sql.txt: a migration's file ends in .up.sql or .down.sql",
            ])
    }

    @Test("embedded files outside the two folders are refused")
    func embeddedStrangers() throws {
        let paths = [
            "chat/20260901_a.up.sql", "sqlite/20260901_a.up.sql", "sqlite/chat/x/20260901_a.up.sql",
            "sqlite/chats/20260901_a.up.sql", "/sqlite/chat/20260901_a.up.sql", "notes.txt",
        ]
        let invalid = try #require(problems(of: .embedded(paths.map { ($0, "SELECT 1") })))
        #expect(invalid.problems.map(\.file) == paths.sorted())
    }

    static let duplicates = [
        ["20260901_a", "20260901_a"], ["20260901_a", "20260901_A"], ["20260901_\u{E9}", "20260901_e\u{301}"],
    ]

    @Test("names that differ only in case or Unicode form are refused, in each direction", arguments: duplicates)
    func duplicate(_ names: [String]) throws {
        for suffix in [".up.sql", ".down.sql"] {
            let files = names.map { (path: "sqlite/chat/\($0)\(suffix)", content: "SELECT 1") }
            let invalid = try #require(problems(of: .embedded(files)))
            #expect(invalid.problems.contains { $0.reason.contains("its name is that of sqlite/chat/20260901_") })
        }
    }

    @Test("the same name in both databases is two migrations")
    func sameNameTwice() throws {
        let files = ["chat", "agent"].map { (path: "sqlite/\($0)/20260901_a.up.sql", content: "SELECT 1") }
        let migrations = try MigrationSource.embedded(files).load()
        #expect(migrations[.chat]?.count == 1)
        #expect(migrations[.agent]?.count == 1)
    }

    @Test("links, folders and pipes are refused and never opened", .timeLimit(.minutes(60)))
    func notRegular() throws {
        let folder = try MigrationFolderFixture(["target": "SELECT 1"])
        let chat = folder.path + "/chat/"
        try FileManager.default.createSymbolicLink(
            atPath: chat + "20260901_link.up.sql", withDestinationPath: folder.path + "/target")
        try FileManager.default.createSymbolicLink(
            atPath: chat + "20260902_loop.up.sql", withDestinationPath: "20260902_loop.up.sql")
        try FileManager.default.createDirectory(
            atPath: chat + "20260903_folder.up.sql", withIntermediateDirectories: false)
        #expect(mkfifo(chat + "20260904_pipe.up.sql", 0o600) == 0)
        let invalid = try #require(problems(of: .folder(folder.path)))
        #expect(invalid.problems.map(\.reason) == Array(repeating: "it is not a regular file", count: 4))
    }

    @Test("a file of 16 MiB is read, a larger one is not")
    func large() throws {
        let folder = try MigrationFolderFixture()
        // The content is not UTF-8, so reading fails at once and no test has to validate 16 MiB of SQL.
        let bytes = Data([0xFF]) + Data(repeating: UInt8(ascii: "a"), count: 16 * 1024 * 1024 - 1)
        try folder.write(bytes, to: "chat/20260901_a.up.sql")
        try folder.write(bytes + Data("\n".utf8), to: "chat/20260902_b.up.sql")
        #expect(
            problems(of: .folder(folder.path))?.problems.map(\.reason) == [
                "it is not UTF-8: byte 0, counted from 0, cannot be read", "it is larger than 16 MiB",
            ])
    }

    static let notUTF8: [([UInt8], Int)] = [
        ([0xFF], 0), ([0x61, 0xC3], 1), ([0x61, 0xC3, 0x28], 1), ([0xEF, 0xBF, 0x61], 0), ([0x61, 0xEF, 0xBF], 1),
        ([0xC3, 0xA9, 0x80], 2), ([0xED, 0xA0, 0x80], 0), ([0x61, 0xC0, 0x80], 1), ([0xF0, 0x9F, 0x98], 0),
        ([0xEF, 0xBF, 0xBD, 0xF5], 3),
    ]

    @Test("text that is not UTF-8 is refused with the position of the first invalid byte", arguments: notUTF8)
    func utf8(_ bytes: [UInt8], _ place: Int) throws {
        let folder = try MigrationFolderFixture()
        let start = Data("SELECT 1; -- é".utf8)
        try folder.write(start + Data(bytes), to: "chat/20260901_a.up.sql")
        let invalid = try #require(problems(of: .folder(folder.path)))
        #expect(
            invalid.problems.map(\.reason)
                == ["it is not UTF-8: byte \(start.count + place), counted from 0, cannot be read"])
    }

    @Test("a byte order mark is not part of the text")
    func byteOrderMark() throws {
        let folder = try MigrationFolderFixture([
            "chat/20260901_a.up.sql": "\u{FEFF}-- chatdb: rebuild\nSELECT 1",
            "chat/20260902_b.up.sql": "-- chatdb: rebuild\nSELECT 1",
        ])
        let chat = try #require(try MigrationSource.folder(folder.path).load()[.chat])
        #expect(chat[0].up.text == chat[1].up.text)
        #expect(try chat[0].up.directives == [.rebuild])
        #expect(chat[0].checksum == chat[1].checksum)
    }

    @Test("two thousand migrations are loaded in order")
    func many() throws {
        var files: [String: String] = [:]
        for number in 0..<2000 {
            let name = "2026\(10 + number % 3)\(10 + number % 20)_m\(number)"
            files["chat/\(name).up.sql"] = "CREATE TABLE t\(number) (a)"
            files["chat/\(name).down.sql"] = "DROP TABLE t\(number)"
        }
        let folder = try MigrationFolderFixture(files)
        let chat = try #require(try MigrationSource.folder(folder.path).load()[.chat])
        #expect(chat.count == 2000)
        let names = chat.map(\.name)
        #expect(names == names.sorted())
        let numbers = names.map { $0.split(separator: "m").last ?? "" }
        #expect(try chat.map { try $0.up.statements.map(\.text) } == numbers.map { ["CREATE TABLE t\($0) (a)"] })
        #expect(try chat.map { try $0.down?.statements.map(\.text) } == numbers.map { ["DROP TABLE t\($0)"] })
    }
}
