import ChatDBKit
import Foundation

/// The salvage of a store. It writes both databases into a private folder beside the new store, checks them there as
/// one store, and then gives them their names. If it fails or the process is stopped, it leaves no file of the new
/// store.
struct StoreSalvage {
    private let source: StoreLocation
    private let target: StoreLocation
    private let only: DatabaseName?
    private let engine: SQLiteEngine
    private let output: Output

    init(
        from source: StoreLocation, to target: StoreLocation, only: DatabaseName?, engine: SQLiteEngine,
        _ output: Output
    ) {
        (self.source, self.target, self.only, self.engine, self.output) = (source, target, only, engine, output)
    }

    func run() throws -> SalvagedStore {
        let databases = DatabaseName.allCases.filter { source.state(of: $0) != .missing }
        guard let first = databases.first else { throw MigrationError.noStore(path: source.prefix) }
        if let only, !databases.contains(only) {
            throw MigrationError.incompleteStore(missing: only, path: source.path(of: only))
        }
        try requireFree(first)
        let folder = try LockedFolder.make(for: .salvage, in: target.folder)
        ShownPaths.show(folder: folder.path, as: target.folder)
        let staged = try StoreLocation(prefix: "\(folder.path)/\(target.name)")
        var saved = SalvagedStore(target: target)
        for database in databases {
            saved.parts[database] = try save(database, in: staged)
        }
        for database in DatabaseName.allCases where !databases.contains(database) {
            // A single database that was adopted is a whole store.
            if source.databases.contains(database) { saved.missing.append(database) }
            guard let log = engine.logProblem(of: source.path(of: database))?.log, log.commits > 0 else { continue }
            saved.orphanLogs.append(database)
            saved.notes.append(
                "\(database): the database is missing, and its -wal was not read: \(log.cost); ask for the database")
        }
        do {
            let checked = try Self.named(staged, like: source)
            let found = try CheckedStore.check(checked, with: SQLiteEngine(sharesCopies: true), output)
            saved.check = .success(found.checkup)
            saved.notes += found.notes
            if DatabaseName.allCases.contains(where: saved.hasLosses) {
                saved.connections = try completeConnections(in: staged)
            }
        } catch {
            try Signals.cancellation.check()
            saved.check = .failure(ErrorReport(error))
        }
        try Signals.cancellation.check()
        try move(saved, from: staged)
        return saved
    }

    /// The connections of the new store that are complete. It is nil if one of the databases is missing, or if its
    /// tables cannot be read.
    private func completeConnections(in staged: StoreLocation) throws -> CompleteConnections? {
        let engine = SQLiteEngine(sharesCopies: true).limited(queryTimeLimit: CheckedStore.timeLimit)
        let context = StoreContext(engine: engine, location: staged, build: try MigrationSource.build.load())
        guard let connections = try? context.openStatus().connections, connections.count == 2 else { return nil }
        let store = Store(staged, connections)
        defer { try? store.close() }
        return try? Signals.cancellation.whileRegistered({ store.interrupt() }) { try CompleteConnections(of: store) }
    }

    /// The new store. That of a store that was named by its files is named by its files too: a single one is whole.
    static func named(_ target: StoreLocation, like source: StoreLocation) throws -> StoreLocation {
        guard source.hasNamedFiles else { return target }
        let files = source.databases.map { ($0, target.path(of: $0)) }
        return try StoreLocation(files: Dictionary(uniqueKeysWithValues: files))
    }

    // MARK: Databases

    /// Copies a database that is in order, and salvages a damaged one. A damaged database that `--only` excludes is left
    /// out.
    private func save(_ database: DatabaseName, in staged: StoreLocation) throws -> SalvagedStore.Part {
        let target = staged.path(of: database)
        if only != database {
            guard let reason = try copy(database, to: target) else { return SalvagedStore.Part(.copied) }
            if let only {
                var part = SalvagedStore.Part(.leftOut)
                part.database.notes = [
                    "the database was left out: it could not be copied as it is (\(reason)), and --only names the "
                        + "\(only) database"
                ]
                return part
            }
        }
        let bar = output.progress("reading the \(database) database", total: 1000)
        defer { bar.finish() }
        let lost = LostRowsFile.path(of: database, in: staged)
        var definitions: KnownDefinitions?
        let request = SalvageRequest(
            source: source.path(of: database), target: target, lostRows: lost,
            known: { remains in
                let known = try KnownDefinitions(of: database, remains, other: otherRemains(than: database), in: source)
                definitions = known
                return known.objects
            }, mark: try KnownDefinitions.mark(of: database), cancellation: Signals.cancellation
        ) { done, total in
            bar.update(done * 1000 / max(1, total))
        }
        var part = SalvagedStore.Part(.salvaged)
        part.database = try engine.salvage(request)
        (part.program, part.version) = (definitions?.program, definitions?.version)
        if FileState(at: lost) != .missing { part.lostRows = LostRowsFile.path(of: database, in: self.target) }
        return part
    }

