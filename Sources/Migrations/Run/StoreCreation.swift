import ChatDBEngine
import ChatDBSchema
import Foundation

/// Creates a store.
struct StoreCreation {
    private let context: StoreContext
    private let options: MigrationOptions
    /// The identity of the new store.
    var identity = StoreIdentity.new()
    /// The store of which the new one is a copy, for the record; nil for an empty store.
    var copiedFrom: String?
    /// Fills the new databases, agent first, before any of them is committed.
    var filling: ([DatabaseMigration]) throws -> Void = { _ in }
    /// Works on the new databases after the commit. Its failure is not one of the creation.
    var finishing: ([DatabaseMigration]) -> Void = { _ in }
    private var location: StoreLocation { context.location }

    init(_ context: StoreContext, _ options: MigrationOptions) {
        self.context = context
        self.options = options
    }

    /// Creates the databases at the target version. If anything fails before both are complete, it removes the files
    /// that it created, and only those; the next run removes the rest, which the record explains.
    func make() throws -> MigrationReport {
        try context.refuseLonelyMaking()
        if location.server == nil {
            for database in context.databases { try context.refuseStrayFiles(of: database) }
        }
        let ledgers = Dictionary(uniqueKeysWithValues: context.databases.map { ($0, [LedgerEntry]()) })
        let plans = try DatabasePlan.all(for: options.target, ledgers: ledgers, build: context.concernedBuild)
        let record = IntentRecord(
            run: UUID().uuidString.lowercased(), startedAt: Date().formatted(.iso8601), creates: true,
            storeID: identity.storeID, generation: identity.generation,
            courses: plans.mapValues { .init(from: nil, to: $0.to, steps: $0.steps.map(\.name)) }, backup: nil,
            copiedFrom: copiedFrom, isEncrypted: context.engine.encryptsNewDatabases)
        try record.write(at: location)
        var made: [DatabaseName] = []
        do {
            try fill(plans, made: &made)
            if location.server == nil { try FileSync.folder(location.folder) }
        } catch {
            if location.server != nil { throw afterFailure(error) }
            guard undo(made) else { throw MigrationFailure(error: MigrationError(error), state: .partlyMade) }
            throw error
        }
        do {
            try IntentRecord.remove(at: location)
        } catch {
            throw MigrationFailure(error: MigrationError(error), state: .migrated(record))
        }
        let plan = StorePlan(databases: plans, creates: true, interrupted: nil)
        return MigrationReport(
            plan: plan, created: true, completion: nil, backup: nil, removedBackups: [], findings: [:])
    }

    /// The error of a creation on a server, which is undone unless its commit was made.
    private func afterFailure(_ error: any Error) -> any Error {
        let known = MigrationError(error)
        guard case .database(_, _, let cause) = known, cause.kind == .commitUnknown else { return error }
        return MigrationFailure(error: known, state: .unknown(backup: nil))
    }

    /// Refuses triggers, views and foreign keys that lack what they need, as a run in an existing store does. The tests
    /// show that chatdb's own migrations leave none.
    private func refuseBroken(_ part: DatabaseMigration, after plan: DatabasePlan) throws {
        guard context.isOfFolder else { return }
        let (definitions, references) = (
            try part.connection.brokenDefinitions(), try part.connection.brokenReferences()
        )
        if definitions.isEmpty, references.isEmpty { return }
        let schemas = try VersionSchemas(engine: context.engine, of: part.database)
        let build = context.build[part.database] ?? []
        try schemas.refuseBrokenDefinitions(of: part.database, after: plan, of: build)
        try schemas.refuseBrokenReferences(of: part.database, after: plan, of: build)
    }

