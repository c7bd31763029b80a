import ChatDBKit
import Foundation

/// An old store with rows, in its own folder, for migrations with injected faults.
struct TortureStore {
    /// The journal mode of the databases.
    enum Journal: String, CaseIterable, Sendable {
        case wal = "WAL"
        case delete = "DELETE"
    }

    static let chatVersion = "20250818_chat_tags_and_notes"
    static let agentVersion = "20250814_agent_queue_rotation"

    let folder: URL
    /// The content that must exist after every fault.
    let fingerprint: Fingerprint

    /// Makes the store; `items` is the number of messages.
    init(journal: Journal, items: Int) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("chatdb-torture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let location = try StoreLocation(prefix: folder.path + "/x")
        var options = MigrationOptions()
        options.target = .up(to: Self.chatVersion)
        _ = try Migrator(
            engine: SQLiteEngine(), location: location, build: try MigrationSource.build.load(), options: options
        ).run()
        for database in DatabaseName.allCases {
            let connection = try SQLiteEngine().openForMigration(location.path(of: database), creating: false)
            if database == .chat { try Self.fillChat(connection, items: items) } else { try Self.fillAgent(connection) }
            _ = try connection.rows(.unchecked(sql: "PRAGMA journal_mode = \(journal.rawValue)"))
            connection.close()
        }
        fingerprint = try Fingerprint(location)
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    private static func fillChat(_ chat: any MigrationConnection, items: Int) throws {
        try chat.begin()
        for user in 1...2 {
            for statement in [
                "INSERT INTO users (user_id, agent_user_id, contact_id, local_display_name, active_user) "
                    + "VALUES (\(user), \(user), \(user), 'me\(user)', \(user == 1 ? 1 : 0))",
                "INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (\(user), 'me\(user)', 'me')",
                "INSERT INTO contact_profiles (contact_profile_id, user_id, display_name) VALUES (\(user), \(user), 'me')",
                "INSERT INTO contacts (contact_id, user_id, contact_profile_id, local_display_name, is_user) "
                    + "VALUES (\(user), \(user), \(user), 'me\(user)', 1)",
            ] { try chat.run(.unchecked(sql: statement)) }
        }
        // Text of all kinds: with a NUL byte, with bytes that are not UTF-8, empty, and long.
        try chat.run(
            .unchecked(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(items))
                    INSERT INTO chat_items
                        (user_id, contact_id, item_sent, item_ts, item_status, item_content, item_text)
                    SELECT i % 2 + 1, i % 2 + 1, i % 2, '2025-09-01 10:00:00.000', 'rcv_read', '{}',
                        CASE i % 4 WHEN 0 THEN 'a' || char(0) || 'b' WHEN 1 THEN CAST(x'61ff62' AS TEXT)
                            WHEN 2 THEN '' ELSE 'word ' || hex(zeroblob(200)) || i END
                    FROM n
                    """))
        try chat.commit()
    }

    private static func fillAgent(_ agent: any MigrationConnection) throws {
        try agent.begin()
        for statement in [
            "INSERT INTO users (user_id) VALUES (1), (2)",
            "INSERT INTO connections (conn_id, user_id, conn_mode) VALUES (x'01', 1, 'INV'), (x'02', 2, 'INV')",
            "INSERT INTO messages (conn_id, internal_id, internal_ts, msg_type, msg_body) "
                + "VALUES (x'01', 1, '2025-09-01 10:00:00.000', 'SENT', zeroblob(3000))",
            "INSERT INTO snd_messages (conn_id, internal_snd_id, internal_id, internal_hash) VALUES (x'01', 1, 1, x'aa')",
        ] { try agent.run(.unchecked(sql: statement)) }
        try agent.commit()
    }
}

/// The versions and content of a store.
struct Fingerprint: Hashable {
    /// The last migration of each database.
    let versions: [DatabaseName: String]
    /// The rows that every version has, as bytes.
    let content: [String]

    /// Reads a store as a support engineer would: at its path or in a recovered copy. Throws when a database is
    /// damaged.
    init(_ location: StoreLocation) throws {
        var versions: [DatabaseName: String] = [:]
        var content: [String] = []
        for database in DatabaseName.allCases {
            let connection = try Self.open(location.path(of: database))
            defer { try? connection.close() }
            if let problem = try connection.integrityProblems().first { throw Damage(what: "\(database): \(problem)") }
            let (version, rows) = try connection.read { transaction in
                (
                    try transaction.first("SELECT max(name) AS name FROM migrations")?.get("name") as String?,
                    try transaction.rows(Self.query(database)).map { "\($0.values)" }
                )
            }
            versions[database] = version ?? "none"
            content += rows
        }
        self.versions = versions
        self.content = content
    }

    /// Other threads start programs meanwhile. Each of them inherits all open files for a moment, and so seems to use a
    /// journal that it does not know.
    private static func open(_ path: String) throws -> any StorageConnection {
        var result = opened(path)
        for _ in 0..<1_000 {
            guard case .failure(let error) = result, error.kind == .inUse else { break }
            result = opened(path)
        }
        return try result.get()
    }

    private static func opened(_ path: String) -> Result<any StorageConnection, StoreError> {
        Result { () throws(StoreError) in try SQLiteEngine().open(path, as: .untrusted) }
    }

    private static func query(_ database: DatabaseName) -> Query {
        switch database {
        case .chat:
            "SELECT chat_item_id, user_id, hex(CAST(item_text AS BLOB)) FROM chat_items ORDER BY chat_item_id"
        case .agent:
            "SELECT hex(conn_id), user_id, conn_mode FROM connections ORDER BY conn_id"
        }
    }
}

/// A violated expectation.
struct Damage: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
}
