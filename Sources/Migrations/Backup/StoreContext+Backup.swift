import ChatDBEngine
import ChatDBSchema
import Foundation

extension StoreContext {
    /// Backs up the existing databases of the store as they are at one moment, of any version and any program. Other
    /// programs may go on writing; only migrations and restores wait. The store does not change.
    ///
    /// Throws `storeNotFound`, `storeLocked`, `inUse` when both databases were written all the time, `noBackupFolder`,
    /// `notEnoughSpace`, `backupFailed`, or the error of a file.
    /// Rule: docs/backups.md, "How a backup is made".
    ///
    /// ```swift
    /// let report = try context.backUp(keeping: 7)
    /// print("The backup is \(report.path).")
    /// ```
    ///
    /// - Parameters:
    ///   - folder: the folder of all backups; nil is `<prefix>.backups` beside the store.
    ///   - count: how many backups of this store to keep; nil keeps all.
    ///   - reusesEqual: returns an earlier backup with the same files instead of a new one, so that a command that
    ///     fails again and again leaves one backup.
    ///   - skipsSpaceCheck: skips the check of free space.
    public func backUp(
        to folder: String? = nil, keeping count: Int? = nil, reusesEqual: Bool = false, skipsSpaceCheck: Bool = false
    ) throws -> BackupReport {
        try RestoreRecord.refuse(at: location)
        let there = databases.filter { location.state(of: $0) != .missing }
        if there.isEmpty { throw MigrationError.absent(location) }
        let waiting = Waiting(seconds: max(lockTimeout, 1))
        var isWaiting = false
        while true {
            // A store on a read-only disk has a lock file that cannot be locked; no migration can begin there.
            let mayAppear = FileState(at: location.lockPath) == .missing
            let lock = try sharedLock()
            defer { lock?.removeIfNew() }
            try RestoreRecord.refuse(at: location)
            if !skipsSpaceCheck { try requireSpace(for: there, in: folder) }
            do {
                return try backUp(
                    there, into: folder, keeping: count, reusesEqual: reusesEqual, lockMayAppear: mayAppear)
            } catch is ChangedMeanwhile {
                // Then the program that writes has the store open, and its locks hold.
                if waiting.isOver { throw MigrationError.inUse(there[0], by: holders(of: there)) }
                if cancellation.isRequested { throw MigrationError.interrupted }
                if !isWaiting { progress(.waiting(for: holders(of: there))) }
                isWaiting = true
                waiting.pause()
            }
        }
    }

    /// The store was written, or a migration began, while it was copied without locks.
    private struct ChangedMeanwhile: Error {}

    private func holders(of databases: [DatabaseName]) -> [FileHolder] {
        databases.lazy.compactMap { engine.holders(of: location.path(of: $0)) }.first { !$0.isEmpty } ?? []
    }

