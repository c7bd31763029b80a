import ChatDBEngine
import ChatDBPOSIX
import GRDB
import GRDBSQLite

/// Translates errors of SQLite and GRDB into `StoreError`. The message has no values bound to a statement, and nothing
/// of the file: SQLite's own message may name what the schema names, or quote a value, and both may be a person.
enum SQLiteErrors {
    /// Runs `body` and translates the error it throws.
    ///
    /// - Parameter database: names the page of an encrypted file that was changed.
    static func mapped<T>(in database: Database? = nil, _ body: () throws -> T) throws(StoreError) -> T {
        do {
            return try body()
        } catch {
            throw storeError(error, in: database)
        }
    }

    /// Runs `body` and translates the error it throws. The error of a lock names the processes that hold it.
    static func mapped<T>(lockedAt path: String?, _ body: () throws -> T) throws(StoreError) -> T {
        do {
            return try body()
        } catch {
            throw storeError(error).naming(holdersOf: path)
        }
    }

    /// Translates an error; a `StoreError` stays as it is.
    ///
    /// - Parameter database: names the page of an encrypted file that was changed. It must be inside its queue.
    static func storeError(_ error: any Error, in database: Database? = nil) -> StoreError {
        switch error {
        case let error as StoreError:
            error
        case let error as DatabaseError:
            storeError(
                code: error.extendedResultCode.rawValue, message: error.message ?? "unknown error", sql: error.sql,
                connection: database?.sqliteConnection)
        default:
            StoreError(.other, "unexpected failure (\(type(of: error)))")
        }
    }

    /// The error for SQLite's result code and message.
    ///
    /// - Parameters:
    ///   - sql: the statement, whose words the error may repeat.
    ///   - showsConstraints: whether the message may name a constraint that neither the statement nor this build has:
    ///     for migrations, whose author wrote it.
    ///   - connection: names the page of an encrypted file that was changed.
    static func storeError(
        code: CInt, message: String, sql: String? = nil, showsConstraints: Bool = false,
        connection: OpaquePointer? = nil
    ) -> StoreError {
        // SQLite's own message is about writing, and this error comes from reading.
        if code == SQLITE_READONLY | (3 << 8) { return unrecovered(Int(code)) }
        let kind = kind(code: code, message: message)
        if kind == .damaged || code == IOCode.writtenMeanwhile,
            let path = CodecVFS.pathWrittenMeanwhile(by: connection)
        {
            return writtenMeanwhile(path)
        }
        if kind == .damaged, diskError(of: connection) != nil { return inputOutput(SQLITE_IOERR, connection) }
        if kind == .damaged, let page = CodecVFS.changedPage(of: connection) {
            return changedPage(page, Int(code))
        }
        if [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff), kind == .inputOutput {
            return inputOutput(code, connection)
        }
        let isShown = showsConstraints && code & 0xff == SQLITE_CONSTRAINT
        let shown = isShown ? message : EngineMessage.shown(message, sql: sql)
        return StoreError(kind, described(shown, code, as: kind), engineCode: Int(code))
    }

    /// Whether an error is damage of the file. SQLite reports the same code when the disk fails to read a page (EIO).
    static func isDamage(_ error: DatabaseError, in database: Database) -> Bool {
        error.resultCode == .SQLITE_CORRUPT && diskError(of: database.sqliteConnection) == nil
            && CodecVFS.pathWrittenMeanwhile(by: database.sqliteConnection) == nil
    }

    /// Throws if another program wrote the database since the last transaction began. An integrity check says of a page
    /// that it cannot read only that it is damaged.
    static func requireUnchanged(_ database: Database) throws(StoreError) {
        guard let path = CodecVFS.pathWrittenMeanwhile(by: database.sqliteConnection) else { return }
        throw writtenMeanwhile(path)
    }

    /// The number of the system's last error on the file of a connection. It is nil if the disk did not fail.
    private static func diskError(of connection: OpaquePointer?) -> CInt? {
        let number = lastError(of: connection)
        return [EIO, ENXIO].contains(number) ? number : nil
    }

