import ChatDBEngine
import GRDBSQLite

/// The rollback of an encrypted database without its key. The journal has encrypted pages, with checksums of the
/// encrypted bytes, so SQLite puts them back as they are, with the system's own VFS. Only then it reads the header, and
/// finds no database.
enum EncryptedRollback {
    /// Rolls back the journal of the database at an absolute path, if it has one that no program is using.
    ///
    /// - Parameter patience: how long to wait for a lock of another program, in seconds.
    static func run(at path: String, patience: Double = 0) throws(StoreError) {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        var code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil)
        if code == SQLITE_OK {
            sqlite3_busy_timeout(connection, CInt(patience * 1_000))
            code = sqlite3_exec(connection, "SELECT 1 FROM sqlite_master", nil, nil, nil)
        }
        guard code == SQLITE_OK || code == SQLITE_NOTADB else { throw error(code, of: connection) }
    }

    /// The last error of a connection that runs nothing of the file.
    static func error(_ code: CInt, of connection: OpaquePointer?) -> StoreError {
        StoreError(
            kind(code), String(cString: sqlite3_errmsg(connection)),
            engineCode: Int(sqlite3_extended_errcode(connection)))
    }

    /// The kind of an error of files and locks. Such a connection has hardly any others.
    private static func kind(_ code: CInt) -> StoreError.Kind {
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_FULL: .diskFull
        case SQLITE_READONLY: .readOnly
        case SQLITE_NOMEM: .outOfMemory
        case SQLITE_IOERR, SQLITE_CANTOPEN: .inputOutput
        case SQLITE_CORRUPT: .damaged
        default: .other
        }
    }
}
