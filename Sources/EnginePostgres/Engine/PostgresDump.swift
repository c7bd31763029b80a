import ChatDBEngine
import ChatDBPOSIX
import ChatDBSchema
import Foundation

/// Copies the schemas of a store with PostgreSQL's own programs.
enum PostgresDump {
    /// Writes a new file in the format of `pg_restore`, for the owner alone, and reads all of it back.
    static func make(of store: ServerStore, to path: String) throws(StoreError) {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError.current("\(path) cannot be created") }
        close(descriptor)
        do throws(StoreError) {
            let schemas = DatabaseName.allCases.map { "--schema=" + store.schema(of: $0) }
            _ = try run("pg_dump", ["--format=custom", "--file=" + path] + schemas + ["--dbname=" + store.uri])
            let contents = try run("pg_restore", ["--list", path])
            for database in DatabaseName.allCases where !contents.contains("SCHEMA - " + store.schema(of: database)) {
                throw StoreError(.other, "the file of pg_dump lacks the schema of the \(database) database")
            }
            // The list is at the beginning of the file; this reads the rows too.
            _ = try run("pg_restore", ["--file=/dev/null", path])
            try FileSync.file(path)
            try FileSync.folder(parentFolder(of: path))
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Runs a program and returns its output. Throws with the line of its first error, which has names and no values.
    private static func run(_ program: String, _ arguments: [String]) throws(StoreError) -> String {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        do {
            try process.run()
        } catch {
            throw StoreError.missing(.programs, "\(program) cannot be started")
        }
        // Errors are a few lines, which the pipe holds until the output was read.
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if process.terminationStatus == 0 { return text }
        if process.terminationStatus == notFound {
            throw StoreError.missing(
                .programs,
                "\(program) is not installed; it is in the package of PostgreSQL's client programs")
        }
        // The lines after that of the error quote the statement.
        let lines = words.split(separator: "\n").map(String.init)
        let reason = lines.first { $0.contains("error:") } ?? lines.last ?? "no reason given"
        if let words = reason.firstRange(of: "permission denied") {
            throw StoreError(.accessDenied, "\(program) failed: \(reason[words.lowerBound...])")
        }
        throw StoreError(.other, "\(program) failed: \(reason)")
    }

    /// The status of `env` for a program that does not exist.
    private static let notFound: Int32 = 127
}
