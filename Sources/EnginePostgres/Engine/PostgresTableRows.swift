import ChatDBEngine

/// The rows of tables in the present schema of a transaction, as a copy reads and verifies them.
enum PostgresTableRows {
    /// The tables with the words of texts: those that have a column of the type `tsvector`.
    static func searchIndexes(in transaction: PostgresTransaction) throws(StoreError) -> Set<String> {
        let rows = try transaction.rows(
            """
            SELECT DISTINCT c.relname AS name
            FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
            WHERE c.relnamespace = \(PostgresCatalog.schema) AND c.relkind = 'r' AND NOT a.attisdropped
                AND a.atttypid = 'pg_catalog.tsvector'::regtype
            """)
        var names: Set<String> = []
        for row in rows { names.insert(try row.get("name")) }
        return names
    }

    /// The columns of a table with the forms of their values, in their order, without generated columns. Throws
    /// `denied` for a column of a type that no migration of chatdb has.
    static func forms(of table: String, in transaction: PostgresTransaction) throws(StoreError) -> [CopiedColumn] {
        let rows = try transaction.rows(
            """
            SELECT a.attname AS name, a.atttypid::bigint AS type
            FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
            WHERE c.relnamespace = \(PostgresCatalog.schema) AND c.relname = \(table) AND a.attnum > 0
                AND NOT a.attisdropped AND a.attgenerated = ''
            ORDER BY a.attnum
            """)
        var columns: [CopiedColumn] = []
        for row in rows {
            let (name, type): (String, Int64) = (try row.get("name"), try row.get("type"))
            guard let form = UInt32(exactly: type).flatMap(CopiedForm.init(rawValue:)) else {
                throw StoreError(.denied, "column \(name) of table \(table) has a type that chatdb does not copy")
            }
            columns.append(CopiedColumn(name: name, form: form))
        }
        return columns
    }

    /// Reads all rows of a table, in constant memory.
    static func forEach(
        of table: String, columns: [String], in transaction: PostgresTransaction,
        _ body: ([CopiedValue]) throws -> Void
    ) throws {
        let known = Dictionary(uniqueKeysWithValues: try forms(of: table, in: transaction).map { ($0.name, $0) })
        let found = columns.compactMap { known[$0] }
        guard found.count == columns.count else {
            throw StoreError(.sql, "table \(table) does not have all of the columns")
        }
        // Another connection that reads the table would let this one begin in the middle.
        _ = try transaction.session.execute(
            "SET LOCAL synchronize_seqscans = off", [], in: transaction.schema, once: true)
        let sql = "COPY \(name(of: table, in: transaction)) (\(list(columns))) TO STDOUT (FORMAT binary)"
        var rows = CopiedRows(found)
        try transaction.session.copyOut(sql, in: transaction.schema) { part in
            if try rows.read(part) { try body(rows.values) }
        }
    }

    /// The sum of a table as the server computes it. Rule: docs/copying.md, "Verification".
    ///
    /// Because of the UNION with nothing, the server computes the hash of each row once, and not for each of the four
    /// numbers. OFFSET 0 has the same effect, but takes twice as long: the server then uses one processor (*measured*).
    static func sum(
        of table: String, _ columns: [CopiedColumn], in transaction: PostgresTransaction
    ) throws(StoreError) -> RowSum {
        let word = { (place: Int) in
            """
            coalesce(mod(sum(('x' || pg_catalog.encode(pg_catalog.substring(hash, \(place), 8), 'hex'))
                ::pg_catalog.bit(64)::bigint), 18446744073709551616), 0)::pg_catalog.text
            """
        }
        let name = name(of: table, in: transaction)
        // Compiling the expressions takes longer than it saves for half a million rows (*measured*).
        _ = try transaction.session.execute("SET LOCAL jit = off", [], in: transaction.schema, once: true)
        let words = [1, 9, 17, 25].enumerated().map { "\(word($1)) AS word\($0)" }.joined(separator: ", ")
        let rows = try transaction.session.execute(
            """
            SELECT count(*) AS rows, \(words) FROM (
                SELECT pg_catalog.sha256(pg_catalog.record_send(ROW(\(list(columns.map(\.name)))))) AS hash
                FROM \(name) UNION ALL SELECT NULL FROM \(name) WHERE ctid = '(0,0)') AS hashed
            """, [], in: transaction.schema, once: true
        ).rows()
        guard let row = rows.first else { throw StoreError(.unexpectedRow, "the server computed no sum") }
        var sums: [UInt64] = []
        for index in 0..<4 { sums.append(try number(row.get("word\(index)"))) }
        return RowSum(rows: try row.get("rows"), words: sums)
    }

    /// A number modulo 2^64, which the server may write with a minus sign.
    private static func number(_ text: String) throws(StoreError) -> UInt64 {
        let digits = text.drop { $0 == "-" }
        guard let number = UInt64(digits) else { throw StoreError(.unexpectedRow, "the server computed no sum") }
        return digits.startIndex == text.startIndex ? number : 0 &- number
    }

    /// The last number of the sequence of each table that has given one.
    static func lastNumbers(in transaction: PostgresTransaction) throws(StoreError) -> [String: Int64] {
        let rows = try transaction.rows(
            """
            SELECT c.relname AS name, pg_catalog.pg_sequence_last_value(s.oid::regclass) AS last
            FROM \(sequences) WHERE c.relnamespace = \(PostgresCatalog.schema)
            """)
        var numbers: [String: Int64] = [:]
        for row in rows {
            let last: Int64? = try row.get("last")
            numbers[try row.get("name")] = last
        }
        return numbers
    }

    /// The sequences (`s`) of identity columns (`a`) of tables (`c`).
    static let sequences: Query = """
        pg_catalog.pg_class AS s
            JOIN pg_catalog.pg_depend AS d ON d.objid = s.oid AND d.classid = 'pg_catalog.pg_class'::regclass
                AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.deptype = 'i' AND s.relkind = 'S'
            JOIN pg_catalog.pg_class AS c ON c.oid = d.refobjid
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
        """

    /// The table with its schema.
    static func name(of table: String, in transaction: PostgresTransaction) -> String {
        "\(SQLName.quoted(transaction.schema)).\(SQLName.quoted(table))"
    }

    /// The names in SQL, with commas between.
    static func list(_ columns: [String]) -> String { columns.map(SQLName.quoted).joined(separator: ", ") }
}

/// A connection that reads rows of a copy in its transaction.
protocol PostgresTableReading: TableReading {
    /// The transaction, which begins if it has not begun.
    func transaction() throws(StoreError) -> PostgresTransaction
}

extension PostgresTableReading {
    func searchIndexes() throws(StoreError) -> Set<String> { try PostgresTableRows.searchIndexes(in: transaction()) }

    func forms(of table: String) throws(StoreError) -> [CopiedColumn]? {
        try PostgresTableRows.forms(of: table, in: transaction())
    }

    func forEachStoredRow(of table: String, columns: [String], _ body: ([CopiedValue]) throws -> Void) throws {
        try PostgresTableRows.forEach(of: table, columns: columns, in: transaction(), body)
    }

    func serverSum(of table: String, _ columns: [CopiedColumn]) throws(StoreError) -> RowSum? {
        try PostgresTableRows.sum(of: table, columns, in: transaction())
    }
}
