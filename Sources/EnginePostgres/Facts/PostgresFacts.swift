import ChatDBEngine

/// Facts about the present schema of a transaction, which every kind of connection has.
///
/// Statements name the schema of a table: the server looks for a name in its own catalogue first, and a table may be
/// called `pg_class`.
enum PostgresFacts {
    /// The names of the tables that hold rows, sorted; not those of partitions, whose rows their table has.
    static func tableNames(in transaction: any ReadTransaction) throws(StoreError) -> [String] {
        try names(
            """
            SELECT relname AS name FROM pg_catalog.pg_class
            WHERE relnamespace = \(PostgresCatalog.schema) AND relkind IN ('r', 'p') AND NOT relispartition
            ORDER BY relname
            """, transaction)
    }

    /// Those of some names that tables with rows have, sorted. The server looks each of them up, and does not read the
    /// names of all tables.
    static func existing(_ names: Set<String>, in transaction: any ReadTransaction) throws(StoreError) -> [String] {
        if names.isEmpty { return [] }
        let list = Query.joined(names.sorted().map { "\($0)" }, by: ", ")
        return try self.names(
            """
            SELECT relname AS name FROM pg_catalog.pg_class
            WHERE relnamespace = \(PostgresCatalog.schema) AND relname IN (\(list))
                AND relkind IN ('r', 'p') AND NOT relispartition
            ORDER BY relname
            """, transaction)
    }

    /// The names of the views, sorted; empty without views. No view is run.
    static func viewNames(in transaction: any ReadTransaction) throws(StoreError) -> [String] {
        try names(
            """
            SELECT relname AS name FROM pg_catalog.pg_class
            WHERE relnamespace = \(PostgresCatalog.schema) AND relkind IN ('v', 'm') ORDER BY relname
            """, transaction)
    }

    /// The tables that hold rows.
    static func ordinaryTables(in transaction: any ReadTransaction) throws(StoreError) -> Set<String> {
        Set(try tableNames(in: transaction))
    }

    /// The columns of each table in their order, without generated columns.
    static func columns(in transaction: any ReadTransaction) throws(StoreError) -> [String: [String]] {
        var columns: [String: [String]] = [:]
        for table in try tableNames(in: transaction) { columns[table] = [] }
        for row in try transaction.rows(PostgresCatalog.columns) where try row.get("generated") == "" {
            columns[try row.get("owner")]?.append(try row.get("name"))
        }
        return columns
    }

    /// The number of rows of a table.
    static func rowCount(of table: String, in transaction: any ReadTransaction) throws(StoreError) -> Int {
        let schema = try schema(in: transaction)
        return try transaction.count("SELECT count(*) FROM \(identifier: schema).\(identifier: table)")
    }

    /// The name of the present schema. Throws `missing` if it does not exist.
    static func schema(in transaction: any ReadTransaction) throws(StoreError) -> String {
        let row = try transaction.first(
            "SELECT nspname AS name FROM pg_catalog.pg_namespace WHERE oid = \(PostgresCatalog.schema)")
        guard let row else { throw StoreError(.missing, "the server has no schema of the store's name") }
        return try row.get("name")
    }

    /// Whether the server checks none of the rights of the role.
    static func isSuperuser(in transaction: any ReadTransaction) throws(StoreError) -> Bool {
        try transaction.first("SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = current_user AND rolsuper") != nil
    }

    /// Whether the index of a search has a row for each message, with the words of its text, and no other rows.
    static func isSearchIndexSound(_ table: String, in transaction: any ReadTransaction) throws(StoreError) -> Bool {
        let wrong = try transaction.first(
            """
            SELECT 1 FROM chat_items FULL JOIN \(identifier: table) AS found USING (chat_item_id)
            WHERE found.words IS DISTINCT FROM search_words(chat_items.user_id, chat_items.item_text) LIMIT 1
            """)
        return wrong == nil
    }

    // MARK: Space

    /// The bytes that these tables take on the disk, with their indexes and large values.
    static func bytes(of tables: Set<String>, in transaction: any ReadTransaction) throws(StoreError) -> Int64 {
        var bytes: Int64 = 0
        for row in try transaction.rows(sizes) where tables.contains(try row.get("name")) {
            bytes += try row.get("bytes")
        }
        return bytes
    }

    /// The bytes of the schema. The server tells the unused ones only with an extension: none are counted.
    static func size(in transaction: any ReadTransaction) throws(StoreError) -> (total: Int64, free: Int64) {
        (try total(in: transaction), 0)
    }

