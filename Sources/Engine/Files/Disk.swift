#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Sizes of files and room on the disk, without opening anything.
package enum FileSpace {
    /// More than any file has. One with holes can say that it has more, and sizes are added up.
    private static let largest = Int64(1) << 56

    /// The size of a file in bytes; 0 when it is not there.
    package static func size(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? min(Int64(status.st_size), largest) : 0
    }

    /// Bytes free for this user on the file system of a path, or nil when it does not tell. Of a path that is still to
    /// be made, what is free in the folder it will be in.
    package static func free(at path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(existing(path), &status) == 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    /// Whether two paths, there or still to be made, take their room from one file system.
    package static func isShared(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return stat(existing(one), &first) == 0 && stat(existing(other), &second) == 0
            && first.st_dev == second.st_dev
    }

    /// The path, or the nearest folder above it that is there.
    private static func existing(_ path: String) -> String {
        var path = path
        var status = stat()
        while stat(path, &status) != 0, errno == ENOENT, path != "/", path != "." {
            let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
            path = slash.map { String(path[..<$0]) } ?? "."
            if path.isEmpty { path = "/" }
        }
        return path
    }
}
