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
            versions: record.versions)
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
    func finish(completing: Bool) throws -> RestoreReport {
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
            var (free, number) = (to, 1)
            while FileState(at: free) != .missing {
                number += 1
                free = "\(to)-\(number)"
            }
            try move(from, to: free)
        }
        try FileSync.folder(aside)
        try FileSync.folder(location.folder)
    }

    /// A program that opened the store under its old name still has it open under the new one.
    private func refuseOthers() throws {
        // Half of the files are moved: a request to stop comes too late.
        var context = context
        context.cancellation = Cancellation()
        let others = OtherPrograms(context, waiting: context.lockTimeout)
        do {
            for database in location.databases {
                let path = aside + "/" + fileName(of: location.path(of: database))
                try others.waitToLeave(database, at: path)
            }
        } catch {
            try giveBack()
            throw error
        }
    }

    private func giveBack() throws {
        for (from, to) in moves(location.databases).reversed() where FileState(at: to) != .missing {
            try move(to, to: from)
        }
        try FileSync.folder(location.folder)
        try DurableFile.remove(location.restoringPath + "/" + RestoreRecord.fileName)
        RestoreStaging.removeFiles(at: location)
        rmdir(aside)
    }

    private func move(_ from: String, to: String) throws(StoreError) {
        guard rename(from, to) == 0 else { throw SystemError.current("\(from) cannot be moved to \(to)") }
    }
}
