import ChatDBEngine

/// A new schema that a copy fills.
extension PostgresMigrationConnection: TableTarget, PostgresTableReading {
    /// References go first, because the server keeps a key to which one leads; triggers and references come back last.
    func setAside() throws(StoreError) -> [SetAside] {
        try session.removeTimeLimits()
        let constraints = try transaction().rows(
            """
            SELECT k.conname AS name, c.relname AS owner, k.contype = 'f' AS is_reference,
                pg_catalog.pg_get_constraintdef(k.oid) AS definition
            FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
            WHERE c.relnamespace = \(PostgresCatalog.schema) AND k.contype IN ('f', 'p', 'u', 'x')
            ORDER BY k.contype <> 'f', c.relname, k.conname
            """)
        let indexes = try transaction().rows(
            """
            SELECT i.relname AS name, c.relname AS owner, pg_catalog.pg_get_indexdef(x.indexrelid) AS definition
            FROM pg_catalog.pg_index AS x JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid
                JOIN pg_catalog.pg_class AS c ON c.oid = x.indrelid
            WHERE c.relnamespace = \(PostgresCatalog.schema)
                AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint AS k WHERE k.conindid = x.indexrelid
                    AND k.conrelid = x.indrelid AND k.contype IN ('p', 'u', 'x'))
            ORDER BY i.relname
            """)
        let triggers = try transaction().rows(
            """
            SELECT t.tgname AS name, c.relname AS owner, pg_catalog.pg_get_triggerdef(t.oid) AS definition
            FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid
            WHERE c.relnamespace = \(PostgresCatalog.schema) AND NOT t.tgisinternal ORDER BY t.tgname
            """)
        var (keys, references, others): ([SetAside], [SetAside], [SetAside]) = ([], [], [])
        for row in constraints {
            let (name, owner): (String, String) = (try row.get("name"), try row.get("owner"))
            let table = qualified(owner)
            let definition: String = try row.get("definition")
            let part = SetAside(
                name: name, sql: "ALTER TABLE \(table) ADD CONSTRAINT \(SQLName.quoted(name)) \(definition)", of: owner)
            if try row.get("is_reference") { references.append(part) } else { keys.append(part) }
            try command("ALTER TABLE \(table) DROP CONSTRAINT \(SQLName.quoted(name))")
        }
        for row in indexes {
            let part = SetAside(
                name: try row.get("name"), sql: try row.get("definition"), of: try row.get("owner") as String)
            keys.append(part)
            try command("DROP INDEX \(qualified(part.name))")
        }
        for row in triggers {
            let part = SetAside(name: try row.get("name"), sql: try row.get("definition"))
            others.append(part)
            try command("DROP TRIGGER \(SQLName.quoted(part.name)) ON \(try qualified(row.get("owner")))")
        }
        try session.raiseMemoryOfIndexes()
        // With the two that are the default, the indexes take a quarter longer on two processors (*measured*).
        try command("SET LOCAL max_parallel_maintenance_workers = 1")
        return keys + references + others
    }

    func putBack(_ part: SetAside) throws(StoreError) { try command(part.sql) }

    /// The name of a table or index with the schema.
    private func qualified(_ name: String) -> String { "\(SQLName.quoted(schema)).\(SQLName.quoted(name))" }

    func fill(
        _ table: String, _ columns: [CopiedColumn], _ rows: (_ insert: ([CopiedValue]) throws -> Void) throws -> Void
    ) throws {
        let copy = try PostgresRowCopy(into: table, columns, schema: schema, session)
        do {
            try rows { try copy.add($0) }
        } catch {
            copy.stop()
            throw error
        }
        try copy.finish()
    }

    func setLastNumbers(_ numbers: [String: Int64]) throws(StoreError) {
        let rows = try transaction().rows(
            """
            SELECT c.relname AS name, a.attname AS column, s.relname AS sequence
            FROM \(PostgresTableRows.sequences) WHERE c.relnamespace = \(PostgresCatalog.schema)
            """)
        for row in rows {
            let (table, column): (String, String) = (try row.get("name"), try row.get("column"))
            let largest = try count(
                "SELECT max(\(identifier: column)) AS largest FROM \(identifier: schema).\(identifier: table)")
            let last = max(Int64(largest), numbers[table] ?? 0)
            guard last > 0 else { continue }
            let sequence = try qualified(row.get("sequence"))
            _ = try first("SELECT pg_catalog.setval(\(sequence)::regclass, \(last))")
        }
    }
}
