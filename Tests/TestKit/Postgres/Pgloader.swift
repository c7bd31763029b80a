import Foundation

/// pgloader, another program that loads a SQLite database into PostgreSQL.
package enum Pgloader {
    /// Its path; nil where it is not installed.
    package static let program = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/pgloader" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The arguments that load the database of a file into an empty one. With the number of rows that pgloader reads
    /// ahead by default, a store with 500,000 messages exhausts its memory.
    package static func arguments(_ path: String, into database: String, of server: PostgresServer) -> [String] {
        ["--with", "prefetch rows = 5000", "sqlite://\(path)", "pgsql://postgres@unix:\(server.folder):/\(database)"]
    }

    /// Loads the database of a file into an empty one. Returns the exit code, and what pgloader printed.
    package static func load(
        _ path: String, into database: String, of server: PostgresServer
    ) throws -> (code: Int32, output: String) {
        guard let program else { throw Failure(description: "pgloader is not installed") }
        // It writes its log there.
        let folder = try TemporaryFolder()
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--root-dir", folder.path + "/"] + arguments(path, into: database, of: server)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
