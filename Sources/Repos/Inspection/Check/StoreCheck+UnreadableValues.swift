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
                    let prefix = database == .agent ? "agent: " : ""
                    guard let structure = checked.structures[database] else {
                        found.skip("the \(database) database (its schema cannot be read)")
                        continue
                    }
                    let forbidding = checked.forbidding[database] ?? []
                    try UnreadableValues(in: transaction, of: database, structure, forbidding: forbidding).find {
                        found.add(prefix + $0)
                    } failed: {
                        found.skip("\(prefix)\($0) (\($1.message))")
                    }
                }
            }, repair: nil, isOfEachDatabase: true)
    ]
}

/// Finds the values that records refuse, with one statement for each table, which reads the table once. It reads the
/// tables of the file, as lists read them through views in a database of another version.
package struct UnreadableValues {
    private let transaction: any ReadTransaction
    private let database: DatabaseName
    /// The schema of the file.
    private let structure: DatabaseStructure
    /// The tables that have values which their own definitions forbid. All their columns are examined.
    private let forbidding: Set<String>

    package init(
        in transaction: any ReadTransaction, of database: DatabaseName, _ structure: DatabaseStructure,
        forbidding: Set<String> = []
    ) {
        (self.transaction, self.database, self.structure) = (transaction, database, structure)
        self.forbidding = forbidding
    }

    /// Calls `body` with each value as `contacts 12 created_at`. A hidden profile appears without its number. Calls
    /// `failed` with each table that cannot be read, and goes on with the others.
    package func find(
        _ body: (String) -> Void, failed: (_ table: String, StoreError) -> Void
    ) throws(StoreError) {
        for table in try transaction.withRows(tables, in: { source($0.name) }).compactMap(checked) {
            do throws(StoreError) {
                let dialect = transaction.dialect
                let rows = structure.numbered(table.name, of: source(table.name), in: dialect)
                try read(table.query(rows)) { row in
                    for (column, value) in zip(table.columns, row.values.dropFirst()) where column.refuses(value) {
                        var words = [table.name, column.name]
                        if case .integer(let number)? = row.values.first { words.insert("\(number)", at: 1) }
                        body(words.joined(separator: " "))
                    }
                }
            } catch {
                if error.endsReading { throw error }
                failed(table.name, error)
            }
        }
    }

    /// Calls `body` with one row after the other. Every row of a large table can have a wrong value.
    private func read(_ query: Query, _ body: (ResultRow) -> Void) throws(StoreError) {
        do {
            try transaction.attempt { try transaction.forEach(query, body) }
        } catch {
            throw error as? StoreError ?? StoreError(.other, "the values cannot be read")
        }
    }

    /// The tables of the file that this build knows, without virtual tables.
    private var tables: [CatalogueTable] {
        Catalogue.tables(of: database).filter { table in
            guard let found = structure.tables[table.name] else { return false }
            return found.virtualDefinition == nil && !["migrations", "store"].contains(table.name)
        }
    }

    /// A table with the columns that can have wrong values. It is nil for a table without one.
    private func checked(_ table: CatalogueTable) -> CheckedTable? {
        guard let found = structure.tables[table.name] else { return nil }
        return CheckedTable(
            table, in: database, found, isForbidding: forbidding.contains(table.name), transaction.dialect)
    }

    /// A table as the lists read it, if its columns have only values of their types; otherwise the table of the file.
    private func source(_ table: String) -> Query {
        transaction.dialect.typeName == nil ? "\(identifier: table)" : transaction.dialect.ofFile(table)
    }
}

/// A table of the file with the columns whose values can be wrong.
private struct CheckedTable {
    let name: String
    let columns: [CheckedColumn]
    /// Whether a row can be a hidden profile. A finding does not have the number of such a row.
    private let hidesProfiles: Bool

    /// Answers nil for a table without a column whose values can be wrong.
    ///
    /// SQLite enforces the types of a STRICT table and the condition of a CHECK, and the integrity check of the file
    /// verifies both. If it finds a value that the table forbids, all columns are examined. An engine without names of
    /// types enforces those of all tables.
    init?(
        _ table: CatalogueTable, in database: DatabaseName, _ found: TableStructure, isForbidding: Bool,
        _ dialect: Dialect
    ) {
        let isStrict = found.options.contains("STRICT") || dialect.typeName == nil
        let names = found.columnNames
        name = table.name
        hidesProfiles = table.name == "users" && names.contains("view_pwd_hash")
        columns = table.columns.compactMap { column in
            let form = ValueForm.of(column.name, in: database)
            let isSure =
                switch form {
                case .time: false
                case .switch:
                    isStrict && ((try? SQLText("\(column.name) IN (0, 1)")).map { found.checks.contains($0) } ?? false)
                case .number, .id, .bytes: isStrict
                case .other: true
                }
            // A version may lack the column.
            guard let stored = found.columns.first(where: { $0.name == column.name }) else { return nil }
            let rule = isForbidding ? ColumnRule(stored, isStrict: isStrict, dialect) : nil
            if isSure, !isForbidding { return nil }
            return CheckedColumn(name: column.name, form: form, isStrict: isStrict, rule: rule, dialect: dialect)
        }
        if columns.isEmpty { return nil }
    }

