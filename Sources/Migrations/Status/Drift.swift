public import ChatDBEngine
public import ChatDBSchema

extension StoreContext {
    /// What a database differs in from the schema of the version it claims, sorted; empty when in nothing. Changes nothing.
    ///
    /// Throws `differentHistory` or `needsDowngrade` for a version this build does not know.
    public func drift(of database: DatabaseName) throws -> [StructureDifference] {
        let connection = try open(database)
        defer { try? connection.close() }
        let ledger = try connection.read { try Ledger.entries(in: $0) }
        return try drift(of: database, in: connection, after: ledger)
    }

    /// The same of a database that is open already.
    package func drift(
        of database: DatabaseName, in connection: any StorageConnection, after ledger: [LedgerEntry]
    ) throws -> [StructureDifference] {
        try compared(database, in: connection, after: ledger)?.differences ?? []
    }

    /// The same, with the schema of the version; nil when the definitions are known to be those of the newest version,
    /// for which no schema is made.
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
        if ledger.count == known.count, try NewestSchema.isConfirmed(database, known, in: connection) { return nil }
        let structure = try connection.structure()
        let expected = try VersionSchemas(known, engine: engine).structure(after: ledger.count)
        return (structure.withoutLedger.differences(from: expected), expected)
    }

    /// The schema a database has now, without the engine's own tables. Changes nothing.
    public func liveStructure(of database: DatabaseName) throws -> DatabaseStructure {
        try wholeStructure(of: database).withoutLedger
    }

    /// The schema a database has now, the engine's own tables included. Changes nothing.
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
