import Engine
import GRDB
import GRDBSQLite

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
    ///
    /// - Parameter isOneOfSeveral: the journal names a super-journal, which is there: what the journal undoes was not
    ///   complete. The copy's journal does not name it, because SQLite would remove it when the copy is in order.
    static func make(of source: String, isOneOfSeveral: Bool = false) throws(StoreError) -> PrivateCopy {
        let folder = try LockedFolder.make(for: .copy)
        let parts = ["", "-wal", "-journal"].filter { access(source + $0, F_OK) == 0 }
        try requireSpace(for: parts.map { source + $0 }, in: folder.path)
        let copy = PrivateCopy(in: folder)
        let before = parts.map { Stamp(source + $0) }
        for part in parts { try FileCopy.copy(source + part, to: copy.path + part) }
        // No lock was held: a program that has opened it since can have written it.
        guard parts.map({ Stamp(source + $0) }) == before else {
            throw StoreError(.busy, "\(source) was written while it was copied")
        }
        if isOneOfSeveral { try FileCopy.clearEnd(of: copy.path + "-journal", bytes: 8) }
        return copy
    }

    /// What changes when a file is written, or another takes its place.
    private struct Stamp: Equatable {
        let inode: UInt64
        let size: Int64
        let changed: [Int]

        init(_ path: String) {
            var info = stat()
            guard stat(path, &info) == 0 else {
                (inode, size, changed) = (0, -1, [])
                return
            }
            inode = UInt64(info.st_ino)
            size = Int64(info.st_size)
            #if canImport(Darwin)
                changed = [info.st_mtimespec.tv_sec, info.st_mtimespec.tv_nsec]
            #else
                changed = [info.st_mtim.tv_sec, info.st_mtim.tv_nsec]
            #endif
        }
    }

    /// Opens the copy for writing once, so that SQLite plays back its journal or folds in its log.
    func recover(_ patience: Patience?) throws(StoreError) {
        do {
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            configuration.prepareDatabase { database in
                try HardenedProfile.limit(database)
                // Nothing in the schema is run here, and one that calls functions for JSON would not be opened.
                try ConnectionOptions.set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, to: true, of: database)
                patience?.install(on: database)
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { _ = try Int.fetchOne($0, sql: "SELECT 1 FROM sqlite_master LIMIT 1") }
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
            }
            try queue.close()
        } catch {
            throw patience?.error ?? SQLiteErrors.storeError(error)
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
