import CChatDBSQLite
import ChatDBKit

/// A column of a database of the store.
struct StoredColumn: Hashable, Comparable, CustomStringConvertible {
    let database: DatabaseName
    let table: String
    let column: String
    /// As it is declared; empty where only the name is known.
    var type = ""

    static func == (left: StoredColumn, right: StoredColumn) -> Bool { left.description == right.description }

    func hash(into hasher: inout Hasher) { hasher.combine(description) }

    var description: String { "\(database) \(table).\(column)" }

    static func < (left: StoredColumn, right: StoredColumn) -> Bool { left.description < right.description }

    /// Every column of a database but those of the full-text index, in the order of the schema.
    static func all(of database: DatabaseName, in tx: any ReadTransaction) throws -> [StoredColumn] {
        try tx.rows(
            """
            SELECT tables.name AS table_name, columns.name AS column_name, columns.type
            FROM pragma_table_list AS tables, pragma_table_info(tables.name) AS columns
            WHERE tables.schema = 'main' AND tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'
            """
        ).map {
            StoredColumn(
                database: database, table: try $0.get("table_name"), column: try $0.get("column_name"),
                type: try $0.get("type"))
        }
    }
}

/// Asks SQLite's authorizer which columns a statement reads. It prepares statements on connections of its own, and runs
/// none.
final class StatementColumns {
    private var connections: [DatabaseName: OpaquePointer] = [:]
    private var read: Set<StoredColumn> = []
    private var database = DatabaseName.chat

    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    init(of location: StoreLocation) throws {
        for name in DatabaseName.allCases {
            var connection: OpaquePointer?
            guard
                sqlite3_open_v2(location.path(of: name), &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
                let connection
            else { throw Refused(description: "SQLite does not open the \(name) database") }
            connections[name] = connection
        }
    }

    deinit {
        for connection in connections.values { sqlite3_close(connection) }
    }

    /// The columns that a statement reads, in its answer, its conditions or its order.
    func columns(readBy query: Query, in database: DatabaseName) throws -> Set<StoredColumn> {
        guard let connection = connections[database] else { return [] }
        (read, self.database) = ([], database)
        sqlite3_set_authorizer(connection, Self.note, Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_set_authorizer(connection, nil, nil) }
        var statement: OpaquePointer?
        let sql = query.rendered(.questionMark).sql
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Refused(description: "\(String(cString: sqlite3_errmsg(connection))): \(sql)")
        }
        sqlite3_finalize(statement)
        return read
    }

    private static let note:
        @convention(c) (
            UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?
        ) -> CInt = { context, action, table, column, _, _ in
            guard action == SQLITE_READ, let context, let table, let column else { return SQLITE_OK }
            let columns = Unmanaged<StatementColumns>.fromOpaque(context).takeUnretainedValue()
            columns.read.insert(
                StoredColumn(
                    database: columns.database, table: String(cString: table), column: String(cString: column)))
            return SQLITE_OK
        }
}
