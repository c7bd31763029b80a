import ChatDBPOSIX
import Foundation

/// Reads the QR codes of a picture with `zbarimg`, a program of zbar-tools.
///
/// Page: docs/qr-codes.md.
public enum QRPicture {
    /// The largest file that is read.
    private static let largest = 32 << 20
    /// The longest time for one picture.
    private static let timeLimit = DispatchTimeInterval.seconds(20)
    /// The exit code of a shell for a program that cannot be run.
    private static let cannotRun: Int32 = 126

    /// The text of the only QR code in a picture. Throws like ``texts(in:)``, and ``QRCodeError/severalCodes(path:count:)``.
    public static func text(in path: String) throws(QRCodeError) -> String {
        let texts = try texts(in: path)
        guard let text = texts.first, texts.count == 1 else {
            throw .severalCodes(path: path, count: texts.count)
        }
        return text
    }

    /// The texts of the QR codes in a picture, at least one, in the order in which `zbarimg` finds them. A text of
    /// several lines counts as several. The file is a picture in PNG or JPEG, and is only read.
    ///
    /// Throws ``QRCodeError/readerMissing`` when `zbarimg` is not in the `PATH`,
    /// ``QRCodeError/readerFailed(path:code:)`` when it cannot be run or fails, ``QRCodeError/noCode(path:)``, and other
    /// cases for files that are no pictures.
    public static func texts(in path: String) throws(QRCodeError) -> [String] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .fileNotFound(path: path) : .cannotRead(path: path, reason: words(for: errno))
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let format = try format(of: descriptor, path)
        guard let program = find("zbarimg") else { throw .readerMissing }
        let (output, code) = try run(program, on: file, as: format, path)
        let texts = output.split(separator: "\n").map(String.init)
        switch (code, texts.isEmpty) {
        case (0, false): return texts
        // 4 means that no code was found; a picture that ends early has none either.
        case (0, true), (4, _): throw .noCode(path: path)
        case (1, _): throw .notPicture(path: path)
        default: throw .readerFailed(path: path, code: code)
        }
    }

    /// The format by the first bytes. ImageMagick reads the picture for `zbarimg`, and is to guess no other format.
    private static func format(of descriptor: CInt, _ path: String) throws(QRCodeError) -> String {
        var state = stat()
        guard fstat(descriptor, &state) == 0 else { throw .cannotRead(path: path, reason: words(for: errno)) }
        guard state.st_mode & S_IFMT == S_IFREG else {
            throw .cannotRead(path: path, reason: "it is not a regular file")
        }
        var start = [UInt8](repeating: 0, count: 8)
        let count = pread(descriptor, &start, start.count, 0)
        if count < 0 { throw .cannotRead(path: path, reason: words(for: errno)) }
        guard count == start.count, state.st_size <= largest else { throw .notPicture(path: path) }
        if start == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] { return "png" }
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpeg" }
        throw .notPicture(path: path)
    }

    /// Runs the program with the file on its standard input, and ends it when the time is over.
    private static func run(
        _ program: URL, on file: FileHandle, as format: String, _ path: String
    ) throws(QRCodeError) -> (output: String, code: Int32) {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = ["--quiet", "--raw", "--nodbus", "-Sdisable", "-Sqrcode.enable", "\(format):-"]
        process.standardInput = file
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let hasEnded = DispatchSemaphore(value: 0)
        do { try process.run() } catch { throw .readerFailed(path: path, code: cannotRun) }
        let id = process.processIdentifier
        let watch = Thread { if hasEnded.wait(timeout: .now() + timeLimit) == .timedOut { kill(id, SIGKILL) } }
        watch.start()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        // The process has closed its output and ends by itself; until it is waited for, its number is its own.
        hasEnded.signal()
        process.waitUntilExit()
        guard process.terminationReason == .exit else {
            throw .readerFailed(path: path, code: process.terminationStatus)
        }
        return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
    }

    /// An executable file in the folders of `PATH`.
    private static func find(_ name: String) -> URL? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.lazy.filter { $0.hasPrefix("/") }.map { URL(fileURLWithPath: "\($0)/\(name)") }
            .first { file in
                var state = stat()
                return stat(file.path, &state) == 0 && state.st_mode & S_IFMT == S_IFREG && access(file.path, X_OK) == 0
            }
    }

    private static func words(for code: CInt) -> String {
        strerror(code).map { String(cString: $0).lowercased() } ?? "error \(code)"
    }
}
