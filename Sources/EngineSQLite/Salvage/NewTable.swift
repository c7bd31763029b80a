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
    var missing = KeyRanges()
    /// The first page of its tree. It is nil if the file has lost it.
    var root: Int?
    /// The number of its tree. It is nil for a table of whose tree nothing is known.
    var tree: Int?
    /// Whether another table has an equal claim to a page of this table, so that rows may be in the wrong one.
    var isContested = false
    /// The number of rows that the table had, by an index without damage. It is nil if every index is damaged or
    /// partial, or if the table has no index.
    var expected: Int?
    /// The complete rows that the table refused, by row ID or by primary key. They are in the database of lost rows, and
    /// an index has less of them.
    private(set) var refusedIDs: Set<Int64> = []
    private(set) var refusedKeys: Set<[StoredValue]> = []
    /// The row IDs of rows that a page has with values that may be anything. An index has some of the right ones.
    var unsoundIDs: Set<Int64> = []
    /// The row IDs of rows that an index without damage has, and that the tree of the table does not have.
    var named: Set<Int64> = []
    /// The largest row ID of the tree. It is nil for a table without rows, and until the tree was read.
    var lastOfTree: Int64?
    /// The number of rows of lost pages that are not in ``expected``, because the index does not have them.
    var unexpected = 0
    /// The keys of rows that only an index has, and that the table refused.
    var tracedKeys: Set<[StoredValue]> = []

    private let database: NewDatabase
    private let encoding: FileLayout.Encoding
    /// The name by which the row ID is written. It is nil if columns have all names of the row ID.
    private let rowIDName: String?
    private var inserts: [Int: SalvageStatement] = [:]
    private var comparisons: [Int: SalvageStatement] = [:]
    private var partialInserts: [String: SalvageStatement] = [:]
    private var search: SalvageStatement?

    init(_ name: String, in database: NewDatabase, _ encoding: FileLayout.Encoding) throws(StoreError) {
        self.name = name
        self.database = database
        self.encoding = encoding
        result = SalvagedTable(name: name)
        hasRowID = try !Self.isWithoutRowID(name, database)
        let found = try Self.indexes(of: name, database)
        indexes = found.all
        let keyIndex = found.primaryKey
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

    var indexNames: [String: Index] { Dictionary(indexes.map { ($0.name.lowercased(), $0) }) { first, _ in first } }

    /// Reads the indexes again, after more of them were created.
    func readIndexes() throws(StoreError) {
        indexes = try Self.indexes(of: name, database).all
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

    /// The indexes of a table, and that of its primary key. The latter is nil if the table has no such index.
    private static func indexes(
        of table: String, _ database: NewDatabase
    ) throws(StoreError) -> (all: [Index], primaryKey: Index?) {
        let list = try database.prepare("PRAGMA index_list(\(SQLName.quoted(table)))")
        var found: [Index] = []
        var primaryKey: Index?
        while list.step() == SQLITE_ROW {
            let name = list.text(1)
            let info = try database.prepare("PRAGMA index_xinfo(\(SQLName.quoted(name)))")
            var columns: [Int] = []
            while info.step() == SQLITE_ROW { columns.append(info.number(1)) }
            found.append(Index(name: name, isPartial: list.number(4) != 0, columns: columns))
            if list.text(3) == "pk" { primaryKey = found.last }
        }
        return (found, primaryKey)
    }

    // MARK: Rows

    /// Writes a row as a page has it. Columns that the row lacks get their defaults, which is how SQLite reads them.
    func write(_ row: ScannedRow) throws(StoreError) -> Written {
        let values = row.record.values
        guard values.count <= stored.count, rowIDName == nil || row.rowID != nil else { return .refused }
        let length = values.reduce(0) { $0 + $1.length }
        guard length <= Int(database.longestValue) else { return .refused }
        let statement = try insert(values.count)
        do throws(StoreError) {
            guard try bind(values, row.rowID, to: statement) else { return .refused }
            if try database.write(statement) { return .inserted }
        } catch  where error.kind == .outOfMemory && length > StoredValue.long {
            statement.reset()
            return .refused
        }
        let comparison = try comparison(values.count)
        try bind(values, row.rowID, to: comparison)
        defer { comparison.reset() }
        if comparison.step() == SQLITE_ROW { return .isThere }
        guard row.record.isCut else { return .refused }
        // The values behind the cut are NULL; the table may have defaults for them.
        let known = values.enumerated().filter { $0.element != .null }
        return try write(known.map { (column: stored[$0.offset], value: $0.element) }, rowID: row.rowID)
            ? .inserted : .refused
    }

    /// Writes a row of which only some columns are known. Answers whether the table took the row.
    func write(_ values: [(column: Int, value: StoredValue)], rowID: Int64?) throws(StoreError) -> Bool {
        let known = values.filter { columns.indices.contains($0.column) && isWritten($0.column) }
        var names = known.map { SQLName.quoted(columns[$0.column].name) }
        if let rowIDName, rowID != nil { names.append(rowIDName) }
        if names.isEmpty { return false }
        let places = names.map { _ in "?" }.joined(separator: ", ")
        let list = names.joined(separator: ", ")
        let statement: SalvageStatement
        if let known = partialInserts[list] {
            statement = known
        } else {
            statement = try database.prepare(
                "INSERT OR IGNORE INTO \(SQLName.quoted(name)) (\(list)) VALUES (\(places))")
            partialInserts[list] = statement
        }
        for (index, entry) in known.enumerated() {
            guard try statement.bind(entry.value, at: index + 1, encoding) else { return false }
        }
        if rowIDName != nil, let rowID { try statement.bind(.integer(rowID), at: names.count, encoding) }
        return try database.write(statement)
    }

    /// The primary key in the values of a row, for a table without row IDs. It is nil if the row lacks a column of it.
    func key(of values: [StoredValue]) -> [StoredValue]? {
        let places = keyColumns.compactMap { stored.firstIndex(of: $0) }
        guard !places.isEmpty, places.allSatisfy(values.indices.contains) else { return nil }
        return places.map { values[$0] }
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
            try statement.bind(rowID.map { .integer($0) } ?? .null, at: 1, encoding)
        } else {
            for (index, value) in key.enumerated() { try statement.bind(value, at: index + 1, encoding) }
        }
        defer { statement.reset() }
        return statement.step() == SQLITE_ROW
    }

    /// Reads the largest row ID that was written so far.
    func readLastOfTree() throws(StoreError) {
        guard let rowIDName else { return }
        let statement = try database.prepare("SELECT max(\(rowIDName)) FROM \(SQLName.quoted(name))")
        if statement.step() == SQLITE_ROW, !statement.isNull(0) {
            lastOfTree = sqlite3_column_int64(statement.handle, 0)
        }
    }

    /// The number of rows that are missing, by an index without damage. It is nil if there is no such index.
    var missingRows: Int? { expected.map { max(0, $0 - (result.written - unexpected) - refused) } }

    /// The columns of the primary key, in its order.
    var keyColumns: [Int] {
        columns.indices.filter { columns[$0].keyPlace > 0 }.sorted { columns[$0].keyPlace < columns[$1].keyPlace }
    }

    /// Remembers a row of a page of this table that it refused.
    func noteRefused(_ row: ScannedRow) {
        if let rowID = row.rowID {
            if row.record.isSound { refusedIDs.insert(rowID) } else { unsoundIDs.insert(rowID) }
        } else if !hasRowID, row.record.isSound, let key = key(of: row.record.values) {
            refusedKeys.insert(key)
        }
    }

    /// The number of rows of its pages that it refused.
    var refused: Int { hasRowID ? refusedIDs.count + unsoundIDs.count : refusedKeys.count }

    /// Whether a row with this ID may be on a lost page.
    func mayMiss(_ rowID: Int64) -> Bool { missing.isEmpty || missing.range(of: rowID) != nil }

    /// A column of a foreign key.
    struct ForeignKey {
        let number: Int
        let column: String
        let parent: String
        /// It is nil for a column of the primary key of the parent.
        let parentColumn: String?
    }

    /// The columns of its foreign keys.
    func foreignKeys() throws(StoreError) -> [ForeignKey] {
        let list = try database.prepare("PRAGMA foreign_key_list(\(SQLName.quoted(name)))")
        var found: [ForeignKey] = []
        while list.step() == SQLITE_ROW {
            found.append(
                ForeignKey(
                    number: list.number(0), column: list.text(3), parent: list.text(2),
                    parentColumn: list.isNull(4) ? nil : list.text(4)))
        }
        return found
    }

    /// Releases the statements, so that the database can be closed.
    func finish() {
        inserts = [:]
        comparisons = [:]
        partialInserts = [:]
        search = nil
    }

    private func isWritten(_ column: Int) -> Bool { !columns[column].isGenerated && !columns[column].shape.isRowID }

    /// Binds the values of a row. Returns false if a value is too long.
    @discardableResult
    private func bind(
        _ values: [StoredValue], _ rowID: Int64?, to statement: SalvageStatement
    ) throws(StoreError) -> Bool {
        statement.reset()
        var place = 1
        for (index, value) in values.enumerated() where isWritten(stored[index]) {
            guard try statement.bind(value, at: place, encoding) else { return false }
            place += 1
        }
        if rowIDName != nil, let rowID { try statement.bind(.integer(rowID), at: place, encoding) }
        return true
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
}
