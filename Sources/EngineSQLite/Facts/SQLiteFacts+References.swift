import ChatDBEngine
import GRDB

// The foreign keys of a database.
extension SQLiteFacts {
    /// Calls `body` with each reference of a table, or of all tables, to a missing row. It leaves out
    /// tables with a reference to columns that are not unique, for which SQLite has no answer.
    static func forEachDanglingReference(
        in table: String?, _ database: Database, _ body: (DanglingReference) throws -> Void
    ) throws {
        let transaction = SQLiteTransaction(database: database)
        var columns: [String: [Int64: [String]]] = [:]
        // SQLite checks no table if one of them is mismatched.
        let isMismatched = try table == nil && mismatch(in: nil, database) != nil
        let tables: [String?] = isMismatched ? try ordinaryTables(database).sorted() : [table]
        for table in tables where try mismatch(in: table, database) == nil {
            try transaction.forEach(.unchecked(sql: check(of: table))) { row in
                let table: String = try row.get("table")
                let key: Int64 = try row.get("fkid")
                if columns[table] == nil { columns[table] = try referringColumns(of: table, transaction) }
                try body(
                    DanglingReference(
                        table: table, row: try row.get("rowid"), parent: try row.get("parent"),
                        columns: columns[table]?[key] ?? []))
            }
        }
    }

    private static func referringColumns(
        of table: String, _ transaction: SQLiteTransaction
    ) throws -> [Int64: [String]] {
        var columns: [Int64: [String]] = [:]
        for row in try transaction.rows(.unchecked(sql: "PRAGMA foreign_key_list(\(SQLName.quoted(table)))")) {
            let key: Int64 = try row.get("id")
            columns[key, default: []].append(try row.get("from"))
        }
        return columns
    }

    /// The foreign keys to a table that does not exist, and the first one of each table to columns that are neither the
    /// primary key nor unique; in the order of the schema.
    static func brokenReferences(_ database: Database) throws -> [BrokenReference] {
        let transaction = SQLiteTransaction(database: database)
        let names = Set(
            try transaction.rows("SELECT name FROM main.sqlite_master WHERE type IN ('table', 'view')").map {
                (try $0.get("name") as String).lowercased()
            })
        let rows = try transaction.rows(
            """
            SELECT m.name AS owner, x.* FROM main.sqlite_master AS m
            CROSS JOIN pragma_foreign_key_list(m.name, 'main') AS x
            WHERE m.type = 'table' ORDER BY m.rowid, x.id, x.seq
            """)
        var tables: [(name: String, keys: [Int64: BrokenReference])] = []
        for row in rows {
            let (owner, key): (String, Int64) = (try row.get("owner"), try row.get("id"))
            if tables.last?.name != owner { tables.append((owner, [:])) }
            let parent: String = try row.get("table")
            var reference =
                tables[tables.count - 1].keys[key]
                ?? BrokenReference(table: owner, parent: parent, lacksParent: !names.contains(parent.lowercased()))
            reference.columns.append(try row.get("from"))
            if let column = try row.get("to") as String? { reference.parentColumns.append(column) }
            tables[tables.count - 1].keys[key] = reference
        }
        return try tables.flatMap { table in
            let keys = table.keys.sorted { $0.key < $1.key }.map(\.value)
            let lacking = keys.filter(\.lacksParent)
            guard lacking.count < keys.count, let message = try mismatch(in: table.name, database) else {
                return lacking
            }
            let mismatched = keys.filter { !$0.lacksParent && message.hasSuffix("referencing \"\($0.parent)\"") }
            // Of several to one table, those to its primary key have what they need.
            let other = try mismatched.first { reference in
                let key = try primaryKey(of: reference.parent, transaction)
                let columns = reference.parentColumns.map { $0.lowercased() }
                return columns.isEmpty ? reference.columns.count != key.count : columns != key
            }
            return lacking + [other ?? mismatched.first].compactMap(\.self)
        }
    }

    private static func check(of table: String?) -> String {
        "PRAGMA foreign_key_check\(table.map { "(\(SQLName.quoted($0)))" } ?? "")"
    }

    /// The message with which SQLite refuses to check the foreign keys of a table, or of all tables, because one of them
    /// refers to columns that are not unique; nil if it does not. SQLite finds this when it prepares the check.
    private static func mismatch(in table: String?, _ database: Database) throws -> String? {
        do {
            _ = try database.makeStatement(sql: check(of: table))
            return nil
        } catch let error as DatabaseError {
            guard let message = error.message, message.hasPrefix("foreign key mismatch") else { throw error }
            return message
        }
    }

    /// The columns in lower case, in the order of the key.
    private static func primaryKey(of table: String, _ transaction: SQLiteTransaction) throws -> [String] {
        try transaction.rows(.unchecked(sql: "PRAGMA table_info(\(SQLName.quoted(table)))"))
            .map { (name: try $0.get("name") as String, place: try $0.get("pk") as Int64) }
            .filter { $0.place > 0 }.sorted { $0.place < $1.place }.map { $0.name.lowercased() }
    }
}
