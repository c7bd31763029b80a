import ChatDBKit
import Foundation
import Testing

@testable import ChatDBEngineSQLite

/// R01 to R08, R11, R16: a database is read whole, and nothing of it changes; private copies are made once and removed.
@Suite(.serialized, .enabled(if: HelperProcess.hasSQLiteShell)) struct ReadingTests {
    private let scratch: DatabaseFolder
    private let engine = SQLiteEngine()

    init() throws {
        scratch = try DatabaseFolder()
    }

    private func count(_ connection: any StorageConnection) throws -> Int {
        try connection.read { transaction throws in
            #expect(try transaction.count("SELECT count(*) FROM t WHERE b LIKE 'uncommitted%'") == 0)
            return try transaction.count("SELECT count(*) FROM t NOT INDEXED")
        }
    }

    @Test(
        "R01 to R05: every state is read whole, and not a byte of its folder changes", arguments: StoreState.allCases,
        [OpenMode.readOnly, .untrusted])
    func states(_ state: StoreState, _ mode: OpenMode) throws {
        let path = try state.make(in: scratch)
        let before = try scratch.image()
        let connection = try engine.open(path, as: mode)
        #expect(try count(connection) == state.rows)
        #expect(try connection.integrityProblems().isEmpty)
        #expect(connection.notes.isEmpty != state.needsCopy)
        #expect(scratch.privateCopies().isEmpty != state.needsCopy)
        #expect(try scratch.image() == before)
        try connection.close()
        #expect(try scratch.image() == before)
        #expect(scratch.privateCopies().isEmpty)
    }

    @Test(
        "a database is read through a symbolic link with the log that lies beside the file",
        arguments: StoreState.allCases)
    func symbolicLink(_ state: StoreState) throws {
        let path = try state.make(in: scratch)
        let elsewhere = try DatabaseFolder()
        let link = try elsewhere.link("link.db", to: path)
        let before = try scratch.image()
        let connection = try engine.open(link, as: .untrusted)
        #expect(try count(connection) == state.rows)
        try connection.close()
        #expect(try scratch.image() == before)
        #expect(try elsewhere.names() == ["link.db"])
    }

    @Test("a database that a program has open in WAL mode is read in place, with all commits of the program")
    func liveWAL() throws {
        let path = try scratch.database("x_chat.db", "PRAGMA journal_mode = wal;" + sampleTables)
        let app = try HelperProcess("sqlite3", ["-batch", path])
        app.say("INSERT INTO t(b) SELECT b FROM t LIMIT 200; BEGIN IMMEDIATE; INSERT INTO t(b) VALUES ('uncommitted');")
        app.say("SELECT 're' || 'ady';")
        try app.wait(for: "ready")
        let before = try scratch.image()
        let connection = try engine.open(path, as: .untrusted)
        #expect(try count(connection) == 700 && connection.notes.isEmpty)
        try connection.close()
        var after = try scratch.image()
        // The index of the log is shared memory: SQLite cannot read without marking there where it reads.
        after["x_chat.db-shm"] = before["x_chat.db-shm"]
        #expect(after == before)
        app.say("COMMIT;")
        try app.end()
    }

    @Test("a database that a program is writing in a rollback mode is read in place, without uncommitted changes")
    func liveRollback() throws {
        let path = try scratch.database("x_chat.db")
        let app = try HelperProcess("sqlite3", ["-batch", path])
        app.say("BEGIN IMMEDIATE; INSERT INTO t(b) VALUES ('uncommitted'); SELECT 're' || 'ady';")
        try app.wait(for: "ready")
        let before = try scratch.image()
        let connection = try engine.open(path, as: .untrusted)
        #expect(try count(connection) == 500)
        try connection.close()
        #expect(try scratch.image() == before)
        app.say("COMMIT;")
        try app.end()
    }

    @Test("a journal that a crash left while another program has the file open is inUse; nothing is changed")
    func hotJournalInUse() throws {
        let path = try StoreState.hotJournal.make(in: scratch)
        // It has the file open and does nothing with it: not even the journal is played back.
        let idle = try HelperProcess("sh", ["-c", "exec 3<\"$0\"; echo ready; read line; true", path])
        try idle.wait(for: "ready")
        let before = try scratch.image()
        for mode in [OpenMode.readOnly, .untrusted] {
            let error = try storeError(.inUse) {
                let connection = try engine.open(path, as: mode)
                defer { try? connection.close() }
                _ = try count(connection)
            }
            #expect(error.message.contains("was interrupted while writing"))
            #expect(error.message.contains("open, sh ("), "the program is named: \(error.message)")
            #expect(error.message.contains("close that program"))
        }
        #expect(try scratch.image() == before)
        try idle.end()
        let connection = try engine.open(path, as: .untrusted)
        #expect(try count(connection) == StoreState.hotJournal.rows)
        try connection.close()
    }

    @Test("R08: a reader never sees half of a commit of a busy program", arguments: ["wal", "delete"])
    func busyWriter(_ mode: String) throws {
        let path = try scratch.database(
            "x_chat.db", "PRAGMA journal_mode = \(mode); CREATE TABLE pairs(a INTEGER, b INTEGER);")
        let app = try HelperProcess("sqlite3", ["-batch", "-cmd", ".timeout 5000", path])
        for number in 1...400 {
            app.say("BEGIN; INSERT INTO pairs VALUES (\(number), 0); INSERT INTO pairs VALUES (-\(number), 0); COMMIT;")
        }
        for _ in 0..<40 {
            do {
                let connection = try engine.open(path, as: .untrusted)
                let (count, sum) = try connection.read {
                    (try $0.count("SELECT count(*) FROM pairs"), try $0.count("SELECT sum(a) FROM pairs"))
                }
                #expect(count.isMultiple(of: 2) && sum == 0)
                try connection.close()
            } catch let error as StoreError {
                #expect(error.kind == .busy, "\(error)")
            }
        }
        try app.end()
    }

    #if os(Linux)
        @Test(
            "R06, R07: a user who may only read reads a store in a folder that cannot be written",
            .enabled(if: geteuid() == 0), arguments: StoreState.allCases)
        func readOnlyFolder(_ state: StoreState) throws {
            let path = try state.make(in: scratch)
            for name in try scratch.names() { chmod(scratch.file(name), 0o444) }
            chmod(scratch.path, 0o555)
            defer { chmod(scratch.path, 0o755) }
            let before = try scratch.image()
            let rows = try asOrdinaryUser { () throws -> Int in
                #expect(throws: (any Error).self) { try Data([1]).write(to: URL(fileURLWithPath: scratch.file("new"))) }
                let connection = try engine.open(path, as: .untrusted)
                defer { try? connection.close() }
                return try count(connection)
            }
            #expect(rows == state.rows)
            #expect(try scratch.image() == before)
        }

        /// Runs `body` without the rights of root as far as files go, of this thread alone: `setfsuid`, which Swift's
        /// module of the C library does not have.
        private func asOrdinaryUser<T>(_ body: () throws -> T) throws -> T {
            typealias SetUser = @convention(c) (UInt32) -> Int32
            let setUser = unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: SetUser.self)
            _ = setUser(65_534)
            defer { _ = setUser(0) }
            return try body()
        }
    #endif

    @Test("R11: reading a database that this process writes releases none of its locks", arguments: ["wal", "delete"])
    func ownDatabase(_ mode: String) throws {
        let path = try scratch.database("x_chat.db", "PRAGMA journal_mode = \(mode);" + sampleTables)
        let app = try engine.open(path, as: .existing)
        try app.write { transaction throws in
            try transaction.run("INSERT INTO t(b) VALUES ('uncommitted')")
            #expect(engine.examine(path).problem == nil)
            for mode in [OpenMode.untrusted, .readOnly, .existing] {
                let reader = try engine.open(path, as: mode)
                #expect(try count(reader) == 500)
                #expect(reader.notes.isEmpty)
                try reader.close()
            }
            // Another program finds the database locked.
            let other = try HelperProcess("sqlite3", ["-batch", "-bail", path, "INSERT INTO t(b) VALUES ('theirs');"])
            #expect(throws: HelperProcess.Failure.self) { try other.end() }
        }
        #expect(try app.read { try $0.count("SELECT count(*) FROM t WHERE b = 'theirs'") } == 0)
        try app.close()
        // What was open here is looked at again once it is closed.
        try scratch.write("x_chat.db", Array("no database any more, but text".utf8))
        try storeError { _ = try engine.open(path, as: .untrusted) }
    }

    @Test("a database that is read can be copied whole, once, for its owner alone", arguments: StoreState.allCases)
    func copy(_ state: StoreState) throws {
        let path = try state.make(in: scratch)
        let elsewhere = try DatabaseFolder()
        let before = try scratch.image()
        let connection = try engine.open(path, as: .untrusted)
        try connection.copy(to: elsewhere.file("copy.db"))
        #expect(throws: StoreError.self) { try connection.copy(to: elsewhere.file("copy.db")) }
        try connection.close()
        #expect(throws: StoreError.self) { try connection.copy(to: elsewhere.file("closed.db")) }
        #expect(try elsewhere.names() == ["copy.db"])
        var info = stat()
        #expect(stat(elsewhere.file("copy.db"), &info) == 0 && info.st_mode & 0o777 == 0o600)
        let copied = try engine.open(elsewhere.file("copy.db"), as: .readOnly)
        #expect(try count(copied) == state.rows)
        try copied.close()
        #expect(try scratch.image() == before)
    }

    @Test(
        "R16: a private copy is readable by its owner only, and is removed when it is closed, released, or found abandoned"
    )
    func privateCopy() throws {
        let path = try StoreState.hotWAL.make(in: scratch)
        let temporary = NSTemporaryDirectory()
        var connection: (any StorageConnection)? = try engine.open(path, as: .untrusted)
        let made = scratch.privateCopies()
        let folder = try #require(made.first)
        #expect(made.count == 1)
        for (name, mode) in [("", 0o700), ("/lock", 0o600), ("/copy.db", 0o600)] {
            var info = stat()
            #expect(stat("\(temporary)/\(folder)\(name)", &info) == 0 && info.st_mode & 0o777 == mode_t(mode))
        }
        // Another process's copy stays while it is in use.
        let second = try engine.open(path, as: .readOnly)
        #expect(scratch.privateCopies().contains(folder))
        try second.close()
        try second.close()
        connection = nil
        #expect(connection == nil && scratch.privateCopies().isEmpty)

        // As a killed process leaves it: without a lock.
        let abandoned = temporary + "/chatdb-copy-abandoned-" + UUID().uuidString
        let linked = temporary + "/chatdb-copy-link-" + UUID().uuidString
        let target = try scratch.folder("target")
        for path in [abandoned, target] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for name in ["lock", "copy.db"] { try Data([1]).write(to: URL(fileURLWithPath: path + "/" + name)) }
        }
        try FileManager.default.createSymbolicLink(atPath: linked, withDestinationPath: target)
        try engine.open(path, as: .untrusted).close()
        #expect(!FileManager.default.fileExists(atPath: abandoned))
        #expect(FileManager.default.fileExists(atPath: target + "/copy.db"))
        var info = stat()
        #expect(lstat(linked, &info) == 0)
        try FileManager.default.removeItem(atPath: linked)
    }

    // MARK: Private copies that connections share

    @Test("a database is copied once while its files do not change, and the copy is removed with its last reference")
    func copiedOnce() throws {
        let scratch = try DatabaseFolder()
        let path = try StoreState.hotWAL.make(in: scratch)
        var copies: PrivateCopies? = PrivateCopies()
        let first = try #require(try copies?.copy(of: path, isOneOfSeveral: false))
        #expect(try copies?.copy(of: path, isOneOfSeveral: false) === first)
        // Another program checkpoints the log and writes a new one.
        try scratch.crash("x_chat.db", "INSERT INTO t(b) VALUES ('new');")
        var second = try copies?.copy(of: path, isOneOfSeveral: false)
        #expect(second !== first && second != nil)
        copies?.forget(path)
        #expect(try copies?.copy(of: path, isOneOfSeveral: false) !== second)
        let left = try #require(second?.path)
        second = nil
        #expect(!FileManager.default.fileExists(atPath: left))
        let last = try #require(try copies?.copy(of: path, isOneOfSeveral: false).path)
        #expect(FileManager.default.fileExists(atPath: last))
        copies = nil
        #expect(!FileManager.default.fileExists(atPath: last) && FileManager.default.fileExists(atPath: first.path))
    }

    @Test(
        "connections that share a copy read the same, at the same time and one after the other",
        arguments: [StoreState.hotWAL, .hotJournal])
    func sharedCopy(_ state: StoreState) throws {
        let scratch = try DatabaseFolder()
        let path = try state.make(in: scratch)
        let before = try scratch.image()
        let engine = SQLiteEngine(sharesCopies: true)
        let open = [
            try engine.open(path, as: .untrusted),
            try engine.limited(queryTimeLimit: .seconds(60)).open(path, as: .readOnly),
        ]
        let snapshot = try engine.openSnapshot(path)
        _ = try snapshot.renew()
        for connection in open {
            #expect(try connection.rowCount(of: "t") == state.rows)
            #expect(!connection.notes.isEmpty)
            try connection.close()
        }
        #expect(try snapshot.rowCount(of: "t") == state.rows)
        snapshot.close()
        let again = try engine.open(path, as: .untrusted)
        #expect(try again.rowCount(of: "t") == state.rows)
        #expect(try scratch.image() == before)
        try again.close()
        // Writing recovers the original, which is then read in place.
        let writing = try engine.open(path, as: .existing)
        _ = try writing.write { try $0.run("DELETE FROM t") }
        try writing.close()
        let after = try engine.open(path, as: .untrusted)
        #expect(try after.rowCount(of: "t") == 0 && after.notes.isEmpty)
        try after.close()
    }
}
