public import ChatDBEngine
package import ChatDBSchema
import Foundation

/// A backup in a folder of backups.
public struct FoundBackup: Sendable, Hashable {
    /// What the names and sizes of its files say.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// All files of `backup.json` are there, with their sizes.
        case complete
        /// A file is missing or has another size, or `backup.json` cannot be read.
        case damaged
        /// There is no `backup.json`, which chatdb writes last.
        case unfinished
    }

    /// The absolute path of its folder.
    public let path: String
    /// What the names and sizes of its files say.
    public let state: State
    /// Its description. It is nil if there is no `backup.json` that can be read.
    public let manifest: BackupManifest?

    /// The backups in a folder, the newest first, then those without a description by name. Empty if the folder does
    /// not exist. A subfolder is a backup if it contains `backup.json`, or has the name of a backup.
    ///
    /// Throws a `StoreError` if the folder cannot be read.
    public static func all(in folder: String) throws(StoreError) -> [FoundBackup] {
        let folder = BackupFolder.absolute(folder)
        let names: [String]
        do throws(FolderError) {
            names = try folderNames(folder)
        } catch {
            if error.errno == ENOENT { return [] }
            throw SystemError.error(error.errno, "\(folder) cannot be read")
        }
        return names.compactMap { FoundBackup(at: folder + "/" + $0) }.sorted(by: isNewer)
    }

    /// The complete backups that have all files of a store, in its usual folder, the newest first. A store of usual names
    /// and a named database can have one folder of backups. Empty if the folder cannot be read.
    package static func complete(of location: StoreLocation) -> [FoundBackup] {
        let files = location.databases.map { fileName(of: location.path(of: $0)) }
        return ((try? all(in: location.backupsPath)) ?? []).filter { backup in
            let names = backup.manifest?.parts.values.map(\.file) ?? []
            return backup.state == .complete && files.allSatisfy(names.contains)
        }
    }

    /// The newest complete backup of two databases of another program, one of which is the only named file. The backups
    /// of such a pair are beside its chat database. Nil if there is none.
    package static func ofPair(with location: StoreLocation) -> FoundBackup? {
        guard location.hasNamedFiles, location.databases.count == 1 else { return nil }
        let ending = ".backups"
        let names = ((try? folderNames(location.folder)) ?? []).filter { $0.hasSuffix(ending) }
        let backups = names.flatMap { name in
            ((try? all(in: joinedPath(location.folder, name))) ?? []).filter { backup in
                // A store of chatdb's own has its backups elsewhere.
                backup.state == .complete && backup.manifest?.parts[.chat].map { $0.file + ending } == name
                    && backup.otherFile(of: location) != nil
            }
        }
        return backups.min(by: isNewer)
    }

    /// The database that the only named file is in a backup of two, and the name of the other file. Nil if the backup has
    /// no file of this name, or is not of two databases.
    func otherFile(of location: StoreLocation) -> (database: DatabaseName, partner: String)? {
        guard let parts = manifest?.parts, parts.count == 2,
            let own = parts.first(where: { $0.value.file == fileName(of: location.prefix) }),
            let other = parts.first(where: { $0.key != own.key })
        else { return nil }
        return (own.key, other.value.file)
    }

    /// The backup in a folder. Nil if the folder has no backup.
    package init?(at path: String) {
        let path = BackupFolder.absolute(path)
        guard FileState(at: path) == .notRegular(.directory) else { return nil }
        self.path = path
        manifest = BackupManifest.read(inFolder: path)
        if let manifest {
            let isThere = manifest.parts.values.allSatisfy { part in
                BackupManifest.isFileName(part.file) && FileState(at: path + "/" + part.file).bytes == part.bytes
            }
            state = isThere ? .complete : .damaged
        } else {
            let hasDescription = FileState(at: path + "/" + BackupFolder.manifestName) != .missing
            guard hasDescription || BackupFolder.isName(fileName(of: path)) else { return nil }
            state = hasDescription ? .damaged : .unfinished
        }
    }

    /// The size of its databases. Without a `backup.json` that can be read, it is the size of the files in the folder.
    public var bytes: Int64 {
        if let manifest { return manifest.parts.values.reduce(0) { $0 + $1.bytes } }
        let names = (try? folderNames(path)) ?? []
        return names.reduce(0) { $0 + (FileState(at: path + "/" + $1).bytes ?? 0) }
    }

    /// Whether its name says that `migrate baseline` made it before it wrote lost rows of a list of migrations again. A
    /// number may follow: the name was taken.
    package var isBeforeLostMigrations: Bool {
        fileName(of: path).contains(#/Z-lost-migrations(-[0-9]+)?$/#)
    }

    /// Whether it has databases of another program that were not adopted. For an adopted store, its restore undoes the
    /// adoption.
    package var isBeforeAdoption: Bool {
        guard let manifest else { return false }
        return manifest.identity == nil && manifest.parts.values.allSatisfy { $0.version == nil }
    }

    /// Whether it was made in the middle of a migration. Its restore does not lead back to the state before the migration.
    package var isOfInterrupted: Bool { manifest?.interrupted != nil }

    /// Its database, if it lacks the other one of a store of two. A restore refuses such a backup. Nil for a whole one.
    package func onlyDatabase(of store: StoreLocation) -> DatabaseName? {
        guard let parts = manifest?.parts, parts.count == 1, let database = parts.keys.first else { return nil }
        return store.databases == [database] ? nil : database
    }

    /// Whether the adoption that made the store with this id made the backup. If the id is not known, this is not known
    /// either, and the answer is that of ``isBeforeAdoption``.
    package func isBeforeAdoption(as storeID: String?) -> Bool {
        isBeforeAdoption && (storeID == nil || manifest?.adoptedAs == storeID)
    }

    /// Whether it is a complete backup of the store with this id.
    func isComplete(of storeID: String) -> Bool {
        state == .complete && manifest?.identity?.storeID == storeID
    }

    /// Whether a limit on the number of backups counts and removes it, if the passphrase of the store opens it: it is a
    /// complete backup of the store with this id, has all of its databases, and leads back to before a migration.
    package func counts(for storeID: String, at location: StoreLocation) -> Bool {
        isComplete(of: storeID) && !isOfInterrupted && onlyDatabase(of: location) == nil
    }

    /// The files of its databases, chat first. A name that leads elsewhere is left out.
    package var databases: [String] {
        DatabaseName.allCases.compactMap { manifest?.parts[$0]?.file }.filter { !$0.contains("/") }
            .map { path + "/" + $0 }
    }

    /// Whether a database of it is encrypted, and the engine has no passphrase or another one.
    func isLocked(for engine: any StorageEngine) -> Bool {
        databases.contains { path in
            switch engine.examine(path).problem?.kind {
            case .encrypted, .wrongPassphrase: true
            default: false
            }
        }
    }

    /// Compares the times of the backups in milliseconds, then the store's generations, then the numbers that folders
    /// have when their names were taken.
    private static func isNewer(_ one: FoundBackup, _ other: FoundBackup) -> Bool {
        guard let first = one.manifest, let second = other.manifest else {
            return one.manifest != nil || other.manifest == nil && one.path < other.path
        }
        let times = [first, second].map { StoredTime(iso8601: $0.createdAt)?.microseconds ?? .min }
        if times[0] != times[1] { return times[0] > times[1] }
        let generations = [first, second].map { $0.identity?.generation ?? 0 }
        if generations[0] != generations[1] { return generations[0] > generations[1] }
        return one.path.count != other.path.count ? one.path.count > other.path.count : one.path > other.path
    }
}
