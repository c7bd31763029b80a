import ChatDBEngine
public import ChatDBSchema

/// Access to a store for commands that do not migrate. To write a store, it must be complete, made by chatdb, at this
/// build's version and not between two versions; reading requires less (`reading()`).
///
/// Rule: docs/migrations.md, "Interrupted runs" and "The plan".
public struct StoreGate: Sendable {
    let context: StoreContext
    /// Whether a store that was moved passes, because it is only read.
    var passesMoved = false

    /// A gate for a store and a build.
    public init(_ context: StoreContext) {
        self.context = context
    }

    /// Shares the store's lock with other writers for the lifetime of the pass, and checks that the store may be
    /// written. Migrations wait meanwhile.
    ///
    /// Throws a `MigrationError`: `storeNotFound`, `incompleteStore`, `needsUpgrade`, `interruptedMigration`, …
    public func enter() throws -> StorePass {
        try requireStore()
        // The lock is a file, and chatdb creates no file beside a store that it did not make.
        if !hasLockFile { try check() }
        let pass = try takeLock()
        try check()
        return pass
    }

    /// The same, with both databases open for writing.
    ///
    /// - Parameter seen: what the caller found before it asked for confirmation. When the databases are still the same,
    /// they are not opened to look at them again.
    package func openForWriting(after seen: FoundStore? = nil) throws -> (pass: StorePass, store: OpenedStore) {
        try requireStore()
        var seen = seen
        if seen == nil, !hasLockFile { seen = try look() }
        let pass = try takeLock()
        if let seen, try !hasRecord {
            let opened = try OpenedStore.openForWriting(context)
            if opened.found.isSame(as: seen) { return (pass, opened) }
            opened.close()
        }
        try check()
        return (pass, try OpenedStore.openForWriting(context))
    }

    /// Whether taking the lock makes no file beside the store.
    private var hasLockFile: Bool {
        context.location.server != nil || FileState(at: context.location.lockPath) != .missing
    }

    /// Whether a run was interrupted since the look; throws for a restore.
    private var hasRecord: Bool {
        get throws {
            try RestoreRecord.refuse(at: context.location)
            return IntentRecord.isThere(context.location)
        }
    }

    private func takeLock() throws -> StorePass {
        StorePass(lock: try context.takeLock(.shared))
    }

    /// Checks, without a lock, that the store may be written: it must be complete, made by chatdb and at this build's
    /// version, with the triggers of that version. For callers that ask first and write later.
    public func check() throws { _ = try look() }

    /// The same; returns what was found.
    private func look() throws -> FoundStore {
        let opened = try openForReading()
        opened.close()
        return opened.found
    }

    /// The same, with the databases still open for reading.
    package func openForReading() throws -> OpenedStore {
        try requireStore()
        let opened = try OpenedStore.open(context)
        do {
            try check(opened.found)
        } catch {
            opened.close()
            throw error
        }
        return opened
    }

    /// The same for facts that were read.
    package func check(_ view: FoundStore) throws {
        if let record = view.interrupted {
            throw MigrationError.interruptedMigration(record, reason: .comesFirst)
        }
        if !passesMoved { try view.refuseMoved() }
        try view.refuseOtherMigrations()
        // The version depends on names alone: edited files do not concern a writer.
        try Confirmation.error.check(try view.plan(in: context, .leniently))
        for (database, part) in view.parts {
            try KnownTriggers.check(
                part.triggers, in: database,
                applied: (context.build[database] ?? []).named(part.applied.namesAsApplied), engine: context.engine)
        }
    }

    func requireStore() throws(MigrationError) {
        try RestoreRecord.refuse(at: context.location)
        if try context.existing().isEmpty, !IntentRecord.isThere(context.location) {
            throw MigrationError.absent(context.location)
        }
    }
}

/// The permission to write a store, valid during the lifetime of this value.
public final class StorePass: Sendable {
    private let lock: StoreLock?

    init(lock: StoreLock?) {
        self.lock = lock
    }
}

/// How this build's queries can read a store.
public enum ReadableVersion: Sendable, Hashable {
    /// This build's version: the queries run as they are.
    case current
    /// A store of chatdb, older by these migrations.
    case older([String])
    /// A store of chatdb between two versions, both known to this build: a run was interrupted.
    case interrupted(IntentRecord)
    /// SimpleX Chat's.
    case simplex([DatabaseName: SimpleXVersion])
}

