import ChatDBEncryption
import ChatDBEngine
import ChatDBPOSIX
import GRDB
import GRDBSQLite

/// The set-up of every connection that writes.
enum WritingProfile {
    /// Opens a database for reading and writing; with `creating`, makes the file first, for the owner alone.
    ///
    /// - Parameter patience: how long the connection waits for a lock of another program, in seconds.
    static func open(_ path: String, creating: Bool, patience: Double) throws(StoreError) -> OpenedDatabase {
        if creating { try NewFile.make(at: path) }
        try requireWritable(path)
        let registration = OpenDatabases.Registration(path)
        return OpenedDatabase(try queue(path, creating: creating, patience), registration: registration)
    }

    /// Opens an encrypted database for reading and writing.
    static func open(
        encrypted path: String, _ codec: PageCodec, patience: Double
    ) throws(StoreError) -> OpenedDatabase {
        var configuration = configuration(patience)
        // An attached database would be another file, which may be plain.
        configuration.prepareDatabase { sqlite3_limit($0.sqliteConnection, SQLITE_LIMIT_ATTACHED, 0) }
        return try EncryptedOpening.open(path, codec, isNew: false, configuration)
    }

    private static func configuration(_ patience: Double) -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        // GRDB ends the process when a transaction is left open; `SQLiteConnection` ends ours.
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(patience)
        configuration.label = "chatdb.writing"
        configuration.prepareDatabase { database in
            try ConnectionOptions.disableExtensions(of: database)
            TextFunction.add(to: database)
        }
        return configuration
    }

    private static func queue(
        _ path: String, creating: Bool, _ patience: Double
    ) throws(StoreError) -> DatabaseQueue {
        var configuration = configuration(patience)
        configuration.prepareDatabase { database in
            if creating { try useWriteAheadLog(database) }
            try applySettings(to: database)
        }
        return try SQLiteErrors.mapped(lockedAt: path) { [configuration] in
            let queue = try DatabaseQueue(path: SQLitePath.uri(path, "mode=rw"), configuration: configuration)
            // Again, because GRDB may set it after `prepareDatabase`.
            try queue.writeWithoutTransaction { try applySettings(to: $0) }
            return queue
        }
    }

    /// Opens an empty database in memory.
    static func inMemory() throws(StoreError) -> OpenedDatabase {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.allowsUnsafeTransactions = true
        configuration.label = "chatdb.memory"
        configuration.prepareDatabase { try ConnectionOptions.disableExtensions(of: $0) }
        return try SQLiteErrors.mapped { OpenedDatabase(try DatabaseQueue(configuration: configuration)) }
    }

    /// Throws for a file, or for its folder, without write permission. SQLite opens such a file read-only without an
    /// error, and leaves its log beside it. In such a folder it cannot make the log, nor delete one.
    static func requireWritable(_ path: String) throws(StoreError) {
        try requireAccess(path, "\(path) cannot be written")
        let folder = parentFolder(of: SQLitePath.resolved(path))
        try requireAccess(folder, "SQLite cannot create its files beside \(path), in the folder \(folder)")
    }

    private static func requireAccess(_ place: String, _ problem: String) throws(StoreError) {
        guard access(place, W_OK) != 0, [EACCES, EPERM, EROFS].contains(errno) else { return }
        throw SystemError.current(problem)
    }

    /// Sets WAL mode, which new stores have: readers do not wait for the writer.
    static func useWriteAheadLog(_ database: Database) throws {
        try database.execute(sql: "PRAGMA journal_mode = WAL")
    }

    /// Sets what every writing connection has, a migration's included.
    static func applySettings(to database: Database) throws {
        // Deleted messages and keys are overwritten, not only unlinked.
        try database.execute(sql: "PRAGMA secure_delete = ON")
        // A commit that was reported is on the disk. WAL mode needs FULL for that, a rollback journal EXTRA, which
        // syncs the folder too after the journal is deleted (*measured*: with less, acknowledged commits were lost).
        let mode = try SQLiteErrors.inside(database) {
            try String.fetchOne(database, sql: "PRAGMA journal_mode")
        }
        try database.execute(sql: "PRAGMA synchronous = \(mode == "wal" ? "FULL" : "EXTRA")")
    }
}
