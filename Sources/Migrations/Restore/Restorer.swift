import ChatDBEngine
public import ChatDBSchema
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Restores a store from a backup: looks the backup through, says what would be lost, gets new databases ready beside the
/// store, moves what is there aside, and puts the new ones in its place, both or neither.
///
/// Rule: docs/backups.md, "How a restore is made".
public struct Restorer: Sendable {
    private let context: StoreContext
    /// Restores what there are objections to, too.
    public let force: Bool

    var location: StoreLocation { context.location }

    /// A restorer for the store, build, waiting time, progress and cancellation of a context. Nothing is opened yet.
    public init(_ context: StoreContext, force: Bool = false) {
        self.context = context
        self.force = force
    }

    /// The record of a restore of this store that was interrupted, or nil. Throws `unreadableIntentRecord`.
    public func interrupted() throws(MigrationError) -> RestoreRecord? {
        try RestoreRecord.read(at: location)
    }

    /// What restoring the backup in a folder would do. Changes nothing.
    ///
    /// Throws a `RestoreError` (what is wrong with the backup, or what only `force` restores) or a `MigrationError`
    /// (`readOnlyStore`, `notOurStore`, `folderNotFound`, `interruptedRestore`).
    public func plan(_ folder: String) throws -> RestorePlan {
        try RestoreRecord.refuse(at: location)
        let backup = try BackupContents(at: folder, in: context)
        let plan = RestorePlan(backup, store: try store(), build: context.build)
        if let objection = plan.objections.first, !force { throw RestoreError.refused(plan.backup, objection) }
        return plan
    }

    /// Restores. With an interrupted restore of the same backup, brings that one to its end instead.
    ///
    /// Throws what `plan` throws, and `storeLocked`, `inUse`, `notEnoughSpace`; `RestoreError.notFinished` alone when
    /// the store is not as it was.
    public func run(_ plan: RestorePlan) throws -> RestoreReport {
        let lock = try takeLock()
        defer { withExtendedLifetime(lock) {} }
        try RestoreRecord.refuse(at: location)
        let backup = try BackupContents(at: plan.backup, in: context)
        try refuseOthers()
        // Whoever consented did so to this plan.
        guard RestorePlan(backup, store: try store(), build: context.build) == plan else {
            throw RestoreError.planOutdated
        }
        let staging = RestoreStaging(context)
        let versions: [DatabaseName: String?]
        do {
            versions = try staging.fill(from: backup, generation: plan.generation)
        } catch {
            staging.remove()
            throw error
        }
        let swap = try RestoreSwap.begin(
            location: location, engine: context.engine, lockTimeout: context.lockTimeout,
            record: RestoreRecord(
                startedAt: Date().formatted(.iso8601), backup: plan.backup, storeID: plan.identity.storeID,
                generation: plan.generation, aside: "", versions: versions))
        return try swap.finish(completing: false)
    }

    /// Brings an interrupted restore to its end; nil when there is none.
    public func complete() throws -> RestoreReport? {
        let lock = try takeLock()
        defer { withExtendedLifetime(lock) {} }
        guard let record = try RestoreRecord.read(at: location) else { return nil }
        return try RestoreSwap(
            location: location, engine: context.engine, lockTimeout: context.lockTimeout, record: record
        ).finish(completing: true)
    }

    private func takeLock() throws(MigrationError) -> StoreLock {
        context.progress(.waiting)
        return try StoreLock.take(
            location.lockPath, .alone, timeout: context.lockTimeout, cancellation: context.cancellation)
    }

    /// The databases that are there: what they are, or why they cannot be read. Refuses what is not chatdb's.
    private func store() throws -> [DatabaseName: Result<DatabaseContents, StoreError>] {
        guard FileState(at: location.folder) == .notRegular(.directory) else {
            throw MigrationError.noFolder(path: location.folder)
        }
        var found: [DatabaseName: Result<DatabaseContents, StoreError>] = [:]
        for database in DatabaseName.allCases {
            let path = location.path(of: database)
            if isLink(path) { throw RestoreError.linked(path) }
            if location.state(of: database) == .missing { continue }
            do {
                let facts = try DatabaseContents(database, at: path, in: context)
                if facts.found.kind == .simplex { throw MigrationError.readOnlyStore }
                guard facts.found.kind == .chatdb else { throw MigrationError.notOurs(database, path: path) }
                found[database] = .success(facts)
            } catch let error as StoreError where error.kind != .interrupted {
                if error.kind == .notAFile { throw MigrationError.database(database, path: path, error) }
                found[database] = .failure(error)
            }
        }
        return found
    }

    private func isLink(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
    }

    /// A store that a program has open cannot be taken from under it.
    private func refuseOthers() throws(MigrationError) {
        let others = OtherPrograms(
            engine: context.engine, waiting: Waiting(seconds: context.lockTimeout),
            cancellation: context.cancellation)
        for database in DatabaseName.allCases where location.state(of: database) != .missing {
            try others.waitToLeave(database, at: location.path(of: database))
        }
    }
}

/// What a restore did.
public struct RestoreReport: Sendable, Hashable {
    /// The folder of the backup, from the root.
    public let backup: String
    /// The id and generation the store has now.
    public let identity: StoreIdentity
    /// The versions of the databases; nil is the empty history.
    public let versions: [DatabaseName: String?]
    /// The folder with what was there before; nil when nothing was.
    public let replaced: String?
    /// Whether this brought an interrupted restore to its end.
    public let completed: Bool
    /// Whether the store is in the middle of a migration now, as the backup was; a run completes it.
    public let isInterrupted: Bool
}

extension RestoreRecord {
    /// Whether it is of the backup in this folder; a relative path begins in the current folder.
    public func isOf(_ folder: String) -> Bool {
        let given = BackupFolder.absolute(folder) as NSString
        return (backup as NSString).standardizingPath == given.standardizingPath
    }
}
