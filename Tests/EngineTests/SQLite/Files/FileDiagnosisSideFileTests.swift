import ChatDBKit
import Foundation
import Testing

@Suite(.enabled(if: HelperProcess.hasSQLiteShell)) struct FileDiagnosisSideFileTests {
    private let scratch: DatabaseFolder

    init() throws {
        scratch = try DatabaseFolder()
    }

    /// Runs statements in SQLite's shell and kills it while they are unfinished.
    private func crash(_ name: String, _ sql: String) throws {
        let shell = try HelperProcess("sqlite3", ["-batch", scratch.file(name)])
        shell.say(sql)
        shell.say("SELECT 're' || 'ady';")
        try shell.wait(for: "ready")
        shell.crash()
    }

    private let hotJournal = "PRAGMA cache_size = 2; PRAGMA cache_spill = 2; BEGIN; UPDATE t SET b = b || 'y';"

    @Test("a journal left by a killed process is hot, and the size of the file is not a finding then")
    func hotJournalIsFound() throws {
        let path = try scratch.database("x_chat.db")
        try crash("x_chat.db", hotJournal)
        let before = try scratch.names().map { ($0, try scratch.read($0)) }
        let found = FileDiagnosis.examine(path)
        #expect(found.side.hasHotJournal && found.side.superJournal == nil && !found.side.hasWAL)
        #expect(found.code == nil, "\(found)")
        #expect(try scratch.names() == ["x_chat.db", "x_chat.db-journal"])
        for (name, bytes) in before { #expect(try scratch.read(name) == bytes) }
    }

    @Test("a journal of zeros, as journal_mode = persist leaves it, is not hot")
    func coldJournal() throws {
        let path = try scratch.database("x_chat.db")
        try scratch.database("x_chat.db", "PRAGMA journal_mode = persist; INSERT INTO t(b) VALUES ('z');")
        let found = FileDiagnosis.examine(path)
        #expect((found.side.journal.bytes ?? 0) > 0 && !found.side.hasHotJournal)
    }

    @Test("a -wal with content and the side files of a link's target are found")
    func hotWAL() throws {
        try scratch.database("x_chat.db", "PRAGMA journal_mode = wal;" + sampleTables)
        try crash("x_chat.db", "INSERT INTO t(b) SELECT b FROM t;")
        _ = try scratch.folder("elsewhere")
        let link = try scratch.link("elsewhere/link.db", to: "../x_chat.db")
        for path in [scratch.file("x_chat.db"), link] {
            let found = FileDiagnosis.examine(path)
            #expect(found.side.hasWAL && found.side.walPageSize == 4_096 && found.warnings.isEmpty)
            #expect(found.side.shm != .missing && found.side.journal == .missing)
        }
    }

    @Test("R12: a -wal of another database is recognized by its page size, or by a database without WAL mode")
    func foreignWAL() throws {
        try scratch.database("other.db", "PRAGMA page_size = 512; PRAGMA journal_mode = wal; CREATE TABLE evil(a);")
        try crash("other.db", "INSERT INTO evil VALUES (1);")
        let log = try scratch.read("other.db-wal")
        let path = try scratch.database("x_chat.db")
        try scratch.write("x_chat.db-wal", log)
        #expect(FileDiagnosis.examine(path).warnings == [.foreignWAL(pageSize: 512)])

        let small = try scratch.database("y_chat.db", "PRAGMA page_size = 512; CREATE TABLE t(a);")
        try scratch.write("y_chat.db-wal", log)
        #expect(FileDiagnosis.examine(small).warnings == [.unexpectedWAL])
        try scratch.write("y_chat.db-wal", [])
        #expect(FileDiagnosis.examine(small).warnings.isEmpty)
    }

    /// A journal's end that names a super-journal, as SQLite writes it.
    private func end(_ name: String, sum: UInt32? = nil, length: UInt32? = nil) -> [UInt8] {
        let bytes = Array(name.utf8)
        let right = bytes.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
        let number = { (value: UInt32) in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        return bytes + number(length ?? UInt32(bytes.count)) + number(sum ?? right)
            + [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    }

    /// The rows of the table, read in both ways that change nothing.
    private func openings(_ path: String) -> [() throws -> Int] {
        [
            {
                let connection = try SQLiteEngine().open(path, as: .untrusted)
                defer { try? connection.close() }
                return try connection.rowCount(of: "t")
            },
            {
                let snapshot = try SQLiteEngine().openSnapshot(path)
                defer { snapshot.close() }
                return try snapshot.rowCount(of: "t")
            },
        ]
    }

    @Test("R05: a journal that names a super-journal is rolled back when that is there, and explained when it is not")
    func superJournal() throws {
        let path = try scratch.database("x_chat.db")
        try crash("x_chat.db", hotJournal)
        let journal = try scratch.read("x_chat.db-journal")
        let name = scratch.file("grün-mj12345678")
        try scratch.write("x_chat.db-journal", journal + [0, 0, 0, 9] + end(name))
        #expect(FileDiagnosis.examine(path).side.superJournal == name)
        #expect(!FileDiagnosis.examine(path).side.superJournalIsThere)
        try scratch.write("grün-mj12345678", [1])
        #expect(FileDiagnosis.examine(path).side.superJournalIsThere)
        for (isThere, rows) in [(true, 500), (false, nil)] as [(Bool, Int?)] {
            if !isThere { try FileManager.default.removeItem(atPath: name) }
            for open in openings(path) {
                guard let rows else {
                    let error = try storeError(.damaged) { _ = try open() }
                    #expect(error.message.contains(name))
                    continue
                }
                #expect(try open() == rows)
                #expect(try scratch.names().contains("grün-mj12345678"))
            }
        }
        try storeError(.damaged) { _ = try SQLiteEngine().open(path, as: .existing) }
        try storeError(.damaged) { _ = try SQLiteEngine().openForMigration(path, creating: false) }
        let wrong = [
            end(name, sum: 1), end(name, length: 0), end(name, length: .max), end(name, length: 9_999), end(""),
            Array(end(name).dropLast()),
        ]
        for end in wrong {
            try scratch.write("x_chat.db-journal", journal + end)
            #expect(FileDiagnosis.examine(path).side.superJournal == nil)
        }
        try scratch.write("x_chat.db-journal", [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
        #expect(FileDiagnosis.examine(path).side.hasHotJournal)
        #expect(FileDiagnosis.examine(path).side.superJournal == nil)
    }
}
