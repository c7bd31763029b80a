import ChatDBEngine

/// Plans the steps of one database from two lists of migrations alone.
///
/// Rule: docs/migrations.md, "The plan". The table there is the contract:
///
/// | this build | the database | plan |
/// | --- | --- | --- |
/// | used up | used up | nothing |
/// | more | used up | up: the rest of the build's |
/// | used up | more | down: the rest of the database's, last first, if each can be undone |
/// | same name | same name | go on |
/// | name a | name d | different history |
///
/// With the consent to apply migrations out of order, a database may lack some of the build's although it has later
/// ones. The plan is then up: all that it lacks, in the order of their names.
enum Planner {
    /// The reason why there is no plan.
    enum Refusal: Error, Hashable {
        /// At the same place in the order the build has one migration and the database another.
        case differentHistory(build: String, database: String)
        /// These would have to be undone, and have no down SQL.
        case noDownMigration([String])
        /// Invalid SQL: down SQL stored in the database, or a migration of a faulty build.
        case unfitMigration(MigrationFileError)
    }

    /// The steps that bring a database with this ledger to exactly these migrations. Both lists are sorted by name.
    ///
    /// - Parameters:
    ///   - known: all migrations of the build, for their down SQL; `target` is a beginning of it.
    ///   - reason: why migrations may be applied out of order; nil if they may not.
    static func steps(
        to target: ArraySlice<Migration>, from ledger: [LedgerEntry], known: [Migration],
        outOfOrder reason: String? = nil
    ) throws(Refusal) -> [MigrationStep] {
        if let reason, let steps = try missing(in: ledger, to: target, known: known, reason) { return steps }
        for (migration, entry) in zip(target, ledger) where migration.name != entry.name {
            throw .differentHistory(build: migration.name, database: entry.name)
        }
        guard ledger.count <= target.count else { return try undo(ledger.dropFirst(target.count), known: known) }
        return try apply(target.dropFirst(ledger.count)) { _ in nil }
    }

    /// All that the ledger lacks of the target, if that is out of order; nil if the table applies: the ledger lacks
    /// nothing before its last migration, or has migrations that the build does not have.
    private static func missing(
        in ledger: [LedgerEntry], to target: ArraySlice<Migration>, known: [Migration], _ reason: String
    ) throws(Refusal) -> [MigrationStep]? {
        let applied = Set(ledger.map(\.name))
        let missing = target.filter { !applied.contains($0.name) }
        guard let last = ledger.last?.name, missing.contains(where: { $0.name < last }),
            applied.isSubset(of: known.map(\.name))
        else { return nil }
        return try apply(missing[...]) { $0.name < last ? "out of order: \(reason)" : nil }
    }

    /// The steps that apply these migrations. Throws all problems of their files, also those of the down files, which the
    /// ledger stores.
    private static func apply(
        _ migrations: ArraySlice<Migration>, note: (Migration) -> String?
    ) throws(Refusal) -> [MigrationStep] {
        var steps: [MigrationStep] = []
        var problems = InvalidMigrations()
        for migration in migrations {
            do throws(MigrationFileError) {
                steps.append(try .up(migration, note: note(migration)))
            } catch {
                guard case .invalid(let found) = error else { throw .unfitMigration(error) }
                problems.add(found)
            }
            do throws(MigrationFileError) {
                _ = try migration.down?.statements
            } catch {
                guard case .invalid(let found) = error else { throw .unfitMigration(error) }
                problems.add(found)
            }
        }
        if let error = problems.error { throw .unfitMigration(error) }
        return steps
    }

    private static func undo(
        _ entries: ArraySlice<LedgerEntry>, known: [Migration]
    ) throws(Refusal) -> [MigrationStep] {
        let ours = Dictionary(known.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var steps: [MigrationStep] = []
        var impossible: [String] = []
        for entry in entries.reversed() {
            do throws(MigrationFileError) {
                if let down = ours[entry.name]?.down {
                    let isEdited = EditedMigrations.hasOtherDown(entry, down)
                    steps.append(try .down(entry.name, down, from: .build, differsFromLedger: isEdited))
                } else if let text = entry.down {
                    let script = try MigrationScript(
                        storedDown: text, of: entry.name, syntax: known.first?.up.syntax ?? .sqlite)
                    steps.append(try .down(entry.name, script, from: .file, isUnknown: ours[entry.name] == nil))
                } else {
                    impossible.append(entry.name)
                }
            } catch {
                throw .unfitMigration(error)
            }
        }
        guard impossible.isEmpty else { throw .noDownMigration(impossible) }
        return steps
    }
}
