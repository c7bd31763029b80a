import ChatDBEngine
import ChatDBSchema

/// The check of texts that are not UTF-8. SQLite stores such bytes and does not complain, and the app fails to decode
/// them, with all rows of the same list.
extension StoreCheck {
    static let ofTexts = [
        StoreCheck(
            id: "invalidText", severity: .error,
            sentence: "texts that are not UTF-8, so that an app fails to read them",
            databases: DatabaseName.allCases, isGeneral: true,
            question: .rows { checked, found in
                for database in DatabaseName.allCases {
                    // One of the two databases may be missing.
                    guard let transaction = try? checked.transaction(database) else { continue }
                    guard let areTexts = transaction.dialect.areTexts else { continue }
                    guard let structure = checked.structures[database] else {
                        found.skip("the \(database) database (its schema cannot be read)")
                        continue
                    }
                    let tables = structure.tables.sorted(by: { $0.key < $1.key }).compactMap { name, table in
                        TextTable(name, table, in: database, areTexts)
                    }
                    for table in try transaction.withRows(tables, in: { transaction.dialect.ofFile($0.name) }) {
                        try table.check(transaction, structure, &found)
                    }
                }
            }, repair: nil, isOfEachDatabase: true)
    ]
}

/// A table of the file with its columns of texts.
private struct TextTable {
    let name: String
    let columns: [String]
    /// Whether a row can be a hidden profile. A finding does not have the number of such a row.
    private let hidesProfiles: Bool
    /// The word before the names of the agent database; empty for the chat database.
    private let prefix: String
    /// The condition that values can be read as texts.
    private let areTexts: @Sendable ([Query]) -> Query

    /// Answers nil for a table that neither program has, for a virtual table, and for a table without texts.
    init?(
        _ name: String, _ table: TableStructure, in database: DatabaseName,
        _ areTexts: @escaping @Sendable ([Query]) -> Query
    ) {
        guard Catalogue.tableOfAnyProgram(name, of: database) != nil, table.virtualDefinition == nil else { return nil }
        columns = table.columns.filter { $0.isText && $0.generated == nil }.map(\.name)
        if columns.isEmpty { return nil }
        self.name = name
        hidesProfiles = name == "users" && table.columnNames.contains("view_pwd_hash")
        prefix = database == .agent ? "agent: " : ""
        self.areTexts = areTexts
    }

    /// Adds the wrong texts, as `contacts 12 local_display_name (not UTF-8)`. Skips a value that is too long to be
    /// read, and a table that cannot be read.
    func check(
        _ transaction: any ReadTransaction, _ structure: DatabaseStructure, _ found: inout FoundRows
    ) throws {
        do {
            let table = structure.numbered(name, of: transaction.dialect.ofFile(name), in: transaction.dialect)
            guard let number = structure.tables[name].flatMap(transaction.dialect.rowNumber) else {
                return try transaction.forEach(query(table, columns)) { add($0, columns, &found) }
            }
            try RowRanges(table: name, number: number, in: transaction).forEach { rows in
                try transaction.rows(query(table, columns, among: rows))
            } found: { rows in
                for row in rows { add(row, columns, &found) }
            } tooLong: { row in
                for column in columns {
                    do throws(StoreError) {
                        for one in try transaction.rows(query(table, [column], among: row...row)) {
                            add(one, [column], &found)
                        }
                    } catch {
                        guard error.kind == .beyondLimits else { throw error }
                        found.skip("\(prefix)\(name) \(hidesProfiles ? "" : "\(row) ")\(column) (too long)")
                    }
                }
            }
        } catch let error as StoreError {
            if error.endsReading { throw error }
            found.skip("\(prefix)\(name) (\(error.message))")
        }
    }

    /// The query for rows with a wrong text: their numbers, and whether the text of each column is right.
    private func query(_ numbered: Query, _ columns: [String], among rows: ClosedRange<Int64>? = nil) -> Query {
        let key: Query = hidesProfiles ? "CASE WHEN view_pwd_hash IS NULL THEN place END" : "place"
        let names = columns.map { name -> Query in "\(identifier: name)" }
        let range: Query = rows.map { "place BETWEEN \($0.lowerBound) AND \($0.upperBound) AND " } ?? ""
        return """
            SELECT \(key), \(Query.joined(names.map { areTexts([$0]) }, by: ", ")) FROM \(numbered)
            WHERE \(range)NOT (\(areTexts(names)))
            """
    }

    private func add(_ row: ResultRow, _ columns: [String], _ found: inout FoundRows) {
        for (column, isText) in zip(columns, row.values.dropFirst()) where isText == .integer(0) {
            var words = [name, column, "(not UTF-8)"]
            if case .integer(let number)? = row.values.first { words.insert("\(number)", at: 1) }
            found.add(prefix + words.joined(separator: " "))
        }
    }
}

extension ColumnStructure {
    /// Whether SQLite stores texts in the column as they are, by its rule for the names of types.
    fileprivate var isText: Bool {
        switch type {
        case "TEXT": true
        case "INTEGER", "BLOB", "REAL": false
        default: !type.contains("INT") && ["CHAR", "CLOB", "TEXT"].contains(where: type.contains)
        }
    }
}
