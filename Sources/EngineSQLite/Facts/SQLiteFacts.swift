import ChatDBEngine
import GRDB
import GRDBSQLite

/// Facts about a database that every kind of connection has.
enum SQLiteFacts {
    static func applicationMark(_ database: Database) throws -> Int64? {
        let mark = try Int64.fetchOne(database, sql: "PRAGMA application_id")
        return mark == 0 ? nil : mark
    }

    static func integrityProblems(_ database: Database) throws -> [String] {
        do {
            return try integrityProblems(database, "100")
        } catch let error as DatabaseError where SQLiteErrors.isDamage(error, in: database) {
            // SQLite stopped without naming a table. A check of one table at a time names it.
            let sql = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')"
            let tables = try TableList.read(of: database) { try String.fetchAll(database, sql: sql) }
            let broken = try tables.sorted().filter { try isUnreadable($0, database) }
            if broken.isEmpty { throw error }
            return broken.map { "the table \($0) or an index of it cannot be read" }
        }
    }

    private static func isUnreadable(_ table: String, _ database: Database) throws -> Bool {
        do {
            _ = try integrityProblems(database, SQLName.quoted(table))
            return false
        } catch let error as DatabaseError where ![.SQLITE_INTERRUPT, .SQLITE_NOMEM].contains(error.resultCode) {
            // A table whose name is not valid UTF-8 cannot be checked, which is not a finding about the table.
            return SQLiteErrors.isDamage(error, in: database)
        }
    }

    /// - Parameter what: the largest number of problems, or the name of a table.
    private static func integrityProblems(_ database: Database, _ what: String) throws -> [String] {
        let answers = try String.fetchAll(database, sql: "PRAGMA integrity_check(\(what))")
        if answers != ["ok"] { try SQLiteErrors.requireUnchanged(database) }
        // Problems of pages come as one answer of many lines, under a heading.
        let lines = answers.flatMap { $0.split(separator: "\n") }.filter { !$0.hasPrefix("*** in database ") }
        return answers == ["ok"] ? [] : lines.map(String.init)
    }

    static func ordinaryTables(_ database: Database) throws -> Set<String> {
        let sql = """
            SELECT name FROM pragma_table_list
            WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            """
        let rows = try TableList.read(of: database) {
            try SQLiteTransaction(database: database).rows(.unchecked(sql: sql))
        }
        return Set(try rows.map { row throws(StoreError) in try row.get("name") as String })
    }

    /// The name of the rowid in a table with these columns; nil if they have all of its names.
    static func rowIDName(beside columns: some Sequence<String>) -> String? {
        let taken = Set(columns.map { $0.lowercased() })
        return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
    }

    static func rowCount(of table: String, _ database: Database) throws -> Int {
        // NOT INDEXED: a count read from an index says nothing about the table. `main`: a temporary view may have its
        // name.
        try SQLiteTransaction(database: database).count("SELECT count(*) FROM main.\(identifier: table) NOT INDEXED")
    }

    /// The size of the whole file in bytes.
    static func size(_ database: Database) throws -> Int64 {
        let page = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        return page * (try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0)
    }
}

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
