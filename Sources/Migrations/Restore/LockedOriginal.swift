import ChatDBEngine
import ChatDBPOSIX

/// A database file with the lock that SQLite takes to write it. No other program can read or write the database by
/// SQLite until this object goes. SQLite must not have the file open in this process, and nothing may open it: closing a
/// second descriptor would end the lock.
final class LockedOriginal {
    private let descriptor: CInt
    private let path: String

    /// Locks a file. Nil if another program has a lock on it.
    init?(_ path: String) throws(StoreError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError.current("\(path) cannot be opened to lock it") }
        // The bytes that SQLite locks, at 1 GiB: one that is pending, one that is reserved, and 510 that are shared.
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        (lock.l_start, lock.l_len) = (0x4000_0000, 512)
        // A file system without locks, such as some network disks, has other answers.
        if fcntl(descriptor, F_SETLK, &lock) != 0, errno == EAGAIN || errno == EACCES { return nil }
    }

    deinit { close(descriptor) }

    /// The hash of the content.
    func sha256() throws(StoreError) -> String { try FileHash.sha256(of: descriptor, path) }
}
