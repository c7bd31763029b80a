import ChatDBEncryption
import ChatDBEngine
import GRDBSQLite

/// The end of WAL mode of an encrypted database. The VFS that encrypts has no shared memory, so SQLite does not open a
/// database in WAL mode with it. Rule: docs/encryption.md, "Writing".
enum EncryptedWALMode {
    /// Puts the database at an absolute path into rollback mode, as `PRAGMA journal_mode = DELETE` does it: in a
    /// transaction with SQLite's exclusive lock. Every program that has the database open in WAL mode prevents this
    /// lock, and so does a connection of chatdb that reads it in a transaction. SQLite reads a header with rollback mode,
    /// and writes that header with the first page.
    ///
    /// Changes nothing and returns false if a log with content is there.
    ///
    /// - Parameter patience: how long to wait for a lock of another program, in seconds.
    static func end(at path: String, _ codec: PageCodec, patience: Double) throws(StoreError) -> Bool {
        let parameters = CodecVFS.Registration(codec, vfs: EncryptingVFS.name, mode: "rw", showsRollbackMode: true)
        var connection: OpaquePointer?
        defer {
            // Closing undoes a transaction.
            sqlite3_close(connection)
            withExtendedLifetime(parameters) {}
        }
        do throws(StoreError) {
            let code = sqlite3_open_v2(
                SQLitePath.uri(path, parameters.parameters), &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, nil)
            if code != SQLITE_OK { throw EncryptedRollback.error(code, of: connection) }
            sqlite3_busy_timeout(connection, CInt(patience * 1_000))
            try run("PRAGMA synchronous = EXTRA; BEGIN EXCLUSIVE", on: connection)
            // Only now no program can begin a log.
            if hasLog(path) { return false }
            // SQLite writes the first page also if the number is the same.
            try run("PRAGMA user_version = \(userVersion(of: connection)); COMMIT", on: connection)
            return true
        } catch {
            // SQLite opens no database with a log through this VFS. The log may have begun after the caller looked.
            if hasLog(path) { return false }
            guard error.kind == .inputOutput, let why = parameters.refusal else { throw error }
            throw StoreError(.inputOutput, why, engineCode: error.engineCode)
        }
    }

    private static func hasLog(_ path: String) -> Bool { (FileState(at: path + "-wal").bytes ?? 0) > 0 }

    private static func run(_ sql: String, on connection: OpaquePointer?) throws(StoreError) {
        let code = sqlite3_exec(connection, sql, nil, nil, nil)
        if code != SQLITE_OK { throw EncryptedRollback.error(code, of: connection) }
    }

    private static func userVersion(of connection: OpaquePointer?) throws(StoreError) -> Int32 {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, "PRAGMA user_version", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { throw EncryptedRollback.error(sqlite3_errcode(connection), of: connection) }
        return sqlite3_column_int(statement, 0)
    }
}
