import Engine
import GRDB
import GRDBSQLite

/// Where a database is held still to be copied. Where it is, whenever that can be done, because locks are then real: one
/// declared immutable while somebody begins to write would be copied in two states.
struct SnapshotPlace {
    private let path: String
    private let usesLog: Bool
    private let hasLog: Bool
    private let isHeldByOthers: Bool

    static func open(_ path: String) throws(StoreError) -> SQLiteSnapshot {
        let place = try OpenDatabases.whenNotOpen(path) { () throws(StoreError) -> SnapshotPlace? in
            let diagnosis = FileDiagnosis.examine(path)
            if let problem = diagnosis.problem { throw problem }
            let isHeld = FileHolders.of(databaseAt: path)?.holders.isEmpty == false
            // To roll its journal back is for the program that left it there.
            if diagnosis.side.hasHotJournal, !isHeld { return nil }
            return SnapshotPlace(
                path: SQLitePath.resolved(path), usesLog: diagnosis.usesWriteAheadLog, hasLog: diagnosis.side.hasWAL,
                isHeldByOthers: isHeld)
        }
        switch place {
        case nil:
            return try openInPlace(SQLitePath.absolute(path), .readOnly)
        case .some(nil):
            return try openElsewhere(path)
        case .some(.some(let place)):
            do throws(StoreError) {
                return try openInPlace(place.path, place.access)
            } catch {
                // A folder that takes no side files: nobody can be writing there.
                guard place.usesLog, !place.isHeldByOthers else { throw error }
                return try openElsewhere(path)
            }
        }
    }

    /// How a database is opened where it is.
    private enum Access {
        case readOnly
        /// For writing, and never written: SQLite then takes away at the end the side files that it made itself.
        case tidy
        /// The same, with a log of nobody's that stays as it is.
        case keepingLog
    }

    private var access: Access { !usesLog || isHeldByOthers ? .readOnly : hasLog ? .keepingLog : .tidy }

    private static func openInPlace(_ path: String, _ access: Access) throws(StoreError) -> SQLiteSnapshot {
        let registration = OpenDatabases.Registration(path)
        if access == .readOnly {
            let queue = try ReadingProfile.plain.open(SQLitePath.uri(path, "mode=ro"))
            return SQLiteSnapshot(queue: queue, registration: registration)
        }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(5)
        configuration.label = "chatdb.copying"
        configuration.prepareDatabase { database in
            try WritingProfile.closeDoors(of: database)
            if access == .keepingLog {
                try ConnectionOptions.set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, to: true, of: database)
            }
            try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA query_only = ON")
        }
        return try SQLiteErrors.mapped {
            let queue = try DatabaseQueue(path: SQLitePath.uri(path, "mode=rw"), configuration: configuration)
            let snapshot = SQLiteSnapshot(queue: queue, registration: registration)
            _ = try snapshot.renew()
            return snapshot
        }
    }

    /// In a private copy, or where it is if that is the same: as reading commands do.
    private static func openElsewhere(_ path: String) throws(StoreError) -> SQLiteSnapshot {
        switch try ReadingPlace.choose(for: path) {
        case .inPlace(let path):
            return try openInPlace(path, .readOnly)
        case .immutable(let path):
            return SQLiteSnapshot(queue: try ReadingProfile.plain.open(SQLitePath.uri(path, "mode=ro&immutable=1")))
        case .copy(let copy, let why):
            try copy.recover()
            return SQLiteSnapshot(
                queue: try ReadingProfile.plain.open(copy.path), privateCopy: copy, notes: [why])
        }
    }
}
