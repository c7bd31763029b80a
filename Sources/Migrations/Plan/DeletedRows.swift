import Engine

/// Counts, before a run, the rows that its DELETE statements find in tables that stay.
///
/// What a statement finds depends on what those before it have done. So this is what it finds now: of rows that two
/// statements delete more than there are, and nothing of a statement that does not yet fit the schema. A run knows
/// better afterwards, and tells.
struct DeletedRows {
    /// The tables that are there and stay, by their names in lower case.
    private let tables: [String: String]
    private let statements: [SQLStatement]

    init(of steps: [MigrationStep], tables: [String]) throws {
        self.tables = Dictionary(tables.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        // No other step may lose rows.
        statements = try steps.filter { $0.directives.contains(.dataLoss) }.flatMap { try $0.script.statements }
    }

    /// By table; none of a table without such rows.
    func losses(in transaction: any ReadTransaction) throws -> [Loss] {
        var rows: [String: Int] = [:]
        for statement in statements {
            guard let (name, rest) = try statement.deletion(), let table = tables[name.lowercased()] else { continue }
            let found = try? transaction.count(.unchecked(sql: "SELECT count(*) FROM \(rest)"))
            rows[table, default: 0] += found ?? 0
        }
        return try rows.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { table, count in
            Loss(
                deletedFrom: table,
                rows: min(count, try transaction.count("SELECT count(*) FROM \(identifier: table)")))
        }
    }
}

extension SQLStatement {
    /// Of a DELETE the table, and all that stands behind FROM; nil for another statement.
    fileprivate func deletion() throws(SQLTextError) -> (table: String, rest: String)? {
        var lexer = SQLLexer(text)
        var words: [String] = []
        var start: Int?
        while words.count < 5, let token = try lexer.nextSignificant() {
            if words.count == 2 { start = token.range.lowerBound }
            words.append(lexer.name(of: token) ?? lexer.text(of: token))
        }
        guard words.count > 2, let start, words[0].uppercased() == "DELETE", words[1].uppercased() == "FROM" else {
            return nil
        }
        let table = words.count > 4 && words[3] == "." ? words[4] : words[2]
        return (table, lexer.text(in: start..<text.utf8.count))
    }
}
