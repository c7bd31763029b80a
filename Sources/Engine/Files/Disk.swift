import ChatDBPOSIX

/// Sizes of files and free space, found out without opening anything.
package enum FileSpace {
    /// An upper bound of sizes, so that they can be added up. A sparse file can report a larger size.
    private static let largest = Int64(1) << 56

    /// The size of a file in bytes; 0 when it does not exist.
    package static func size(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? min(Int64(status.st_size), largest) : 0
    }

    /// Bytes free for this user on the file system of a path, or nil when the system does not report them. For a path
    /// that does not exist yet, those of the nearest folder that does.
    package static func free(at path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(existing(path), &status) == 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    /// A number of bytes for people: `1536` as `1.5 KiB`.
    package static func text(_ bytes: Int64) -> String {
        guard bytes.magnitude >= 1024 else { return "\(bytes) B" }
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        var amount = Double(bytes) / 1024
        var unit = 0
        // From 1023.95 on the digit after the point would round to 1024.0.
        while amount.magnitude >= 1023.95, unit < units.count - 1 {
            amount /= 1024
            unit += 1
        }
        return "\((amount * 10).rounded() / 10) \(units[unit])"
    }

    /// Whether two paths, existing or not, are on the same file system.
    package static func isShared(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return stat(existing(one), &first) == 0 && stat(existing(other), &second) == 0
            && first.st_dev == second.st_dev
    }

    /// The path, or the nearest folder above it that exists.
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

/// Syncs files and folders, so that what was written survives a power cut.
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

/// Moves of files that replace no file.
package enum FileMove {
    /// Gives a file a new name, and keeps its first name where the file system has hard links. Returns false, with
    /// `errno`, if that fails: EEXIST if there is a file with the new name. Renaming would replace that file.
    package static func link(_ path: String, toNew new: String) -> Bool {
        if ChatDBPOSIX.link(path, new) == 0 { return true }
        return [EPERM, ENOTSUP, ENOSYS].contains(errno) && rename(path, new) == 0
    }
}
