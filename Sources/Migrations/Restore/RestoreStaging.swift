import ChatDBEngine
import ChatDBSchema
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The folder `<prefix>.restoring`, in which the databases of a restore are got ready: verified copies with the new
/// generation, on the disk. As long as it has no record in it, it is of no consequence.
struct RestoreStaging {
    private let context: StoreContext
    private var location: StoreLocation { context.location }

    init(_ context: StoreContext) {
        self.context = context
    }

    /// Where a database of the store waits to be put in its place.
    static func path(of database: DatabaseName, at location: StoreLocation) -> String {
        location.restoringPath + "/" + (location.path(of: database) as NSString).lastPathComponent
    }

    /// Where the record of an interrupted migration waits, which belongs to the databases of the backup.
    static func intentPath(at location: StoreLocation) -> String {
        location.restoringPath + "/" + (location.intentPath as NSString).lastPathComponent
    }

    /// Copies the databases of a backup and answers their versions.
    func fill(from backup: BackupContents, generation: Int64) throws -> [DatabaseName: String?] {
        // What an earlier restore left that had not begun to put files in their places.
        remove()
        try requireSpace(for: backup)
        guard mkdir(location.restoringPath, 0o700) == 0 else {
            throw SystemError.current("\(location.restoringPath) cannot be made")
        }
        let sources = try StoreSnapshot(
            databases: [.agent, .chat], paths: backup.paths, engine: context.engine)
        let maker = BackupMaker(
            engine: context.engine, location: location, cancellation: context.cancellation,
            progress: context.progress)
        let names = Dictionary(
            uniqueKeysWithValues: DatabaseName.allCases.map {
                ($0, (Self.path(of: $0, at: location) as NSString).lastPathComponent)
            })
        do {
            let parts = try maker.copy(sources.parts, into: location.restoringPath, as: names) {
                for part in sources.parts { part.connection.close() }
            }
            for database in [DatabaseName.agent, .chat] {
                try compare(parts[database], with: backup.manifest?.parts[database], in: backup.folder)
                let isBehind = backup.interrupted != nil && database == .chat
                try raise(isBehind ? generation &- 1 : generation, in: database)
            }
            try backup.interrupted?.with(generation: generation).write(Self.intentPath(at: location))
        } catch MigrationError.damaged(_, let problems) {
            throw RestoreError.damaged(backup.folder, problems: problems)
        } catch let error as StoreError where error.kind == .damaged {
            throw RestoreError.damaged(backup.folder, problems: [error.message])
        }
        try FileSync.folder(location.restoringPath)
        try FileSync.folder(location.folder)
        try context.cancellation.check()
        var versions: [DatabaseName: String?] = [:]
        for part in sources.parts { versions[part.database] = .some(part.found.applied.last?.name) }
        return versions
    }

    private func compare(
        _ copy: BackupManifest.Part?, with manifest: BackupManifest.Part?, in folder: String
    ) throws(RestoreError) {
        guard let copy, let manifest else { return }
        if let table = manifest.counts.first(where: { copy.counts[$0.key] != $0.value }) {
            throw .damaged(folder, problems: ["\(table.key) has not the rows that backup.json tells of"])
        }
    }

    /// A restored store is another point in the store's life than any before.
    private func raise(_ generation: Int64, in database: DatabaseName) throws {
        let path = Self.path(of: database, at: location)
        let connection = try context.engine.openForMigration(path, creating: false)
        defer { connection.close() }
        try connection.begin()
        // It would be run by what is written here, after the rows were counted.
        let triggers = try connection.structure().triggers.filter {
            Ledger.tables.contains($0.value.table.lowercased())
        }
        if let name = triggers.keys.min() {
            throw MigrationError.damaged(
                database, problems: ["its \(database) database has a trigger that is not ours, \(name)"])
        }
        try StoreIdentity.set(generation: generation, in: connection)
        try connection.commit()
        connection.close()
        // Only the file itself is put in its place. Closing folds the log into it, and does not tell when the disk fails.
        if let rest = ["-wal", "-journal"].first(where: { FileState(at: path + $0) != .missing }) {
            throw StoreError(.inputOutput, "\(path) cannot be completed: its \(rest.dropFirst()) is still there")
        }
        try FileSync.file(path)
    }

    private func requireSpace(for backup: BackupContents) throws(MigrationError) {
        let needed = backup.paths.values.reduce(Int64(0)) { $0 + FileSpace.size(of: $1) }
        if let free = FileSpace.free(at: location.folder), free < needed {
            throw .notEnoughSpace(needed: needed, free: free, path: location.folder)
        }
    }

    /// Removes the folder with what a restore puts there, unless it has a record.
    func remove() {
        guard FileState(at: location.restoringPath + "/" + RestoreRecord.fileName) == .missing else { return }
        Self.removeFiles(at: location)
    }

    /// Removes what a restore puts into the folder, and the folder if nothing else is in it.
    static func removeFiles(at location: StoreLocation) {
        guard let names = try? folderNames(location.restoringPath) else { return }
        let databases = DatabaseName.allCases.map { (path(of: $0, at: location) as NSString).lastPathComponent }
        let sides = databases.flatMap { name in ["-wal", "-shm", "-journal"].map { name + $0 } }
        let intent = (intentPath(at: location) as NSString).lastPathComponent
        let records = [intent, intent + ".new", RestoreRecord.fileName + ".new"]
        for name in databases + sides + records where names.contains(name) {
            unlink(location.restoringPath + "/" + name)
        }
        rmdir(location.restoringPath)
    }
}
