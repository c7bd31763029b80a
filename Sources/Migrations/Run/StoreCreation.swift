import Engine
import Foundation
import Schema

/// Makes a store that is not there.
struct StoreCreation {
    private let migrator: Migrator
    private var location: StoreLocation { migrator.location }

    init(_ migrator: Migrator) {
        self.migrator = migrator
    }

    /// Makes the databases at the target version. If anything fails, nothing is left of them.
    func make() throws -> MigrationReport {
        let identity = StoreIdentity(storeID: UUID().uuidString.lowercased(), generation: 1)
        let ledgers = Dictionary(uniqueKeysWithValues: migrator.databases.map { ($0, [LedgerEntry]()) })
        let plans = try DatabasePlan.all(for: migrator.options.target, ledgers: ledgers, build: migrator.concerned)
        let record = IntentRecord(
            run: UUID().uuidString.lowercased(), startedAt: Date().formatted(.iso8601), creates: true,
            storeID: identity.storeID, generation: 1,
            courses: plans.mapValues { .init(from: nil, to: $0.to, steps: $0.steps.map(\.name)) }, backup: nil)
        try record.write(location.intentPath)
        do {
            try fill(plans, identity)
            try FileSync.folder(location.folder)
        } catch {
            for database in migrator.databases { removeFiles(of: database) }
            try? IntentRecord.remove(location.intentPath)
            throw error
        }
        try IntentRecord.remove(location.intentPath)
        let plan = StorePlan(databases: plans, creates: true, interrupted: nil)
        return MigrationReport(
            plan: plan, created: true, completed: nil, backup: nil, removedBackups: [], findings: [:])
    }

    private func fill(_ plans: [DatabaseName: DatabasePlan], _ identity: StoreIdentity) throws {
        let changes = try migrator.databases.map { database in
            let path = location.path(of: database)
            return try MigrationError.naming(database, path) {
                try DatabaseChange(creating: database, path: path, identity: identity, engine: migrator.engine)
            }
        }
        defer { changes.forEach { $0.connection.close() } }
        for change in changes {
            let steps = plans[change.database]?.steps ?? []
            for (index, step) in steps.enumerated() {
                migrator.progress(.migrating(change.database, step, number: index + 1, of: steps.count))
                try change.perform(step, countingRows: false, cancellation: migrator.cancellation)
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
            let remains = Remains(of: record, at: location.path(of: database), engine: migrator.engine)
            guard remains != .foreign else {
                throw MigrationError.interruptedMigration(
                    record, reason: "\(location.path(of: database)) is not what it was making")
            }
            return remains
        }
        if !remains.allSatisfy({ $0 == .committed }) { databases.forEach(removeFiles) }
        try IntentRecord.remove(location.intentPath)
    }

    private func removeFiles(of database: DatabaseName) {
        for suffix in ["-wal", "-shm", "-journal", ""] {
            try? FileManager.default.removeItem(atPath: location.path(of: database) + suffix)
        }
    }
}
