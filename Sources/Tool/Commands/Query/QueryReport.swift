import ChatDBKit

/// The answer to a query.
struct QueryReport: Report {
    let database: DatabaseName
    let answer: QuestionAnswer

    var json: JSONValue {
        let names = Self.distinct(answer.columns)
        return [
            "database": .string(database.rawValue), "columns": JSONValue(names),
            "rows": .array(
                answer.rows.map { row in .object(zip(names, row).map { JSONValue.Member($0, $1.json) }) }),
            "complete": .bool(answer.isComplete),
            "masked": .array(
                answer.masked.map { column in
                    [
                        "table": .string(column.table), "column": .string(column.column),
                        "class": .string(column.columnClass.rawValue),
                    ]
                }),
            "shortened": .array(
                answer.shortened.map { column in
                    ["table": .string(column.table), "column": .string(column.column)]
                }),
        ]
    }

    var document: Document {
        let columns = answer.columns.indices.map { index in
            let isNumbers = answer.rows.allSatisfy { $0[index].isNumber }
            let name = answer.columns[index]
            return Column(
                name, key: name, alignment: isNumbers && !answer.rows.isEmpty ? .right : .left,
                shrinking: isNumbers ? .whole : .end)
        }
        return [
            .table(Table(columns, rows: answer.rows.map { $0.map(\.cell) }, whenEmpty: "no rows"))
        ]
    }

    /// Unique names of columns: the second `id` is `id:2`.
    static func distinct(_ names: [String]) -> [String] {
        var taken: Set<String> = []
        return names.map { name in
            var number = 1
            var distinct = name
            while !taken.insert(distinct).inserted {
                number += 1
                distinct = "\(name):\(number)"
            }
            return distinct
        }
    }

    /// A note about states of which only the first word is shown; nil if there are none.
    static func note(onStates states: [MaskedColumn]) -> String? {
        guard !states.isEmpty else { return nil }
        let names = states.map { "\($0.table).\($0.column)" }
        return "only the first word is shown: \(names.joined(separator: ", ")); --show personal shows the whole text"
    }

    /// A note about masked columns; nil if there are none.
    /// - Parameters:
    ///   - mask: the mask of the query.
    ///   - sql: the statement. If it has clauses that choose rows by values, the note says that they read NULL.
    static func note(on masked: [MaskedColumn], by mask: ColumnMask, in sql: String) -> String? {
        guard !masked.isEmpty else { return nil }
        let names = masked.map { column in
            let known = mask.knows(column.column, of: column.table) ? column.columnClass.rawValue : "unknown"
            return "\(column.table).\(column.column) (\(known))"
        }
        let more = masked.contains { $0.columnClass == .personal } ? "; --show personal shows the personal columns" : ""
        let hasUnknown = masked.contains { !mask.knows($0.column, of: $0.table) }
        let unknown = hasUnknown ? "; --show unknown shows the columns that chatdb does not know" : ""
        let clauses = choosingClauses(of: sql).joined(separator: " or ")
        let choice = clauses.isEmpty ? "" : "; if \(clauses) reads them, it reads NULL, so rows and counts may be wrong"
        return "masked: \(names.joined(separator: ", "))\(choice)\(more)\(unknown)"
    }

    /// The words that choose rows, or make one row of several, by values of columns; and how the note names them.
    private static let choosing: [(word: String, shown: String)] = [
        ("where", "WHERE"), ("on", "ON"), ("using", "USING"), ("natural", "NATURAL JOIN"),
        ("group", "GROUP BY"), ("having", "HAVING"),
        ("distinct", "DISTINCT"), ("union", "UNION"), ("intersect", "INTERSECT"), ("except", "EXCEPT"),
        ("order", "ORDER BY"),
    ]

    /// The clauses of a statement that choose rows by values. A column with the name of such a keyword counts as one
    /// too. `PARTITION BY` does not count: a result column that reads a window definition is masked anyway.
    private static func choosingClauses(of sql: String) -> [String] {
        var words: Set<String> = []
        var last = ""
        var lexer = SQLLexer(sql, refusesControls: false)
        while let token = try? lexer.nextSignificant() {
            let word = token.kind == .word ? lexer.text(of: token).lowercased() : ""
            // UNION ALL keeps every row.
            if last == "union", word != "all" { words.insert(last) }
            if word != "union" { words.insert(word) }
            last = word
        }
        // Without LIMIT, an order chooses no rows.
        if !words.contains("limit") { words.remove("order") }
        return choosing.filter { words.contains($0.word) }.map(\.shown)
    }
}

extension QuestionValue {
    fileprivate var json: JSONValue {
        switch self {
        case .null: .null
        case .masked(let columnClass): ["masked": .string(columnClass.rawValue)]
        case .maskedOrNull(let columnClass): ["masked": .string(columnClass.rawValue), "orNull": true]
        case .integer(let number): .integer(number)
        case .real(let number): .number(number)
        case .text(let text): .string(text)
        case .blob(let bytes, let beginning):
            ["bytes": JSONValue(bytes), "beginning": .string(Self.hexadecimal(beginning))]
        }
    }

    fileprivate var cell: Cell {
        switch self {
        case .null: .nothing
        case .masked: .text("(masked)", .dim)
        case .maskedOrNull: .text("(masked or NULL)", .dim)
        case .integer(let number): .number(number)
        case .real(let number): .text("\(number)")
        case .text(let text): .text(text)
        case .blob(let bytes, let beginning):
            .text(
                (bytes == 1 ? "1 byte" : "\(bytes) bytes") + (bytes == 0 ? "" : ": \(Self.hexadecimal(beginning))")
                    + (bytes > beginning.count ? "…" : ""), .dim)
        }
    }

    fileprivate var isNumber: Bool {
        switch self {
        case .null, .masked, .maskedOrNull, .integer, .real: true
        case .text, .blob: false
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
