public import Engine
import Foundation
public import Schema

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
        let view = try StoreView.read(self)
        return try plan(from: view, withLosses: true)
    }

    /// Carries the plan out. A store that is at the target is not written at all.
    ///
    /// Throws a `MigrationFailure`, which says in what state the store is, or what the consent's own question threw.
    public func run() throws -> MigrationReport {
        do {
            let view = try StoreView.read(self)
            let plan = try plan(from: view, withLosses: false)
            if plan.isEmpty { return MigrationReport(nothingToDo: plan) }
            try options.confirmation.check(try confirmable(plan, view))
            return try MigrationRun(self).carryOut(consented: plan)
        } catch let failure as MigrationFailure {
            throw failure
        } catch {
            // Whoever asks for consent may have a reason of their own to stop.
            guard let known = MigrationError(known: error) else { throw error }
            throw MigrationFailure(error: known, state: .unchanged)
        }
    }

    /// Whoever is asked is shown what going down throws away.
    private func confirmable(_ plan: StorePlan, _ view: StoreView) throws -> StorePlan {
        guard case .console = options.confirmation, !plan.downs.isEmpty else { return plan }
        return try self.plan(from: view, withLosses: true)
    }

    /// The plan for a store as it was seen.
    func plan(from view: StoreView, withLosses: Bool) throws -> StorePlan {
        if view.isAbsent, view.interrupted == nil, options.target.goesDown {
            throw MigrationError.noStore(path: location.prefix)
        }
        try view.refuseStrangers(databases)
        if let record = view.interrupted, !record.creates, let reason = view.whyNotCompletable(record, build: build) {
            throw MigrationError.interruptedMigration(record, reason: reason)
        }
        // What an interrupted run left is brought to its end first; the plan is for what comes after.
        let ledgers = view.ledgersAfterCompletion(build: build)
        var plans = try DatabasePlan.all(for: options.target, ledgers: ledgers, build: concerned)
        try refuseEdited(plans)
        if withLosses {
            for (database, plan) in plans where plan.direction == .down {
                plans[database]?.losses = try LossReader(migrator: self).losses(of: plan, in: database)
            }
        }
        return StorePlan(databases: plans, creates: view.isAbsent, interrupted: view.interrupted)
    }

    func refuseEdited(_ plans: [DatabaseName: DatabasePlan]) throws {
        let edited = plans.values.flatMap(\.edited).sorted()
        guard !edited.isEmpty, !options.acceptsEdited else { return }
        if options.isStrict || plans.values.contains(where: { !$0.steps.isEmpty }) {
            throw MigrationError.editedMigration(edited)
        }
    }
}

extension MigrationReport {
    /// The report of a run that had nothing to do.
    init(nothingToDo plan: StorePlan) {
        self.init(plan: plan, created: false, completed: nil, backup: nil, removedBackups: [], findings: [:])
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
