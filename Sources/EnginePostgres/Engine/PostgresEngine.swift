public import ChatDBEngine
public import ChatDBSchema
import Synchronization

/// The storage engine for a store on a PostgreSQL server. Rule: docs/postgresql.md.
///
/// All databases that one engine opens share a connection, on which threads take turns. For work beside each other, make
/// an engine for each.
///
/// ```swift
/// let server = try ServerStore("postgres://ops@db.example/chats?store=main")
/// let store = try Store.openForReading(StoreLocation(server: server), with: PostgresEngine(server))
/// ```
public final class PostgresEngine: StorageEngine {
    private let store: ServerStore
    private let lockTimeout: Double
    private let opened = Mutex<Opened?>(nil)

    /// The connection that all databases share, and the schemas in which they are.
    private struct Opened {
        let pair: PostgresPair
        let schemas: [DatabaseName: String]
        let reading: PostgresReading

        init(_ pair: PostgresPair, _ schemas: [DatabaseName: String]) {
            (self.pair, self.schemas, reading) = (pair, schemas, PostgresReading(pair))
        }
    }

    /// PostgreSQL's.
    public var dialect: Dialect { .postgres }

    /// An engine for one store. Connects to nothing yet.
    /// - Parameter lockTimeout: how long a writer waits for another one, in seconds.
    public init(_ store: ServerStore, lockTimeout: Double = 5) {
        self.store = store
        self.lockTimeout = lockTimeout
    }

    /// Parameters of libpq.
    private var parameters: [String: String] { ["dbname": store.uri] }

    private func schemas(_ name: (DatabaseName) -> String) -> [DatabaseName: String] {
        Dictionary(uniqueKeysWithValues: DatabaseName.allCases.map { ($0, name($0)) })
    }

    /// The connection. It is made at first use.
    private func connected() throws(StoreError) -> Opened {
        let made = opened.withLock { opened -> Result<Opened, StoreError> in
            if let opened { return .success(opened) }
            do throws(StoreError) {
                let made = try connect()
                opened = made
                return .success(made)
            } catch {
                return .failure(error)
            }
        }
        return try made.get()
    }

    /// Connects to the store of this name. If there is only one of SimpleX Chat with this name, connects to that.
    private func connect() throws(StoreError) -> Opened {
        let (own, app) = (schemas(store.schema), schemas(store.appSchema))
        let made = Opened(try PostgresPair(parameters, schemas: own, lockTimeout: lockTimeout), own)
        let found = try Self.used(Array(own.values) + app.values, made.pair)
        guard found.isDisjoint(with: own.values), !found.isEmpty else { return made }
        return Opened(try PostgresPair(parameters, schemas: app, lockTimeout: lockTimeout), app)
    }

    private func pair() throws(StoreError) -> PostgresPair { try connected().pair }

    /// Those of some schemas that hold anything.
    private static func used(_ schemas: [String], _ pair: PostgresPair) throws(StoreError) -> Set<String> {
        let rows = try StoreError.mapped {
            try pair.read { chat, _ in
                try chat.rows(
                    """
                    SELECT nspname AS name FROM pg_catalog.pg_namespace
                    WHERE nspname IN (\(list: schemas))
                        AND EXISTS (SELECT FROM pg_catalog.pg_class WHERE relnamespace = pg_namespace.oid)
                    """)
            }
        }
        var found: Set<String> = []
        for row in rows { found.insert(try row.get("name")) }
        return found
    }

    /// The database at a path of `StoreLocation`. Throws `missing` for a path that is not of this store.
    private func database(at path: String) throws(StoreError) -> DatabaseName {
        let location = StoreLocation(server: store)
        guard let name = DatabaseName.allCases.first(where: { location.path(of: $0) == path }) else {
            throw StoreError(.missing, "\(path) is no database of the store \(store)")
        }
        return name
    }

    /// The databases whose schemas hold anything. An empty schema may have been made for a store that is to come.
    public func databases(of location: StoreLocation) throws(StoreError) -> [DatabaseName] {
        guard location.server == store else { return [] }
        let opened = try connected()
        let found = try Self.used(Array(opened.schemas.values), opened.pair)
        return DatabaseName.allCases.filter { opened.schemas[$0].map(found.contains) ?? false }
    }

    /// Throws `accessDenied` unless the role may make schemas, or both are there and it may make tables in them.
    public func requireRightToCreate(_ location: StoreLocation) throws(StoreError) {
        let connection = try pair()
        let names = Array(schemas(store.schema).values)
        let rights = try StoreError.mapped {
            try connection.read { chat, _ in
                try chat.count(
                    """
                    SELECT (SELECT count(*) FROM pg_catalog.pg_namespace
                            WHERE nspname IN (\(list: names)) AND has_schema_privilege(oid, 'CREATE'))
                        + CASE WHEN has_database_privilege(current_database(), 'CREATE') THEN 2 ELSE 0 END AS rights
                    """)
            }
        }
        if rights < names.count {
            throw StoreError(.accessDenied, "the role lacks the right CREATE on the database")
        }
    }

