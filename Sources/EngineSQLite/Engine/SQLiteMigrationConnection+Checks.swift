import ChatDBEngine
import GRDB
import GRDBSQLite

extension SQLiteMigrationConnection {
    func applicationMark() throws(StoreError) -> Int64? {
        try access { try SQLiteFacts.applicationMark($0) }
    }

    func setApplicationMark(_ mark: Int64) throws(StoreError) {
        try run(unwatched: "PRAGMA application_id = \(mark)")
    }

    func integrityProblems() throws(StoreError) -> [String] {
        try access { try SQLiteFacts.integrityProblems($0) }
    }

    func danglingReferences(touching tables: Set<String>?) throws(StoreError) -> [DanglingReference: Int] {
        try access { database in
            var found: [DanglingReference: Int] = [:]
            let names: [String?] = try tables.map { try Self.affected(by: $0, in: database) } ?? [nil]
            for table in names {
                try SQLiteFacts.forEachDanglingReference(in: table, database) { found[$0, default: 0] += 1 }
            }
            return found
        }
    }

    func ordinaryTables() throws(StoreError) -> Set<String> {
        try access { try SQLiteFacts.ordinaryTables($0) }
    }

    func columns() throws(StoreError) -> [String: [String]] {
        let sql = """
            SELECT t.name, c.name AS "column" FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
            WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            ORDER BY t.name, c.cid
            """
        var columns: [String: [String]] = [:]
        for row in try rows(.unchecked(sql: sql)) {
            columns[try row.get("name"), default: []].append(try row.get("column"))
        }
        return columns
    }

    func rowCount(of table: String) throws(StoreError) -> Int {
        try access { try SQLiteFacts.rowCount(of: table, $0) }
    }

    func bytes(of tables: Set<String>) throws(StoreError) -> Int64 {
        try access { database in
            var total: Int64 = 0
            let sql = """
                SELECT coalesce(sum(pgsize), 0) FROM dbstat
                WHERE aggregate = 1 AND name IN (SELECT name FROM sqlite_master WHERE tbl_name = ?)
                """
            for table in tables { total += try Int64.fetchOne(database, sql: sql, arguments: [table]) ?? 0 }
            return total
        }
    }

    func size() throws(StoreError) -> (total: Int64, free: Int64) {
        try access { database in
            let page = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let free = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            return (page * pages, page * free)
        }
    }

    func refreshStatistics(of tables: Set<String>) throws(StoreError) {
        try access { database in
            try database.execute(sql: "PRAGMA analysis_limit = 1000")
            try database.inTransaction(.immediate) {
                for table in tables.sorted() { try database.execute(sql: "ANALYZE \(SQLName.quoted(table))") }
                return .commit
            }
        }
    }

    /// The tables themselves, where they exist, and those that refer to one of them.
    private static func affected(by tables: Set<String>, in database: Database) throws -> [String] {
        let sql = """
            SELECT DISTINCT t.name, f."table" AS parent
            FROM pragma_table_list AS t LEFT JOIN pragma_foreign_key_list(t.name) AS f
            WHERE t.schema = 'main' AND t.type = 'table'
            """
        // A reference may name its table in other letters than the table itself.
        let tables = Set(tables.map { $0.lowercased() })
        var names: Set<String> = []
        for row in try SQLiteTransaction(database: database).rows(.unchecked(sql: sql)) {
            let name: String = try row.get("name")
            let parent: String? = try row.get("parent")
            if [name, parent ?? name].contains(where: { tables.contains($0.lowercased()) }) { names.insert(name) }
        }
        return names.sorted()
    }
}
