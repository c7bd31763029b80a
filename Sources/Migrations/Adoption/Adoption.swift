import ChatDBEngine
public import ChatDBSchema
import Foundation

/// Makes a store of databases that another program made. Each database gets a ledger, which says that the migrations up
/// to a version are applied; nothing else in it changes. From then on it is migrated like every store. It also writes
/// again what the ledger of a database of chatdb has lost: at its end, or anywhere if the migrations are chatdb's own.
///
/// Rule: docs/adoption.md.
///
/// ```swift
/// let location = try StoreLocation(files: [.chat: "/data/app.sqlite"])
/// let context = StoreContext(
///     engine: SQLiteEngine(), location: location, build: try MigrationSource.folder("/src/migrations").load())
/// let adoption = Adoption(context)
/// let plan = try adoption.plan(at: "20260101_0000_first")  // throws if the schema is another one
/// let report = try adoption.run(plan)
/// ```
public struct Adoption: Sendable {
    /// The databases, the migrations, and how to work on them.
    public var context: StoreContext
    /// The backup that is made before.
    public var backup = MigrationOptions.Backup.folder(nil)
    /// Skips the check of free disk space for the backup.
    public var skipsSpaceCheck = false

    /// The adoption of the databases of a context. Opens nothing.
    public init(_ context: StoreContext) {
        self.context = context
    }

    /// The migrations that would be recorded. Changes nothing.
    ///
    /// - Parameter version: the last migration whose schema the databases have.
    ///
    /// Throws a `MigrationError` if a database cannot be adopted: `readOnlyStore` for SimpleX Chat's, `hasLedger`,
    /// `alreadyAdopted`, `halfOfPair`, `foreignMark`, `otherSchema`, `unknownTarget`, `noStore`, `incompleteStore`, …
    public func plan(at version: String) throws -> AdoptionPlan {
        let candidates = try requireDatabases(version).map { database in
            let path = context.location.path(of: database)
            return try MigrationError.naming(database, path) {
                let connection = try context.engine.open(path, as: .untrusted)
                defer { try? connection.close() }
                let structure = try connection.structure()
                let mark = try connection.applicationMark()
                return try connection.read {
                    try AdoptionCandidate(database, at: path, structure: structure, mark: mark, in: $0)
                }
            }
        }
        return try plan(candidates, at: version)
    }

    /// Adopts the databases: both or, after a crash between two commits, the remaining one. Examines them again first.
    ///
    /// Throws a `MigrationFailure`, which has the state of the databases.
    public func run(_ plan: AdoptionPlan) throws -> AdoptionReport {
        do {
            return try context.withLockAlone { try carryOut(at: plan.version) }
        } catch let failure as MigrationFailure {
            throw failure
        } catch {
            throw MigrationFailure(error: MigrationError(error), state: .unchanged)
        }
    }

    /// The databases, agent first. Throws if one is missing or the version is unknown.
    private func requireDatabases(_ version: String) throws -> [DatabaseName] {
        let location = context.location
        try RestoreRecord.refuse(at: location)
        if let record = try IntentRecord.read(at: location) {
            try context.refuseHalfOfPair()
            throw MigrationError.interruptedMigration(record, reason: .comesFirst)
        }
        // The version is one of the pair: one database alone is adopted at the version of the other one too.
        let concerned = context.concernedBuild
        let hasNone = !concerned.values.joined().contains { $0.name <= version }
        try MigrationTarget.up(to: version).requireKnown(version, build: hasNone ? concerned : context.build)
        let missing = context.databases.filter { location.state(of: $0) == .missing }
        if missing.count == context.databases.count { throw MigrationError.absent(location) }
        if let one = missing.first { throw MigrationError.incompleteStore(missing: one, path: location.path(of: one)) }
        return context.databases
    }

