import ChatDBKit

/// A store and what was found in it.
struct CheckedStore {
    let context: StoreContext
    let checkup: CheckResult
    /// What the databases have lost of their schemas.
    let lost: [DatabaseName: [SchemaPart]]
    /// What the reader should know of how it was found.
    let notes: [String]

    var isOK: Bool { checkup.isOK }

    /// Checks a store of any version, of whose databases one may be missing. Nothing of it changes.
    static func check(
        _ location: StoreLocation, with engine: SQLiteEngine, _ output: Output
    ) throws -> CheckedStore {
        let context = StoreContext(engine: engine, location: location, build: try MigrationSource.build.load())
        let status = try context.status()
        if status.parts.isEmpty, let record = status.interruptedRestore {
            throw MigrationError.interruptedRestore(record)
        }
        try refuseUnchecked(status)
        let known = try Known(status, context)
        // A healthy table has no row to show for a long time.
        let store = try Store.openForReading(
            location, with: engine.limited(queryTimeLimit: .seconds(60)), without: status.unreadable)
        defer { try? store.close() }
        let bar = output.progress("checking the store", total: Int64(StoreCheck.all.count))
        defer { bar.finish() }
        let checkup = try Signals.cancellation.whileRegistered(store.interrupt) {
            try CheckResult(
                of: store, isOurs: status.kind == .chatdb, told: known.told, unreadable: status.unreadable,
                untold: known.untold, cancellation: Signals.cancellation
            ) { _, done, _ in bar.update(Int64(done)) }
        }
        return CheckedStore(context: context, checkup: checkup, lost: known.lost, notes: known.notes + store.notes)
    }

    /// One database that cannot be read is a finding, and the other is checked. When nothing can be read, or might in a
    /// moment, or elsewhere, there is no answer.
    private static func refuseUnchecked(_ status: StoreStatus) throws {
        guard status.isUncheckable, let problem = status.passingProblem ?? status.problems.first else { return }
        throw problem.error.report(of: problem.path)
    }

    /// Nothing is mended in a file that is broken: every write may make it worse.
    func refuseDamaged() throws {
        for database in DatabaseName.allCases {
            let damage = checkup.findings.first { $0.id == StoreCheck.damageID(database) }
            guard let damage else { continue }
            var report = MigrationError.damaged(database, problems: damage.sample.map(\.description)).report
            report.state = "Nothing was changed."
            throw report
        }
    }
}

extension StoreStatus {
    /// Why one of the databases cannot be read now, and may be in a moment, or elsewhere.
    fileprivate var passingProblem: Problem? {
        let passing: Set<StoreError.Kind> = [.busy, .inUse, .interrupted, .outOfMemory, .diskFull]
        return problems.first { passing.contains($0.error.kind) }
    }

    /// Whether checking would end with an error and no answer.
    var isUncheckable: Bool { passingProblem != nil || readable.isEmpty && !problems.isEmpty }
}
