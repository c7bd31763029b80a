import ChatDBEngine
import ChatDBSchema

/// A schema that a run of migrations changes.
final class PostgresMigrationConnection: MigrationConnection {
    /// Whether the schema is to be made.
    enum Start {
        case existing
        case creating
        /// A schema for the schema of a version, which is never committed.
        case scratch
    }

    private let run: PostgresRun
    let schema: String
    private let name: DatabaseName
    private let start: Start
    var session: PostgresSession { run.session }

    init(_ run: PostgresRun, schema: String, of name: DatabaseName, _ start: Start) {
        self.run = run
        self.schema = schema
        self.name = name
        self.start = start
    }

    deinit { close() }

    var dialect: Dialect { .postgres }
    var isInTransaction: Bool { run.isOpen(schema) }
    var interrupt: @Sendable () -> Void { session.interrupt }

    func transaction() throws(StoreError) -> PostgresTransaction { try session.transaction(name) }

    func begin() throws(StoreError) {
        try run.begin(schema)
        switch start {
        case .existing: _ = try PostgresFacts.schema(in: transaction())
        case .creating: try createSchema()
        case .scratch: try command("CREATE SCHEMA \(SQLName.quoted(schema))")
        }
    }

    /// Makes the schema, unless someone with the right to do that has made an empty one.
    private func createSchema() throws(StoreError) {
        let found = try transaction().first(
            """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_class WHERE relnamespace = pg_namespace.oid)::int AS is_used,
                (EXISTS (SELECT FROM pg_catalog.pg_proc WHERE pronamespace = pg_namespace.oid)
                    OR EXISTS (SELECT FROM pg_catalog.pg_type WHERE typnamespace = pg_namespace.oid)
                    OR EXISTS (SELECT FROM pg_catalog.pg_operator WHERE oprnamespace = pg_namespace.oid))::int
                    AS is_strange
            FROM pg_catalog.pg_namespace WHERE nspname = \(schema)
            """)
        guard let found else { return try command("CREATE SCHEMA \(SQLName.quoted(schema))") }
        if try found.get("is_used") as Int64 == 1 {
            throw StoreError(.inUse, "another program has made the schema \(schema) meanwhile")
        }
        // Without tables it counts as empty before. A function in it could stand for one of the server's.
        if try found.get("is_strange") as Int64 == 1 {
            throw StoreError(
                .notADatabase, "the schema \(schema) has functions, types or operators of another program")
        }
    }

    func commit() throws(StoreError) { try run.commit(schema) }

    func rollback() { run.rollback() }

    func close() {
        if run.isOpen(schema) { run.rollback() }
    }

    // MARK: Statements

    func rows(_ query: Query) throws(StoreError) -> [ResultRow] { try transaction().rows(query) }

    func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws { try transaction().forEach(query, body) }

    @discardableResult
    func run(_ query: Query) throws(StoreError) -> Int { try transaction().run(query) }

    /// Runs a statement that is not prepared: it runs once.
    func command(_ sql: String) throws(StoreError) {
        _ = try session.execute(sql, [], in: schema, once: true)
    }

    /// Only the server knows what a statement touches, and only afterwards: functions and triggers write too. So a
    /// statement that can change rows is said to write every table.
    func execute(
        statement: String, rebuild: Bool, protected: Set<String>, progress: ((_ steps: Int64) -> Void)?,
        before: (StatementEffect) throws -> Void
    ) throws {
        var effect = StatementEffect()
        if Self.mayChangeRows(statement) {
            effect.written = try PostgresFacts.ordinaryTables(in: transaction()).subtracting(protected)
            effect.altered = effect.written
        }
        try before(effect)
        let kept = try contents(of: protected)
        try command(statement)
        try run.requireSameTransaction()
        guard try contents(of: protected) == kept else {
            throw StoreError(.denied, "the statement changes a table of chatdb's own")
        }
    }

    /// A statement that begins with CREATE or COMMENT makes or describes objects. One that makes a table of a query's
    /// rows changes no other.
    private static func mayChangeRows(_ statement: String) -> Bool {
        let word = statement.prefix { $0.isLetter }.uppercased()
        return word != "CREATE" && word != "COMMENT"
    }

    /// The contents of chatdb's own tables, with their names, as one text; without those that do not exist.
    private func contents(of tables: Set<String>) throws(StoreError) -> String? {
        let existing = try PostgresFacts.existing(tables, in: transaction())
        guard !existing.isEmpty else { return nil }
        let parts = existing.map { table -> Query in
            """
            \(table) || coalesce((SELECT md5(string_agg(own::text, ' ' ORDER BY own::text))
                FROM \(identifier: schema).\(identifier: table) AS own), '')
            """
        }
        return try first("SELECT \(Query.joined(parts, by: " || ' ' || ")) AS contents")?.get("contents")
    }

    // MARK: Facts

