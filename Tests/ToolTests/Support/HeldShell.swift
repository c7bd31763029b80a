import Foundation

/// SQLite's shell with a database open, like an app, in a state that the test chooses, until it ends or is killed.
final class HeldShell {
    private let process: Process
    private let input = Pipe()
    private let output = Pipe()

    init(_ chatdb: ToolRun, _ database: String = "x_chat.db") throws {
        process = try chatdb.process(["sqlite3", "-batch", chatdb.file(database)])
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    var pid: Int32 { process.processIdentifier }

    /// Runs statements and returns when they are done.
    func run(_ sql: String) throws {
        say(sql + "\nSELECT 're' || 'ady';")
        var seen = ""
        while !seen.contains("ready") {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { throw ToolRun.Failure(description: "sqlite3 ended: \(seen)") }
            seen += String(decoding: part, as: UTF8.self)
        }
    }

    /// Sends statements, and does not wait.
    func say(_ sql: String) { input.fileHandleForWriting.write(Data((sql + "\n").utf8)) }

    /// Kills the shell, like a crash.
    func crash() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
