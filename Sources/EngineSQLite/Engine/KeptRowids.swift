import ChatDBEngine
import GRDB
import GRDBSQLite

/// The rowids of a new file. VACUUM INTO keeps them where it can copy a table as it is. Otherwise it inserts the rows of
/// a table without a number of its own one by one, and numbers them again from 1: a CHECK is enough for that
/// (*measured*).
struct KeptRowids {
    private let original: Database
    private let new: Database

    /// - Parameters:
    ///   - original: the database of which the file was made.
    ///   - new: the file, on a connection that runs no triggers and checks no constraints of columns and keys.
    init(_ original: Database, _ new: Database) {
        (self.original, self.new) = (original, new)
    }

    /// Gives the rows of the new file the rowids that they have in the original.
    func restore() throws {
        let tables = try String.fetchAll(
            original,
            sql: """
                SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') AND wr = 0
                AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                """)
        for table in tables {
            let columns = try String.fetchAll(
                original, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", arguments: [table])
            guard let rowid = SQLiteFacts.rowIDName(beside: columns) else { continue }
            let quoted = SQLName.quoted(table)
            let range = "SELECT (SELECT min(\(rowid)) FROM main.\(quoted)), (SELECT max(\(rowid)) FROM main.\(quoted))"
            // New numbers have no gaps, so the first or the last one differs.
            if try Row.fetchOne(original, sql: range) == Row.fetchOne(new, sql: range) { continue }
            try new.execute(sql: "DELETE FROM main.\(quoted)")
            try copy(quoted, [rowid] + columns.map(SQLName.quoted))
        }
    }

    private func copy(_ table: String, _ columns: [String]) throws {
        let names = columns.joined(separator: ", ")
        let select = try prepare("SELECT \(names) FROM main.\(table) NOT INDEXED", original)
        defer { sqlite3_finalize(select) }
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let insert = try prepare("INSERT INTO main.\(table) (\(names)) VALUES (\(places))", new)
        defer { sqlite3_finalize(insert) }
        while true {
            switch sqlite3_step(select) {
            case SQLITE_ROW: break
            case SQLITE_DONE: return
            default: throw error(original)
            }
            for column in 0..<CInt(columns.count) {
                sqlite3_bind_value(insert, column + 1, sqlite3_column_value(select, column))
            }
            guard sqlite3_step(insert) == SQLITE_DONE, sqlite3_reset(insert) == SQLITE_OK else { throw error(new) }
        }
    }

    private func prepare(_ sql: String, _ database: Database) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database.sqliteConnection, sql, -1, &statement, nil) == SQLITE_OK else {
            throw error(database)
        }
        return statement
    }

    private func error(_ database: Database) -> StoreError {
        let connection = database.sqliteConnection
        return SQLiteErrors.storeError(
            code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)),
            connection: connection)
    }
}
