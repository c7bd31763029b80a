import ChatDBSchema

/// The version to which a run migrates a store.
public enum MigrationTarget: Sendable, Hashable {
    /// This build's version, in either direction.
    case build
    /// Up to and including this migration, in the order of the names of both databases; nil is the newest.
    case up(to: String?)
    /// Down until this migration is the last one, in the order of the names of both databases.
    case down(to: String)
    /// Undoes this number of migrations, the last ones of both databases.
    case downSteps(Int)
}

extension MigrationTarget {
    /// Whether the caller requested a migration down.
    package var goesDown: Bool {
        switch self {
        case .build, .up: false
        case .down, .downSteps: true
        }
    }

    /// Whether the version depends on the store's current one.
    var isRelative: Bool {
        if case .downSteps = self { return true }
        return false
    }

    /// The named migration; nil without one.
    var name: String? {
        switch self {
        case .up(let name): name
        case .down(let name): name
        case .build, .downSteps: nil
        }
    }

    /// Throws `unknownTarget` when the build has no migration of that name.
    func requireKnown(_ name: String, build: [DatabaseName: [Migration]]) throws(MigrationError) {
        guard build.values.contains(where: { $0.contains { $0.name == name } }) else {
            throw .unknownTarget(name, last: build.values.compactMap(\.last?.name).max())
        }
    }

    /// The migrations that each database has after the run.
    func resolved(
        build: [DatabaseName: [Migration]], ledgers: [DatabaseName: [LedgerEntry]]
    ) throws(MigrationError) -> [DatabaseName: ArraySlice<Migration>] {
        switch self {
        case .build, .up(to: nil):
            return build.mapValues { $0[...] }
        case .up(to: let name?), .down(to: let name):
            try requireKnown(name, build: build)
            return build.mapValues { $0.prefix { $0.name <= name } }
        case .downSteps(let count):
            return try keeping(allBut: count, build, ledgers)
        }
    }

    private func keeping(
        allBut count: Int, _ build: [DatabaseName: [Migration]], _ ledgers: [DatabaseName: [LedgerEntry]]
    ) throws(MigrationError) -> [DatabaseName: ArraySlice<Migration>] {
        // When names are equal chat comes after agent, so that the order is total.
        let all = ledgers.flatMap { database, entries in entries.map { (name: $0.name, database: database) } }
            .sorted { ($0.name, $0.database.rawValue) < ($1.name, $1.database.rawValue) }
        guard count <= all.count else {
            let adopted = ledgers.values.joined().count { $0.note == Ledger.adopted }
            throw .tooManySteps(count, applied: all.count - adopted, adopted: adopted)
        }
        let undone = Dictionary(grouping: all.suffix(count), by: \.database).mapValues(\.count)
        var result: [DatabaseName: ArraySlice<Migration>] = [:]
        for (database, migrations) in build {
            let kept = (ledgers[database]?.count ?? 0) - (undone[database] ?? 0)
            guard kept <= migrations.count else {
                let unknown = (ledgers[database] ?? [])[migrations.count].name
                throw .unknownTarget(unknown, last: migrations.last?.name)
            }
            result[database] = migrations.prefix(kept)
        }
        return result
    }
}
