import ChatDBKit

/// The losses of a plan or a run, for people: tables and columns with data first, the number of empty ones after.
enum LossBlocks {
    /// Empty without losses.
    static func blocks(_ heading: String, _ losses: (DatabaseName) -> [Loss]) -> [Block] {
        let all = DatabaseName.allCases.flatMap { database in losses(database).map { (database, $0) } }
        let full = all.filter { $0.1.rows > 0 }
        let empty = all.map(\.1).filter { $0.rows == 0 }
        if all.isEmpty { return [] }
        var blocks: [Block] = [.heading(heading)]
        if !full.isEmpty { blocks.append(.table(table(full))) }
        if !empty.isEmpty {
            blocks.append(.paragraph((full.isEmpty ? "" : "and ") + counted(empty)))
        }
        return blocks
    }

    /// A clause for each table or column with data, where no table can be shown.
    static func clauses(_ losses: (DatabaseName) -> [Loss]) -> [String] {
        DatabaseName.allCases.flatMap { database in
            losses(database).filter { $0.rows > 0 }.map { loss in
                let what = loss.column.map { "the column \($0) of \(loss.table)" } ?? loss.table
                let rows = ChatDBTool.counted(loss.rows, loss.kind == .rows ? "deleted row" : "row")
                return "\(what) in the \(database) database, \(rows)"
            }
        }
    }

    private static func table(_ losses: [(DatabaseName, Loss)]) -> Table {
        Table(
            [
                Column("Database"), Column("Table", shrinking: .end), Column("Column", shrinking: .end),
                Column("Rows", alignment: .right),
            ],
            rows: losses.map { database, loss in
                [
                    .text(database.rawValue), .text(loss.table),
                    loss.column.map { .text($0) } ?? .text(loss.kind == .rows ? "(rows)" : "(the whole table)"),
                    .count(loss.rows),
                ]
            }, whenEmpty: "")
    }

    /// `3 empty tables and columns`.
    private static func counted(_ losses: [Loss]) -> String {
        let columns = losses.count { $0.column != nil }
        if columns == 0 { return ChatDBTool.counted(losses.count, "empty table") }
        if columns == losses.count { return ChatDBTool.counted(columns, "empty column") }
        return "\(losses.count) empty tables and columns"
    }
}
