import Foundation

/// A proxy before a server that counts the statements of its clients, and kills at one of them
/// (`postgres_statements.py`). It ends with the object. One thread at a time gives it commands.
package final class StatementProxy: Sendable {
    /// What is killed.
    package enum Victim: String, Sendable, CaseIterable {
        /// The connection: each side sees that the other is gone.
        case connection
        /// The server's process of the connection.
        case server
        /// The process of the client: never the one that runs the test.
        case client
    }

    /// What the clients have done since the last command.
    package struct State: Sendable {
        /// The number of statements.
        package let statements: Int
        /// The statement at which something was killed; nil if none was reached.
        package let killedAt: String?
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    let folder = "/tmp/chatdb-ps-\(UUID().uuidString.prefix(8))"
    // Kept open: the proxy ends when it is closed.
    private let input = Pipe()
    private let output = Pipe()

    fileprivate init(before server: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let process = Process()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("postgres_statements.py")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path, server, folder]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        guard try line() == "ready" else { throw Failure(description: "the proxy did not start") }
    }

    deinit {
        try? input.fileHandleForWriting.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Counts from 0, and kills at the statement with this number. The server never sees that statement.
    package func kill(_ victim: Victim, at statement: Int) throws {
        guard try answer(to: "kill \(victim.rawValue) \(statement)") == "armed" else {
            throw Failure(description: "the proxy does not answer")
        }
    }

    /// Counts from 0, and kills nothing.
    package func count() throws { try kill(.connection, at: -1) }

    /// What has happened since.
    package func state() throws -> State {
        let words = try answer(to: "state").split(separator: " ", maxSplits: 1)
        guard words.count == 2, let statements = Int(words[0]) else {
            throw Failure(description: "the proxy does not answer")
        }
        return State(statements: statements, killedAt: words[1] == "none" ? nil : String(words[1]))
    }

    private func answer(to command: String) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
        return try line()
    }

    private func line() throws -> String {
        var text = Data()
        while text.last != UInt8(ascii: "\n") {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { throw Failure(description: "the proxy ended") }
            text += part
        }
        return String(decoding: text.dropLast(), as: UTF8.self)
    }
}

extension PostgresServer {
    /// A proxy before this server that kills at a statement.
    package func statementProxy() throws -> StatementProxy { try StatementProxy(before: folder) }

    /// The address of a database through a proxy, as `-d` takes it without the name of a store.
    package func uri(database: String, through proxy: StatementProxy) -> String {
        "postgres:///\(database)?host=\(proxy.folder)&user=postgres"
    }
}
