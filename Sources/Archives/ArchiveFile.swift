import ChatDBEngine
import ChatDBPOSIX

/// The file of an archive, open for reading. Bytes are read at places, so that nothing is read twice.
final class ArchiveFile {
    let path: String
    /// The size when the file was opened.
    let size: Int64
    private let descriptor: CInt

    /// Opens a regular file. Never waits, and never creates a file.
    init(_ path: String) throws(ArchiveError) {
        if path.utf8.contains(0) { throw ArchiveError(path, .missing) }
        switch FileState(at: path) {
        case .missing: throw ArchiveError(path, .missing)
        case .notRegular(let kind): throw ArchiveError(path, .notAFile(kind))
        case .unreachable(let reason): throw ArchiveError(path, .unreadable(errno: reason))
        case .empty, .regular: break
        }
        // O_NONBLOCK: the path may have become a FIFO since it was looked at.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ArchiveError(path, .unreadable(errno: errno)) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ArchiveError(path, .notAFile(.other))
        }
        self.path = path
        self.descriptor = descriptor
        size = Int64(info.st_size)
    }

    deinit { close(descriptor) }

    /// Fills a buffer with the bytes from a place on. Returns how many there are: fewer only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int64) throws(ArchiveError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let got = pread(
                descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled,
                off_t(place) + off_t(filled))
            if got == 0 { break }
            if got < 0 {
                if errno == EINTR { continue }
                throw ArchiveError(path, .unreadable(errno: errno))
            }
            filled += got
        }
        return filled
    }

    /// The bytes from a place on; fewer at the end of the file.
    func bytes(_ count: Int, at place: Int64) throws(ArchiveError) -> [UInt8] {
        guard place >= 0, count > 0, place < size else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(min(Int64(count), size - place)))
        var failure: ArchiveError?
        let filled = bytes.withUnsafeMutableBytes { buffer in
            do throws(ArchiveError) {
                return try read(into: buffer, at: place)
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }
}

/// Numbers of the format, which has the least significant byte first.
extension [UInt8] {
    /// The number of two bytes at a place; 0 behind the end.
    func short(_ place: Int) -> UInt16 { UInt16(truncatingIfNeeded: number(place, 2)) }

    /// The number of four bytes at a place; 0 behind the end.
    func word(_ place: Int) -> UInt32 { UInt32(truncatingIfNeeded: number(place, 4)) }

    /// The number of eight bytes at a place; 0 behind the end.
    func long(_ place: Int) -> UInt64 { number(place, 8) }

    /// The number of eight bytes at a place, no larger than the largest of the type.
    func size(_ place: Int) -> Int64 { Int64(clamping: long(place)) }

    private func number(_ place: Int, _ length: Int) -> UInt64 {
        guard place >= 0, place + length <= count else { return 0 }
        return withUnsafeBytes { bytes in
            var number: UInt64 = 0
            var index = length
            while index > 0 {
                index -= 1
                number = number << 8 | UInt64(bytes[place + index])
            }
            return number
        }
    }
}
