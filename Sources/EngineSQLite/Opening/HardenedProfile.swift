import CChatDBSQLite
import GRDB
import GRDBSQLite

/// The set-up of a connection to an untrusted file. SQLite runs nothing of the file (triggers, views, functions in its
/// schema) and writes nothing, and a value or statement of absurd size is an error instead of a hang.
///
/// Order matters: flags and limits before SQLite reads the schema; `temp_store` before temporary views, because setting
/// it drops them; then `query_only`; and last the authorizer, which replaces GRDB's own.
enum HardenedProfile {
    /// Options of the connection and their values.
    static let flags: [(option: CInt, value: Bool)] = [
        (SQLITE_DBCONFIG_DEFENSIVE, true),
        (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
        (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false),
        // Closing must not checkpoint a write-ahead log.
        (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
    ]

    /// The longest value that a `query` may read or compute, in bytes.
    static let longestOfQuestions: CInt = 64 << 20
    /// The longest value that all other commands read from a file, in bytes. Writing a value copies it several times,
    /// so a longer value would take more memory than the process may have (*measured*: 599 MB for a name of 60 MB).
    static let longestValue: CInt = 8 << 20

    /// Limits of the connection. Real stores (266 objects, tables of 61 columns, values of 20 KB) stay far below.
    static let limits: [(limit: CInt, value: CInt)] = [
        (SQLITE_LIMIT_LENGTH, longestValue),
        (SQLITE_LIMIT_SQL_LENGTH, 1_000_000),
        (SQLITE_LIMIT_COLUMN, 500),
        (SQLITE_LIMIT_EXPR_DEPTH, 100),
        (SQLITE_LIMIT_COMPOUND_SELECT, 20),
        // Enough for the longest list that can be bound: a value takes three instructions.
        (SQLITE_LIMIT_VDBE_OP, 200_000),
        (SQLITE_LIMIT_FUNCTION_ARG, 16),
        (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200),
        // SQLite's default: bound values, lists among them, come from our queries and never from the file.
        (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766),
        (SQLITE_LIMIT_TRIGGER_DEPTH, 10),
    ]

    /// Settings in SQL.
    static let pragmas: [(name: String, value: String)] = [
        // SQLite reports a broken page when it reads the page, not later.
        ("cell_size_check", "ON"),
        // A file that shrinks while it is mapped would end the process.
        ("mmap_size", "0"),
        // No content of the file gets into a temporary file.
        ("temp_store", "MEMORY"),
    ]

    /// Sets up the connection.
    ///
    /// - Parameters:
    ///   - longestValue: the longest value, in bytes.
    ///   - trustingSchema: allows the schema to call functions that SQLite does not declare innocuous; all other
    ///   protections stay.
    static func prepare(
        _ database: Database, timeLimit: QueryTimeLimit, views: TemporaryViews? = nil,
        longestValue: CInt = longestValue, trustingSchema: Bool = false
    ) throws {
        try limit(database)
        sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, longestValue)
        if trustingSchema { try ConnectionOptions.set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, to: true, of: database) }
        timeLimit.install(on: database)
        for (name, value) in pragmas { try database.execute(sql: "PRAGMA \(name) = \(value)") }
        try views?.make(in: database)
        try database.execute(sql: "PRAGMA query_only = ON")
        sqlite3_set_authorizer(database.sqliteConnection, ReadingAuthorizer.callback, nil)
    }

    /// Sets the flags and limits alone.
    private static func limit(_ database: Database) throws {
        for (option, value) in flags { try ConnectionOptions.set(option, to: value, of: database) }
        for (limit, value) in limits { sqlite3_limit(database.sqliteConnection, limit, value) }
    }

    /// Sets the flags and limits alone, for values of any permitted size: for a connection that recovers a private copy,
    /// and so has to write it.
    static func limitCopy(_ database: Database) throws {
        try limit(database)
        sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, longestOfQuestions)
    }
}

/// The callback of `sqlite3_set_authorizer`: context, action, its two arguments, the database, the trigger or view.
typealias AuthorizerCallback =
    @convention(c) (
        UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
        UnsafePointer<CChar>?
    ) -> CInt

/// Decides what a statement may do on a hardened connection: read, and query the schema.
enum ReadingAuthorizer {
    /// Pragmas that are allowed without a value. With a value they would change the setting.
    static let allowedWithoutValue: Set<String> = [
        "application_id", "cell_size_check", "compile_options", "data_version", "encoding", "freelist_count",
        "function_list", "journal_mode", "mmap_size", "page_count", "page_size", "schema_version", "table_list",
        "temp_store", "user_version",
    ]

    /// Pragmas that are allowed with a value, which names what they report on. `query_only` is among them because GRDB sets
    /// it before and after each read; the file is opened read-only in any case.
    static let allowedWithValue: Set<String> = [
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
        "query_only", "quick_check", "table_info", "table_list", "table_xinfo",
    ]

    private static let refusedFunctions: Set<String> = ["load_extension", "fts3_tokenizer"]

    static let callback: AuthorizerCallback = { _, action, first, second, _, _ in
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE, SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
            return SQLITE_OK
        case SQLITE_FUNCTION:
            return refusedFunctions.contains(text(second).lowercased()) ? SQLITE_DENY : SQLITE_OK
        case SQLITE_PRAGMA:
            let name = text(first).lowercased()
            let isHarmless = allowedWithValue.contains(name) || second == nil && allowedWithoutValue.contains(name)
            return isHarmless ? SQLITE_OK : SQLITE_DENY
        case SQLITE_UPDATE where text(first) == "sqlite_master":
            // SQLite requests this when it declares a virtual table, and writes nothing. Without it no FTS5 table can
            // be read.
            return SQLITE_OK
        default:
            return SQLITE_DENY
        }
    }

    static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0) } ?? ""
    }
}
