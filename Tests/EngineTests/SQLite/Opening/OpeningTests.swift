import ChatDBKit
import Foundation
import Testing

/// What a path may be, and what is made where.
@Suite(.serialized) struct OpeningTests {
    private let scratch: DatabaseFolder
    private let engine = SQLiteEngine()

    init() throws {
        scratch = try DatabaseFolder()
    }

    private func openings(_ path: String) -> [(String, () throws -> Void)] {
        let modes: [OpenMode] = [.existing, .readOnly, .untrusted]
        return modes.map { mode in ("\(mode)", { _ = try engine.open(path, as: mode) }) } + [
            ("migration", { _ = try engine.openForMigration(path, creating: false) })
        ]
    }

    @Test("R14: a path without a file is missing, and no file is made")
    func missing() throws {
        for path in [scratch.file("no.db"), scratch.file("no/no.db"), "", scratch.file("x\0y")] {
            for (name, open) in openings(path) {
                let error = try storeError { try open() }
                #expect(error.kind == .missing, "\(name) \(path): \(error)")
            }
        }
        #expect(try scratch.names().isEmpty)
    }

    @Test("R13: a path is a plain name, also one that SQLite would take for a URI or an option")
    func plainNames() throws {
        for name in ["file:x.db?mode=rwc", ":memory:", "-x", "a%20b?c#d.db", "grün \u{1F4AC}.db", "file:y.db"] {
            let path = scratch.file(name)
            for (_, open) in openings(path) { try storeError(.missing) { try open() } }
            let made = try engine.open(path, as: .create)
            try made.write { _ = try $0.run("CREATE TABLE here(a)") }
            try made.close()
            for mode in [OpenMode.existing, .readOnly, .untrusted] {
                let connection = try engine.open(path, as: mode)
                #expect(try connection.structure().tables.keys.sorted() == ["here"])
                try connection.close()
            }
            #expect(try scratch.names() == [name])
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test("a path relative to the current folder is the same file in every mode")
    func relativePath() throws {
        let up = String(repeating: "../", count: FileManager.default.currentDirectoryPath.split(separator: "/").count)
        let path = up + scratch.file("x.db").dropFirst()
        try engine.open(path, as: .create).close()
        for (_, open) in openings(path) { try open() }
        #expect(try scratch.names() == ["x.db"])
    }

    @Test(
        "R15: a path that is no file and a file that is no database give different errors, at once and in every mode",
        .timeLimit(.minutes(60)))
    func strangeFiles() throws {
        mkfifo(scratch.file("fifo"), 0o600)
        let strange: [(String, StoreError.Kind)] = [
            (scratch.file("fifo"), .notAFile), (try scratch.folder("folder"), .notAFile), ("/dev/zero", .notAFile),
            (try scratch.link("loop", to: "loop"), .notAFile), (try scratch.link("dangling", to: "no"), .notAFile),
            (try scratch.write("empty", []), .notADatabase), (try scratch.write("text", "words".utf8), .notADatabase),
            (try scratch.write("cut", Array("SQLite format 3\0".utf8)), .truncated),
        ]
        let before = try scratch.names()
        for (path, kind) in strange {
            for (name, open) in openings(path) {
                let error = try storeError { try open() }
                #expect(error.kind == kind, "\(name) \(path): \(error)")
            }
        }
        #expect(try scratch.names() == before)
    }

    @Test(
        "R15: a side file that is not a file is named in the error, at once and in every mode",
        .timeLimit(.minutes(60)), arguments: ["-wal", "-shm", "-journal"], ["fifo", "folder"])
    func strangeSideFiles(_ suffix: String, _ kind: String) throws {
        try #require(HelperProcess.hasSQLiteShell)
        for mode in ["delete", "wal"] {
            let path = try scratch.database("\(mode).db", "PRAGMA journal_mode = \(mode);" + sampleTables)
            if kind == "fifo" { mkfifo(path + suffix, 0o600) } else { _ = try scratch.folder("\(mode).db\(suffix)") }
            let before = try scratch.names()
            for (name, open) in openings(path) + [("snapshot", { _ = try engine.openSnapshot(path) })] {
                let error = try storeError(.notAFile) { try open() }
                #expect(error.message.contains(path + suffix), "\(name): \(error)")
            }
            #expect(try scratch.names() == before)
        }
    }

    @Test(
        "B02: a new database is readable by its owner only, with any umask, and in WAL mode", arguments: [false, true])
    func newFile(forMigration: Bool) throws {
        let path = scratch.file("x.db")
        let mask = umask(0)
        defer { umask(mask) }
        if forMigration {
            let connection = try engine.openForMigration(path, creating: true)
            try connection.begin()
            try connection.run("CREATE TABLE t(a)")
            try connection.commit()
            try expectPrivate(["x.db", "x.db-shm", "x.db-wal"])
            connection.close()
        } else {
            let connection = try engine.open(path, as: .create)
            try connection.write { _ = try $0.run("CREATE TABLE t(a)") }
            try expectPrivate(["x.db", "x.db-shm", "x.db-wal"])
            try connection.close()
        }
        #expect(try scratch.read("x.db")[18...19] == [2, 2])
    }

    private func expectPrivate(_ names: [String]) throws {
        #expect(try scratch.names() == names)
        for name in names {
            var info = stat()
            #expect(stat(scratch.file(name), &info) == 0 && info.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test("a new database never replaces a file at the path")
    func neverOver() throws {
        let made = scratch.file("made.db")
        try engine.open(made, as: .create).close()
        mkfifo(scratch.file("fifo"), 0o600)
        let paths = [
            made, try scratch.write("empty", []), try scratch.write("text", "words".utf8), try scratch.folder("folder"),
            scratch.file("fifo"), try scratch.link("link", to: "not-yet"), scratch.file("no/x.db"),
        ]
        let before = try scratch.image()
        for path in paths {
            try storeError { _ = try engine.open(path, as: .create) }
            try storeError { _ = try engine.openForMigration(path, creating: true) }
        }
        #expect(try scratch.image() == before)
    }

    @Test("a database keeps the journal mode it has", arguments: ["delete", "truncate", "persist", "wal"])
    func journalMode(_ mode: String) throws {
        try #require(HelperProcess.hasSQLiteShell)
        let path = try scratch.database("x.db", "PRAGMA journal_mode = \(mode);" + sampleTables)
        let version = try scratch.read("x.db")[18...19]
        let connection = try engine.open(path, as: .existing)
        try connection.write { _ = try $0.run("INSERT INTO t(b) VALUES ('x')") }
        try connection.close()
        let migrating = try engine.openForMigration(path, creating: false)
        try migrating.begin()
        try migrating.run("INSERT INTO t(b) VALUES ('x')")
        try migrating.commit()
        migrating.close()
        #expect(try scratch.read("x.db")[18...19] == version)
        #expect(try scratch.names() == ["x.db"])
    }
}
