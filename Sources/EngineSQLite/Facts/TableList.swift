import ChatDBEngine
import GRDB
import GRDBSQLite

/// The list of tables of a database. SQLite's own list resolves every view to count its columns, which takes time by
/// the power of the depth when views name each other twice (*measured*: 18 seconds for 14 views). Without views, SQLite
/// stops at the name of the first one.
enum TableList {
    /// Runs `body`, which reads `pragma_table_list`, with the views of the file disabled.
    static func read<T>(of database: Database, _ body: () throws -> T) throws -> T {
        guard ConnectionOptions.isOn(SQLITE_DBCONFIG_ENABLE_VIEW, of: database) else { return try body() }
        try ConnectionOptions.set(SQLITE_DBCONFIG_ENABLE_VIEW, to: false, of: database)
        defer { try? ConnectionOptions.set(SQLITE_DBCONFIG_ENABLE_VIEW, to: true, of: database) }
        return try body()
    }
}
