import Engine
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

    func danglingReferences(touching tables: Set<String>?) throws(StoreError) -> Set<DanglingReference> {
        try access { database in
            guard let tables else { return try violations(database, sql: "PRAGMA foreign_key_check") }
            var found: Set<DanglingReference> = []
            for table in try Self.affected(by: tables, in: database) {
                found.formUnion(try violations(database, sql: "PRAGMA foreign_key_check(\(SQLName.quoted(table)))"))
            }
            return found
        }
    }

    func ordinaryTables() throws(StoreError) -> Set<String> {
        try access { try SQLiteFacts.ordinaryTables($0) }
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

    private func violations(_ database: Database, sql: String) throws -> Set<DanglingReference> {
        var found: Set<DanglingReference> = []
        var columns: [String: [Int64: [String]]] = [:]
        try SQLiteTransaction(database: database).forEach(.unchecked(sql: sql)) { row in
            let table: String = try row.get("table")
            let key: Int64 = try row.get("fkid")
            if columns[table] == nil { columns[table] = try referringColumns(of: table, database) }
            found.insert(
                DanglingReference(
                    table: table, row: try row.get("rowid"), parent: try row.get("parent"),
                    columns: columns[table]?[key] ?? []))
        }
        return found
    }

    private func referringColumns(of table: String, _ database: Database) throws -> [Int64: [String]] {
        var columns: [Int64: [String]] = [:]
        let list: Query = .unchecked(sql: "PRAGMA foreign_key_list(\(SQLName.quoted(table)))")
        for row in try SQLiteTransaction(database: database).rows(list) {
            let key: Int64 = try row.get("id")
            columns[key, default: []].append(try row.get("from"))
        }
        return columns
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