extension StoreGate {
    /// Checks, without a lock, how the store can be read. Older stores, stores between two versions, stores of SimpleX
    /// Chat and single databases can be read; newer stores, and stores that an interrupted run was creating, cannot.
    ///
    /// Throws a `MigrationError`: `storeNotFound`, `needsDowngrade`, `interruptedMigration`, `notOurStore`, …
    public func reading() throws -> ReadableVersion {
        let (version, opened) = try openReadable()
        opened.close()
        return version
    }

    /// The same, with the databases still open.
    package func openReadable() throws -> (version: ReadableVersion, store: OpenedStore) {
        try requireStore()
        var context = context
        let existing = try context.existing()
        let missing = context.location.databases.filter { !existing.contains($0) }
        // No run completes one database between two versions alone: the other one has to be put back first.
        if missing.count == 1, let one = missing.first,
            try IntentRecord.read(at: context.location)?.creates == false
        {
            throw MigrationError.incompleteStore(missing: one, path: context.location.path(of: one))
        }
        if missing.count == 1 { context.only = context.location.databases.first { !missing.contains($0) } }
        let opened = try OpenedStore.open(context)
        do {
            return (try opened.found.readableVersion(in: context), opened)
        } catch {
            opened.close()
            throw error
        }
    }
}

extension FoundStore {
    /// How this build's queries can read the store.
    fileprivate func readableVersion(in context: StoreContext) throws -> ReadableVersion {
        if let record = interrupted {
            try requireReadable(record, build: context.build)
            return .interrupted(record)
        }
        if let versions = try simplexVersions() { return .simplex(versions) }
        try refuseOtherMigrations()
        // The version depends on names alone: edited files do not concern a reader.
        let plan = try plan(in: context, .leniently)
        try Confirmation.yesUp.check(plan)
        return plan.ups.isEmpty ? .current : .older(plan.ups)
    }

    /// Refuses a database of which this build knows no migration: queries do not know its tables.
    fileprivate func refuseOtherMigrations() throws(MigrationError) {
        for database in DatabaseName.allCases {
            guard let part = parts[database], part.kind == .chatdb, part.unknown.count == part.applied.count,
                let first = part.applied.first
            else { continue }
            throw .otherMigrations(database, first: first.name)
        }
    }

    /// Whether another reading of the store found the same databases.
    fileprivate func isSame(as other: FoundStore) -> Bool {
        parts.count == other.parts.count
            && parts.allSatisfy { database, part in other.parts[database].map(part.isSame) ?? false }
    }

    /// Throws `interruptedMigration` unless the record explains the databases' versions, and this build knows both.
    fileprivate func requireReadable(_ record: IntentRecord, build: [DatabaseName: [Migration]]) throws {
        try refuseStrangers(DatabaseName.allCases)
        if !record.creates, let reason = whyNotCompletable(record, build: build) {
            throw MigrationError.interruptedMigration(record, reason: reason)
        }
        let areKnown = parts.allSatisfy { database, part in
            // Between two commits of a run out of order, the chat database lacks migrations before its last one.
            let known = build[database] ?? []
            return known.allNamed(part.applied.map(\.name)) != nil
        }
        guard !record.creates, areKnown else {
            throw MigrationError.interruptedMigration(record, reason: .comesFirst)
        }
    }

    /// The versions of a store of SimpleX Chat; nil for another store. One database of the app and one of chatdb do not
    /// belong together, and two exchanged files are refused.
    func simplexVersions() throws(MigrationError) -> [DatabaseName: SimpleXVersion]? {
        let foreign = parts.filter { $1.kind == .simplex }
        if foreign.isEmpty { return nil }
        guard foreign.count == parts.count else {
            throw .mismatchedPair(chat: parts[.chat]?.identity, agent: parts[.agent]?.identity)
        }
        for (database, part) in foreign where (SimpleXHistory.database(of: part.applied) ?? database) != database {
            throw .notOurs(database, path: part.path)
        }
        return Dictionary(
            uniqueKeysWithValues: foreign.map { ($0, SimpleXVersion($1.applied, of: $0)) })
    }
}