    /// The number of the system's last error on the file of a connection; 0 for none.
    private static func lastError(of connection: OpaquePointer?) -> CInt {
        var number: CInt = 0
        guard let connection,
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK
        else { return 0 }
        return number
    }

    /// Runs `body` and translates the error it throws. The connection knows the number of the system's error.
    static func inside<T>(_ database: Database, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError where knowsMore(than: error) {
            throw storeError(error, in: database)
        }
    }

    /// Whether the connection knows more about an error than its code. Of a lock it does not.
    static func knowsMore(than error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_IOERR, .SQLITE_CANTOPEN].contains(error.resultCode)
            || error.extendedResultCode.rawValue == IOCode.writtenMeanwhile
    }

    /// The error of reading or writing the disk. SQLite says "disk I/O error" of all of them; the system says more.
    private static func inputOutput(_ code: CInt, _ connection: OpaquePointer?) -> StoreError {
        if let why = CodecVFS.refusal(of: connection) { return refused(why, Int(code)) }
        // Another program has begun a log while the database was open.
        if code & 0xff == SQLITE_CANTOPEN, let path = CodecVFS.pathWithLog(of: connection) {
            return .encryptedLog(of: path)
        }
        let fixed = String(cString: sqlite3_errstr(code & 0xff))
        var number = lastError(of: connection)
        if number == 0 { number = connection.map { sqlite3_system_errno($0) } ?? 0 }
        let reason = number == 0 ? "" : ": \(SystemError.explained(number))"
        return StoreError(
            .inputOutput, fixed + reason, engineCode: Int(code), systemError: number == 0 ? nil : number)
    }

    /// The error of opening a database. SQLite reads the whole schema before it opens the first table, so damage that
    /// appears then is in the schema.
    ///
    /// - Parameter database: names the page of an encrypted file that was changed.
    static func opening(_ error: any Error, in database: Database? = nil) -> StoreError {
        let found = storeError(error, in: database)
        let fixed = String(cString: sqlite3_errstr(SQLITE_CORRUPT))
        // The error for a page of an encrypted file has another message.
        guard found.kind == .damaged, found.message == "it is damaged (\(fixed))" else { return found }
        return StoreError(
            .damaged, "its schema is damaged, and without the schema SQLite finds no table (\(fixed))",
            engineCode: found.engineCode
        ).ofSchema((error as? DatabaseError)?.message.flatMap(schemaReason))
    }

    /// `idx_files (no such column: tipe)`, from SQLite's `malformed database schema (idx_files) - no such column: tipe`.
    /// Answers nil for another message.
    private static func schemaReason(_ message: String) -> String? {
        let beginning = "malformed database schema ("
        guard message.hasPrefix(beginning), let end = message.firstRange(of: ")") else { return nil }
        let name = message[message.index(message.startIndex, offsetBy: beginning.count)..<end.lowerBound]
        let reason = message[end.upperBound...].drop { $0 == " " || $0 == "-" }
        return reason.isEmpty ? String(name) : "\(name) (\(reason))"
    }

    /// The error for a page of an encrypted file that was changed.
    static func changedPage(_ page: UInt32, _ code: Int?) -> StoreError {
        StoreError(.damaged, "it is damaged (the authentication code of page \(page) does not fit)", engineCode: code)
    }

    /// The error for a database with a journal that another program, which has the database open, has to roll back.
    static func unrecovered(_ code: Int?, by holders: [FileHolder] = []) -> StoreError {
        let names = holders.isEmpty ? "" : ", \(holders.map(\.description).joined(separator: ", ")),"
        return StoreError(
            .inUse,
            "a program was interrupted while writing the database, and another program that has it open\(names) has "
                + "not recovered it yet: close that program, or let it read or write once",
            engineCode: code)
    }

    /// The error for an encrypted database in WAL mode that another program wrote during a transaction of chatdb.
    private static func writtenMeanwhile(_ path: String) -> StoreError {
        let holders = FileHolders.of(databaseAt: path)?.holders ?? []
        let names = holders.map(\.description).joined(separator: ", ")
        return StoreError(
            .inUse,
            "another program wrote the database while chatdb read it, so what chatdb read may be of two states"
                + (holders.isEmpty ? "" : "; the database is open in \(names)"),
            engineCode: Int(IOCode.writtenMeanwhile))
    }

    /// The error for what the VFS of encrypted databases refused.
    static func refused(_ why: String, _ code: Int?) -> StoreError {
        StoreError(.inputOutput, why, engineCode: code)
    }

    /// Adds what SQLite's message leaves out: it says "malformed" both of a value beyond a limit and of damage.
    private static func described(_ message: String, _ code: CInt, as kind: StoreError.Kind) -> String {
        /// SQLite's fixed text for the code.
        let fixed = String(cString: sqlite3_errstr(code))
        return switch kind {
        case .beyondLimits: "chatdb did not read it because of its safety limits (\(safetyLimit(message) ?? fixed))"
        case .damaged: "it is damaged (\(fixed))"
        case .outOfMemory: "it needs more memory than is available or allowed (\(fixed))"
        // The error of a backup is not kept in the connection, whose message is then "not an error".
        default: message == "not an error" || message.contains("malformed database schema") ? fixed : message
        }
    }

    private static func kind(code: CInt, message: String) -> StoreError.Kind {
        switch code {
        // UNIQUE, PRIMARY KEY, and the row ID.
        case SQLITE_CONSTRAINT | (8 << 8), SQLITE_CONSTRAINT | (6 << 8), SQLITE_CONSTRAINT | (10 << 8):
            return .uniqueViolation
        case SQLITE_CONSTRAINT | (3 << 8): return .foreignKeyViolation
        // SQLite implements ON DELETE RESTRICT as a trigger; only the message differs from that of a trigger in the
        // schema.
        case SQLITE_CONSTRAINT | (7 << 8) where message == "FOREIGN KEY constraint failed": return .foreignKeyViolation
        default: break
        }
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        case SQLITE_NOTADB: return .notADatabase
        case SQLITE_CORRUPT: return safetyLimit(message) != nil ? .beyondLimits : .damaged
        case SQLITE_TOOBIG: return .beyondLimits
        case SQLITE_READONLY: return .readOnly
        case SQLITE_FULL: return .diskFull
        case SQLITE_IOERR: return code == SQLITE_IOERR | (12 << 8) ? .outOfMemory : .inputOutput
        case SQLITE_CANTOPEN: return .inputOutput
        case SQLITE_NOMEM: return .outOfMemory
        case SQLITE_INTERRUPT: return .interrupted
        case SQLITE_AUTH: return .denied
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH: return .constraintViolation
        case SQLITE_ERROR: return isInterruption(message) ? .interrupted : .sql
        default: return .other
        }
    }

    /// Whether a general error is an interruption. SQLite reports one so when it stops PRAGMA or ALTER TABLE: as
    /// `interrupted`, or as `error in table items: interrupted`.
    private static func isInterruption(_ message: String) -> Bool {
        let parts = message.split(separator: ": ")
        return parts.last == "interrupted" && (parts.count == 1 || parts.count == 2 && message.hasPrefix("error in "))
    }

    /// Whether SQLite refused a definition because it calls one of SQLite's functions for JSON. The message has the
    /// function as the definition writes it, and `JSON_EXTRACT` is the same function as `json_extract`.
    static func isUseOfJSON(_ message: String) -> Bool {
        let message = message.lowercased()
        return ["json", "->"].contains { message.contains("unsafe use of \($0)") }
    }

    /// The limit that stopped SQLite; nil when none did. SQLite reports a schema beyond a limit, or one that would run
    /// foreign code, as corruption; only the end of its message differs.
    private static func safetyLimit(_ message: String) -> String? {
        let limits = [
            "too many columns", "Expression tree is too large", "string or blob too big",
            "too many arguments on function",
        ]
        if let limit = limits.first(where: message.contains) { return limit }
        return message.firstRange(of: "unsafe use of").map { String(message[$0.lowerBound...]) }
    }
}
