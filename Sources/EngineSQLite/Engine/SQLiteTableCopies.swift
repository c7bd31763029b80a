import ChatDBEngine
import GRDB

/// A database of files that a copy reads. The reading has no time limit: the store is one of chatdb's own, and no code
/// in the file runs.
extension SQLiteSnapshot: TableSource {
    func searchIndexes() throws(StoreError) -> Set<String> { try structure().virtualTables }

    func forms(of table: String) throws(StoreError) -> [CopiedColumn]? { nil }

    func forEachStoredRow(of table: String, columns: [String], _ body: ([CopiedValue]) throws -> Void) throws {
        try queue.unsafeReentrantWrite { database in
            try OpenedDatabase.requireOpen(database)
            try StoredRows.forEach(of: table, columns: columns, in: database, body)
        }
    }

    func serverSum(of table: String, _ columns: [CopiedColumn]) throws(StoreError) -> RowSum? { nil }

    func lastNumbers() throws(StoreError) -> [String: Int64] { try autoincremented() }

    func emptyIndexes(of indexes: [String: IndexStructure]) throws(StoreError) -> Set<String> {
        let structure = try structure()
        // The conditions that no row meets. A partial index without a row shows its own. An index of all rows shows
        // whether its first column has a value; many indexes of a server leave out the rows with NULL there.
        var (names, unmet): (Set<String>, [String: Set<SQLText>]) = ([], [:])
        for (name, index) in structure.indexes {
            let column = structure.tables[index.table]?.columns.first { $0.name == index.columns.first }?.name
            let isSet = try? column.map { try SQLText("\(SQLName.written($0)) IS NOT NULL") }
            guard let condition = index.condition ?? isSet else { continue }
            // Refused if SQLite cannot answer from the index.
            let found = try? rows(
                """
                SELECT 1 FROM \(identifier: index.table) INDEXED BY \(identifier: name)
                WHERE \(Query.unchecked(sql: condition.shown)) LIMIT 1
                """)
            guard found?.isEmpty == true else { continue }
            unmet[index.table, default: []].insert(condition)
            if index.condition != nil { names.insert(name) }
        }
        return Set(
            indexes.filter { name, index in
                guard !index.unique, let condition = index.condition else { return false }
                if names.contains(name) { return true }
                // A server does not fold its texts.
                guard let folded = try? SQLText(condition.shown) else { return false }
                return unmet[index.table]?.contains(folded) == true
            }.keys)
    }

    func forEachMissingReference(_ body: (DanglingReference) throws -> Void) throws {
        try queue.unsafeReentrantWrite { database in
            try OpenedDatabase.requireOpen(database)
            try SQLiteFacts.forEachDanglingReference(in: nil, database, body)
        }
    }
}

/// A new database of files that a copy fills.
extension SQLiteMigrationConnection: TableTarget {
    func lastNumbers() throws(StoreError) -> [String: Int64] { try autoincremented() }

    func searchIndexes() throws(StoreError) -> Set<String> { try structure().virtualTables }

    func forms(of table: String) throws(StoreError) -> [CopiedColumn]? { nil }

    func serverSum(of table: String, _ columns: [CopiedColumn]) throws(StoreError) -> RowSum? { nil }

    func forEachStoredRow(of table: String, columns: [String], _ body: ([CopiedValue]) throws -> Void) throws {
        try queue.unsafeReentrantWrite { database in
            try OpenedDatabase.requireOpen(database)
            try StoredRows.forEach(of: table, columns: columns, in: database, body)
        }
    }

    /// The connection does not check references; ``danglingReferences(touching:)`` finds them.
    func setAside() throws(StoreError) -> [SetAside] {
        let found = try rows(
            """
            SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL
            ORDER BY rowid
            """)
        var parts: [SetAside] = []
        for row in found {
            let part = SetAside(name: try row.get("name"), sql: try row.get("sql"))
            parts.append(part)
            let kind: Query = try row.get("type") == "index" ? "INDEX" : "TRIGGER"
            try run("DROP \(kind) main.\(identifier: part.name)")
        }
        return parts
    }

    func putBack(_ part: SetAside) throws(StoreError) { try run(.unchecked(sql: part.sql)) }

    func fill(
        _ table: String, _ columns: [CopiedColumn], _ rows: (_ insert: ([CopiedValue]) throws -> Void) throws -> Void
    ) throws {
        try queue.unsafeReentrantWrite { database in
            try OpenedDatabase.requireOpen(database)
            try StoredRows.insert(into: table, columns, in: database, rows)
        }
    }

    func fillSearchIndex(
        _ index: String,
        _ read: (_ table: String, _ columns: [String], _ body: ([CopiedValue]) throws -> Void) throws -> Void
    ) throws {
        for statement in dialect.textSearch.rebuild("\(identifier: index)") { try run(statement) }
    }

    /// SQLite sets the number of a table by the rows that are inserted. It may have been larger: that of a row that was
    /// deleted is not given again.
    func setLastNumbers(_ numbers: [String: Int64]) throws(StoreError) {
        let known = Dictionary(numbers.map { (SQLSyntax.sqlite.key($0), $1) }, uniquingKeysWith: max)
        for (table, parts) in try structure().tables where parts.options.contains("AUTOINCREMENT") {
            guard let number = known[SQLSyntax.sqlite.key(table)] else { continue }
            let changed = try run("UPDATE sqlite_sequence SET seq = max(seq, \(number)) WHERE name = \(table)")
            if changed == 0 { try run("INSERT INTO sqlite_sequence(name, seq) VALUES (\(table), \(number))") }
        }
    }
}

extension DatabaseStructure {
    /// The names of the virtual tables. chatdb has no others than indexes of a search.
    fileprivate var virtualTables: Set<String> {
        Set(tables.filter { $0.value.virtualDefinition != nil }.keys)
    }
}

extension ReadTransaction {
    /// The last number of each table with AUTOINCREMENT.
    fileprivate func autoincremented() throws(StoreError) -> [String: Int64] {
        guard try first("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'") != nil else { return [:] }
        var numbers: [String: Int64] = [:]
        for row in try rows("SELECT name, seq FROM sqlite_sequence WHERE typeof(seq) = 'integer' AND seq > 0") {
            numbers[try row.get("name")] = try row.get("seq")
        }
        return numbers
    }
}
