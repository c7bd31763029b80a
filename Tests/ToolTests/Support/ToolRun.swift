import ChatDBKit
import Foundation
import TestKit

/// The built `chatdb` in its own folder: `chatdb("relay", "list")` is one run of it.
struct ToolRun {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The prefix of the store.
    var store: String { file("x") }

    /// A path in the folder.
    func file(_ name: String) -> String { folder.file(name) }

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// Runs `chatdb` with these arguments, the store in the folder unless the arguments name one, and no terminal.
    @discardableResult
    func callAsFunction(_ arguments: String...) throws -> Outcome { try process(arguments).outcome() }

    /// The same for an array of arguments.
    @discardableResult
    func callAsFunction(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        try process(arguments, environment: environment).outcome()
    }

    /// Runs chatdb where it must succeed.
    @discardableResult
    func succeed(_ arguments: String...) throws -> Outcome {
        let outcome = try self(arguments)
        guard outcome.code == 0 else {
            throw Failure(description: "\(arguments): \(outcome.code)\n\(outcome.errors)")
        }
        return outcome
    }

    /// Runs chatdb on a terminal of 80 columns where the test types `input`. The output is everything the terminal
    /// shows.
    func onTerminal(_ arguments: String..., input: String = "") throws -> Outcome {
        let run = try TerminalRun(arguments, in: self, answer: .shown)
        run.terminal.type(input)
        let end = try run.end()
        return Outcome(code: end.code, output: end.shown, errors: "")
    }

    /// Runs a line of bash in the folder; `$CHATDB` is the tool.
    func shell(_ line: String) throws -> Outcome {
        let process = try process(["-c", line], environment: ["CHATDB": try BuiltTool.find().path])
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        return try process.outcome()
    }

    /// Runs SQL with the sqlite3 shell, like another app, and returns its output.
    @discardableResult
    func sql(_ statement: String, in database: String = "x_chat.db") throws -> String {
        let process = try process(["sqlite3", "-bail", file(database), statement])
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let outcome = try process.outcome()
        guard outcome.code == 0 else { throw Failure(description: "sqlite3: \(outcome.errors)") }
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    /// The tool as a process that has not been started, without those variables of the test's environment that it
    /// reads.
    /// - Parameter environment: further variables; an empty text removes one.
    func process(_ arguments: [String], environment: [String: String] = [:]) throws -> Process {
        let process = Process()
        process.executableURL = try BuiltTool.find()
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        var variables = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("CHATDB") && !["COLUMNS", "NO_COLOR", "TERM", "XDG_DATA_HOME"].contains($0.key)
        }
        variables["CHATDB_STORE"] = store
        variables["XDG_CONFIG_HOME"] = file("config")
        variables["TERM"] = "xterm"
        process.environment = variables.merging(environment) { $1 }.filter { !$0.value.isEmpty }
        return process
    }
}
