import ChatDBEngine

extension PostgresFacts {
    /// References to missing rows, with the number of equal ones: those of a table without a number as its primary key
    /// can be equal.
    ///
    /// - Parameters:
    ///   - tables: only references of these tables and to them; nil for all.
    ///   - everyConstraint: see ``forEachDanglingReference(everyConstraint:touching:in:_:)``.
    static func danglingReferences(
        touching tables: Set<String>?, everyConstraint: Bool, in transaction: any ReadTransaction
    ) throws -> [DanglingReference: Int] {
        var found: [DanglingReference: Int] = [:]
        try forEachDanglingReference(everyConstraint: everyConstraint, touching: tables, in: transaction) {
            found[$0, default: 0] += 1
        }
        return found
    }

    /// Calls `body` with each reference to a missing row, in constant memory, with one statement for each constraint.
    ///
    /// - Parameters:
    ///   - everyConstraint: whether to check those too that the server enforces. A superuser can write past them, with
    ///     `session_replication_role`. Otherwise only those are checked that are `NOT VALID`, or whose triggers are
    ///     disabled.
    ///   - tables: only references of these tables and to them; nil for all.
    static func forEachDanglingReference(
        everyConstraint: Bool, touching tables: Set<String>? = nil, in transaction: any ReadTransaction,
        _ body: (DanglingReference) throws -> Void
    ) throws {
        let schema = try schema(in: transaction)
        for reference in try references(in: transaction) {
            guard everyConstraint || !reference.isEnforced else { continue }
            if let tables, tables.isDisjoint(with: [reference.table, reference.parent]) { continue }
            try transaction.forEach(reference.question(in: schema)) { row in
                try body(
                    DanglingReference(
                        table: reference.table, row: try row.get("number"), parent: reference.parent,
                        columns: reference.columns.map(\.name)))
            }
        }
    }

    /// The references of the tables, sorted by the names of the tables and constraints.
    private static func references(in transaction: any ReadTransaction) throws(StoreError) -> [Reference] {
        var references: [Reference] = []
        var last: Int64?
        for row in try transaction.rows(referenceColumns) {
            let number: Int64 = try row.get("constraint")
            if number != last { references.append(try Reference(row)) }
            last = number
            references[references.count - 1].columns.append(try Reference.Column(row))
        }
        return references
    }

    /// A row for each column of a reference. The number of a row is its primary key, when that is one whole number. A
    /// disabled trigger is on the table or on its parent.
    private static let referenceColumns: Query = """
        SELECT k.oid AS "constraint", c.relname AS owner, n.nspname AS parent_schema, p.relname AS parent,
            k.confmatchtype = 'f' AS is_full,
            k.convalidated AND NOT EXISTS (
                SELECT 1 FROM pg_catalog.pg_trigger AS g
                WHERE g.tgconstraint = k.oid AND g.tgenabled IN ('D', 'R')) AS is_enforced,
            (SELECT e.attname FROM pg_catalog.pg_constraint AS w JOIN pg_catalog.pg_attribute AS e
                ON e.attrelid = w.conrelid AND e.attnum = w.conkey[1]
                WHERE w.conrelid = c.oid AND w.contype = 'p' AND pg_catalog.cardinality(w.conkey) = 1
                    AND pg_catalog.format_type(e.atttypid, NULL) IN ('smallint', 'integer', 'bigint')) AS key,
            a.attname AS name, b.attname AS parent_name,
            (SELECT pg_catalog.quote_ident(m.nspname) || '.' || pg_catalog.quote_ident(l.collname)
                FROM pg_catalog.pg_collation AS l JOIN pg_catalog.pg_namespace AS m ON m.oid = l.collnamespace
                WHERE l.oid = b.attcollation AND a.attcollation <> b.attcollation) AS collation
        FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
            JOIN pg_catalog.pg_class AS p ON p.oid = k.confrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = p.relnamespace
            CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS u (own, other, place)
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = u.own
            JOIN pg_catalog.pg_attribute AS b ON b.attrelid = k.confrelid AND b.attnum = u.other
        WHERE c.relnamespace = \(PostgresCatalog.schema) AND k.contype = 'f' AND k.conparentid = 0::oid
        ORDER BY c.relname, k.conname, k.oid, u.place
        """
}

/// A reference of one table to another.
private struct Reference {
    struct Column {
        let name: String
        let parent: String
        /// The collation of the parent's column as SQL, if the two have different ones: the server does not choose.
        let collation: String?

        init(_ row: ResultRow) throws(StoreError) {
            (name, parent, collation) = try (row.get("name"), row.get("parent_name"), row.get("collation"))
        }
    }

    let table: String
    let parentSchema: String
    let parent: String
    /// The column with the number of a row; nil without one.
    let key: String?
    /// Whether a row with some NULLs is refused (`MATCH FULL`).
    let isFull: Bool
    let isEnforced: Bool
    var columns: [Column] = []

    init(_ row: ResultRow) throws(StoreError) {
        (table, parentSchema, parent) = try (row.get("owner"), row.get("parent_schema"), row.get("parent"))
        (key, isFull, isEnforced) = try (row.get("key"), row.get("is_full"), row.get("is_enforced"))
    }

    /// A query for the rows that refer to a missing row, with the column `number`.
    func question(in schema: String) -> Query {
        let number: Query = key.map { "c.\(identifier: $0)::bigint" } ?? "NULL::bigint"
        let present = columns.map { column -> Query in "c.\(identifier: column.name) IS NOT NULL" }
        let equal = columns.map { column -> Query in
            let collation = column.collation.map { Query.unchecked(sql: " COLLATE \($0)") } ?? ""
            return "p.\(identifier: column.parent) = c.\(identifier: column.name)\(collation)"
        }
        return """
            SELECT \(number) AS number FROM \(identifier: schema).\(identifier: table) AS c
            WHERE (\(Query.joined(present, by: isFull ? " OR " : " AND "))) AND NOT EXISTS (
                SELECT 1 FROM \(identifier: parentSchema).\(identifier: parent) AS p
                WHERE \(Query.joined(equal, by: " AND ")))
            """
    }
}