    /// The space that the schema takes, and the number of rows of every table: nil where the role may not read, and for
    /// the tables after the first 400. The server knows the bytes of a table without reading it, so they are always
    /// there.
    static func space(in transaction: any ReadTransaction) throws(StoreError) -> DatabaseSpace {
        let found = try transaction.rows(sizes)
        var readable: [String] = []
        for row in found where try row.get("is_readable") { readable.append(try row.get("name")) }
        let rows = try counts(of: Array(readable.prefix(mostTables)), transaction)
        var tables: [DatabaseSpace.Table] = []
        for row in found {
            let name: String = try row.get("name")
            tables.append(DatabaseSpace.Table(name: name, rows: rows[name], bytes: try row.get("bytes")))
        }
        let pageSize = Int64(try transaction.count("SELECT pg_catalog.current_setting('block_size')::bigint"))
        return DatabaseSpace(
            pageSize: pageSize, pages: try total(in: transaction) / max(pageSize, 1), freePages: 0, tables: tables)
    }

    /// A statement returns at most 1,664 columns; real stores have fewer tables than this.
    private static let mostTables = 400

    /// Counts the rows of tables in one statement.
    private static func counts(
        of tables: [String], _ transaction: any ReadTransaction
    ) throws(StoreError) -> [String: Int64] {
        if tables.isEmpty { return [:] }
        let schema = try schema(in: transaction)
        let parts = tables.enumerated().map { number, table -> Query in
            "(SELECT count(*) FROM \(identifier: schema).\(identifier: table)) AS \(identifier: "n\(number)")"
        }
        guard let row = try transaction.first("SELECT \(Query.joined(parts, by: ", "))") else { return [:] }
        var counts: [String: Int64] = [:]
        for (number, table) in tables.enumerated() { counts[table] = try row.get("n\(number)") }
        return counts
    }

    /// The tables of ``tableNames(in:)`` with their bytes.
    private static let sizes: Query = """
        SELECT relname AS name, coalesce(pg_catalog.pg_total_relation_size(oid::regclass), 0) AS bytes,
            pg_catalog.has_table_privilege(oid, 'SELECT') AS is_readable
        FROM pg_catalog.pg_class
        WHERE relnamespace = \(PostgresCatalog.schema) AND relkind IN ('r', 'p') AND NOT relispartition
        ORDER BY relname
        """

    private static func total(in transaction: any ReadTransaction) throws(StoreError) -> Int64 {
        Int64(
            try transaction.count(
                """
                SELECT coalesce(sum(pg_catalog.pg_total_relation_size(oid::regclass)), 0)::bigint
                FROM pg_catalog.pg_class
                WHERE relnamespace = \(PostgresCatalog.schema) AND relkind IN ('r', 'm', 'S')
                """))
    }

    // MARK: Problems

    /// What the server itself holds to be incomplete or unchecked, a sentence each; empty without problems. It reads
    /// only the catalogue: the server has no check of pages without an extension.
    static func integrityProblems(in transaction: any ReadTransaction) throws(StoreError) -> [String] {
        var problems: [String] = []
        for row in try transaction.rows(unfinishedIndexes) {
            problems.append(
                "the index \(try row.get("name") as String) of the table \(try row.get("owner") as String) is not "
                    + "complete, because its creation failed")
        }
        for row in try transaction.rows(uncheckedConstraints) {
            problems.append(
                "the constraint \(try row.get("name") as String) of the table \(try row.get("owner") as String) was "
                    + "never checked for all rows (NOT VALID)")
        }
        for table in try names(disabledTables, transaction) {
            problems.append("the triggers of the table \(table) that check references are disabled")
        }
        return problems
    }

    private static let unfinishedIndexes: Query = """
        SELECT i.relname AS name, c.relname AS owner
        FROM pg_catalog.pg_index AS x JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid
            JOIN pg_catalog.pg_class AS c ON c.oid = x.indrelid
        WHERE c.relnamespace = \(PostgresCatalog.schema) AND NOT (x.indisvalid AND x.indisready AND x.indislive)
        ORDER BY c.relname, i.relname
        """

    private static let uncheckedConstraints: Query = """
        SELECT k.conname AS name, c.relname AS owner
        FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
        WHERE c.relnamespace = \(PostgresCatalog.schema) AND NOT k.convalidated
        ORDER BY c.relname, k.conname
        """

    private static let disabledTables: Query = """
        SELECT relname AS name FROM pg_catalog.pg_class AS c
        WHERE relnamespace = \(PostgresCatalog.schema) AND EXISTS (
            SELECT 1 FROM pg_catalog.pg_trigger AS g
            WHERE g.tgrelid = c.oid AND g.tgisinternal AND g.tgenabled IN ('D', 'R'))
        ORDER BY relname
        """

    private static func names(
        _ query: Query, _ transaction: any ReadTransaction
    ) throws(StoreError) -> [String] {
        var names: [String] = []
        for row in try transaction.rows(query) { names.append(try row.get("name")) }
        return names
    }
}
