import CChatDBSQLite
import ChatDBEngine
import ChatDBSchema
import GRDBSQLite

/// The columns of a result that come from a masked column: where they are NULL, the answer says that they are masked.
struct MaskedResults {
    /// By column of the result; nil for one that shows what it reads.
    private let classes: [ColumnClass?]

    /// - Parameters:
    ///   - authorizer: that of the question. It has seen the statement with the masks.
    ///   - statement: the prepared statement, for the number of its columns.
    init(
        of sql: String, on connection: OpaquePointer, _ authorizer: QuestionAuthorizer, _ statement: QuestionStatement
    ) {
        let masked = authorizer.masked
        let count = statement.columns.count
        guard !masked.isEmpty else {
            classes = Array(repeating: nil, count: count)
            return
        }
        let origins = authorizer.unmasked { Self.origins(of: sql, on: connection) }
        let expressions = ResultExpressions.words(of: sql)
        let isListed = expressions.count == count
        classes = (0..<count).map { index in
            let origin = origins.indices.contains(index) ? origins[index] : nil
            let reading = masked.filter { column in
                if let origin {
                    return origin.table == column.table.lowercased() && origin.column == column.column.lowercased()
                }
                // Not a column of a table, so it is computed: its text tells from which columns.
                let names = isListed ? expressions[index] : [statement.columns[index].lowercased()]
                return names.contains(column.column.lowercased())
            }
            // The strictest class: --show personal does not show a secret.
            return reading.contains { $0.columnClass == .secret } ? .secret : reading.first?.columnClass
        }
    }

    /// A value as the answer shows it.
    func shown(_ row: [QuestionValue]) -> [QuestionValue] {
        zip(row, classes).map { value, columnClass in
            if case .null = value, let columnClass { .masked(columnClass) } else { value }
        }
    }

    /// The table and column of each result column, in lower case; nil for a computed one. The statement is prepared
    /// without masks, because a masked column has no origin, and never run.
    private static func origins(of sql: String, on connection: OpaquePointer) -> [(table: String, column: String)?] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
        defer { sqlite3_finalize(statement) }
        return (0..<sqlite3_column_count(statement)).map { index in
            guard let table = chatdb_column_table(statement, index), let column = chatdb_column_origin(statement, index)
            else { return nil }
            return (String(cString: table).lowercased(), String(cString: column).lowercased())
        }
    }
}

/// The expressions of the result of a statement, by their text.
enum ResultExpressions {
    /// The names in each expression of the statement's own SELECT, in lower case; empty for a statement without one, or
    /// that has `*`.
    static func words(of sql: String) -> [Set<String>] {
        var lexer = SQLLexer(sql)
        var depth = 0
        var expressions: [Set<String>] = []
        while let token = try? lexer.nextSignificant() {
            if lexer.isPunctuation(token, "(") { depth += 1 }
            if lexer.isPunctuation(token, ")") { depth -= 1 }
            if expressions.isEmpty {
                if depth == 0, lexer.isWord(token, "SELECT") { expressions = [[]] }
                continue
            }
            if depth == 0 {
                if ["FROM", "WHERE", "GROUP", "WINDOW", "UNION", "EXCEPT", "INTERSECT", "ORDER", "LIMIT"].contains(
                    where: { lexer.isWord(token, $0) }) || token.kind == .semicolon
                {
                    break
                }
                if lexer.isPunctuation(token, ",") {
                    expressions.append([])
                    continue
                }
            }
            if let name = lexer.name(of: token), token.kind != .string {
                expressions[expressions.count - 1].insert(name.lowercased())
            }
        }
        return expressions
    }
}
