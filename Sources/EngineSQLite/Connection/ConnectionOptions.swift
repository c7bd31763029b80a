import CChatDBSQLite
import ChatDBEngine
import GRDB
import GRDBSQLite

/// Boolean options of a connection that SQL cannot set.
enum ConnectionOptions {
    /// Sets an option and reads it back; throws when SQLite does not take it.
    static func set(_ option: CInt, to value: Bool, of database: Database) throws {
        try set(option, to: value, ofConnection: database.sqliteConnection)
    }

    /// Sets an option of a connection that GRDB does not manage.
    static func set(_ option: CInt, to value: Bool, ofConnection connection: OpaquePointer?) throws(StoreError) {
        var now: CInt = -1
        let code = chatdb_db_config_bool(connection, option, value ? 1 : 0, &now)
        guard code == SQLITE_OK, now == (value ? 1 : 0) else {
            throw StoreError(.other, "this SQLite refuses the connection option \(option)", engineCode: Int(code))
        }
    }

    /// Whether an option is on.
    static func isOn(_ option: CInt, of database: Database) -> Bool {
        var now: CInt = -1
        _ = chatdb_db_config_bool(database.sqliteConnection, option, -1, &now)
        return now == 1
    }

    /// Disables loadable extensions and tokenizers of FTS3, which chatdb does not need and a hostile file could use.
    static func disableExtensions(of database: Database) throws {
        for option in [SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER] {
            try set(option, to: false, of: database)
        }
    }
}
