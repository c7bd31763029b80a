#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Makes what was written survive a power cut.
package enum FileSync {
    /// Syncs the content of a file.
    package static func file(_ path: String) throws(StoreError) {
        try sync(path, flags: O_RDONLY)
    }

    /// Syncs the names in a folder: new, renamed and removed files.
    package static func folder(_ path: String) throws(StoreError) {
        try sync(path, flags: O_RDONLY | O_DIRECTORY)
    }

    private static func sync(_ path: String, flags: CInt) throws(StoreError) {
        let descriptor = open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError.current("\(path) cannot be opened to sync it") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SystemError.current("\(path) cannot be synced") }
    }
}
