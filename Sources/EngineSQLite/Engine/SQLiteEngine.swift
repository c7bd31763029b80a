public import ChatDBEncryption
public import ChatDBEngine
public import ChatDBSchema
import GRDB
import GRDBSQLite

/// The storage engine for SQLite. Only this module imports GRDB.
public struct SQLiteEngine: StorageEngine, LockWaiting {
    /// The first version of SQLite with STRICT tables.
    static let leastVersion: CInt = 3_037_000

    /// `?` for values, `strftime` for the time.
    public var dialect: Dialect { .sqlite }

    private let queryTimeLimit: Duration
    private let budget: QueryTimeLimit.Budget?
    /// Nil when each connection gets a copy of its own.
    private let copies: PrivateCopies?
    /// Nil when no passphrase was given.
    private var keys: DatabaseKeys?
    /// Whether databases that the passphrase opens are written too.
    private var writesEncrypted = false
    /// Whether new databases are encrypted with the passphrase.
    public private(set) var encryptsNewDatabases = false
    /// How long each connection waits for a lock of another program, in seconds.
    private var patience = ReadingProfile.usualPatience

    /// An engine over the system's SQLite.
    ///
    /// - Parameters:
    ///   - queryTimeLimit: the processor time that a query of an `untrusted` database may take from one row of its
    ///     result to the next. A second for each 100 MB of the database is added. A query that takes longer fails with
    ///     `beyondLimits`. A full check may take sixty times as much.
    ///   - budget: the processor time that all queries of `untrusted` databases may take together; nil for no limit.
    ///   - sharesCopies: whether a database that has to be read from a private copy is copied once and not for each
    ///     connection. The copy is then kept as long as this engine: for a piece of work like a command, not for an
    ///     app.
    public init(queryTimeLimit: Duration = .seconds(10), budget: Duration? = nil, sharesCopies: Bool = false) {
        self.init(queryTimeLimit, budget, sharesCopies ? PrivateCopies() : nil, nil)
    }

    private init(
        _ queryTimeLimit: Duration, _ budget: Duration?, _ copies: PrivateCopies?, _ keys: DatabaseKeys?
    ) {
        self.keys = keys
        self.queryTimeLimit = queryTimeLimit
        self.budget = budget.map(QueryTimeLimit.Budget.init)
        self.copies = copies
    }

    /// An engine with other limits that shares its private copies with this one, if this one shares them at all.
    public func limited(queryTimeLimit: Duration = .seconds(10), budget: Duration? = nil) -> SQLiteEngine {
        var engine = SQLiteEngine(queryTimeLimit, budget, copies, keys)
        engine.patience = patience
        (engine.writesEncrypted, engine.encryptsNewDatabases) = (writesEncrypted, encryptsNewDatabases)
        return engine
    }

    /// An engine that waits another time for a lock of another program. It shares its private copies with this one.
    package func waiting(_ seconds: Double) -> SQLiteEngine {
        var engine = self
        engine.patience = seconds
        return engine
    }

    /// An engine that also reads databases that are encrypted with a passphrase. It writes none of them.
    public func reading(with passphrase: Passphrase) -> SQLiteEngine {
        var engine = self
        engine.keys = DatabaseKeys(passphrase)
        return engine
    }

    /// Whether the engine reads encrypted databases with this passphrase.
    package func isReading(with passphrase: Passphrase) -> Bool { keys?.isOf(passphrase) ?? false }

    /// The same engine, which tries another passphrase for the databases that its own does not open. It is this engine
    /// if this one has no passphrase.
    package func trying(_ other: Passphrase) -> SQLiteEngine {
        guard let keys else { return self }
        var engine = self
        engine.keys = DatabaseKeys(keys, other: other)
        return engine
    }

    /// An engine that also reads and writes databases that are encrypted with a passphrase. New databases are plain.
    /// Rule: docs/encryption.md, "Writing".
    public func writing(with passphrase: Passphrase) -> SQLiteEngine {
        var engine = reading(with: passphrase)
        engine.writesEncrypted = true
        return engine
    }

    /// The same, and new databases are encrypted with the passphrase too.
    public func encryptingNewDatabases(with passphrase: Passphrase) -> SQLiteEngine {
        var engine = writing(with: passphrase)
        engine.encryptsNewDatabases = true
        return engine
    }

