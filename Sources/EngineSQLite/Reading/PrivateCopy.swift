import Engine
import GRDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A copy of a database with its journals, in a folder of its own.
final class PrivateCopy: Sendable {
    /// The main file of the copy.
    let path: String
    private let folder: LockedFolder

    private init(in folder: LockedFolder) {
        self.folder = folder
        path = folder.path + "/copy.db"
    }

    /// Copies the database at an absolute path, its write-ahead log and its rollback journal.
    static func make(of source: String) throws(StoreError) -> PrivateCopy {
        let folder = try LockedFolder.make(for: "copy")
        let parts = ["", "-wal", "-journal"].filter { access(source + $0, F_OK) == 0 }
        try requireSpace(for: parts.map { source + $0 }, in: folder.path)
        let copy = PrivateCopy(in: folder)
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
    func remove() { folder.remove() }

    private static func requireSpace(for files: [String], in folder: String) throws(StoreError) {
        let needed = files.reduce(Int64(0)) { $0 + FileSpace.size(of: $1) }
        guard let free = FileSpace.free(at: folder), free < needed else { return }
        throw StoreError(.diskFull, "a private copy needs \(needed) bytes in \(folder), and \(free) are free")
    }
}
