import ChatDBEngine
import ChatDBSchema
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Removes backups of a store that are no longer needed.
enum OldBackups {
    /// Keeps the newest `count` backups of this store that the engine opens, including the new one, and returns the
    /// folders removed. Never changes a folder that is not a complete backup of this store, that has another passphrase,
    /// that was made in the middle of a migration, or that lacks a database. Such a backup does not count: it does not
    /// lead back to the state of the store before a migration.
    ///
    /// - Parameters:
    ///   - count: how many to keep; nil is all.
    ///   - location: the place of the store, which says how many databases it has.
    ///   - newest: the folder of the new backup; the others are beside it.
    static func remove(
        keeping count: Int?, of identity: StoreIdentity?, at location: StoreLocation, newest: String,
        with engine: any StorageEngine
    ) -> [String] {
        guard let identity, let count, count >= 1 else { return [] }
        func counts(_ backup: FoundBackup) -> Bool { backup.counts(for: identity.storeID, at: location) }
        let whole = others(beside: newest).filter(counts)
        let kept = FoundBackup(at: newest).map(counts) == false ? count : count - 1
        // No key is derived where the limit removes nothing.
        guard whole.count > kept else { return [] }
        return whole.filter { !$0.isLocked(for: engine) }.dropFirst(kept).map(\.path).filter(remove)
    }

    /// Removes the new backup if an earlier one beside it has the same files, and returns the one that is left. So a
    /// command that fails again and again leaves one backup. Before an adoption, the one that is left gets the id of the
    /// store that its databases become.
    static func reuse(_ made: (path: String, manifest: BackupManifest)) -> (path: String, manifest: BackupManifest) {
        let new = made.manifest
        for other in others(beside: made.path) where other.state == .complete {
            guard let manifest = other.manifest, manifest.identity == new.identity, manifest.parts == new.parts,
                manifest.interrupted == new.interrupted, new.interrupted == nil
            else { continue }
            guard other.isUnchanged, let left = mark(other.path, manifest, adoptedAs: new.adoptedAs) else { continue }
            if remove(made.path) { return (other.path, left) }
        }
        return made
    }

    /// Writes the id of the store that the databases of a backup become. Returns the new description, and nil if it cannot
    /// be written.
    private static func mark(_ path: String, _ manifest: BackupManifest, adoptedAs id: String?) -> BackupManifest? {
        guard let id, manifest.adoptedAs != id else { return manifest }
        var marked = manifest
        marked.adoptedAs = id
        let text = marked.json.text(.pretty) + "\n"
        return (try? DurableFile.write(text, to: path + "/" + BackupFolder.manifestName)) == nil ? nil : marked
    }

    /// The backups beside this one, the newest first.
    private static func others(beside newest: String) -> [FoundBackup] {
        let parent = parentFolder(of: newest)
        // Compares names: one path can be written in several ways.
        let name = fileName(of: newest)
        return ((try? FoundBackup.all(in: parent)) ?? []).filter { fileName(of: $0.path) != name }
    }

    /// Removes the files of a backup and its folder. Returns false, and changes nothing, if the folder contains anything
    /// else, or cannot be changed.
    static func remove(_ path: String) -> Bool {
        guard let manifest = BackupManifest.read(inFolder: path), let names = try? folderNames(path) else {
            return false
        }
        let files = Set(manifest.files)
        // chatdb writes no names that lead elsewhere.
        guard files.allSatisfy(BackupManifest.isFileName),
            files.union([BackupFolder.manifestName]).isSuperset(of: names)
        else { return false }
        // Without its description, a folder that is removed halfway counts as unfinished.
        guard unlink(path + "/" + BackupFolder.manifestName) == 0 else { return false }
        for file in files { unlink(path + "/" + file) }
        return rmdir(path) == 0
    }
}

