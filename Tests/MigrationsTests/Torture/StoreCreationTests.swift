import ChatDBKit
import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The creation of a store, with faults.
@Suite(
    "Torture of making a store", .timeLimit(.minutes(60)),
    .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct StoreCreationTests {
    private func command() throws -> FaultCommand {
        FaultCommand(try BuiltTool.find()) {
            ["migrate", "run", "--confirm", "error", "--format", "json", "--store", $0.path + "/x"]
        }
    }

    private func run(_ plan: FaultPlan, in folder: TemporaryFolder) throws -> FaultRun {
        let scratch = URL(fileURLWithPath: folder.path + "-scratch")
        return FaultRun(try command(), in: URL(fileURLWithPath: folder.path), scratch: scratch, plan: plan)
    }

    private func operation(_ kind: FileOperation.Kind, of path: String) throws -> Int {
        let folder = try TemporaryFolder()
        let log = URL(fileURLWithPath: folder.path + ".log")
        defer { try? FileManager.default.removeItem(at: log) }
        _ = try run(.log(to: log), in: folder).run()
        let found = try OperationLog(contentsOf: log).operations.first { $0.kind == kind && $0.path == path }
        return try #require(found).number
    }

    @Test("a file that another program creates during the creation stays, and the run removes its own files")
    func fileOfAnother() throws {
        let folder = try TemporaryFolder()
        let process = try run(.stop(at: operation(.create, of: "x_chat.db")), in: folder).start()
        #expect(process.waitUntilStopped())
        #expect(FileState(at: folder.file("x_agent.db")) != .missing)
        let theirs = Data("chats of another app".utf8)
        try theirs.write(to: URL(fileURLWithPath: folder.file("x_chat.db")))
        process.resume()
        let outcome = try process.finish()
        #expect(outcome.termination == .exit(74) && outcome.errors.contains("Nothing was changed."))
        #expect(FileManager.default.contents(atPath: folder.file("x_chat.db")) == theirs)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["x_chat.db"])
    }

    @Test("a run holds the lock while it works, and the lock is free after its death")
    func deadProcess() throws {
        let folder = try TemporaryFolder()
        let process = try run(.stop(at: operation(.create, of: "x_chat.db")), in: folder).start()
        #expect(process.waitUntilStopped())
        func take() throws(MigrationError) -> StoreLock {
            try StoreLock.take(folder.file("x.lock"), .alone, timeout: 0, cancellation: Cancellation())
        }
        #expect {
            _ = try take()
        } throws: { error in
            guard case .storeLocked(by: let holder) = error as? MigrationError else { return false }
            return holder?.program == "chatdb"
        }
        process.kill()
        _ = try process.finish()
        _ = try take()
    }

    @Test("files of a killed creation that another program has open are still those of the run")
    func openFile() throws {
        let command = FaultCommand(try BuiltTool.find()) { folder in
            let isRecorded = FileManager.default.fileExists(atPath: folder.path + "/x.migrating")
            return ["migrate", "run", "--store", folder.path + "/x", "--passphrase-file", folder.path + "/key"]
                + (isRecorded ? [] : ["--encrypt"])
        }
        func run(_ plan: FaultPlan, in folder: TemporaryFolder) throws -> FaultOutcome {
            let key = folder.file("key")
            try Data("x'\(String(repeating: "2f", count: 32))'".utf8).write(to: URL(fileURLWithPath: key))
            chmod(key, 0o600)
            let scratch = URL(fileURLWithPath: folder.path + "-scratch")
            return try FaultRun(command, in: URL(fileURLWithPath: folder.path), scratch: scratch, plan: plan).run()
        }
        let (whole, folder) = (try TemporaryFolder(), try TemporaryFolder())
        let log = URL(fileURLWithPath: whole.path + ".log")
        defer { try? FileManager.default.removeItem(at: log) }
        _ = try run(.log(to: log), in: whole)
        let operations = try OperationLog(contentsOf: log).operations
        let commit = try #require(operations.last { $0.kind == .unlink && $0.path == "x_chat.db-journal" })
        _ = try run(.kill(at: commit.number), in: folder)
        let (holder, input, output) = (Process(), Pipe(), Pipe())
        holder.executableURL = URL(fileURLWithPath: "/bin/sh")
        holder.arguments = ["-c", "exec 3< \"$0\"; echo ready; read line", folder.file("x_chat.db")]
        (holder.standardInput, holder.standardOutput) = (input, output)
        try holder.run()
        _ = output.fileHandleForReading.availableData
        let refused = try run(.count, in: folder)
        #expect(refused.termination != .exit(0) && refused.errors.contains("has it open"), "\(refused.errors)")
        #expect(!refused.errors.contains("is not a file that the run created"), "\(refused.errors)")
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
        let completed = try run(.count, in: folder)
        #expect(completed.termination == .exit(0), "\(completed.errors)")
    }

    @Test("a log or journal without its database is not used for the new one", arguments: ["-wal", "-journal"])
    func strayFile(_ suffix: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("x_chat.db" + suffix)
        try Data("chats of another app".utf8).write(to: URL(fileURLWithPath: path))
        let before = try folder.fingerprint()
        let outcome = try run(.count, in: folder).run()
        #expect(outcome.termination == .exit(66) && outcome.errors.contains("strayFile"))
        #expect(try folder.fingerprint() == before)
    }

    @Test("a complete new store is reported as created, although the record could not be removed")
    func recordStays() throws {
        let folder = try TemporaryFolder()
        let last = try operation(.unlink, of: "x.migrating")
        let outcome = try run(.fail(at: last, errno: EIO, sticky: false), in: folder).run()
        #expect(outcome.termination == .exit(74) && outcome.errors.contains("Both databases are at the new version"))
        #expect(!outcome.errors.contains("Nothing was changed."))
        let next = try run(.count, in: folder).run()
        #expect(next.termination == .exit(0) && next.output.contains("\"created\": false"))
    }

    @Test(
        "a kill, an error or a power cut at any operation leaves no store, a complete one, or a record"
    )
    func anywhere() throws {
        let seed = try TemporaryFolder()
        let newest = try MigrationSource.build.load().compactMapValues(\.last?.name)
        let command = try command()
        let campaign = FaultCampaign(
            command: command, seedFolder: URL(fileURLWithPath: seed.path), sample: .everyIfTortured(else: 3)
        ) { folder, fault in
            let location = try StoreLocation(prefix: folder.path + "/x")
            let there = location.missing.isEmpty
            let hasRecord = FileState(at: location.intentPath) != .missing
            let versions = there && !hasRecord ? try Fingerprint(location).versions : [:]
            let state = hasRecord ? "begun" : there ? "made" : "nothing"
            if state == "made", versions != newest { return .damaged("the databases are at \(versions)") }
            if state == "nothing", location.missing.count == 1 { return .damaged("half a store without a record") }
            let isAnyThere = location.missing.count < 2
            if isAnyThere, fault.errors.contains("Nothing was changed.") {
                return .damaged("the run said that nothing was changed")
            }
            let promised = fault.finished || fault.output.contains("\"created\"")
            if promised, !there { return .lost("the run said it was done") }
            let scratch = folder.deletingLastPathComponent().appendingPathComponent("next")
            let next = try FaultRun(command, in: folder, scratch: scratch, plan: .count).run()
            guard next.termination == .exit(0) else {
                throw Damage(what: "the next run failed, \(next.termination): \(next.errors)")
            }
            guard try Fingerprint(location).versions == newest else {
                throw Damage(what: "the next run ended elsewhere")
            }
            guard FileState(at: location.intentPath) == .missing else {
                throw Damage(what: "the record is still there")
            }
            return .whole(state)
        }
        let summary = try campaign.run([
            .kill, .tear, .fail(errno: EIO, sticky: false), .fail(errno: EIO, sticky: true),
            .fail(errno: ENOSPC, sticky: true), .powerCut(variants: FaultSample.isTortured ? 12 : 2),
        ])
        if FaultSample.isTortured { FileHandle.standardOutput.write(Data("\n== making a store\n\(summary)\n".utf8)) }
        #expect(summary.isClean, "\(summary)")
    }
}
