package import ChatDBEngine
public import ChatDBSchema
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Restores a store from a backup. Checks the backup, reports what would be lost, prepares new databases beside the
/// store, moves the existing files aside, and moves the new ones to their places. Replaces both databases or neither.
///
/// Rule: docs/backups.md, "How a restore is made".
///
/// ```swift
/// let restorer = Restorer(context)
/// let plan = try restorer.plan("/media/usb/chat-2026-07-20T090500Z-20260713_server_roles")
/// for difference in plan.differences where difference.isNewerInStore { print(difference.table) }
/// let report = try restorer.run(plan)  // after the user agreed to this plan
/// ```
public struct Restorer: Sendable {
    private let context: StoreContext
    /// Restores despite objections.
    public let force: Bool
    /// Whether encrypted databases whose passphrase is not known are replaced too. They are moved aside as they are.
    package var replacesLocked = false

    var location: StoreLocation { context.location }

    /// A restorer with the store, build, waiting time, progress and cancellation of a context. Opens nothing.
    public init(_ context: StoreContext, force: Bool = false) {
        self.context = context
        self.force = force
    }

    /// The record of an interrupted restore of this store, or nil. Throws `unreadableIntentRecord`.
    public func interrupted() throws(MigrationError) -> RestoreRecord? {
        try RestoreRecord.read(at: location)
    }

    /// The plan for restoring the backup in a folder. Changes nothing.
    ///
    /// Throws a `RestoreError` (the backup is invalid, or requires `force`) or a `MigrationError` (`readOnlyStore`,
    /// `notOurStore`, `folderNotFound`, `interruptedRestore`). A store of SimpleX Chat takes only a backup of one.
    public func plan(_ folder: String) throws -> RestorePlan {
        try RestoreRecord.refuse(at: location)
        let backup = try BackupContents(at: folder, in: context)
        try requireFinished(backup)
        let plan = try compared(backup)
        if let objection = plan.objections.first, !force { throw RestoreError.refused(plan.backup, objection) }
        return plan
    }

    /// Throws a `RestoreError` when the folder has no backup that could be restored. Changes nothing, and does not open
    /// the store.
    package func checkBackup(_ folder: String) throws {
        _ = try BackupContents(at: folder, in: context)
    }

    /// Restores the backup, or completes an interrupted restore of the same backup instead.
    ///
    /// Throws the errors of `plan`, and `storeLocked`, `inUse`, `notEnoughSpace`. Only after `RestoreError.notFinished`
    /// has the store changed.
    public func run(_ plan: RestorePlan) throws -> RestoreReport {
        try context.withLockAlone { try runLocked(plan) }
    }

    private func runLocked(_ plan: RestorePlan) throws -> RestoreReport {
        try RestoreRecord.refuse(at: location)
        let backup = try BackupContents(at: plan.backup, in: context)
        try context.requireReplaceable()
        // An app that was ended while chatdb waited for it has left its journal.
        try requireFinished(backup)
        let current = try compared(backup)
        guard plan.isConsent(to: current) else { throw RestoreError.planOutdated }
        let staging = RestoreStaging(context)
        let versions: [DatabaseName: String?]
        do {
            versions = try staging.fill(from: backup, generation: current.generation)
        } catch {
            staging.remove()
            throw error
        }
        let swap = try RestoreSwap.begin(
            context,
            record: RestoreRecord(
                startedAt: Date().formatted(.iso8601), backup: plan.backup, storeID: plan.identity?.storeID,
                generation: current.generation, aside: "", versions: versions))
        return try swap.finish(completing: false)
    }

    /// Completes an interrupted restore; nil without one. Throws `inUse`, with the files as they are, if a program has a
    /// database open that was made meanwhile, or not replaced yet.
    public func complete() throws -> RestoreReport? {
        let lock = try context.takeLock(.alone)
        defer { withExtendedLifetime(lock) {} }
        guard let record = try RestoreRecord.read(at: location) else { return nil }
        try context.requireReplaceable()
        return try RestoreSwap(context: context, record: record).finish(completing: true)
    }

    private func compared(_ backup: BackupContents) throws -> RestorePlan {
        let store = try store(comparing: backup)
        return RestorePlan(
            try backup.comparing(store, in: context), store: store, build: context.build,
            hasNamedFiles: location.hasNamedFiles, now: .now())
    }

