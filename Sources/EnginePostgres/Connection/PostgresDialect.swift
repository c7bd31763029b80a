import ChatDBEngine

extension Dialect {
    /// The SQL of PostgreSQL, version 13 or newer.
    static let postgres = postgres { "\(identifier: $0)" }

    /// The same, for a transaction that reads tables through views of the same names.
    static func postgres(ofFile: @escaping @Sendable (_ table: String) -> Query) -> Dialect {
        Dialect(
            placeholders: .dollarNumber,
            // One time for the whole statement, as SQLite has it.
            now: "to_char(statement_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')",
            wholeNumber: "BIGINT",
            strict: "",
            rowOrder: nil,
            // An identity counts on, whatever was deleted.
            givesNumbersAgain: false,
            tableExists: {
                "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = \($0)"
            },
            // With the functions that they call.
            triggers: """
                SELECT tgname AS name, pg_get_triggerdef(pg_trigger.oid, TRUE) || ' ' || tgenabled::text AS sql
                FROM pg_catalog.pg_trigger JOIN pg_catalog.pg_class ON pg_class.oid = tgrelid
                WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
                UNION ALL
                SELECT proname || '(' || oidvectortypes(proargtypes) || ')', replace(
                    replace(pg_get_functiondef(pg_proc.oid), quote_ident(nspname) || '.', ''), quote_literal(nspname), '')
                FROM pg_catalog.pg_proc JOIN pg_catalog.pg_namespace ON pg_namespace.oid = pronamespace
                WHERE nspname = current_schema() AND prokind <> 'a'
                """,
            // Without the name of the schema, which the server prints in some.
            definitions: """
                SELECT type, name, tbl_name, replace(
                        replace(sql, quote_ident(current_schema()) || '.', ''), quote_literal(current_schema()), '') AS sql
                FROM (
                    SELECT 'column' AS type, relname || '.' || attname AS name, relname::text AS tbl_name, concat_ws(
                            ' ', format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
                            (SELECT collname FROM pg_catalog.pg_collation WHERE pg_collation.oid = attcollation),
                            attidentity, pg_get_expr(adbin, adrelid)) AS sql
                    FROM pg_catalog.pg_class JOIN pg_catalog.pg_attribute ON attrelid = pg_class.oid
                        LEFT JOIN pg_catalog.pg_attrdef ON adrelid = attrelid AND adnum = attnum
                    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum > 0
                        AND NOT attisdropped
                    UNION ALL
                    SELECT 'constraint', conname, relname, pg_get_constraintdef(pg_constraint.oid)
                    FROM pg_catalog.pg_constraint JOIN pg_catalog.pg_class ON pg_class.oid = conrelid
                    WHERE connamespace = current_schema()::regnamespace
                    UNION ALL
                    SELECT 'index', indexname, tablename, indexdef
                    FROM pg_catalog.pg_indexes WHERE schemaname = current_schema()
                    UNION ALL
                    SELECT 'trigger', tgname, relname, pg_get_triggerdef(pg_trigger.oid) || ' ' || tgenabled::text
                    FROM pg_catalog.pg_trigger JOIN pg_catalog.pg_class ON pg_class.oid = tgrelid
                    WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal
                    UNION ALL
                    SELECT 'view', relname, relname, pg_get_viewdef(oid)
                    FROM pg_catalog.pg_class
                    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('v', 'm')
                    UNION ALL
                    SELECT 'function', proname || '(' || oidvectortypes(proargtypes) || ')', '', pg_get_functiondef(oid)
                    FROM pg_catalog.pg_proc WHERE pronamespace = current_schema()::regnamespace AND prokind <> 'a'
                ) AS definitions
                ORDER BY tbl_name COLLATE "C", type COLLATE "C", name COLLATE "C", sql COLLATE "C"
                """,
            later: { time, seconds in "utc_later(\(time), \(seconds))" },
            numbers: { numbers in
                "SELECT unnest(\("{\(numbers.map(String.init).joined(separator: ","))}")::bigint[])"
            },
            ofFile: ofFile,
            rowNumber: { $0.numberColumn.map { "\(identifier: $0)" } },
            typeName: nil,
            bytes: { $0 },
            utf8: { "convert_to(\($0), 'UTF8')" },
            position: { part, text in "strpos(\(text), \(part))" },
            // A database in UTF8 has no other texts.
            areTexts: nil,
            isTime: { "\($0) ~ \(StoredTimePattern.text)" },
            // A cast to JSON ends the transaction when it fails. PostgreSQL 15 has no other test.
            isJSON: nil,
            textSearch: .postgres)
    }
}

