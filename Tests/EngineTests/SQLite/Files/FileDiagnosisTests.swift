import ChatDBKit
import Foundation
import Testing

/// What a header says, byte by byte, and a file of so many bytes behind it.
private func madeDatabase(
    pageSize: Int = 1_024, pages: Int = 4, bytes: Int? = nil, change: (inout [UInt8]) -> Void = { _ in }
) -> [UInt8] {
    var file = [UInt8](repeating: 0, count: pageSize * pages)
    file.replaceSubrange(0..<16, with: Array("SQLite format 3\0".utf8))
    file[16] = pageSize == 65_536 ? 0 : UInt8(pageSize >> 8)
    file[17] = pageSize == 65_536 ? 1 : 0
    file.replaceSubrange(18..<24, with: [1, 1, 0, 64, 32, 32])
    file[27] = 9
    file[31] = UInt8(pages)
    file[47] = 4
    file[59] = 1
    file[95] = 9
    change(&file)
    let wanted = bytes ?? file.count
    return Array(file.prefix(wanted)) + [UInt8](repeating: 7, count: max(0, wanted - file.count))
}

/// Bytes without a pattern, the same in every run.
private func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 88_172_645_463_325_252
    return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 32)
    }
}

@Suite struct FileDiagnosisTests {
    private let scratch: DatabaseFolder

    init() throws {
        scratch = try DatabaseFolder()
    }

    private func diagnose(_ bytes: [UInt8], _ name: String = "x_chat.db") throws -> FileDiagnosis {
        FileDiagnosis.examine(try scratch.write(name, bytes))
    }

    @Test("a real database is recognized by its header", .enabled(if: HelperProcess.hasSQLiteShell))
    func realDatabase() throws {
        let path = try scratch.database("x_chat.db")
        let before = try scratch.read("x_chat.db")
        let found = FileDiagnosis.examine(path)
        guard case .database(let header) = found.finding else { throw HelperProcess.Failure(status: 0) }
        #expect(header.pageSize == 4_096 && header.pageCount == Int64(before.count / 4_096))
        #expect(header.journalMode == .rollback && header.encoding == .utf8 && header.schemaFormat == 4)
        #expect(found.code == nil && found.warnings.isEmpty && found.side.wal == .missing && !found.side.hasHotJournal)
        #expect(try scratch.names() == ["x_chat.db"] && scratch.read("x_chat.db") == before)
        #expect(FileDiagnosis.examine(try scratch.link("link", to: "x_chat.db")).finding == found.finding)
    }

    @Test(
        "a real database in other forms is a database too", .enabled(if: HelperProcess.hasSQLiteShell),
        arguments: [
            "PRAGMA journal_mode = wal;", "PRAGMA user_version = 1;",
            "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(a);",
            "PRAGMA page_size = 65536; CREATE TABLE t(a);", "PRAGMA page_size = 512; CREATE TABLE t(a); DROP TABLE t;",
            "PRAGMA auto_vacuum = full; CREATE TABLE t(a); DROP TABLE t; VACUUM;",
        ])
    func realForms(_ sql: String) throws {
        let found = FileDiagnosis.examine(try scratch.database("x_chat.db", sql))
        guard case .database(let header) = found.finding else { throw HelperProcess.Failure(status: 0) }
        #expect(header.journalMode == (sql.contains("wal") ? .wal : .rollback))
        #expect(found.warnings.isEmpty, "\(found)")
    }

    @Test(
        "the error for a truncated database names its pages", .enabled(if: HelperProcess.hasSQLiteShell),
        arguments: [99, 100, 4_095, 4_096, 5_000, 20_479])
    func cutDatabase(_ bytes: Int) throws {
        try scratch.database("whole.db")
        let whole = try scratch.read("whole.db")
        let found = try diagnose(Array(whole.prefix(bytes)))
        let expected = bytes < 100 ? nil : Int64(whole.count / 4_096)
        #expect(found.finding == .truncated(pages: Int64(bytes / 4_096), of: expected))
        #expect(found.code == .truncated && found.message.contains(" is truncated: "))
        let oneLess = try diagnose(Array(whole.dropLast()))
        #expect(oneLess.finding == .truncated(pages: Int64(whole.count / 4_096 - 1), of: Int64(whole.count / 4_096)))
    }

