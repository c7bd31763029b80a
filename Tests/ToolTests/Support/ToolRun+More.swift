import Foundation
import TestKit

extension ToolRun.Outcome {
    /// The output as JSON.
    func json() throws -> [String: Any] { try Self.object(output) }

    /// What is under `"error"` on standard error.
    func error() throws -> [String: Any] { try Self.object(errors)["error"] as? [String: Any] ?? [:] }

    private static func object(_ text: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }
}

extension ToolRun {
    /// The prefix of the store.
    var store: String { file("x") }

    /// A path in the folder.
    func file(_ name: String) -> String { folder.file(name) }

    @discardableResult
    func run(_ arguments: String...) throws -> Outcome { try self(arguments) }

    @discardableResult
    func run(_ arguments: [String]) throws -> Outcome { try self(arguments) }

    /// Runs chatdb where it must succeed.
    @discardableResult
    func succeed(_ arguments: String...) throws -> Outcome {
        let outcome = try self(arguments)
        guard outcome.code == 0 else { throw Failure(text: "\(arguments): \(outcome.code)\n\(outcome.errors)") }
        return outcome
    }

    /// Runs chatdb on a terminal of 80 columns, where somebody types `input`. All it shows is the output.
    func runOnTerminal(_ arguments: String..., input: String = "") throws -> Outcome {
        let terminal = try PseudoTerminal(columns: 80)
        let process = Process()
        process.executableURL = try BuiltTool.find()
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "TERM": "xterm", "NO_COLOR": "1", "CHATDB_STORE": store]
        process.standardInput = terminal.device
        process.standardOutput = terminal.device
        process.standardError = terminal.device
        try process.run()
        let output = try terminal.converse(typing: input)
        process.waitUntilExit()
        return Outcome(code: process.terminationStatus, output: output, errors: "")
    }

    /// Runs a line of bash that knows the tool as `$CHATDB`.
    func shell(_ line: String) throws -> Outcome {
        try program("bash", ["-c", line], ["CHATDB": try BuiltTool.find().path, "CHATDB_STORE": store])
    }

    /// Runs SQL by the shell of SQLite, as another app would, and answers what it printed.
    @discardableResult
    func sql(_ statement: String, in database: String = "x_chat.db") throws -> String {
        let outcome = try program("sqlite3", ["-bail", file(database), statement], [:])
        guard outcome.code == 0 else { throw Failure(text: "sqlite3: \(outcome.errors)") }
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    private func program(_ name: String, _ arguments: [String], _ variables: [String: String]) throws -> Outcome {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("CHATDB_") }
            .merging(variables) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // What the programs of these tests print fits into a pipe.
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            code: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: said, as: UTF8.self))
    }

    struct Failure: Error { let text: String }
}
