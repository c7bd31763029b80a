import ChatDBKit
import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A disk refuses the last step of a commit, the sync: the databases have changed all the same.
@Suite("A commit that fails", .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct FailedCommitTests {
    private static func run(_ more: [String], in folder: URL, _ plan: FaultPlan) throws -> FaultOutcome {
        let command = FaultCommand(try BuiltTool.find()) {
            ["migrate", "run", "--confirm", "yes-up", "--store", $0.path + "/x"] + more
        }
        let scratch = folder.appendingPathExtension("scratch")
        defer { try? FileManager.default.removeItem(at: scratch) }
        return try FaultRun(command, in: folder, scratch: scratch, plan: plan).run()
    }

    /// The last step of the first commit of a run on a copy: the sync of the folder after the journal is deleted, or of
    /// the log after it is written.
    private static func lastStep(of database: String, _ more: [String], _ store: TortureStore) throws -> Int {
        let copy = store.folder.appendingPathExtension("copy")
        let log = store.folder.appendingPathExtension("log")
        try FileManager.default.copyItem(at: store.folder, to: copy)
        defer { for item in [copy, log] { try? FileManager.default.removeItem(at: item) } }
        _ = try run(more, in: copy, .log(to: log))
        let operations = try OperationLog(contentsOf: log).operations
        let record = operations.first { $0.kind == .rename && $0.newPath == "x.migrating" }?.number ?? 0
        let other = operations.first { $0.number > record && $0.path.hasPrefix("x_chat.db") && database == "agent" }
        let commit = operations.filter { $0.number > record && $0.number < other?.number ?? .max }
        let journal = commit.first { $0.kind == .unlink && $0.path == "x_\(database).db-journal" }
        let syncs = commit.filter { [.fsync, .fdatasync].contains($0.kind) }
        let last =
            journal.map { journal in syncs.first { $0.path.isEmpty && $0.number > journal.number } }
            ?? syncs.last { $0.path == "x_\(database).db-wal" }
        return try #require(last).number
    }

    @Test(
        "M05: a failed commit of a pair is reported with the actual state, and the next run completes it",
        arguments: TortureStore.Journal.allCases, [true, false])
    func pair(_ journal: TortureStore.Journal, _ sticky: Bool) throws {
        let store = try TortureStore(journal: journal, items: 8)
        defer { store.remove() }
        let step = try Self.lastStep(of: "agent", [], store)
        let outcome = try Self.run([], in: store.folder, .fail(at: step, errno: EIO, sticky: sticky))
        #expect(outcome.termination == .exit(74))
        let location = try StoreLocation(prefix: store.folder.path + "/x")
        let found = try Fingerprint(location)
        #expect(found.content == store.fingerprint.content)
        // A log is written again after a failed sync.
        let isChanged = found.versions != store.fingerprint.versions
        #expect(isChanged || journal == .wal && !sticky)
        #expect(isChanged == outcome.errors.contains("The agent database is at"), "\(outcome.errors)")
        #expect(isChanged != outcome.errors.contains("Nothing was changed."), "\(outcome.errors)")
        #expect(!isChanged || FileState(at: location.intentPath) != .missing)
        let next = try Self.run([], in: store.folder, .count)
        #expect(next.termination == .exit(0), "\(next.errors)")
        let end = try Fingerprint(location)
        #expect(end.content == store.fingerprint.content && end.versions[.chat] != TortureStore.chatVersion)
        #expect(FileState(at: location.intentPath) == .missing)
    }

    @Test("M05: a failed commit of one database alone is reported with the actual state", arguments: [true, false])
    func alone(_ sticky: Bool) throws {
        let store = try TortureStore(journal: .delete, items: 8)
        defer { store.remove() }
        let step = try Self.lastStep(of: "chat", ["--only", "chat"], store)
        let outcome = try Self.run(["--only", "chat"], in: store.folder, .fail(at: step, errno: EIO, sticky: sticky))
        #expect(outcome.termination == .exit(74))
        #expect(outcome.errors.contains("The chat database is nevertheless at 2"))
        #expect(!outcome.errors.contains("Nothing was changed."))
        let found = try Fingerprint(StoreLocation(prefix: store.folder.path + "/x"))
        #expect(
            found.versions[.chat] != TortureStore.chatVersion && found.versions[.agent] == TortureStore.agentVersion)
    }
}
