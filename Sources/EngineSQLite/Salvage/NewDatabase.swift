import ChatDBEngine
import ChatDBPOSIX
import ChatDBSalvage
import GRDBSQLite

/// The database into which the rows of a damaged one are written. It has a connection of its own, because the settings
/// of a file (page size, encoding) have to be made before its first page is written.
///
/// The definitions come from the damaged file, which may come from anybody. A definition must be one statement of a
/// known kind, and the authorizer of migrations refuses everything that a migration may not do.
final class NewDatabase {
    let connection: OpaquePointer
    private let authorizer = SalvageAuthorizer()
    private let path: String
    /// The longest value and the longest row that are written, in bytes.
    let longestValue: CInt

    /// Creates a file for its owner alone. Throws when something exists there, and then leaves it as it is.
    ///
    /// - Parameter hasDefinitions: whether definitions of a damaged file are run.
    convenience init(
        at path: String, _ layout: FileLayout, longestValue: CInt, hasDefinitions: Bool
    ) throws(StoreError) {
        try NewFile.make(at: path)
        do throws(StoreError) {
            try self.init(opening: SQLitePath.absolute(path), layout, longestValue, hasDefinitions)
        } catch {
            SideFiles.removeDatabase(at: path)
            throw error
        }
    }

    /// A database in memory, of which only the schema is used.
    convenience init(inMemory layout: FileLayout) throws(StoreError) {
        try self.init(opening: ":memory:", layout, SalvageRequest.longestValue, true)
    }

    private init(
        opening path: String, _ layout: FileLayout, _ longestValue: CInt, _ hasDefinitions: Bool
    ) throws(StoreError) {
        (self.path, self.longestValue) = (path, longestValue)
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close(opened)
            throw SQLiteErrors.storeError(code: code, message: "the new database cannot be opened")
        }
        connection = opened
        for (option, value) in [
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false), (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
            (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false), (SQLITE_DBCONFIG_ENABLE_FKEY, false),
        ] {
            try ConnectionOptions.set(option, to: value, ofConnection: opened)
        }
        for (limit, value) in HardenedProfile.limits where Self.limits.contains(limit) {
            sqlite3_limit(opened, limit, value)
        }
        sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, longestValue)
        try execute("PRAGMA page_size = \(layout.pageSize)")
        try execute("PRAGMA encoding = '\(layout.encoding.name)'")
        try execute("PRAGMA auto_vacuum = \(layout.autoVacuum)")
        // An incomplete file is removed, so its content does not have to survive a crash.
        try execute("PRAGMA journal_mode = MEMORY")
        try execute("PRAGMA synchronous = OFF")
        // No content of the file gets into the system's folder for temporary files.
        try execute("PRAGMA temp_store = MEMORY")
        try execute("PRAGMA secure_delete = ON")
        try execute("BEGIN")
        guard hasDefinitions else { return }
        try SalvageAuthorizer.replaceFunctions(of: self)
        authorizer.install(on: opened)
    }

    /// The limits of untrusted files that hold here too. Real tables may be wider than those of SimpleX.
    private static let limits = [
        SQLITE_LIMIT_EXPR_DEPTH, SQLITE_LIMIT_SQL_LENGTH, SQLITE_LIMIT_FUNCTION_ARG, SQLITE_LIMIT_ATTACHED,
        SQLITE_LIMIT_LIKE_PATTERN_LENGTH, SQLITE_LIMIT_TRIGGER_DEPTH,
    ]
    private var isClosed = false

    deinit { close() }

    func close() {
        if !isClosed { sqlite3_close_v2(connection) }
        isClosed = true
    }

    /// Commits, sets the facts of the old file's header, and syncs the file.
    func finish(_ layout: FileLayout) throws(StoreError) {
        try execute("PRAGMA user_version = \(layout.userVersion)")
        try execute("PRAGMA application_id = \(layout.applicationID)")
        try execute("COMMIT")
        if layout.usesWriteAheadLog { try execute("PRAGMA journal_mode = WAL") }
        close()
        try FileSync.file(path)
    }

    /// Interrupts the statement that runs. Any thread may call it.
    var interrupt: @Sendable () -> Void {
        nonisolated(unsafe) let connection = connection
        return { sqlite3_interrupt(connection) }
    }

    // MARK: Statements

    /// Runs a statement of chatdb's own.
    func execute(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql) }
    }

    /// Runs a statement of chatdb's own that evaluates a query of the file. Throws `beyondLimits` if it takes more
    /// processor time.
    func execute(_ sql: String, within limit: Duration) throws(StoreError) {
        let deadline = Deadline(limit)
        sqlite3_progress_handler(
            connection, 20_000,
            { context in
                guard let context else { return 1 }
                return Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
            }, Unmanaged.passUnretained(deadline).toOpaque())
        defer { sqlite3_progress_handler(connection, 0, nil, nil) }
        do throws(StoreError) {
            try execute(sql)
        } catch  where error.kind == .interrupted && deadline.isOver {
            throw StoreError(.beyondLimits, "its query takes too long")
        }
    }

    private final class Deadline {
        private let end: Duration

        init(_ limit: Duration) { end = Self.now() + limit }

        var isOver: Bool { Self.now() > end }

        /// The processor time of this thread.
        private static func now() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
        }
    }

    /// Whether SQLite does not evaluate CHECK constraints, because one of them calls a function that is not permitted.
    /// SQLite prepares a statement again after a change of the schema, so this stays.
    private(set) var ignoresChecks = false

    func prepare(_ sql: String) throws(StoreError) -> SalvageStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw error(code, sql) }
        return SalvageStatement(statement)
    }

    /// Runs a statement that writes a row. Returns whether it wrote one: a row that the table refuses, or that is too
    /// long, is not an error.
    func write(_ statement: SalvageStatement) throws(StoreError) -> Bool {
        defer { statement.reset() }
        let code = statement.step()
        switch code & 0xFF {
        case SQLITE_DONE: return sqlite3_changes(connection) > 0
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_ERROR: return false
        default: throw error(code, "")
        }
    }

    func error(_ code: CInt, _ sql: String) -> StoreError {
        SQLiteErrors.storeError(
            code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }

    /// Creates an object of the file's schema. Throws `denied` for a text that is not the plain definition of the
    /// object.
    func make(_ object: SchemaObject) throws(StoreError) {
        guard let sql = object.sql, SchemaStatement.isPlain(sql, of: object) else {
            throw StoreError(.denied, "its definition is not a plain one")
        }
        do throws(StoreError) {
            try run(sql, of: object)
        } catch {
            guard error.kind == .sql || error.kind == .beyondLimits, SQLiteErrors.isUseOfJSON(error.message) else {
                throw error
            }
            // SQLite does not mark its JSON functions as innocuous, so a trusted schema is needed here. All other
            // protections stay.
            try ConnectionOptions.set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, to: true, ofConnection: connection)
            try run(sql, of: object)
        }
    }

    private func run(_ sql: String, of object: SchemaObject) throws(StoreError) {
        // SQLite evaluates the expressions of an index, and a virtual table has none.
        let isEvaluated = object.kind == .index || SchemaStatement.isVirtual(sql)
        try authorizer.defining(isEvaluated) { () throws(StoreError) in
            let statement = try prepare(sql)
            let code = statement.step()
            guard code == SQLITE_DONE else { throw error(code, sql) }
        }
        guard object.kind == .table, authorizer.needsOthers, !ignoresChecks else { return }
        try execute("PRAGMA ignore_check_constraints = ON")
        ignoresChecks = true
    }
}