    /// Opens one database; see `StorageEngine`.
    public func open(_ path: String, as mode: OpenMode) throws(StoreError) -> any StorageConnection {
        try Self.checkVersion()
        try Self.refuseNUL(in: path)
        switch mode {
        case .existing:
            if let codec = try codec(forWriting: path) {
                return SQLiteConnection(try WritingProfile.open(encrypted: path, codec, patience: patience))
            }
            try refuseProblem(at: path)
            copies?.forget(SQLitePath.resolved(path))
            return SQLiteConnection(try WritingProfile.open(path, creating: false, patience: patience))
        case .create:
            return SQLiteConnection(try WritingProfile.open(path, creating: true, patience: patience))
        case .readOnly:
            return SQLiteConnection(try read(path, with: .plain()))
        case .untrusted:
            let profile = ReadingProfile.hardened(timeLimit(for: path))
            return SQLiteConnection(try read(path, with: profile))
        }
    }

    /// Opens one database to read it through views; see `StorageEngine`.
    public func open(_ path: String, through plan: ViewPlan) throws(StoreError) -> any StorageConnection {
        try Self.checkVersion()
        try Self.refuseNUL(in: path)
        let profile = ReadingProfile.hardened(timeLimit(for: path), views: TemporaryViews(plan))
        return SQLiteConnection(try read(path, with: profile))
    }

    /// Opens one database for a migration; see `StorageEngine`.
    public func openForMigration(_ path: String, creating: Bool) throws(StoreError) -> any MigrationConnection {
        try Self.checkVersion()
        try Self.refuseNUL(in: path)
        if creating, encryptsNewDatabases, let keys {
            return try SQLiteMigrationConnection.create(encrypted: path, keys, patience: patience)
        }
        if !creating {
            if let codec = try codec(forWriting: path) {
                return try SQLiteMigrationConnection.open(encrypted: path, codec, isNew: false, patience: patience)
            }
            try refuseProblem(at: path)
        }
        copies?.forget(SQLitePath.resolved(path))
        return try SQLiteMigrationConnection.open(path, creating: creating, patience: patience)
    }

    /// Opens one encrypted database that is written in place, or makes one. An empty file is a new database, as it is
    /// for SQLite.
    package func openEncrypted(
        _ path: String, with passphrase: Passphrase, creating: Bool
    ) throws(StoreError) -> any MigrationConnection {
        try Self.checkVersion()
        try Self.refuseNUL(in: path)
        let keys = DatabaseKeys(passphrase)
        if creating { return try SQLiteMigrationConnection.create(encrypted: path, keys, patience: patience) }
        try WritingProfile.requireWritable(path)
        let found = try OpenDatabases.whenNotOpen(path) { () throws(StoreError) in
            try keys.codec(forWriting: path, patience: min(1, patience))
        }
        guard let found else { throw StoreError(.busy, "\(path) is open in this process") }
        return try SQLiteMigrationConnection.open(
            encrypted: path, found.codec, isNew: found.isNew, patience: patience)
    }

    /// Opens one database for questions; see `StorageEngine`.
    public func openForQuestions(_ path: String, of database: DatabaseName) throws(StoreError) -> any QuestionConnection
    {
        try Self.checkVersion()
        try Self.refuseNUL(in: path)
        let timeLimit = timeLimit(for: path)
        let opened = try read(path, with: .questions(timeLimit))
        return SQLiteQuestionConnection(SQLiteConnection(opened), to: database, timeLimit)
    }

    /// Opens one database to copy it; see `StorageEngine`.
    public func openSnapshot(_ path: String) throws(StoreError) -> any SnapshotConnection {
        try Self.checkVersion()
        try Self.refuseNUL(in: path)
        return try SnapshotPlace.open(path, timeLimit(for: path), copies ?? PrivateCopies(), keys, patience)
    }

    /// An empty database in memory.
    public func scratch() throws(StoreError) -> any MigrationConnection {
        try Self.checkVersion()
        return try SQLiteMigrationConnection.inMemory()
    }

    /// An empty database in memory for one connection, without foreign keys.
    package func memory() throws(StoreError) -> any StorageConnection {
        try Self.checkVersion()
        return SQLiteConnection(try WritingProfile.inMemory())
    }

    /// Why a database must not be written where it is, a clause; nil if nothing prevents it. A journal or log with
    /// content belongs to a program that was interrupted or is at work, and in WAL mode writing makes further files.
    /// A database that cannot be examined, and one that this process has open, must not be written either.
    package func obstacleToWriting(_ path: String) -> String? {
        let found = try? OpenDatabases.whenNotOpen(path) { () throws(StoreError) -> (FileDiagnosis, Bool) in
            let diagnosis = FileDiagnosis.examine(path)
            if diagnosis.mayBeEncrypted, let unlocked = try? keys?.unlock(diagnosis) {
                return (diagnosis, unlocked.header.journalMode == .wal)
            }
            return (diagnosis, diagnosis.usesWriteAheadLog)
        }
        guard let (diagnosis, isInWALMode) = found ?? nil else {
            return "it cannot be examined while chatdb has it open"
        }
        let side = diagnosis.side
        if side.hasWAL { return "its write-ahead log has content" }
        switch side.journal {
        case .missing, .empty: break
        case .regular: return "its journal has content"
        case .notRegular, .unreachable: return "its journal cannot be examined"
        }
        if case .unreachable = side.wal { return "its write-ahead log cannot be examined" }
        if case .unreadable = diagnosis.finding { return "it cannot be read" }
        return isInWALMode ? "it is in WAL mode" : nil
    }

