import ChatDBKit
import Foundation

/// A folder for databases of one test, removed when the test ends.
final class DatabaseFolder: Sendable {
    let path: String

    init() throws {
        // Without symbolic links, as some systems' temporary folder has them.
        let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        path = temporary + "/chatdb-diagnosis-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    @discardableResult
    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    func link(_ name: String, to target: String) throws -> String {
        try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: target)
        return file(name)
    }

    func folder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: false)
        return file(name)
    }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: file(name))))
    }

    /// The answer to one question to a chat database.
    func ask(_ name: String, _ sql: String, personal: Bool = false) throws -> QuestionAnswer {
        let connection = try SQLiteEngine().openForQuestions(file(name), of: .chat)
        defer { try? connection.close() }
        return try connection.ask(Question(sql, showsPersonal: personal))
    }

    /// The names of everything in the folder, sorted.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// A database made by SQLite's own shell, outside this process.
    @discardableResult
    func database(_ name: String, _ sql: String = sampleTables) throws -> String {
        let shell = try HelperProcess("sqlite3", ["-batch", file(name), sql])
        try shell.end()
        return file(name)
    }
}

/// Some pages, one table with an index.
let sampleTables = """
    PRAGMA page_size = 4096; PRAGMA user_version = 7; PRAGMA application_id = 1667785060;
    CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT); CREATE INDEX i ON t(b);
    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 500)
    INSERT INTO t SELECT x, printf('%.50c', 'x') FROM n;
    """

/// Another program, which runs until the test ends it, or until the test ends.
final class HelperProcess {
    struct Failure: Error {
        let status: Int32
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ program: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    var pid: Int32 { process.processIdentifier }

    /// Writes a line to the program's input.
    func say(_ line: String) {
        input.fileHandleForWriting.write(Data((line + "\n").utf8))
    }

    /// Waits until the program has written this text.
    func wait(for text: String) throws {
        var seen = ""
        while !seen.contains(text) {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { throw Failure(status: -1) }
            seen += String(decoding: part, as: UTF8.self)
        }
    }

    /// Ends the program's input, waits for it to end, and returns what it has written; fails when it failed.
    func answer() throws -> String {
        try? input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        try end()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Ends the program's input, waits for it to end, and fails when it failed.
    func end() throws {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw Failure(status: process.terminationStatus) }
    }

    /// Kills the program, as a crash does.
    func crash() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Whether there is SQLite's shell on this machine.
    static let hasSQLiteShell: Bool = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.contains { FileManager.default.isExecutableFile(atPath: $0 + "/sqlite3") }
    }()
}
