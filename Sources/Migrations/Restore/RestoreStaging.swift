import ChatDBEngine
import ChatDBSchema
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The folder `<prefix>.restoring`, in which a restore prepares the databases: verified copies with the new generation,
/// on the disk. Without a record in it, the folder has no effect.
struct RestoreStaging {
    let context: StoreContext
    private var location: StoreLocation { context.location }

    init(_ context: StoreContext) {
        self.context = context
    }

    /// The path of a prepared database of the store.
    static func path(of database: DatabaseName, at location: StoreLocation) -> String {
        location.restoringPath + "/" + fileName(of: location.path(of: database))
    }

    /// The path of the prepared record of an interrupted migration, which belongs to the backup's databases.
    static func intentPath(at location: StoreLocation) -> String {
        location.restoringPath + "/" + fileName(of: location.intentPath)
    }

    /// Copies the databases of a backup and returns their versions.
    /// - Parameter generation: the new one of the store; nil for SimpleX Chat's, in which nothing changes.
    func fill(from backup: BackupContents, generation: Int64?) throws -> [DatabaseName: String?] {
        // Removes the files of an earlier restore that had not begun to move files.
        remove()
        try requireSpace(for: backup)
        guard mkdir(location.restoringPath, 0o700) == 0 else {
            throw SystemError.current("\(location.restoringPath) cannot be created")
        }
        let sources = try StoreSnapshot(
            databases: context.databases, paths: backup.paths, engine: context.engine)
        let maker = BackupMaker(
            engine: context.engine, location: location, cancellation: context.cancellation,
            progress: context.progress)
        let names = Dictionary(
            uniqueKeysWithValues: location.databases.map {
                ($0, fileName(of: Self.path(of: $0, at: location)))
            })
        do {
            let parts = try maker.copy(sources.parts, into: location.restoringPath, as: names) {
                for part in sources.parts { part.connection.close() }
            }
            for database in context.databases {
                try compare(parts[database], with: backup.manifest?.parts[database], in: backup.folder)
                guard let generation else {
                    try keepAccess(of: database)
                    continue
                }
                let isBehind = backup.interrupted != nil && database == .chat
                try raise(isBehind ? generation &- 1 : generation, in: database)
                if location.hasNamedFiles { try keepAccess(of: database) }
            }
            if let generation {
                try backup.interrupted?.with(generation: generation).write(Self.intentPath(at: location))
            }
        } catch MigrationError.damaged(_, let problems) {
            throw RestoreError.damaged(backup.folder, problems: problems)
        } catch let error as StoreError where error.kind == .damaged {
            throw RestoreError.damaged(backup.folder, problems: [error.message])
        }
        try FileSync.folder(location.restoringPath)
        try FileSync.folder(location.folder)
        try context.cancellation.check()
        var versions: [DatabaseName: String?] = [:]
        for part in sources.parts { versions[part.database] = .some(part.found.version) }
        return versions
    }

    private func compare(
        _ copy: BackupManifest.Part?, with manifest: BackupManifest.Part?, in folder: String
    ) throws(RestoreError) {
        guard let copy, let manifest else { return }
        if let table = manifest.counts.first(where: { copy.counts[$0.key] != $0.value }) {
            throw .damaged(
                folder, problems: ["\(KnownNames.shown([table.key])[0]) does not have the rows that backup.json lists"]
            )
        }
    }

    /// The app may run as another user than chatdb: its files keep their mode, and their owner where that is possible.
    /// - Parameter isStrict: throws if the owner cannot be kept.
    func keepAccess(of database: DatabaseName, isStrict: Bool = false) throws(StoreError) {
        let path = Self.path(of: database, at: location)
        var info = stat()
        guard stat(location.path(of: database), &info) == 0 else { return }
        guard chmod(path, info.st_mode & 0o7777) == 0 else { throw SystemError.current("\(path) cannot be prepared") }
        guard chown(path, info.st_uid, info.st_gid) == 0 || errno == EPERM && !isStrict else {
            throw Self.cannotKeepAccess(errno, of: location.path(of: database))
        }
        try FileSync.file(path)
    }

    static func cannotKeepAccess(_ number: CInt, of path: String) -> StoreError {
        SystemError.error(number, "the new file cannot get the owner or group of \(path)")
    }

    /// A restored store gets a generation that it never had before.
    private func raise(_ generation: Int64, in database: DatabaseName) throws {
        let path = Self.path(of: database, at: location)
        let connection = try context.engine.openForMigration(path, creating: false)
        defer { connection.close() }
        try connection.begin()
        // A trigger would run on the writes here, after the rows were counted.
        let triggers = try connection.structure().triggers.filter {
            Ledger.tables.contains($0.value.table.lowercased())
        }
        if let name = triggers.keys.min() {
            throw MigrationError.damaged(
                database,
                problems: KnownNames.shown(
                    ["its \(database) database has a trigger that its version does not have, \(name)"]))
        }
        try StoreIdentity.set(generation: generation, in: connection)
        try connection.commit()
        connection.close()
        // Only the file itself is moved. Closing runs a checkpoint on the log, and does not report a disk error.
        if let rest = ["-wal", "-journal"].first(where: { FileState(at: path + $0) != .missing }) {
            throw StoreError(.inputOutput, "\(path) cannot be completed: its \(rest.dropFirst()) is still there")
        }
        try FileSync.file(path)
    }

    private func requireSpace(for backup: BackupContents) throws(MigrationError) {
        try requireSpace(backup.paths.values.reduce(Int64(0)) { $0 + FileSpace.size(of: $1) })
    }

    /// Throws if the disk of the store has no room for this number of bytes.
    func requireSpace(_ needed: Int64) throws(MigrationError) {
        if let free = FileSpace.free(at: location.folder), free < needed {
            throw .notEnoughSpace(needed: needed, free: free, path: location.folder)
        }
    }

    /// Removes the folder with the files of a restore, unless it contains a record.
    func remove() {
        guard FileState(at: location.restoringPath + "/" + RestoreRecord.fileName) == .missing else { return }
        Self.removeFiles(at: location)
    }

    /// Removes the files of a restore from the folder, and the folder if it is then empty.
    static func removeFiles(at location: StoreLocation) {
        guard let names = try? folderNames(location.restoringPath) else { return }
        let databases = location.databases.map { fileName(of: path(of: $0, at: location)) }
        let sides = databases.flatMap { name in ["-wal", "-shm", "-journal"].map { name + $0 } }
        let intent = fileName(of: intentPath(at: location))
        let records = [intent, intent + ".new", RestoreRecord.fileName + ".new"]
        for name in databases + sides + records where names.contains(name) {
            unlink(location.restoringPath + "/" + name)
        }
        rmdir(location.restoringPath)
    }
}
