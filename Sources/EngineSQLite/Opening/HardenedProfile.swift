import CChatDBSQLite
import GRDB
import GRDBSQLite

/// For a database that anybody may have sent: nothing in the file is run (triggers, views, functions in its schema),
/// nothing can be written, and a value or statement of absurd size or length is an error instead of a hang.
///
/// Order matters: flags and limits before the schema is read; `temp_store` before temporary views, which setting it would
/// drop; then `query_only`; and last the authorizer, which replaces GRDB's own.
enum HardenedProfile {
    /// Options of the connection, and what they must be.
    static let flags: [(option: CInt, value: Bool)] = [
        (SQLITE_DBCONFIG_DEFENSIVE, true),
        (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
        (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false),
        // Closing must not fold a write-ahead log into the file.
        (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
    ]

    /// Limits of the connection. Real stores (266 objects, tables of 61 columns) stay far below.
    static let limits: [(limit: CInt, value: CInt)] = [
        (SQLITE_LIMIT_LENGTH, 64 << 20),
        (SQLITE_LIMIT_SQL_LENGTH, 1_000_000),
        (SQLITE_LIMIT_COLUMN, 500),
        (SQLITE_LIMIT_EXPR_DEPTH, 100),
        (SQLITE_LIMIT_COMPOUND_SELECT, 20),
        // Room for the longest list that can be bound: a value takes three.
        (SQLITE_LIMIT_VDBE_OP, 200_000),
        (SQLITE_LIMIT_FUNCTION_ARG, 16),
        (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200),
        // SQLite's own: what is bound comes from our queries, lists among it, and never from the file.
        (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766),
        (SQLITE_LIMIT_TRIGGER_DEPTH, 10),
    ]

    /// Settings in SQL, with why.
    static let pragmas: [(name: String, value: String)] = [
        // Broken pages are noticed where they are read, not later.
        ("cell_size_check", "ON"),
        // A file that shrinks while it is mapped would end the process.
        ("mmap_size", "0"),
        // Nothing of the file is left in a temporary file.
        ("temp_store", "MEMORY"),
    ]

    /// - Parameter trustingSchema: lets the schema call functions that SQLite does not vouch for; all else stays shut.
    static func prepare(
        _ database: Database, patience: Patience, views: TemporaryViews? = nil, trustingSchema: Bool = false
    ) throws {
        try limit(database)
        if trustingSchema { try ConnectionOptions.set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, to: true, of: database) }
        patience.install(on: database)
        for (name, value) in pragmas { try database.execute(sql: "PRAGMA \(name) = \(value)") }
        try views?.make(in: database)
        try database.execute(sql: "PRAGMA query_only = ON")
        sqlite3_set_authorizer(database.sqliteConnection, ReadingAuthorizer.callback, nil)
    }

    /// The flags and limits alone: for the connection that recovers a private copy, and so has to write it.
    static func limit(_ database: Database) throws {
        for (option, value) in flags { try ConnectionOptions.set(option, to: value, of: database) }
        for (limit, value) in limits { sqlite3_limit(database.sqliteConnection, limit, value) }
    }
}
