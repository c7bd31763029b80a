import ChatDBKit

/// Rows for every table of a database, made from its structure.
///
/// A value follows from the name of its column and the number of the row, and a reference has the value of the column to
/// which it leads. So the rows of one number refer to each other.
struct EveryTable {
    /// The numbers of the rows that fill the tables. The last one has NULL where it may.
    static let rows = 101...105
    /// Tables whose rows have one of these columns each: the next one in the next row.
    private static let alternatives: [String: [String]] = [
        "connections": ["contact_id", "group_member_id", "user_contact_link_id", "snd_file_id", "rcv_file_id"],
        "chat_tags_chats": ["contact_id", "group_id"], "chat_items": ["contact_id", "group_id", "note_folder_id"],
    ]
    /// A table that has one row, whose number is 1.
    static let single = "app_settings"

    private let tables: [String: TableStructure]

    init(_ structure: DatabaseStructure) {
        tables = structure.tables.filter { name, table in
            table.virtualDefinition == nil && !["migrations", "store"].contains(name)
        }
    }

    /// The tables, each after those to which a row of it has to refer. A profile and its contact refer to each other.
    var names: [String] {
        var (found, visited): ([String], Set<String>) = ([], [])
        func visit(_ table: String) {
            guard let structure = tables[table], visited.insert(table).inserted else { return }
            for column in structure.columns where table != "users" && isRequired(column, of: table) {
                if let parent = parent(of: column.name, in: table) { visit(parent.table) }
            }
            found.append(table)
        }
        for table in tables.keys.sorted() { visit(table) }
        return found
    }

    /// The column by which the database numbers the rows of a table; nil for a table without one.
    func number(of table: String) -> String? {
        guard table != Self.single, let structure = tables[table],
            let column = structure.columns.first(where: {
                $0.type == "INTEGER" && structure.primaryKey == [SQLName.written($0.name)]
            }),
            !structure.foreignKeys.contains(where: { $0.columns == [column.name] })
        else { return nil }
        return column.name
    }

    /// Whether a table gives the number of a deleted row to no other row.
    func neverRepeats(_ table: String) -> Bool { tables[table]?.options.contains("AUTOINCREMENT") ?? false }

    // MARK: Statements

    /// Inserts the row with a number, for SQLite, with a value in each column.
    func filling(_ table: String, _ row: Int) -> String {
        let alternatives = Self.alternatives[table] ?? []
        let columns = columns(of: table).filter { column in
            if let place = alternatives.firstIndex(of: column.name) { return row % alternatives.count == place }
            return row != Self.rows.last || column.notNull || isKey(column, of: table)
        }
        return insertion(of: columns, into: table, row, [:], .sqlite)
    }

    /// Inserts a row with a number, whose own number the database gives, with a value in each column that needs one.
    ///
    /// - Parameter numbers: the numbers that the database gives to the new rows of the tables.
    func new(_ table: String, _ row: Int, numbers: [String: Int], _ syntax: SQLSyntax) -> String {
        let given = number(of: table)
        let columns = columns(of: table).filter { $0.name != given && isRequired($0, of: table) }
        return insertion(of: columns, into: table, row, numbers, syntax)
    }

    private func insertion(
        of columns: [ColumnStructure], into table: String, _ row: Int, _ numbers: [String: Int], _ syntax: SQLSyntax
    ) -> String {
        if columns.isEmpty { return "INSERT INTO \(SQLName.quoted(table)) DEFAULT VALUES" }
        let names = columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
        let values = columns.map { Self.literal(value($0, of: table, row, numbers), syntax) }.joined(separator: ", ")
        return "INSERT INTO \(SQLName.quoted(table)) (\(names)) VALUES (\(values))"
    }

    // MARK: Columns

    private func columns(of table: String) -> [ColumnStructure] {
        (tables[table]?.columns ?? []).filter { $0.generated == nil }
    }

    private func isKey(_ column: ColumnStructure, of table: String) -> Bool {
        tables[table]?.primaryKey.contains(SQLName.written(column.name)) ?? false
    }

    private func isRequired(_ column: ColumnStructure, of table: String) -> Bool {
        let isAlternative = table == "chat_tags_chats" && column.name == "contact_id"
        return column.notNull && column.defaultValue == nil || isKey(column, of: table) || isAlternative
    }

    /// The column to which a column refers.
    private func parent(of column: String, in table: String) -> (table: String, column: String)? {
        for reference in tables[table]?.foreignKeys ?? [] {
            guard let place = reference.columns.firstIndex(of: column) else { continue }
            var columns = reference.parentColumns
            if columns.isEmpty {
                columns = (tables[reference.parent]?.primaryKey ?? []).map { name in name.filter { $0 != "\"" } }
            }
            if place < columns.count { return (reference.parent, columns[place]) }
        }
        return nil
    }

    // MARK: Values

    private func value(_ column: ColumnStructure, of table: String, _ row: Int, _ numbers: [String: Int]) -> SQLValue {
        if column.name == number(of: table) { return .integer(Int64(numbers[table] ?? row)) }
        if let parent = parent(of: column.name, in: table),
            let other = columns(of: parent.table).first(where: { $0.name == parent.column })
        {
            return value(other, of: parent.table, row, numbers)
        }
        switch column.type {
        case "INTEGER":
            // A flag, or another small number. A profile is active at most once.
            let name = column.name.uppercased()
            let isChecked = tables[table]?.checks.contains { $0.folded.contains(name) } ?? false
            return .integer(isChecked ? (row == Self.rows.first ? 1 : 0) : Int64(row))
        case "REAL": return .real(Double(row) + 0.5)
        case "BLOB": return .blob(Array("\(column.name) \(row)".utf8) + [0x00, 0xFF])
        default: return .text("\(column.name) \(row) é🙂")
        }
    }

    /// The value in SQL. No text has a quote.
    private static func literal(_ value: SQLValue, _ syntax: SQLSyntax) -> String {
        switch value {
        case .null: return "NULL"
        case .integer(let number): return "\(number)"
        case .real(let number): return "\(number)"
        case .text(let text): return "'\(text)'"
        case .blob(let bytes):
            let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            return syntax == .postgres ? "'\\x\(digits)'" : "x'\(digits)'"
        }
    }
}
