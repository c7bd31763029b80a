import ChatDBKit
import Foundation

/// The folder of the default store. chatdb creates it if it is missing.
enum DefaultFolder {
    /// Creates the folder and those above it with mode 700; an existing one stays as it is.
    static func make(_ path: String) throws(DefaultFolderError) {
        if mkdir(path, 0o700) == 0 || isFolder(path) { return }
        let reason = errno
        let parent = parentFolder(of: path)
        guard reason == ENOENT, !parent.isEmpty, parent != path else {
            throw DefaultFolderError(path: path, errno: reason)
        }
        try make(parent)
        guard mkdir(path, 0o700) == 0 || isFolder(path) else { throw DefaultFolderError(path: path, errno: errno) }
    }

    private static func isFolder(_ path: String) -> Bool {
        let reason = errno
        defer { errno = reason }
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }
}

struct DefaultFolderError: Reportable, Equatable {
    let path: String
    let errno: CInt

    var report: ErrorReport {
        ErrorReport(
            "cannotWrite",
            "\(path), the folder of the default store, cannot be created: \(StandardStreams.sentence(for: errno))",
            state: "Nothing was changed.", hint: "name another place with --store, or in \(StoreOptions.variable)",
            details: ["path": .string(path)],
            exit: [ENOSPC, EIO, EDQUOT, EROFS].contains(errno) ? .ioError : .cannotCreate)
    }
}
