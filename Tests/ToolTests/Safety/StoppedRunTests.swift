import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Safety R16: what an ended run leaves in the folder of temporary files, which may hold a copy of the user's store.
@Suite("runs that are ended", .timeLimit(.minutes(30))) struct StoppedRunTests {
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
        let process = try store.process(
            ["query", endless, "--timeout", "86400"], environment: ["TMPDIR": temporary.path])
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let before = Set(try copies())
        try process.run()
        while try Set(copies()).subtracting(before).isEmpty, process.isRunning { sched_yield() }
        try #require(process.isRunning)
        return process
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
            try store(["schema", "dump"], environment: ["TMPDIR": temporary.path])
            #expect(try copies().count == 1)
        }
        kill(living.processIdentifier, SIGKILL)
        living.waitUntilExit()
        try store(["schema", "dump"], environment: ["TMPDIR": temporary.path])
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }
}
