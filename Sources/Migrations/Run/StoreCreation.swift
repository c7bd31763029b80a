import ChatDBEngine
import ChatDBSchema
import Foundation

/// Makes a store that is not there.
struct StoreCreation {
    private let context: StoreContext
    private let options: MigrationOptions
    private var location: StoreLocation { context.location }

    init(_ context: StoreContext, _ options: MigrationOptions) {
        self.context = context
        self.options = options
    }

    /// Makes the databases at the target version. If anything fails before both are there, what was made is removed
    /// again, and nothing but that; what cannot be removed is left to the next run, with the record.
    func make() throws -> MigrationReport {
        try context.refuseLonelyMaking()
        for database in context.databases { try Self.refuseStrayFiles(of: database, at: location) }
        let identity = StoreIdentity(storeID: UUID().uuidString.lowercased(), generation: 1)
        let ledgers = Dictionary(uniqueKeysWithValues: context.databases.map { ($0, [LedgerEntry]()) })
        let plans = try DatabasePlan.all(for: options.target, ledgers: ledgers, build: context.concernedBuild)
        let record = IntentRecord(
            run: UUID().uuidString.lowercased(), startedAt: Date().formatted(.iso8601), creates: true,
            storeID: identity.storeID, generation: 1,
            courses: plans.mapValues { .init(from: nil, to: $0.to, steps: $0.steps.map(\.name)) }, backup: nil)
        try record.write(location.intentPath)
        var made: [DatabaseName] = []
        do {
            try fill(plans, identity, made: &made)
            try FileSync.folder(location.folder)
        } catch {
            guard undo(made) else { throw MigrationFailure(error: MigrationError(error), state: .partlyMade) }
            throw error
        }
        do {
            try IntentRecord.remove(location.intentPath)
        } catch {
            throw MigrationFailure(error: MigrationError(error), state: .migrated(record))
        }
        let plan = StorePlan(databases: plans, creates: true, interrupted: nil)
        return MigrationReport(
            plan: plan, created: true, completion: nil, backup: nil, removedBackups: [], findings: [:])
    }

    /// - Parameter made: the databases whose files this run has made, also when it fails.
    private func fill(
        _ plans: [DatabaseName: DatabasePlan], _ identity: StoreIdentity, made: inout [DatabaseName]
    ) throws {
        var changes: [DatabaseChange] = []
        defer { changes.forEach { $0.connection.close() } }
        for database in context.databases {
            let path = location.path(of: database)
            try MigrationError.naming(database, path) {
                let connection = try context.engine.openForMigration(path, creating: true)
                made.append(database)
                changes.append(
                    try DatabaseChange(creating: database, path: path, identity: identity, on: connection))
            }
        }
        for change in changes {
            let steps = plans[change.database]?.steps ?? []
            for (index, step) in steps.enumerated() {
                context.progress(.migrating(change.database, step, number: index + 1, of: steps.count))
                try change.perform(step, countingRows: false, cancellation: context.cancellation)
            }
        }
        for change in changes {
            try MigrationError.naming(change.database, change.path) { try change.connection.commit() }
        }
    }

    /// Finishes or undoes what a run left that was making the store and did not come to its end. Nothing is removed
    /// unless all that is there is that run's.
    func clearUp(after record: IntentRecord) throws {
        let databases = DatabaseName.allCases.filter { record.courses[$0] != nil }
        let remains = try databases.map { database in
            let remains = Remains(of: record, at: location.path(of: database), engine: context.engine)
            guard remains != .foreign else {
                throw MigrationError.interruptedMigration(
                    record, reason: "\(location.path(of: database)) is not what it was making")
            }
            return remains
        }
        if !remains.allSatisfy({ $0 == .committed }) { try databases.forEach(removeFiles) }
        try IntentRecord.remove(location.intentPath)
    }

    /// A log or journal without its database would be taken for the new one's, and be lost.
    static func refuseStrayFiles(of database: DatabaseName, at location: StoreLocation) throws(MigrationError) {
        for suffix in ["-wal", "-journal"] {
            let path = location.path(of: database) + suffix
            if FileState(at: path) != .missing { throw .strayFile(path: path) }
        }
    }

    /// Whether nothing is left of what was made.
    private func undo(_ made: [DatabaseName]) -> Bool {
        do {
            try made.forEach(removeFiles)
            try IntentRecord.remove(location.intentPath)
            return true
        } catch {
            return false
        }
    }

    private func removeFiles(of database: DatabaseName) throws(StoreError) {
        for suffix in ["-wal", "-shm", "-journal", ""] {
            try DurableFile.remove(location.path(of: database) + suffix)
        }
    }
}
