import ChatDBEngine
import ChatDBSchema
import Foundation

/// The migration of an existing store, from the open transactions to both commits: check, ask again about additional
/// losses, back up, apply, verify, commit.
struct StoreMigration {
    /// The result of a migration.
    struct Result {
        var backup: String?
        var removedBackups: [String] = []
        var findings: [DatabaseName: MigrationReport.Findings] = [:]
        var losses: [DatabaseName: [Loss]] = [:]
    }

    /// The target and the circumstances of the migration.
    struct Assignment {
        /// The plan of each database.
        let plans: [DatabaseName: DatabasePlan]
        /// The store's generation afterwards.
        let generation: Int64
        /// The approved plan, which was shown with its losses; nil when none was shown.
        var shown: StorePlan?
        /// The interrupted run that this one completes; its agent database is already committed.
        var completing: IntentRecord?
    }

    /// The facts about one database before any change.
    private struct Checked {
        let migration: DatabaseMigration
        let plan: DatabasePlan
        let check: DatabaseCheck
        let before: CheckedDatabase
        /// The current losses of the plan.
        var losses: [Loss] = []
    }

    private let context: StoreContext
    private let options: MigrationOptions
    private let schemas: StoreSchemas
    /// Agent first, each inside its transaction.
    private let taken: [DatabaseMigration]
    private let assignment: Assignment

    init(
        _ context: StoreContext, _ options: MigrationOptions, _ schemas: StoreSchemas, _ taken: [DatabaseMigration],
        _ assignment: Assignment
    ) {
        self.context = context
        self.options = options
        self.schemas = schemas
        self.taken = taken
        self.assignment = assignment
    }

    /// Carries the assignment out. An error before the first commit leaves the store as it was.
    func run() throws -> Result {
        var backup: String?
        do {
            let checked = try withLosses(check())
            try refuseUndeclared(checked)
            let consented = try consent(to: checked)
            backup = try backUp()
            let applied = try apply(checked)
            try verify(checked, applied, against: consented)
            try context.cancellation.check()
            try StoreCommit(context, of: taken, record: record(backup), writesRecord: assignment.completing == nil).run(
                backup: backup)
            return finish(checked, applied, backup)
        } catch let failure as MigrationFailure {
            throw failure
        } catch {
            taken.forEach { $0.connection.close() }
            // A failed attempt leaves a backup too. Old ones are removed here as well, so that attempts do not add up.
            if let backup { _ = removeOldBackups(newest: backup) }
            throw MigrationFailure(
                error: MigrationError(error), state: backup.map { .unchangedWithBackup($0) } ?? .unchanged)
        }
    }

    /// Runs `body` for each database; a failure names the database.
    private func each<T>(_ parts: [Checked], _ body: (Checked) throws -> T) throws -> [T] {
        try parts.map { part in
            try MigrationError.naming(part.migration.database, part.migration.path) { try body(part) }
        }
    }

    // MARK: Check

    private func check() throws -> [Checked] {
        let checked = try taken.map { migration in
            let database = migration.database
            let build = context.build[database] ?? []
            let plan =
                assignment.plans[database] ?? DatabasePlan(nothingFor: migration.found.applied)
            let schemas = try schemas.of(database)
            return try MigrationError.naming(database, migration.path) {
                context.progress(.checking(database))
                let check = DatabaseCheck(
                    database: database, connection: migration.connection, build: build, schemas: schemas)
                try check.prepare(for: plan)
                let before = try check.before(
                    applied: plan.applied, isStrict: options.isStrict, context.cancellation)
                return Checked(migration: migration, plan: plan, check: check, before: before)
            }
        }
        if !options.skipsSpaceCheck, context.location.server == nil {
            let other = options.backup == .none ? nil : partOfOther()?.database
            try SpaceCheck.check(
                checked.map { ($0.migration.connection, $0.plan.steps) }, other: other, backup: options.backup,
                location: context.location)
        }
        return checked
    }