/// A prepared statement, with values of a damaged file.
final class SalvageStatement {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }

    func step() -> CInt { sqlite3_step(handle) }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Binds a value. Returns false if the value is longer than the connection permits; the parameter is then NULL.
    @discardableResult
    func bind(_ value: StoredValue, at index: Int, _ encoding: FileLayout.Encoding) throws(StoreError) -> Bool {
        let code = bound(value, CInt(index), encoding)
        if code == SQLITE_OK || code == SQLITE_TOOBIG { return code == SQLITE_OK }
        throw SQLiteErrors.storeError(code: code, message: "a value cannot be written")
    }

    private func bound(_ value: StoredValue, _ index: CInt, _ encoding: FileLayout.Encoding) -> CInt {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .real(let number): return sqlite3_bind_double(handle, index, number)
        case .blob(let bytes): return SQLiteValues.bind(.blob(bytes), at: index, of: handle)
        case .text(let bytes):
            // The bytes go from file to file as they are, valid or not.
            let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            return bytes.withUnsafeBytes { buffer in
                let start = buffer.bindMemory(to: CChar.self).baseAddress
                let empty: [CChar] = [0, 0]
                return empty.withUnsafeBufferPointer { nothing in
                    sqlite3_bind_text64(
                        handle, index, start ?? nothing.baseAddress, UInt64(buffer.count), copied,
                        UInt8(encoding.rawValue))
                }
            }
        }
    }

    func text(_ column: CInt) -> String {
        sqlite3_column_text(handle, column).map { String(cString: $0) } ?? ""
    }

    func number(_ column: CInt) -> Int { Int(sqlite3_column_int64(handle, column)) }

    func isNull(_ column: CInt) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
}
