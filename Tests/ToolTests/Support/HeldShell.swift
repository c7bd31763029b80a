import Foundation

/// SQLite's shell with a database open, as an app has it: in a state of the test's choosing until it ends or is killed.
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

    /// Runs statements and comes back when they are done.
    func run(_ sql: String) throws {
        say(sql + "\nSELECT 're' || 'ady';")
        var seen = ""
        while !seen.contains("ready") {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { throw ToolRun.Failure(description: "sqlite3 ended: \(seen)") }
            seen += String(decoding: part, as: UTF8.self)
        }
    }

    /// Gives it statements, and does not wait.
    func say(_ sql: String) { input.fileHandleForWriting.write(Data((sql + "\n").utf8)) }

    /// Ends it as a crash does.
    func crash() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