    /// Counts the losses before they happen.
    private func withLosses(_ checked: [Checked]) throws -> [Checked] {
        let reader = LossReader(context: context, schemas: schemas, connections: taken.connections)
        return try each(checked) { part in
            var part = part
            part.losses = try context.cancellation.whileRegistered(part.migration.connection.interrupt) {
                try reader.expectedLosses(of: part.plan, in: part.migration.database)
            }
            return part
        }
    }

    /// Refuses, before the backup, a run down that loses what none of its migrations declares. A migration that declares
    /// a loss may delete what a later one would lose.
    private func refuseUndeclared(_ checked: [Checked]) throws {
        for part in checked where part.plan.direction == .down {
            if part.plan.steps.contains(where: { $0.directives.contains(.dataLoss) }) { continue }
            var plan = part.plan
            plan.losses = part.losses
            if let loss = plan.undeclaredLosses.first {
                throw MigrationError.undeclaredLoss(part.migration.database, loss)
            }
        }
    }

    // MARK: Consent

    /// The approved losses in each database. Asks again when the store has more to lose than the plan showed.
    private func consent(to checked: [Checked]) throws -> [DatabaseName: [Loss]] {
        let now = Dictionary(uniqueKeysWithValues: checked.map { ($0.migration.database, $0.losses) })
        guard var plan = assignment.shown else { return now }
        let hasGrown = now.contains { $1.exceeds(plan.databases[$0]?.losses ?? []) }
        if hasGrown {
            plan.databases = plan.databases.with(now)
            try options.confirmation.check(plan)
        }
        return plan.databases.mapValues(\.losses)
    }

    // MARK: Back up

    private func backUp() throws -> String? {
        guard case .folder(let folder) = options.backup else { return nil }
        if context.location.server != nil {
            return try context.backUpServer(to: folder, version: taken.first { $0.database == .chat }?.found.version)
        }
        let maker = BackupMaker(
            engine: context.engine, location: context.location, cancellation: context.cancellation,
            progress: context.progress)
        func make(_ sources: [any BackupSource], release: () -> Void = {}) throws -> String {
            let made = try maker.make(
                of: sources, in: folder, identity: taken.first?.found.identity, interrupted: assignment.completing,
                now: Date(), release: release)
            return OldBackups.reuse(made).path
        }
        let own: [any BackupSource] = taken
        do {
            // A program may open the other database while it is copied without locks. That program's locks then protect
            // the second copy.
            for _ in 1...2 {
                guard let part = partOfOther() else { break }
                do {
                    return try make(own + [part]) { part.connection.close() }
                } catch MigrationError.damaged(let database, problems: _) where database == part.database {
                    break
                } catch let error as StoreError where ![.interrupted, .diskFull].contains(error.kind) {
                    if error.kind != .busy { break }
                }
            }
            return try make(own)
        } catch MigrationError.noBackupFolder(let error) {
            throw MigrationError.backupFailed(error)
        } catch let error as StoreError where error.kind != .interrupted {
            throw MigrationError.backupFailed(error)
        }
    }

    /// The database of the store that a run of the other one does not change. The backup includes it, because a restore
    /// needs both.
    private var other: DatabaseName? {
        context.location.databases.first { name in !taken.contains { $0.database == name } }
    }

    /// The content of that database now. The own one is locked, so the two copies are of one moment. Nil if the database
    /// is missing, cannot be read, or is of another store.
    private func partOfOther() -> StoreSnapshot.Part? {
        guard let other else { return nil }
        let snapshot = try? StoreSnapshot(
            of: [other], at: context.location, engine: context.engine, patience: 0,
            cancellation: context.cancellation)
        guard let part = snapshot?.parts.first, part.found.kind == .chatdb, let identity = part.found.identity,
            identity == taken.first?.found.identity
        else { return nil }
        return part
    }

    private func removeOldBackups(newest: String) -> [String] {
        OldBackups.remove(
            keeping: options.keepBackups, of: taken.first?.found.identity, at: context.location, newest: newest,
            with: context.engine)
    }

    // MARK: Apply and verify

