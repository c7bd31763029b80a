import ChatDBKit
import Foundation
import Testing

@Suite struct StoreLocationTests {
    private let scratch: DatabaseFolder

    init() throws {
        scratch = try DatabaseFolder()
    }

    @Test("a prefix names two databases and the files beside them")
    func names() throws {
        let store = try StoreLocation.resolve(scratch.file("x"))
        #expect(store.prefix == scratch.file("x") && store.folder == scratch.path && store.name == "x")
        #expect(store.path(of: .chat) == scratch.file("x_chat.db"))
        #expect(store.path(of: .agent) == scratch.file("x_agent.db"))
        #expect(store.lockPath == scratch.file("x.lock"))
        #expect(store.intentPath == scratch.file("x.migrating"))
        #expect(store.backupsPath == scratch.file("x.backups"))
        #expect(store.missing == [.chat, .agent] && store.loneDatabaseNote == nil)
        #expect(try StoreLocation.resolve("/x").folder == "/")
    }

    @Test("either file of the pair means the pair, there or not")
    func eitherFile() throws {
        let expected = try StoreLocation(prefix: scratch.file("x"))
        #expect(try StoreLocation.resolve(scratch.file("x_agent.db")) == expected)
        try scratch.write("x_chat.db", [1])
        #expect(try StoreLocation.resolve(scratch.file("x_chat.db")) == expected)
        #expect(try StoreLocation.resolve(scratch.file("x_agent.db")) == expected)
        #expect(try StoreLocation.resolve(scratch.file("x")) == expected)
    }

    @Test("a single database is a store, with a note which one is missing")
    func lone() throws {
        try scratch.write("x_agent.db", [1])
        let store = try StoreLocation.resolve(scratch.path)
        #expect(store.prefix == scratch.file("x") && store.missing == [.chat])
        #expect(store.loneDatabaseNote == "the chat database of this store is missing (\(scratch.file("x_chat.db")))")
    }

    @Test("a folder means its only pair, with any other files beside it")
    func folder() throws {
        for name in ["b_chat.db", "b_agent.db", "lone_chat.db", "b_chat.db-wal", "notes.txt", "b.lock"] {
            try scratch.write(name, [1])
        }
        _ = try scratch.folder("b.backups")
        for given in [scratch.path, scratch.path + "/"] {
            #expect(try StoreLocation.resolve(given).path(of: .chat) == scratch.file("b_chat.db"))
        }
    }

