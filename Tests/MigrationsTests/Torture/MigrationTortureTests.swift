import ChatDBKit
import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A migration of a filled pair, with a fault at every operation on a file. `make torture` tries every operation, the
/// suite a sample.
@Suite("Torture of a migration", .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct MigrationTortureTests {
    @Test(
        "M01 M02: killed at any operation, or in the middle of a write, no row is lost",
        arguments: TortureStore.Journal.allCases)
    func killedAnywhere(_ journal: TortureStore.Journal) throws {
        let summary = try campaign(journal, sample: 4, [.kill, .tear])
        #expect(summary.isClean, "\(summary)")
        #expect(summary.rows.allSatisfy { $0.survived == 0 }, "\(summary)")
    }

    @Test(
        "M05 B06: a disk error at any operation is reported, and no row is lost",
        arguments: TortureStore.Journal.allCases)
    func errorsAnywhere(_ journal: TortureStore.Journal) throws {
        let faults = [ENOSPC, EIO].flatMap { errno in
            [Fault.fail(errno: errno, sticky: false), .fail(errno: errno, sticky: true), .failHalfway(errno: errno)]
        }
        let summary = try campaign(journal, sample: 2, faults)
        #expect(summary.isClean, "\(summary)")
    }

    @Test(
        "M03 B04: a power cut loses no data and no reported result",
        arguments: TortureStore.Journal.allCases)
    func powerCuts(_ journal: TortureStore.Journal) throws {
        let summary = try campaign(journal, sample: 5, [.powerCut(variants: tortured ? 12 : 3)])
        #expect(summary.isClean, "\(summary)")
    }

    @Test("T02: a run that completes an interrupted one can itself be interrupted at any operation")
    func completion() throws {
        let store = try TortureStore(journal: .wal, items: 60)
        defer { store.remove() }
        var check = try TortureCheck(store)
        check.completes = true
        let command = FaultCommand(try BuiltTool.find()) {
            ["migrate", "run", "--confirm", "error", "--format", "json", "--store", $0.path + "/x"]
        }
        try interrupt(store)
        let campaign = FaultCampaign(
            command: command, seedFolder: store.folder, sample: .everyIfTortured(else: 3),
            check: { [check] in try check.verdict($0, $1) })
        let summary = try campaign.run([
            .kill, .tear, .fail(errno: EIO, sticky: false), .fail(errno: ENOSPC, sticky: true),
            .powerCut(variants: tortured ? 12 : 2),
        ])
        report("completion of an interrupted run", summary)
        #expect(summary.isClean, "\(summary)")
    }

    /// Kills a run of the store between its two commits.
    private func interrupt(_ store: TortureStore) throws {
        let up = FaultCommand(try BuiltTool.find()) { ["migrate", "up", "--store", $0.path + "/x"] }
        let files = FileManager.default
        let scratch = store.folder.appendingPathExtension("scratch")
        let copy = store.folder.appendingPathExtension("copy")
        defer { for folder in [scratch, copy] { try? files.removeItem(at: folder) } }
        try files.copyItem(at: store.folder, to: copy)
        try files.createDirectory(at: scratch, withIntermediateDirectories: true)
        let log = scratch.appendingPathComponent("log")
        _ = try FaultRun(up, in: copy, scratch: scratch, plan: .log(to: log)).run()
        let operations = try OperationLog(contentsOf: log).operations
        let record = try #require(operations.first { $0.kind == .rename && $0.newPath == "x.migrating" })
        let agent = try #require(
            operations.first {
                $0.number > record.number && $0.path.hasPrefix("x_agent.db") && $0.kind == .fsync
                    || $0.kind == .fdatasync && $0.number > record.number
            })
        let chat = try #require(operations.first { $0.number > agent.number && $0.path.hasPrefix("x_chat.db") })
        _ = try FaultRun(up, in: store.folder, scratch: scratch, plan: .kill(at: chat.number)).run()
        let location = try StoreLocation(prefix: store.folder.path + "/x")
        let found = try Fingerprint(location).versions
        #expect(found[.agent] != TortureStore.agentVersion && found[.chat] == TortureStore.chatVersion)
        #expect(FileState(at: location.intentPath) != .missing)
    }

    @Test("M04: without syncs the same harness finds damage, so the test can fail")
    func control() throws {
        let store = try TortureStore(journal: .delete, items: 60)
        defer { store.remove() }
        let check = try TortureCheck(store)
        let unsafe = FaultCommand(try BuiltTool.find("unsafe-migrate")) { [$0.path + "/x"] }
        let campaign = FaultCampaign(
            command: unsafe, seedFolder: store.folder, sample: .everyIfTortured(else: 12),
            check: { try check.verdict($0, $1) })
        let summary = try campaign.run([.powerCut(variants: 12)])
        report("control", summary)
        #expect(!summary.isClean, "\(summary)")
    }

    private func campaign(_ journal: TortureStore.Journal, sample: Int, _ faults: [Fault]) throws -> FaultSummary {
        let store = try TortureStore(journal: journal, items: 60)
        defer { store.remove() }
        let check = try TortureCheck(store)
        let command = FaultCommand(try BuiltTool.find()) {
            ["migrate", "run", "--confirm", "yes-up", "--format", "json", "--store", $0.path + "/x"]
        }
        let campaign = FaultCampaign(
            command: command, seedFolder: store.folder, sample: .everyIfTortured(else: sample),
            check: { try check.verdict($0, $1) })
        let summary = try campaign.run(faults)
        report("migration, journal \(journal.rawValue)", summary)
        return summary
    }

    private var tortured: Bool { FaultSample.isTortured }

    /// `make torture` prints the figures; the suite does not.
    private func report(_ name: String, _ summary: FaultSummary) {
        guard tortured else { return }
        FileHandle.standardOutput.write(Data("\n== \(name)\n\(summary)\n".utf8))
    }
}
