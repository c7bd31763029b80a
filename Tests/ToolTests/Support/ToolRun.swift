import Foundation
import TestKit

#if canImport(Glibc)
    import Glibc
#endif

/// What a run of chatdb left.
struct ToolRun {
    let status: Int32
    /// Standard output; on a terminal what the terminal showed, errors included.
    let output: String
    /// Standard error; empty on a terminal.
    let errors: String

    /// The output as JSON.
    func json() throws -> [String: Any] { try Self.object(output) }

    /// What is under `"error"` on standard error.
    func error() throws -> [String: Any] { try Self.object(errors)["error"] as? [String: Any] ?? [:] }

    private static func object(_ text: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }
}

/// A folder of its own for a test, removed with it, and the tool run there as a process.
final class ToolFolder {
    /// Where stores are made.
    let path: String
    private let scratch: String

    init() throws {
        let base = FileManager.default.temporaryDirectory.path + "/chatdb-tool-\(UUID().uuidString)"
        path = base + "/store"
        scratch = base + "/scratch"
        for folder in [path, scratch] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
    }

    /// The store of this folder.
    var store: String { path + "/demo" }

    /// A path in the folder.
    func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Runs chatdb on the store, without a terminal.
    @discardableResult
    func run(_ arguments: String..., input: String = "", environment: [String: String] = [:]) throws -> ToolRun {
        try run(arguments, input: input, environment: environment)
    }

    func run(_ arguments: [String], input: String = "", environment: [String: String] = [:]) throws -> ToolRun {
        try run(tool: try BuiltTool.find(), arguments, input, environment)
    }

    private func run(
        tool: URL, _ arguments: [String], _ input: String, _ environment: [String: String]
    ) throws -> ToolRun {
        let names = ["in", "out", "err"].map { scratch + "/\(UUID().uuidString).\($0)" }
        for (name, content) in zip(names, [input, "", ""]) {
            _ = FileManager.default.createFile(atPath: name, contents: Data(content.utf8))
        }
        let process = process(tool, arguments, environment)
        process.standardInput = FileHandle(forReadingAtPath: names[0])
        process.standardOutput = FileHandle(forWritingAtPath: names[1])
        process.standardError = FileHandle(forWritingAtPath: names[2])
        try process.run()
        process.waitUntilExit()
        return ToolRun(
            status: process.terminationStatus, output: try String(contentsOfFile: names[1], encoding: .utf8),
            errors: try String(contentsOfFile: names[2], encoding: .utf8))
    }

    /// Runs chatdb on a terminal of 80 columns, where somebody types `input`.
    func runOnTerminal(_ arguments: String..., input: String = "") throws -> ToolRun {
        let terminal = try PseudoTerminal(columns: 80)
        let process = process(try BuiltTool.find(), arguments, ["TERM": "xterm", "NO_COLOR": "1"])
        process.standardInput = terminal.device
        process.standardOutput = terminal.device
        process.standardError = terminal.device
        try process.run()
        let output = try terminal.converse(typing: input)
        process.waitUntilExit()
        return ToolRun(status: process.terminationStatus, output: output, errors: "")
    }

    /// Runs a line of bash that knows the tool as `$CHATDB`.
    func shell(_ line: String) throws -> ToolRun {
        try run(tool: URL(fileURLWithPath: "/bin/bash"), ["-c", line], "", ["CHATDB": try BuiltTool.find().path])
    }

    private func process(_ tool: URL, _ arguments: [String], _ environment: [String: String]) -> Process {
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        let base = ["PATH": "/usr/bin:/bin", "HOME": scratch, "XDG_DATA_HOME": scratch, "CHATDB_STORE": store]
        process.environment = base.merging(environment) { $1 }
        return process
    }

    /// Runs SQL by the shell of SQLite, as another app would.
    @discardableResult
    func sql(_ statement: String, in database: String = "demo_chat.db") throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["sqlite3", path + "/" + database, statement]
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(text: "sqlite3: \(statement)") }
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// Every file with its bytes and the time it was changed.
    func image() throws -> [String: FileImage] {
        var image: [String: FileImage] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            let attributes = try FileManager.default.attributesOfItem(atPath: self(name))
            image[name] = FileImage(
                bytes: FileManager.default.contents(atPath: self(name)),
                changed: attributes[.modificationDate] as? Date)
        }
        return image
    }

    struct FileImage: Equatable {
        let bytes: Data?
        let changed: Date?
    }

    struct Failure: Error { let text: String }
}

/// A terminal that is a program.
private final class PseudoTerminal {
    let device: FileHandle
    private let master: CInt

    init(columns: UInt16) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard let name = Self.deviceName(of: master) else {
            throw ToolFolder.Failure(text: "no pseudo-terminal")
        }
        let slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        // What is typed is not shown, so that it is not taken for output.
        var modes = termios()
        tcgetattr(slave, &modes)
        modes.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(slave, TCSANOW, &modes)
        device = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    }

    deinit { close(master) }

    #if canImport(Glibc)
        /// What `unlockpt` and `ptsname` do, which the module of the C library leaves out.
        private static func deviceName(of master: CInt) -> String? {
            let setLock: UInt = 0x4004_5431
            let getNumber: UInt = 0x8004_5430
            var unlocked: CInt = 0
            var number: CInt = 0
            guard ioctl(master, setLock, &unlocked) == 0, ioctl(master, getNumber, &number) == 0 else { return nil }
            return "/dev/pts/\(number)"
        }
    #else
        private static func deviceName(of master: CInt) -> String? {
            guard grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else { return nil }
            return String(cString: name)
        }
    #endif

    /// Types and reads until the program has closed the terminal.
    func converse(typing input: String) throws -> String {
        try device.close()
        let bytes = Array(input.utf8)
        if !bytes.isEmpty { _ = write(master, bytes, bytes.count) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(master, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            output += buffer[..<count]
        }
        return String(decoding: output, as: UTF8.self).replacing("\r\n", with: "\n")
    }
}
