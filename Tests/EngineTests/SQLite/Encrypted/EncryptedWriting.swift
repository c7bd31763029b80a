import ChatDBKit
import Foundation
import TestKit

/// Transactions on an encrypted database that are killed. SQLCipher and chatdb both run them, and both say what a
/// killed one has left.
enum EncryptedWriting {
    /// A key and a salt in the place of a passphrase: no time goes into deriving it.
    static let key = "x'\(String(repeating: "2f", count: 48))'"
    static let marker = "marker of a message"

    /// The state of the database before and after each of two transactions: every row has the number of the last one,
    /// so that an incomplete one shows.
    static let states = ["ok|40|16760|0": 0, "ok|50|21960|1": 1, "ok|38|15162|2": 2]

    private static let seed = [
        "PRAGMA page_size = 4096",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, version INTEGER NOT NULL, body TEXT NOT NULL)",
        "CREATE INDEX t_body ON t(body)",
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) \
        INSERT INTO t SELECT i, 0, '\(marker)' || hex(randomblob(200)) FROM n
        """,
    ]

    /// Two transactions, each with more pages than the cache holds, and a rebuild of the file.
    private static let transactions = [
        "PRAGMA temp_store = MEMORY", "PRAGMA synchronous = EXTRA", "PRAGMA cache_size = 4",
        "BEGIN IMMEDIATE",
        "UPDATE t SET version = 1, body = '\(marker)' || hex(randomblob(210))",
        "INSERT INTO t(version, body) SELECT 1, body || 1 FROM t LIMIT 10",
        "COMMIT", "say committed 1",
        "BEGIN IMMEDIATE",
        "UPDATE t SET version = 2, body = '\(marker)' || hex(randomblob(190))",
        "SAVEPOINT one", "DELETE FROM t", "ROLLBACK TO one",
        "DELETE FROM t WHERE id % 4 = 0",
        "COMMIT", "say committed 2",
        "VACUUM",
    ]

    /// The making of the database, and the transactions.
    static let everything = seed + transactions

    /// The program that runs the transactions.
    enum Writer: String, CaseIterable, Sendable {
        case chatdb, sqlcipher

        func command(_ statements: [String], _ key: String = EncryptedWriting.key) throws -> FaultCommand {
            let input: @Sendable (URL) -> String = { _ in statements.map { $0 + "\n" }.joined() }
            let arguments: @Sendable (URL) -> [String] = { [$0.appendingPathComponent("store.db").path, key] }
            switch self {
            case .chatdb:
                return FaultCommand(try BuiltTool.find("encrypted-writer"), input: input, arguments: arguments)
            case .sqlcipher:
                let script = """
                    import sqlcipher3, sys
                    c = sqlcipher3.connect(sys.argv[1], isolation_level=None)
                    c.execute('PRAGMA key = "%s"' % sys.argv[2])
                    for line in sys.stdin:
                        line = line.rstrip()
                        if line.startswith('say '): print(line[4:], flush=True)
                        else: c.execute(line).fetchall()
                    """
                let python = try HelperProcess(
                    SQLCipher.python ?? "python3", ["-c", "import sys; print(sys.executable)"]
                ).answer()
                return FaultCommand(URL(fileURLWithPath: python), input: input) { ["-c", script] + arguments($0) }
            }
        }

        /// Runs statements in a folder, without a fault.
        func run(
            _ statements: [String], _ key: String = EncryptedWriting.key, in folder: URL, plan: FaultPlan = .count
        ) throws -> FaultOutcome {
            let scratch = folder.deletingLastPathComponent().appendingPathComponent("run-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: scratch) }
            let outcome = try FaultRun(command(statements, key), in: folder, scratch: scratch, plan: plan).run()
            guard outcome.termination == .exit(0) else { throw FaultError.referenceFailed(outcome.errors) }
            return outcome
        }

        /// Opens the database, which rolls a journal back, and says in which state it is.
        func state(_ folder: URL, _ key: String = EncryptedWriting.key) throws -> String {
            let path = folder.appendingPathComponent("store.db").path
            let query = """
                SELECT 'ok|' || count(*) || '|' || sum(length(body)) || '|' || group_concat(DISTINCT version) AS state \
                FROM t NOT INDEXED
                """
            switch self {
            case .sqlcipher:
                // The query rolls the journal back; the check of the codes reads the file as it is.
                return try SQLCipher.ask(path, key, query, checked: true)
            case .chatdb:
                let connection = try SQLiteEngine().openEncrypted(path, with: Passphrase(key.utf8), creating: false)
                defer { connection.close() }
                let problems = try connection.integrityProblems()
                let state: String? = try connection.rows(.unchecked(sql: query)).first?.get("state")
                return problems.isEmpty ? state ?? "" : problems.joined(separator: "\n")
            }
        }
    }

    /// A campaign on the transactions of a program, on a database that the other one has made.
    ///
    /// - Parameters:
    ///   - key: the passphrase, or a key in its place.
    ///   - journal: SQLite's journal mode.
    ///   - isInWALMode: whether the database is in WAL mode before.
    ///   - tamper: changes the folder before it is examined.
    static func campaign(
        _ writer: Writer, key: String = key, journal: String = "DELETE", isInWALMode: Bool = false,
        sample: FaultSample, _ faults: [Fault], tamper: @escaping @Sendable (URL) throws -> Void = { _ in }
    ) throws -> FaultSummary {
        let root = FaultCampaign.fastFolder.resolvingSymlinksInPath()
            .appendingPathComponent("chatdb-encrypted-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let seedFolder = root.appendingPathComponent("seed/store")
        try FileManager.default.createDirectory(at: seedFolder, withIntermediateDirectories: true)
        let mode = isInWALMode ? ["PRAGMA journal_mode = WAL"] : []
        _ = try (writer == .chatdb ? Writer.sqlcipher : .chatdb).run(seed + mode, key, in: seedFolder)
        let statements = ["PRAGMA journal_mode = \(journal)"] + transactions
        let campaign = FaultCampaign(
            command: try writer.command(statements, key), seedFolder: seedFolder, workFolder: root, sample: sample
        ) { folder, fault in
            try tamper(folder)
            // Each gets a copy with the journal in it.
            let copy = folder.deletingLastPathComponent().appendingPathComponent("copy")
            try? FileManager.default.removeItem(at: copy)
            try FileManager.default.copyItem(at: folder, to: copy)
            let answers = try (sqlcipher: Writer.sqlcipher.state(folder, key), chatdb: Writer.chatdb.state(copy, key))
            guard answers.sqlcipher == answers.chatdb, let state = states[answers.sqlcipher] else {
                return .damaged("SQLCipher: \(answers.sqlcipher), chatdb: \(answers.chatdb)")
            }
            let said = fault.output.split(separator: "\n").filter { $0.hasPrefix("committed") }.count
            return state >= said ? .whole("\(state)") : .lost("\(state) of \(said)")
        }
        return try campaign.run(faults)
    }
}
