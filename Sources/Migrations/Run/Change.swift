import ChatDBEngine
import ChatDBSchema
import Foundation

/// The change of a store that exists: checks, backup, migrations, and two commits with the intent record around them.
struct Change {
    struct Result {
        let backup: String?
        let removedBackups: [String]
        let findings: [DatabaseName: MigrationReport.Findings]
        var losses: [DatabaseName: [Loss]] = [:]
    }

    private let context: StoreContext
    private let options: MigrationOptions
    private let changes: [DatabaseChange]
    private let plans: [DatabaseName: DatabasePlan]
    private let generation: Int64
    /// The interrupted run this one completes; its agent is committed already.
    private let completing: IntentRecord?

    /// - Parameter changes: agent first, each inside its transaction.
    init(
        _ context: StoreContext, _ options: MigrationOptions, _ changes: [DatabaseChange],
        _ plans: [DatabaseName: DatabasePlan], generation: Int64,
        completing: IntentRecord?
    ) {
        self.context = context
        self.options = options
        self.changes = changes
        self.plans = plans
        self.generation = generation
        self.completing = completing
    }

    func make() throws -> Result {
        var backup: String?
        do {
            try prepare()
            try readLosses()
            backup = try makeBackup()
            for change in changes {
                try MigrationError.naming(change.database, change.path) { try migrate(change) }
            }
            try context.cancellation.check()
            return try commit(backup: backup)
        } catch let failure as MigrationFailure {
            throw failure
        } catch {
            changes.forEach { $0.connection.close() }
            // Whoever tries again and again gets no more copies than they asked for.
            if let backup { _ = removeOldBackups(newest: backup) }
            throw MigrationFailure(
                error: MigrationError(error), state: backup.map { .unchangedWithBackup($0) } ?? .unchanged)
        }
    }

    private func removeOldBackups(newest: String) -> [String] {
        OldBackups.remove(keeping: options.keepBackups, of: changes.first?.identity, newest: newest)
    }

    // MARK: Before

    private func prepare() throws {
        let checks = PreChecks(
            isStrict: options.isStrict, cancellation: context.cancellation, progress: context.progress)
        for change in changes {
            let schemas = try schemas(of: change.database)
            try MigrationError.naming(change.database, change.path) {
                try checks.check(change, build: context.build[change.database] ?? [], schemas: schemas)
            }
        }
        if !options.skipsSpaceCheck {
            try SpaceCheck.check(
                changes, plans: plans, backup: options.backup, location: context.location)
        }
    }

    /// What goes is looked up while it is there. Going up, nothing does that no migration gives up.
    private func readLosses() throws {
        let reader = LossReader(context: context, changes: changes)
        for change in changes {
            guard let plan = plans[change.database],
                plan.steps.contains(where: { $0.direction == .down || $0.directives.contains(.dataLoss) })
            else { continue }
            change.losses = try MigrationError.naming(change.database, change.path) {
                try context.cancellation.whileRegistered(change.connection.interrupt) {
                    try reader.losses(of: plan, in: change.database)
                }
            }
        }
    }

    private func schemas(of database: DatabaseName) throws -> VersionSchemas {
        try VersionSchemas(context.build[database] ?? [], engine: context.engine)
    }

    private func makeBackup() throws -> String? {
        guard case .folder(let folder) = options.backup else { return nil }
        let maker = BackupMaker(
            engine: context.engine, location: context.location, cancellation: context.cancellation,
            progress: context.progress)
        do {
            return try maker.make(
                of: changes, in: folder, identity: changes.first?.identity, interrupted: completing, now: Date()
            ).path
        } catch MigrationError.noBackupFolder(let error) {
            throw MigrationError.backupFailed(error)
        } catch let error as StoreError where error.kind != .interrupted {
            throw MigrationError.backupFailed(error)
        }
    }

    // MARK: The migrations

    private func migrate(_ change: DatabaseChange) throws {
        let steps = plans[change.database]?.steps ?? []
        try context.cancellation.whileRegistered(change.connection.interrupt) {
            for (index, step) in steps.enumerated() {
                context.progress(.migrating(change.database, step, number: index + 1, of: steps.count))
                try change.perform(step, countingRows: true, cancellation: context.cancellation)
            }
            guard !steps.isEmpty else { return }
            context.progress(.verifying(change.database))
            try change.verify(
                plans[change.database]?.to, build: context.build[change.database] ?? [],
                schemas: schemas(of: change.database))
        }
        // A run for one database alone leaves the generation, which both must share, alone.
        if context.only == nil { try StoreIdentity.set(generation: generation, in: change.connection) }
    }

    // MARK: The commits

    private func commit(backup: String?) throws -> Result {
        let record = completing ?? intentRecord(backup: backup)
        if completing == nil, changes.count > 1 { try record.write(context.location.intentPath) }
        do {
            for change in changes {
                try MigrationError.naming(change.database, change.path) { try change.connection.commit() }
            }
        } catch {
            changes.forEach { $0.connection.close() }
            let failed = FailedCommit(
                location: context.location, engine: context.engine, record: record, backup: backup)
            throw MigrationFailure(error: MigrationError(error), state: failed.state(of: changes.map(\.database)))
        }
        do {
            if changes.count > 1 { try IntentRecord.remove(context.location.intentPath) }
        } catch {
            changes.forEach { $0.connection.close() }
            throw MigrationFailure(error: MigrationError(error), state: .migrated(record))
        }
        return finish(backup: backup)
    }

    private func intentRecord(backup: String?) -> IntentRecord {
        IntentRecord(
            run: UUID().uuidString.lowercased(), startedAt: Date().formatted(.iso8601), creates: false,
            storeID: changes.first?.identity?.storeID ?? "", generation: generation,
            courses: plans.mapValues { .init(from: $0.from, to: $0.to, steps: $0.steps.map(\.name)) }, backup: backup)
    }

    // MARK: After

    /// What follows is of no consequence for the store: a failure here is not a failure of the run.
    private func finish(backup: String?) -> Result {
        var findings: [DatabaseName: MigrationReport.Findings] = [:]
        for change in changes {
            if !change.touched.isEmpty {
                let tables = (try? change.connection.ordinaryTables().intersection(change.touched)) ?? []
                try? change.connection.refreshStatistics(of: tables)
            }
            if let size = try? change.connection.size(), size.free * 4 > size.total, size.free > 1 << 20 {
                change.findings.freeBytes = size.free
            }
            findings[change.database] = change.findings
            change.connection.close()
        }
        let removed = backup.map { removeOldBackups(newest: $0) } ?? []
        let losses = Dictionary(uniqueKeysWithValues: changes.map { ($0.database, $0.thrownAway) })
        return Result(backup: backup, removedBackups: removed, findings: findings, losses: losses)
    }
}
