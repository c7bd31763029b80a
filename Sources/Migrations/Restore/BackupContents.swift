import ChatDBEngine
import ChatDBSchema
import Foundation

/// A folder with a backup, checked before a restore uses it.
struct BackupContents {
    /// The absolute path.
    let folder: String
    /// Its description; nil for two files without `backup.json`.
    let manifest: BackupManifest?
    /// The main files.
    let paths: [DatabaseName: String]
    private(set) var facts: [DatabaseName: DatabaseContents]

    /// The program that made the databases.
    let kind: FoundDatabase.Kind
    /// The id and generation of both databases; those of agent where they differ because of `interrupted`. Nil for
    /// databases of other programs, which have none.
    let identity: StoreIdentity?
    /// The interrupted migration that committed only one of the databases; nil when both are of one generation.
    let interrupted: IntentRecord?

    /// Checks that a backup is complete, that its files are unchanged (size and SHA-256), made by chatdb or by SimpleX
    /// Chat, and belong together. Named files may also be those of another program, from before their adoption. Throws a `RestoreError` or a `MigrationError`.
    init(at folder: String, in context: StoreContext) throws {
        self.folder = BackupFolder.absolute(folder)
        guard FileState(at: self.folder) == .notRegular(.directory) else { throw RestoreError.notThere(self.folder) }
        manifest = try Self.manifest(in: self.folder)
        paths = try Self.paths(in: self.folder, manifest, of: context.location)
        var facts: [DatabaseName: DatabaseContents] = [:]
        for database in context.location.databases {
            guard let path = paths[database] else {
                throw RestoreError.incomplete(self.folder, missing: database)
            }
            if let change = try manifest?.parts[database]?.change(in: self.folder) {
                throw RestoreError.damaged(self.folder, problems: [change])
            }
            facts[database] = try Self.facts(of: database, at: path, comparing: nil, self.folder, context)
        }
        self.facts = facts
        for (database, facts) in facts where facts.found.kind == .unknown {
            guard let manifest, manifest.identity == nil else {
                throw MigrationError.notOurs(database, path: paths[database] ?? "")
            }
            guard manifest.isOf(context.location) else {
                try context.refuseHalfOfPair()
                let files = DatabaseName.allCases.compactMap { manifest.parts[$0]?.file }
                throw RestoreError.otherFileNames(self.folder, files: files)
            }
        }
        try context.refuseHalf(facts.values.map(\.found))
        let kind = facts.values.first?.found.kind ?? .unknown
        self.kind = kind
        if facts.contains(where: { $1.found.kind != kind || $1.found.isExchanged }) {
            throw RestoreError.mismatched(self.folder)
        }
        if kind != .chatdb {
            (identity, interrupted) = (nil, nil)
        } else if let identity = facts.values.first?.found.identity,
            facts.values.allSatisfy({ $0.found.identity == identity })
        {
            self.identity = identity
            interrupted = nil
        } else {
            let places = facts.mapValues(\.found.place)
            let record = try Self.record(in: self.folder, manifest, of: context.location)
            guard let record, let identity = record.identity(of: places) else {
                // Where every database lacks the row, nothing says that they do not belong together.
                if let lost = facts.values.first?.found, facts.values.allSatisfy({ $0.found.identity == nil }) {
                    throw MigrationError.lostStoreRow(lost.name, path: lost.path)
                }
                throw RestoreError.mismatched(self.folder)
            }
            self.identity = identity
            interrupted = record
        }
    }

    /// The same backup with the contents of its rows, as far as the databases of a store have the columns. Read after
    /// the store, so that chatdb opens each database of the store once.
    func comparing(
        _ store: [DatabaseName: Result<DatabaseContents, StoreError>], in context: StoreContext
    ) throws -> BackupContents {
        var compared = self
        for (database, path) in paths {
            guard let columns = (try? store[database]?.get())?.columns else { continue }
            compared.facts[database] = try Self.facts(of: database, at: path, comparing: columns, folder, context)
        }
        return compared
    }

    private static func facts(
        of database: DatabaseName, at path: String, comparing others: ColumnsOfTables?, _ folder: String,
        _ context: StoreContext
    ) throws -> DatabaseContents {
        do {
            return try DatabaseContents(database, at: path, comparing: others, toleratesDamage: false, in: context)
        } catch let error as StoreError
            where !error.isOfEncryptedLog && ![.interrupted, .encrypted, .wrongPassphrase].contains(error.kind)
        {
            throw RestoreError.damaged(folder, problems: [error.message])
        }
    }

    /// The record of an interrupted migration beside the databases, or nil without one.
    private static func record(
        in folder: String, _ manifest: BackupManifest?, of store: StoreLocation
    ) throws -> IntentRecord? {
        let path: String
        if let manifest {
            guard let record = manifest.interrupted else { return nil }
            path = try self.path(of: record.file, in: folder)
            guard FileState(at: path).bytes != nil, try FileHash.sha256(of: path) == record.sha256 else {
                throw RestoreError.damaged(folder, problems: ["\(record.file) is missing, or was changed"])
            }
        } else {
            guard let moved = try? store.moved(to: folder) else { return nil }
            path = moved.intentPath
        }
        do {
            return try IntentRecord.read(path)
        } catch {
            throw RestoreError.damaged(folder, problems: [error.message])
        }
    }

    private static func manifest(in folder: String) throws -> BackupManifest? {
        let path = folder + "/" + BackupFolder.manifestName
        if FileState(at: path) == .missing { return nil }
        guard let manifest = BackupManifest.read(inFolder: folder) else {
            throw RestoreError.damaged(folder, problems: ["its backup.json cannot be read"])
        }
        return manifest
    }

    private static func paths(
        in folder: String, _ manifest: BackupManifest?, of store: StoreLocation
    ) throws(RestoreError) -> [DatabaseName: String] {
        guard let manifest else {
            guard let moved = try? store.moved(to: folder), !moved.isAbsent else { throw .noBackup(folder) }
            var paths: [DatabaseName: String] = [:]
            for database in moved.databases where moved.state(of: database) != .missing {
                paths[database] = moved.path(of: database)
            }
            return paths
        }
        var paths: [DatabaseName: String] = [:]
        for (database, part) in manifest.parts {
            paths[database] = try path(of: part.file, in: folder)
        }
        return paths
    }

    /// Whether this is a plain file name, not a path that leads elsewhere.
    private static func path(of file: String, in folder: String) throws(RestoreError) -> String {
        guard BackupManifest.isFileName(file) else {
            throw .damaged(folder, problems: ["its backup.json names a file elsewhere"])
        }
        return folder + "/" + file
    }
}

extension BackupManifest {
    /// Whether it is of databases with the names of these named files.
    fileprivate func isOf(_ location: StoreLocation) -> Bool {
        location.hasNamedFiles
            && parts.mapValues(\.file)
                == Dictionary(
                    uniqueKeysWithValues: location.databases.map { ($0, fileName(of: location.path(of: $0))) })
    }
}
