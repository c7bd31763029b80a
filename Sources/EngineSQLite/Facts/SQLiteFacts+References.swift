import ChatDBEngine
import GRDB

// The foreign keys of a database.
extension SQLiteFacts {
    /// Calls `body` with each reference of a table, or of all tables, to a missing row. It leaves out the foreign keys to
    /// columns that are not unique, for which SQLite has no answer.
    static func forEachDanglingReference(
        in table: String?, _ database: Database, _ body: (DanglingReference) throws -> Void
    ) throws {
        if try mismatch(in: table, database) == nil {
            try forEachViolation(in: table, SQLiteTransaction(database: database), body)
        } else if let table {
            try forEachMissingRow(in: table, database, body)
        } else {
            // SQLite checks no table if one of them is mismatched.
            for table in try ordinaryTables(database).sorted() {
                try forEachDanglingReference(in: table, database, body)
            }
        }
    }

    /// Those that SQLite's own check finds.
    private static func forEachViolation(
        in table: String?, _ transaction: SQLiteTransaction, _ body: (DanglingReference) throws -> Void
    ) throws {
        var columns: [String: [Int64: [String]]] = [:]
        try transaction.forEach(.unchecked(sql: check(of: table))) { row in
            let table: String = try row.get("table")
            let key: Int64 = try row.get("fkid")
            if columns[table] == nil {
                let keys = try foreignKeys(of: table, transaction).map { ($0.id, $0.reference.columns) }
                columns[table] = Dictionary(keys, uniquingKeysWith: { first, _ in first })
            }
            try body(
                DanglingReference(
                    table: table, row: try row.get("rowid"), parent: try row.get("parent"),
                    columns: columns[table]?[key] ?? []))
        }
    }

    /// Those of the sound keys of a table with a mismatched one. SQLite checks none of its keys, so a query looks for the
    /// rows of each. The rows have no number if columns have all names of the number.
    private static func forEachMissingRow(
        in table: String, _ database: Database, _ body: (DanglingReference) throws -> Void
    ) throws {
        let transaction = SQLiteTransaction(database: database)
        let list: Query = "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = \(table)"
        let row = try TableList.read(of: database) { try transaction.rows(list).first }
        let hasRowIDs = try row.map { try $0.get("wr") as Bool } != true
        let columns = try transaction.rows("SELECT name FROM pragma_table_xinfo(\(table), 'main')")
        let names: [String] = try columns.map { try $0.get("name") }
        let number = (hasRowIDs ? rowIDName(beside: names) : nil).map { "c.\($0)" } ?? "NULL"
        let keys = try foreignKeys(of: table, transaction).map(\.reference)
        let unsound = try mismatched(keys, database)
        for key in keys where !unsound.contains(key) {
            let condition = try conditions(of: key, transaction).joined(separator: " AND ")
            let sql = "SELECT \(number) AS number FROM main.\(SQLName.quoted(table)) AS c WHERE \(condition)"
            try transaction.forEach(.unchecked(sql: sql)) { row in
                try body(
                    DanglingReference(
                        table: table, row: try row.get("number"), parent: key.parent, columns: key.columns))
            }
        }
    }

    /// The conditions under which a row leads nowhere. A NULL refers to nothing. The value is compared as one of the
    /// column referred to, so the `+` takes its own affinity away.
    private static func conditions(of key: BrokenReference, _ transaction: SQLiteTransaction) throws -> [String] {
        let values = key.columns.map { "c.\(SQLName.quoted($0))" }
        let areSet = values.map { "\($0) IS NOT NULL" }
        if key.lacksParent { return areSet }
        let names = key.parentColumns.isEmpty ? try primaryKey(of: key.parent, transaction) : key.parentColumns
        let areEqual = zip(names, values).map { "p.\(SQLName.quoted($0)) = +\($1)" }.joined(separator: " AND ")
        return areSet + ["NOT EXISTS (SELECT 1 FROM main.\(SQLName.quoted(key.parent)) AS p WHERE \(areEqual))"]
    }

    /// The foreign keys to a table that does not exist, and those to columns that are neither the primary key nor unique;
    /// in the order of the schema.
    static func brokenReferences(_ database: Database) throws -> [BrokenReference] {
        let keys = try foreignKeys(of: nil, SQLiteTransaction(database: database)).map(\.reference)
        if try mismatch(in: nil, database) == nil { return keys.filter(\.lacksParent) }
        let byTable = try Dictionary(grouping: keys, by: \.table).mapValues { try mismatched($0, database) }
        return keys.filter { $0.lacksParent || byTable[$0.table]?.contains($0) == true }
    }