    @Test("the number of pages counts only if the last commit wrote it; 0 never counts")
    func staleCount() throws {
        let stale = try diagnose(madeDatabase(bytes: 2_048) { $0[95] = 8 })
        guard case .database(let header) = stale.finding else { throw HelperProcess.Failure(status: 0) }
        #expect(header.pageCount == 2)
        #expect(try diagnose(madeDatabase(bytes: 2_048) { $0[31] = 0 }).code == nil)
        #expect(try diagnose(madeDatabase(bytes: 2_048)).finding == .truncated(pages: 2, of: 4))
    }

    @Test("while a commit or a checkpoint is unfinished, the size of the file is not a finding")
    func unfinished() throws {
        let short = madeDatabase(bytes: 2_048)
        try scratch.write("x_chat.db-journal", [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
        #expect(try diagnose(short).code == nil)
        try scratch.write("x_chat.db-journal", [])
        #expect(try diagnose(short).code == .truncated)
        try scratch.write("x_chat.db-wal", [1])
        #expect(try diagnose(short).code == nil)
        #expect(try diagnose(madeDatabase(bytes: 4_106)).warnings == [.unexpectedWAL])
    }

    @Test("bytes after the last page, a newer write format and an unknown encoding are warnings")
    func warnings() throws {
        #expect(try diagnose(madeDatabase(bytes: 4_106)).warnings == [.extraBytes(10)])
        let torn = try diagnose(madeDatabase(bytes: 6_144)).warnings
        #expect(torn == [.extraPages(2)] && torn.first?.message.contains("2 pages more than its header counts") == true)
        #expect(try diagnose(madeDatabase(bytes: 2_058) { $0[95] = 8 }).warnings == [.extraBytes(10)])
        #expect(try diagnose(madeDatabase { $0[18] = 3 }).warnings == [.newerWriteFormat(3)])
        #expect(try diagnose(madeDatabase { $0[59] = 9 }).warnings == [.unknownEncoding(9)])
        #expect(try diagnose(madeDatabase()).warnings.isEmpty)
    }

    @Test("an invalid header is damaged, with the name of the field")
    func damagedHeaders() throws {
        let cases: [(String, (inout [UInt8]) -> Void)] = [
            (
                "page size is 1000",
                {
                    $0[16] = 3; $0[17] = 0xE8
                }
            ), ("page size is 0", { $0[16] = 0 }),
            ("page size is 256", { $0[16] = 1 }), ("read format 3", { $0[19] = 3 }),
            ("payload fractions", { $0[21] = 65 }), ("payload fractions", { $0[23] = 0 }),
            (
                "reserves 250 bytes",
                {
                    $0[16] = 2; $0[20] = 250
                }
            ), ("schema format is 9", { $0[47] = 9 }),
            ("first 16 bytes", { $0[0] = 0x73 }), ("first 16 bytes", { $0[15] = 1 }),
        ]
        for (part, change) in cases {
            let found = try diagnose(madeDatabase(change: change))
            #expect(found.code == .damaged && found.message.contains(part), "\(part): \(found.message)")
        }
    }

    @Test("pages up to 65536 bytes are valid")
    func largestPage() throws {
        guard case .database(let header) = try diagnose(madeDatabase(pageSize: 65_536, pages: 2)).finding else {
            throw HelperProcess.Failure(status: 0)
        }
        #expect(header.pageSize == 65_536 && header.pageCount == 2)
    }

    @Test("D02: noise in whole pages is encrypted, also behind a plain beginning; other noise is unknown")
    func encrypted() throws {
        for count in [1_024, 2_048, 4_096, 16_384] {
            let found = try diagnose(noise(count))
            #expect(found.finding == .encryptedOrForeign && found.code == .encrypted)
            #expect(found.message.contains("encrypted (SQLCipher) or not a database"))
        }
        let plain = madeDatabase(pageSize: 4_096, pages: 2) { $0.replaceSubrange(32..., with: noise(8_160)) }
        #expect(try diagnose(plain).finding == .plainHeader && diagnose(plain).code == .encrypted)
        let longer = madeDatabase(pageSize: 4_096, pages: 2) {
            $0[20] = 80
            $0.replaceSubrange(112..., with: noise(8_080))
        }
        #expect(try diagnose(longer).finding == .plainHeader)
        #expect(try diagnose(noise(4_097)).finding == .other(kind: "something unknown"))
        #expect(try diagnose(noise(4_097)).message.contains("may be a truncated encrypted database (SQLCipher)"))
        #expect(try diagnose([0x50, 0x4B, 3, 4] + noise(4_092)).finding == .other(kind: "a ZIP file"))
    }

    @Test("a known kind of file is named")
    func kinds() throws {
        let cases: [(String, [UInt8])] = [
            ("a ZIP file", [0x50, 0x4B, 3, 4]), ("a JPEG picture", [0xFF, 0xD8, 0xFF, 0xE0]),
            ("a PNG picture", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A]), ("a gzip file", [0x1F, 0x8B, 8]),
            ("a tar file", [UInt8](repeating: 0x61, count: 257) + Array("ustar".utf8)),
            ("a PDF file", Array("%PDF-1.4".utf8)), ("a text file", Array("Grüße\r\n".utf8)),
            ("a text file (JSON)", Array(" {\"a\": 1}".utf8)), ("a web page (HTML)", Array("<!DOCTYPE HTML>".utf8)),
            ("an SQL script", Array("PRAGMA foreign_keys=OFF;\nBEGIN".utf8)),
            ("the -wal file of a database", [0x37, 0x7F, 6, 0x82]), ("a text file", Array("SQL".utf8)),
            ("a file that begins with zeros", [UInt8](repeating: 0, count: 8_192)), ("something unknown", [1, 2, 3]),
            ("a text file", Array(String(repeating: "€", count: 2_000).utf8)),
        ]
        for (kind, bytes) in cases {
            let found = try diagnose(bytes)
            #expect(found.finding == .other(kind: kind))
            #expect(found.code == .notADatabase && found.message.contains("is \(kind), not a database; "))
        }
        #expect(try diagnose(Array("SQLite form".utf8)).finding == .truncated(pages: 0, of: nil))
    }

    @Test("an empty file is not a database, although SQLite opens it as one")
    func empty() throws {
        let found = try diagnose([])
        #expect(found.finding == .empty && found.code == .notADatabase && found.message.contains("(0 bytes)"))
    }

    @Test("R15: a path that is not a file is recognized at once, with its kind", .timeLimit(.minutes(60)))
    func notFiles() throws {
        mkfifo(scratch.file("pipe"), 0o600)
        let cases: [(String, FileKind)] = [
            (scratch.path, .directory), (scratch.file("pipe"), .fifo), ("/dev/zero", .characterDevice),
            (try scratch.link("loop", to: "loop"), .linkLoop), (try scratch.link("gone", to: "no"), .danglingLink),
            (try scratch.link("to-pipe", to: "pipe"), .fifo),
        ]
        for (path, kind) in cases {
            let found = FileDiagnosis.examine(path)
            #expect(found.finding == .notAFile(kind) && found.code == .notAFile && found.bytes == nil)
        }
        #expect(FileDiagnosis.examine(scratch.file("no")).code == .missing)
        #expect(FileDiagnosis.examine("").code == .missing)
    }

    @Test("a file without permission has its own finding", .enabled(if: geteuid() != 0))
    func noPermission() throws {
        let path = try scratch.write("x_chat.db", [1])
        chmod(path, 0)
        let found = FileDiagnosis.examine(path)
        #expect(found.finding == .unreadable(errno: EACCES) && found.code == .notReadable && found.bytes == 1)
    }

    @Test("4 000 damaged headers give a finding, never a crash")
    func hostile() throws {
        let base = madeDatabase(pages: 1)
        let random = noise(24_000)
        for round in 0..<4_000 {
            var bytes = base
            for change in 0..<3 {
                let place = Int(random[round * 6 + change]) % (change == 0 ? 100 : 28)
                bytes[place] = random[round * 6 + 3 + change]
            }
            let found = try diagnose(Array(bytes.prefix(round % 7 == 0 ? Int(random[round]) * 4 : 1_024)))
            #expect(!found.message.isEmpty)
        }
    }
}
