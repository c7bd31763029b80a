import ChatDBKit

/// A store opened for the length of one command.
enum StoreSession {
    /// Opens a store to read it; nothing of it changes. It may be of an older version, SimpleX Chat's, or one database
    /// alone. Notes say how it was read, and what its version lacks.
    static func read<T>(_ options: StoreOptions, _ output: Output, _ body: (Store) throws -> T) throws -> T {
        let location = try options.location()
        output.detail("the store is \(location.prefix)")
        let context = try context(location, options.engine)
        let version = try passing { try StoreGate(context).reading() }
        let answer = try read(context, as: version, output, body)
        if case .interrupted(let record) = version {
            output.warn(
                options.repeated.text(
                    """
                    a migration begun at \(record.startedAt) was interrupted, and each database was read as it is; \
                    \(.migrateRun) completes it
                    """))
        }
        return answer
    }

    /// The same for a command that writes when it has read and asked: what may not be written is refused at once.
    static func readToWrite<T>(_ options: StoreOptions, _ output: Output, _ body: (Store) throws -> T) throws -> T {
        let location = try options.location()
        output.detail("the store is \(location.prefix)")
        let context = try context(location, options.engine)
        try passing { try StoreGate(context).check() }
        return try read(context, as: .current, output, body)
    }

    private static func read<T>(
        _ context: StoreContext, as version: ReadableVersion, _ output: Output, _ body: (Store) throws -> T
    ) throws -> T {
        let plans = try plans(for: version, context)
        let store: Store
        do {
            store = try Store.openForReading(context.location, with: context.engine, through: plans)
        } catch {
            throw report(of: error, context.location) ?? error
        }
        defer { try? store.close() }
        do {
            let answer = try body(store)
            // An error stands alone on standard error.
            for note in version.notes + missing(store) + store.notes { output.note(note) }
            return answer
        } catch let error as StoreError where error.kind == .missing {
            guard let missing = store.missing.first else { throw error }
            throw MigrationError.incompleteStore(missing: missing, path: store.location.path(of: missing))
        } catch {
            throw report(of: error, store.location) ?? error
        }
    }

    /// A failure of the files themselves, with the store it is about; nil for every other error.
    private static func report(of error: any Error, _ location: StoreLocation) -> ErrorReport? {
        guard let cause = error as? StoreError ?? (error as? any RuleViolation)?.storeError else { return nil }
        switch cause.kind {
        case .damaged, .busy, .inUse, .readOnly, .inputOutput, .beyondLimits, .other: break
        default: return nil
        }
        var report = cause.report(of: location.prefix)
        if cause.kind == .damaged {
            report.hint =
                "\(.check) shows the damage; \(.restore, "FOLDER") restores a backup"
        }
        return report
    }

    /// How the databases of a version are shown as this build's.
    private static func plans(
        for version: ReadableVersion, _ context: StoreContext
    ) throws -> [DatabaseName: ViewPlan] {
        if version == .current { return [:] }
        return try VersionPlans.all(context.build)
    }

    private static func missing(_ store: Store) -> [String] {
        store.missing.map { "the \($0) database is missing (\(store.location.path(of: $0)))" }
    }

    /// Opens a store of this build's version to write it, together with others that write and apart from migrations.
    static func write<T>(_ options: StoreOptions, _ output: Output, _ body: (Store) throws -> T) throws -> T {
        let location = try options.location()
        output.detail("the store is \(location.prefix)")
        let pass = try passing { try StoreGate(context(location, options.engine)).enter() }
        defer { withExtendedLifetime(pass) {} }
        let store = try Store.openForWriting(location, with: options.engine)
        defer { try? store.close() }
        do {
            let answer = try body(store)
            CommittedChange.note()
            return answer
        } catch {
            throw report(of: error, location) ?? error
        }
    }

    /// Changes the hint of a refusal: a command that only reads or writes does not offer at once to throw data away.
    private static func passing<T>(_ gate: () throws -> T) throws -> T {
        do {
            return try gate()
        } catch let error as MigrationError {
            guard case .needsDowngrade = error else { throw error }
            throw HintedError(error, hint: "use a newer chatdb; \(.migratePlan) shows what going down would lose")
        }
    }

    private static func context(_ location: StoreLocation, _ engine: SQLiteEngine) throws -> StoreContext {
        StoreContext(engine: engine, location: location, build: try MigrationSource.build.load())
    }
}

/// How databases of other versions are shown as this build's.
enum VersionPlans {
    /// For both databases.
    static func all(_ build: [DatabaseName: [Migration]]) throws -> [DatabaseName: ViewPlan] {
        var plans: [DatabaseName: ViewPlan] = [:]
        for (database, migrations) in build {
            let schema = try SchemaText.structure(of: migrations, engine: SQLiteEngine())
            plans[database] = VersionViews.plan(of: database, as: schema)
        }
        return plans
    }
}

extension ReadableVersion {
    /// What the reader of an answer should know of where it comes from.
    fileprivate var notes: [String] {
        switch self {
        // What is between two versions is warned of.
        case .current, .interrupted: []
        case .older(let names):
            [
                "the store is older than this build by "
                    + (names.count == 1 ? "1 migration" : "\(names.count) migrations") + "; chatdb reads it as it is"
            ]
        case .simplex(let versions): [SimpleXText.store(versions)] + SimpleXText.newer(versions)
        }
    }
}
