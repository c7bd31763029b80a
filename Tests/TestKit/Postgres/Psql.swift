import Foundation

/// PostgreSQL's own client.
enum Psql {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The program beside the server's: the one of Debian's path is a script in Perl that looks for it at each start.
    private static let program: String = {
        let path = (PostgresServer.programs ?? "") + "/psql"
        return FileManager.default.isExecutableFile(atPath: path) ? path : "psql"
    }()

    /// Runs SQL, stops at the first error, and returns what psql printed, without headings.
    ///
    /// - Parameter folder: the folder of the server's socket.
    static func run(_ sql: String, folder: String, database: String) throws -> String {
        let process = Process()
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            program, "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1",
            "--host", folder, "--username", "postgres", "--dbname", database, "--file", "-",
        ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // psql prints while it reads: a pipe that is full in both directions would never empty.
        let writer = Thread {
            try? input.fileHandleForWriting.write(contentsOf: Data(sql.utf8))
            try? input.fileHandleForWriting.close()
        }
        writer.start()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let problems = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: String(decoding: problems, as: UTF8.self))
        }
        return String(decoding: printed, as: UTF8.self)
    }
}
