import ChatDBEngine
import ChatDBSalvage
import GRDBSQLite

/// A table of the new database, with its columns and indexes as SQLite tells them, and the statements that write its
/// rows.
final class NewTable {
    struct Column {
        let name: String
        let isRequired: Bool
        let shape: TableShape.Column
        /// Its place in the primary key, from 1; 0 for a column that is not in the key.
        let keyPlace: Int
        /// Whether it is computed from other columns, and so not written.
        let isGenerated: Bool
    }

    struct Index {
        let name: String
        let isPartial: Bool
        /// The columns of its entries by number; -1 is the row ID and -2 an expression.
        let columns: [Int]
    }

    /// The result of writing a row.
    enum Written {
        case inserted
        /// The table has the same row already.
        case isThere
        case refused
    }

    let name: String
    let columns: [Column]
    let hasRowID: Bool
    /// The indexes that are created so far. `readIndexes` adds the others.
    private(set) var indexes: [Index]
    /// The columns in the order in which a row stores them.
    let stored: [Int]
    let shape: TableShape
    var result: SalvagedTable
    /// The row IDs that lost pages had.
    var missing: [KeyRange] = []
    /// The first page of its tree. It is nil if the file has lost it.
    var root: Int?
    /// The number of rows that the table had, by an index without damage. It is nil if every index is damaged or
    /// partial, or if the table has no index.
    var expected: Int?
    /// For a table without row IDs: the keys of rows that only an index has, and that the table refuses.
    var asideKeys: Set<[StoredValue]> = []
    var asideFromIndexes = 0

    private let database: NewDatabase
    private let encoding: FileLayout.Encoding
    /// The name by which the row ID is written. It is nil if columns have all names of the row ID.
    private let rowIDName: String?
    private var inserts: [Int: SalvageStatement] = [:]
    private var comparisons: [Int: SalvageStatement] = [:]
    private var search: SalvageStatement?

    init(_ name: String, in database: NewDatabase, _ encoding: FileLayout.Encoding) throws(StoreError) {
        self.name = name
        self.database = database
        self.encoding = encoding
        result = SalvagedTable(name: name)
        hasRowID = try !Self.isWithoutRowID(name, database)
        indexes = try Self.indexes(of: name, database)
        let keyIndex = indexes.first { $0.name == Self.keyIndexName }
        let rows = try Self.columns(of: name, database)
        let keys = rows.filter { $0.keyPlace > 0 }
        let isAlias = hasRowID && keys.count == 1 && keys[0].type.uppercased() == "INTEGER" && keyIndex == nil
        columns = rows.map { row in
            Column(
                name: row.name, isRequired: row.isRequired,
                shape: TableShape.Column(
                    affinity: .init(type: row.type), isRequired: row.isRequired,
                    isRowID: isAlias && row.keyPlace > 0),
                keyPlace: row.keyPlace, isGenerated: row.hidden == 2 || row.hidden == 3)
        }
        // A virtual generated column is not stored.
        let inOrder = rows.indices.filter { rows[$0].hidden != 2 }
        let byKey = keyIndex?.columns.filter { rows.indices.contains($0) && rows[$0].hidden != 2 } ?? []
        stored = hasRowID ? inOrder : byKey + inOrder.filter { !byKey.contains($0) }
        let columns = columns
        shape = TableShape(columns: stored.map { columns[$0].shape })
        let names = Set(columns.map { $0.name.lowercased() })
        let alias = columns.first { $0.shape.isRowID }.map { SQLName.quoted($0.name) }
        rowIDName = hasRowID ? alias ?? ["rowid", "_rowid_", "oid"].first { !names.contains($0) } : nil
    }

    /// The name that the index of the primary key gets here. A table has at most one such index.
    private static let keyIndexName = "\0primary key"

    var indexNames: [String: Index] { Dictionary(indexes.map { ($0.name.lowercased(), $0) }) { first, _ in first } }

