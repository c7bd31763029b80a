import ChatDBSchema

extension DatabasePlan {
    /// The plans of all databases of a run.
    static func all(
        for target: MigrationTarget, ledgers: [DatabaseName: [LedgerEntry]], build: [DatabaseName: [Migration]]
    ) throws(MigrationError) -> [DatabaseName: DatabasePlan] {
        let targets = try target.resolved(build: build, ledgers: ledgers)
        var plans: [DatabaseName: DatabasePlan] = [:]
        for (database, migrations) in build {
            plans[database] = try make(
                database, to: targets[database] ?? [], from: ledgers[database] ?? [], known: migrations)
        }
        try target.refuseWrongDirection(plans)
        return plans
    }

    private static func make(
        _ database: DatabaseName, to target: ArraySlice<Migration>, from ledger: [LedgerEntry], known: [Migration]
    ) throws(MigrationError) -> DatabasePlan {
        let steps: [MigrationStep]
        do {
            steps = try Planner.steps(to: target, from: ledger, known: known)
        } catch {
            switch error {
            case .differentHistory(let build, let there):
                throw .differentHistory(database, build: build, database: there)
            case .noDownMigration(let names): throw .noDownMigration(database, names)
            case .unfitMigration(let error): throw .invalidMigration(error)
            }
        }
        return DatabasePlan(
            steps: steps, from: ledger.last?.name, to: steps.isEmpty ? ledger.last?.name : target.last?.name,
            edited: EditedMigrations.names(ledger, known))
    }
}

/// Applied migrations whose files have changed since.
enum EditedMigrations {
    static func names(_ ledger: [LedgerEntry], _ build: [Migration]) -> [String] {
        let checksums = Dictionary(build.map { ($0.name, $0.checksum) }, uniquingKeysWith: { first, _ in first })
        return ledger.filter { entry in
            guard let noted = entry.checksum, let now = checksums[entry.name] else { return false }
            return noted != now
        }.map(\.name)
    }
}

extension MigrationTarget {
    /// `up` never goes down and `down` never up: whoever names a direction means it.
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
    /// No steps for a database with this ledger.
    init(nothingFor ledger: [LedgerEntry]) {
        self.init(steps: [], from: ledger.last?.name, to: ledger.last?.name, edited: [])
    }
}
