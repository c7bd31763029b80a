import ChatDBEngine
import ChatDBPOSIX
package import ChatDBSchema

/// The folder into which everything of an archive is unpacked.
enum UnpackingFolder {
    /// The absolute path of a folder, without a slash at its end.
    static func path(_ given: String) throws(UnpackingError) -> String {
        if given.isEmpty || given.utf8.contains(0) { throw .invalidPath }
        guard var path = absolutePath(given)?[...] else { throw .cannotCreate(given, errno: ENOENT) }
        while path.hasSuffix("/"), path.count > 1 { path = path.dropLast() }
        return String(path)
    }

    /// Creates the folder for its owner alone, unless it exists and is empty, and locks it against another unpacking.
    /// Returns whether it was created, and the descriptor that holds the lock.
    static func make(_ path: String) throws(UnpackingError) -> (isNew: Bool, lock: CInt) {
        let isNew: Bool
        switch FileState(at: path) {
        case .missing:
            guard mkdir(path, 0o700) == 0 else { throw .cannotCreate(path, errno: errno) }
            isNew = true
        case .notRegular(.directory): isNew = false
        case .empty, .regular, .notRegular: throw .notAFolder(path)
        case .unreachable(let reason): throw .cannotCreate(path, errno: reason)
        }
        let lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw .cannotCreate(path, errno: errno) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0, (try? folderNames(path))?.isEmpty == true else {
            close(lock)
            throw .notEmpty(path)
        }
        return (isNew, lock)
    }

    /// Throws when the folder's disk has no room for a number of bytes.
    static func requireSpace(_ bytes: Int64, in folder: String) throws(StoreError) {
        guard let free = FileSpace.free(at: folder), free < bytes else { return }
        throw StoreError(
            .diskFull,
            "unpacking needs \(FileSpace.text(bytes)) in \(folder), and \(FileSpace.text(free)) are free")
    }

    /// Creates a folder below another one, and those between them.
    static func makeAll(_ name: String, in folder: String) throws(StoreError) {
        var path = folder
        for part in name.split(separator: "/") {
            path += "/" + part
            if mkdir(path, 0o700) == 0 { continue }
            let reason = errno
            var info = stat()
            guard reason == EEXIST, lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else {
                throw SystemError.error(reason, "the folder \(path) cannot be created")
            }
        }
    }

    /// Syncs the names in a folder below another one, and in those between them.
    static func syncAll(_ name: String, in folder: String) throws(StoreError) {
        var path = folder
        for part in name.split(separator: "/") {
            path += "/" + part
            try FileSync.folder(path)
        }
    }
}

/// Why nothing can be unpacked into a folder. Nothing was written.
package enum UnpackingError: ChatDBError, Hashable {
    /// The path is empty, or has a zero byte.
    case invalidPath
    /// The folder has something in it.
    case notEmpty(String)
    /// There is something at the path that is not a folder.
    case notAFolder(String)
    /// The folder cannot be created or read; the number of the system's error.
    case cannotCreate(String, errno: Int32)

    /// The kind, code, message and details of the error.
    package var info: ErrorInfo {
        switch self {
        case .invalidPath:
            ErrorInfo(.cannotCreate, "cannotWrite", "the path of the folder is empty, or has a zero byte in it")
        case .notEmpty(let path):
            ErrorInfo(
                .cannotCreate, "folderNotEmpty", "the folder \(path) is not empty", ["path": .string(path)],
                state: Self.unwritten)
        case .notAFolder(let path):
            ErrorInfo(
                .cannotCreate, "fileExists", "\(path) already exists, and is not a folder", ["path": .string(path)],
                state: Self.unwritten)
        case .cannotCreate(let path, let reason):
            ErrorInfo(
                [ENOSPC, EDQUOT, EIO, EROFS].contains(reason) ? .inputOutput : .cannotCreate, "cannotWrite",
                "the folder \(path) cannot be created: \(systemMessage(reason))", ["path": .string(path)],
                state: Self.unwritten)
        }
    }

    private static let unwritten = "Nothing was written."
}
