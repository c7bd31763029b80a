import ChatDBEngine
import ChatDBPOSIX

/// Why `PlainFile` could not read a file.
enum PlainReadError: Error, Hashable {
    case notRegular
    case system(errno: Int32)
}

/// The beginning and end of a file and its size, read with one descriptor.
struct PlainFile {
    let bytes: Int64
    let beginning: [UInt8]
    let end: [UInt8]

    /// Reads a number of bytes from both ends, fewer from a shorter file. Never waits, and never creates a file.
    static func read(_ path: String, beginning: Int, end: Int = 0) throws(PlainReadError) -> PlainFile {
        // O_NONBLOCK: the path may have become a FIFO since it was looked at.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if file < 0 { throw .system(errno: errno) }
        defer { close(file) }
        var info = stat()
        if fstat(file, &info) != 0 { throw .system(errno: errno) }
        if info.st_mode & S_IFMT != S_IFREG { throw .notRegular }
        let size = Int64(info.st_size)
        return PlainFile(
            bytes: size, beginning: try part(of: file, from: 0, count: beginning),
            end: try part(of: file, from: max(0, size - Int64(end)), count: end))
    }

    private static func part(of file: Int32, from offset: Int64, count: Int) throws(PlainReadError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(file, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + off_t(filled))
            }
            if got == 0 { break }
            if got < 0, errno != EINTR { throw .system(errno: errno) }
            filled += max(0, got)
        }
        return Array(bytes.prefix(filled))
    }
}

/// The identity, size and time of change of a file, by which a later writing is noticed.
struct FileStamp: Sendable, Hashable {
    private let path: String
    private let file: FileIdentity
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Nanoseconds within which a file system may give two writings the same time (*measured*: 4 ms on Linux).
    private static let granularity = 20_000_000

    /// The stamp of a file; nil without one. Waits until a writing from now on gets another time than the last one.
    init?(of path: String) {
        guard let stamp = FileStamp(now: path) else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        // A file may have any time of change.
        let (difference, isFar) = Int(now.tv_sec).subtractingReportingOverflow(stamp.seconds)
        let isNear = !isFar && (0...1).contains(difference)
        let age = isNear ? difference * 1_000_000_000 + Int(now.tv_nsec) - stamp.nanoseconds : -1
        guard age >= 0, age < Self.granularity else {
            self = stamp
            return
        }
        usleep(UInt32((Self.granularity - age) / 1000 + 1))
        self.init(now: path)
    }

    /// Whether the file has not been written since.
    var isValid: Bool { FileStamp(now: path) == self }

    /// Whether the database has a write-ahead log with content.
    var hasLog: Bool { (FileState(at: path + "-wal").bytes ?? 0) > 0 }

    private init?(now path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        self.path = path
        file = FileIdentity(info)
        size = Int64(info.st_size)
        #if canImport(Darwin)
            let time = info.st_mtimespec
        #else
            let time = info.st_mtim
        #endif
        (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
    }
}

/// Makes the empty file that SQLite then fills.
enum NewFile {
    /// Creates an empty file that only the owner can read, with any umask. Throws when something exists at the path.
    /// Other users could read a file that SQLite creates.
    static func make(at path: String) throws(StoreError) {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError.current("\(path) cannot be created") }
        close(descriptor)
    }
}

/// Copies a file into a new one for the owner alone. Only for files that this process does not have open: see
/// `OpenDatabases`.
enum FileCopy {
    static func copy(_ source: String, to target: String) throws(StoreError) {
        // O_NONBLOCK: the path may have become a FIFO since it was looked at.
        let input = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard input >= 0 else { throw SystemError.current("\(source) cannot be read") }
        defer { close(input) }
        var info = stat()
        guard fstat(input, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.notAFile, "\(source) is not a file")
        }
        try NewFile.make(at: target)
        let output = open(target, O_WRONLY | O_CLOEXEC)
        guard output >= 0 else { throw SystemError.current("\(target) cannot be written") }
        defer { close(output) }
        if !sharesBlocks(input, output) { try copyBytes(from: input, source, to: output, target) }
    }

    /// Overwrites the last bytes of a copy with zeros.
    static func clearEnd(of path: String, bytes: Int) throws(StoreError) {
        let output = open(path, O_WRONLY | O_CLOEXEC)
        guard output >= 0 else { throw SystemError.current("\(path) cannot be written") }
        defer { close(output) }
        let place = lseek(output, -off_t(bytes), SEEK_END)
        guard place >= 0 else { throw SystemError.current("\(path) cannot be written") }
        try writeAll([UInt8](repeating: 0, count: bytes)[...], to: output, path)
    }

    /// Makes the copy share the blocks of the original; false where the file system cannot.
    private static func sharesBlocks(_ input: CInt, _ output: CInt) -> Bool {
        #if os(Linux)
            let clone: UInt = 0x4004_9409  // FICLONE
            return ioctl(output, clone, input) == 0
        #else
            return false
        #endif
    }

    private static func copyBytes(
        from input: CInt, _ source: String, to output: CInt, _ target: String
    ) throws(StoreError) {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(input, &buffer, buffer.count)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw SystemError.current("\(source) cannot be read")
            }
            if count == 0 { return }
            try writeAll(buffer[..<count], to: output, target)
        }
    }

    private static func writeAll(_ bytes: ArraySlice<UInt8>, to output: CInt, _ target: String) throws(StoreError) {
        var failure: StoreError?
        bytes.withUnsafeBytes { bytes in
            do throws(StoreError) {
                try write(bytes, to: output, target)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Writes bytes to an open file: at a place, or behind what was written last.
    static func write(
        _ bytes: UnsafeRawBufferPointer, to output: CInt, at place: Int64? = nil, _ target: String
    ) throws(StoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count =
                if let place {
                    pwrite(output, part.baseAddress, part.count, off_t(place) + off_t(rest.startIndex))
                } else {
                    ChatDBPOSIX.write(output, part.baseAddress, part.count)
                }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError.current("\(target) cannot be written")
            }
            rest = rest.dropFirst(count)
        }
    }
}
