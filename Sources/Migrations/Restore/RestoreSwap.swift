import ChatDBEngine
import ChatDBPOSIX
import ChatDBSchema

/// Replaces the databases of a store with prepared ones. Repeated after a crash, it has the same result: the files
/// still in the folder of the restore show its progress.
struct RestoreSwap {
    let context: StoreContext
    let record: RestoreRecord
    private let replaced: ReplacedFiles

    private var location: StoreLocation { context.location }

    init(context: StoreContext, record: RestoreRecord) {
        (self.context, self.record) = (context, record)
        replaced = ReplacedFiles(record.aside, of: context.location)
    }

    /// Creates the folder for the replaced files, and writes the record: from here on the restore must be completed.
    static func begin(_ context: StoreContext, record: RestoreRecord) throws -> RestoreSwap {
        let location = context.location
        let record = RestoreRecord(
            startedAt: record.startedAt, backup: record.backup, storeID: record.storeID,
            generation: record.generation, aside: try ReplacedFiles.makeFolder(location),
            versions: record.versions, rewriting: record.rewriting)
        let path = location.restoringPath + "/" + RestoreRecord.fileName
        do throws(StoreError) {
            try DurableFile.write(record.json.text(.pretty) + "\n", to: path)
        } catch {
            unlink(path)
            rmdir(location.folder + "/" + record.aside)
            RestoreStaging.removeFiles(at: location)
            throw error
        }
        return RestoreSwap(context: context, record: record)
    }

    /// Moves the existing files aside and the new databases to their places. Throws `inUse`, with all files back in
    /// place, when a program opened the store or made a database at the last moment; `notFinished` when files could not
    /// be moved.
    ///
    /// The files of a change of the passphrase are locked until then. If they are not the ones that were copied, all
    /// files are put back, and it throws `originalsChanged`.
    /// - Parameter completing: waits for programs that have locked a file of a change of the passphrase. The change
    /// stays interrupted if they keep it (`inUse`), and if a file cannot be read.
    func finish(completing: Bool) throws -> RestoreReport {
        try removePlaced()
        let locks = try lockOriginals(completing)
        defer { withExtendedLifetime(locks) {} }
        do {
            let waiting = location.databases.filter(isWaiting)
            try replaced.take(waiting)
            if waiting.count == location.databases.count { try refuseOthers() }
            for database in waiting { try place(database) }
            // Last: as long as a database waits, a record beside the store belongs to the replaced files.
            let intent = RestoreStaging.intentPath(at: location)
            if FileState(at: intent) != .missing { try ReplacedFiles.move(intent, to: location.intentPath) }
            try FileSync.folder(location.folder)
            try FileSync.folder(location.restoringPath)
            try DurableFile.remove(location.restoringPath + "/" + RestoreRecord.fileName)
        } catch let error as StoreError {
            throw RestoreError.notFinished(record, error)
        }
        RestoreStaging.removeFiles(at: location)
        // The folder is removed only if no file was moved into it.
        let isEmpty = rmdir(replaced.folder) == 0 || errno == ENOENT
        try? FileSync.folder(location.folder)
        return RestoreReport(
            backup: record.backup, identity: record.identity,
            versions: record.versions, replaced: isEmpty ? nil : replaced.folder, completed: completing,
            isInterrupted: IntentRecord.isThere(location))
    }

    // MARK: New files

    private func staged(_ database: DatabaseName) -> String { RestoreStaging.path(of: database, at: location) }

    private func isWaiting(_ database: DatabaseName) -> Bool { FileState(at: staged(database)) != .missing }

    /// Completes the moves that a crash interrupted between the two names of a new database.
    private func removePlaced() throws(RestoreError) {
        do throws(StoreError) {
            for database in location.databases where isWaiting(database) {
                let new = staged(database)
                if FileIdentity(at: new) == FileIdentity(at: location.path(of: database)) { try removeStaged(new) }
            }
        } catch {
            throw .notFinished(record, error)
        }
    }

