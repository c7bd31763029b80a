public import ChatDBEngine
public import ChatDBSchema
import GRDB
import GRDBSQLite

/// SQLite behind the seam. The only place that knows GRDB.
public struct SQLiteEngine: StorageEngine {
    /// The least SQLite that has STRICT tables.
    static let leastVersion: CInt = 3_037_000

    static let dialect = Dialect(
        placeholders: .questionMark, now: "strftime('%Y-%m-%d %H:%M:%f', 'now')",
        tableExists: { "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = \($0)" },
        triggers: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
        // What `StructureReader` reads, and nothing else.
        definitions: """
            SELECT type, name, tbl_name, sql FROM main.sqlite_master
            WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql IS NOT NULL ORDER BY name, type
            """,
        later: { time, seconds in "strftime('%Y-%m-%d %H:%M:%f', \(time), (\(seconds)) || ' seconds')" },
        numbers: { numbers in "SELECT value FROM json_each(\("[\(numbers.map(String.init).joined(separator: ","))]"))"
        },
        textSearch: SQLiteTextSearch.search)

    /// `?` for values, `strftime` for the time.
    public var dialect: Dialect { Self.dialect }

    private let patience: Duration
    private let budget: ReadingBudget?
    /// Nil when each connection is to have a copy of its own.
    private let copies: PrivateCopies?

    /// An engine over the system's SQLite.
    ///
    /// - Parameters:
    ///   - patience: how much processor time a query of an `untrusted` database may take from one row of its answer to
    ///     the next, a second for 100 MB of it added; beyond it the query fails with `beyondLimits`. A full check may
    ///     take sixty times as much.
    ///   - budget: how much processor time all queries of `untrusted` databases may take together; nil for as much as
    ///     they take.
    ///   - sharesCopies: whether a database that has to be read from a private copy is copied once and not for each
    ///     connection. The copy is then kept as long as this engine: for a piece of work like a command, not for an app.
    public init(patience: Duration = .seconds(10), budget: Duration? = nil, sharesCopies: Bool = false) {
        self.init(patience, budget, sharesCopies ? PrivateCopies() : nil)
    }

    private init(_ patience: Duration, _ budget: Duration?, _ copies: PrivateCopies?) {
        self.patience = patience
        self.budget = budget.map(ReadingBudget.init)
        self.copies = copies
    }

    /// An engine with other limits that shares its private copies with this one, if this one shares them at all.
    public func limited(patience: Duration = .seconds(10), budget: Duration? = nil) -> SQLiteEngine {
        SQLiteEngine(patience, budget, copies)
    }

    /// Opens one database; see `StorageEngine`.
    public func open(_ path: String, as mode: OpenMode) throws(StoreError) -> any StorageConnection {
        try Self.checkVersion()
        try Self.refuseNUL(in: path)
        switch mode {
        case .existing:
            try refuseProblem(at: path)
            copies?.forget(SQLitePath.resolved(path))
            return try WritingProfile.connect(path, creating: false)
        case .create:
            return try WritingProfile.connect(path, creating: true)
        case .readOnly:
            return try place(of: path).open(with: .plain())
        case .untrusted:
            return try place(of: path).open(with: .hardened(patience(for: path)))
        }
    }

    /// Opens one database to read it through views; see `StorageEngine`.
    public func open(_ path: String, through plan: ViewPlan) throws(StoreError) -> any StorageConnection {
        try Self.checkVersion()
        try Self.refuseNUL(in: path)
        return try place(of: path).open(
            with: .hardened(patience(for: path), views: TemporaryViews(plan)))
    }

    /// Opens one database for a migration; see `StorageEngine`.
    public func openForMigration(_ path: String, creating: Bool) throws(StoreError) -> any MigrationConnection {
        try Self.checkVersion()
        try Self.refuseNUL(in: path)
        if !creating { try refuseProblem(at: path) }
        copies?.forget(SQLitePath.resolved(path))
        return try SQLiteMigrationConnection.open(path, creating: creating)
    }

    /// Opens one database for questions; see `StorageEngine`.
    public func openForQuestions(_ path: String, of database: DatabaseName) throws(StoreError) -> any QuestionConnection
    {
        try Self.checkVersion()
        try Self.refuseNUL(in: path)
        let patience = patience(for: path)
        let connection = try place(of: path).open(with: .hardened(patience))
        return SQLiteQuestionConnection(connection, to: database, patience)
    }

    /// Opens one database to copy it; see `StorageEngine`.
    public func openSnapshot(_ path: String) throws(StoreError) -> any SnapshotConnection {
        try Self.checkVersion()
        try Self.refuseNUL(in: path)
        return try SnapshotPlace.open(path, patience(for: path), copies ?? PrivateCopies())
    }

    /// An empty database in memory.
    public func scratch() throws(StoreError) -> any MigrationConnection {
        try Self.checkVersion()
        return try SQLiteMigrationConnection.inMemory()
    }

    /// What a path names.
    public func examine(_ path: String) -> FileExamination {
        let found = try? OpenDatabases.whenNotOpen(path) { () throws(StoreError) in
            FileDiagnosis.examine(path).examination
        }
        // What is open here is a database.
        return found ?? FileExamination(problem: nil, bytes: FileSpace.size(of: path))
    }

    /// Which other processes have the database open.
    public func holders(of path: String) -> [FileHolder]? {
        FileHolders.of(databaseAt: path)?.holders
    }

    /// Whether somebody else has the database open, found out by taking it alone for a moment.
    public func isOpenElsewhere(_ path: String) -> Bool { OpenElsewhere.isTrue(of: path) }

    /// The version of the SQLite library in use, as `3.40.1`.
    public static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// Limits the memory SQLite may use in the whole process. For a program's `main` only: a library that an app embeds
    /// must not decide it.
    public static func limitMemory(toBytes bytes: Int64) {
        _ = sqlite3_hard_heap_limit64(bytes)
    }

    private func place(of path: String) throws(StoreError) -> ReadingPlace {
        try ReadingPlace.choose(for: path, copies ?? PrivateCopies())
    }

    private func patience(for path: String) -> Patience {
        Patience(patience, bytes: FileSpace.size(of: path), budget: budget)
    }

    private func refuseProblem(at path: String) throws(StoreError) {
        if let problem = examine(path).problem { throw problem }
        let orphaned = try OpenDatabases.whenNotOpen(path) { () throws(StoreError) in
            FileDiagnosis.examine(path).orphanedJournal(FileHolders.of(databaseAt: path))
        }
        if let orphaned = orphaned ?? nil { throw orphaned }
    }

    /// The system would take the path up to the NUL byte: another file.
    private static func refuseNUL(in path: String) throws(StoreError) {
        if path.utf8.contains(0) { throw StoreError(.missing, "no file has a zero byte in its name") }
    }

    private static func checkVersion() throws(StoreError) {
        guard sqlite3_libversion_number() >= leastVersion else {
            throw StoreError(.engineTooOld, "SQLite \(libraryVersion) is too old: chatdb needs 3.37 or newer")
        }
    }
}
