public import ChatDBSchema

/// A storage engine: SQLite for files, PostgreSQL for servers. All other modules use this protocol and know no engine.
///
/// A path is that of a file, or what `StoreLocation.path(of:)` returns for a database of the engine's server.
public protocol StorageEngine: Sendable {
    /// The SQL in which engines differ.
    var dialect: Dialect { get }

    /// Those of the store's databases that exist, chat first; empty without a store. For files it opens nothing.
    func databases(of location: StoreLocation) throws(StoreError) -> [DatabaseName]

    /// Throws `accessDenied` if a server would refuse to make a store there, because the role lacks a right. Files show
    /// it when they are made.
    func requireRightToCreate(_ location: StoreLocation) throws(StoreError)

    /// Opens one database.
    ///
    /// An implementation must create a file only with `.create`, and only where none exists. It must check the kind of
    /// the file before it opens it (opening a FIFO waits forever). With `.readOnly` and `.untrusted` it must leave the
    /// folder unchanged byte for byte, except for the shared-memory index of a store that another program has open. It
    /// must throw a `StoreError` for every path that it cannot open.
    func open(_ path: String, as mode: OpenMode) throws(StoreError) -> any StorageConnection

    /// Opens one database as with `.untrusted`, and makes the views of a plan before the first read. The notes of the
    /// plan are among the connection's notes. The connection's facts (structure, numbers of rows) are those of the
    /// file.
    func open(_ path: String, through plan: ViewPlan) throws(StoreError) -> any StorageConnection

    /// Opens one database to change its schema, with foreign keys off and every statement of a migration authorized.
    /// The file must exist, unless `creating`: then it must not, and a file that was made is removed again when this
    /// throws.
    func openForMigration(_ path: String, creating: Bool) throws(StoreError) -> any MigrationConnection

    /// The connections of one run of migrations. Those to databases of a server share a transaction.
    /// - Parameter seconds: how long a server lets a run wait for other writers; nil for the time of the engine.
    func migrationConnections(waiting seconds: Double?) -> any MigrationConnections

    /// Opens one untrusted database for questions in SQL: as with `.untrusted`, and with secret columns masked by the
    /// catalogue of `database`.
    func openForQuestions(_ path: String, of database: DatabaseName) throws(StoreError) -> any QuestionConnection

    /// Opens one database to copy it as it is at one moment, while other programs may write it. The database may be
    /// untrusted, of any version, with values of any size. Nothing of it changes.
    func openSnapshot(_ path: String) throws(StoreError) -> any SnapshotConnection

    /// The connections of one snapshot of a store. Those to databases of a server show the same moment.
    func snapshotConnections() -> any SnapshotConnections

    /// Copies a store on a server into a new file for the owner alone, by the server's own program, as it is at one
    /// moment, and verifies the copy. Throws `denied` for files.
    func makeDump(of location: StoreLocation, to path: String) throws(StoreError)

    /// Opens an empty database in memory, in which the schema of a version is made.
    func scratch() throws(StoreError) -> any MigrationConnection

    /// Examines a path without opening it as a database. The caller must not have the database open in this process:
    /// closing a second descriptor releases the locks of the first.
    func examine(_ path: String) -> FileExamination

    /// The other processes that have the database or one of its side files open, by pid; nil where the system does not
    /// report them. Opens nothing.
    func holders(of path: String) -> [FileHolder]?

    /// Whether databases that the engine makes are encrypted.
    var encryptsNewDatabases: Bool { get }

    /// Whether another process has the database open, for systems where `holders` returns nil. It takes the exclusive
    /// lock for a moment, which may recover a log or journal that no process has open; nothing else changes. False for
    /// what is not a database.
    func isOpenInAnotherProcess(_ path: String) -> Bool
}

extension StorageEngine {
    /// False.
    public var encryptsNewDatabases: Bool { false }

    /// The databases whose files exist.
    public func databases(of location: StoreLocation) throws(StoreError) -> [DatabaseName] {
        location.databases.filter { location.state(of: $0) != .missing }
    }

    /// Throws nothing.
    public func requireRightToCreate(_ location: StoreLocation) throws(StoreError) {}