    func applicationMark() throws(StoreError) -> Int64? { try PostgresMark.read(in: transaction()) }

    func setApplicationMark(_ mark: Int64) throws(StoreError) { try command(PostgresMark.setting(mark, of: schema)) }

    func structure() throws(StoreError) -> DatabaseStructure { try PostgresStructure.read(in: transaction()) }

    func integrityProblems() throws(StoreError) -> [String] { try PostgresFacts.integrityProblems(in: transaction()) }

    /// None: the server keeps what a view or the condition of a trigger needs. It does not read the bodies of functions.
    func brokenDefinitions() throws(StoreError) -> [BrokenDefinition] { [] }

    func brokenReferences() throws(StoreError) -> [BrokenReference] { [] }

    func danglingReferences(touching tables: Set<String>?) throws(StoreError) -> [DanglingReference: Int] {
        try StoreError.mapped {
            try PostgresFacts.danglingReferences(touching: tables, everyConstraint: false, in: transaction())
        }
    }

    func ordinaryTables() throws(StoreError) -> Set<String> {
        let isOwn = try beginAfterCommit()
        defer { if isOwn { session.rollback() } }
        return try PostgresFacts.ordinaryTables(in: transaction())
    }

    func columns() throws(StoreError) -> [String: [String]] { try PostgresFacts.columns(in: transaction()) }

    func rowCount(of table: String) throws(StoreError) -> Int {
        try PostgresFacts.rowCount(of: table, in: transaction())
    }

    func bytes(of tables: Set<String>) throws(StoreError) -> Int64 {
        try PostgresFacts.bytes(of: tables, in: transaction())
    }

    func size() throws(StoreError) -> (total: Int64, free: Int64) {
        let isOwn = try beginAfterCommit()
        defer { if isOwn { session.rollback() } }
        let transaction = try transaction()
        return try PostgresFacts.size(in: transaction)
    }

    func refreshStatistics(of tables: Set<String>) throws(StoreError) {
        for table in tables.sorted() { try command("ANALYZE \(SQLName.quoted(schema)).\(SQLName.quoted(table))") }
    }

    /// Begins a transaction for one question if that of the run is committed. Returns whether it did.
    private func beginAfterCommit() throws(StoreError) -> Bool {
        guard session.isIdle else { return false }
        try session.begin(.reading)
        return true
    }

    /// The lock of ``begin()`` stops only chatdb, and another program may write with `psql`: all tables are locked too.
    func holdForMove(waiting seconds: Double) throws(StoreError) {
        try session.removeTimeLimits()
        try requireRightToMark()
        try session.lock(PostgresFacts.tableNames(in: transaction()), in: schema, timeout: seconds)
    }

    /// Throws `accessDenied` if the role could not write the mark. Without this, a copy would find that out at its end.
    private func requireRightToMark() throws(StoreError) {
        let found = try first(
            """
            SELECT pg_catalog.pg_has_role(relowner, 'USAGE') AS is_owner,
                pg_catalog.has_table_privilege(oid, 'UPDATE') AS may_update,
                EXISTS (SELECT FROM pg_catalog.pg_attribute WHERE attrelid = pg_class.oid AND attname = 'moved_to'
                    AND NOT attisdropped) AS has_column
            FROM pg_catalog.pg_class WHERE relnamespace = \(PostgresCatalog.schema) AND relname = 'store'
            """)
        guard let found else { return }
        let (hasColumn, mayUpdate): (Bool, Bool) = (try found.get("has_column"), try found.get("may_update"))
        let isOwner: Bool = try found.get("is_owner")
        let mayMark = hasColumn ? mayUpdate : isOwner
        if mayMark { return }
        throw StoreError(
            .accessDenied,
            "the role \(hasColumn ? "may not update" : "is not the owner of") the table \(schema).store, in which the "
                + "copy of a store that moves leaves a mark")
    }

    /// Throws `denied`: a server has its own means to back up a database.
    func backUp(to path: String, progress: (Double) throws -> Void) throws {
        throw StoreError(.denied, "chatdb copies only files")
    }
}

/// The mark that says which program made a schema: the number that a database of files has in its header, in the
/// comment of the schema.
enum PostgresMark {
    private static let words = "chatdb "

    /// The mark of the present schema; nil without one.
    static func read(in transaction: any ReadTransaction) throws(StoreError) -> Int64? {
        let row = try transaction.first(
            "SELECT pg_catalog.obj_description(\(PostgresCatalog.schema), 'pg_namespace') AS comment")
        guard let comment: String = try row?.get("comment"), comment.hasPrefix(words) else { return nil }
        return Int64(comment.dropFirst(words.utf8.count))
    }

    /// The statement that sets the mark.
    static func setting(_ mark: Int64, of schema: String) -> String {
        "COMMENT ON SCHEMA \(SQLName.quoted(schema)) IS '\(words)\(mark)'"
    }
}