    private func plan(_ candidates: [AdoptionCandidate], at version: String) throws -> AdoptionPlan {
        var parts: [DatabaseName: AdoptionPlan.Part] = [:]
        var ours: [AdoptionCandidate] = []
        try refuseHalf(candidates)
        for candidate in candidates {
            let (database, build) = (candidate.database, context.build[candidate.database] ?? [])
            let migrations = Array(build.prefix { $0.name <= version })
            let verdict = try candidate.judge(after: migrations, beside: partner(of: database))
            let lost = verdict.lost
            for migration in migrations where verdict == .adopt || lost.contains(migration.name) {
                // The ledger stores it.
                _ = try migration.down?.statements
            }
            if !lost.isEmpty { try requireLoss(of: candidate, lost, of: migrations) }
            if verdict == .adopt || !lost.isEmpty { try compare(candidate, with: build, at: version) }
            if case .complete = verdict { ours.append(candidate) }
            parts[database] = AdoptionPlan.Part(
                path: candidate.path, migrations: migrations.map(\.name), isAdopted: verdict != .adopt, lost: lost)
        }
        let plan = AdoptionPlan(version: version, databases: parts)
        let areAdopted = parts.values.allSatisfy(\.isAdopted)
        if plan.isCompletion, areAdopted {
            try requireStore(candidates)
        } else if let one = ours.first {
            throw one.refusal
        } else if areAdopted, let one = candidates.first {
            throw MigrationError.alreadyAdopted(one.database, path: one.path, version: version)
        }
        return plan
    }

    /// Throws `alreadyAdopted` if the database has the schema of the last migration in its list: the later ones may be
    /// pending, even if they only change rows. A migration that is missing before an applied one is not pending.
    private func requireLoss(of candidate: AdoptionCandidate, _ lost: [String], of migrations: [Migration]) throws {
        let last = migrations.last { !lost.contains($0.name) }?.name ?? ""
        guard lost.contains(where: { $0 > last }) else { return }
        let earlier = candidate.asApplied(migrations.filter { $0.name <= last })
        let expected = try VersionSchemas(engine: context.engine, of: candidate.database)
            .structure(after: earlier)
        if candidate.structure.withoutLedger.differences(from: expected).isEmpty { throw candidate.refusal }
    }

    /// Refuses one database of a pair that was adopted, when the other one was not named.
    private func refuseHalf(_ candidates: [AdoptionCandidate]) throws(MigrationError) {
        guard context.location.databases.count == 1, let one = candidates.first, one.isOurs, one.movedTo == nil,
            let partner = one.partner
        else { return }
        throw .halfOfPair(one.database, path: one.path, partner: partner)
    }

    /// Refuses databases of chatdb that are not one whole store, or that were moved.
    private func requireStore(_ candidates: [AdoptionCandidate]) throws(MigrationError) {
        for candidate in candidates {
            if let place = candidate.movedTo { throw .moved(to: place) }
        }
        let chat = candidates.first { $0.database == .chat }
        let agent = candidates.first { $0.database == .agent }
        if let chat, let agent, chat.identity != agent.identity {
            throw .mismatchedPair(chat: chat.identity, agent: agent.identity)
        }
    }

    /// The file name of the other database of an adopted pair; nil for a database alone.
    private func partner(of database: DatabaseName) -> String? {
        context.databases.first { $0 != database }.map { fileName(of: context.location.path(of: $0)) }
    }

    /// Throws `otherSchema` unless the database has the schema of its version.
    private func compare(_ candidate: AdoptionCandidate, with build: [Migration], at version: String) throws {
        let schemas = try VersionSchemas(engine: context.engine, of: candidate.database)
        let migrations = candidate.asApplied(build.filter { $0.name <= version })
        let structure = candidate.structure.withoutLedger
        let differences = structure.differences(from: try schemas.structure(after: migrations))
        if differences.isEmpty { return }
        let fitting = build.indices.last { index in
            // A later migration may still be unfinished.
            let version = try? schemas.structure(after: candidate.asApplied(Array(build.prefix(index + 1))))
            return version.map { structure.differences(from: $0).isEmpty } ?? false
        }
        throw MigrationError.otherSchema(
            candidate.database, path: candidate.path, version: version, differences,
            fitting: fitting.map { build[$0].name })
    }

    // MARK: The run

