import ChatDBEngine
import ChatDBSchema
import Foundation

/// Copies databases that do not change meanwhile, and verifies the copies.
struct BackupMaker {
    let engine: any StorageEngine
    let location: StoreLocation
    let cancellation: Cancellation
    let progress: MigrationProgress.Handler

    /// The facts about the original that the copy must have.
    private struct Facts {
        let structure: DatabaseStructure
        let counts: [String: Int]
    }

    /// Backs the databases up into a new folder. Returns when every copy is on the disk and verified: the full check
    /// passes, every page of an encrypted copy fits its code, the schema equals that of the original, and each table
    /// has as many rows.
    /// - Parameters:
    ///   - label: the word in the name of the folder; nil for the version of the store.
    ///   - interrupted: the record of an interrupted migration of the store; the backup includes it.
    ///   - adoptedAs: the id of the store that the databases become after this backup; nil if they are not adopted now.
    ///   - release: called when all copies are made and the originals may change again.
    ///   - whenCopied: called before that; throws when the copies are not of one moment.
    func make(
        of sources: [any BackupSource], in parent: String?, label: String? = nil, identity: StoreIdentity?,
        interrupted: IntentRecord?, adoptedAs: String? = nil, now: Date, release: () -> Void = {},
        whenCopied: () throws -> Void = {}
    ) throws -> (path: String, manifest: BackupManifest) {
        let found = (sources.first { $0.database == .chat } ?? sources.first)?.found
        let version = label ?? found?.applied.last?.name ?? (found?.kind == .unknown ? "not-adopted" : "empty")
        let folder: BackupFolder
        do throws(StoreError) {
            folder = try BackupFolder.make(for: location, in: parent, version: version, now: now)
        } catch {
            throw MigrationError.noBackupFolder(error)
        }
        do {
            let names = Dictionary(
                uniqueKeysWithValues: sources.map { ($0.database, fileName(of: $0.path)) })
            let parts = try copy(sources, into: folder.path, as: names, release: release, whenCopied: whenCopied)
            // In milliseconds: several backups may be made within a second, and the oldest is removed first.
            var manifest = BackupManifest(identity: identity, createdAt: StoredTime(now).iso8601, parts: parts)
            manifest.interrupted = try interrupted.map { try write($0, into: folder.path) }
            manifest.adoptedAs = adoptedAs
            try DurableFile.write(manifest.json.text(.pretty) + "\n", to: folder.manifestPath)
            try FileSync.folder(folder.path)
            return (folder.path, manifest)
        } catch {
            // An incomplete backup is useless, and would fill the disk when the caller tries again.
            folder.remove()
            throw error
        }
    }

    private func write(_ record: IntentRecord, into folder: String) throws(StoreError) -> BackupManifest.Record {
        let file = fileName(of: location.intentPath)
        try record.write(folder + "/" + file)
        return BackupManifest.Record(file: file, sha256: try FileHash.sha256(of: folder + "/" + file))
    }

    /// Copies databases into an existing folder, under these names, and verifies the copies.
    func copy(
        _ sources: [any BackupSource], into folder: String, as names: [DatabaseName: String],
        release: () -> Void = {}, whenCopied: () throws -> Void = {}
    ) throws -> [DatabaseName: BackupManifest.Part] {
        var facts: [DatabaseName: Facts] = [:]
        var versions: [DatabaseName: String] = [:]
        for source in sources {
            facts[source.database] = try naming(source.database) {
                try copy(source, to: folder + "/" + (names[source.database] ?? ""))
            }
            versions[source.database] = source.found.applied.last?.name
        }
        try whenCopied()
        release()
        var parts: [DatabaseName: BackupManifest.Part] = [:]
        for (database, facts) in facts {
            let file = names[database] ?? ""
            let path = folder + "/" + file
            try naming(database) { try verify(path, of: database, against: facts) }
            parts[database] = BackupManifest.Part(
                file: file, bytes: FileSpace.size(of: path), sha256: try FileHash.sha256(of: path),
                version: versions[database], counts: facts.counts)
        }
        return parts
    }

    /// The copy is made page by page, so damage in it comes from the database: the error names the database, not the
    /// backup.
    private func naming<T>(_ database: DatabaseName, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as StoreError where error.kind == .damaged {
            throw MigrationError.damaged(database, problems: [error.message])
        }
    }

    private func copy(_ source: any BackupSource, to path: String) throws -> Facts {
        do {
            return try copied(source, to: path)
        } catch let error as StoreError where error.kind != .interrupted {
            // A file that is written meanwhile may look damaged.
            try source.requireUnchanged()
            throw error
        }
    }

    private func copied(_ source: any BackupSource, to path: String) throws -> Facts {
        try cancellation.whileRegistered(source.interrupt) {
            try source.copy(to: path) { part in
                progress(.backingUp(source.database, part))
                try cancellation.check()
            }
            var counts: [String: Int] = [:]
            for table in try source.ordinaryTables() { counts[table] = try source.rowCount(of: table) }
            let facts = Facts(structure: try source.structure(), counts: counts)
            try source.requireUnchanged()
            return facts
        }
    }

    private func verify(_ path: String, of database: DatabaseName, against facts: Facts) throws {
        progress(.verifyingBackup(database))
        let copy = try engine.open(path, as: .readOnly)
        defer { try? copy.close() }
        try cancellation.whileRegistered(copy.interrupt) {
            let problems = try copy.integrityProblems()
            guard problems.isEmpty else {
                throw StoreError(.damaged, "the copy is damaged: \(KnownNames.shown(problems).first ?? "")")
            }
            // The pages of an encrypted database are copied as they are; SQLite reads only those with content.
            let pages = try copy.damagedPages()
            guard pages.count == 0 else {
                let numbers = pages.first.prefix(3).map(\.number.description).joined(separator: ", ")
                throw StoreError(.damaged, "the copy has damaged pages: \(numbers)")
            }
            guard try copy.structure() == facts.structure else {
                throw StoreError(.damaged, "the copy has another schema")
            }
            for (table, count) in facts.counts {
                guard try copy.rowCount(of: table) == count else {
                    throw StoreError(
                        .damaged, "the copy has another number of rows in \(KnownNames.shown([table])[0])")
                }
            }
        }
    }
}

/// A database that does not change while it is copied.
protocol BackupSource: AnyObject {
    /// The facts read from it.
    var found: FoundDatabase { get }
    var interrupt: @Sendable () -> Void { get }

    func copy(to path: String, progress: (Double) throws -> Void) throws
    func structure() throws(StoreError) -> DatabaseStructure
    func ordinaryTables() throws(StoreError) -> Set<String>
    func rowCount(of table: String) throws(StoreError) -> Int
    /// Throws `busy` when the database has changed since it was opened.
    func requireUnchanged() throws(StoreError)
}

extension BackupSource {
    var database: DatabaseName { found.name }
    /// The main file.
    var path: String { found.path }
}
