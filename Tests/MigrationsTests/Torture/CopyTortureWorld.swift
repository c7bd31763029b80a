import ChatDBKit
import Foundation
import TestKit

/// A store of this build's version in files, and the same store on a server, for copies with injected faults.
struct CopyTortureWorld: Sendable {
    /// The folder with the store `x`. Campaigns copy it.
    let folder: TemporaryFolder
    /// An empty folder.
    let empty: TemporaryFolder
    let postgres: PostgresServer
    /// The database with the store `main`.
    let database: String
    /// The rows and versions of the store in files.
    let fingerprint: Fingerprint

    init() throws {
        (folder, empty) = (try TemporaryFolder(), try TemporaryFolder())
        postgres = try PostgresServer.started()
        database = try postgres.makeDatabase()
        let location = try StoreLocation(prefix: folder.file("x"))
        _ = try Migrator(
            engine: SQLiteEngine(), location: location, build: try MigrationSource.build.load(),
            options: MigrationOptions()
        ).run()
        for (name, statements) in [(DatabaseName.chat, Self.chat), (.agent, Self.agent)] {
            let connection = try SQLiteEngine().openForMigration(location.path(of: name), creating: false)
            defer { connection.close() }
            try connection.begin()
            for statement in statements { try connection.run(.unchecked(sql: statement)) }
            try connection.commit()
        }
        fingerprint = try Fingerprint(location)
        let there = StoreLocation(server: try ServerStore(server(URL(fileURLWithPath: "/"))))
        guard let store = there.server else { throw Damage(what: "the place on the server is none") }
        var options = CopyOptions()
        options.keepsBoth = true
        _ = try StoreCopy(
            from: StoreContext(engine: SQLiteEngine(), location: location, build: try MigrationSource.build.load()),
            to: StoreContext(
                engine: PostgresEngine(store), location: there,
                build: try MigrationSource.build.load(for: .postgres)), options: options
        ).run()
    }

    /// The address of the store on the server.
    var server: @Sendable (URL) -> String {
        { [postgres, database] _ in postgres.uri(database: database) + "&store=main" }
    }

    private static let chat = [
        """
        INSERT INTO users (user_id, agent_user_id, contact_id, local_display_name, active_user)
        VALUES (1, 1, 1, 'me', 1)
        """,
        "INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (1, 'me', 'me')",
        "INSERT INTO contact_profiles (contact_profile_id, user_id, display_name) VALUES (1, 1, 'me')",
        """
        INSERT INTO contacts (contact_id, user_id, contact_profile_id, local_display_name, is_user)
        VALUES (1, 1, 1, 'me', 1)
        """,
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO chat_items (user_id, contact_id, item_sent, item_ts, item_status, item_content, item_text)
        SELECT 1, 1, i % 2, '2026-09-01 10:00:00.000', 'rcv_read', '{}', 'word ' || hex(zeroblob(200)) || i FROM n
        """,
    ]

    private static let agent = [
        "INSERT INTO users (user_id) VALUES (1), (2)",
        "INSERT INTO connections (conn_id, user_id, conn_mode) VALUES (x'01', 1, 'INV'), (x'02', 2, 'INV')",
    ]

    // MARK: Commands

    /// A copy from one place to another one, whose folder each run gives.
    func copy(
        from: @escaping @Sendable (URL) -> String, _ more: String..., to: @escaping @Sendable (URL) -> String
    ) throws -> FaultCommand {
        FaultCommand(try BuiltTool.find()) { folder in
            ["copy", "-d", from(folder), "--to", to(folder), "--format", "json"] + more
        }
    }

    /// The same after some SQL, which psql runs. The operations of the copy count.
    func copy(
        after sql: String, in database: String? = nil, from: @escaping @Sendable (URL) -> String,
        to: @escaping @Sendable (URL) -> String
    ) throws -> FaultCommand {
        let tool = try BuiltTool.find()
        let script = """
            psql -X -q -h "$1" -U postgres -d "$2" -c "$3" > /dev/null 2>&1
            shift 3
            exec "$@"
            """
        let words = [postgres.socketFolder, database ?? self.database, sql, tool.path]
        return FaultCommand(URL(fileURLWithPath: "/bin/sh"), counted: tool.lastPathComponent) { folder in
            ["-c", script, "sh"] + words + ["copy", "-d", from(folder), "--to", to(folder), "--format", "json"]
        }
    }

    /// One run without a fault.
    func run(_ command: FaultCommand, in folder: URL) throws -> FaultOutcome {
        let scratch = folder.deletingLastPathComponent().appendingPathComponent("next")
        return try FaultRun(command, in: folder, scratch: scratch, plan: .count).run()
    }

    // MARK: Checks

    /// What a copy to the files `x` of a folder left: `nothing`, `begun` or `complete`. Throws for anything else.
    func stateOfFiles(_ folder: URL, after fault: FaultCase) throws -> String {
        let location = try StoreLocation(prefix: folder.path + "/x")
        let hasRecord = FileState(at: location.intentPath) != .missing
        let missing = location.missing.count
        if !hasRecord, missing == 1 { throw Damage(what: "half a store without a record") }
        if missing < 2, fault.errors.contains("Nothing was changed.") {
            throw Damage(what: "the run said that nothing was changed")
        }
        if fault.finished, missing > 0 { throw Damage(what: "the run said it was done") }
        if hasRecord { return "begun" }
        if missing > 0 { return "nothing" }
        guard try Fingerprint(location) == fingerprint else { throw Damage(what: "the copy has other rows") }
        return "complete"
    }

    /// Expects the complete store in the files `x` of a folder, and no record.
    func requireWhole(_ folder: URL) throws {
        let location = try StoreLocation(prefix: folder.path + "/x")
        guard FileState(at: location.intentPath) == .missing else { throw Damage(what: "the record is still there") }
        guard try Fingerprint(location) == fingerprint else { throw Damage(what: "the copy has other rows") }
    }

    /// Expects that the next copy refused a store with a mark, completed a copy without one, or made it.
    func requireCompletion(_ outcome: FaultOutcome, isMarked: Bool, isThere: Bool) throws {
        if isMarked {
            guard outcome.termination == .exit(1), outcome.errors.contains("storeMoved") else {
                throw Damage(what: "the next copy of a store with a mark ended with \(outcome.termination)")
            }
            return
        }
        guard outcome.termination == .exit(0) else {
            throw Damage(what: "the next copy ended with \(outcome.termination): \(outcome.errors)")
        }
        if isThere, !outcome.output.contains("\"wasThere\": true") {
            throw Damage(what: "the next copy did not find the complete one")
        }
    }

    /// Whether both databases of the store on the server have the mark; throws if one has.
    func isMarkedOnServer() throws -> Bool {
        let text = try postgres.psql(
            """
            SELECT count(*) FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
                JOIN pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname LIKE 'main\\_%' AND c.relname = 'store' AND a.attname = 'moved_to' AND NOT a.attisdropped
            """, database: database)
        guard text.hasPrefix("0") || text.hasPrefix("2") else { throw Damage(what: "one database has the mark") }
        return text.hasPrefix("2")
    }

    /// `make torture` prints the figures; the suite does not.
    func report(_ name: String, _ summary: FaultSummary) {
        guard FaultSample.isTortured else { return }
        FileHandle.standardOutput.write(Data("\n== \(name)\n\(summary)\n".utf8))
    }
}
