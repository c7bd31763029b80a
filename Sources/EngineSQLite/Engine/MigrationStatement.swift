import ChatDBEngine
import GRDB
import GRDBSQLite

/// One prepared statement of a migration. SQLite's own calls, because GRDB would prepare again for its caches, and the
/// authorizer must see what is run and nothing else.
struct MigrationStatement {
    private let connection: OpaquePointer
    private let statement: OpaquePointer

    init(_ sql: String, on database: Database) throws {
        guard let connection = database.sqliteConnection else { throw StoreError(.other, "the database is closed") }
        self.connection = connection
        var statement: OpaquePointer?
        var tail: UnsafePointer<CChar>?
        let rest = sql.withCString { text in
            _ = sqlite3_prepare_v2(connection, text, -1, &statement, &tail)
            return tail.map { String(cString: $0) } ?? ""
        }
        guard let statement else { throw Self.error(of: connection) }
        self.statement = statement
        // Comments may follow; a second statement would run unseen.
        guard let further = try? SQLStatements.split(rest), further.isEmpty else {
            sqlite3_finalize(statement)
            throw StoreError(.sql, "more than one statement")
        }
    }

    func run() throws {
        var code = sqlite3_step(statement)
        while code == SQLITE_ROW { code = sqlite3_step(statement) }
        guard code == SQLITE_DONE else { throw Self.error(of: connection) }
    }

    func finalize() {
        sqlite3_finalize(statement)
    }

    private static func error(of connection: OpaquePointer) -> StoreError {
        SQLiteErrors.storeError(
            code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)))
    }
}
