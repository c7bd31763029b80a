import ChatDBEngine
import ChatDBSchema
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Replaces the databases of a store with prepared ones. Repeated after a crash, it has the same result: the files
/// still in the folder of the restore show its progress.
struct RestoreSwap {
    let context: StoreContext
    let record: RestoreRecord

    private var location: StoreLocation { context.location }

    /// The files that SQLite keeps beside a database; they move first, because SQLite would take them for those of the
    /// new database.
    private static let sideFiles = ["-wal", "-shm", "-journal"]

    /// Creates the folder for the replaced files, and writes the record: from here on the restore must be completed.
    static func begin(_ context: StoreContext, record: RestoreRecord) throws -> RestoreSwap {
        let location = context.location
        let record = RestoreRecord(
            startedAt: record.startedAt, backup: record.backup, storeID: record.storeID,
            generation: record.generation, aside: try makeAside(location),
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

    private static func makeAside(_ location: StoreLocation) throws(StoreError) -> String {
        let name = location.name + ".replaced-" + BackupFolder.stamp(Date())
        for attempt in 1...1000 {
            let numbered = name + (attempt == 1 ? "" : "-\(attempt)")
            if mkdir(location.folder + "/" + numbered, 0o700) == 0 {
                try FileSync.folder(location.folder)
                return numbered
            }
            guard errno == EEXIST else { break }
        }
        throw SystemError.current("\(location.folder)/\(name) cannot be created for the replaced files")
    }

    /// Moves the existing files aside and the new databases to their places. Throws `inUse`, with all files back in
    /// place, when a program opened the store at the last moment; `notFinished` when files could not be moved.
    ///
    /// The files of a change of the passphrase are locked until then. If they are not the ones that were copied, all
    /// files are put back, and it throws `originalsChanged`.
    func finish(completing: Bool) throws -> RestoreReport {
        let locks = try lockOriginals()
        defer { withExtendedLifetime(locks) {} }
        do {
            let waiting = location.databases.filter { FileState(at: staged($0)) != .missing }
            try moveAside(waiting)
            if waiting.count == location.databases.count { try refuseOthers() }
            for database in waiting { try move(staged(database), to: location.path(of: database)) }
            // Last: as long as a database waits, a record beside the store belongs to the replaced files.
            let intent = RestoreStaging.intentPath(at: location)
            if FileState(at: intent) != .missing { try move(intent, to: location.intentPath) }
            try FileSync.folder(location.folder)
            try FileSync.folder(location.restoringPath)
            try DurableFile.remove(location.restoringPath + "/" + RestoreRecord.fileName)
        } catch let error as StoreError {
            throw RestoreError.notFinished(record, error)
        }
        RestoreStaging.removeFiles(at: location)
        // The folder is removed only if no file was moved into it.
        let isEmpty = rmdir(aside) == 0
        try? FileSync.folder(location.folder)
        return RestoreReport(
            backup: record.backup, identity: record.identity,
            versions: record.versions, replaced: isEmpty ? nil : aside, completed: completing,
            isInterrupted: IntentRecord.isThere(location))
    }

    private func staged(_ database: DatabaseName) -> String { RestoreStaging.path(of: database, at: location) }

    private var aside: String { location.folder + "/" + record.aside }

    // MARK: Aside

    /// The current and new paths of these databases' files, in the order of the moves.
    private func moves(_ databases: [DatabaseName]) -> [(from: String, to: String)] {
        let files = databases.flatMap { database in
            Self.sideFiles.map { location.path(of: database) + $0 } + [location.path(of: database)]
        }
        // The record of an interrupted migration belongs to the replaced databases.
        return ([location.intentPath] + files).map { ($0, aside + "/" + fileName(of: $0)) }
    }

    private func moveAside(_ databases: [DatabaseName]) throws(StoreError) {
        if databases.isEmpty { return }
        for (from, to) in moves(databases) where FileState(at: from) != .missing {
            // After a crash a program may have created a new file at the old one's path: both are kept.
            try move(from, to: freePath(to))
        }
        try FileSync.folder(aside)
        try FileSync.folder(location.folder)
    }

    /// The path, or one with a number if there is a file.
    private func freePath(_ path: String) -> String {
        var (free, number) = (path, 1)
        while FileState(at: free) != .missing {
            number += 1
            free = "\(path)-\(number)"
        }
        return free
    }

    /// A program that opened the store under its old name still has it open under the new one.
    private func refuseOthers() throws {
        // Half of the files are moved: a request to stop comes too late.
        var context = context
        context.cancellation = Cancellation()
        let others = OtherPrograms(context, waiting: context.lockTimeout)
        do {
            for database in location.databases {
                let path = asidePath(of: database)
                // Where the system does not list open files, a look at the file would end the lock on it.
                if record.rewriting != nil, context.engine.holders(of: path) == nil { continue }
                try others.waitToLeave(database, at: path)
            }
        } catch {
            try record.rewriting == nil ? giveBack() : discard()
            throw error
        }
    }

    private func giveBack() throws {
        for (from, to) in moves(location.databases).reversed() where FileState(at: to) != .missing {
            try move(to, to: from)
        }
        try endUnfinished()
    }

    private func endUnfinished() throws(StoreError) {
        try FileSync.folder(location.folder)
        try DurableFile.remove(location.restoringPath + "/" + RestoreRecord.fileName)
        RestoreStaging.removeFiles(at: location)
        rmdir(aside)
    }

    // MARK: A change of the passphrase

    private func asidePath(of database: DatabaseName) -> String {
        aside + "/" + fileName(of: location.path(of: database))
    }

    /// The place of a file of which a new one was made.
    private func originalPath(of database: DatabaseName) -> String {
        FileState(at: asidePath(of: database)) == .missing ? location.path(of: database) : asidePath(of: database)
    }

    /// Locks the files of which the new ones were made, and compares them with what was copied. Nil for a restore, and
    /// when a new file is in its place already: then no program finds the old ones.
    private func lockOriginals() throws -> [LockedOriginal]? {
        guard let rewriting = record.rewriting,
            location.databases.allSatisfy({ FileState(at: staged($0)) != .missing })
        else { return nil }
        // Without an old file, its new one is the only copy.
        for path in location.databases.map(originalPath) where FileState(at: path).bytes == nil {
            throw RestoreError.notFinished(record, StoreError(.missing, "\(path) is missing"))
        }
        do {
            return try location.databases.map { database in
                let path = originalPath(of: database)
                let original = try LockedOriginal(path)
                for suffix in ["-wal", "-journal"] where FileState(at: path + suffix).bytes.map({ $0 > 0 }) == true {
                    throw RestoreError.originalsChanged
                }
                guard try original.sha256() == rewriting.originals[database] else {
                    throw RestoreError.originalsChanged
                }
                return original
            }
        } catch {
            try discard()
            throw error
        }
    }

    /// Puts the old files back, and removes the new ones. A database that a program made meanwhile at the place of an old
    /// file is kept in the other folder.
    private func discard() throws(StoreError) {
        for database in location.databases where FileState(at: asidePath(of: database)) != .missing {
            let place = location.path(of: database)
            for file in Self.sideFiles.map({ place + $0 }) + [place] where FileState(at: file) != .missing {
                try move(file, to: freePath(aside + "/" + fileName(of: file)))
            }
            try move(asidePath(of: database), to: place)
        }
        try endUnfinished()
    }

    private func move(_ from: String, to: String) throws(StoreError) {
        guard rename(from, to) == 0 else { throw SystemError.current("\(from) cannot be moved to \(to)") }
    }
}
