import ChatDBEngine
import ChatDBSchema
import GRDBSQLite

/// Marks the values of a result that read masked columns. Rule: docs/query.md, "What is masked".
struct MaskedResults {
    /// By column of the result.
    private let origins: [ResultOrigin]
    /// The class in marks of columns whose origin is not known.
    private let strictest: ColumnClass

    /// - Parameters:
    ///   - authorizer: that of the question. It has seen the statement with the masks.
    ///   - statement: the prepared statement, for the number of its columns.
    init(
        of sql: String, on connection: OpaquePointer, _ authorizer: QuestionAuthorizer, _ statement: QuestionStatement
    ) {
        let masked = authorizer.masked
        let count = statement.columns.count
        strictest = masked.map(\.columnClass).reduce(.personal, ResultOrigin.stricter)
        // The result of EXPLAIN is about the program, and never about the rows.
        guard !masked.isEmpty, !Self.isExplained(sql) else {
            origins = Array(repeating: .shown, count: count)
            return
        }
        let found = authorizer.unmasked {
            ResultOrigins(masked: masked) { Self.columns(of: $0, on: connection) }.origins(of: sql)
        }
        origins = found?.count == count ? found ?? [] : Array(repeating: .unclear, count: count)
    }

    /// Whether chatdb does not understand where a column of the result comes from.
    var isUnclear: Bool { origins.contains(.unclear) }

    /// The values of a row as the answer shows them.
    func shown(_ row: [QuestionValue]) -> [QuestionValue] {
        zip(row, origins).map { value, origin in
            switch (origin, value) {
            case (.masked(let columnClass, _), _): .masked(columnClass)
            case (.partly(let columnClass, _), .null): .maskedOrNull(columnClass)
            case (.partly(let columnClass, isComputed: true), _): .masked(columnClass)
            case (.unclear, .null): .maskedOrNull(strictest)
            case (.none, _), (.shown, _), (.partly, _), (.unclear, _): value
            }
        }
    }

    private static func isExplained(_ sql: String) -> Bool {
        var lexer = SQLLexer(sql)
        guard let token = try? lexer.nextSignificant() else { return false }
        return lexer.isWord(token, "EXPLAIN")
    }

    /// The columns of a table, a temporary view or a table-valued function; empty when they cannot be read.
    private static func columns(of table: String, on connection: OpaquePointer) -> [ResultOrigins.TableColumn] {
        var statement: OpaquePointer?
        let sql = "PRAGMA table_xinfo(\(SQLName.quoted(table)))"
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
        defer { sqlite3_finalize(statement) }
        var columns: [(name: String, type: String, key: Int32, hidden: Int32)] = []
        func text(_ index: CInt) -> String {
            sqlite3_column_text(statement, index).map { String(cString: $0) } ?? ""
        }
        while sqlite3_step(statement) == SQLITE_ROW {
            columns.append(
                (text(1), text(2).uppercased(), sqlite3_column_int(statement, 5), sqlite3_column_int(statement, 6)))
        }
        // A key of one column with exactly this type is the row ID.
        let hasOneKey = columns.count { $0.key > 0 } == 1
        return columns.map { column in
            ResultOrigins.TableColumn(
                name: column.name, isHidden: column.hidden == 1,
                isRowID: hasOneKey && column.key > 0 && column.type == "INTEGER")
        }
    }
}
