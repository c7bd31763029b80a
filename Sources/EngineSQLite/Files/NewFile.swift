import ChatDBEngine

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Makes the empty file that SQLite then fills.
enum NewFile {
    /// Makes an empty file for the owner alone, whatever the umask, and only where nothing is: SQLite's own would be
    /// readable by others.
    static func make(at path: String) throws(StoreError) {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError.current("\(path) cannot be made") }
        close(descriptor)
    }
}
