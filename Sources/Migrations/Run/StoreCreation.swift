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
            try DatabaseChange(
                creating: database, path: location.path(of: database), identity: identity, engine: migrator.engine)
        }
        defer { changes.forEach { $0.connection.close() } }
        for change in changes {
            let steps = plans[change.database]?.steps ?? []
            for (index, step) in steps.enumerated() {
                migrator.progress(.migrating(change.database, step, number: index + 1, of: steps.count))
                try change.perform(step, countingRows: false, cancellation: migrator.cancellation)
            }
        }
        for change in changes { try change.connection.commit() }
    }

    /// Finishes or undoes what a run left that was making the store and did not come to its end.
    func clearUp(after record: IntentRecord) throws {
        if try isComplete(record) { return try IntentRecord.remove(location.intentPath) }
        for database in DatabaseName.allCases {
            try refuseForeign(database, record)
            removeFiles(of: database)
        }
        try IntentRecord.remove(location.intentPath)
    }

    private func isComplete(_ record: IntentRecord) throws -> Bool {
        for (database, course) in record.courses {
            guard let found = contents(of: database), found.identity?.storeID == record.storeID,
                found.version == course.to
            else { return false }
        }
        return true
    }

    /// A file that is not the recorded run's must not be removed, however it came there.
    private func refuseForeign(_ database: DatabaseName, _ record: IntentRecord) throws {
        guard let found = contents(of: database), let identity = found.identity, identity.storeID != record.storeID
        else { return }
        throw MigrationError.interruptedMigration(
            record, reason: "\(location.path(of: database)) belongs to another store")
    }

    private func contents(of database: DatabaseName) -> (identity: StoreIdentity?, version: String?)? {
        guard let connection = try? migrator.engine.open(location.path(of: database), as: .untrusted) else {
            return nil
        }
        defer { try? connection.close() }
        return try? connection.read { transaction in
            (try StoreIdentity.read(in: transaction), try Ledger.entries(in: transaction).last?.name)
        }
    }

    private func removeFiles(of database: DatabaseName) {
        for suffix in ["-wal", "-shm", "-journal", ""] {
            try? FileManager.default.removeItem(atPath: location.path(of: database) + suffix)
        }
    }
}