    /// The kind of the file at a path; see `StorageEngine`.
    public func examine(_ path: String) -> FileExamination {
        let found = try? OpenDatabases.whenNotOpen(path) { () throws(StoreError) in
            let diagnosis = FileDiagnosis.examine(path)
            return keys.flatMap { diagnosis.examination(unlockedWith: $0) } ?? diagnosis.examination
        }
        // A file that is open here is a database.
        return found ?? FileExamination(problem: nil, bytes: FileSpace.size(of: path))
    }

    /// Whether the file at a path looks as an encrypted database does. A file that this process has open does not.
    public func looksEncrypted(_ path: String) -> Bool {
        let found = try? OpenDatabases.whenNotOpen(path) { () throws(StoreError) in
            FileDiagnosis.examine(path).finding == .encryptedOrForeign
        }
        return found ?? false
    }

    /// Whether it has a passphrase.
    package var hasPassphrase: Bool { keys != nil }

    /// Whether a database is encrypted: the passphrase has opened it before, or the file looks so.
    package func isEncrypted(_ path: String) -> Bool { keys?.known(path) != nil || looksEncrypted(path) }

    /// The journal mode of an encrypted database that the passphrase has opened before; nil for every other file.
    package func journalMode(ofEncrypted path: String) -> DatabaseHeader.JournalMode? {
        keys?.known(path)?.header.journalMode
    }

    /// The damaged pages of an encrypted database that SQLite cannot read because of them. Nil for a file that the
    /// passphrase has not opened, and for one that this process has open.
    package func damagedPages(
        ofUnreadable path: String, cancellation: Cancellation
    ) throws(StoreError) -> DamagedPages? {
        guard let keys else { return nil }
        return try OpenDatabases.whenNotOpen(path) { () throws(StoreError) in
            try keys.damagedPages(of: path) { cancellation.isRequested }
        } ?? nil
    }

    /// Examines the write-ahead log of a database. Answers nil if the log is in order, if the database has no log, and
    /// if this process has the database open.
    package func logProblem(of path: String) -> LogProblem? {
        let file = SQLitePath.resolved(path)
        if FileState(at: file) == .missing {
            return LogFile.read(file + "-wal").map { LogProblem(kind: .orphan, reason: "has no database", log: $0) }
        }
        let found = try? OpenDatabases.whenNotOpen(path) { () throws(StoreError) in FileDiagnosis.examine(path) }
        guard let diagnosis = found ?? nil, let log = diagnosis.side.log else { return nil }
        if let reason = diagnosis.foreignLog { return LogProblem(kind: .foreign, reason: reason, log: log) }
        // A program that has the database open begins a log with its first commit.
        guard log.commits == 0, holders(of: path)?.isEmpty != false else { return nil }
        return LogProblem(kind: .useless, reason: "has no committed change", log: log)
    }

    /// The problem of a write-ahead log with which its database is damaged, and without which it is not. Such a log is
    /// of another database, or of another time. It is nil if the database has no such log, and while another program
    /// has the database open.
    package func soundWithoutLog(_ path: String) -> LogProblem? {
        let file = SQLitePath.resolved(path)
        let found = try? OpenDatabases.whenNotOpen(path) { () throws(StoreError) in FileDiagnosis.examine(path) }
        guard let side = (found ?? nil)?.side, let log = side.log, !side.hasHotJournal, SQLitePath.understandsURIs,
            holders(of: path)?.isEmpty != false
        else { return nil }
        // SQLite reads an immutable file without its log, and takes no locks.
        let profile = ReadingProfile.hardened(timeLimit(for: path))
        guard let queue = try? profile.open(SQLitePath.uri(file, "mode=ro&immutable=1")) else { return nil }
        let connection = SQLiteConnection(OpenedDatabase(queue, timeLimit: profile.timeLimit))
        defer { try? connection.close() }
        guard let problems = try? connection.integrityProblems(), problems.isEmpty else { return nil }
        return LogProblem(kind: .foreign, reason: "damages the database, which is in order without it", log: log)
    }

    /// The other processes that have the database open.
    public func holders(of path: String) -> [FileHolder]? {
        FileHolders.of(databaseAt: path)?.holders
    }