    private func carryOut(at version: String) throws -> AdoptionReport {
        // Another run or restore may have begun since the plan.
        _ = try requireDatabases(version)
        let taken = try context.takeDatabases()
        defer { taken.forEach { $0.connection.close() } }
        let plan = try plan(
            taken.map { part in
                try AdoptionCandidate(
                    part.database, at: part.path, structure: part.connection.structure(),
                    mark: part.connection.applicationMark(), in: part.connection)
            }, at: version)
        let changed = taken.filter { plan.databases[$0.database]?.isChanged == true }
        for part in changed { try check(part) }
        // After a crash between two commits, the other database has the identity already.
        let identity = taken.lazy.compactMap(\.found.identity).first ?? StoreIdentity.new()
        // A backup of one of two databases of a store could not be restored.
        let folder =
            try plan.isCompletion
            ? backUp(taken, as: BackupFolder.lostMigrations, identity: identity)
            : backUp(changed, identity: nil, adoptedAs: identity.storeID)
        var isCommitting = false
        do {
            for part in changed {
                if let lost = plan.databases[part.database]?.lost, !lost.isEmpty {
                    try complete(part, with: lost)
                } else {
                    try record(part, at: version, identity)
                }
            }
            try context.cancellation.check()
            isCommitting = true
            for part in changed { try MigrationError.naming(part.database, part.path) { try part.connection.commit() } }
        } catch {
            taken.forEach { $0.connection.close() }
            let state: StoreState =
                if !isCommitting {
                    .unchanged(backup: folder)
                } else if plan.isCompletion {
                    .unknown(backup: folder)
                } else {
                    stateAfterFailure(identity, folder)
                }
            throw MigrationFailure(error: MigrationError(error), state: state)
        }
        return AdoptionReport(plan: plan, identity: identity, backup: folder)
    }

    /// Throws `damaged` for a damaged database.
    private func check(_ part: DatabaseMigration) throws {
        context.progress(.checking(part.database))
        let problems = try context.cancellation.whileRegistered(part.connection.interrupt) {
            try MigrationError.naming(part.database, part.path) { try part.connection.integrityProblems() }
        }
        guard problems.isEmpty else {
            throw MigrationError.damaged(part.database, problems: KnownNames.shown(problems))
        }
    }

    /// - Parameters:
    ///   - label: the word in the name of the backup; nil for the version.
    ///   - identity: that of the store; nil for databases that are not adopted yet.
    ///   - adoptedAs: the id that such databases get.
    private func backUp(
        _ taken: [DatabaseMigration], as label: String? = nil, identity: StoreIdentity?, adoptedAs: String? = nil
    ) throws -> String? {
        guard case .folder(let folder) = backup else { return nil }
        if !skipsSpaceCheck {
            try SpaceCheck.check(taken.map { ($0.connection, []) }, backup: backup, location: context.location)
        }
        let maker = BackupMaker(
            engine: context.engine, location: context.location, cancellation: context.cancellation,
            progress: context.progress)
        do {
            return OldBackups.reuse(
                try maker.make(
                    of: taken, in: folder, label: label, identity: identity, interrupted: nil, adoptedAs: adoptedAs,
                    now: Date())
            ).path
        } catch MigrationError.noBackupFolder(let error) {
            throw MigrationError.backupFailed(error)
        } catch let error as StoreError where error.kind != .interrupted {
            throw MigrationError.backupFailed(error)
        }
    }

    /// Writes the ledger of one database.
    private func record(_ part: DatabaseMigration, at version: String, _ identity: StoreIdentity) throws {
        let connection = part.connection
        try MigrationError.naming(part.database, part.path) {
            try connection.setApplicationMark(StoreMark.of(part.database))
            try Ledger.create(in: connection)
            for migration in (context.build[part.database] ?? []).prefix(while: { $0.name <= version }) {
                try Ledger.add(migration, note: Ledger.adopted, in: connection)
            }
            try identity.insert(partner: partner(of: part.database), in: connection)
        }
    }

