import Foundation
import TestKit

/// A run of chatdb with a terminal: for its questions, for standard error, and for its answer unless that goes to a
/// file.
final class TerminalRun {
    enum Answer {
        case shown
        case inFile
    }

    let terminal: TestTerminal
    private let process: Process
    private let file = AnswerFile()

    init(
        _ arguments: [String], in chatdb: ToolRun, answer: Answer = .inFile, environment: [String: String] = [:]
    ) throws {
        terminal = try TestTerminal()
        process = try chatdb.process(arguments, environment: environment.merging(["NO_COLOR": "1"]) { $1 })
        process.standardInput = terminal.device
        process.standardError = terminal.device
        process.standardOutput = answer == .shown ? terminal.device : try file.handle()
        try process.run()
        // So that the end of the process is the end of the terminal's output.
        try terminal.device.close()
    }

    /// Types Ctrl-C.
    func interrupt() { process.interrupt() }

    /// Kills the process.
    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Waits for the end. Returns the exit code, the rest of the terminal's output, and the answer in the file.
    func end() throws -> (code: Int32, shown: String, answer: String) {
        let shown = terminal.readToEnd()
        process.waitUntilExit()
        return (process.terminationStatus, shown, file.text)
    }
}

/// A file outside the folder of the test, whose files tests look at.
private final class AnswerFile {
    private let path = NSTemporaryDirectory() + "/chatdb-answer-\(UUID().uuidString)"

    func handle() throws -> FileHandle {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let handle = FileHandle(forWritingAtPath: path) else {
            throw ToolRun.Failure(description: "\(path) cannot be made")
        }
        return handle
    }

    var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
