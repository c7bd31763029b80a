#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why a file could not be read.
enum PlainReadError: Error, Hashable {
    case notRegular
    case system(errno: Int32)
}

/// A part of a file, read by one open, and what its size was then.
struct PlainFile {
    let bytes: Int64
    let beginning: [UInt8]
    let end: [UInt8]

    /// Reads so many bytes from both ends, fewer where the file has fewer. Never waits, never makes a file.
    static func read(_ path: String, beginning: Int, end: Int = 0) throws(PlainReadError) -> PlainFile {
        // O_NONBLOCK: somebody may have put a FIFO there since the path was looked at.
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