    private func removeStaged(_ path: String) throws(StoreError) {
        // The new name must be on the disk before the old one goes.
        try FileSync.folder(location.folder)
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError.current("\(path) cannot be removed") }
    }

    /// Moves a new database to its place. Puts all files back if a program has made a file there meanwhile, as long as
    /// no other new database is in its place.
    private func place(_ database: DatabaseName) throws {
        let (new, path) = (staged(database), location.path(of: database))
        do throws(StoreError) {
            // SQLite would take a journal there for that of the new database.
            for file in ReplacedFiles.sideFiles.map({ path + $0 }) where FileState(at: file) != .missing {
                throw SystemError.error(EEXIST, "\(new) cannot be moved beside \(file)")
            }
            guard FileMove.link(new, toNew: path) else {
                throw SystemError.current("\(new) cannot be moved to \(path)")
            }
        } catch {
            guard error.systemError == EEXIST, location.databases.allSatisfy(isWaiting) else { throw error }
            let holders = context.engine.holders(of: path) ?? []
            try putBack()
            throw MigrationError.inUse(database, by: holders)
        }
        try removeStaged(new)
    }

    // MARK: Old files

    /// A program that opened the store under its old name still has it open under the new one.
    private func refuseOthers() throws {
        // Half of the files are moved: a request to stop comes too late.
        var context = context
        context.cancellation = Cancellation()
        let others = OtherPrograms(context, waiting: context.lockTimeout)
        do {
            for database in location.databases {
                let path = replaced.path(of: database)
                // Where the system does not list open files, a look at the file would end the lock on it.
                if record.rewriting != nil, context.engine.holders(of: path) == nil { continue }
                try others.waitToLeave(database, at: path)
            }
        } catch {
            try putBack()
            throw error
        }
    }

    /// Puts the old files back, and removes the new ones. Files that a program made meanwhile at the places of the old
    /// ones are kept in the other folder.
    private func putBack() throws(RestoreError) {
        do throws(StoreError) {
            try replaced.giveBack()
            try DurableFile.remove(location.restoringPath + "/" + RestoreRecord.fileName)
        } catch {
            throw .notFinished(record, error)
        }
        RestoreStaging.removeFiles(at: location)
        rmdir(replaced.folder)
    }

    // MARK: A change of the passphrase

    /// The place of a file of which a new one was made.
    private func originalPath(of database: DatabaseName) -> String {
        let kept = replaced.path(of: database)
        return FileState(at: kept) == .missing ? location.path(of: database) : kept
    }

    /// Locks the files of which the new ones were made, and compares them with what was copied. None for a restore; when
    /// a new file is in its place already, because then no program finds the old ones; and when all old files are gone,
    /// because then the new ones are the only copy.
    private func lockOriginals(_ completing: Bool) throws -> [LockedOriginal] {
        guard let rewriting = record.rewriting, location.databases.allSatisfy(isWaiting) else { return [] }
        let gone = location.databases.filter { FileState(at: originalPath(of: $0)).bytes == nil }
        if gone.count == location.databases.count { return [] }
        if let database = gone.first { throw missing(database) }
        let waiting = Waiting(seconds: completing ? context.lockTimeout : 0)
        do {
            return try location.databases.map { database in
                let original = try lock(database, waiting)
                guard try original.sha256() == rewriting.originals[database], !hasLog(database) else {
                    // Without the folder, this may be a new file, and the old one gone.
                    if FileState(at: replaced.folder) == .missing { throw missing(database) }
                    throw RestoreError.originalsChanged(rewriting.kind, kept: [])
                }
                return original
            }
        } catch {
            if case RestoreError.originalMissing = error { throw error }
            if completing, !(error is RestoreError) {
                throw (error as? StoreError).map { RestoreError.notFinished(record, $0) } ?? error
            }
            try putBack()
            if case RestoreError.originalsChanged(let kind, _) = error {
                throw RestoreError.originalsChanged(kind, kept: replaced.madeMeanwhile())
            }
            throw error
        }
    }

    private func lock(_ database: DatabaseName, _ waiting: Waiting) throws -> LockedOriginal {
        let path = originalPath(of: database)
        while true {
            if let original = try LockedOriginal(path) { return original }
            if waiting.isOver { throw MigrationError.inUse(database, by: context.engine.holders(of: path) ?? []) }
            if context.cancellation.isRequested { throw MigrationError.interrupted }
            waiting.pause()
        }
    }

    /// Whether a log or journal with content belongs to an old file. After a crash it may be in the other folder.
    private func hasLog(_ database: DatabaseName) -> Bool {
        ["-wal", "-journal"].contains { suffix in
            [originalPath(of: database), replaced.path(of: database)].contains { path in
                FileState(at: path + suffix).bytes.map { $0 > 0 } == true
            }
        }
    }

    private func missing(_ database: DatabaseName) -> RestoreError {
        .originalMissing(
            record, database, place: location.path(of: database), aside: replaced.path(of: database),
            new: location.restoringPath)
    }
}

/// A database file with the lock that SQLite takes to write it. No other program can read or write the database by
/// SQLite until this object goes. SQLite must not have the file open in this process, and nothing may open it: closing a
/// second descriptor would end the lock.
final class LockedOriginal {
    private let descriptor: CInt
    private let path: String

    /// Locks a file. Nil if another program has a lock on it.
    init?(_ path: String) throws(StoreError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.cannotOpen(path) }
        // The bytes that SQLite locks, at 1 GiB: one that is pending, one that is reserved, and 510 that are shared.
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        (lock.l_start, lock.l_len) = (0x4000_0000, 512)
        // A file system without locks, such as some network disks, has other answers.
        if fcntl(descriptor, F_SETLK, &lock) != 0, errno == EAGAIN || errno == EACCES { return nil }
    }

    deinit { close(descriptor) }

    /// The error of the last call of the system, for a file that this user cannot read and write.
    static func cannotOpen(_ path: String) -> StoreError { SystemError.current("\(path) cannot be opened to lock it") }

    /// The hash of the content.
    func sha256() throws(StoreError) -> String { try FileHash.sha256(of: descriptor, path) }
}
