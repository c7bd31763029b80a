public import ChatDBEngine
public import ChatDBSchema

/// The steps of a run in one database, planned or carried out.
public struct DatabasePlan: Sendable, Hashable {
    /// The steps in their order; empty without any.
    public let steps: [MigrationStep]
    /// The last migration applied before; nil for none.
    public let from: String?
    /// The last migration applied after; nil for none.
    public let to: String?
    /// Applied migrations whose files have been edited since, by what is known of the edit.
    package internal(set) var edits: EditedNames
    /// Applied migrations whose files have been edited since.
    public var edited: [String] { edits.all }
    /// The migrations applied before, in the order in which they were applied.
    let applied: [String]
    /// Those of `edited` that the run accepts and that stay applied; empty unless the options accept them.
    public internal(set) var accepted: [AcceptedEdit] = []
    /// The differences of the database from the schema that the edited files make, sorted; nil when no edited file is
    /// accepted, or when the database was not examined.
    public internal(set) var editedSchema: [StructureDifference]?
    /// The differences of the database from the schema of its version, sorted. Nil when they were not looked for: when
    /// edited files are accepted, an interrupted run is completed first, this build does not know the version or its files
    /// cannot make the schema, or the database is new or was not examined.
    public internal(set) var drift: [StructureDifference]?
    /// The differences of the database from the schema of its version by the present files, as far as they were looked for.
    var differences: [StructureDifference] { drift ?? editedSchema ?? [] }
    /// The data lost; empty when nothing is lost, or when the databases were not examined.
    public internal(set) var losses: [Loss] = []
    /// The columns that stay and whose values a step does not keep, in the order of the steps; empty when the databases
    /// were not examined.
    public internal(set) var uncopied: [UncopiedColumns] = []
    /// The columns that stay and whose values a step overwrites, in the order of the steps; empty when the databases were
    /// not examined.
    public internal(set) var overwritten: [OverwrittenColumns] = []
    /// The indexes and triggers that the steps remove without naming them, in the order of the steps; empty when the
    /// databases were not examined.
    public internal(set) var removed: [RemovedParts] = []
    /// The fault that the down SQL of the migrations of a plan up has in memory. Nil without one, and when it was not looked
    /// for.
    public internal(set) var downFault: MigrationError?
    /// The differences of the schema that the down SQL makes in memory from that of the target version. Empty without any,
    /// and when they were not looked for.
    var wrongResult: [StructureDifference] = []

    /// The migrations applied after, in the order in which they were applied.
    var appliedAfter: [String] {
        steps.reduce(into: applied) { names, step in
            switch step.direction {
            case .up: names.append(step.name)
            case .down: names.removeAll { $0 == step.name }
            }
        }
    }

    /// The direction; nil without steps.
    public var direction: MigrationStep.Direction? { steps.first?.direction }
}

/// The plan of a run for a store.
public struct StorePlan: Sendable, Hashable {
    /// The plans of the databases in the run.
    public internal(set) var databases: [DatabaseName: DatabasePlan]
    /// Whether the run creates the store.
    public let creates: Bool
    /// An interrupted run that is completed first, or undone if it had changed neither database.
    public let interrupted: IntentRecord?
    /// Whether the interrupted run had changed neither database, so that nothing has to be completed.
    package internal(set) var isUndone = false
    /// The remaining steps of the interrupted run, for each database that it did not commit; empty without an
    /// interrupted run, or when no step remains. The versions in `databases` are those after the completion.
    public internal(set) var completes: [DatabaseName: DatabasePlan] = [:]

    /// Whether there is nothing to do.
    public var isEmpty: Bool {
        !creates && interrupted == nil && databases.values.allSatisfy { $0.steps.isEmpty && $0.accepted.isEmpty }
    }

    /// Names to apply, of both databases, in the order of the names.
    public var ups: [String] { names(.up) }

    /// Names to undo, of both databases, last first.
    public var downs: [String] { names(.down).reversed() }

    /// The edited migrations that the run accepts, of both databases, in the order of the names.
    public var acceptedEdits: [String] { databases.values.flatMap(\.accepted).map(\.name).sorted() }

    /// Names that the plan undoes in the other database alone, by the database in which they stay applied.
    package var keptHalves: [DatabaseName: [String]] {
        let undone = Set(downs)
        return databases.mapValues { $0.appliedAfter.filter(undone.contains) }.filter { !$0.value.isEmpty }
    }

    /// Whether another plan does the same: the steps include the SQL.
    func doesSame(as other: StorePlan?) -> Bool {
        databases.mapValues(\.steps) == other?.databases.mapValues(\.steps)
            && databases.mapValues(\.accepted) == other?.databases.mapValues(\.accepted)
    }

