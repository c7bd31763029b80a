package import ChatDBEngine
package import ChatDBSchema

/// The check of values that no list can read: they are not a time, a switch or a number where the records need one.
/// Lists leave out the row of such a value, and other commands end with an error that names the value's row.
extension StoreCheck {
    static let ofValues = [
        StoreCheck(
            id: "unreadableValue", severity: .error,
            sentence: "values that cannot be read, so that lists leave out their rows",
            databases: DatabaseName.allCases, isGeneral: true,
            question: .rows { checked, found in
                for database in DatabaseName.allCases {
                    // One of the two databases may be missing.
                    guard let transaction = try? checked.transaction(database) else { continue }
                    try UnreadableValues(in: transaction, of: database) { checked.numbered($0, in: database) }
                        .find { found.add($0) }
                }
            }, repair: nil, isOfEachDatabase: true)
    ]
}

/// Finds the values that records refuse, with one statement for each table, which reads the table once. It reads the
/// tables of the file, as lists read them through views in a database of another version.
package struct UnreadableValues {
    private let transaction: any ReadTransaction
    private let database: DatabaseName

    /// The rows of a table with their numbers in the column `place`.
    private let numbered: (String) -> Query

    /// The largest number of rows of a table that are read.
    private static let most = 100_000

    package init(
        in transaction: any ReadTransaction, of database: DatabaseName,
        numbered: @escaping (String) -> Query = { "(SELECT *, rowid AS place FROM main.\(identifier: $0))" }
    ) {
        (self.transaction, self.database, self.numbered) = (transaction, database, numbered)
    }

    /// Calls `body` with each value as `contacts 12 created_at`, and of the agent database as `agent: connections 3
    /// deleted`. A hidden profile appears without its number.
    ///
    /// Damage of one table does not prevent the reading of others. If nothing is found, it throws the error.
    package func find(_ body: (String) -> Void) throws {
        let tables = try tables()
        var failure: StoreError?
        var count = 0
        for table in try withRows(tables) {
            do throws(StoreError) {
                for row in try transaction.rows(table.query(numbered(table.name), most: Self.most)) {
                    for (column, value) in zip(table.columns, row.values.dropFirst()) where column.form.refuses(value) {
                        var words = [table.name, column.name]
                        if case .integer(let number)? = row.values.first { words.insert("\(number)", at: 1) }
                        body((database == .agent ? "agent: " : "") + words.joined(separator: " "))
                        count += 1
                    }
                }
            } catch {
                if [.interrupted, .outOfMemory].contains(error.kind) { throw error }
                failure = failure ?? error
            }
        }
        if let failure, count == 0 { throw failure }
    }

    /// The tables of the file that this build knows, with the columns that can have wrong values.
    private func tables() throws(StoreError) -> [CheckedTable] {
        var definitions: [String: String] = [:]
        for row in try transaction.rows(transaction.dialect.definitions) where try row.get("type") == "table" {
            definitions[try row.get("name")] = try row.get("sql") ?? ""
        }
        return Catalogue.tables(of: database).compactMap { table in
            guard !["migrations", "store"].contains(table.name), let definition = definitions[table.name] else {
                return nil
            }
            return CheckedTable(table, in: database, definition: definition)
        }
    }

    /// The tables that have rows. One statement for all takes less time than one for each, and most stores have few
    /// kinds of rows.
    private func withRows(_ tables: [CheckedTable]) throws(StoreError) -> [CheckedTable] {
        if tables.isEmpty { return [] }
        let questions = tables.map { table -> Query in "EXISTS (SELECT 1 FROM main.\(identifier: table.name))" }
        do throws(StoreError) {
            let row = try transaction.first("SELECT \(Query.joined(questions, by: ", "))")
            return zip(tables, row?.values ?? []).filter { $0.1 == .integer(1) }.map(\.0)
        } catch {
            // One of the tables is damaged.
            if [.interrupted, .outOfMemory].contains(error.kind) { throw error }
            return tables
        }
    }
}

/// A table of the file with the columns whose values can be wrong.
private struct CheckedTable {
    let name: String
    let columns: [CheckedColumn]
    /// Whether a row can be a hidden profile. A finding does not have the number of such a row.
    private let hidesProfiles: Bool

    /// Answers nil for a virtual table, and for a table without a column whose values can be wrong.
    ///
    /// SQLite enforces the types of a STRICT table and the condition of a CHECK, and the integrity check of the file
    /// verifies both.
    init?(_ table: CatalogueTable, in database: DatabaseName, definition: String) {
        let options = definition.lastIndex(of: ")").map { definition[$0...].uppercased() } ?? ""
        let isStrict = options.contains("STRICT")
        let words = Set(definition.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
        name = table.name
        hidesProfiles = table.name == "users" && words.contains("view_pwd_hash")
        columns = table.columns.compactMap { column in
            let form = ValueForm.of(column.name, in: database)
            let isSure =
                switch form {
                case .time: false
                case .switch: isStrict && definition.contains("CHECK (\(column.name) IN (0, 1))")
                case .number, .id: isStrict
                case .other: true
                }
            // A version may lack the column.
            if isSure || !words.contains(column.name[...]) { return nil }
            return CheckedColumn(name: column.name, form: form, isStrict: isStrict)
        }
        if columns.isEmpty || words.contains("VIRTUAL") { return nil }
    }

    /// The query for rows that may have a wrong value, with their numbers. ``ValueForm`` decides in the same way as the
    /// records whether the value is wrong.
    func query(_ numbered: Query, most: Int) -> Query {
        let key: Query = hidesProfiles ? "CASE WHEN view_pwd_hash IS NULL THEN place END" : "place"
        return """
            SELECT \(key), \(Query.joined(columns.map(\.value), by: ", ")) FROM \(numbered)
            WHERE \(Query.joined(columns.map(\.mayBeWrong), by: " OR ")) LIMIT \(most)
            """
    }
}

/// A column whose values can be wrong.
private struct CheckedColumn {
    let name: String
    let form: ValueForm
    /// Whether the table is STRICT. Lists read a time in any other table as text, even if it is stored as bytes.
    let isStrict: Bool

    private var column: Query { "\(identifier: name)" }
    private var text: Query { isStrict ? column : "CAST(\(column) AS TEXT)" }

    /// The condition that the value may be wrong. It also holds for a few right times, because SQLite rounds a fraction
    /// up to the next second.
    var mayBeWrong: Query {
        switch form {
        case .time:
            """
            \(column) IS NOT NULL AND NOT (
                datetime(\(text), '+0 days') IS substr(\(text), 1, 19)
                AND substr(rtrim(\(text), '0123456789'), 20) IN ('', '.')
                AND length(\(text)) <= 32 AND instr(\(text), char(0)) = 0)
            """
        case .switch: "\(column) IS NOT NULL AND (typeof(\(column)) <> 'integer' OR \(column) NOT IN (0, 1))"
        case .number: "typeof(\(column)) NOT IN ('integer', 'null')"
        case .id: "typeof(\(column)) IN ('integer', 'real')"
        case .other: "0"
        }
    }

    /// The part of the value that shows whether the value is wrong: a text as long as the longest time, or the type.
    var value: Query {
        switch form {
        case .time:
            "CASE WHEN instr(\(text), char(0)) = 0 THEN substr(\(text), 1, 33) WHEN \(column) IS NOT NULL THEN 0 END"
        case .switch: "CASE WHEN typeof(\(column)) IN ('integer', 'null') THEN \(column) ELSE '' END"
        case .number, .id: "typeof(\(column))"
        case .other: "NULL"
        }
    }
}
