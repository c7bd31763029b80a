import ChatDBEngine
import ChatDBSchema
import Foundation

/// One run: from the lock to the report.
struct MigrationRun {
    let context: StoreContext
    let options: MigrationOptions
    let schemas: StoreSchemas
    private var location: StoreLocation { context.location }

    init(_ context: StoreContext, _ options: MigrationOptions, _ schemas: StoreSchemas) {
        self.context = context
        self.options = options
        self.schemas = schemas
    }

    /// Takes the lock, plans again, and carries the new plan out.
    /// - Parameter consented: the approved plan; a different plan needs new consent.
    func carryOut(consented: StorePlan?) throws -> MigrationReport {
        try context.withLockAlone { try carryOutLocked(consented: consented) }
    }

    private func carryOutLocked(consented: StorePlan?) throws -> MigrationReport {
        try RestoreRecord.refuse(at: location)
        // Creating a store begins with removing the files of an interrupted creation.
        if let record = try IntentRecord.read(at: location), record.creates {
            try record.refuseCopy()
            try StoreCreation(context, options).clearUp(after: record)
        }
        let existing = try context.existing()
        if !context.databases.contains(where: existing.contains) { return try StoreCreation(context, options).make() }
        let completed = try completeInterrupted()
        do {
            return try change(consented: consented, completed: completed)
        } catch {
            guard let completed, let failure = Self.failure(error) else { throw error }
            switch failure.state {
            case .unchanged, .unchangedWithBackup:
                throw MigrationFailure(error: failure.error, state: .completed(completed.record))
            case .interrupted, .completed, .partlyMade, .migrated, .migratedAlone, .adopted, .unknown:
                throw failure
            }
        }
    }

    private static func failure(_ error: any Error) -> MigrationFailure? {
        error as? MigrationFailure
            ?? MigrationError(known: error).map { MigrationFailure(error: $0, state: .unchanged) }
    }

    // MARK: An interrupted run

    /// An interrupted run that was completed, and its result.
    private struct Completed {
        let record: IntentRecord
        var plans: [DatabaseName: DatabasePlan] = [:]
        var result = StoreMigration.Result()
    }

    private func completeInterrupted() throws -> Completed? {
        guard context.only == nil, let record = try IntentRecord.read(at: location) else { return nil }
        let taken = try context.takeDatabases()
        let view = FoundStore(taken, interrupted: record)
        try view.refuseStrangers(context.databases)
        if let reason = view.whyNotCompletable(record, build: context.build) {
            throw MigrationError.interruptedMigration(record, reason: reason)
        }
        let progress = view.progress(of: record)
        guard progress == .agentOnly else {
            taken.forEach { $0.connection.close() }
            // The record of a run that changed neither database stays until this run writes its own, or has nothing to
            // do: an error before that leaves everything as it was.
            if progress == .nothing { return nil }
            try IntentRecord.remove(at: location)
            context.progress(.completed(record))
            return Completed(record: record)
        }
        let completions = try view.completions(of: record, build: context.build)
        var plans = completions
        plans[.agent] = DatabasePlan(nothingFor: view.parts[.agent]?.applied ?? [])
        let result: StoreMigration.Result
        do {
            let assignment = StoreMigration.Assignment(plans: plans, generation: record.generation, completing: record)
            result = try StoreMigration(context, options, schemas, taken, assignment).run()
        } catch let failure as MigrationFailure {
            switch failure.state {
            case .unchanged, .unchangedWithBackup:
                throw MigrationFailure(error: failure.error, state: .interrupted(record))
            case .interrupted, .completed, .partlyMade, .migrated, .migratedAlone, .adopted, .unknown:
                throw failure
            }
        }
        context.progress(.completed(record))
        return Completed(record: record, plans: completions, result: result)
    }

    // MARK: A new run

    private func change(consented: StorePlan?, completed: Completed?) throws -> MigrationReport {
        let taken = try context.takeDatabases()
        let view = FoundStore(taken, interrupted: nil)
        try view.refuseMoved()
        // The caller counted steps from the version that the store had at that time.
        let isDone = completed != nil && options.target.isRelative
        let plan =
            isDone
            ? StorePlan(nothingToDoFor: view)
            : try view.planOfRun(in: context, options, schemas) { database in
                try taken.connections[database]?.structure().withoutLedger ?? context.liveStructure(of: database)
            }
        if plan.isEmpty {
            let reader = LossReader(context: context, schemas: schemas, connections: taken.connections)
            let plan = try plan.refusingDrift(options, reader)
            taken.forEach { $0.connection.close() }
            if context.only == nil, IntentRecord.isThere(location) { try IntentRecord.remove(at: location) }
            return report(plan, nil, after: completed)
        }
        var shown = consented
        if !plan.doesSame(as: consented) {
            let reader = LossReader(context: context, schemas: schemas, connections: taken.connections)
            shown = try options.confirmation.confirm(plan, reader)
        }
        let generation = (taken.compactMap { $0.found.identity?.generation }.max() ?? 0) &+ 1
        let assignment = StoreMigration.Assignment(
            plans: plan.databases, generation: generation, shown: options.confirmation.isAsked ? shown : nil)
        let result = try StoreMigration(context, options, schemas, taken, assignment).run()
        return report(plan, result, after: completed)
    }

    /// Later findings replace earlier ones, except for those about the migrations of each run.
    private func report(_ plan: StorePlan, _ result: StoreMigration.Result?, after completed: Completed?)
        -> MigrationReport
    {
        let first = completed?.result
        let removed = (first?.removedBackups ?? []) + (result?.removedBackups ?? [])
        var plan = plan
        plan.databases = plan.databases.with(result?.losses ?? [:])
        return MigrationReport(
            plan: plan, created: false,
            completion: completed.map {
                // With a limit of one backup, the second one is kept: it is newer.
                let backup = $0.result.backup.flatMap { removed.contains($0) ? nil : $0 }
                return .init(record: $0.record, plans: $0.plans.with($0.result.losses), backup: backup)
            },
            backup: result?.backup, removedBackups: removed,
            findings: (first?.findings ?? [:]).merging(result?.findings ?? [:]) { earlier, later in
                var findings = later
                findings.removed = earlier.removed + later.removed
                findings.downFault = later.downFault ?? earlier.downFault
                return findings
            })
    }
}

extension FoundStore {
    /// The store at the start of a run, inside its transactions.
    fileprivate init(_ taken: [DatabaseMigration], interrupted: IntentRecord?) {
        self.init(
            parts: Dictionary(uniqueKeysWithValues: taken.map { ($0.database, $0.found) }), interrupted: interrupted)
    }
}