    /// Reads the indexes again, after more of them were created.
    func readIndexes() throws(StoreError) {
        indexes = try Self.indexes(of: name, database)
    }

    // MARK: Facts

    private struct ColumnRow {
        let name: String
        let type: String
        let isRequired: Bool
        let keyPlace: Int
        let hidden: Int
    }

    private static func columns(of table: String, _ database: NewDatabase) throws(StoreError) -> [ColumnRow] {
        let statement = try database.prepare("PRAGMA table_xinfo(\(SQLName.quoted(table)))")
        var rows: [ColumnRow] = []
        while statement.step() == SQLITE_ROW {
            rows.append(
                ColumnRow(
                    name: statement.text(1), type: statement.text(2), isRequired: statement.number(3) != 0,
                    keyPlace: statement.number(5), hidden: statement.number(6)))
        }
        return rows
    }

    private static func isWithoutRowID(_ table: String, _ database: NewDatabase) throws(StoreError) -> Bool {
        let statement = try database.prepare("PRAGMA main.table_list(\(SQLName.quoted(table)))")
        return statement.step() == SQLITE_ROW && statement.number(4) != 0
    }

    private static func indexes(of table: String, _ database: NewDatabase) throws(StoreError) -> [Index] {
        let list = try database.prepare("PRAGMA index_list(\(SQLName.quoted(table)))")
        var found: [Index] = []
        while list.step() == SQLITE_ROW {
            let name = list.text(1)
            let info = try database.prepare("PRAGMA index_xinfo(\(SQLName.quoted(name)))")
            var columns: [Int] = []
            while info.step() == SQLITE_ROW { columns.append(info.number(1)) }
            found.append(Index(name: name, isPartial: list.number(4) != 0, columns: columns))
            if list.text(3) == "pk" { found.append(Index(name: keyIndexName, isPartial: false, columns: columns)) }
        }
        return found
    }

    // MARK: Rows

    /// Writes a row as a page has it. Columns that the row lacks get their defaults, which is how SQLite reads them.
    func write(_ row: ScannedRow) throws(StoreError) -> Written {
        let values = row.record.values
        guard values.count <= stored.count, rowIDName == nil || row.rowID != nil else { return .refused }
        let statement = try insert(values.count)
        bind(values, row.rowID, to: statement)
        if try run(statement) { return .inserted }
        let comparison = try comparison(values.count)
        bind(values, row.rowID, to: comparison)
        defer { comparison.reset() }
        return comparison.step() == SQLITE_ROW ? .isThere : .refused
    }

    /// Writes a row of which only some columns are known. Answers whether the table took the row.
    func write(_ values: [(column: Int, value: StoredValue)], rowID: Int64?) throws(StoreError) -> Bool {
        let known = values.filter { columns.indices.contains($0.column) && isWritten($0.column) }
        var names = known.map { SQLName.quoted(columns[$0.column].name) }
        if let rowIDName, rowID != nil { names.append(rowIDName) }
        if names.isEmpty { return false }
        let places = names.map { _ in "?" }.joined(separator: ", ")
        let statement = try database.prepare(
            "INSERT OR IGNORE INTO \(SQLName.quoted(name)) (\(names.joined(separator: ", "))) VALUES (\(places))")
        for (index, entry) in known.enumerated() { statement.bind(entry.value, at: index + 1, encoding) }
        if rowIDName != nil, let rowID { statement.bind(.integer(rowID), at: names.count, encoding) }
        return try run(statement)
    }

