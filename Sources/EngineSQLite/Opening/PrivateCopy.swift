import ChatDBEngine
import GRDB
import GRDBSQLite
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A copy of a database with its journals, in a folder of its own. The folder goes with the last who holds the copy, its
/// connections among them.
final class PrivateCopy: Sendable {
    /// The main file of the copy.
    let path: String
    private let folder: LockedFolder
    private let source: String
    /// What was copied, as it was.
    private let stamps: [Stamp]
    private let isRecovered = Mutex(false)

    private init(of source: String, _ stamps: [Stamp], in folder: LockedFolder) {
        self.folder = folder
        self.source = source
        self.stamps = stamps
        path = folder.path + "/copy.db"
    }

    /// Whether the database and what is beside it are as they were when they were copied.
    var isCurrent: Bool { Self.stamps(of: source) == stamps }

    /// Copies the database at an absolute path, its write-ahead log and its rollback journal.
    ///
    /// - Parameter isOneOfSeveral: the journal names a super-journal, which is there: what the journal undoes was not
    ///   complete. The copy's journal does not name it, because SQLite would remove it when the copy is in order.
    static func make(of source: String, isOneOfSeveral: Bool = false) throws(StoreError) -> PrivateCopy {
        let folder = try LockedFolder.make(for: .copy)
        try requireSpace(forCopyOf: source, in: folder.path)
        let copy = PrivateCopy(of: source, stamps(of: source), in: folder)
        for part in parts where access(source + part, F_OK) == 0 {
            try FileCopy.copy(source + part, to: copy.path + part)
        }
        // No lock was held: a program that has opened it since can have written it.
        guard copy.isCurrent else { throw StoreError(.busy, "\(source) was written while it was copied") }
        if isOneOfSeveral { try FileCopy.clearEnd(of: copy.path + "-journal", bytes: 8) }
        return copy
    }

    private static let parts = ["", "-wal", "-journal"]

    private static func stamps(of source: String) -> [Stamp] { parts.map { Stamp(source + $0) } }

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

    /// Opens the copy for writing once, so that SQLite plays back its journal or folds in its log; again does nothing,
    /// because the copy may be read by then.
    func recover(_ patience: Patience?) throws(StoreError) {
        try isRecovered.withLock { isRecovered throws(StoreError) in
            if !isRecovered { try fold(patience) }
            isRecovered = true
        }
    }

    private func fold(_ patience: Patience?) throws(StoreError) {
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

    /// The log twice: while it is folded in, the database grows by it.
    private static func requireSpace(forCopyOf source: String, in folder: String) throws(StoreError) {
        let needed = (parts + ["-wal"]).reduce(Int64(0)) { $0 + FileSpace.size(of: source + $1) }
        try LockedFolder.requireSpace(needed, in: folder)
    }
}
