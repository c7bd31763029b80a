import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The shim itself, on a C program that changes files in every way.
@Suite("The fault shim", .enabled(if: ChangingProgram.isAvailable))
struct FaultHarnessShimTests {
    /// A new folder, and a function that runs a part of the program in it.
    private func inFolder(
        _ body: (_ folder: URL, _ run: (String, FaultPlan) throws -> FaultOutcome) throws -> Void
    ) throws {
        try withFaultFolder { root in
            let folder = root.appendingPathComponent("folder")
            let program = try ChangingProgram(in: root)
            try body(folder) { part, plan in
                try FolderImage().materialise(into: folder)
                return try FaultRun(
                    program.command(part), in: folder, scratch: root.appendingPathComponent("scratch"), plan: plan
                ).run()
            }
        }
    }

    @Test("the log, replayed, gives the folder that the program left", arguments: ["writing", "naming", "threads"])
    func logIsComplete(_ part: String) throws {
        try inFolder { folder, run in
            let file = folder.deletingLastPathComponent().appendingPathComponent("log")
            let outcome = try run(part, .log(to: file))
            #expect(outcome.termination == .exit(0), "\(outcome.errors)")
            let log = try OperationLog(contentsOf: file)
            let result = try FolderImage(of: folder)
            try PowerCut.verify(initial: FolderImage(), log: log, result: result)
            #expect(log.operations.map(\.number) == Array(1...outcome.operations))
            #expect(!result.files.isEmpty)
            // The check must be able to fail: without any one of the writes it does.
            let last = try #require(log.operations.lastIndex { $0.kind == .write && !$0.isUnlinked })
            var shortened = log.operations
            shortened.remove(at: last)
            #expect(throws: FaultError.self) {
                try PowerCut.verify(initial: FolderImage(), log: OperationLog(operations: shortened), result: result)
            }
        }
    }

    @Test("every changing operation is counted once, and no other")
    func counts() throws {
        try inFolder { _, run in
            try #expect(run("threads", .count).operations == 4 * 101)
            try #expect(run("writing", .count).operations == 20)
            try #expect(run("naming", .count).operations == 20)
        }
    }

    @Test("forked and started children are not counted")
    func children() throws {
        try inFolder { folder, run in
            let file = folder.deletingLastPathComponent().appendingPathComponent("log")
            let outcome = try run("children", .log(to: file))
            #expect(outcome.operations == 1)
            try #expect(OperationLog(contentsOf: file).operations.map(\.path) == ["own"])
            try #expect(FolderImage(of: folder).folders == ["forked", "started", "own"])
        }
    }

    @Test("the environment stays where the kernel put it, since the Swift runtime looks there for the arguments")
    func environment() throws {
        try inFolder { _, run in
            try #expect(run("arguments", .count).termination == .exit(0))
        }
    }

    @Test("a kill comes before its operation, a tear in the middle of its write")
    func killAndTear() throws {
        try inFolder { folder, run in
            let killed = try run("steps", .kill(at: 4))
            #expect(killed.termination == .signal(SIGKILL))
            #expect(killed.output == "step 1\nstep 2\n")
            #expect(killed.operations == 4)
            try #expect(FolderImage(of: folder).files["steps"]?.bytes.count == 16)
            _ = try run("steps", .tear(at: 4))
            try #expect(FolderImage(of: folder).files["steps"]?.bytes == Array("12345678123456781234".utf8))
            // No operation follows the last one.
            try #expect(run("steps", .kill(at: 10)).termination == .exit(0))
        }
    }

    @Test("an operation fails once, permanently, or halfway")
    func failures() throws {
        try inFolder { folder, run in
            let once = try run("steps", .fail(at: 3, errno: ENOSPC, sticky: false))
            #expect(once.termination == .exit(3))
            #expect(once.output == "step 1\nfailed: No space left on device\n")
            #expect(once.operations == 3)
            let halfway = try run("steps", .failHalfway(at: 3, errno: EIO))
            #expect(halfway.output == "step 1\nfailed: Input/output error\n")
            try #expect(FolderImage(of: folder).files["steps"]?.bytes.count == 12)
            try #expect(run("threads", .fail(at: 1, errno: EIO, sticky: true)).termination == .exit(1))
        }
    }

    @Test("a stopped process waits before its operation until it is resumed")
    func stop() throws {
        try withFaultFolder { root in
            let folder = root.appendingPathComponent("folder")
            try FolderImage().materialise(into: folder)
            let run = FaultRun(
                try ChangingProgram(in: root).command("steps"), in: folder,
                scratch: root.appendingPathComponent("scratch"), plan: .stop(at: 5))
            let process = try run.start()
            #expect(process.waitUntilStopped())
            try #expect(FolderImage(of: folder).files["steps"]?.bytes.count == 24)
            process.resume()
            #expect(!process.waitUntilStopped())
            try #expect(process.finish().termination == .exit(0))
            try #expect(FolderImage(of: folder).files["steps"]?.bytes.count == 64)

            let other = try run.start()
            #expect(other.waitUntilStopped())
            other.kill()
            try #expect(other.finish().termination == .signal(SIGKILL))
        }
    }

    @Test("changes that cannot be counted are named", arguments: ["stdio", "mapping"])
    func unseen(_ part: String) throws {
        try inFolder { folder, run in
            try #expect(run(part, .count).unseen.map { $0.prefix(while: { $0 != ":" }) } == [part[...]])
            let file = folder.deletingLastPathComponent().appendingPathComponent("log")
            _ = try run(part, .log(to: file))
            let log = try OperationLog(contentsOf: file)
            #expect(throws: FaultError.unseen(log.unseen)) {
                try PowerCut.verify(initial: FolderImage(), log: log, result: FolderImage(of: folder))
            }
        }
    }

    @Test("a file from outside is named, since its content is unknown")
    func arriving() throws {
        try inFolder { _, run in
            let outcome = try run("arriving", .count)
            #expect(outcome.unseen == ["inside: renamed from outside the folder"])
            #expect(outcome.operations == 1)
        }
    }

    @Test("a program that hangs is ended")
    func hanging() throws {
        try withFaultFolder { root in
            var command = try ChangingProgram(in: root).command("hanging")
            command.seconds = 1
            let folder = root.appendingPathComponent("folder")
            try FolderImage().materialise(into: folder)
            let outcome = try FaultRun(command, in: folder, scratch: root, plan: .count).run()
            #expect(outcome.termination == .signal(SIGALRM))
        }
    }

    @Test("only the named program is counted, not the shell that starts it")
    func named() throws {
        try withFaultFolder { root in
            let folder = root.appendingPathComponent("folder")
            try FolderImage().materialise(into: folder)
            let program = try ChangingProgram(in: root).executable
            let script = "echo > \"$0/shell\"; '\(program.path)' \"$0\" steps"
            let shell = FaultCommand(URL(fileURLWithPath: "/bin/sh"), counted: "changing") { ["-c", script, $0.path] }
            let scratch = root.appendingPathComponent("scratch")
            try #expect(FaultRun(shell, in: folder, scratch: scratch, plan: .count).run().operations == 9)
        }
    }

    @Test("a log inside the folder, or a path that is not a folder, is refused")
    func refusals() throws {
        try inFolder { folder, run in
            #expect(throws: FaultError.self) { try run("steps", .log(to: folder.appendingPathComponent("log"))) }
        }
        try withFaultFolder { root in
            let command = try ChangingProgram(in: root).command("steps")
            let missing = root.appendingPathComponent("missing")
            #expect(throws: FaultError.self) { try FaultRun(command, in: missing, scratch: root, plan: .count).run() }
        }
    }
}