    /// Whether the table has the row of an entry of an index, which is the row with its row ID or its primary key.
    func hasRow(_ rowID: Int64?, key: [StoredValue]) throws(StoreError) -> Bool {
        let statement: SalvageStatement
        if let search {
            statement = search
        } else {
            let condition =
                hasRowID
                ? "\(rowIDName ?? "NULL") = ?"
                : keyColumns.map { "\(SQLName.quoted(columns[$0].name)) IS ?" }.joined(separator: " AND ")
            statement = try database.prepare("SELECT 1 FROM \(SQLName.quoted(name)) WHERE \(condition)")
            search = statement
        }
        statement.reset()
        if hasRowID {
            statement.bind(rowID.map { .integer($0) } ?? .null, at: 1, encoding)
        } else {
            for (index, value) in key.enumerated() { statement.bind(value, at: index + 1, encoding) }
        }
        defer { statement.reset() }
        return statement.step() == SQLITE_ROW
    }

    /// The columns of the primary key, in its order.
    var keyColumns: [Int] {
        columns.indices.filter { columns[$0].keyPlace > 0 }.sorted { columns[$0].keyPlace < columns[$1].keyPlace }
    }

    /// Whether a row with this ID may be on a lost page.
    func mayMiss(_ rowID: Int64) -> Bool { missing.isEmpty || missing.contains { $0.contains(rowID) } }

    /// The tables that its rows refer to.
    func parents() throws(StoreError) -> [String] {
        let list = try database.prepare("PRAGMA foreign_key_list(\(SQLName.quoted(name)))")
        var found: [String] = []
        while list.step() == SQLITE_ROW { found.append(list.text(2)) }
        return found
    }

    /// Releases the statements, so that the database can be closed.
    func finish() {
        inserts = [:]
        comparisons = [:]
        search = nil
    }

    private func isWritten(_ column: Int) -> Bool { !columns[column].isGenerated && !columns[column].shape.isRowID }

    private func bind(_ values: [StoredValue], _ rowID: Int64?, to statement: SalvageStatement) {
        statement.reset()
        var place = 1
        for (index, value) in values.enumerated() where isWritten(stored[index]) {
            statement.bind(value, at: place, encoding)
            place += 1
        }
        if rowIDName != nil, let rowID { statement.bind(.integer(rowID), at: place, encoding) }
    }

    private func insert(_ count: Int) throws(StoreError) -> SalvageStatement {
        if let known = inserts[count] { return known }
        var names = stored.prefix(count).filter(isWritten).map { SQLName.quoted(columns[$0].name) }
        if let rowIDName { names.append(rowIDName) }
        let places = names.map { _ in "?" }.joined(separator: ", ")
        let content = names.isEmpty ? "DEFAULT VALUES" : "(\(names.joined(separator: ", "))) VALUES (\(places))"
        let statement = try database.prepare("INSERT OR IGNORE INTO \(SQLName.quoted(name)) \(content)")
        inserts[count] = statement
        return statement
    }

    private func comparison(_ count: Int) throws(StoreError) -> SalvageStatement {
        if let known = comparisons[count] { return known }
        var conditions = stored.prefix(count).filter(isWritten).map { "\(SQLName.quoted(columns[$0].name)) IS ?" }
        if let rowIDName { conditions.append("\(rowIDName) = ?") }
        // SQLite limits the depth of an expression, and a wide table has more columns than that.
        let groups = stride(from: 0, to: conditions.count, by: 50).map { start in
            "(\(conditions[start..<min(start + 50, conditions.count)].joined(separator: " AND ")))"
        }
        let statement = try database.prepare(
            "SELECT 1 FROM \(SQLName.quoted(name)) WHERE \(groups.isEmpty ? "0" : groups.joined(separator: " AND "))")
        comparisons[count] = statement
        return statement
    }

    /// Runs an INSERT. Returns whether it wrote a row. A row that a constraint of the table refuses is not an error.
    private func run(_ statement: SalvageStatement) throws(StoreError) -> Bool {
        defer { statement.reset() }
        let code = statement.step()
        switch code & 0xFF {
        case SQLITE_DONE: return sqlite3_changes(database.connection) > 0
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_ERROR: return false
        default: throw database.error(code, "")
        }
    }
}
