package import ChatDBEngine
package import ChatDBSchema

/// Finds a database whose ledger has lost rows, at its end or in between: its schema is that of a version with further
/// migrations than the ledger says. A run would apply migrations a second time.
extension StoreContext {
    /// The migrations that the ledger of a database has lost. Changes nothing.
    ///
    /// - Parameter opened: the database, if it is open.
    package func lostMigrations(
        of database: DatabaseName, in opened: (any StorageConnection)? = nil
    ) throws -> [String] {
        try lostMigrations(of: database, in: opened, schemas: nil)
    }

    private func lostMigrations(
        of database: DatabaseName, in opened: (any StorageConnection)?, schemas: VersionSchemas?
    ) throws -> [String] {
        let connection = try opened ?? open(database)
        defer { if opened == nil { try? connection.close() } }
        let ledger = try connection.read { try Ledger.entries(in: $0) }
        return try lostMigrations(of: database, in: connection, after: ledger, schemas: schemas)
    }

    /// The same for an open database. The answer is empty if the ledger fits the schema, or if no version with further
    /// migrations fits it better: the schema has at most half as many differences from that version. It is also empty if
    /// the file of an applied migration was edited, because the schema of the version is then not known.
    package func lostMigrations(
        of database: DatabaseName, in connection: any StorageConnection, after ledger: [LedgerEntry]
    ) throws -> [String] {
        try lostMigrations(of: database, in: connection, after: ledger, schemas: nil)
    }

    private func lostMigrations(
        of database: DatabaseName, in connection: any StorageConnection, after ledger: [LedgerEntry],
        schemas known: VersionSchemas?
    ) throws -> [String] {
        let build = build[database] ?? []
        guard ledger.count < build.count, EditedNames(ledger, build).all.isEmpty else { return [] }
        let structure = try connection.structure().withoutLedger
        return try migrations(missingIn: ledger, of: database, for: structure, known ?? VersionSchemas(engine: engine))
    }

    /// The migrations that a ledger lacks of the version that fits the schema better, by the files as they are.
    func migrations(
        missingIn ledger: [LedgerEntry], of database: DatabaseName, for structure: DatabaseStructure,
        _ schemas: VersionSchemas
    ) throws -> [String] {
        let build = build[database] ?? []
        let names = Set(ledger.map(\.name))
        guard ledger.count < build.count, names.isSubset(of: build.map(\.name)) else { return [] }
        // A new database without a ledger has no tables either.
        if structure.tables.isEmpty { return [] }
        let applied = build.named(ledger.namesAsApplied)
        let last = names.max() ?? ""
        let later = build.filter { $0.name > last }
        let gaps = build.filter { $0.name < last && !names.contains($0.name) }
        // Without a gap, the order in which they were applied is known.
        let beginning = gaps.isEmpty ? applied : build.filter { $0.name <= last }
        // The migrations behind a gap may fail without those in it: no database has such a schema.
        let asListed = try? structure.differences(from: schemas.structure(after: applied)).count
        let now = asListed ?? Int.max
        if now == 0 { return [] }
        var best = (count: 0, differences: Int.max)
        for count in 0...later.count {
            let version = beginning + later.prefix(count)
            let found: Int
            do {
                found = try structure.differences(from: schemas.structure(after: version)).count
            } catch {
                // No database is at a version after a migration that fails, such as one that is still being written.
                if count == 0 { throw error }
                break
            }
            if found < best.differences { best = (count, found) }
        }
        guard best.differences <= now / 2 else { return [] }
        return (gaps + later.prefix(best.count)).map(\.name)
    }

    /// The databases of chatdb whose lists of migrations lost rows: they only seem to be older. A database with an
    /// empty list and with tables counts too if its tables are not those of these migrations.
    package var databasesWithLostMigrations: [DatabaseName] {
        DatabaseName.allCases.filter { database in
            guard build[database]?.isEmpty == false, let connection = try? open(database) else { return false }
            defer { try? connection.close() }
            // The database of another program has no list of chatdb's.
            guard (try? connection.applicationMark()) == StoreMark.of(database) else { return false }
            let hasLost = (try? lostMigrations(of: database, in: connection))?.isEmpty == false
            return hasLost || (try? hasUnlistedTables(database, in: connection)) == true
        }
    }

    /// The same for a plan, among the databases of the run. A run refuses the plan if there is one. A database without
    /// steps counts too: its lost migrations may be those that the plan should undo first.
    ///
    /// - Parameter connections: the databases, if they are open.
    package func databasesWithLostMigrations(
        in plan: StorePlan, _ connections: [DatabaseName: any StorageConnection]? = nil
    ) -> [DatabaseName] {
        databasesWithLostMigrations(in: plan, connections, StoreSchemas(self))
    }

    /// - Parameter schemas: those of the run, which needs the same schemas later.
    func databasesWithLostMigrations(
        in plan: StorePlan, _ connections: [DatabaseName: any StorageConnection]?, _ schemas: StoreSchemas
    ) -> [DatabaseName] {
        if plan.creates || plan.isEmpty { return [] }
        return DatabaseName.allCases.filter { database in
            guard let part = plan.databases[database] else { return false }
            let lost = try? lostMigrations(
                of: database, in: connections?[database], schemas: schemas.of(database))
            if lost?.isEmpty == false { return true }
            return !part.steps.isEmpty && (try? hasUnlistedTables(database, in: connections?[database])) == true
        }
    }

    /// Whether the ledger of a database of chatdb is empty, although the database has tables. It has lost its whole
    /// ledger. If ``lostMigrations(of:in:after:)`` names none, the tables are not those of these migrations either: a run
    /// up would add the tables of other migrations to them.
    package func hasUnlistedTables(
        _ connection: any StorageConnection, after ledger: [LedgerEntry]
    ) throws(StoreError) -> Bool {
        guard ledger.isEmpty else { return false }
        return try !connection.structure().withoutLedger.tables.isEmpty
    }

    private func hasUnlistedTables(_ database: DatabaseName, in opened: (any StorageConnection)?) throws -> Bool {
        let connection = try opened ?? open(database)
        defer { if opened == nil { try? connection.close() } }
        let ledger = try connection.read { try Ledger.entries(in: $0) }
        return try hasUnlistedTables(connection, after: ledger)
    }

    /// The ledger of a database as it was before the loss.
    package func ledger(_ ledger: [LedgerEntry], with lost: [String]) -> [LedgerEntry] {
        let added = lost.map { LedgerEntry(name: $0, appliedAt: "", down: nil, checksum: nil) }
        let last = ledger.map(\.name).max() ?? ""
        guard lost.contains(where: { $0 < last }) else { return ledger.adding(added) }
        // The places of lost rows are not known. A build applies its migrations in the order of their names.
        return (ledger + added).sorted { $0.name < $1.name }.enumerated().map { place, entry in
            LedgerEntry(
                name: entry.name, appliedAt: entry.appliedAt, down: entry.down, checksum: entry.checksum,
                note: entry.note, place: place)
        }
    }
}
