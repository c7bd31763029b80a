public import ChatDBSchema

/// An engine that keeps databases: SQLite is the first. Everything above asks through this protocol and knows no engine.
public protocol StorageEngine: Sendable {
    /// What differs between engines.
    var dialect: Dialect { get }

    /// Opens one database.
    ///
    /// An implementation must not create a file except with `.create`, and then only where nothing is; must look what
    /// a path is before it opens it (a FIFO would hang for ever); must leave the folder byte for byte as it was with
    /// `.readOnly` and `.untrusted`, apart from the shared-memory index of a store that another program has open; and
    /// must answer a `StoreError` for whatever the path names.
    func open(_ path: String, as mode: OpenMode) throws(StoreError) -> any StorageConnection

    /// Opens one database as with `.untrusted`, and makes these views before anybody reads. What their plan notes is
    /// among the connection's notes. The connection's facts (structure, numbers of rows) are those of the file.
    func open(_ path: String, through plan: ViewPlan) throws(StoreError) -> any StorageConnection

    /// Opens one database to change its schema: alone, with foreign keys off and every statement of a migration watched.
    /// The file must exist, unless `creating`: then it must not, and a
    /// file that was made is gone again when this throws.
    func openForMigration(_ path: String, creating: Bool) throws(StoreError) -> any MigrationConnection

    /// Opens one database, which anybody may have sent, for questions in SQL: as `.untrusted`, and nothing secret is
    /// shown by accident. The catalogue of `database` says what is.
    func openForQuestions(_ path: String, of database: DatabaseName) throws(StoreError) -> any QuestionConnection

    /// Opens one database to copy it as it is at one moment, beside whoever writes it. It is anybody's, of any version;
    /// values may be of any size. Nothing of the database changes.
    func openSnapshot(_ path: String) throws(StoreError) -> any SnapshotConnection

    /// An empty database in memory, to make the schema of a version in.
    func scratch() throws(StoreError) -> any MigrationConnection

    /// What a path names, told without opening it as a database. Never call it while this process has the database
    /// open: closing a second descriptor drops the locks of the first.
    func examine(_ path: String) -> FileExamination

    /// Which other processes have the database or one of its side files open, by pid; nil where the system does not
    /// tell. Opens nothing.
    func holders(of path: String) -> [FileHolder]?

    /// Whether somebody else has the database open, for where `holders` does not tell. It is taken alone for a moment,
    /// so that a log or journal of nobody's may be recovered, and nothing else changes. False for what is no database.
    func isOpenElsewhere(_ path: String) -> Bool
}

/// How a database is opened.
public enum OpenMode: Sendable, Hashable {
    /// Read and write a database that exists.
    case existing
    /// Make a new database where no file is, for the owner alone, and open it.
    case create
    /// Read a database of our own without changing anything.
    case readOnly
    /// Read a database that anybody may have sent: nothing changes, nothing in the file is run.
    case untrusted
}

/// What a path names.
public struct FileExamination: Sendable, Hashable {
    /// Whether a database can be opened there, or what stands in the way.
    public let problem: StoreError?
    /// Size of the main file in bytes, 0 when there is none.
    public let bytes: Int64
    /// What was noticed though it does not stand in the way, a clause each.
    public let notes: [String]

    /// The examination of a path.
    public init(problem: StoreError?, bytes: Int64, notes: [String] = []) {
        self.problem = problem
        self.bytes = bytes
        self.notes = notes
    }
}
