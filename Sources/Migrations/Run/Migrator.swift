public import ChatDBEngine
public import ChatDBSchema
import Foundation

/// Brings a store from one version to another: plans, asks for consent, takes the store, backs it up, migrates both
/// databases or neither, and says what it did.
///
/// Rule: docs/migrations.md, "A run, step by step".
public struct Migrator: Sendable {
    /// The store, the build, and how to work on them.
    public var context: StoreContext
    /// What to do, and with whose consent.
    public var options: MigrationOptions

    /// A migrator for a store. Opens nothing.
    public init(_ context: StoreContext, options: MigrationOptions = MigrationOptions()) {
        self.context = context
        self.options = options
    }

    /// A migrator for a store. Opens nothing.
    public init(
        engine: any StorageEngine, location: StoreLocation, build: [DatabaseName: [Migration]],
        options: MigrationOptions = MigrationOptions()
    ) {
        self.init(StoreContext(engine: engine, location: location, build: build), options: options)
    }

    /// What `run` would do, and what would get lost. Changes nothing, not even a time stamp.
    ///
    /// Throws a `MigrationError` where there is no plan; an interrupted run that this build can complete is in the plan.
    public func plan() throws -> StorePlan {
        try FoundStore.read(context).plan(in: context, options).withLosses(
            LossReader(context: context, schemas: StoreSchemas(context)))
    }

    /// Carries the plan out. A store that is at the target is not written at all.
    ///
    /// Throws a `MigrationFailure`, which says in what state the store is, or what the consent's own question threw.
    public func run() throws -> MigrationReport {
        do {
            let schemas = StoreSchemas(context)
            let view = try FoundStore.read(context)
            if let record = view.interrupted, !record.creates {
                try view.refuseUncompletable(record, context)
                // A slip of the pen is no reason to begin; everything else is looked at when the run is completed.
                if let name = options.target.name {
                    try options.target.requireKnown(name, build: context.concernedBuild)
                }
                return try MigrationRun(context, options, schemas).carryOut(consented: nil)
            }
            let plan = try view.plan(in: context, options)
            if plan.isEmpty { return MigrationReport(nothingToDo: plan) }
            let consented = try options.confirmation.confirm(
                plan, LossReader(context: context, schemas: schemas))
            return try MigrationRun(context, options, schemas).carryOut(consented: consented)
        } catch let failure as MigrationFailure {
            throw failure
        } catch {
            // Whoever asks for consent may have a reason of their own to stop.
            guard let known = MigrationError(known: error) else { throw error }
            throw MigrationFailure(error: known, state: .unchanged)
        }
    }
}

extension MigrationReport {
    /// The report of a run that had nothing to do.
    init(nothingToDo plan: StorePlan) {
        self.init(plan: plan, created: false, completion: nil, backup: nil, removedBackups: [], findings: [:])
    }
}
