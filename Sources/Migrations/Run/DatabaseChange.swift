import ChatDBEngine
import ChatDBSchema

/// One database in the hands of a run: its connection, inside its transaction, and what was found there.
final class DatabaseChange {
    let database: DatabaseName
    let path: String
    let connection: any MigrationConnection
    let ledger: [LedgerEntry]
    let identity: StoreIdentity?
    /// Set by the checks before the run.
    var findings = MigrationReport.Findings()
    /// What the run throws away, read before it does.
    var losses: [Loss] = []
    /// By how many rows tables that were there before the run got shorter, by their names from then.
    private var deleted: [String: Int] = [:]
    /// By the names they have now, the names from before the run.
    private var namesBefore: [String: String]?
    var danglingBefore: DanglingReferences = [:]
    /// Tables whose rows have numbers that stay.
    var numberedBefore: Set<String> = []
    /// What differs from the schema of the version before; nil when this build does not know that version.
    var driftBefore: [StructureDifference]?
    /// Tables the run has written.
    private(set) var touched: Set<String> = []

    /// Takes a database that exists: opens it and begins.
    init(_ database: DatabaseName, path: String, engine: any StorageEngine) throws {
        self.database = database
        self.path = path
        let connection = try engine.openForMigration(path, creating: false)
        self.connection = connection
        do {
            try connection.begin()
            ledger = try Ledger.entries(in: connection)
            identity = try StoreIdentity.read(in: connection)
        } catch {
            connection.close()
            throw error
        }
    }

    /// Takes a database that was just made and begins: empty, marked as ours, with the engine's own tables.
    init(
        creating database: DatabaseName, path: String, identity: StoreIdentity, on connection: any MigrationConnection
    ) throws {
        self.database = database
        self.path = path
        self.identity = identity
        ledger = []
        self.connection = connection
        do {
            try connection.begin()
            try connection.setApplicationMark(StoreMark.of(database))
            try Ledger.create(in: connection)
            try identity.insert(in: connection)
        } catch {
            connection.close()
            throw error
        }
    }

    deinit { connection.close() }

    /// Applies or undoes one migration and notes it in the ledger.
    /// - Parameter countingRows: whether to watch that no rows get lost; a new database has none.
    func perform(_ step: MigrationStep, countingRows: Bool, cancellation: Cancellation) throws {
        var counts = countingRows ? try RowCounts(connection) : nil
        if countingRows, namesBefore == nil {
            namesBefore = Dictionary(uniqueKeysWithValues: try connection.ordinaryTables().map { ($0, $0) })
        }
        do {
            try MigrationScripts.run(step.script, on: connection) { _, effect in
                try cancellation.check()
                try counts?.note(effect)
            } after: { effect in
                try counts?.follow(effect)
            }
        } catch let failure as StatementFailure {
            if failure.cause.kind == .interrupted, cancellation.isRequested { throw MigrationError.interrupted }
            throw MigrationError.migrationFailed(FailedStatement(failure, of: step, database))
        }
        if let counts {
            if step.directives.contains(.dataLoss) {
                for (table, rows) in try counts.deleted() {
                    if let name = namesBefore?[table] { deleted[name, default: 0] += rows }
                }
            } else {
                try counts.check(database, migration: step.name)
                // What going down throws away is told before and consented to.
                if step.direction == .up, let (table, column) = try counts.lostColumn() {
                    let isDrift = driftBefore?.contains { $0.kind == .extra && $0.name == "\(table).\(column)" } == true
                    throw MigrationError.lostColumn(
                        database, migration: step.name, table: table, column: column, isDrift: isDrift)
                }
            }
            try follow(counts.renames)
            touched.formUnion(try counts.touched())
            if !counts.renames.isEmpty { follow(counts.renames, try connection.columns()) }
        }
        if let migration = step.migration {
            try Ledger.add(migration, in: connection)
        } else {
            try Ledger.remove(step.name, in: connection)
        }
    }

    /// Tables under the names they have now; those that are gone, or were made since, are none of them.
    private func follow(_ renames: Renames) throws {
        let now = try connection.ordinaryTables()
        let pairs = (namesBefore ?? [:]).map { (renames.name(of: $0.key, among: now), $0.value) }
        namesBefore = Dictionary(pairs.filter { now.contains($0.0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension DatabaseChange {
    /// What was found before, under the names that things have now.
    private func follow(_ renames: Renames, _ now: Renames.Columns) {
        danglingBefore = danglingBefore.renamed(renames, now)
        numberedBefore = Set(numberedBefore.map { renames.name(of: $0, among: now.keys) })
        driftBefore = driftBefore?.map { $0.renamed(renames, now) }
    }

    /// What the run has thrown away: of tables and columns what was found before, of rows by how many a table got
    /// shorter.
    var thrownAway: [Loss] {
        let gone = losses.filter { $0.kind != .rows }
        let tables = Set(gone.filter { $0.kind == .table }.map(\.table))
        return gone
            + deleted.filter { !tables.contains($0.key) }.sorted { $0.key < $1.key }
            .map { Loss(deletedFrom: $0.key, rows: $0.value) }
    }

    /// Refuses a result that is not the schema of the version, apart from what differed before, and references to nothing
    /// that were not there before.
    func verify(_ version: String?, build: [Migration], schemas: VersionSchemas) throws {
        let structure = try connection.structure().withoutLedger
        let made = try connection.danglingReferences(touching: touched)
            .made(since: danglingBefore, numbered: numberedBefore, in: structure)
        guard made.isEmpty else { throw MigrationError.madeDanglingReferences(database, made) }
        let expected = try schemas.structure(after: build.count(upTo: version))
        let unexplained = structure.differences(from: expected).filter { difference in
            !(driftBefore ?? []).contains { $0.isAboutTheSame(as: difference) }
        }
        guard unexplained.isEmpty else { throw MigrationError.wrongResult(database, version: version, unexplained) }
    }
}

extension [Migration] {
    /// How many of them a version has; none without a version.
    func count(upTo version: String?) -> Int {
        version.map { name in prefix { $0.name <= name }.count } ?? 0
    }
}

extension DatabaseStructure {
    /// Without the engine's own tables, which belong to no version.
    var withoutLedger: DatabaseStructure {
        var copy = self
        for table in Ledger.tables { copy.tables[table] = nil }
        return copy
    }
}