    /// Throws `denied`: files are copied through `openSnapshot`.
    public func makeDump(of location: StoreLocation, to path: String) throws(StoreError) {
        throw StoreError(.denied, "only a store on a server is copied by its server's program")
    }

    /// Connections that commit one after the other. The lock of a file is taken or refused at once.
    public func migrationConnections(waiting seconds: Double?) -> any MigrationConnections {
        SeparateConnections(engine: self)
    }

    /// Connections that wait for other writers as long as the engine says.
    public func migrationConnections() -> any MigrationConnections { migrationConnections(waiting: nil) }

    /// Connections of a moment each.
    public func snapshotConnections() -> any SnapshotConnections { SeparateSnapshots(engine: self) }
}

/// An engine whose connections wait for the locks of other programs, for a time that can be set.
package protocol LockWaiting: StorageEngine {
    /// The same engine, which waits this number of seconds.
    func waiting(_ seconds: Double) -> Self
}

/// The connections of one run of migrations.
public protocol MigrationConnections {
    /// Whether all connections have one transaction: what the last `commit` commits, it commits in all of them. Until
    /// then nothing is changed.
    var commitTogether: Bool { get }

    /// Opens one database; see `StorageEngine.openForMigration`.
    func open(_ path: String, creating: Bool) throws(StoreError) -> any MigrationConnection
}

/// Connections to files, each with a transaction of its own.
private struct SeparateConnections: MigrationConnections {
    let engine: any StorageEngine
    let commitTogether = false

    func open(_ path: String, creating: Bool) throws(StoreError) -> any MigrationConnection {
        try engine.openForMigration(path, creating: creating)
    }
}

/// The connections of one snapshot of a store.
public protocol SnapshotConnections {
    /// Opens one database; see `StorageEngine.openSnapshot`.
    func open(_ path: String) throws(StoreError) -> any SnapshotConnection
}

/// Snapshots of files, which begin one after the other.
private struct SeparateSnapshots: SnapshotConnections {
    let engine: any StorageEngine

    func open(_ path: String) throws(StoreError) -> any SnapshotConnection { try engine.openSnapshot(path) }
}

/// The ways to open a database.
public enum OpenMode: Sendable, Hashable {
    /// Read and write a database that exists.
    case existing
    /// Make a new database where no file is, for the owner alone, and open it.
    case create
    /// Read a database of our own without changing anything.
    case readOnly
    /// Read an untrusted database, which may be of any origin: nothing changes, nothing in the file is run.
    case untrusted
}

/// The result of examining a path.
public struct FileExamination: Sendable, Hashable {
    /// Why no database can be opened there; nil when one can.
    public let problem: StoreError?
    /// Size of the main file in bytes, 0 when there is none.
    public let bytes: Int64
    /// Unusual facts that do not prevent that, a clause each.
    public let notes: [String]

    /// The examination of a path.
    public init(problem: StoreError?, bytes: Int64, notes: [String] = []) {
        self.problem = problem
        self.bytes = bytes
        self.notes = notes
    }
}

/// A process that has a file open.
public struct FileHolder: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number of the process.
    public let pid: Int32
    /// The name of its program as the system has it, cut at 15 bytes; empty when it could not be read. It is untrusted:
    /// escape it before printing.
    public let program: String
    /// Whether it is the server's process of a connection that has the lock of the store. `program` is then the name that
    /// the client gave itself.
    public let isOfServer: Bool

    /// A process by number and name.
    public init(pid: Int32, program: String, isOfServer: Bool = false) {
        self.pid = pid
        self.program = program
        self.isOfServer = isOfServer
    }

    /// `sqlite3 (4711)`, or `process 4711`.
    public var description: String { program.isEmpty ? "process \(pid)" : "\(program) (\(pid))" }

    /// By number.
    public static func < (left: FileHolder, right: FileHolder) -> Bool {
        (left.pid, left.program) < (right.pid, right.program)
    }
}

extension [FileHolder] {
    /// The processes of a server, for the end of a message: their numbers are not those of this machine.
    package var namesOfServer: String {
        "\(map(\.description).joined(separator: ", ")), by the server's numbers of processes"
    }
}
