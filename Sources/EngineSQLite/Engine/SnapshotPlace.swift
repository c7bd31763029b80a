import ChatDBEngine
import GRDB

/// Where a database is held still to be copied. Where it is, whenever that changes nothing, because locks are then real:
/// one declared immutable while somebody begins to write would be copied in two states.
struct SnapshotPlace {
    private let path: String
    private let usesLog: Bool
    private let isHeldByOthers: Bool

    static func open(
        _ path: String, _ patience: Patience, _ copies: PrivateCopies
    ) throws(StoreError) -> SQLiteSnapshot {
        let place = try OpenDatabases.whenNotOpen(path) { () throws(StoreError) -> SnapshotPlace? in
            let diagnosis = FileDiagnosis.examine(path)
            if let problem = diagnosis.problem { throw problem }
            let holders = FileHolders.of(databaseAt: path)
            let isHeld = holders?.holders.isEmpty == false
            if let problem = diagnosis.orphanedJournal(holders) { throw problem }
            // To roll a journal back, or to make the index of a log, is for the program that left it there.
            if diagnosis.side.hasHotJournal || diagnosis.side.hasWAL, !isHeld { return nil }
            return SnapshotPlace(
                path: SQLitePath.resolved(path), usesLog: diagnosis.usesWriteAheadLog, isHeldByOthers: isHeld)
        }
        switch place {
        case nil:
            return try openInPlace(SQLitePath.absolute(path), .readOnly, patience)
        case .some(nil):
            return try openElsewhere(path, patience, copies)
        case .some(.some(let place)):
            do throws(StoreError) {
                return try openInPlace(place.path, place.access, patience)
            } catch {
                // A folder that takes no side files: nobody can be writing there.
                guard place.usesLog, !place.isHeldByOthers else { throw error }
                return try openElsewhere(path, patience, copies)
            }
        }
    }

    /// How a database is opened where it is.
    private enum Access {
        case readOnly
        /// For writing, and never written: SQLite then takes away at the end the side files that it made itself.
        case tidy
    }

    private var access: Access { !usesLog || isHeldByOthers ? .readOnly : .tidy }

    private static func openInPlace(
        _ path: String, _ access: Access, _ patience: Patience
    ) throws(StoreError) -> SQLiteSnapshot {
        let registration = OpenDatabases.Registration(path)
        if access == .readOnly {
            let queue = try ReadingProfile.plain(patience).open(SQLitePath.uri(path, "mode=ro"))
            return SQLiteSnapshot(queue: queue, patience, registration: registration)
        }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(5)
        configuration.label = "chatdb.copying"
        configuration.prepareDatabase { database in
            try WritingProfile.closeDoors(of: database)
            patience.install(on: database)
            try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA query_only = ON")
        }
        return try SQLiteErrors.mapped {
            let queue = try DatabaseQueue(path: SQLitePath.uri(path, "mode=rw"), configuration: configuration)
            let snapshot = SQLiteSnapshot(queue: queue, patience, registration: registration)
            _ = try snapshot.renew()
            return snapshot
        }
    }

    /// In a private copy, or where it is if that is the same: as reading commands do.
    private static func openElsewhere(
        _ path: String, _ patience: Patience, _ copies: PrivateCopies
    ) throws(StoreError) -> SQLiteSnapshot {
        switch try ReadingPlace.choose(for: path, copies) {
        case .inPlace(let path):
            return try openInPlace(path, .readOnly, patience)
        case .immutable(let path):
            let queue = try ReadingProfile.plain(patience).open(SQLitePath.uri(path, "mode=ro&immutable=1"))
            return SQLiteSnapshot(queue: queue, patience)
        case .copy(let copy, let why):
            try copy.recover(patience)
            return SQLiteSnapshot(
                queue: try ReadingProfile.plain(patience).open(copy.path), patience, privateCopy: copy, notes: [why])
        }
    }
}