    /// What is left of the schema of the store's other database. It is nil if that database cannot be read.
    private func otherRemains(than database: DatabaseName) -> SchemaRemains? {
        let other = database == .chat ? DatabaseName.agent : .chat
        return try? engine.schemaRemains(of: source.path(of: other), Signals.cancellation)
    }

    /// Copies a database if it is in order. Answers nil if it was copied, and otherwise the reason, a clause.
    private func copy(_ database: DatabaseName, to target: String) throws -> String? {
        let bar = output.progress("checking the \(database) database", total: 100)
        defer { bar.finish() }
        do {
            // SQLite would apply it, and the copy would then have the rows of another database.
            if let reason = try engine.foreignSideFile(of: source.path(of: database), Signals.cancellation) {
                return "its log or journal belongs to another database: \(reason)"
            }
            let snapshot = try engine.openSnapshot(source.path(of: database))
            defer { snapshot.close() }
            try Signals.cancellation.whileRegistered(snapshot.interrupt) {
                _ = try snapshot.renew()
                try snapshot.copy(to: target) { part in
                    try Signals.cancellation.check()
                    bar.update(Int64(part * 100))
                }
                try snapshot.requireUnchanged()
            }
            let copy = try SQLiteEngine().limited(queryTimeLimit: CheckedStore.timeLimit).open(target, as: .untrusted)
            defer { try? copy.close() }
            let isSound = try Signals.cancellation.whileRegistered(copy.interrupt) {
                _ = try copy.structure()
                return try copy.integrityProblems().isEmpty
            }
            if isSound { return nil }
        } catch let error as StoreError {
            SideFiles.removeDatabase(at: target)
            try Signals.cancellation.check()
            // These errors would make the salvage fail too.
            if [.busy, .diskFull, .missing, .notAFile, .outOfMemory].contains(error.kind) { throw error }
            // A database that takes too long to check may be in order.
            return [.interrupted, .beyondLimits].contains(error.kind)
                ? "its check exceeds the limits: \(error.message)" : "it is damaged: \(error.message)"
        }
        SideFiles.removeDatabase(at: target)
        return "it is damaged"
    }

    // MARK: Files

    private func requireFree(_ first: DatabaseName) throws {
        for database in DatabaseName.allCases {
            let path = target.path(of: database)
            for file in ([""] + SideFiles.suffixes).map({ path + $0 }) + [LostRowsFile.path(of: database, in: target)]
            where FileState(at: file) != .missing {
                throw SalvageOutputError.exists(file)
            }
        }
        let path = target.path(of: first)
        guard FileState(at: target.folder) == .notRegular(.directory) else {
            throw OutputFileError.cannotWrite(path, errno: ENOENT)
        }
        guard access(target.folder, W_OK | X_OK) == 0 else { throw OutputFileError.cannotWrite(path, errno: errno) }
    }

    /// Gives the files their names. A file that another program has created meanwhile is not replaced.
    private func move(_ saved: SalvagedStore, from staged: StoreLocation) throws {
        var names: [(from: String, to: String)] = []
        for database in [DatabaseName.agent, .chat] {
            guard let part = saved.parts[database], part.method != .leftOut else { continue }
            if part.lostRows != nil {
                names.append((LostRowsFile.path(of: database, in: staged), LostRowsFile.path(of: database, in: target)))
            }
            names.append((staged.path(of: database), target.path(of: database)))
        }
        var moved: [String] = []
        for (from, to) in names {
            guard NewOutputFile.move(from, toNew: to) else {
                let reason = errno
                for path in moved { unlink(path) }
                throw reason == EEXIST
                    ? SalvageOutputError.exists(to) : OutputFileError.cannotWrite(to, errno: reason)
            }
            moved.append(to)
        }
        // The sync may fail, because the user may have no permission to read the folder.
        try? FileSync.folder(target.folder)
    }
}
