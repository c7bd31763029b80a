import ChatDBEngine
import ChatDBSchema
import Foundation

extension Verifier {
    /// A rehearsal: migrates a private copy of a real store to the build's version with the checks of a real run, one
    /// migration at a time. Returns the cost of each step and what was lost; a store at this version has neither. The
    /// store itself is only read. The copy is removed at the end, also after an error; the next rehearsal removes the
    /// copy of a killed one.
    ///
    /// A rehearsal down needs the same consent as a run. Like a run, it ends with `lostMore` when the migrations lose
    /// more than the plan: with `Confirmation.console` more than the plan that a run would show. Throws the errors of a
    /// run: a `MigrationError`.
    public func rehearse(_ migrator: Migrator) throws -> Report {
        let context = migrator.context
        let schemas = StoreSchemas(context)
        let view = try FoundStore.read(context)
        guard !view.isAbsent else { throw MigrationError.absent(context.location) }
        try view.refuseStrangers(context.databases)
        // Down SQL comes from the store and runs only with consent, on a copy too.
        var options = migrator.options
        options.acceptsEdited = true
        let plan = try view.plan(in: context, options)
        if !plan.downs.isEmpty {
            _ = try options.confirmation.confirm(plan, LossReader(context: context, schemas: schemas))
        }

        let folder = try LockedFolder.make(for: .rehearsal)
        defer { folder.remove() }
        try SpaceCheck.require(Self.copyBytes(context), at: folder.path, free: free)
        let copy = try StoreLocation(prefix: folder.path + "/copy")
        var report = Report()
        for database in context.databases {
            try copyDatabase(database, of: context, to: copy.path(of: database))
            let rehearsal = try Rehearsal(
                context, options, schemas, LossReader(context: context.at(copy), schemas: schemas), database,
                at: copy.path(of: database))
            try SpaceCheck.require(rehearsal.bytesNeeded(), at: folder.path, free: free)
            let result = try rehearsal.run()
            report.steps += result.steps
            if !result.losses.isEmpty { report.losses[database] = result.losses }
            report.removed[database] = result.removed
            report.downFaults[database] = result.downFault
        }
        return report
    }

    /// The space for the copies. The space for the migrations is known once a copy exists.
    private static func copyBytes(_ context: StoreContext) -> Int64 {
        context.databases.reduce(0) { sum, database in
            let path = context.location.path(of: database)
            return sum + FileSpace.size(of: path) + FileSpace.size(of: path + "-wal")
        }
    }

    private func copyDatabase(_ database: DatabaseName, of context: StoreContext, to target: String) throws {
        context.progress(.backingUp(database, 0))
        let source = try engine.open(context.location.path(of: database), as: .untrusted)
        defer { try? source.close() }
        try source.copy(to: target)
        try context.cancellation.check()
    }
}

/// The copy of one database in a rehearsal.
struct Rehearsal {
    private let context: StoreContext
    private let options: MigrationOptions
    private var reader: LossReader
    private let copy: DatabaseMigration
    private let plan: DatabasePlan
    /// The steps that undo those of the plan, and that the rehearsal tries. Empty for a plan down, and for chatdb's own
    /// migrations, which the tests undo.
    private let wayBack: [MigrationStep]
    private let check: DatabaseCheck

    init(
        _ context: StoreContext, _ options: MigrationOptions, _ schemas: StoreSchemas, _ reader: LossReader,
        _ database: DatabaseName, at path: String
    ) throws {
        self.context = context
        self.options = options
        self.reader = reader
        copy = try DatabaseMigration(
            database, path: path, in: context, from: context.engine.migrationConnections())
        let build = context.build[database] ?? []
        let applied = copy.found.applied
        plan =
            try DatabasePlan.all(
                for: .build, ledgers: [database: applied], build: [database: build],
                outOfOrder: options.effectiveOutOfOrderReason)[database]
            ?? DatabasePlan(nothingFor: applied)
        wayBack = plan.direction == .up && context.isOfFolder ? try plan.stepsBack() : []
        check = DatabaseCheck(
            database: database, connection: copy.connection, build: build, schemas: try schemas.of(database))
        self.reader.connections = [database: copy.connection]
    }

    /// The space for the data that the migrations rewrite, as a run requires it.
    func bytesNeeded() throws -> Int64 {
        // The way back is a transaction of its own, after the commit of the plan.
        try max(
            SpaceCheck.bytesForRun(plan.steps, in: copy.connection),
            SpaceCheck.bytesForRun(wayBack, in: copy.connection))
    }

    /// What the migrations of a copy cost, and what they did.
    struct Result {
        /// The cost of each step.
        var steps: [Verifier.Step] = []
        /// What the steps have lost.
        var losses: [Loss] = []
        /// What they have removed without naming it.
        var removed: [RemovedParts] = []
        /// The fault that their down SQL has in the copy; nil without one.
        var downFault: MigrationError?
    }

