import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The backup and restore of a filled pair, with a fault at every operation on a file. `make torture` tries every
/// operation, the suite a sample.
@Suite("Torture of backup and restore", .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct BackupTortureTests {
    private static let errors = [ENOSPC, EIO].flatMap { errno in
        [Fault.fail(errno: errno, sticky: false), .fail(errno: errno, sticky: true), .failHalfway(errno: errno)]
    }

    @Test(
        "B04 B05: after any fault in a backup, a folder with a manifest is a valid backup, and the store is unchanged")
    func backup() throws {
        let store = try TortureStore(journal: .wal, items: 60)
        defer { store.remove() }
        let content = store.fingerprint
        let command = FaultCommand(try BuiltTool.find()) { ["backup", "--format", "json", "--store", $0.path + "/x"] }
        let campaign = FaultCampaign(
            command: command, seedFolder: store.folder, sample: .everyIfTortured(else: 4),
            check: { folder, fault in
                let location = try StoreLocation(prefix: folder.path + "/x")
                guard try Fingerprint(location) == content else { return .damaged("the store is not what it was") }
                let names = (try? FileManager.default.contentsOfDirectory(atPath: location.backupsPath)) ?? []
                let made = names.map { location.backupsPath + "/" + $0 }.filter {
                    FileState(at: $0 + "/backup.json") != .missing
                }
                for path in made {
                    let location = try StoreLocation(prefix: path + "/x")
                    _ = try BackupContents(
                        at: path, in: StoreContext(engine: SQLiteEngine(), location: location, build: [:]))
                    guard try Fingerprint(location) == content else {
                        return .damaged("the backup has something else")
                    }
                }
                if fault.finished || fault.output.contains("\"backup\""), made.isEmpty {
                    return .lost("it said that there is a backup")
                }
                return .whole(made.isEmpty ? "no backup" : "a backup")
            })
        let summary = try campaign.run([.kill, .tear, .powerCut(variants: tortured ? 12 : 4)] + Self.errors)
        report("backup", summary)
        #expect(summary.isClean, "\(summary)")
    }

    @Test("a kill at any operation of a restore leaves the old pair, the new pair, or a restore to complete")
    func restoreKilled() throws {
        try restore([.tear], sample: .everyIfTortured(else: 3))
        // The last operations move the files to their places.
        let summary = try restore([.kill], sample: tortured ? .every : .last(30))
        #expect(summary.count(of: "old") > 0 && summary.count(of: "between, with the record") > 3, "\(summary)")
    }

    @Test("a disk error at any operation of a restore is reported, and nothing is lost")
    func restoreErrors() throws {
        if tortured { try restore(Self.errors, sample: .every) }
        try restore([.fail(errno: EIO, sticky: true)], sample: .last(26))
    }

    @Test("a copy whose checkpoint fails with a disk error does not replace a store", arguments: [EIO, ENOSPC])
    func unfoldedLog(_ errno: CInt) throws {
        let seed = try RestoreSeed()
        defer { seed.remove() }
        let (folder, scratch) = (
            seed.folder.appendingPathExtension("run"), seed.folder.appendingPathExtension("scratch")
        )
        func run(_ plan: FaultPlan) throws -> FaultOutcome {
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.copyItem(at: seed.folder, to: folder)
            return try FaultRun(try seed.command(), in: folder, scratch: scratch, plan: plan).run()
        }
        defer { for item in [folder, scratch] { try? FileManager.default.removeItem(at: item) } }
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        let log = scratch.appendingPathComponent("log")
        _ = try run(.log(to: log))
        let operations = try OperationLog(contentsOf: log).operations
        for database in DatabaseName.allCases {
            let copy = "x.restoring/x_\(database.rawValue).db"
            let sync = try #require(operations.last { $0.kind == .fdatasync && $0.path == copy + "-wal" })
            let write = try #require(
                operations.first { $0.kind == .write && $0.path == copy && $0.number > sync.number })
            for plan in [
                FaultPlan.fail(at: sync.number, errno: errno, sticky: false),
                .fail(at: write.number, errno: errno, sticky: false), .failHalfway(at: write.number, errno: errno),
            ] {
                var outcome = try run(plan)
                // A program that another test is starting can seem to have the store open.
                for _ in 0..<5 where outcome.termination == .exit(75) { outcome = try run(plan) }
                #expect(outcome.termination == .exit(74), "\(outcome.output)")
                let location = try StoreLocation(prefix: folder.path + "/x")
                #expect(try Fingerprint(location) == seed.old)
                #expect(FileState(at: location.restoringPath) == .missing)
            }
        }
    }

    @Test("a power cut in a restore loses no data and no reported result")
    func restorePowerCuts() throws {
        try restore([.powerCut(variants: tortured ? 12 : 3)], sample: tortured ? .every : .last(28))
    }

    @discardableResult
    private func restore(_ faults: [Fault], sample: FaultSample) throws -> FaultSummary {
        let seed = try RestoreSeed()
        defer { seed.remove() }
        let campaign = FaultCampaign(
            command: try seed.command(), seedFolder: seed.folder, sample: sample,
            check: { try seed.verdict($0, $1) })
        let summary = try campaign.run(faults)
        report("restore", summary)
        #expect(summary.isClean, "\(summary)")
        return summary
    }

    private var tortured: Bool { FaultSample.isTortured }

    /// `make torture` prints the figures; the suite does not.
    private func report(_ name: String, _ summary: FaultSummary) {
        guard tortured else { return }
        FileHandle.standardOutput.write(Data("\n== \(name)\n\(summary)\n".utf8))
    }
}
