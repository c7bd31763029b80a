import Foundation

/// A server that only begins to speak PostgreSQL's protocol (`postgres_fake.py`). It ends with the object.
package final class FakePostgres: Sendable {
    private let folder = "/tmp/chatdb-pf-\(UUID().uuidString.prefix(8))"
    // Kept open: the server ends when it is closed.
    private let input = Pipe()

    /// Starts a server that says that it has this version; nil for one that accepts connections and answers nothing.
    package init(version: String?) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let process = Process()
        let output = Pipe()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("postgres_fake.py")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path, folder, version ?? "silent"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = output.fileHandleForReading.availableData
    }

    deinit {
        try? input.fileHandleForWriting.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The address of a database, as `-d` takes it without the name of a store.
    package var uri: String { "postgres:///chats?host=\(folder)&user=postgres" }
}
