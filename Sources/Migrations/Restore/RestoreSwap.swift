import ChatDBEngine
import ChatDBSchema
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Puts databases that are ready in the place of those that are there. Done after a crash once more, it comes to the same
/// end: what still waits in the folder of the restore says how far it had come.
struct RestoreSwap {
    let location: StoreLocation
    let engine: any StorageEngine
    let lockTimeout: Double
    let record: RestoreRecord

    /// What SQLite keeps beside a database; moved first, because it would be taken for the new database's.
    private static let sideFiles = ["-wal", "-shm", "-journal"]

    /// Makes the folder for what is there, and writes the record: from here on the restore is to be finished.
    static func begin(
        location: StoreLocation, engine: any StorageEngine, lockTimeout: Double, record: RestoreRecord
    ) throws -> RestoreSwap {
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
        return RestoreSwap(location: location, engine: engine, lockTimeout: lockTimeout, record: record)
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
        throw SystemError.current("\(location.folder)/\(name) cannot be made for the files that are replaced")
    }

    /// Moves aside what is there and puts the new databases in its place. Throws `inUse`, with everything as it was, when
    /// a program had opened the store in the last moment; `notFinished` when files could not be moved.
    func finish(completing: Bool) throws -> RestoreReport {
        do {
            let waiting = DatabaseName.allCases.filter { FileState(at: staged($0)) != .missing }
            try moveAside(waiting)
            if waiting.count == DatabaseName.allCases.count { try refuseOthers() }
            for database in waiting { try move(staged(database), to: location.path(of: database)) }
            // Last: as long as a database waits, a record beside the store is that of what is moved aside.
            let intent = RestoreStaging.intentPath(at: location)
            if FileState(at: intent) != .missing { try move(intent, to: location.intentPath) }
            try FileSync.folder(location.folder)
            try FileSync.folder(location.restoringPath)
            try DurableFile.remove(location.restoringPath + "/" + RestoreRecord.fileName)
        } catch let error as StoreError {
            throw RestoreError.notFinished(record, error)
        }
        RestoreStaging.removeFiles(at: location)
        // Goes only when nothing was there to be moved into it.
        let isEmpty = rmdir(aside) == 0
        try? FileSync.folder(location.folder)
        return RestoreReport(
            backup: record.backup, identity: StoreIdentity(storeID: record.storeID, generation: record.generation),
            versions: record.versions, replaced: isEmpty ? nil : aside, completed: completing,
            isInterrupted: IntentRecord.isThere(location))
    }

    private func staged(_ database: DatabaseName) -> String { RestoreStaging.path(of: database, at: location) }

    private var aside: String { location.folder + "/" + record.aside }

    // MARK: Aside

    /// Where the files of these databases are and where they go, in the order they are moved.
    private func moves(_ databases: [DatabaseName]) -> [(from: String, to: String)] {
        let files = databases.flatMap { database in
            Self.sideFiles.map { location.path(of: database) + $0 } + [location.path(of: database)]
        }
        // The record of an interrupted migration is of the databases that go.
        return ([location.intentPath] + files).map { ($0, aside + "/" + ($0 as NSString).lastPathComponent) }
    }

    private func moveAside(_ databases: [DatabaseName]) throws(StoreError) {
        if databases.isEmpty { return }
        for (from, to) in moves(databases) where FileState(at: from) != .missing {
            // After a crash a program may have made a new file where the old one was: both are kept.
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

    /// Whoever has opened the store by its name has it still open under the other.
    private func refuseOthers() throws {
        let others = OtherPrograms(
            engine: engine, waiting: Waiting(seconds: lockTimeout), cancellation: Cancellation())
        do {
            for database in DatabaseName.allCases {
                let path = aside + "/" + (location.path(of: database) as NSString).lastPathComponent
                try others.waitToLeave(database, at: path)
            }
        } catch {
            try giveBack()
            throw error
        }
    }

    private func giveBack() throws {
        for (from, to) in moves(DatabaseName.allCases).reversed() where FileState(at: to) != .missing {
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
