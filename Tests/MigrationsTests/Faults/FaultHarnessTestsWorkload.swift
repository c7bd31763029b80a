import Foundation
import TestKit

/// Two transactions of the sqlite3 shell, each acknowledged by a printed line, on a database of pages small enough
/// and a cache small enough that every transaction spills.
struct ShellWorkload: Sendable, CustomStringConvertible {
    var journal: String
    var synchronous: String
    var extra = ""

    var description: String { "\(journal)/\(synchronous)" }

    static let shell = URL(fileURLWithPath: "/usr/bin/sqlite3")
    static var isAvailable: Bool {
        FaultShimLibrary.isSupported && FileManager.default.isExecutableFile(atPath: shell.path)
    }

    /// Every row has the number of the last transaction, so that an incomplete one shows.
    private static let seedSQL = """
        PRAGMA page_size = 512;
        CREATE TABLE t(id INTEGER PRIMARY KEY, version INTEGER NOT NULL, body TEXT NOT NULL);
        CREATE INDEX t_version ON t(version);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
        INSERT INTO t SELECT i, 0, hex(zeroblob(60)) FROM n;
        """

    private func command() -> FaultCommand {
        let transactions = [1, 2].map { number in
            """
            BEGIN IMMEDIATE;
            UPDATE t SET version = \(number), body = \(number) || hex(zeroblob(50));
            INSERT INTO t(version, body) SELECT \(number), hex(zeroblob(50)) FROM t LIMIT 3;
            COMMIT;
            SELECT 'committed \(number)';
            """
        }
        let sql = (["PRAGMA synchronous = \(synchronous); PRAGMA cache_size = 4;"] + transactions + [extra])
            .joined(separator: "\n")
        // The journal in memory is a setting of the connection, not of the file.
        let mode = journal == "MEMORY" ? "PRAGMA journal_mode = MEMORY;" : ""
        return Self.command("\(mode)\n\(sql)")
    }

    private static func command(_ sql: String) -> FaultCommand {
        FaultCommand(shell, input: { _ in sql }) { folder in
            ["-batch", "-bail", "-init", "/dev/null", folder.appendingPathComponent("store.db").path]
        }
    }

    /// The output of the shell, which must succeed.
    static func ask(_ sql: String, in folder: URL) throws -> String {
        let scratch = folder.deletingLastPathComponent().appendingPathComponent("ask")
        let outcome = try FaultRun(command(sql), in: folder, scratch: scratch, plan: .count).run()
        guard outcome.termination == .exit(0) else { throw FaultError.referenceFailed(outcome.errors) }
        return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The state is the number of complete transactions.
    static func judge(_ folder: URL, _ fault: FaultCase) throws -> FaultVerdict {
        let answer = try ask(
            """
            PRAGMA integrity_check;
            SELECT group_concat(DISTINCT version) FROM t;
            SELECT count(*) FROM t NOT INDEXED;
            """, in: folder
        ).split(separator: "\n").map(String.init)
        let rows = ["0": "9", "1": "12", "2": "15"]
        guard answer.count == 3, answer[0] == "ok", rows[answer[1]] == answer[2], let state = Int(answer[1]) else {
            return .damaged(answer.joined(separator: " | "))
        }
        let promised =
            fault.finished ? 2 : fault.output.split(separator: "\n").filter { $0.hasPrefix("committed") }.count
        return state >= promised ? .whole("\(state)") : .lost("\(state) of \(promised)")
    }

    /// A campaign on a fresh seed, in folders that are removed afterwards.
    func campaign(
        sample: FaultSample = .every, check: @escaping FaultCampaign.Check = ShellWorkload.judge,
        _ body: (FaultCampaign) throws -> FaultSummary
    ) throws -> FaultSummary {
        try withFaultFolder { root in
            let seed = root.appendingPathComponent("seed/store")
            try FileManager.default.createDirectory(at: seed, withIntermediateDirectories: true)
            _ = try Self.ask(Self.seedSQL + (journal == "WAL" ? "PRAGMA journal_mode = WAL;" : ""), in: seed)
            return try body(
                FaultCampaign(command: command(), seedFolder: seed, workFolder: root, sample: sample, check: check))
        }
    }
}

/// A temporary folder for one test, in memory where the system has such a place.
func withFaultFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let base = FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
    let folder = base.appendingPathComponent("fault-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.resolvingSymlinksInPath())
}
