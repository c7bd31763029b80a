import Engine
import GRDB

/// Facts about a database that both kinds of connection tell.
enum SQLiteFacts {
    static func applicationMark(_ database: Database) throws -> Int64? {
        let mark = try Int64.fetchOne(database, sql: "PRAGMA application_id")
        return mark == 0 ? nil : mark
    }

    static func integrityProblems(_ database: Database) throws -> [String] {
        let lines = try String.fetchAll(database, sql: "PRAGMA integrity_check(100)")
        return lines == ["ok"] ? [] : lines
    }

    static func ordinaryTables(_ database: Database) throws -> Set<String> {
        let sql = """
            SELECT name FROM pragma_table_list
            WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            """
        let rows = try SQLiteTransaction(database: database).rows(.unchecked(sql: sql))
        return Set(try rows.map { row throws(StoreError) in try row.get("name") as String })
    }

    static func rowCount(of table: String, _ database: Database) throws -> Int {
        // NOT INDEXED: a count served from an index says nothing about the table.
        try SQLiteTransaction(database: database).count("SELECT count(*) FROM \(identifier: table) NOT INDEXED")
    }
}