    /// Writes the rows that the ledger of one database has lost. The order of the rows is the order in which the
    /// migrations were applied, so the rows behind the first lost one are written again after it.
    private func complete(_ part: DatabaseMigration, with lost: [String]) throws {
        let first = lost.min() ?? ""
        try MigrationError.naming(part.database, part.path) {
            let later = try Ledger.entries(in: part.connection).filter { $0.name > first }
            for entry in later { try Ledger.remove(entry.name, in: part.connection) }
            for migration in context.build[part.database] ?? [] {
                if lost.contains(migration.name) {
                    try Ledger.add(migration, note: Ledger.adopted, in: part.connection)
                } else if let entry = later.first(where: { $0.name == migration.name }) {
                    try Ledger.add(entry, in: part.connection)
                }
            }
        }
    }

    /// The state of the databases, whose connections are closed. A failed commit may have taken effect.
    private func stateAfterFailure(_ identity: StoreIdentity, _ backup: String?) -> StoreState {
        var adopted: [DatabaseName] = []
        for database in context.databases {
            guard let found = try? context.find(database) else { return .unknown(backup: backup) }
            if found.identity == identity { adopted.append(database) }
        }
        return adopted.isEmpty ? .unchanged(backup: backup) : .adopted(adopted, of: context.databases, backup: backup)
    }
}

// For the hint of a baseline that is refused.
extension Adoption {
    /// The databases whose files have the schema that the migrations up to a version make of the other database, chat
    /// first. Opens the files only to read them; a file that cannot be read is not in the answer.
    package func exchangedDatabases(at version: String) -> [DatabaseName] {
        DatabaseName.allCases.filter { database in
            let other: DatabaseName = database == .chat ? .agent : .chat
            let migrations = (context.build[other] ?? []).filter { $0.name <= version }
            guard context.databases.contains(database), !migrations.isEmpty,
                let connection = try? context.engine.open(context.location.path(of: database), as: .untrusted)
            else { return false }
            defer { try? connection.close() }
            guard let structure = try? connection.structure(),
                let expected = try? VersionSchemas(engine: context.engine, of: other).structure(after: migrations)
            else { return false }
            return structure.withoutLedger.differences(from: expected).isEmpty
        }
    }
}

extension StoreContext {
    /// The version at which a baseline writes the lost rows of the lists of migrations again. It is nil if no list of
    /// chatdb's databases lost rows, or if a baseline refuses the databases. Changes nothing.
    package var versionOfBaseline: String? {
        guard location.server == nil, let status = try? status() else { return nil }
        // A baseline is about the lists of both databases.
        let databases = DatabaseName.allCases.filter { status.readable[$0]?.kind == .chatdb }
        let lost = databases.flatMap { (try? lostMigrations(of: $0)) ?? [] }
        if lost.isEmpty { return nil }
        let names = status.readable.values.compactMap { $0.applied.last?.name } + lost
        guard let version = names.max(), let plan = try? Adoption(self).plan(at: version) else { return nil }
        return plan.isCompletion ? version : nil
    }
}

/// What an adoption records.
public struct AdoptionPlan: Sendable, Hashable {
    /// What it records in one database.
    public struct Part: Sendable, Hashable {
        /// The main file.
        public let path: String
        /// The migrations, in their order. Empty if the database has no migration up to the version.
        public let migrations: [String]
        /// Whether the database is one of chatdb already: an earlier adoption was interrupted, or its ledger has lost
        /// rows.
        public let isAdopted: Bool
        /// The migrations whose rows the ledger has lost, and gets again; empty in an adoption.
        public let lost: [String]

        /// Whether the database is written.
        var isChanged: Bool { !isAdopted || !lost.isEmpty }
    }

    /// The last migration whose schema the databases have.
    public let version: String
    /// The databases.
    public let databases: [DatabaseName: Part]

    /// Whether it adopts nothing, and writes lost rows of ledgers again.
    public var isCompletion: Bool { databases.values.contains { !$0.lost.isEmpty } }
}

/// The result of an adoption.
public struct AdoptionReport: Sendable, Hashable {
    /// What was recorded.
    public let plan: AdoptionPlan
    /// The identity of the new store.
    public let identity: StoreIdentity
    /// The folder of the backup; nil when the caller wanted none.
    public let backup: String?
}

extension StoreState {
    /// Nothing was changed; the folder is that of a backup, if one was made.
    fileprivate static func unchanged(backup: String?) -> StoreState {
        backup.map { .unchangedWithBackup($0) } ?? .unchanged
    }
}
