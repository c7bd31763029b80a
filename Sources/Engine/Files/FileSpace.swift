#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Sizes of files and room on the disk, without opening anything.
package enum FileSpace {
    /// The size of a file in bytes; 0 when it is not there.
    package static func size(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Bytes free for this user on the file system of a path, or nil when it does not tell.
    package static func free(at path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }
}
