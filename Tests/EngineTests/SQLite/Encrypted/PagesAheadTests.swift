import ChatDBKit
import Foundation
import TestKit
import Testing

/// Pages that are decrypted before SQLite asks for them. Rule: docs/encryption.md, "Writing".
@Suite("pages decrypted ahead")
struct PagesAheadTests {
    private let folder: DatabaseFolder
    private static let key = "x'\(String(repeating: "2f", count: 32))'"
    /// A cache of ten pages, so that nearly every page is read and written in the middle of a transaction.
    private static let table = ["PRAGMA cache_size = 10", "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)"]
    private static let state = """
        SELECT count(*) || ' ' || coalesce(sum(a * length(b)), 0) || ' ' || coalesce(sum(unicode(b) * a), 0) AS n \
        FROM t NOT INDEXED
        """

    init() throws { folder = try DatabaseFolder() }

    private func open(creating: Bool) throws -> any MigrationConnection {
        try SQLiteEngine().openEncrypted(folder.file("x.db"), with: Passphrase(Self.key.utf8), creating: creating)
    }

    private func run(_ statements: [String], on connection: any MigrationConnection) throws {
        for statement in statements { try connection.run(.unchecked(sql: statement)) }
    }

    private func state(_ connection: any MigrationConnection) throws -> String {
        try connection.rows(.unchecked(sql: Self.state)).first?.get("n") ?? "none"
    }

    @Test("an encrypted database has the rows of a plain one after any changes and undone changes", arguments: 1...6)
    func sameRows(seed: UInt64) throws {
        var random = FaultRandom(seed: seed)
        let plain = try SQLiteEngine().scratch()
        let encrypted = try open(creating: true)
        defer { encrypted.close() }
        for connection in [plain, encrypted] { try run(Self.table + [Self.insert(3_000, 1)], on: connection) }
        for _ in 0..<12 {
            let end = Bool.random(using: &random) ? "COMMIT" : "ROLLBACK"
            let statements = ["BEGIN"] + (0..<4).map { _ in Self.change(&random) } + [end]
            for statement in statements {
                for connection in [plain, encrypted] { try run([statement], on: connection) }
                #expect(try state(encrypted) == state(plain), "\(statement)")
            }
        }
        #expect(try encrypted.integrityProblems().isEmpty)
    }

    private static func insert(_ count: Int, _ first: Int) -> String {
        """
        WITH RECURSIVE n(x) AS (SELECT \(first) UNION ALL SELECT x + 1 FROM n WHERE x < \(first + count)) \
        INSERT OR REPLACE INTO t SELECT x, printf('%.\(first % 90 + 200)c%d', char(97 + x % 26), x) FROM n
        """
    }

    private static func change(_ random: inout FaultRandom) -> String {
        let (first, part) = (Int.random(in: 1...4_000, using: &random), Int.random(in: 2...40, using: &random))
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: insert(part * 20, first)
        case 1: "UPDATE t SET b = char(\(65 + part % 26)) || substr(b, 2) WHERE a % \(part) = 0"
        case 2: "UPDATE t SET b = '\(first)' || substr(b, 5) WHERE a BETWEEN \(first) AND \(first + part * 10)"
        case 3: "DELETE FROM t WHERE a BETWEEN \(first) AND \(first + part * 10)"
        case 4: "CREATE INDEX IF NOT EXISTS i ON t(b)"
        default: "DROP INDEX IF EXISTS i"
        }
    }

    @Test(
        "a connection sees what another program has committed since it read the same pages in order",
        .enabled(if: SQLCipher.python != nil, "needs sqlcipher3, which make test installs"))
    func otherWriter() throws {
        let connection = try open(creating: true)
        defer { connection.close() }
        try run(Self.table + [Self.insert(3_000, 1)], on: connection)
        var states: Set<String> = [try state(connection)]
        for letter in ["A", "B", "C"] {
            let change = "c.execute('UPDATE t SET b = \"\(letter)\" || substr(b, 2)')"
            _ = try SQLCipher.run(folder.file("x.db"), Self.key, change).end()
            let found = try state(connection)
            #expect(try found == SQLCipher.ask(folder.file("x.db"), Self.key, Self.state))
            states.insert(found)
        }
        #expect(states.count == 4)
    }

    @Test("a page that was changed is the one that an error names, also behind pages that are in order")
    func damage() throws {
        let connection = try open(creating: true)
        try run(Self.table + [Self.insert(3_000, 1)], on: connection)
        connection.close()
        var bytes = try folder.read("x.db")
        bytes[39 * 4_096 + 100] ^= 1
        try folder.write("x.db", bytes)
        let damaged = try open(creating: false)
        defer { damaged.close() }
        let error = try #require(throws: StoreError.self) { try state(damaged) }
        #expect(error.kind == .damaged && error.message.contains("page 40"), "\(error.message)")
    }
}
