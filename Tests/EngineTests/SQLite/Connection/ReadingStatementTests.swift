import ChatDBKit
import GRDBSQLite
import Testing

@testable import ChatDBEngineSQLite

/// How a connection that can write reads.
@Suite struct ReadingStatementTests {
    @Test("A statement is prepared once for all transactions that read")
    func isPreparedOnce() throws {
        let folder = try DatabaseFolder()
        let path = try folder.database("x_chat.db")
        let connection = try #require(try SQLiteEngine().open(path, as: .existing) as? SQLiteConnection)
        for _ in 0..<20 { _ = try connection.read { try $0.rows("SELECT b FROM t WHERE rowid = 1") } }
        let repeated = try connection.fact { database in
            let statement = try database.cachedStatement(sql: "SELECT b FROM t WHERE rowid = 1")
            return sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_REPREPARE, 0)
        }
        #expect(repeated == 0)
        try connection.close()
    }
}
