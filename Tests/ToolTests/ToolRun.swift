import Foundation
import TestKit

/// One run of the built `chatdb` in a folder of its own.
struct ToolRun {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    struct Outcome {
        let code: Int32
        let output: String
        let errors: String
    }

    /// Runs `chatdb` with these arguments, the store in the folder unless the arguments name one, and no terminal.
    @discardableResult
    func callAsFunction(_ arguments: String...) throws -> Outcome {
        try self(arguments)
    }

    /// The same, for arguments that a test has in a list.
    @discardableResult
    func callAsFunction(_ arguments: [String]) throws -> Outcome {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = try BuiltTool.find()
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        var variables = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("CHATDB_") && $0.key != "COLUMNS"
        }
        variables["CHATDB_STORE"] = folder.file("x")
        variables["COLUMNS"] = "80"
        process.environment = variables
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Both pipes at once: a full one would stop the process.
        let reader = Reader(errors.fileHandleForReading)
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let said = reader.data()
        process.waitUntilExit()
        return Outcome(
            code: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: said, as: UTF8.self))
    }
}

/// Reads a pipe to its end on a thread of its own.
private final class Reader: @unchecked Sendable {
    // Written by the thread before the semaphore is signalled, read after.
    private var read = Data()
    private let done = DispatchSemaphore(value: 0)

    init(_ handle: FileHandle) {
        Thread.detachNewThread { [self] in
            read = handle.readDataToEndOfFile()
            done.signal()
        }
    }

    func data() -> Data {
        done.wait()
        return read
    }
}
