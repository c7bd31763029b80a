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
        try StoreView.read(context).plan(in: context, options).withLosses(LossReader(context: context))
    }

    /// Carries the plan out. A store that is at the target is not written at all.
    ///
    /// Throws a `MigrationFailure`, which says in what state the store is, or what the consent's own question threw.
    public func run() throws -> MigrationReport {
        do {
            let view = try StoreView.read(context)
            if let record = view.interrupted, !record.creates {
                try view.refuseUncompletable(record, context)
                // A slip of the pen is no reason to begin; everything else is looked at when the run is completed.
                if let name = options.target.name {
                    try options.target.requireKnown(name, build: context.concernedBuild)
                }
                return try MigrationRun(context, options).carryOut(consented: nil)
            }
            let plan = try view.plan(in: context, options)
            if plan.isEmpty { return MigrationReport(nothingToDo: plan) }
            try options.confirmation.confirm(plan, LossReader(context: context))
            return try MigrationRun(context, options).carryOut(consented: plan)
        } catch let failure as MigrationFailure {
            throw failure
        } catch {
            // Whoever asks for consent may have a reason of their own to stop.
            guard let known = MigrationError(known: error) else { throw error }
            throw MigrationFailure(error: known, state: .unchanged)
        }
    }
}

extension Confirmation {
    /// Throws unless there is consent to the plan. Whoever is asked is shown what gets lost.
    func confirm(_ plan: StorePlan, _ reader: LossReader) throws {
        guard case .console = self else { return try check(plan) }
        try check(try plan.withLosses(reader))
    }
}

extension DatabasePlan {
    /// No steps for a database with this ledger.
    init(nothingFor ledger: [LedgerEntry]) {
        self.init(steps: [], from: ledger.last?.name, to: ledger.last?.name, edited: [])
    }
}

extension StorePlan {
    /// No steps for a store.
    init(nothingToDoFor view: StoreView) {
        self.init(
            databases: view.parts.mapValues { DatabasePlan(nothingFor: $0.ledger) }, creates: false, interrupted: nil)
    }
}

extension MigrationReport {
    /// The report of a run that had nothing to do.
    init(nothingToDo plan: StorePlan) {
        self.init(plan: plan, created: false, completion: nil, backup: nil, removedBackups: [], findings: [:])
    }
}

extension MigrationError {
    /// Any error as one of ours.
    init(_ error: any Error) {
        self = Self(known: error) ?? .system(StoreError(.other, "unexpected failure (\(type(of: error)))"))
    }

    /// An error of this module or of the engine as one of ours; nil for any other.
    init?(known error: any Error) {
        switch error {
        case let error as MigrationError: self = error
        case let error as MigrationFileError: self = .invalidMigration(error)
        case let error as StoreError: self = error.kind == .interrupted ? .interrupted : .system(error)
        default: return nil
        }
    }
}