    /// All foreign keys of a table, or of all tables, in the order of the schema, with their numbers in the table.
    private static func foreignKeys(
        of table: String?, _ transaction: SQLiteTransaction
    ) throws -> [(id: Int64, reference: BrokenReference)] {
        var areViews: [String: Bool] = [:]
        for row in try transaction.rows("SELECT name, type FROM main.sqlite_master WHERE type IN ('table', 'view')") {
            areViews[(try row.get("name") as String).lowercased()] = (try row.get("type") as String) == "view"
        }
        let rows = try transaction.rows(
            """
            SELECT m.name AS owner, x.* FROM main.sqlite_master AS m
            CROSS JOIN pragma_foreign_key_list(m.name, 'main') AS x
            WHERE m.type = 'table' AND m.name = coalesce(\(table), m.name) ORDER BY m.rowid, x.id, x.seq
            """)
        var keys: [(id: Int64, reference: BrokenReference)] = []
        for row in rows {
            let (owner, id): (String, Int64) = (try row.get("owner"), try row.get("id"))
            if keys.last?.id != id || keys.last?.reference.table != owner {
                let parent: String = try row.get("table")
                let isView = areViews[parent.lowercased()]
                keys.append(
                    (
                        id,
                        BrokenReference(
                            table: owner, parent: parent, lacksParent: isView == nil, refersToView: isView == true)
                    ))
            }
            keys[keys.count - 1].reference.columns.append(try row.get("from"))
            if let column = try row.get("to") as String? {
                keys[keys.count - 1].reference.parentColumns.append(column)
            }
        }
        return keys
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

    /// Of all keys of one table, those to columns that are neither the primary key nor unique.
    private static func mismatched(_ keys: [BrokenReference], _ database: Database) throws -> [BrokenReference] {
        guard let table = keys.first?.table, let message = try mismatch(in: table, database) else { return [] }
        let transaction = SQLiteTransaction(database: database)
        let found = try keys.filter { try !$0.lacksParent && !isSound($0, transaction) }
        if !found.isEmpty { return found }
        // The unique index has another collation than the column. The message names only the table; the oldest key to it
        // stays the same if others are added.
        let oldest = keys.last { !$0.lacksParent && message.hasSuffix("referencing \(SQLName.quoted($0.parent))") }
        return [oldest].compactMap(\.self)
    }

    /// Whether a key refers to the primary key or to the columns of a unique index, in any order.
    private static func isSound(_ key: BrokenReference, _ transaction: SQLiteTransaction) throws -> Bool {
        // SQLite would read the definition of the view.
        if key.refersToView { return false }
        let primary = try primaryKey(of: key.parent, transaction)
        if key.parentColumns.isEmpty { return key.columns.count == primary.count }
        let columns = key.parentColumns.map { $0.lowercased() }.sorted()
        return try columns == primary.sorted() || uniqueColumns(of: key.parent, transaction).contains(columns)
    }

    /// The columns in lower case, in the order of the key.
    private static func primaryKey(of table: String, _ transaction: SQLiteTransaction) throws -> [String] {
        try transaction.rows(.unchecked(sql: "PRAGMA table_info(\(SQLName.quoted(table)))"))
            .map { (name: try $0.get("name") as String, place: try $0.get("pk") as Int64) }
            .filter { $0.place > 0 }.sorted { $0.place < $1.place }.map { $0.name.lowercased() }
    }

    /// The columns of each unique index of all rows, in lower case, sorted.
    private static func uniqueColumns(of table: String, _ transaction: SQLiteTransaction) throws -> [[String]] {
        let rows = try transaction.rows(
            """
            SELECT i.name, x.name AS "column" FROM pragma_index_list(\(table), 'main') AS i
            CROSS JOIN pragma_index_info(i.name, 'main') AS x WHERE i."unique" AND NOT i.partial
            """)
        var columns: [String: [String]] = [:]
        for row in rows {
            // An expression has no name.
            let column = try row.get("column") as String? ?? ""
            columns[try row.get("name"), default: []].append(column.lowercased())
        }
        return columns.values.map { $0.sorted() }
    }
}
