import ChatDBEngine
import GRDB

/// A database inside a reading transaction that stays open between calls, so that all answers are of one moment. In WAL
/// mode other programs go on writing; with a rollback journal they wait for the end of the transaction.
final class SQLiteSnapshot: SnapshotConnection {
    private let opened: OpenedDatabase
    private let timeLimit: QueryTimeLimit
    /// The file as it was before it was opened; nil where SQLite's locks keep other programs from writing it.
    private let stamp: FileStamp?

    var queue: DatabaseQueue { opened.queue }
    var notes: [String] { opened.notes }
    var dialect: Dialect { .sqlite }

    init(_ opened: OpenedDatabase, _ timeLimit: QueryTimeLimit, stamp: FileStamp? = nil) {
        self.opened = opened
        self.timeLimit = timeLimit
        self.stamp = stamp
    }

    deinit { close() }

    func requireUnchanged() throws(StoreError) {
        // A program that opened the database meanwhile writes to the log first.
        guard let stamp, !stamp.isValid || stamp.hasLog else { return }
        throw StoreError(.busy, "another program began to write the database while chatdb copied it")
    }

    func renew() throws(StoreError) -> Int64 {
        try requireUnchanged()
        return try access { database in
            if database.isInsideTransaction { try database.execute(sql: "ROLLBACK") }
            try database.execute(sql: "BEGIN")
            // A transaction takes no lock before its first read.
            _ = try Int.fetchOne(database, sql: "SELECT 1 FROM sqlite_master LIMIT 1")
            return try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0
        }
    }

    func rows(_ query: Query) throws(StoreError) -> [ResultRow] {
        try access { try SQLiteTransaction(database: $0, timeLimit: timeLimit).rows(query) }
    }

    func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws {
        try queue.unsafeReentrantWrite { database in
            try OpenedDatabase.requireOpen(database)
            try timeLimit.enforced(on: database) {
                try SQLiteTransaction(database: database, timeLimit: timeLimit).forEach(query, body)
            }
        }
    }

    func applicationMark() throws(StoreError) -> Int64? {
        try access { try SQLiteFacts.applicationMark($0) }
    }

    func structure() throws(StoreError) -> DatabaseStructure {
        try access { try StructureReader(database: $0).structure() }
    }

    func ordinaryTables() throws(StoreError) -> Set<String> {
        try access { try SQLiteFacts.ordinaryTables($0) }
    }

    func rowCount(of table: String) throws(StoreError) -> Int {
        try access { try SQLiteFacts.rowCount(of: table, $0) }
    }

    func copy(to path: String, progress: (Double) throws -> Void) throws {
        try queue.unsafeReentrantWrite { database in
            try OpenedDatabase.requireOpen(database)
            try DatabaseCopy.make(of: database, at: path, progress: progress)
        }
    }

    var interrupt: @Sendable () -> Void { { [queue] in queue.interrupt() } }

    func close() {
        try? queue.unsafeReentrantWrite { database in
            if database.sqliteConnection != nil, database.isInsideTransaction { try database.execute(sql: "ROLLBACK") }
        }
        try? opened.close()
    }

    func access<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
        do {
            return try queue.unsafeReentrantWrite { database in
                try OpenedDatabase.requireOpen(database)
                return try SQLiteErrors.inside(database) {
                    try timeLimit.enforced(on: database) { try body(database) }
                }
            }
        } catch {
            throw timeLimit.error ?? SQLiteErrors.storeError(error).naming(holdersOf: opened.lockedPath)
        }
    }
}

/// The place where a database is opened to be copied: in place, with locks, whenever that changes nothing.
///
/// In WAL mode, SQLite takes a lock by means of side files. It would make them beside a database that no program has
/// open, and remove empty ones that a program left. So such a database is opened as immutable, without locks. Another
/// program that begins to write puts its commits into a log, and changes the file itself only later; the snapshot then
/// is no longer valid, and the caller begins again.
struct SnapshotPlace {
    private let path: String
    /// The file as it is before it is opened without locks; nil for opening it with locks.
    private let stamp: FileStamp?

