public import ChatDBEngine
public import ChatDBSchema
import Foundation

/// Brings a store from one version to another: plans, asks for consent, takes the store, backs it up, migrates both
/// databases or neither, and says what it did.
///
/// Rule: docs/migrations.md, "A run, step by step".
public struct Migrator: Sendable {
    /// The engine the store is opened with.
    public let engine: any StorageEngine
    /// Where the store is.
    public let location: StoreLocation
    /// The migrations of this build, per database, sorted by name.
    public let build: [DatabaseName: [Migration]]
    /// How a run goes about it.
    public var options: MigrationOptions
    /// Told where a run is.
    public var progress: MigrationProgress.Handler = { _ in }
    /// Stops a run at the next place where it can stop whole.
    public var cancellation = Cancellation()

    /// A migrator for a store. Nothing is opened yet.
    public init(
        engine: any StorageEngine, location: StoreLocation, build: [DatabaseName: [Migration]],
        options: MigrationOptions = MigrationOptions()
    ) {
        self.engine = engine
        self.location = location
        self.build = build
        self.options = options
    }

    /// The databases the options concern: agent first, as in every run.
    var databases: [DatabaseName] { options.only.map { [$0] } ?? [.agent, .chat] }

    /// The build's migrations of the databases the options concern.
    var concerned: [DatabaseName: [Migration]] {
        Dictionary(uniqueKeysWithValues: databases.map { ($0, build[$0] ?? []) })
    }

    /// What `run` would do. Changes nothing, not even a time stamp.
    ///
    /// Throws a `MigrationError` where there is no plan; an interrupted run that this build can complete is in the plan.
    public func plan() throws -> StorePlan {
        try plan(from: try StoreView.read(self), LossReader(migrator: self))
    }

    /// Carries the plan out. A store that is at the target is not written at all.
    ///
    /// Throws a `MigrationFailure`, which says in what state the store is, or what the consent's own question threw.
    public func run() throws -> MigrationReport {
        do {
            let view = try StoreView.read(self)
            if let record = view.interrupted, !record.creates {
                try refuseUncompletable(record, view)
                // A slip of the pen is no reason to begin; everything else is looked at when the run is completed.
                if let name = options.target.name { try options.target.requireKnown(name, build: concerned) }
                return try MigrationRun(self).carryOut(consented: nil)
            }
            let plan = try plan(from: view, nil)
            if plan.isEmpty { return MigrationReport(nothingToDo: plan) }
            try confirm(plan, LossReader(migrator: self))
            return try MigrationRun(self).carryOut(consented: plan)
        } catch let failure as MigrationFailure {
            throw failure
        } catch {
            // Whoever asks for consent may have a reason of their own to stop.
            guard let known = MigrationError(known: error) else { throw error }
            throw MigrationFailure(error: known, state: .unchanged)
        }
    }

    /// Throws unless there is consent to the plan. Whoever is asked is shown what gets lost.
    func confirm(_ plan: StorePlan, _ reader: LossReader) throws {
        guard case .console = options.confirmation else { return try options.confirmation.check(plan) }
        try options.confirmation.check(try plan.withLosses(reader))
    }

    /// The plan for a store as it was seen; a reader adds what gets lost.
    func plan(from view: StoreView, _ reader: LossReader?) throws -> StorePlan {
        if view.isAbsent, view.interrupted == nil, options.target.goesDown {
            throw MigrationError.noStore(path: location.prefix)
        }
        // What an interrupted making left is cleared up first.
        if view.isAbsent, view.interrupted == nil { try refuseLonelyMaking() }
        try view.refuseStrangers(databases)
        // What an interrupted run left is brought to its end first; the plan is for what comes after.
        var completes: [DatabaseName: DatabasePlan] = [:]
        if let record = view.interrupted, !record.creates {
            try refuseUncompletable(record, view)
            completes = try view.completions(of: record, build: build)
        }
        let plans = try databasePlans(view)
        let plan = StorePlan(
            databases: plans, creates: view.isAbsent, interrupted: view.interrupted, completes: completes)
        return try reader.map { try plan.withLosses($0) } ?? plan
    }

    /// Refuses to make one database where the other is: a new id would keep the two apart for ever. The other is not
    /// opened for that.
    func refuseLonelyMaking() throws(MigrationError) {
        guard let only = options.only, let other = DatabaseName.allCases.first(where: { $0 != only }),
            location.state(of: other) != .missing
        else { return }
        throw .wouldNotBelong(only, other: location.path(of: other))
    }

    private func databasePlans(_ view: StoreView) throws -> [DatabaseName: DatabasePlan] {
        let ledgers = view.ledgersAfterCompletion(build: build)
        // Steps are counted from where whoever asked saw the store, which is not where it will be.
        if options.target.isRelative, view.willHaveCompleted {
            return ledgers.mapValues(DatabasePlan.init(nothingFor:))
        }
        let plans = try DatabasePlan.all(for: options.target, ledgers: ledgers, build: concerned)
        try refuseEdited(plans)
        return plans
    }

    private func refuseUncompletable(_ record: IntentRecord, _ view: StoreView) throws {
        try view.refuseStrangers(databases)
        if let reason = view.whyNotCompletable(record, build: build) {
            throw MigrationError.interruptedMigration(record, reason: reason)
        }
    }

    private func refuseEdited(_ plans: [DatabaseName: DatabasePlan]) throws {
        let edited = plans.values.flatMap(\.edited).sorted()
        guard !edited.isEmpty, !options.acceptsEdited else { return }
        if options.isStrict || plans.values.contains(where: { !$0.steps.isEmpty }) {
            throw MigrationError.editedMigration(edited)
        }
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
