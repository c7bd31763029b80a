import ChatDBEngine
import GRDB

/// A database inside a reading transaction that stays open between calls, so that all answers are of one moment. In WAL
/// mode other programs go on writing; with a rollback journal they wait for the end of the transaction.
final class SQLiteSnapshot: SnapshotConnection {
    private let opened: OpenedDatabase
    private let timeLimit: QueryTimeLimit

    private var queue: DatabaseQueue { opened.queue }
    var notes: [String] { opened.notes }
    var dialect: Dialect { .sqlite }

    init(_ opened: OpenedDatabase, _ timeLimit: QueryTimeLimit) {
        self.opened = opened
        self.timeLimit = timeLimit
    }

    deinit { close() }

    func renew() throws(StoreError) -> Int64 {
        try access { database in
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

    private func access<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
        do {
            return try queue.unsafeReentrantWrite { database in
                try OpenedDatabase.requireOpen(database)
                return try timeLimit.enforced(on: database) { try body(database) }
            }
        } catch {
            throw timeLimit.error ?? SQLiteErrors.storeError(error)
        }
    }
}

/// The place where a database is opened to be copied: in place whenever that changes nothing, because the locks there
/// hold. A copy of a database declared immutable could mix two states when another program begins to write.
struct SnapshotPlace {
    private let path: String
    private let usesLog: Bool
    private let isHeldByOthers: Bool

    static func open(
        _ path: String, _ timeLimit: QueryTimeLimit, _ copies: PrivateCopies
    ) throws(StoreError) -> SQLiteSnapshot {
        let place = try OpenDatabases.whenNotOpen(path) { () throws(StoreError) -> SnapshotPlace? in
            let diagnosis = FileDiagnosis.examine(path)
            if let problem = diagnosis.problem { throw problem }
            let holders = FileHolders.of(databaseAt: path)
            let isHeld = holders?.holders.isEmpty == false
            if let problem = diagnosis.orphanedJournal(holders) { throw problem }
            // Only the program that left a journal or log may roll it back or make its index in place.
            if diagnosis.side.hasHotJournal || diagnosis.side.hasWAL, !isHeld { return nil }
            return SnapshotPlace(
                path: SQLitePath.resolved(path), usesLog: diagnosis.usesWriteAheadLog, isHeldByOthers: isHeld)
        }
        switch place {
        case nil:
            return try openInPlace(SQLitePath.absolute(path), .readOnly, timeLimit)
        case .some(nil):
            return try openForReading(path, timeLimit, copies)
        case .some(.some(let place)):
            do throws(StoreError) {
                return try openInPlace(place.path, place.access, timeLimit)
            } catch {
                // SQLite cannot make side files in this folder, so no program can be writing there.
                guard place.usesLog, !place.isHeldByOthers else { throw error }
                return try openForReading(path, timeLimit, copies)
            }
        }
    }

    /// The flags with which a database is opened in place.
    private enum Access {
        case readOnly
        /// For writing, and never written: SQLite then removes the side files that it made when it closes.
        case removingSideFiles
    }

    private var access: Access { !usesLog || isHeldByOthers ? .readOnly : .removingSideFiles }

    private static func openInPlace(
        _ path: String, _ access: Access, _ timeLimit: QueryTimeLimit
    ) throws(StoreError) -> SQLiteSnapshot {
        let registration = OpenDatabases.Registration(path)
        if access == .readOnly {
            let queue = try ReadingProfile.plain(timeLimit).open(SQLitePath.uri(path, "mode=ro"))
            return SQLiteSnapshot(OpenedDatabase(queue, registration: registration), timeLimit)
        }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(5)
        configuration.label = "chatdb.copying"
        configuration.prepareDatabase { database in
            try ConnectionOptions.disableExtensions(of: database)
            timeLimit.install(on: database)
            try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA query_only = ON")
        }
        return try SQLiteErrors.mapped {
            let queue = try DatabaseQueue(path: SQLitePath.uri(path, "mode=rw"), configuration: configuration)
            let snapshot = SQLiteSnapshot(OpenedDatabase(queue, registration: registration), timeLimit)
            _ = try snapshot.renew()
            return snapshot
        }
    }

    /// Opens the database in the place that reading connections use.
    private static func openForReading(
        _ path: String, _ timeLimit: QueryTimeLimit, _ copies: PrivateCopies
    ) throws(StoreError) -> SQLiteSnapshot {
        switch try ReadingPlace.choose(for: path, copies) {
        case .inPlace(let path):
            return try openInPlace(path, .readOnly, timeLimit)
        case .immutable(let path):
            let queue = try ReadingProfile.plain(timeLimit).open(SQLitePath.uri(path, "mode=ro&immutable=1"))
            return SQLiteSnapshot(OpenedDatabase(queue), timeLimit)
        case .copy(let copy, let why):
            try copy.recover(timeLimit)
            let queue = try ReadingProfile.plain(timeLimit).open(copy.path)
            return SQLiteSnapshot(OpenedDatabase(queue, privateCopy: copy, notes: [why]), timeLimit)
        }
    }
}
