import ChatDBEngine
import ChatDBMigrationFiles
import ChatDBSchema

/// The schema of this build's own migrations, as `migrations/newest.json` records it: a digest of its definitions. A
/// database with the same definitions has no drift; chatdb sees this without running the migrations in memory
/// (*measured*: 150 of the 165 ms of `chatdb inspect` on a small store).
///
/// The record can only confirm. A database with other definitions is compared with the schema of the migrations, part
/// by part: equal definitions may be written differently, also by other versions of SQLite. A record of other
/// migrations than the given ones is not used, so an outdated record only makes commands slower; a test fails when it
/// is outdated. `migrations/newest/*.sql` is the whole schema for SQLite, for commands that need its parts.
struct NewestSchema: Hashable {
    /// A digest of the names and checksums of the migrations.
    let migrations: String
    /// A digest of their definitions, including those of the ledger.
    let definitions: String

    /// The build's records of each database, that of SQLite before that of PostgreSQL; without those that cannot be
    /// read.
    static let recorded: [DatabaseName: [NewestSchema]] = {
        guard let text = EmbeddedFiles.all.first(where: { $0.path == "newest.json" })?.content,
            let file = try? JSONValue(parsing: text)
        else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: DatabaseName.allCases.map { database in
                (database, [file, file["postgres"]].compactMap { NewestSchema(json: $0?[database.rawValue]) })
            })
    }()

    private init?(json: JSONValue?) {
        guard let migrations = json?["migrations"]?.stringValue, let definitions = json?["definitions"]?.stringValue
        else { return nil }
        self.init(migrations: migrations, definitions: definitions)
    }

    private init(migrations: String, definitions: String) {
        self.migrations = migrations
        self.definitions = definitions
    }

    /// Whether a database has exactly the definitions that the build records for all of these migrations. False does
    /// not prove a difference.
    static func isConfirmed(
        _ database: DatabaseName, _ migrations: [Migration], in connection: any StorageConnection
    ) throws -> Bool {
        try isConfirmed(database, migrations) { recorded in
            try connection.read { try recorded.definitions == Self.digest(of: $0) }
        }
    }

    /// The same inside a transaction.
    static func isConfirmed(
        _ database: DatabaseName, _ migrations: [Migration], inside transaction: any ReadTransaction
    ) throws -> Bool {
        try isConfirmed(database, migrations) { try $0.definitions == Self.digest(of: transaction) }
    }

    /// The canonical text of the schema after all of these migrations, if the build records it: for its own migrations
    /// of either database for SQLite.
    static func sql(after migrations: [Migration]) -> String? {
        let digest = migrations.digest
        guard let database = recorded.first(where: { $0.value.first?.migrations == digest })?.key else { return nil }
        return EmbeddedFiles.all.first { $0.path == "newest/\(database).sql" }?.content
    }

    private static func isConfirmed(
        _ database: DatabaseName, _ migrations: [Migration], _ compare: (NewestSchema) throws -> Bool
    ) throws -> Bool {
        let digest = migrations.digest
        guard let recorded = recorded[database]?.first(where: { $0.migrations == digest }) else { return false }
        do {
            return try compare(recorded)
        } catch let error as StoreError where error.kind != .interrupted {
            // Reading the structure reports the error.
            return false
        }
    }
}

extension NewestSchema {
    /// Runs the migrations in memory to create the record.
    init(running migrations: [Migration], engine: any StorageEngine) throws {
        let connection = try engine.scratch()
        defer { connection.close() }
        try connection.begin()
        for migration in migrations { try MigrationScripts.run(migration.up, on: connection) }
        try Ledger.create(in: connection)
        self.init(migrations: migrations.digest, definitions: try Self.digest(of: connection))
    }

    /// The text of `migrations/newest.json`.
    /// - Parameters:
    ///   - files: the migrations for files, and their engine.
    ///   - server: those for a server, and an engine of one.
    static func json(
        files: ([DatabaseName: [Migration]], any StorageEngine),
        server: ([DatabaseName: [Migration]], any StorageEngine)
    ) throws -> String {
        let members = try members(files) + [.init("postgres", .object(try self.members(server)))]
        return JSONValue.object(members).text() + "\n"
    }

    private static func members(
        _ part: (build: [DatabaseName: [Migration]], engine: any StorageEngine)
    ) throws -> [JSONValue.Member] {
        try DatabaseName.allCases.map { database in
            let schema = try NewestSchema(running: part.build[database] ?? [], engine: part.engine)
            return JSONValue.Member(
                database.rawValue,
                ["migrations": .string(schema.migrations), "definitions": .string(schema.definitions)])
        }
    }

    private static func digest(of transaction: any ReadTransaction) throws -> String {
        var digest = TextDigest()
        try transaction.forEach(transaction.dialect.definitions) { row in
            for column in ["type", "name", "tbl_name", "sql"] { digest.add(try row.get(column)) }
        }
        return digest.text
    }
}
