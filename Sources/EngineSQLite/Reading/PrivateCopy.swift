import Engine
import Foundation
import GRDB
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A copy of a database with its journals, in a folder nobody else can read. The folder holds a locked file, so that a
/// later run can tell the folders of dead processes and remove them.
final class PrivateCopy: Sendable {
    /// The main file of the copy.
    let path: String
    private let folder: String
    /// The descriptor of the locked file; nil once the copy is removed.
    private let lock: Mutex<CInt?>

    private static let prefix = "chatdb-copy-"
    /// What a folder is called until its lock is held: nobody takes it for abandoned meanwhile.
    private static let unlockedPrefix = "chatdb-new-copy-"

    private init(path: String, folder: String, lock: CInt) {
        self.path = path
        self.folder = folder
        self.lock = Mutex(lock)
    }

    deinit { remove() }

    /// Copies the database at an absolute path, its write-ahead log and its rollback journal.
    static func make(of source: String) throws(StoreError) -> PrivateCopy {
        let temporary = NSTemporaryDirectory()
        removeAbandoned(in: temporary)
        let parts = ["", "-wal", "-journal"].filter { access(source + $0, F_OK) == 0 }
        try requireSpace(for: parts.map { source + $0 }, in: temporary)

        let id = UUID().uuidString
        let unlocked = temporary + "/" + unlockedPrefix + id
        let folder = temporary + "/" + prefix + id
        guard mkdir(unlocked, 0o700) == 0 else {
            throw SystemError.current("a folder for a private copy cannot be made")
        }
        let lock = open(unlocked + "/lock", O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, rename(unlocked, folder) == 0 else {
            let error = SystemError.current("a private copy cannot be locked")
            if lock >= 0 { close(lock) }
            try? FileManager.default.removeItem(atPath: unlocked)
            throw error
        }
        let copy = PrivateCopy(path: folder + "/copy.db", folder: folder, lock: lock)
        for part in parts { try FileCopy.copy(source + part, to: copy.path + part) }
        return copy
    }

    /// Opens the copy for writing once, so that SQLite plays back its journal or folds in its log.
    func recover() throws(StoreError) {
        try SQLiteErrors.mapped {
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            configuration.prepareDatabase { try HardenedProfile.limit($0) }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
            }
            try queue.close()
        }
    }

    /// Removes the copy, after its connection is closed; again does nothing.
    func remove() {
        let held = lock.withLock { lock in
            defer { lock = nil }
            return lock
        }
        guard let held else { return }
        try? FileManager.default.removeItem(atPath: folder)
        close(held)
    }

    /// Removes the folders of processes that ended without doing so: nobody holds their lock.
    private static func removeAbandoned(in temporary: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
        for name in names where name.hasPrefix(prefix) && isOwn("\(temporary)/\(name)") {
            let lock = open("\(temporary)/\(name)/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard lock >= 0 else { continue }
            if flock(lock, LOCK_EX | LOCK_NB) == 0 {
                try? FileManager.default.removeItem(atPath: "\(temporary)/\(name)")
            }
            close(lock)
        }
    }

    /// The temporary folder is everybody's: a folder somebody else made, or a link, is left alone.
    private static func isOwn(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR && info.st_uid == geteuid()
    }

    private static func requireSpace(for files: [String], in folder: String) throws(StoreError) {
        let needed = files.reduce(Int64(0)) { $0 + FileSpace.size(of: $1) }
        guard let free = FileSpace.free(at: folder), free < needed else { return }
        throw StoreError(.diskFull, "a private copy needs \(needed) bytes in \(folder), and \(free) are free")
    }
}