    /// Whether another process has the database open, found out by taking the exclusive lock for a moment.
    public func isOpenInAnotherProcess(_ path: String) -> Bool { ExclusiveProbe.isOpenInAnotherProcess(path) }

    /// The version of the SQLite library in use, as `3.40.1`.
    public static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// Limits the memory SQLite may use in the whole process. Only a program's `main` may call it: the limit is not for
    /// a library to decide.
    public static func limitMemory(toBytes bytes: Int64) {
        _ = sqlite3_hard_heap_limit64(bytes)
    }

    /// Opens a database to read it. A program that has it open keeps its journal in order: if that program has ended
    /// meanwhile, the place is chosen again.
    private func read(_ path: String, with profile: ReadingProfile) throws(StoreError) -> OpenedDatabase {
        do throws(StoreError) {
            return try place(of: path).open(with: profile, patience: patience)
        } catch {
            guard error.kind == .inUse, !error.isOfEncryptedLog, error.engineCode != Int(IOCode.writtenMeanwhile)
            else { throw error }
            let holders = FileHolders.of(databaseAt: path)?.holders ?? []
            if !holders.isEmpty { throw SQLiteErrors.unrecovered(error.engineCode, by: holders) }
            return try place(of: path).open(with: profile, patience: patience)
        }
    }

    /// The place in which a database is read.
    func place(of path: String) throws(StoreError) -> ReadingPlace {
        try ReadingPlace.choose(for: path, copies ?? PrivateCopies(), keys)
    }

    /// The keys of encrypted databases; nil when no passphrase was given.
    var keysOfEncrypted: DatabaseKeys? { keys }

    private func timeLimit(for path: String) -> QueryTimeLimit {
        QueryTimeLimit(queryTimeLimit, bytes: FileSpace.size(of: path), budget: budget)
    }

    private func refuseProblem(at path: String) throws(StoreError) {
        if let problem = examine(path).problem { throw problem }
        if !writesEncrypted, keys?.known(path) != nil {
            throw StoreError(
                .encryptedUnsupported, "\(path) is encrypted, and was opened for reading only")
        }
        let problem = try OpenDatabases.whenNotOpen(path) { () throws(StoreError) -> StoreError? in
            let (diagnosis, holders) = (FileDiagnosis.examine(path), FileHolders.of(databaseAt: path))
            if let orphaned = diagnosis.orphanedJournal(holders) { return orphaned }
            // A program may have written between two looks, and closed the database.
            guard diagnosis.logOfOtherSize(holders) != nil else { return nil }
            return FileDiagnosis.examine(path).logOfOtherSize(FileHolders.of(databaseAt: path))
        }
        if let problem = problem ?? nil { throw problem }
    }

    /// The codec with which a connection writes a database; nil for a plain one.
    private func codec(forWriting path: String) throws(StoreError) -> PageCodec? {
        guard writesEncrypted, let keys else { return nil }
        let found = try OpenDatabases.whenNotOpen(path) { () throws(StoreError) -> PageCodec? in
            let diagnosis = FileDiagnosis.examine(path)
            guard diagnosis.mayBeEncrypted else { return nil }
            try WritingProfile.requireWritable(path)
            do throws(StoreError) {
                return try keys.codec(forWriting: path, patience: min(1, patience)).codec
            } catch {
                // Nothing but the passphrase could show that it is an encrypted database.
                let isUnknown = error.kind == .wrongPassphrase && diagnosis.finding != .encryptedOrForeign
                throw isUnknown ? diagnosis.problem ?? error : error
            }
        }
        copies?.forget(SQLitePath.resolved(path))
        if let found { return found }
        // The connection that this process has to the file has this codec.
        return try keys.codec(forWritingOpened: path, patience: min(1, patience))
    }

    /// The system would read the path only up to the NUL byte: that names another file.
    private static func refuseNUL(in path: String) throws(StoreError) {
        if path.utf8.contains(0) { throw StoreError(.missing, "the name of a file cannot contain a zero byte") }
    }

    private static func checkVersion() throws(StoreError) {
        guard sqlite3_libversion_number() >= leastVersion else {
            throw StoreError(.engineTooOld, "SQLite \(libraryVersion) is too old: chatdb needs 3.37 or newer")
        }
    }
}

extension StorageEngine {
    /// The engine with limits for queries of untrusted files; an engine without such files as it is.
    package func limited(queryTimeLimit: Duration = .seconds(10), budget: Duration? = nil) -> any StorageEngine {
        guard let engine = self as? SQLiteEngine else { return self }
        return engine.limited(queryTimeLimit: queryTimeLimit, budget: budget) as SQLiteEngine
    }
}
