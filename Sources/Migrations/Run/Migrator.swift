public import ChatDBEngine
public import ChatDBSchema
import Foundation

/// Migrates a store from one version to another: plans, asks for consent, locks the store, backs it up, migrates both
/// databases or neither, and reports the result.
///
/// Rule: docs/migrations.md, "A run, step by step".
///
/// ```swift
/// let location = try StoreLocation(prefix: "/data/chat")
/// var migrator = Migrator(engine: SQLiteEngine(), location: location, build: try MigrationSource.build.load())
/// migrator.options.confirmation = .yesUp  // up without a question, never down
/// let report = try migrator.run()
/// if let backup = report.backup { print("The backup is \(backup).") }
/// ```
public struct Migrator: Sendable {
    /// The store, the build, and how to work on them.
    public var context: StoreContext
    /// The target, the consent and other options.
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

    /// The plan of `run` and its losses. Changes nothing, not even a time stamp.
    ///
    /// Throws a `MigrationError` when there is no plan. An interrupted run that this build can complete is part of the
    /// plan.
    public func plan() throws -> StorePlan {
        let schemas = StoreSchemas(context)
        let plan = try FoundStore.read(context)
            .planOfRun(in: context, options, schemas) { try context.liveStructure(of: $0) }
        var reader = LossReader(context: context, schemas: schemas)
        reader.results = try rehearseDowns(of: plan, schemas)
        return try plan.examined(by: reader)
    }

    /// Runs the down SQL of a plan in memory, as the schema of a version is made by its up SQL. Returns the schemas that
    /// result, where they are known. Throws `migrationFailed` for a statement that fails.
    private func rehearseDowns(
        of plan: StorePlan, _ schemas: StoreSchemas
    ) throws -> [DatabaseName: DatabaseStructure] {
        var results: [DatabaseName: DatabaseStructure] = [:]
        for database in DatabaseName.allCases where plan.completes[database] == nil {
            guard let part = plan.databases[database], part.direction == .down else { continue }
            if let applied = (context.build[database] ?? []).allNamed(part.applied) {
                results[database] = try schemas.of(database).rehearse(part.steps, of: database, after: applied)
            }
            // With migrations of a folder, `StoredDownTrial` tries SQL from the database on an empty copy of the
            // schema. The tests show that chatdb's own migrations can be undone.
            let isTried = part.steps.syntax == .sqlite && context.isOfFolder
            if isTried, part.steps.contains(where: { $0.origin == .file }) {
                results[database] = try StoredDownTrial(engine: context.engine, database: database)
                    .run(part.steps, on: context.liveStructure(of: database))
            }
        }
        return results
    }

    /// Carries the plan out. Does not write a store that is at the target.
    ///
    /// Throws a `MigrationFailure`, which has the state of the store, or the error of the consent's question.
    public func run() throws -> MigrationReport {
        do {
            let schemas = StoreSchemas(context)
            let (view, plan) = try look(schemas)
            guard let plan else {
                if let record = view.interrupted { try view.refuseUncompletable(record, context) }
                // A misspelled name must not start a completion; the completion checks everything else.
                if let name = options.target.name {
                    try options.target.requireKnown(name, build: context.concernedBuild)
                }
                return try MigrationRun(context, options, schemas).carryOut(consented: nil)
            }
            if plan.isEmpty {
                let reader = LossReader(context: context, schemas: schemas)
                return MigrationReport(nothingToDo: try plan.refusingDrift(options, reader))
            }
            let consented = try options.confirmation.confirm(
                plan, LossReader(context: context, schemas: schemas))
            return try MigrationRun(context, options, schemas).carryOut(consented: consented)
        } catch let failure as MigrationFailure {
            throw failure
        } catch {
            // The question for consent may throw an error of its own.
            guard let known = MigrationError(known: error) else { throw error }
            throw MigrationFailure(error: known, state: .unchanged)
        }
    }

    /// The store and the plan for it, read on the same connections. There is no plan if an interrupted run has to be
    /// completed first.
    private func look(_ schemas: StoreSchemas) throws -> (view: FoundStore, plan: StorePlan?) {
        let opened = try OpenedStore.open(context)
        defer { opened.close() }
        let view = opened.found
        try view.refuseMoved()
        // After a run that changed neither database, nothing has to be completed.
        if let record = view.interrupted, !record.creates, view.progress(of: record) != .nothing { return (view, nil) }
        let plan = try view.planOfRun(in: context, options, schemas) { database in
            try opened.connections[database]?.structure().withoutLedger ?? context.liveStructure(of: database)
        }
        if let database = context.databasesWithLostMigrations(in: plan, opened.connections, schemas).first {
            throw MigrationError.lostMigrations(database)
        }
        return (view, plan)
    }
}

extension StorePlan {
    /// The plan of a run with nothing to do. Under `strict`, the run looks for drift, and refuses it.
    func refusingDrift(_ options: MigrationOptions, _ reader: LossReader) throws -> StorePlan {
        guard options.isStrict else { return self }
        var plan = self
        for database in DatabaseName.allCases {
            guard let part = databases[database] else { continue }
            let drift = try reader.drift(of: part, in: database)
            if let drift, !drift.isEmpty { throw MigrationError.drift(database, drift) }
            plan.databases[database]?.drift = drift
        }
        return plan
    }
}

extension MigrationReport {
    /// The report of a run without steps.
    init(nothingToDo plan: StorePlan) {
        self.init(plan: plan, created: false, completion: nil, backup: nil, removedBackups: [], findings: [:])
    }
}