    /// The query for rows that may have a wrong value, with their numbers. ``ValueForm`` decides in the same way as the
    /// records whether the value is wrong.
    func query(_ numbered: Query) -> Query {
        let key: Query = hidesProfiles ? "CASE WHEN view_pwd_hash IS NULL THEN place END" : "place"
        return """
            SELECT \(key), \(Query.joined(columns.map(\.value), by: ", ")) FROM \(numbered)
            WHERE \(Query.joined(columns.map(\.mayBeWrong), by: " OR "))
            """
    }
}

/// A column whose values can be wrong.
private struct CheckedColumn {
    let name: String
    let form: ValueForm
    /// Whether the table is STRICT. Lists read a time in any other table as text, even if it is stored as bytes.
    let isStrict: Bool
    /// What the definition of the table forbids. It is nil where SQLite enforces the definition.
    let rule: ColumnRule?
    let dialect: Dialect

    private var column: Query { "\(identifier: name)" }
    private var text: Query { isStrict ? column : "CAST(\(column) AS TEXT)" }

    /// The condition that the value may be wrong. It also holds for a few right times, because SQLite rounds a fraction
    /// up to the next second.
    var mayBeWrong: Query { rule.map { "(\(hasWrongForm)) OR \($0.isBroken)" } ?? hasWrongForm }

    private var hasWrongForm: Query {
        switch form {
        case .time:
            """
            \(column) IS NOT NULL AND NOT (
                \(dialect.isTime(text)) AND substr(rtrim(\(text), '0123456789'), 20) IN ('', '.')
                AND length(\(text)) <= 32 AND \(isPlain))
            """
        case .switch: "\(column) IS NOT NULL AND (\(hasType(outside: "'integer'")) OR \(column) NOT IN (0, 1))"
        case .number: hasType(outside: "'integer', 'null'")
        case .id, .bytes: hasType(outside: "'text', 'blob', 'null'")
        case .other: "false"
        }
    }

    /// The condition that the value has none of these types.
    private func hasType(outside types: Query) -> Query {
        dialect.typeName.map { "\($0(column)) NOT IN (\(types))" } ?? "false"
    }

    /// The condition that the text has no NUL byte, which ends a text for `length`, and no character outside of ASCII.
    private var isPlain: Query { "length(\(dialect.utf8(text))) = length(\(text))" }

    /// The part of the value that shows whether the value is wrong: a text as long as the longest time, or the type.
    var value: Query { rule.map { "CASE WHEN \($0.isBroken) THEN \([0] as [UInt8]) ELSE \(part) END" } ?? part }

    /// Whether a record cannot read a value, or the definition forbids it. Bytes stand for a forbidden value.
    func refuses(_ value: SQLValue) -> Bool {
        if rule != nil, case .blob = value { return true }
        return form.refuses(value)
    }

    private var part: Query {
        switch form {
        case .time:
            "CASE WHEN \(isPlain) THEN substr(\(text), 1, 33) WHEN \(column) IS NOT NULL THEN '' END"
        case .switch:
            dialect.typeName.map { "CASE WHEN \($0(column)) IN ('integer', 'null') THEN \(column) ELSE '' END" }
                ?? column
        case .number, .id, .bytes: dialect.typeName?(column) ?? "NULL"
        case .other: "NULL"
        }
    }
}

/// What the definition of a column forbids: NULL, and in a STRICT table other types. SQLite takes a definition for true,
/// and `IS NULL` for false where it forbids NULL, so the condition asks for the type.
private struct ColumnRule {
    private let types: [String]
    private let typeName: Query

    /// Answers nil for a column that allows all values, and for an engine that enforces its definitions.
    init?(_ column: ColumnStructure, isStrict: Bool, _ dialect: Dialect) {
        guard let typeName = dialect.typeName?("\(identifier: column.name)") else { return nil }
        var types: [String] = ["integer", "real", "text", "blob"]
        if isStrict {
            switch column.type {
            case "INT", "INTEGER": types = ["integer"]
            case "REAL": types = ["real", "integer"]
            case "TEXT": types = ["text"]
            case "BLOB": types = ["blob"]
            default: break
            }
        }
        if !column.notNull { types.append("null") }
        if types.count == 5 { return nil }
        (self.typeName, self.types) = (typeName, types)
    }

    var isBroken: Query { "\(typeName) NOT IN (\(Query.joined(types.map { "\($0)" }, by: ", ")))" }
}