/// The backups of a store that a limit on their number keeps and removes.
public struct BackupPruning: Sendable, Hashable {
    /// The newest complete backups, the newest first.
    public let kept: [FoundBackup]
    /// The older complete backups, the newest first.
    public let removed: [FoundBackup]
    /// Backups of the store that are damaged. They neither count nor are removed.
    public let damaged: [FoundBackup]
    /// Complete backups of the files from before they were adopted. They neither count nor are removed. Empty for a store
    /// that was not adopted.
    public let beforeAdoption: [FoundBackup]
    /// Complete backups of the store that cannot be opened with its passphrase. They neither count nor are removed.
    public let locked: [FoundBackup]
    /// Complete backups of the store from the middle of a migration. They neither count nor are removed.
    public let interrupted: [FoundBackup]
    /// Complete backups of the store that lack one of its two databases. They neither count nor are removed.
    public let oneDatabase: [FoundBackup]
    /// Unfinished backups with the name of the store. They neither count nor are removed.
    public let unfinished: [FoundBackup]
}

extension StoreContext {
    /// The id of the store, which its backups have.
    ///
    /// Throws `storeNotFound`, `readOnlyStore` and `notOurStore`, `mismatchedPair`, or the error of a file.
    public func storeID() throws -> String { try storeID(of: FoundStore.read(self)) }

    private func storeID(of found: FoundStore) throws -> String {
        if found.isAbsent { throw MigrationError.absent(location) }
        try found.refuseStrangers(databases)
        let ids = databases.compactMap { found.parts[$0]?.identity?.storeID }
        guard let id = ids.first else {
            let database = databases.last ?? .chat
            throw MigrationError.notOurs(database, path: location.path(of: database))
        }
        return id
    }

    /// The backups of the store that would be removed if the newest `count` complete ones that its passphrase opens were
    /// kept. Changes nothing.
    ///
    /// Throws the errors of ``storeID()``, `halfOfPair`, and a `StoreError` if the folder cannot be read.
    /// Rule: docs/backups.md, "Which backups are removed".
    ///
    /// - Parameters:
    ///   - count: at least 1.
    ///   - folder: the folder of all backups; nil is `<prefix>.backups` beside the store.
    public func pruning(keeping count: Int, in folder: String? = nil) throws -> BackupPruning {
        let found = try FoundStore.read(self)
        try refuseHalf(found.parts.values)
        let id = try storeID(of: found)
        let all = try FoundBackup.all(in: folder ?? location.backupsPath)
        let complete = all.filter { $0.isComplete(of: id) }
        let whole = complete.filter { $0.counts(for: id, at: location) }
        let locked = whole.filter { $0.isLocked(for: engine) }
        let opened = whole.filter { !locked.contains($0) }
        return BackupPruning(
            kept: Array(opened.prefix(max(count, 1))), removed: Array(opened.dropFirst(max(count, 1))),
            damaged: all.filter { $0.state == .damaged && $0.manifest?.identity?.storeID == id },
            beforeAdoption: location.hasNamedFiles ? all.filter(isBeforeAdoption) : [], locked: locked,
            interrupted: complete.filter(\.isOfInterrupted),
            oneDatabase: complete.filter { !$0.isOfInterrupted && $0.onlyDatabase(of: location) != nil },
            unfinished: all.filter {
                $0.state == .unfinished && isNamed(fileName(of: $0.path))
            })
    }

    /// Whether a folder has the name of a backup of this store. Another store may have a name such as `me-work`.
    private func isNamed(_ folder: String) -> Bool {
        let name = location.name + "-"
        return folder.hasPrefix(name)
            && folder.dropFirst(name.count).prefixMatch(of: #/[0-9]{8}T[0-9]{6}Z/#) != nil
    }

    /// Whether a complete backup has these files from before they were adopted.
    private func isBeforeAdoption(_ backup: FoundBackup) -> Bool {
        backup.state == .complete && backup.isBeforeAdoption
            && location.databases.allSatisfy { database in
                backup.manifest?.parts[database]?.file == fileName(of: location.path(of: database))
            }
    }

    /// Removes the backups of a pruning, the oldest first, and returns those that it could not remove: their folders
    /// contain other files too, or cannot be changed. Leaves those that the limit no longer removes. Waits for a restore,
    /// which may read one of them.
    ///
    /// Throws the errors of ``pruning(keeping:in:)``, and `storeLocked`.
    public func prune(
        _ planned: BackupPruning, keeping count: Int, in folder: String? = nil
    ) throws -> [FoundBackup] {
        let lock = try sharedLock()
        defer { lock?.removeIfNew() }
        let now = try pruning(keeping: count, in: folder)
        return planned.removed.reversed().filter { now.removed.contains($0) && !OldBackups.remove($0.path) }
    }
}
