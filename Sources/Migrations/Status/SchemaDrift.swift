public import ChatDBEngine
public import ChatDBSchema

/// The differences of a database from the schema of its version, and those that can be repaired.
/// Rule: docs/migrations.md, "Drift".
public struct SchemaDrift: Sendable, Hashable {
    /// Missing indexes and triggers that can be recreated: the tables they belong to are intact.
    public let lost: [SchemaPart]
    /// Rows that a missing unique index would refuse, with the index, as `chat_tags 12 (idx_chat_tags_text)`; the first
    /// 100,000.
    public let duplicates: [String]
    /// The missing indexes that these rows prevent.
    public let blocked: Set<String>
    /// All other differences, sorted.
    public let others: [StructureDifference]
    /// Why the search for these rows failed, a clause; nil when it succeeded.
    public let unasked: String?

    /// The same, with missing indexes and triggers that were never there among the other differences.
    package func without(_ isExplained: (String) -> Bool) -> SchemaDrift {
        let never = lost.filter { isExplained($0.name) }
        if never.isEmpty { return self }
        let missing = never.map { StructureDifference(.missing, $0.isTrigger ? .trigger : .index, $0.name) }
        return SchemaDrift(
            lost: lost.filter { !never.contains($0) },
            duplicates: duplicates.filter { row in !never.contains { row.hasSuffix("(\($0.name))") } },
            blocked: blocked, others: (others + missing).sorted(), unasked: unasked)
    }
}

extension StoreContext {
    /// The drift of a database from the schema of its recorded version. Changes nothing.
    ///
    /// Throws `differentHistory` or `needsDowngrade` for a version this build does not know.
    public func schemaDrift(of database: DatabaseName) throws -> SchemaDrift {
        let connection = try open(database)
        defer { try? connection.close() }
        let ledger = try connection.read { try Ledger.entries(in: $0) }
        return try schemaDrift(of: database, in: connection, after: ledger)
    }

    /// The same for an open database.
    package func schemaDrift(
        of database: DatabaseName, in connection: any StorageConnection, after ledger: [LedgerEntry]
    ) throws -> SchemaDrift {
        guard let (differences, expected) = try compared(database, in: connection, after: ledger),
            !differences.isEmpty
        else { return SchemaDrift(lost: [], duplicates: [], blocked: [], others: [], unasked: nil) }
        let missing = MissingParts(differences, expected)
        var duplicates: [String] = []
        var blocked: Set<String> = []
        var unasked: String?
        for (name, index) in missing.indexes where index.unique {
            do {
                let table = expected.tables[index.table] ?? TableStructure(columns: [])
                let rows = try connection.read { try Self.duplicates(of: index, on: table, in: $0) }
                if !rows.isEmpty { blocked.insert(name) }
                duplicates += rows.map { "\(index.table) \($0) (\(name))" }
            } catch let error as StoreError where error.kind != .interrupted {
                unasked = error.message
            }
        }
        return SchemaDrift(
            lost: missing.parts, duplicates: Array(duplicates.prefix(100_000)), blocked: blocked,
            others: differences.filter { !missing.contains($0) }, unasked: unasked)
    }

    /// The numbers of the rows that an index would refuse; empty for a table without row numbers.
    private static func duplicates(
        of index: IndexStructure, on table: TableStructure, in transaction: any ReadTransaction
    ) throws -> [Int64] {
        guard let number = transaction.dialect.rowNumber(table) else { return [] }
        let columns = index.shownColumns.map { $0.hasSuffix(" DESC") ? String($0.dropLast(5)) : $0 }
        let conditions = columns.map { "\($0) IS NOT NULL" } + (index.condition.map { ["(\($0.shown))"] } ?? [])
        let key = Query.unchecked(sql: columns.joined(separator: ", "))
        let condition = Query.unchecked(sql: conditions.joined(separator: " AND "))
        let question: Query = """
            SELECT number FROM (
                SELECT \(number) AS number, count(*) OVER (PARTITION BY \(key)) AS same
                FROM \(identifier: index.table) WHERE \(condition)) AS counted
            WHERE same > 1 ORDER BY number LIMIT 100000
            """
        do {
            return try transaction.rows(question).map { try $0.get("number") }
        } catch let error as StoreError where error.kind == .sql {
            return []
        }
    }
}

/// The missing indexes and triggers that can be recreated.
private struct MissingParts {
    /// Sorted by name.
    let indexes: [(name: String, index: IndexStructure)]
    let triggers: [(name: String, trigger: TriggerStructure)]

