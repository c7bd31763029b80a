package import Foundation

/// One run of a program under the shim.
package struct FaultRun: Sendable {
    package var command: FaultCommand
    /// The folder whose operations count.
    package var folder: URL
    /// The folder for the files of the run itself (output, count). It is outside `folder`, and is created if it does
    /// not exist.
    package var scratch: URL
    package var plan: FaultPlan

    package init(_ command: FaultCommand, in folder: URL, scratch: URL, plan: FaultPlan) {
        self.command = command
        self.folder = folder
        self.scratch = scratch
        self.plan = plan
    }

    /// Runs the program until it ends.
    package func run() throws(FaultError) -> FaultOutcome {
        try start().finish()
    }

    /// Starts the program, for `.stop(at:)`: the caller waits, examines the folder, and resumes or kills the program.
    package func start() throws(FaultError) -> FaultedProcess {
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("CF_") }
        environment.merge(command.environment) { $1 }
        environment.merge(plan.environment) { $1 }
        environment["LD_PRELOAD"] = try FaultShimLibrary.find().path
        environment["CF_DIR"] = folder.path
        environment["CF_COUNT"] = file("count").path
        environment["CF_SECONDS"] = "\(command.seconds)"
        environment["CF_ONLY"] = command.counted
        do {
            try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
            try Data(command.input(folder).utf8).write(to: file("input"))
            try? FileManager.default.removeItem(at: file("count"))
        } catch {
            throw .cannotStart(program: command.executable.path, reason: "\(scratch.path) is not writable")
        }
        let process = try ChildProcess(
            command.executable, arguments: command.arguments(folder), environment: environment,
            input: file("input"), output: file("output"), errors: file("errors"))
        return FaultedProcess(process, run: self)
    }

    func file(_ name: String) -> URL { scratch.appendingPathComponent("run.\(name)") }
}

/// A started run. If the caller does not wait for its end, it ends with the object.
package final class FaultedProcess {
    private let process: ChildProcess
    private let run: FaultRun

    init(_ process: ChildProcess, run: FaultRun) {
        self.process = process
        self.run = run
    }

    deinit {
        process.send(SIGKILL)
        _ = process.waitUntilEnded()
    }

    /// Waits until the process stops before the operation of `.stop(at:)`. Returns false when the process ended without
    /// reaching it.
    package func waitUntilStopped() -> Bool { process.waitUntilStopped() }

    package func resume() { process.send(SIGCONT) }

    /// Sends the signal of Ctrl-C.
    package func interrupt() { process.send(SIGINT) }

    package func kill() { process.send(SIGKILL) }

    package func finish() throws(FaultError) -> FaultOutcome {
        let termination = process.waitUntilEnded()
        let errors = text("errors")
        if termination == .exit(99), errors.hasPrefix("fault shim:") {
            throw .cannotStart(program: run.command.executable.path, reason: errors)
        }
        let count = text("count").split(separator: "\n").map(String.init)
        guard let operations = count.first.flatMap({ Int($0) }) else {
            throw .cannotStart(
                program: run.command.executable.path,
                reason: "the shim was not loaded (\(termination)); a program without libc's dynamic loader?")
        }
        return FaultOutcome(
            termination: termination, output: text("output"), errors: errors, operations: operations,
            unseen: Array(count.dropFirst()))
    }

    private func text(_ name: String) -> String {
        guard let data = try? Data(contentsOf: run.file(name)) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}

/// The end of a process.
package enum Termination: Sendable, Hashable, CustomStringConvertible {
    case exit(CInt)
    case signal(CInt)

    package var description: String {
        switch self {
        case .exit(let code): "exit \(code)"
        case .signal(let number): "signal \(number)"
        }
    }
}

package struct FaultOutcome: Sendable, Hashable {
    package var termination: Termination
    package var output: String
    package var errors: String
    /// The number of operations begun; n for a process that was killed before operation n.
    package var operations: Int
    /// Changes that the shim saw but could not count, with the path; empty when there are none.
    package var unseen: [String]
}
