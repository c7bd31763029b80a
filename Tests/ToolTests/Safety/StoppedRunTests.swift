import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Safety R16: what a run that is ended leaves in the folder of temporary files, where a copy of somebody's store may be.
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

    /// A run that reads a private copy until it is ended, and has made it.
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

    @Test("R16: Ctrl-C, and being asked to end, take the copy along", arguments: [SIGINT, SIGTERM, SIGHUP])
    func ended(_ signal: Int32) throws {
        let process = try reading()
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }

    @Test("R16: the copy of a killed run goes with the next run of whatever command; one that is in use stays")
    func killed() throws {
        let killed = try reading()
        kill(killed.processIdentifier, SIGKILL)
        killed.waitUntilExit()
        let left = try copies()
        #expect(left.count == 1)
        let living = try reading()
        #expect(try copies().count == 1 && copies() != left)
        for _ in 1...2 {
            try store(["schema", "show"], environment: ["TMPDIR": temporary.path])
            #expect(try copies().count == 1)
        }
        kill(living.processIdentifier, SIGKILL)
        living.waitUntilExit()
        try store(["schema", "show"], environment: ["TMPDIR": temporary.path])
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }
}
