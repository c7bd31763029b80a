import CChatDBSQLite
import ChatDBEngine
import GRDB
import GRDBSQLite

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How every writing connection is set up.
enum WritingProfile {
    /// Opens a database for reading and writing; with `creating`, makes the file first, for the owner alone.
    static func connect(_ path: String, creating: Bool) throws(StoreError) -> SQLiteConnection {
        if creating { try NewFile.make(at: path) }
        try requireWritable(path)
        let registration = OpenDatabases.Registration(path)
        return SQLiteConnection(queue: try open(path, creating: creating), registration: registration)
    }

    private static func open(_ path: String, creating: Bool) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        // GRDB ends the process when a transaction is left open; ours are ended by `SQLiteConnection`.
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(5)
        configuration.label = "chatdb.writing"
        configuration.prepareDatabase { database in
            try closeDoors(of: database)
            if creating { try useWriteAheadLog(database) }
            try applySettings(to: database)
        }
        return try SQLiteErrors.mapped {
            let queue = try DatabaseQueue(path: SQLitePath.uri(path, "mode=rw"), configuration: configuration)
            // Again, because GRDB may set it after `prepareDatabase`.
            try queue.writeWithoutTransaction { try applySettings(to: $0) }
            return queue
        }
    }

    /// SQLite opens a file that may not be written for reading alone, without a word, and leaves its log beside it.
    static func requireWritable(_ path: String) throws(StoreError) {
        guard access(path, W_OK) != 0, [EACCES, EPERM, EROFS].contains(errno) else { return }
        throw SystemError.current("\(path) cannot be written")
    }

    /// New stores use the write-ahead log: readers do not wait for the writer.
    static func useWriteAheadLog(_ database: Database) throws {
        try database.execute(sql: "PRAGMA journal_mode = WAL")
    }

    /// What holds for every connection that writes, a migration's included.
    static func applySettings(to database: Database) throws {
        // Deleted messages and keys are overwritten, not only unlinked.
        try database.execute(sql: "PRAGMA secure_delete = ON")
        // A commit that was reported is on the disk: in WAL that takes FULL, with a rollback journal EXTRA, which also
        // syncs the folder after the journal is gone (with less, acknowledged commits were seen to be lost).
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
        try database.execute(sql: "PRAGMA synchronous = \(mode == "wal" ? "FULL" : "EXTRA")")
    }

    /// What no connection of ours needs and a hostile file could use.
    static func closeDoors(of database: Database) throws {
        for option in [SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER] {
            try ConnectionOptions.set(option, to: false, of: database)
        }
    }
}
