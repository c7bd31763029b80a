import ChatDBEngine

extension Dialect {
    /// The SQL of SQLite, with search by FTS5.
    static let sqlite = Dialect(
        placeholders: .questionMark, now: "strftime('%Y-%m-%d %H:%M:%f', 'now')",
        wholeNumber: "INTEGER", strict: " STRICT", rowOrder: "rowid", givesNumbersAgain: true,
        tableExists: { "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = \($0)" },
        triggers: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
        // What `StructureReader` reads, and nothing else.
        definitions: """
            SELECT type, name, tbl_name, sql FROM main.sqlite_master
            WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql IS NOT NULL ORDER BY name, type
            """,
        later: { time, seconds in "strftime('%Y-%m-%d %H:%M:%f', \(time), (\(seconds)) || ' seconds')" },
        numbers: { numbers in "SELECT value FROM json_each(\("[\(numbers.map(String.init).joined(separator: ","))]"))"
        },
        // Temporary views can hide tables.
        ofFile: { "main.\(identifier: $0)" },
        rowNumber: { $0.options.contains("WITHOUT ROWID") ? nil : "rowid" },
        typeName: { "typeof(\($0))" },
        bytes: { "CAST(\($0) AS BLOB)" },
        utf8: { "CAST(\($0) AS BLOB)" },
        position: { part, text in "instr(\(text), \(part))" },
        areTexts: TextFunction.call,
        // The modifier makes SQLite compute the date, so that it does not return a day that a month lacks.
        isTime: { "datetime(\($0), '+0 days') IS substr(\($0), 1, 19)" },
        isJSON: { "json_valid(\($0))" },
        textSearch: TextSearch(
            matches: { index, question in "\(index) MATCH \(expression(question.words))" },
            // The words are those that the condition has already.
            bestFirst: { index, _ in "\(index).rank" },
            rank: { index, _ in "bm25(\(index))" },
            row: { index in "\(index).rowid" },
            snippet: { index, _, _, marks in "snippet(\(index), 0, \(marks.open), \(marks.close), '…', 24)" },
            // Not LIKE, whose pattern has a low limit on connections to untrusted files.
            contains: { text, part in "instr(lower(\(text)), lower(\(part))) > 0" },
            // SQLite 3.42 has the option secure-delete for this, but earlier versions cannot read an index that was
            // written with it. 500 pages are about 2 MiB.
            forget: { index, part in
                switch part {
                case .some: "INSERT INTO \(index) (\(index), rank) VALUES ('merge', -500)"
                case .all: "INSERT INTO \(index) (\(index)) VALUES ('optimize')"
                }
            },
            tables: { index in ["data", "idx", "docsize", "config"].map { "\(index)_\($0)" } },
            rebuild: { index in ["INSERT INTO \(index) (\(index)) VALUES ('rebuild')"] }))

    /// Every word as a string of FTS5, in which nothing is an operator. FTS5 joins the strings with AND. A NUL byte
    /// would end the expression, inside quotes too.
    private static func expression(_ words: [SearchWord]) -> String {
        words.map { word in
            let text = word.text.replacing("\0", with: " ").replacing("\"", with: "\"\"")
            return "\"\(text)\"" + (word.isPrefix ? " *" : "")
        }.joined(separator: " ")
    }
}