    static func open(
        _ path: String, _ timeLimit: QueryTimeLimit, _ copies: PrivateCopies, _ keys: DatabaseKeys?, _ patience: Double
    ) throws(StoreError) -> SQLiteSnapshot {
        if let keys, let snapshot = try openEncrypted(path, timeLimit, copies, keys, patience) { return snapshot }
        let place = try OpenDatabases.whenNotOpen(path) { () throws(StoreError) -> SnapshotPlace? in
            let diagnosis = FileDiagnosis.examine(path)
            if let problem = diagnosis.problem { throw problem }
            let holders = FileHolders.of(databaseAt: path)
            let isHeld = holders?.holders.isEmpty == false
            if let problem = diagnosis.orphanedJournal(holders) { throw problem }
            // Only the program that left a journal or log may roll it back or make its index in place.
            if diagnosis.side.hasHotJournal || diagnosis.side.hasWAL, !isHeld { return nil }
            let file = SQLitePath.resolved(path)
            guard diagnosis.usesWriteAheadLog, !isHeld else { return SnapshotPlace(path: file, stamp: nil) }
            // Without URIs SQLite cannot open a file as immutable.
            guard SQLitePath.understandsURIs, let stamp = FileStamp(of: file) else { return nil }
            return SnapshotPlace(path: file, stamp: stamp)
        }
        switch place {
        case nil: return try openInPlace(SQLitePath.absolute(path), timeLimit, patience)
        case .some(nil): return try openForReading(path, timeLimit, copies, patience)
        case .some(.some(let place)):
            guard let stamp = place.stamp else { return try openInPlace(place.path, timeLimit, patience) }
            return try openImmutable(place.path, timeLimit, stamp)
        }
    }

    private static func openInPlace(
        _ path: String, _ timeLimit: QueryTimeLimit, _ patience: Double
    ) throws(StoreError) -> SQLiteSnapshot {
        let registration = OpenDatabases.Registration(path)
        do throws(StoreError) {
            let queue = try ReadingProfile.plain(timeLimit).open(
                SQLitePath.uri(path, "mode=ro"), patience: patience)
            return SQLiteSnapshot(OpenedDatabase(queue, registration: registration), timeLimit)
        } catch {
            throw error.naming(holdersOf: path)
        }
    }

    /// Opens an encrypted database in the place where reading connections open it; nil for any other file.
    private static func openEncrypted(
        _ path: String, _ timeLimit: QueryTimeLimit, _ copies: PrivateCopies, _ keys: DatabaseKeys, _ patience: Double
    ) throws(StoreError) -> SQLiteSnapshot? {
        let mayBeEncrypted = try OpenDatabases.whenNotOpen(path) { () throws(StoreError) in
            FileDiagnosis.examine(path).mayBeEncrypted
        }
        guard mayBeEncrypted ?? (keys.known(path) != nil) else { return nil }
        let place = try ReadingPlace.choose(for: path, copies, keys)
        // A program that opens the database in WAL mode writes in spite of the lock of a reader.
        let stamp = place.isInWALMode ? FileStamp(of: SQLitePath.resolved(path)) : nil
        return SQLiteSnapshot(try place.open(with: .plain(timeLimit), patience: patience), timeLimit, stamp: stamp)
    }

    /// SQLite takes no locks on an immutable file, so none can be lost.
    private static func openImmutable(
        _ path: String, _ timeLimit: QueryTimeLimit, _ stamp: FileStamp?
    ) throws(StoreError) -> SQLiteSnapshot {
        let queue = try ReadingProfile.plain(timeLimit).open(SQLitePath.uri(path, "mode=ro&immutable=1"))
        return SQLiteSnapshot(OpenedDatabase(queue), timeLimit, stamp: stamp)
    }

    /// Opens the database in the place that reading connections use.
    private static func openForReading(
        _ path: String, _ timeLimit: QueryTimeLimit, _ copies: PrivateCopies, _ patience: Double
    ) throws(StoreError) -> SQLiteSnapshot {
        switch try ReadingPlace.choose(for: path, copies, nil) {
        case .inPlace(let path):
            return try openInPlace(path, timeLimit, patience)
        case .immutable(let path):
            return try openImmutable(path, timeLimit, FileStamp(of: path))
        case .encrypted, .encryptedCopy:
            throw StoreError(.encryptedUnsupported, "\(path) is encrypted")
        case .copy(let copy, let why, _):
            try copy.recover(timeLimit)
            let queue = try ReadingProfile.plain(timeLimit).open(copy.path)
            return SQLiteSnapshot(OpenedDatabase(queue, privateCopy: copy, notes: [why]), timeLimit)
        }
    }
}