    /// Opens one database. `create` is for migrations alone, and throws `denied`.
    public func open(_ path: String, as mode: OpenMode) throws(StoreError) -> any StorageConnection {
        let name = try database(at: path)
        guard mode != .create else { throw StoreError(.denied, "a migration makes a database on a server") }
        let opened = try existing(name)
        if mode == .existing { try StoreError.mapped { try opened.pair.expectGeneration() } }
        return PostgresStorageConnection(opened.pair, name, mayWrite: mode == .existing)
    }

    /// The connection, to a database that is there and may be used.
    private func existing(_ name: DatabaseName) throws(StoreError) -> Opened {
        let opened = try connected()
        let schema = opened.schemas[name] ?? store.schema(of: name)
        guard try databases(of: StoreLocation(server: store)).contains(name) else {
            throw StoreError(.missing, "the server has no schema \(schema)")
        }
        try requireUsage(of: schema, opened.pair)
        return opened
    }

    /// Throws `accessDenied` for a role that may not use a schema: to such a role, the schema does not exist.
    private func requireUsage(of schema: String, _ pair: PostgresPair) throws(StoreError) {
        let count = try StoreError.mapped {
            try pair.read { chat, _ in
                try chat.count(
                    "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = \(schema) AND has_schema_privilege(oid, 'USAGE')"
                )
            }
        }
        if count == 0 { throw StoreError(.accessDenied, "permission denied for schema \(schema)") }
    }

    /// Opens one database to read it through the views of a plan, which are a part of each statement.
    public func open(_ path: String, through plan: ViewPlan) throws(StoreError) -> any StorageConnection {
        let name = try database(at: path)
        let opened = try existing(name)
        let schema = opened.schemas[name] ?? store.schema(of: name)
        let views = try StoreError.mapped { try opened.reading.open(name, schema: schema, through: plan) }
        return PostgresStorageConnection(opened.pair, name, through: opened.reading, notes: views.notes)
    }

    /// Opens one database for a migration of this database alone.
    public func openForMigration(_ path: String, creating: Bool) throws(StoreError) -> any MigrationConnection {
        try migrationConnections().open(path, creating: creating)
    }

    /// Connections with one transaction.
    public func migrationConnections(waiting seconds: Double?) -> any MigrationConnections {
        PostgresMigrationConnections(
            parameters, schemas: schemas(store.schema), lockTimeout: seconds ?? lockTimeout
        ) { [self] path throws(StoreError) in
            try database(at: path)
        }
    }

    /// An empty schema of a new name, which is gone when the connection is closed. The role needs the right to create
    /// schemas.
    public func scratch() throws(StoreError) -> any MigrationConnection {
        let schema = "chatdb_scratch_\(UInt64.random(in: .min ... .max))"
        let session = try PostgresSession(parameters, schemas: [.chat: schema])
        return PostgresMigrationConnection(PostgresRun(session, lockTimeout: nil), schema: schema, of: .chat, .scratch)
    }

    /// Throws `denied`: on a server, `psql` asks questions.
    public func openForQuestions(
        _ path: String, of database: DatabaseName
    ) throws(StoreError) -> any QuestionConnection {
        throw StoreError(.denied, "chatdb answers questions in SQL only for files")
    }

    /// Opens one database to copy its rows.
    public func openSnapshot(_ path: String) throws(StoreError) -> any SnapshotConnection {
        try snapshotConnections().open(path)
    }

    /// Connections that show both databases as they are at one moment.
    public func snapshotConnections() -> any SnapshotConnections {
        PostgresSnapshotConnections(
            { [self] () throws(StoreError) in
                try PostgresSnapshotSession(
                    parameters, schemas: connected().schemas, lockTimeout: lockTimeout)
            },
            { [self] path throws(StoreError) in
                let name = try database(at: path)
                _ = try existing(name)
                return name
            })
    }

    /// Copies the store with `pg_dump`.
    public func makeDump(of location: StoreLocation, to path: String) throws(StoreError) {
        try PostgresDump.make(of: store, to: path)
    }

    /// The size of the database. Why it cannot be opened shows when it is opened. A note says that the role is a
    /// superuser; both databases have one connection, so only the chat database has the note.
    public func examine(_ path: String) -> FileExamination {
        let found = try? pair().read { chat, agent in
            let name = try database(at: path)
            let size = try PostgresFacts.size(in: name == .chat ? chat : agent)
            return (size, name == .chat ? try PostgresFacts.isSuperuser(in: chat) : false)
        }
        guard let (size, isSuperuser) = found else { return FileExamination(problem: nil, bytes: 0) }
        let note = "the role of the connection is a superuser, whose rights the server checks in neither database"
        return FileExamination(problem: nil, bytes: size.total, notes: isSuperuser ? [note] : [])
    }

    /// The programs that write the store now, by the process numbers of the server.
    public func holders(of path: String) -> [FileHolder]? { try? pair().lockHolders() }

    /// False: the server lets several programs use a database.
    public func isOpenInAnotherProcess(_ path: String) -> Bool { false }
}

extension StoreError {
    /// Runs `body`, which throws errors of the seam alone.
    static func mapped<T>(_ body: () throws -> T) throws(StoreError) -> T {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.other, "unexpected failure (\(type(of: error)))")
        }
    }
}