    /// - Parameter made: the databases whose files this run created, also when it fails.
    private func fill(
        _ plans: [DatabaseName: DatabasePlan], made: inout [DatabaseName]
    ) throws {
        var taken: [DatabaseMigration] = []
        let connections = context.engine.migrationConnections(waiting: context.lockTimeout)
        defer { taken.forEach { $0.connection.close() } }
        for database in context.databases {
            let path = location.path(of: database)
            try MigrationError.naming(database, path) {
                let connection = try connections.open(path, creating: true)
                made.append(database)
                taken.append(
                    try DatabaseMigration(creating: database, path: path, identity: identity, on: connection))
            }
        }
        for part in taken {
            let steps = plans[part.database]?.steps ?? []
            for (index, step) in steps.enumerated() {
                try AppliedSteps.run(
                    step, of: part.database, on: part.connection, context.cancellation,
                    progress: {
                        context.progress(.migrating(part.database, step, number: index + 1, of: steps.count, $0))
                    })
            }
            if let plan = plans[part.database] { try refuseBroken(part, after: plan) }
        }
        try filling(taken)
        for part in taken {
            try MigrationError.naming(part.database, part.path) { try part.connection.commit() }
        }
        finishing(taken)
    }

    /// Finishes or undoes the interrupted creation of a store. Removes nothing unless all files come from that run.
    func clearUp(after record: IntentRecord) throws {
        let databases = DatabaseName.allCases.filter { record.courses[$0] != nil }
        let left = try databases.map { database in
            let path = location.path(of: database)
            let part: InterruptedCreation
            do throws(StoreError) {
                part = try InterruptedCreation(of: record, at: path, engine: context.engine)
            } catch {
                throw MigrationError.database(database, path: path, error)
            }
            guard part != .foreign else {
                throw MigrationError.interruptedMigration(record, reason: .foreignFile(path: path))
            }
            return part
        }
        if !left.allSatisfy({ $0 == .committed }) { try databases.forEach(removeFiles) }
        try IntentRecord.remove(at: location)
    }

    /// Whether all created files were removed.
    private func undo(_ made: [DatabaseName]) -> Bool {
        do {
            try made.forEach(removeFiles)
            try IntentRecord.remove(at: location)
            return true
        } catch {
            return false
        }
    }

    private func removeFiles(of database: DatabaseName) throws(StoreError) {
        // The database before its journal: without the journal, nothing could be made of a half-written database.
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try DurableFile.remove(location.path(of: database) + suffix)
        }
    }
}

/// The state in which an interrupted creation left one database.
enum InterruptedCreation: Hashable {
    /// No file, or an empty one: the run was killed before its commit.
    case empty
    /// The complete database: it has the store's id, which is committed together with everything else.
    case committed
    /// A file of another origin. It must not be removed.
    case foreign

    /// The file that SQLite creates before the first commit has one page; chatdb does not remove a larger one.
    private static let firstPage: Int64 = 4096

    /// The errors that say what a file is. Others say nothing about it: another program has it open, or the disk failed.
    private static let errorsOfContent: Set<StoreError.Kind> = [
        .notADatabase, .truncated, .damaged, .otherEncoding, .encryptedUnsupported,
    ]

    /// Examines the file at the path. Throws `encrypted` or `wrongPassphrase` if that needs a passphrase, and the error
    /// of a file that cannot be read now.
    init(of record: IntentRecord, at path: String, engine: any StorageEngine) throws(StoreError) {
        let state = FileState(at: path)
        guard state != .missing, let bytes = state.bytes else {
            self = state == .missing ? .empty : .foreign
            return
        }
        let isFirstPage = bytes <= Self.firstPage
        do throws(StoreError) {
            let connection = try engine.open(path, as: .untrusted)
            defer { try? connection.close() }
            if let identity = try? connection.read({ try StoreIdentity.read(in: $0) }) {
                self = identity.storeID == record.storeID ? .committed : .foreign
            } else {
                self = try connection.structure().tables.isEmpty ? .empty : .foreign
            }
        } catch {
            let isLocked = [.encrypted, .wrongPassphrase].contains(error.kind)
            guard Self.errorsOfContent.contains(error.kind) || isLocked && isFirstPage else { throw error }
            // Cut off in the middle of its first page by a power cut.
            self = isFirstPage ? .empty : .foreign
        }
    }
}
