import ChatDBEngine

extension Dialect {
    /// The SQL of PostgreSQL, version 13 or newer.
    static let postgres = Dialect(
        placeholders: .dollarNumber,
        // One time for the whole statement, as SQLite has it.
        now: "to_char(statement_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')",
        tableExists: {
            "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = \($0)"
        },
        triggers: """
            SELECT tgname AS name, pg_get_triggerdef(pg_trigger.oid) AS sql
            FROM pg_catalog.pg_trigger JOIN pg_catalog.pg_class ON pg_class.oid = tgrelid
            WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
            """,
        definitions: """
            SELECT type, name, tbl_name, sql FROM (
                SELECT 'column' AS type, relname || '.' || attname AS name, relname AS tbl_name, concat_ws(
                        ' ', format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
                        (SELECT collname FROM pg_catalog.pg_collation WHERE pg_collation.oid = attcollation),
                        attidentity, pg_get_expr(adbin, adrelid)) AS sql
                FROM pg_catalog.pg_class JOIN pg_catalog.pg_attribute ON attrelid = pg_class.oid
                    LEFT JOIN pg_catalog.pg_attrdef ON adrelid = attrelid AND adnum = attnum
                WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum > 0
                    AND NOT attisdropped
                UNION ALL
                SELECT 'constraint', conname, conrelid::regclass::text, pg_get_constraintdef(pg_constraint.oid)
                FROM pg_catalog.pg_constraint WHERE connamespace = current_schema()::regnamespace
                UNION ALL
                SELECT 'index', indexname, tablename, indexdef
                FROM pg_catalog.pg_indexes WHERE schemaname = current_schema()
                UNION ALL
                SELECT 'trigger', tgname, tgrelid::regclass::text, pg_get_triggerdef(pg_trigger.oid)
                FROM pg_catalog.pg_trigger JOIN pg_catalog.pg_class ON pg_class.oid = tgrelid
                WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal
                UNION ALL
                SELECT 'function', proname, '', pg_get_functiondef(oid)
                FROM pg_catalog.pg_proc WHERE pronamespace = current_schema()::regnamespace
            ) AS definitions ORDER BY tbl_name, type, name
            """,
        later: { time, seconds in "utc_later(\(time), \(seconds))" },
        numbers: { numbers in
            "SELECT unnest(\("{\(numbers.map(String.init).joined(separator: ","))}")::bigint[])"
        },
        // A database in UTF8 has no other texts.
        areTexts: { _ in "TRUE" },
        textSearch: .postgres)
}