    private func backUp(
        _ databases: [DatabaseName], into folder: String?, keeping count: Int?, reusesEqual: Bool,
        lockMayAppear: Bool
    ) throws -> BackupReport {
        let snapshot = try snapshot(of: databases)
        let parts = snapshot.parts
        // It could not be restored, and would count as a backup of the pair.
        try refuseHalf(parts.map(\.found))
        // An unreadable record does not prevent a backup. When both databases are at one version, only the record is
        // left of the run, and no run needs to complete it.
        let record = ((try? IntentRecord.read(at: location)) ?? nil).flatMap { record in
            record.creates || [.nothing, .everything].contains(record.progress(snapshot.places)) ? nil : record
        }
        let identity = snapshot.identity ?? record?.identity(of: snapshot.places)
        var notes = parts.flatMap { part in part.connection.notes.map { "the \(part.database) database: \($0)" } }
        if only == nil, let note = location.loneDatabaseNote { notes.append(note) }
        if record == nil, IntentRecord.isThere(location) {
            notes.append("a run was interrupted; the backup contains what it left, without its record")
        } else if identity == nil, parts.contains(where: { $0.found.identity != nil }) {
            notes.append("the two databases do not belong together; the backup contains them as they are")
        }
        if count != nil, identity == nil {
            notes.append("no old backup was removed: the store has no id by which to find them")
        }
        let maker = BackupMaker(engine: engine, location: location, cancellation: cancellation, progress: progress)
        do {
            let new = try maker.make(of: parts, in: folder, identity: identity, interrupted: record, now: Date()) {
                for part in parts { part.connection.close() }
            } whenCopied: {
                // All copies are of one moment only if the first database has not changed while the second was copied.
                for part in parts { try part.requireUnchanged() }
                // The lock file of a migration that began meanwhile.
                if lockMayAppear, FileState(at: location.lockPath) != .missing {
                    throw StoreError(.busy, "a migration began while chatdb copied the store")
                }
            }
            let made = reusesEqual ? OldBackups.reuse(new) : new
            return BackupReport(
                path: made.path, manifest: made.manifest, kind: parts[0].found.kind, interrupted: record,
                removedBackups: OldBackups.remove(
                    keeping: count, of: identity, at: location, newest: made.path, with: engine), notes: notes)
        } catch let error as StoreError {
            if error.isBusyWithoutLock { throw ChangedMeanwhile() }
            if error.kind == .interrupted { throw error }
            throw MigrationError.backupFailed(error)
        }
    }

    private func snapshot(of databases: [DatabaseName]) throws -> StoreSnapshot {
        do {
            return try StoreSnapshot(
                of: databases, at: location, engine: engine, patience: max(lockTimeout, 1),
                cancellation: cancellation)
        } catch {
            if error.isBusyWithoutLock { throw ChangedMeanwhile() }
            throw error
        }
    }

    /// The lock that keeps migrations and restores away. Nil where there is no lock file, because a backup makes
    /// nothing beside the store, and in a read-only folder. If a command that failed removes its file meanwhile, this
    /// makes another one, which the caller removes.
    func sharedLock() throws(MigrationError) -> StoreLock? {
        if FileState(at: location.lockPath) == .missing { return nil }
        do {
            return try takeLock(.shared)
        } catch .system(let error) where error.kind == .readOnly {
            return nil
        }
    }

    private func requireSpace(for databases: [DatabaseName], in folder: String?) throws(MigrationError) {
        let needed = databases.reduce(Int64(0)) { $0 + SpaceCheck.bytes(of: $1, at: location) }
        let path = folder ?? location.folder
        if let free = FileSpace.free(at: path), free < needed {
            throw .notEnoughSpace(needed: needed, free: free, path: path)
        }
    }
}

extension StoreError {
    /// Whether a database that was read without locks has changed, and not SQLite waited in vain for a lock.
    fileprivate var isBusyWithoutLock: Bool { kind == .busy && engineCode == nil }
}

extension MigrationError {
    fileprivate var isBusyWithoutLock: Bool {
        if case .database(_, _, let error) = self { error.isBusyWithoutLock } else { false }
    }
}

extension StoreContext {
    /// Refuses one database of a pair that was adopted, when the other one was not named, also during an interrupted run.
    /// Of a file that cannot be read, as without its passphrase, only a backup beside it shows that it belongs to a pair.
    /// Accepts a lost file, and one that has its own folder of backups and cannot be read: these backups can be listed and
    /// verified.
    package func refuseHalfOfPair() throws(MigrationError) {
        guard location.hasNamedFiles, location.databases.count == 1 else { return }
        // The caller may have the lock.
        var atOnce = self
        atOnce.lockTimeout = 0
        guard let status = try? atOnce.status(), !status.parts.isEmpty else { return }
        try refuseHalf(status.readable.values)
        guard status.readable.isEmpty, FileState(at: location.backupsPath) == .missing,
            let other = FoundBackup.ofPair(with: location)?.otherFile(of: location)
        else { return }
        throw .halfOfPair(other.database, path: location.prefix, partner: other.partner)
    }
}
