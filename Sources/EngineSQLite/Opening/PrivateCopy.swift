import ChatDBEngine
import ChatDBPOSIX
import GRDB
import GRDBSQLite
import Synchronization

/// A copy of a database with its journals, in a folder of its own. The folder is removed with the last reference to the
/// copy; connections to it hold one.
final class PrivateCopy: Sendable {
    /// The main file of the copy.
    let path: String
    private let folder: LockedFolder
    private let source: String
    /// The stamps of the files when they were copied.
    private let stamps: [Stamp]
    private let isRecovered = Mutex(false)

    private init(of source: String, _ stamps: [Stamp], in folder: LockedFolder) {
        self.folder = folder
        self.source = source
        self.stamps = stamps
        path = folder.path + "/copy.db"
    }

    /// Whether the database and its side files are as they were when they were copied.
    var isCurrent: Bool { Self.stamps(of: source) == stamps }

    /// Copies the database at an absolute path, its write-ahead log and its rollback journal.
    ///
    /// - Parameter isOneOfSeveral: the journal names a super-journal, which is there: what the journal undoes was not
    ///   complete. The copy's journal does not name it, because SQLite would delete it after the rollback of the copy.
    /// - Parameter hasSideFiles: copies the log and the journal too.
    static func make(
        of source: String, isOneOfSeveral: Bool = false, hasSideFiles: Bool = true
    ) throws(StoreError) -> PrivateCopy {
        let folder = try LockedFolder.make(for: .copy)
        try requireSpace(forCopyOf: source, in: folder.path)
        let copy = PrivateCopy(of: source, stamps(of: source), in: folder)
        for part in hasSideFiles ? parts : [""] where access(source + part, F_OK) == 0 {
            try FileCopy.copy(source + part, to: copy.path + part)
        }
        // The copy takes no lock: another program can have written the database meanwhile.
        guard copy.isCurrent else { throw StoreError(.busy, "\(source) was changed while it was copied") }
        if isOneOfSeveral { try FileCopy.clearEnd(of: copy.path + "-journal", bytes: 8) }
        return copy
    }

    private static let parts = ["", "-wal", "-journal"]

    private static func stamps(of source: String) -> [Stamp] { parts.map { Stamp(source + $0) } }

    /// The facts that change when a file is written or replaced.
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

    /// Opens the copy for writing once, so that SQLite rolls back its journal or checkpoints its log. A second call
    /// does nothing, because the copy may be in use by then.
    func recover(_ timeLimit: QueryTimeLimit?) throws(StoreError) {
        try isRecovered.withLock { isRecovered throws(StoreError) in
            if !isRecovered { try checkpoint(timeLimit) }
            isRecovered = true
        }
    }

    /// Rolls back the journal of an encrypted copy once.
    func rollBackEncrypted() throws(StoreError) {
        try isRecovered.withLock { isRecovered throws(StoreError) in
            if !isRecovered { try EncryptedRollback.run(at: path) }
            isRecovered = true
        }
    }

    private func checkpoint(_ timeLimit: QueryTimeLimit?) throws(StoreError) {
        do {
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            configuration.prepareDatabase { database in
                try HardenedProfile.limitCopy(database)
                // Nothing in the schema is run here, and SQLite would not open a schema that calls functions for JSON.
                try ConnectionOptions.set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, to: true, of: database)
                timeLimit?.install(on: database)
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { _ = try Int.fetchOne($0, sql: "SELECT 1 FROM sqlite_master LIMIT 1") }
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
            }
            try queue.close()
        } catch {
            throw timeLimit?.error ?? SQLiteErrors.storeError(error)
        }
    }

    /// The log counts twice: a checkpoint makes the database grow by it.
    private static func requireSpace(forCopyOf source: String, in folder: String) throws(StoreError) {
        let needed = (parts + ["-wal"]).reduce(Int64(0)) { $0 + FileSpace.size(of: source + $1) }
        try LockedFolder.requireSpace(needed, in: folder)
    }
}

/// The private copies of one piece of work, such as a command: a database that is opened several times is copied once.
/// The copies are removed with this object and with the last connection to them.
final class PrivateCopies: Sendable {
    private let copies = Mutex<[String: PrivateCopy]>([:])

    /// The copy of the database at an absolute path. It is made now unless there is one and the files have not changed.
    func copy(of source: String, isOneOfSeveral: Bool) throws(StoreError) -> PrivateCopy {
        try copies.withLock { copies throws(StoreError) in
            if let copy = copies[source], copy.isCurrent { return copy }
            let copy = try PrivateCopy.make(of: source, isOneOfSeveral: isOneOfSeveral)
            copies[source] = copy
            return copy
        }
    }

    /// Releases the copy of a database that is about to be written: it would be outdated, and takes room.
    func forget(_ source: String) {
        copies.withLock { $0[source] = nil }
    }
}