    @Test("a folder with several pairs, or several lone databases, is refused with the candidates, sorted")
    func severalStores() throws {
        try scratch.write("b_chat.db", [1])
        try scratch.write("a_agent.db", [1])
        #expect(
            throws: StoreLocationError.severalStores(scratch.path, prefixes: [scratch.file("a"), scratch.file("b")])
        ) {
            try StoreLocation.resolve(scratch.path)
        }
        for name in ["z_chat.db", "z_agent.db", "y_chat.db", "y_agent.db"] { try scratch.write(name, [1]) }
        let error = try #require(throws: StoreLocationError.self) { try StoreLocation.resolve(scratch.path) }
        #expect(error == .severalStores(scratch.path, prefixes: [scratch.file("y"), scratch.file("z")]))
        #expect(
            error.message.hasSuffix("has 2 stores in it; give one of them: \(scratch.file("y")), \(scratch.file("z"))"))
    }

    @Test("a store whose restore was interrupted counts as a pair of its folder, wherever its files are")
    func interruptedStore() throws {
        _ = try scratch.folder("x.restoring")
        try scratch.write("x.restoring/x_agent.db", [1])
        #expect(throws: StoreLocationError.noStoreInFolder(scratch.path), "there is no record") {
            try StoreLocation.resolve(scratch.path)
        }
        try scratch.write("x.restoring/restore.json", [1])
        #expect(try StoreLocation.resolve(scratch.path).prefix == scratch.file("x"))
        for name in ["y_chat.db", "y_agent.db"] { try scratch.write(name, [1]) }
        #expect(
            throws: StoreLocationError.severalStores(scratch.path, prefixes: [scratch.file("x"), scratch.file("y")])
        ) {
            try StoreLocation.resolve(scratch.path)
        }
        // A database with a name of its own belongs to no prefix.
        _ = try scratch.folder("a.sqlite.restoring")
        for name in ["a.sqlite", "restore.json"] { try scratch.write("a.sqlite.restoring/\(name)", [1]) }
        let error = try #require(throws: StoreLocationError.self) { try StoreLocation.resolve(scratch.path) }
        #expect(error == .severalStores(scratch.path, prefixes: [scratch.file("x"), scratch.file("y")]))
    }

    @Test("a folder without a store is refused; a folder named like a database is not a store")
    func noStore() throws {
        _ = try scratch.folder("x_chat.db")
        #expect(throws: StoreLocationError.noStoreInFolder(scratch.path)) { try StoreLocation.resolve(scratch.path) }
        #expect(throws: StoreLocationError.noSuchFolder(scratch.file("no/"))) {
            try StoreLocation.resolve(scratch.file("no/"))
        }
    }

    @Test("a prefix that is also the name of a folder means the databases when they are there")
    func prefixBeatsFolder() throws {
        let inner = try scratch.folder("x")
        try scratch.write("x/y_chat.db", [1])
        #expect(try StoreLocation.resolve(inner).prefix == scratch.file("x/y"))
        try scratch.write("x_chat.db", [1])
        #expect(try StoreLocation.resolve(inner).prefix == scratch.file("x"))
        #expect(try StoreLocation.resolve(inner + "/").prefix == scratch.file("x/y"))
    }

    @Test("a file with any other name is refused, not taken for a prefix")
    func otherFile() throws {
        let path = try scratch.write("holiday.jpg", [1])
        #expect(throws: StoreLocationError.notAStore(path)) { try StoreLocation.resolve(path) }
        mkfifo(scratch.file("pipe"), 0o600)
        #expect(throws: StoreLocationError.notAStore(scratch.file("pipe"))) {
            try StoreLocation.resolve(scratch.file("pipe"))
        }
    }

    @Test(
        "R13: a name with a special meaning for SQLite or a shell is a plain name, and no file is created",
        arguments: ["file:x?mode=rwc", ":memory:", "-x", "./x", "x y", "~x", "file::memory:?cache=shared", "\u{1b}[2J"])
    func plainNames(_ given: String) throws {
        let here = FileManager.default.currentDirectoryPath
        let before = try FileManager.default.contentsOfDirectory(atPath: here).sorted()
        let store = try StoreLocation.resolve(given)
        let name = given.hasPrefix("./") ? String(given.dropFirst(2)) : given
        #expect(store.prefix == here + "/" + name)
        #expect(store.path(of: .chat) == here + "/" + name + "_chat.db")
        #expect(store.state(of: .chat) == .missing)
        #expect(try FileManager.default.contentsOfDirectory(atPath: here).sorted() == before)
    }

    @Test("an empty path and one with a zero byte are refused with a sentence")
    func emptyPath() {
        #expect(throws: StoreLocationError.emptyPath) { try StoreLocation.resolve("") }
        #expect(throws: StoreLocationError.nulInPath) { try StoreLocation.resolve("/tmp/x\0y") }
        #expect(StoreLocationError.emptyPath.message.contains("give its prefix"))
    }

    @Test("the state of a path is found without opening it")
    func states() throws {
        mkfifo(scratch.file("pipe"), 0o600)
        let loop = try scratch.link("loop", to: "loop")
        #expect(FileState(at: scratch.file("no")) == .missing)
        #expect(FileState(at: try scratch.write("file", [1, 2, 3])) == .regular(bytes: 3))
        #expect(FileState(at: scratch.file("file/x")) == .missing)
        #expect(FileState(at: try scratch.write("empty", [])) == .empty)
        #expect(FileState(at: try scratch.link("link", to: "file")) == .regular(bytes: 3))
        #expect(FileState(at: try scratch.link("dangling", to: "no")) == .notRegular(.danglingLink))
        #expect(FileState(at: loop) == .notRegular(.linkLoop))
        #expect(FileState(at: loop + "/x") == .notRegular(.linkLoop))
        #expect(FileState(at: scratch.path) == .notRegular(.directory))
        #expect(FileState(at: scratch.file("pipe")) == .notRegular(.fifo))
        #expect(FileState(at: "/dev/zero") == .notRegular(.characterDevice))
        #expect(FileState(at: scratch.file(String(repeating: "x", count: 300))) == .unreachable(errno: ENAMETOOLONG))
    }

    @Test("a folder without permission and one that is not there have different errors", .enabled(if: geteuid() != 0))
    func noPermission() throws {
        let closed = try scratch.folder("closed")
        chmod(closed, 0)
        defer { chmod(closed, 0o700) }
        #expect(FileState(at: closed + "/x") == .unreachable(errno: EACCES))
        #expect(throws: StoreLocationError.unreadable(closed, errno: EACCES)) { try StoreLocation.resolve(closed) }
    }

    @Test("hostile paths never crash")
    func hostile() throws {
        for seed in UInt64(1)...500 {
            // Every path is another one, and the same in every run.
            let bytes = (0..<seed % 41).map { UInt8(truncatingIfNeeded: (seed &* 0x9E37_79B9_7F4A_7C15) >> ($0 % 57)) }
            _ = try? StoreLocation.resolve(scratch.path + "/" + String(decoding: bytes, as: UTF8.self))
        }
        #expect(try scratch.names().isEmpty)
    }
}
