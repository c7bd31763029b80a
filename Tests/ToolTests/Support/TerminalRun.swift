import Foundation
import TestKit

/// A run of chatdb that has a terminal: for its questions and whatever goes to standard error. Its answer goes to a file.
final class TerminalRun {
    let terminal: TestTerminal
    private let process: Process
    private let answer: String

    init(_ arguments: [String], in folder: TemporaryFolder) throws {
        terminal = try TestTerminal()
        process = try ToolProcess.make(arguments + ["--color", "never"], in: folder)
        answer = NSTemporaryDirectory() + "/chatdb-answer-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: answer, contents: nil)
        process.standardInput = terminal.device
        process.standardError = terminal.device
        process.standardOutput = FileHandle(forWritingAtPath: answer)
        try process.run()
        // So that the end of the process is the end of what the terminal shows.
        try terminal.device.close()
    }

    deinit { try? FileManager.default.removeItem(atPath: answer) }

    /// What Ctrl-C does.
    func interrupt() { process.interrupt() }

    /// Waits for the end: the exit code, the rest of what the terminal shows, and the answer.
    func end() throws -> (code: Int32, shown: String, answer: String) {
        let shown = terminal.readToEnd()
        process.waitUntilExit()
        return (process.terminationStatus, shown, try String(contentsOfFile: answer, encoding: .utf8))
    }
}