    private func names(_ direction: MigrationStep.Direction) -> [String] {
        databases.values.flatMap(\.steps).filter { $0.direction == direction }.map(\.name).sorted()
    }
}

extension [DatabaseName: DatabasePlan] {
    /// The plans with the losses that carrying them out caused.
    func with(_ losses: [DatabaseName: [Loss]]) -> Self {
        var plans = self
        for (database, losses) in losses { plans[database]?.losses = losses }
        return plans
    }
}

extension DatabasePlan {
    /// The plans of all databases of a run.
    /// - Parameters:
    ///   - reason: why migrations may be applied out of order; nil if they may not.
    ///   - acceptsEdited: whether the run accepts edited migrations.
    static func all(
        for target: MigrationTarget, ledgers: [DatabaseName: [LedgerEntry]], build: [DatabaseName: [Migration]],
        outOfOrder reason: String? = nil, acceptsEdited: Bool = false
    ) throws(MigrationError) -> [DatabaseName: DatabasePlan] {
        let targets = try target.resolved(build: build, ledgers: ledgers)
        var plans: [DatabaseName: DatabasePlan] = [:]
        var problems = InvalidMigrations()
        for (database, migrations) in build {
            let ledger = ledgers[database] ?? []
            do throws(MigrationError) {
                var plan = try make(
                    database, to: targets[database] ?? [], from: ledger, known: migrations, outOfOrder: reason)
                if acceptsEdited { try plan.accept(editedIn: migrations, ledger) }
                plans[database] = plan
            } catch {
                // Down SQL does not matter to a command that never goes down. An error about migrations that are not
                // known stays: their files are missing.
                if case .noDownMigration(_, let names) = error, case .up(let name?) = target,
                    names.allSatisfy({ name in migrations.contains { $0.name == name } })
                {
                    throw .wrongDirection(asked: .up, name: name)
                }
                // The error has the problems of both databases.
                guard case .invalidMigration(.invalid(let found)) = error else { throw error }
                problems.add(found)
            }
        }
        if let error = problems.error { throw .invalidMigration(error) }
        try target.refuseWrongDirection(plans)
        return plans
    }

    private mutating func accept(editedIn build: [Migration], _ ledger: [LedgerEntry]) throws(MigrationError) {
        let left = Set(appliedAfter)
        do throws(MigrationFileError) {
            accepted = try EditedMigrations.accepted(ledger, build).filter { left.contains($0.name) }
        } catch {
            throw .invalidMigration(error)
        }
    }

    private static func make(
        _ database: DatabaseName, to target: ArraySlice<Migration>, from ledger: [LedgerEntry], known: [Migration],
        outOfOrder reason: String?
    ) throws(MigrationError) -> DatabasePlan {
        let steps: [MigrationStep]
        do {
            steps = try Planner.steps(to: target, from: ledger, known: known, outOfOrder: reason)
        } catch {
            switch error {
            case .differentHistory(let build, let there):
                throw .differentHistory(database, build: build, database: there)
            case .noDownMigration(let names): throw .noDownMigration(database, names)
            case .unfitMigration(let error): throw .invalidMigration(error)
            }
        }
        return DatabasePlan(steps: steps, from: ledger, edits: EditedNames(ledger, known))
    }
}

extension MigrationTarget {
    /// Refuses a plan in the other direction than the caller named: `up` never migrates down, and `down` never up.
    fileprivate func refuseWrongDirection(_ plans: [DatabaseName: DatabasePlan]) throws(MigrationError) {
        let steps = plans.values.flatMap(\.steps)
        switch self {
        case .build:
            return
        case .up(let name):
            let downs = steps.filter { $0.direction == .down }.map(\.name).sorted()
            guard !downs.isEmpty else { return }
            if let name { throw .wrongDirection(asked: .up, name: name) }
            throw .needsDowngrade(downs.reversed())
        case .down(let name):
            if steps.contains(where: { $0.direction == .up }) { throw .wrongDirection(asked: .down, name: name) }
        case .downSteps:
            return
        }
    }
}

extension DatabasePlan {
    /// The plan of these steps for a database with this ledger, sorted by name.
    init(steps: [MigrationStep], from ledger: [LedgerEntry], edits: EditedNames = EditedNames()) {
        let after = Self(steps: steps, from: nil, to: nil, edits: edits, applied: ledger.namesAsApplied).appliedAfter
        self.init(
            steps: steps, from: ledger.last?.name, to: after.max(), edits: edits, applied: ledger.namesAsApplied)
    }

    /// A plan without steps for a database with this ledger.
    init(nothingFor ledger: [LedgerEntry]) {
        self.init(steps: [], from: ledger)
    }
}