    private func apply(_ checked: [Checked]) throws -> [AppliedSteps] {
        try each(checked) { part in
            let (database, connection) = (part.migration.database, part.migration.connection)
            var applied = AppliedSteps(to: database, part.before, on: connection, context.cancellation)
            try context.cancellation.whileRegistered(connection.interrupt) {
                for (index, step) in part.plan.steps.enumerated() {
                    try applied.perform(step) {
                        context.progress(.migrating(database, step, number: index + 1, of: part.plan.steps.count, $0))
                    }
                }
                for edit in part.plan.accepted {
                    try Ledger.accept(edit.name, checksum: edit.checksum, down: edit.down, in: connection)
                }
                guard !part.plan.steps.isEmpty else { return }
                context.progress(.verifying(database))
                try part.check.after(
                    part.plan, applied.before, touched: applied.touched, written: applied.written)
            }
            // A run for one database alone does not change the generation, which both databases must share.
            if context.only == nil { try StoreIdentity.set(generation: assignment.generation, in: connection) }
            return applied
        }
    }

    /// Compares the actual losses with the approved ones.
    private func verify(
        _ checked: [Checked], _ applied: [AppliedSteps], against consented: [DatabaseName: [Loss]]
    ) throws {
        for (part, steps) in zip(checked, applied) where !part.plan.steps.isEmpty {
            try steps.requireLosses(
                in: consented[part.migration.database] ?? [], wereShown: assignment.shown != nil)
        }
    }

    // MARK: Commit

    private func record(_ backup: String?) -> IntentRecord {
        assignment.completing
            ?? IntentRecord(
                run: UUID().uuidString.lowercased(), startedAt: Date().formatted(.iso8601), creates: false,
                storeID: taken.first?.found.identity?.storeID ?? "", generation: assignment.generation,
                courses: assignment.plans.mapValues(\.course),
                backup: backup,
                outOfOrderReason: assignment.plans.values.contains { $0.steps.contains { $0.note != nil } }
                    ? options.effectiveOutOfOrderReason : nil)
    }

    /// Work after the commit does not affect the store: its failure is not a failure of the run.
    private func finish(_ checked: [Checked], _ applied: [AppliedSteps], _ backup: String?) -> Result {
        var result = Result(backup: backup)
        for (part, steps) in zip(checked, applied) {
            let (database, connection) = (part.migration.database, part.migration.connection)
            if !steps.touched.isEmpty {
                let tables = (try? connection.ordinaryTables().intersection(steps.touched)) ?? []
                try? connection.refreshStatistics(of: tables)
            }
            var findings = MigrationReport.Findings(part.before)
            if let size = try? connection.size(), size.free * 4 > size.total, size.free > 1 << 20 {
                findings.freeBytes = size.free
            }
            findings.removed = steps.removed
            result.findings[database] = findings
            result.losses[database] = steps.losses.reported(part.losses)
            connection.close()
        }
        for part in checked {
            let database = part.migration.database
            result.findings[database]?.downFault = downFault(of: part.plan, in: database)
        }
        result.removedBackups = backup.map { removeOldBackups(newest: $0) } ?? []
        return result
    }

    /// The fault in the down SQL, which a plan that was shown has already.
    private func downFault(of plan: DatabasePlan, in database: DatabaseName) -> MigrationError? {
        if let shown = assignment.shown { return shown.databases[database]?.downFault }
        return LossReader(context: context, schemas: schemas).downFault(of: plan, in: database)
    }
}

extension DatabasePlan {
    /// The plan in the record of the run.
    fileprivate var course: IntentRecord.Course {
        IntentRecord.Course(
            from: from, to: to, steps: steps.map(\.name),
            accepted: Dictionary(accepted.map { ($0.name, $0.checksum) }, uniquingKeysWith: { first, _ in first }))
    }
}

extension [DatabaseMigration] {
    /// The connections, each inside its transaction.
    var connections: [DatabaseName: any MigrationConnection] {
        Dictionary(uniqueKeysWithValues: map { ($0.database, $0.connection) })
    }
}

extension MigrationReport.Findings {
    fileprivate init(_ before: CheckedDatabase) {
        drift = before.drift
        danglingReferences = before.dangling.values.reduce(0, +)
    }
}