extension TextSearch {
    /// Search by the functions and the table of the first migration: words are those of SQLite's index, on every server.
    static let postgres = TextSearch(
        matches: { index, question in "\(index).words @@ \(sql(question))" },
        bestFirst: { index, question in "ts_rank(\(index).words, \(sql(question))) DESC, \(index).chat_item_id" },
        rank: { index, question in "-ts_rank(\(index).words, \(sql(question)))" },
        row: { index in "\(index).chat_item_id" },
        snippet: { _, text, words, marks in
            "search_snippet(\(text), ARRAY[\(list: texts(words))], \(isPrefix(words)), \(marks.open), \(marks.close))"
        },
        contains: { text, part in "strpos(lower(\(text) COLLATE \"C\"), lower(\(part) COLLATE \"C\")) > 0" },
        // VACUUM removes the words of deleted rows.
        forget: { _, _ in nil },
        tables: { [$0] },
        rebuild: { index in
            [
                "DELETE FROM \(index)",
                "INSERT INTO \(index) SELECT chat_item_id, \(wordsOfItem) FROM chat_items",
            ]
        })

    /// What `search_words` returns for a message, in the server's own words: a call for each row takes fifteen times as
    /// long (*measured*), because the server plans the functions inside it each time.
    private static let wordsOfItem: Query = """
        coalesce((
            SELECT string_agg(user_id || '/' || left(word, 500) || ':' || least(place, 16383), ' ')
            FROM unnest(array_remove(regexp_split_to_array(
                    search_folded(left(item_text, 50000)), '[' || search_separators() || ']+'), ''))
                WITH ORDINALITY AS words (word, place)
        ), '')::tsvector
        """

    /// The best plan depends on the words, and a plan for any words would make the question for each row.
    private static func sql(_ question: SearchQuestion) -> Query {
        let sql: Query = """
            search_question(\(question.profile), ARRAY[\(list: texts(question.words))], \(isPrefix(question.words)))
            """
        return sql.plannedForValues
    }

    /// The words. No text of PostgreSQL has a NUL byte, which separates words as a blank does.
    private static func texts(_ words: [SearchWord]) -> [String] { words.map { $0.text.replacing("\0", with: " ") } }

    /// Only the last word of a search can be the beginning of one.
    private static func isPrefix(_ words: [SearchWord]) -> Query { words.last?.isPrefix == true ? "TRUE" : "FALSE" }
}

extension TableStructure {
    /// The column of the primary key, if it is one whole number.
    fileprivate var numberColumn: String? {
        columns.first { primaryKey == [SQLName.written($0.name)] && $0.type.hasPrefix("BIGINT") }?.name
    }
}

/// The beginning of a stored time as a regular expression. PostgreSQL before 16 has no function that tests whether a
/// text is a date: a cast of another text is an error, which ends the transaction.
///
/// Groups that are captured would take a third more time (measured).
enum StoredTimePattern {
    static let text = "^(?:\(day)|\(leapDay)) \(time)(?:$|[^.]|[.][0-9])"

    /// The days that every year has.
    private static let day = "[0-9]{4}-(?:\(day28)|\(day30)|\(day31))"
    private static let day28 = "(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    private static let day30 = "(?:0[13-9]|1[0-2])-(?:29|30)"
    private static let day31 = "(?:0[13578]|1[02])-31"

    /// The last day of February in leap years.
    private static let leapDay = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|\(leapCentury))-02-29"
    private static let leapCentury = "(?:[02468][048]|[13579][26])00"

    private static let time = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
}
