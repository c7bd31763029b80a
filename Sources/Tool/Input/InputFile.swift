import ChatDBKit
import Foundation

/// Input files of commands.
enum InputFile {
    /// The name of a file in messages: its path, or the meaning of `-`.
    static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

    /// All bytes of a file, or of standard input for `-`. A file above the limit gives one byte more than the limit.
    static func read(_ path: String, upTo limit: Int) throws(InputFileError) -> [UInt8] {
        if path == "-" {
            if givesPassphrase { throw .standardInputTaken }
            return try readAll(STDIN_FILENO, name(path), limit + 1)
        }
        // Opens without blocking: a FIFO without a writer must not stop the tool; it reads as empty.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw errno == ENOENT ? .notFound(path) : .unreadable(path, errno: errno) }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, 0)
        return try readAll(descriptor, path, limit + 1)
    }

    /// The first line of standard input, with its end, for the passphrase. A line above the limit gives one byte more.
    static func firstLine(upTo limit: Int) throws(InputFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit, bytes.last != UInt8(ascii: "\n") {
            let next = try readAll(STDIN_FILENO, name("-"), 1)
            if next.isEmpty { break }
            bytes += next
        }
        return bytes
    }

    /// Whether standard input gives the passphrase, and nothing else.
    private static let givesPassphrase = CommandLine.arguments.prefix { $0 != "--" }.contains("--passphrase-stdin")

    private static func readAll(_ descriptor: CInt, _ name: String, _ most: Int) throws(InputFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count < most {
            let wanted = min(part.count, most - bytes.count)
            let count = part.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, wanted) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(name, errno: errno) }
            if count == 0 { break }
            bytes += part[..<count]
        }
        return bytes
    }
}

enum InputFileError: Reportable {
    case notFound(String)
    case unreadable(String, errno: CInt)
    /// The passphrase and something else are both to come from standard input.
    case standardInputTaken

    var report: ErrorReport {
        switch self {
        case .standardInputTaken:
            ErrorReport(
                "usage", "standard input gives the passphrase (--passphrase-stdin), and cannot give anything else",
                state: "Nothing was done.", hint: "give the passphrase with --passphrase-file FILE", exit: .usage)
        case .notFound(let path):
            ErrorReport(
                "fileNotFound", "there is no file \(path)", state: "Nothing was changed.",
                details: ["path": .string(path)], exit: .noInput)
        case .unreadable(let path, let reason):
            ErrorReport(
                "cannotRead", "\(path) cannot be read: \(StandardStreams.sentence(for: reason))",
                state: "Nothing was changed.", details: ["path": .string(path)],
                exit: reason == EIO ? .ioError : .noInput)
        }
    }
}