    /// Migrates the copy.
    func run() throws -> Result {
        defer { copy.connection.close() }
        guard !plan.steps.isEmpty else { return Result() }
        let before = try MigrationError.naming(copy.database, context.location.path(of: copy.database)) {
            context.progress(.checking(copy.database))
            try check.prepare(for: plan)
            return try check.before(
                applied: plan.applied, isStrict: options.isStrict, context.cancellation)
        }
        let losses = try context.cancellation.whileRegistered(copy.connection.interrupt) {
            try reader.expectedLosses(of: plan, in: copy.database)
        }
        var applied = AppliedSteps(to: copy.database, before, on: copy.connection, context.cancellation)
        var steps: [Verifier.Step] = []
        try context.cancellation.whileRegistered(copy.connection.interrupt) {
            for (index, step) in plan.steps.enumerated() {
                let began = ContinuousClock.now
                try applied.perform(step) {
                    context.progress(.migrating(copy.database, step, number: index + 1, of: plan.steps.count, $0))
                }
                steps.append(try result(of: step, ContinuousClock.now - began))
            }
            context.progress(.verifying(copy.database))
            try check.after(plan, applied.before, touched: applied.touched, written: applied.written)
            try applied.requireLosses(in: losses, wereShown: options.confirmation.isAsked)
        }
        // SQLite now writes the pages that the transaction kept in memory.
        try copy.connection.commit()
        if let last = steps.indices.last { steps[last].peakBytes = max(steps[last].peakBytes, bytesOnDisk) }
        return Result(
            steps: steps, losses: applied.losses.reported(losses).filter { $0.rows > 0 }, removed: applied.removed,
            downFault: try faultOfWayBack())
    }

    /// The fault for which a run would not undo the plan in the migrated copy; nil without one. The copy stays as it
    /// is.
    private func faultOfWayBack() throws -> MigrationError? {
        if wayBack.isEmpty { return nil }
        try copy.connection.begin()
        defer { copy.connection.rollback() }
        do {
            try MigrationError.naming(copy.database, context.location.path(of: copy.database)) {
                try context.cancellation.whileRegistered(copy.connection.interrupt, undo)
            }
            return nil
        } catch let error as MigrationError {
            guard error.isOfDownSQL else { throw error }
            return error
        }
    }

    /// Undoes the plan with the checks of a run. Leaves out the search for damage, because the copy had none before the
    /// plan, and the comparison of the losses with a plan down, because none was shown.
    private func undo() throws {
        let plan = DatabasePlan(steps: wayBack, from: try Ledger.entries(in: copy.connection))
        try check.prepare(for: plan)
        let before = try check.facts(applied: plan.applied, isStrict: false)
        var undone = AppliedSteps(to: copy.database, before, on: copy.connection, context.cancellation)
        for (index, step) in wayBack.enumerated() {
            try undone.perform(step) {
                context.progress(.migrating(copy.database, step, number: index + 1, of: wayBack.count, $0))
            }
        }
        context.progress(.verifying(copy.database))
        try check.after(plan, undone.before, touched: undone.touched, written: undone.written)
    }

    private func result(of step: MigrationStep, _ duration: Duration) throws -> Verifier.Step {
        let bytes = try copy.connection.size().total
        return Verifier.Step(
            database: copy.database, migration: step.name, direction: step.direction,
            milliseconds: duration.milliseconds, rows: try copy.connection.rowsOfAllTables(), bytes: bytes,
            peakBytes: max(bytes, bytesOnDisk))
    }

    /// The size of the file with its log and its journal.
    private var bytesOnDisk: Int64 {
        ["", "-wal", "-journal"].reduce(0) { sum, suffix in
            sum + (FileState(at: copy.path + suffix).bytes ?? 0)
        }
    }
}

extension MigrationError {
    /// Whether a run down ends with this because of its SQL and the rows. If the disk or the memory fails, the SQL may
    /// be right.
    fileprivate var isOfDownSQL: Bool {
        switch self {
        case .lostRows, .madeDanglingReferences, .wrongResult, .unknownTrigger: true
        case .migrationFailed(let failed):
            ![.diskFull, .inputOutput, .outOfMemory, .interrupted, .damaged].contains(failed.cause.kind)
        default: false
        }
    }
}

extension StoreContext {
    /// The same work on a copy of the store.
    fileprivate func at(_ copy: StoreLocation) -> StoreContext {
        var context = StoreContext(engine: engine, location: copy, build: build)
        context.only = only
        context.cancellation = cancellation
        return context
    }
}

extension MigrationConnection {
    /// The rows in all tables except chatdb's internal ones.
    func rowsOfAllTables() throws(StoreError) -> Int {
        var rows = 0
        for table in try ordinaryTables() where !Ledger.tables.contains(table) { rows += try rowCount(of: table) }
        return rows
    }
}

extension Duration {
    var milliseconds: Double {
        Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
    }
}
