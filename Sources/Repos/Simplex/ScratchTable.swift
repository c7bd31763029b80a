import ChatDBEngine

/// A table in memory, like one of a store.
enum ScratchTable {
    /// The statement that makes the table. It has the columns, the defaults and the number of its rows.
    /// - Parameter unique: the columns by which its rows are unique. With nil, the table has no rules at all.
    static func creation(of name: String, like table: TableStructure, unique: Set<Set<String>>?) -> Query {
        var lines: [Query] = table.columns.map { column in
            let name: Query = "\(identifier: column.name)"
            if table.primaryKey == [column.name], column.type == "INTEGER" { return "\(name) INTEGER PRIMARY KEY" }
            let type: Query = column.type == "INTEGER" ? "INTEGER" : column.type == "BLOB" ? "BLOB" : "TEXT"
            let rule: Query = column.notNull && unique != nil ? "NOT NULL" : ""
            return "\(name) \(type) \(rule) \(defaultValue(of: column))"
        }
        for columns in unique ?? [] {
            lines.append("UNIQUE (\(Query.list(columns.sorted().map { "\(identifier: $0)" })))")
        }
        return "CREATE TABLE \(identifier: name) (\(Query.list(lines)))"
    }

    /// The default of a column that a statement may leave out. A text of the store is no part of a statement here.
    private static func defaultValue(of column: ColumnStructure) -> Query {
        guard let value = column.defaultValue?.filter({ !"() ".contains($0) }) else { return "" }
        switch value {
        case "0": return "DEFAULT 0"
        case "1": return "DEFAULT 1"
        case "''": return "DEFAULT ''"
        default:
            let isTime = ["strftime", "datetime"].contains { value.lowercased().hasPrefix($0) }
            return isTime ? "DEFAULT (\(AppStart.now))" : ""
        }
    }
}

extension Query {
    /// Parts with commas between them.
    static func list(_ parts: [Query]) -> Query {
        parts.dropFirst().reduce(parts.first ?? "") { $0 + ", " + $1 }
    }
}
