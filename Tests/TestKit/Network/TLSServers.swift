import ChatDBKit
import Foundation

/// The servers of `tls_servers.py`, on loopback, with certificates of their own. They are started once, and end with
/// the process of the tests, whose end closes their standard input.
package final class TLSServers: Sendable {
    package static func started() throws -> TLSServers { try all.get() }

    private static let all = Result { try TLSServers() }

    /// Whether this machine has what the servers need.
    package static let isSupported = ["openssl", "python3"].allSatisfy { name in
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let folder: TemporaryFolder
    // Kept open: the servers end when it is closed.
    private let input = Pipe()
    private let described: JSONValue

    private init() throws {
        folder = try TemporaryFolder()
        let process = Process()
        let output = Pipe()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("tls_servers.py")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path, folder.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { throw Failure(description: "tls_servers.py ended") }
            line += part
        }
        described = try JSONValue(parsing: String(decoding: line, as: UTF8.self))
    }

    /// The port of the server of a case.
    package func port(_ name: String) throws -> UInt16 {
        guard case .integer(let port)? = described["ports"]?[name] else {
            throw Failure(description: "no server \(name)")
        }
        return UInt16(port)
    }

    /// The key hash of a certificate, with its `=`.
    package func hash(_ name: String) throws -> String {
        guard let hash = described["hashes"]?[name]?.stringValue else { throw Failure(description: "no hash \(name)") }
        return hash
    }

    /// The address of the server of a case.
    package func address(_ name: String, hash: String = "leaf448", scheme: String = "smp") throws -> String {
        try "\(scheme)://\(self.hash(hash))@127.0.0.1:\(port(name))"
    }
}
