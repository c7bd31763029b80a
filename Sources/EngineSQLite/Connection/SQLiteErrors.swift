import ChatDBEngine
import GRDB
import GRDBSQLite

/// Errors of SQLite and GRDB in the seam's words. Values bound to a statement are never in them: only SQLite's own
/// message is taken, which names tables and columns.
enum SQLiteErrors {
    /// Runs `body` and turns whatever it throws into a `StoreError`.
    static func mapped<T>(_ body: () throws -> T) throws(StoreError) -> T {
        do {
            return try body()
        } catch {
            throw storeError(error)
        }
    }

    /// The error in the seam's words; an error of the seam is left as it is.
    static func storeError(_ error: any Error) -> StoreError {
        switch error {
        case let error as StoreError:
            error
        case let error as DatabaseError:
            storeError(code: error.extendedResultCode.rawValue, message: error.message ?? "unknown error")
        default:
            StoreError(.other, "unexpected failure (\(type(of: error)))")
        }
    }

    /// An error by SQLite's result code and message.
    static func storeError(code: CInt, message: String) -> StoreError {
        // SQLite's message speaks of writing, and nobody wants to write.
        if code == SQLITE_READONLY | (3 << 8) {
            return StoreError(
                .inUse,
                "a program was interrupted while writing the database, and another one that has it open has not put it "
                    + "in order yet: close that program, or let it read or write once",
                engineCode: Int(code))
        }
        // What a backup met is not noted in the connection, which then has nothing to say.
        let said = message == "not an error" ? String(cString: sqlite3_errstr(code)) : message
        let kind = kind(code: code, message: message)
        return StoreError(kind, told(said, as: kind), engineCode: Int(code))
    }

    /// SQLite says of what goes beyond our limits that it is malformed, and of what is damaged no more than that.
    private static func told(_ message: String, as kind: StoreError.Kind) -> String {
        switch kind {
        case .beyondLimits: "it was not read because of chatdb's safety limits (\(message))"
        case .damaged: "it is damaged (\(message))"
        case .outOfMemory: "it takes more memory than there is, or than the program allows itself (\(message))"
        default: message
        }
    }

    private static func kind(code: CInt, message: String) -> StoreError.Kind {
        switch code {
        // UNIQUE, PRIMARY KEY, and the number of a row.
        case SQLITE_CONSTRAINT | (8 << 8), SQLITE_CONSTRAINT | (6 << 8), SQLITE_CONSTRAINT | (10 << 8):
            return .uniqueViolation
        case SQLITE_CONSTRAINT | (3 << 8): return .foreignKeyViolation
        // ON DELETE RESTRICT is a trigger to SQLite; only the message tells it from a trigger of the schema.
        case SQLITE_CONSTRAINT | (7 << 8) where message == "FOREIGN KEY constraint failed": return .foreignKeyViolation
        default: break
        }
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        case SQLITE_NOTADB: return .notADatabase
        case SQLITE_CORRUPT: return isSafetyLimit(message) ? .beyondLimits : .damaged
        case SQLITE_TOOBIG: return .beyondLimits
        case SQLITE_READONLY: return .readOnly
        case SQLITE_FULL: return .diskFull
        case SQLITE_IOERR: return code == SQLITE_IOERR | (12 << 8) ? .outOfMemory : .inputOutput
        case SQLITE_CANTOPEN: return .inputOutput
        case SQLITE_NOMEM: return .outOfMemory
        case SQLITE_INTERRUPT: return .interrupted
        case SQLITE_AUTH: return .denied
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH: return .constraintViolation
        case SQLITE_ERROR: return .sql
        default: return .other
        }
    }

    /// SQLite reports a schema beyond our limits, or one that would run foreign code, as corruption; only the end of
    /// its message tells.
    private static func isSafetyLimit(_ message: String) -> Bool {
        let tails = ["too many columns", "Expression tree is too large", "string or blob too big", "unsafe use of"]
        return tails.contains { message.contains($0) }
    }
}
