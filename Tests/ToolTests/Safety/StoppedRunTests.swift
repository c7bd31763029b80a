import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Safety R16: what an ended run leaves in the folder of temporary files, which may hold a copy of the user's store.
@Suite("runs that are ended", .timeLimit(.minutes(60))) struct StoppedRunTests {
    private let store: ToolRun
    private let temporary: TemporaryFolder

    init() throws {
        store = try FoundStore.hotWAL.make()
        temporary = try TemporaryFolder()
    }

    private func copies() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: temporary.path).filter { $0.hasPrefix("chatdb-copy-") }
    }

    /// A run that has made a private copy and reads it until the test ends it.
    private func reading() throws -> Process {
        let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
        let before = Set(try copies())
        for _ in 1...9 {
            let process = try store.process(
                ["query", endless, "--timeout", "86400"], environment: ["TMPDIR": temporary.path])
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            while process.isRunning, !readsInPlace(process) {
                if try !Set(copies()).subtracting(before).isEmpty { return process }
                sched_yield()
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        throw ToolRun.Failure(description: "no run made a copy")
    }

    /// Whether a run reads the store itself, because it found another program that has it open: a program that is being
    /// started by the tests shares their files for a moment. Linux only.
    private func readsInPlace(_ process: Process) -> Bool {
        let files = "/proc/\(process.processIdentifier)/fd"
        let shared = (store.folder.path as NSString).lastPathComponent + "/x_chat.db-shm"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: files)) ?? []
        return names.contains { name in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: files + "/" + name)
            return path?.hasSuffix(shared) == true
        }
    }

    @Test("R16: Ctrl-C and signals to end remove the copy", arguments: [SIGINT, SIGTERM, SIGHUP])
    func ended(_ signal: Int32) throws {
        let process = try reading()
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }

    @Test("R16: the next run of any command removes the copy of a killed run, and keeps one in use")
    func killed() throws {
        let killed = try reading()
        kill(killed.processIdentifier, SIGKILL)
        killed.waitUntilExit()
        let left = try copies()
        #expect(left.count == 1)
        let living = try reading()
        #expect(try copies().count == 1 && copies() != left)
        for _ in 1...2 {
            try store(["schema", "docs"], environment: ["TMPDIR": temporary.path])
            #expect(try copies().count == 1)
        }
        kill(living.processIdentifier, SIGKILL)
        living.waitUntilExit()
        try store(["schema", "docs"], environment: ["TMPDIR": temporary.path])
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }

    @Test(
        "R16: Ctrl-C while an archive is unpacked removes what was written",
        .enabled(if: FaultShimLibrary.isSupported),
        arguments: [["inspect", "-d", "ARCHIVE"], ["archive", "check", "ARCHIVE"], ["archive", "unpack", "ARCHIVE"]])
    func unpacking(_ words: [String]) throws {
        try store.archive(
            of: "none",
            """
            import random
            for name in 'chat', 'agent': archive.writestr('simplex_v1_%s.db' % name, random.randbytes(8_000_000))
            """)
        let folder = temporary.path
        let arguments =
            words.map { $0 == "ARCHIVE" ? store.file("archive.zip") : $0 }
            + (words.contains("unpack") ? ["--to", folder + "/new"] : [])
        func run(_ plan: FaultPlan) throws -> (run: FaultRun, scratch: TemporaryFolder) {
            let scratch = try TemporaryFolder()
            let command = FaultCommand(try BuiltTool.find(), environment: ["TMPDIR": folder]) { _ in arguments }
            return (
                FaultRun(
                    command, in: URL(fileURLWithPath: folder), scratch: URL(fileURLWithPath: scratch.path), plan: plan),
                scratch
            )
        }
        for operation in [5, 40] {
            let (run, scratch) = try run(.stop(at: operation))
            let process = try run.start()
            try #require(process.waitUntilStopped(), "\(words)")
            #expect(try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            process.interrupt()
            process.resume()
            let outcome = try process.finish()
            #expect(
                [.signal(SIGINT), .exit(130)].contains(outcome.termination), "\(outcome.termination) \(outcome.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty, "\(words)")
            withExtendedLifetime(scratch) {}
        }
    }

    @Test("R16: a search ends at Ctrl-C")
    func searching() throws {
        // The test may block the signal, and the tool would inherit that.
        let script = """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_SETMASK, []); signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execv(sys.argv[1], ["chatdb", "find", "--below", "/"])
            """
        let process = try store.process(
            ["python3", "-c", script, BuiltTool.find().path], environment: ["TMPDIR": temporary.path])
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let terminal = try TestTerminal()
        process.standardError = terminal.device
        try process.run()
        try terminal.device.close()
        // A disk that is searched in less than half a second shows no progress.
        let isSearching = (try? terminal.read(until: "names searched")) != nil
        kill(process.processIdentifier, SIGINT)
        let shown = terminal.readToEnd()
        process.waitUntilExit()
        let isStopped = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT
        #expect(isStopped || process.terminationStatus == 130 || !isSearching, "\(shown)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }
}