    init(_ differences: [StructureDifference], _ expected: DatabaseStructure) {
        let lost = differences.filter { $0.kind == .missing }
        let columns = lost.filter { $0.object == .column }.map(\.name)
        let tables = Set(lost.filter { $0.object == .table }.map(\.name))
        func isWhole(_ table: String) -> Bool {
            !tables.contains(table) && !columns.contains { $0.hasPrefix("\(table).") }
        }
        indexes = lost.filter { $0.object == .index }.compactMap { lost in
            expected.indexes[lost.name].flatMap { isWhole($0.table) ? (lost.name, $0) : nil }
        }
        // A trigger may use other tables than its own, and calls a function in PostgreSQL; without them every write
        // would fail.
        let isCallable = tables.isEmpty && columns.isEmpty && !lost.contains { $0.object == .function }
        triggers = lost.filter { $0.object == .trigger && isCallable }.compactMap { lost in
            expected.triggers[lost.name].map { (lost.name, $0) }
        }
    }

    var parts: [SchemaPart] {
        indexes.map { SchemaPart(name: $0.name, isTrigger: false, sql: SchemaText.index($0.name, $0.index)) }
            + triggers.map { SchemaPart(name: $0.name, isTrigger: true, sql: $0.trigger.text.shown) }
    }

    func contains(_ difference: StructureDifference) -> Bool {
        guard difference.kind == .missing else { return false }
        switch difference.object {
        case .index: return indexes.contains { $0.name == difference.name }
        case .trigger: return triggers.contains { $0.name == difference.name }
        case .table, .column, .view, .function: return false
        }
    }
}

extension StoreContext {
    /// The differences of a database from the schema of its recorded version, sorted; empty without any. Changes
    /// nothing.
    ///
    /// Throws `differentHistory` or `needsDowngrade` for a version this build does not know.
    public func drift(of database: DatabaseName) throws -> [StructureDifference] {
        let connection = try open(database)
        defer { try? connection.close() }
        let ledger = try connection.read { try Ledger.entries(in: $0) }
        return try drift(of: database, in: connection, after: ledger)
    }

    /// The same, also for a database that lacks migrations which come before one that it has: its version is then what
    /// it has applied. Nil if the build lacks an applied migration, or if the applied ones alone make no schema.
    package func driftAsApplied(of database: DatabaseName) throws -> [StructureDifference]? {
        let connection = try open(database)
        defer { try? connection.close() }
        let ledger = try connection.read { try Ledger.entries(in: $0) }
        guard let applied = (build[database] ?? []).allNamed(ledger.namesAsApplied),
            let expected = try? VersionSchemas(engine: engine).structure(after: applied)
        else { return nil }
        return try connection.structure().withoutLedger.differences(from: expected)
    }

    /// The same as ``drift(of:)`` for an open database.
    package func drift(
        of database: DatabaseName, in connection: any StorageConnection, after ledger: [LedgerEntry]
    ) throws -> [StructureDifference] {
        try compared(database, in: connection, after: ledger)?.differences ?? []
    }

    /// The same, with the schema of the version; nil when the definitions are known to be those of the newest version,
    /// whose schema is then not built.
    func compared(
        _ database: DatabaseName, in connection: any StorageConnection, after ledger: [LedgerEntry]
    ) throws -> (differences: [StructureDifference], expected: DatabaseStructure)? {
        let known = build[database] ?? []
        for (migration, entry) in zip(known, ledger) where migration.name != entry.name {
            throw MigrationError.differentHistory(database, build: migration.name, database: entry.name)
        }
        guard ledger.count <= known.count else {
            throw MigrationError.needsDowngrade(ledger.dropFirst(known.count).map(\.name))
        }
        let applied = known.named(ledger.namesAsApplied)
        if applied.count == known.count, try NewestSchema.isConfirmed(database, applied, in: connection) { return nil }
        let structure = try connection.structure()
        let expected = try VersionSchemas(engine: engine).structure(after: applied)
        return (structure.withoutLedger.differences(from: expected), expected)
    }

    /// The current schema of a database, without chatdb's internal tables. Changes nothing.
    public func liveStructure(of database: DatabaseName) throws -> DatabaseStructure {
        try wholeStructure(of: database).withoutLedger
    }

    /// The current schema of a database, including chatdb's internal tables. Changes nothing.
    package func wholeStructure(of database: DatabaseName) throws -> DatabaseStructure {
        let connection = try open(database)
        defer { try? connection.close() }
        return try connection.structure()
    }

    func open(_ database: DatabaseName) throws(MigrationError) -> any StorageConnection {
        let path = location.path(of: database)
        do {
            return try engine.open(path, as: .untrusted)
        } catch {
            throw .database(database, path: path, error)
        }
    }
}