    /// The existing databases: the facts about each, or why it cannot be read. Refuses databases that chatdb did not
    /// make.
    private func store(
        comparing backup: BackupContents
    ) throws -> [DatabaseName: Result<DatabaseContents, StoreError>] {
        guard FileState(at: location.folder) == .notRegular(.directory) else {
            throw MigrationError.noFolder(path: location.folder)
        }
        var found: [DatabaseName: Result<DatabaseContents, StoreError>] = [:]
        for database in location.databases {
            let path = location.path(of: database)
            if Self.isLink(path) { throw RestoreError.linked(path) }
            if location.state(of: database) == .missing { continue }
            do {
                let facts = try DatabaseContents(
                    database, at: path, comparing: backup.facts[database]?.columns ?? [:], toleratesDamage: true,
                    in: context)
                try require(facts.found, toFit: backup)
                try context.refuseHalf([facts.found])
                found[database] = .success(facts)
            } catch let error as StoreError {
                if error.kind == .interrupted || error.kind == .encrypted && !replacesLocked { throw error }
                if error.kind == .notAFile { throw MigrationError.database(database, path: path, error) }
                let isLocked = [.encrypted, .wrongPassphrase].contains(error.kind)
                if isLocked, backup.kind == .chatdb, location.hasAppName { throw MigrationError.readOnlyStore }
                found[database] = .failure(error)
            }
        }
        return found
    }

    /// Refuses a database of another program than the backup's. An adopted database can go back to the backup from
    /// before its adoption, and forward again with `force`. A database that is not adopted can go back to such a backup
    /// too, also when the adoption was undone before.
    private func require(_ found: FoundDatabase, toFit backup: BackupContents) throws(MigrationError) {
        switch (found.kind, backup.kind) {
        case (.chatdb, .chatdb), (.simplex, .simplex): return
        case (.chatdb, .unknown) where location.hasNamedFiles: return
        case (.unknown, .chatdb) where location.hasNamedFiles: return
        case (.unknown, .unknown) where location.hasNamedFiles: return
        case (.simplex, .chatdb): throw .readOnlyStore
        case (.unknown, _): throw .notOurs(found.name, path: found.path)
        case (_, _): throw .notOurs(found.name, path: backup.paths[found.name] ?? "")
        }
    }

    /// Whether a path is that of a symbolic link.
    static func isLink(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
    }

    /// A journal or log of SimpleX Chat's has what the app has not completed, and the app completes it. Those of
    /// chatdb's own stores are moved aside with the files.
    private func requireFinished(_ backup: BackupContents) throws(RestoreError) {
        if backup.kind == .simplex { try Self.requireFinished(location) }
    }

    /// Throws if a database has a journal or log with content.
    package static func requireFinished(_ location: StoreLocation) throws(RestoreError) {
        for database in location.databases {
            for suffix in ["-journal", "-wal"] {
                let path = location.path(of: database) + suffix
                switch FileState(at: path) {
                case .missing, .empty: continue
                case .regular, .notRegular, .unreachable: throw .unfinished(path)
                }
            }
        }
    }
}

/// The result of a restore.
public struct RestoreReport: Sendable, Hashable {
    /// The absolute path of the backup's folder.
    public let backup: String
    /// The store's id and generation now; nil for SimpleX Chat's.
    public let identity: StoreIdentity?
    /// The versions of the databases; nil is the empty history.
    public let versions: [DatabaseName: String?]
    /// The folder with the replaced files; nil when there were none.
    public let replaced: String?
    /// Whether this completed an interrupted restore.
    public let completed: Bool
    /// Whether the store now has the backup's interrupted migration; a run completes it.
    public let isInterrupted: Bool
}

extension RestoreRecord {
    /// Whether the record names the backup in this folder; a relative path starts at the current folder.
    public func isOf(_ folder: String) -> Bool {
        if rewriting != nil { return false }
        let given = BackupFolder.absolute(folder) as NSString
        return (backup as NSString).standardizingPath == given.standardizingPath
    }
}

extension StoreContext {
    /// The newest backup of adopted databases that their adoption made; nil if none beside the store can be restored.
    /// Without the id of the store, it may be that of another adoption.
    package var backupBeforeAdoption: String? {
        guard location.hasNamedFiles else { return nil }
        let backups = (try? FoundBackup.all(in: location.backupsPath)) ?? []
        let id = try? storeID()
        return backups.first {
            $0.isBeforeAdoption(as: id) && (try? Restorer(self).checkBackup($0.path)) != nil
        }?.path
    }
}
