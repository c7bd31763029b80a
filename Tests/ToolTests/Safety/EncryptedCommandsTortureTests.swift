import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Commands that write an encrypted store, with a fault at every operation on a file. `make torture` tries every
/// operation, the suite a sample. SQLCipher is the judge: it opens a copy of what the fault left.
@Suite(
    "Torture of commands on encrypted stores", .timeLimit(.minutes(600)),
    .enabled(if: EncryptedStore.python != nil && FaultShimLibrary.isSupported, "needs Linux and sqlcipher3"))
struct EncryptedCommandsTortureTests {
    @Test(
        "after a kill, SQLCipher and the next command both find the store whole, from before or after",
        arguments: EncryptedWork.Kind.allCases)
    func killed(_ kind: EncryptedWork.Kind) throws {
        let summary = try run(kind, [.kill, .tear], sample: .everyIfTortured(else: 8))
        #expect(summary.count(of: "old") > 0, "\(summary)")
        if kind != .backup { #expect(summary.count(of: "new") > 0, "\(summary)") }
    }

    @Test("after a disk error, the same holds", arguments: EncryptedWork.Kind.allCases)
    func errors(_ kind: EncryptedWork.Kind) throws {
        if FaultSample.isTortured {
            try run(kind, [.fail(errno: ENOSPC, sticky: false), .failHalfway(errno: ENOSPC)], sample: .every)
        }
        try run(kind, [.fail(errno: EIO, sticky: true)], sample: .everyIfTortured(else: 4))
    }

    @Test("after a power cut, the same holds", arguments: EncryptedWork.Kind.allCases)
    func powerCuts(_ kind: EncryptedWork.Kind) throws {
        try run(
            kind, [.powerCut(variants: FaultSample.isTortured ? 8 : 2)],
            sample: FaultSample.isTortured ? .every : .last(6))
    }

    @Test("the judge finds a text in plain, a damaged page and a missing row")
    func control() throws {
        let work = try EncryptedWork(.presetImport)
        let folder = work.folder
        #expect(try work.state(of: folder) == "old")
        let run = EncryptedStore(in: work.run)
        try run.sqlcipher("c.execute('DELETE FROM notes WHERE rowid = 2')")
        #expect(try work.state(of: folder) == nil)
        try Data("a \(EncryptedWork.marker)".utf8).write(to: folder.appendingPathComponent("plain"))
        #expect(throws: ToolRun.Failure.self) { try work.state(of: folder) }
        try FileManager.default.removeItem(at: folder.appendingPathComponent("plain"))
        #expect(try work.run.shell("printf x | dd of=y_chat.db bs=1 seek=9000 conv=notrunc status=none").code == 0)
        #expect(throws: ToolRun.Failure.self) { try work.state(of: folder) }
    }

    @discardableResult
    private func run(
        _ kind: EncryptedWork.Kind, _ faults: [Fault], sample: FaultSample
    ) throws -> FaultSummary {
        let work = try EncryptedWork(kind)
        let campaign = FaultCampaign(
            command: work.command, seedFolder: work.folder, sample: sample, check: { try work.verdict($0, $1) })
        let summary = try campaign.run(faults)
        if FaultSample.isTortured {
            FileHandle.standardOutput.write(Data("\n== encrypted store, \(kind)\n\(summary)\n".utf8))
        }
        #expect(summary.isClean, "\(summary)")
        return summary
    }
}
