import ChatDBPOSIX

/// An encrypted database file, open for reading beside a program that may write it.
///
/// The caller must make sure that this process has no SQLite connection to the file: closing a second descriptor
/// releases its locks.
package final class EncryptedFile: Sendable {
    /// Its size in bytes.
    package let size: Int64
    /// Its first 16 bytes; fewer of a shorter file.
    package let salt: [UInt8]
    private let file: FileBytes

    /// The result of trying a passphrase.
    package enum Opening: Sendable {
        /// It fits; with the first page, decrypted. The note is nil, or a clause about how it fits.
        case unlocked(PageCodec, firstPage: [UInt8], note: String?)
        /// It fits, and the file does not end with a whole page.
        case truncated(PageCodec)
        /// It fits later pages, and the first one was changed.
        case firstPageDamaged(PageCodec)
        /// It fits no page that was tried: another passphrase, or the salt in the first 16 bytes was changed.
        case wrongPassphrase
    }

    /// Opens a file; throws the error of the system.
    ///
    /// - Parameter isLocked: whether to take SQLite's shared lock before anything is read, as ``lock()`` does.
    package init(_ path: String, locked isLocked: Bool = false) throws(FileReadingError) {
        file = try FileBytes(path)
        if isLocked { try file.lock() }
        size = try file.size()
        salt = try file.bytes(CipherFormat.saltLength, at: 0)
    }

    /// Tries a passphrase, and its other normal forms, with the formats and page sizes that this build reads.
    package func open(with passphrase: Passphrase) throws(FileReadingError) -> Opening {
        // Deriving a key takes a tenth of a second, so the second try has those of the first.
        var derived: [Int: PageCodec] = [:]
        if let opening = try fitting(passphrase, &derived) { return opening }
        // A program may have been writing the first page. While chatdb has a lock, none does.
        try file.lock()
        if let opening = try fitting(passphrase, &derived) { return opening }
        for form in passphrase.otherNormalForms {
            var derived: [Int: PageCodec] = [:]
            guard case .unlocked(let codec, let page, _)? = try fitting(form, &derived) else { continue }
            return .unlocked(codec, firstPage: page, note: Passphrase.otherFormNote)
        }
        return .wrongPassphrase
    }

    /// Takes SQLite's shared lock, for which it waits up to five seconds, and throws `EAGAIN` after that. The lock ends
    /// with this object.
    package func lock() throws(FileReadingError) { try file.lock() }

    /// The first page with the keys of the codec; nil if it does not fit.
    package func firstPage(_ codec: PageCodec) throws(FileReadingError) -> [UInt8]? { try decrypted(1, codec) }

    /// Reads bytes; behind the end of the file are zeros. Any thread may call it.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileReadingError) {
        let bytes = try file.bytes(buffer.count, at: offset)
        buffer.copyBytes(from: bytes)
        if bytes.count < buffer.count {
            UnsafeMutableRawBufferPointer(rebasing: buffer[bytes.count...]).initializeMemory(
                as: UInt8.self, repeating: 0)
        }
    }

    /// Nil when the passphrase fits no page.
    /// - Parameter derived: the codecs with keys of the passphrase, by the version of the format.
    private func fitting(
        _ passphrase: Passphrase, _ derived: inout [Int: PageCodec]
    ) throws(FileReadingError) -> Opening? {
        guard salt.count == CipherFormat.saltLength else { return nil }
        for format in [CipherFormat.version4, .version3] {
            guard
                let codec = derived[format.version]
                    ?? PageCodec(passphrase, salt: salt, format, pageSize: format.pageSizes[0])
            else { continue }
            derived[format.version] = codec
            for pageSize in format.pageSizes where Int64(pageSize) <= size {
                let codec = codec.with(pageSize: pageSize)
                guard let page = try decrypted(1, codec) else { continue }
                if size % Int64(pageSize) != 0 { return .truncated(codec) }
                let note = format == .version4 ? nil : "it is encrypted in the format of SQLCipher \(format.version)"
                return .unlocked(codec, firstPage: page, note: note)
            }
            for codec in format.pageSizes.map(codec.with) {
                for number in samples(codec.pageSize) where try decrypted(number, codec) != nil {
                    return .firstPageDamaged(codec)
                }
            }
        }
        return nil
    }

    /// Pages after the first one that are tried, spread over the file.
    private func samples(_ pageSize: Int) -> [UInt32] {
        let (later, count) = (max(0, size / Int64(pageSize) - 1), Int64(8))
        return (0..<min(count, later)).compactMap { UInt32(exactly: 2 + $0 * later / count) }
    }

    /// A page with content; nil if it does not fit.
    private func decrypted(_ number: UInt32, _ codec: PageCodec) throws(FileReadingError) -> [UInt8]? {
        var page = try file.bytes(codec.pageSize, at: Int64(number - 1) * Int64(codec.pageSize))
        guard page.count == codec.pageSize, page.contains(where: { $0 != 0 }) else { return nil }
        let isAuthentic = page.withUnsafeMutableBytes { page in (try? codec.decrypt(page, number: number)) != nil }
        return isAuthentic ? page : nil
    }
}

/// An error of the system, by its number; `EAGAIN` for a lock that another program holds.
package struct FileReadingError: Error, Sendable, Hashable {
    /// The number.
    package let errno: Int32
}

/// The bytes of a file.
private final class FileBytes: Sendable {
    private let descriptor: CInt

    init(_ path: String) throws(FileReadingError) {
        descriptor = ChatDBPOSIX.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { throw FileReadingError(errno: errno) }
    }

    deinit { close(descriptor) }

    func size() throws(FileReadingError) -> Int64 {
        var info = stat()
        if fstat(descriptor, &info) != 0 { throw FileReadingError(errno: errno) }
        return Int64(info.st_size)
    }

    /// The bytes at a place; fewer at the end of the file.
    func bytes(_ count: Int, at offset: Int64) throws(FileReadingError) -> [UInt8] {
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled...])
                let read = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
                if read < 0, errno == EINTR { continue }
                if read < 0 { failure = errno }
                if read <= 0 { return }
                filled += read
            }
        }
        if let failure { throw FileReadingError(errno: failure) }
        return bytes
    }

    /// Takes SQLite's shared lock, for which it waits up to five seconds. Closing the file releases it.
    func lock() throws(FileReadingError) {
        // SQLite locks bytes at 1 GiB: one that is pending, one that is reserved, and 510 that are shared.
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_RDLCK), Int16(SEEK_SET))
        (lock.l_start, lock.l_len) = (0x4000_0002, 510)
        for _ in 0..<50 {
            if fcntl(descriptor, F_SETLK, &lock) == 0 { return }
            // A file system without locks, such as some network disks, has no other answer.
            guard errno == EAGAIN || errno == EACCES || errno == EINTR else { return }
            usleep(100_000)
        }
        throw FileReadingError(errno: EAGAIN)
    }
}
