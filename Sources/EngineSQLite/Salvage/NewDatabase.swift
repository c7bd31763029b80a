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
    private let authorizer = MigrationAuthorizer()
    private let path: String

    /// The longest value that is written.
    private static let longestValue: CInt = 256 << 20
    private static let mostInMemory: Int64 = 128 << 20

    /// Creates a file for its owner alone. Throws when something exists there.
    ///
    /// - Parameter bytes: the approximate size that the file will have.
    convenience init(at path: String, _ layout: FileLayout, bytes: Int64 = 0) throws(StoreError) {
        try NewFile.make(at: path)
        try self.init(opening: SQLitePath.absolute(path), layout, bytes)
    }

    /// A database in memory, of which only the schema is used.
    convenience init(inMemory layout: FileLayout) throws(StoreError) {
        try self.init(opening: ":memory:", layout, 0)
    }

    private init(opening path: String, _ layout: FileLayout, _ bytes: Int64) throws(StoreError) {
        self.path = path
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
        sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, Self.longestValue)
        sqlite3_limit(opened, SQLITE_LIMIT_ATTACHED, 0)
        for (limit, value) in HardenedProfile.limits where limit == SQLITE_LIMIT_EXPR_DEPTH {
            sqlite3_limit(opened, limit, value)
        }
        try execute("PRAGMA page_size = \(layout.pageSize)")
        try execute("PRAGMA encoding = '\(layout.encoding.name)'")
        try execute("PRAGMA auto_vacuum = \(layout.autoVacuum)")
        // An incomplete file is removed, so its content does not have to survive a crash.
        try execute("PRAGMA journal_mode = MEMORY")
        try execute("PRAGMA synchronous = OFF")
        // For a large file, sorting the entries of indexes in memory could need more memory than the process has.
        try execute("PRAGMA temp_store = \(bytes > Self.mostInMemory ? "FILE" : "MEMORY")")
        try execute("PRAGMA secure_delete = ON")
        try execute("BEGIN")
        authorizer.install(on: opened)
    }

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

    func prepare(_ sql: String) throws(StoreError) -> SalvageStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw error(code, sql) }
        return SalvageStatement(statement)
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
            try run(definition: sql)
        } catch {
            guard error.kind == .sql || error.kind == .beyondLimits,
                ["unsafe use of json", "unsafe use of ->"].contains(where: error.message.contains)
            else { throw error }
            // SQLite does not mark its JSON functions as innocuous, so a trusted schema is needed here. All other
            // protections stay.
            try ConnectionOptions.set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, to: true, ofConnection: connection)
            try run(definition: sql)
        }
    }

    private func run(definition sql: String) throws(StoreError) {
        authorizer.begin(protecting: [])
        defer { authorizer.end() }
        let statement = try prepare(sql)
        let code = statement.step()
        guard code == SQLITE_DONE else { throw error(code, sql) }
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

    func bind(_ value: StoredValue, at index: Int, _ encoding: FileLayout.Encoding) {
        let index = CInt(index)
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .real(let number): sqlite3_bind_double(handle, index, number)
        case .blob(let bytes): _ = SQLiteValues.bind(.blob(bytes), at: index, of: handle)
        case .text(let bytes):
            // The bytes go from file to file as they are, valid or not.
            let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            bytes.withUnsafeBytes { buffer in
                let start = buffer.bindMemory(to: CChar.self).baseAddress
                let empty: [CChar] = [0, 0]
                _ = empty.withUnsafeBufferPointer { nothing in
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
