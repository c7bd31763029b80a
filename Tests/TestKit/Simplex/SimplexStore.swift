package import ChatDBKit

/// A store as SimpleX Chat leaves it: two databases in rollback mode with tables, ledger and rows of one version.
package struct SimplexStore {
    /// The dates of the chat and the agent schema.
    package struct Version: Sendable, CustomStringConvertible {
        package let chat: String
        package let agent: String
        /// Migrations that a store of these dates may lack and be current. Their tables are missing too.
        package let lacking: Set<String>

        package init(chat: String, agent: String, lacking: Set<String> = []) {
            (self.chat, self.agent, self.lacking) = (chat, agent, lacking)
        }

        /// Tables of earlier versions are not STRICT and have bytes in columns of text.
        package var isStrict: Bool { chat >= "20251230" }
        package var hasRelays: Bool { chat >= "20260222" }
        package var hasServerRoles: Bool { chat >= "20260720" }
        package var hasBadges: Bool { chat >= "20260924" }
        package var description: String {
            "chat \(chat), agent \(agent)" + lacking.sorted().map { " without \($0)" }.joined()
        }

        /// The names of the applied migrations, in their order.
        package func migrations(of database: DatabaseName) throws -> [String] {
            let date = database == .chat ? chat : agent
            return try SimplexSchema.known.get().migrations(of: database, to: date).filter { !lacking.contains($0) }
        }

        /// The tables.
        package func tables(of database: DatabaseName) throws -> [String: SimplexSchema.Table] {
            let date = database == .chat ? chat : agent
            return try SimplexSchema.known.get().tables(of: database, at: date).filter { name, _ in
                !lacking.contains { $0.dropFirst("20260924_".count) == name }
            }
        }
    }

    /// Every version that is described, in pairs that existed.
    package static let versions = [
        Version(chat: "20250512", agent: "20250322"), Version(chat: "20250919", agent: "20250322"),
        Version(chat: "20260222", agent: "20260410"), Version(chat: "20260720", agent: "20260410"),
        // The last migration was seen on a branch only.
        Version(chat: "20260924", agent: "20260411", lacking: ["20260924_simplex_names"]),
        Version(chat: "20260924", agent: "20261008"),
    ]

    /// The index of the newest version.
    package static var newestIndex: Int { versions.count - 1 }
    /// The newest version.
    package static var newest: Version { versions[newestIndex] }

    package let folder: TemporaryFolder
    package let location: StoreLocation
    package let version: Version

    /// A store with the rows of `SimplexRows`, named as the app names it unless another prefix is given. These rows
    /// have orphans and gaps, and their tables have no foreign keys; a healthy store has neither.
    package init(
        _ version: Version = newest, in folder: TemporaryFolder? = nil, prefix: String = "simplex_v1",
        isHealthy: Bool = false
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        self.version = version
        location = try StoreLocation(prefix: self.folder.file(prefix))
        try Self.kept.write("\(version), \(isHealthy ? "healthy" : "with gaps")", to: location) {
            for database in DatabaseName.allCases { try make(database, isHealthy: isHealthy) }
        }
    }

    /// Making a store takes hundreds of statements.
    static let kept = KeptStores()

    private func make(_ database: DatabaseName, isHealthy: Bool) throws {
        let connection = try SQLiteEngine().openForMigration(location.path(of: database), creating: true)
        defer { connection.close() }
        func run(_ sql: String) throws { _ = try connection.rows(.unchecked(sql: sql)) }
        try run("PRAGMA journal_mode = DELETE")
        try run("BEGIN")
        let tables = try version.tables(of: database)
        for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
            try run(table.sql(name, among: isHealthy ? tables : nil))
        }
        for (number, name) in try version.migrations(of: database).enumerated() {
            let down = number % 2 == 0 ? "NULL" : "'SELECT 1'"
            try run("INSERT INTO migrations VALUES ('\(name)', '2026-07-20 09:05:00.123456', \(down))")
        }
        for row in SimplexRows(version: version).rows(of: database) {
            if let sql = row.sql(in: tables) { try run(sql) }
        }
        if isHealthy { for sql in SimplexRows.remedies(of: database, in: tables) { try run(sql) } }
        for sql in SimplexTriggers.statements(of: database, at: version) { try run(sql) }
        try run("COMMIT")
    }

    /// Runs SQL as the app would.
    package func execute(_ statements: String..., in database: DatabaseName = .chat) throws {
        let connection = try SQLiteEngine().openForMigration(location.path(of: database), creating: false)
        defer { connection.close() }
        for statement in statements { _ = try connection.rows(.unchecked(sql: statement)) }
    }
}
