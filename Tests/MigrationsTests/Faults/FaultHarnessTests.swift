import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The harness on a program with known guarantees: the sqlite3 shell committing two transactions.
@Suite("The fault harness on SQLite's own shell", .enabled(if: ShellWorkload.isAvailable))
struct FaultHarnessTests {
    static let safe: [ShellWorkload] = [
        ShellWorkload(journal: "DELETE", synchronous: "FULL"),
        ShellWorkload(journal: "DELETE", synchronous: "EXTRA"),
        ShellWorkload(journal: "WAL", synchronous: "FULL"),
    ]

    @Test("a kill or torn write at every operation leaves each transaction complete or absent", arguments: safe)
    func killedAnywhere(_ workload: ShellWorkload) throws {
        let summary = try workload.campaign { try $0.run([.kill, .tear]) }
        #expect(summary.isClean, "\(summary)")
        #expect(summary.count(of: "0") > 0 && summary.count(of: "1") > 0, "\(summary)")
        // Every operation was tried, and each killed the shell.
        #expect(summary.rows[0].cases == summary.operations)
        #expect(summary.rows.allSatisfy { $0.survived == 0 })
    }

    @Test("an error at any operation is reported, or loses nothing", arguments: safe)
    func errorsAnywhere(_ workload: ShellWorkload) throws {
        let faults = [ENOSPC, EIO].flatMap { errno in
            [Fault.fail(errno: errno, sticky: false), .fail(errno: errno, sticky: true), .failHalfway(errno: errno)]
        }
        let summary = try workload.campaign(sample: .everyIfTortured(else: 12)) { try $0.run(faults) }
        #expect(summary.isClean, "\(summary)")
        #expect(summary.rows.allSatisfy { $0.cases > 0 && $0.survived < $0.cases }, "\(summary)")
    }

    @Test("after a power cut nothing acknowledged is lost with EXTRA, or FULL in WAL mode", arguments: safe.suffix(2))
    func durableModes(_ workload: ShellWorkload) throws {
        let summary = try workload.campaign(sample: .everyIfTortured(else: 50)) {
            try $0.run([.powerCut(variants: 12)])
        }
        #expect(summary.isClean, "\(summary)")
        #expect(summary.count(of: "0") > 0 && summary.count(of: "1") > 0 && summary.count(of: "2") > 0, "\(summary)")
        #expect(summary.cases > summary.operations)
    }
}

/// The harness must be able to fail: it detects settings that are known to be unsafe.
@Suite("Faults that the harness finds", .enabled(if: ShellWorkload.isAvailable))
struct FaultHarnessControlTests {
    @Test("without a journal on disk, a killed process leaves damage")
    func journalInMemory() throws {
        let workload = ShellWorkload(journal: "MEMORY", synchronous: "FULL")
        let summary = try workload.campaign { try $0.run([.kill]) }
        #expect(summary.damaged > 0, "\(summary)")
    }

    @Test("without syncs, a power cut leaves damage, though a killed process leaves none")
    func synchronousOff() throws {
        let workload = ShellWorkload(journal: "DELETE", synchronous: "OFF")
        let summary = try workload.campaign(sample: .about(40)) { try $0.run([.kill, .powerCut(variants: 12)]) }
        #expect(summary.rows[0].damaged == 0 && summary.rows[0].lost == 0, "\(summary)")
        #expect(summary.rows[1].damaged > 0, "\(summary)")
    }

    @Test("a journal whose deletion is not synced loses acknowledged transactions")
    func journalUnlinkNotSynced() throws {
        let workload = ShellWorkload(journal: "DELETE", synchronous: "FULL")
        let summary = try workload.campaign { campaign in
            // One worker sees the same image before and after the acknowledgement, and must check it twice.
            var campaign = campaign
            campaign.workers = 1
            return try campaign.run([.powerCut(variants: 12)])
        }
        // Right after the first acknowledgement, and at the end.
        #expect(summary.findings.contains { !$0.at.finished } && summary.findings.contains { $0.at.finished })
        #expect(summary.damaged == 0, "\(summary)")
        let promised = try #require(summary.findings.first { !$0.at.finished })
        #expect(promised.at.output == "committed 1\n" && promised.at.operationName == "unlink store.db-journal")
    }

    @Test("WAL with synchronous NORMAL loses acknowledged transactions, and is never damaged")
    func walNormal() throws {
        let workload = ShellWorkload(journal: "WAL", synchronous: "NORMAL")
        let summary = try workload.campaign(sample: .everyIfTortured(else: 50)) {
            try $0.run([.powerCut(variants: 12)])
        }
        #expect(summary.lost > 0, "\(summary)")
        #expect(summary.damaged == 0, "\(summary)")
    }

    @Test("a check that throws is damage, with its reason and the operation")
    func checkThatThrows() throws {
        struct Complaint: Error {}
        let workload = ShellWorkload(journal: "DELETE", synchronous: "FULL")
        let summary = try workload.campaign(sample: .about(2), check: { _, _ in throw Complaint() }) {
            try $0.run([.kill])
        }
        #expect(summary.damaged == 2 && summary.findings.count == 2)
        #expect(summary.description.contains("Complaint"))
        #expect(summary.findings.first?.at.operation == 1)
    }

    @Test("a program that fails without a fault is not tested")
    func failingProgram() throws {
        let workload = ShellWorkload(journal: "DELETE", synchronous: "FULL", extra: "SELECT * FROM missing;")
        #expect(throws: FaultError.self) { try workload.campaign { try $0.run([.kill]) } }
    }
}
