package import ChatDBEngine
package import ChatDBSchema

/// Finds a database whose ledger has lost rows: its schema is that of a later version than the ledger says. A run would
/// apply migrations a second time.
extension StoreContext {
    /// The migrations that the ledger of a database has lost. Changes nothing.
    package func lostMigrations(of database: DatabaseName) throws -> [String] {
        let connection = try open(database)
        defer { try? connection.close() }
        let ledger = try connection.read { try Ledger.entries(in: $0) }
        return try lostMigrations(of: database, in: connection, after: ledger)
    }

    /// The same for an open database. The answer is empty if the ledger fits the schema, or if no later version fits it
    /// better: the schema has at most half as many differences from that version.
    package func lostMigrations(
        of database: DatabaseName, in connection: any StorageConnection, after ledger: [LedgerEntry]
    ) throws -> [String] {
        let known = build[database] ?? []
        guard ledger.count < known.count, zip(known, ledger).allSatisfy({ $0.name == $1.name }) else { return [] }
        let structure = try connection.structure().withoutLedger
        // A new database without a ledger has no tables either.
        if structure.tables.isEmpty { return [] }
        let schemas = try VersionSchemas(engine: engine)
        let applied = known.named(ledger.namesAsApplied)
        func differences(after count: Int) throws -> Int {
            try structure.differences(from: schemas.structure(after: applied + known[ledger.count..<count])).count
        }
        let now = try differences(after: ledger.count)
        if now == 0 { return [] }
        var best = (count: ledger.count, differences: now)
        for count in (ledger.count + 1)...known.count {
            let found = try differences(after: count)
            if found < best.differences { best = (count, found) }
        }
        guard best.differences * 2 <= now else { return [] }
        return known[ledger.count..<best.count].map(\.name)
    }

    /// The ledger of a database as it was before the loss.
    package func ledger(_ ledger: [LedgerEntry], with lost: [String]) -> [LedgerEntry] {
        ledger.adding(lost.map { LedgerEntry(name: $0, appliedAt: "", down: nil, checksum: nil) })
    }
}
