import Foundation
import Schema

/// Files that somebody hands to a command.
enum InputFile {
    /// All bytes of a file, or of standard input for `-`. Throws `fileNotFound`, `fileTooLarge`, `cannotRead`.
    static func read(_ path: String, atMost most: Int) throws -> [UInt8] {
        let isStandardInput = path == "-"
        let descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InputFileError(path: path, reason: .system(errno)) }
        defer { if !isStandardInput { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw InputFileError(path: path, reason: .system(errno)) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            if bytes.count > most { throw InputFileError(path: path, reason: .tooLarge(most)) }
        }
    }
}

/// A file that cannot be read.
struct InputFileError: Reportable, Equatable {
    enum Reason: Equatable {
        case system(CInt)
        case tooLarge(Int)
    }

    let path: String
    let reason: Reason

    var report: ErrorReport {
        let name = path == "-" ? "standard input" : path
        switch reason {
        case .system(ENOENT), .system(ENOTDIR):
            return ErrorReport(
                "fileNotFound", "there is no file \(name)", details: ["path": .string(path)], exit: .noInput)
        case .system(let code):
            return ErrorReport(
                "cannotRead", "\(name) cannot be read: \(StandardStreams.sentence(for: code))",
                details: ["path": .string(path)], exit: [EIO, ENOMEM].contains(code) ? .ioError : .noInput)
        case .tooLarge(let most):
            return ErrorReport(
                "fileTooLarge", "\(name) has more than \(most >> 20) MiB", details: ["path": .string(path)],
                exit: .invalidData)
        }
    }
}
