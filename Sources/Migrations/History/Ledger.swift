import ChatDBEngine

/// The table `migrations`: what was applied to a database, and how to undo it.
/// Rule: docs/migrations.md, "What the database records".
enum Ledger {
    /// The engine's own tables, which no migration may touch and no comparison of schemas looks at.
    static let tables: Set<String> = ["migrations", "store"]

    /// Makes both tables.
    static func create(in transaction: any WriteTransaction) throws(StoreError) {
        try transaction.run(
            "CREATE TABLE migrations(name TEXT PRIMARY KEY, ts TEXT NOT NULL, down TEXT, checksum TEXT) STRICT")
        try transaction.run("CREATE TABLE store(store_id TEXT NOT NULL, generation INTEGER NOT NULL) STRICT")
    }

    /// What was applied, by name; empty for a database without a ledger. A ledger without checksums (that of SimpleX
    /// Chat) is read too.
    static func entries(in transaction: any ReadTransaction) throws(StoreError) -> [LedgerEntry] {
        guard try transaction.first(transaction.dialect.tableExists("migrations")) != nil else { return [] }
        var entries: [LedgerEntry] = []
        for row in try transaction.rows("SELECT * FROM migrations ORDER BY name") {
            let hasChecksum = row.columns.names.contains("checksum")
            let hasDown = row.columns.names.contains("down")
            entries.append(
                LedgerEntry(
                    name: try row.get("name"), appliedAt: try row.get("ts"),
                    down: hasDown ? try row.get("down") : nil, checksum: hasChecksum ? try row.get("checksum") : nil))
        }
        return entries
    }

    /// Notes that a migration was applied now.
    static func add(_ migration: Migration, in transaction: any WriteTransaction) throws(StoreError) {
        try transaction.run(
            """
            INSERT INTO migrations(name, ts, down, checksum)
            VALUES (\(migration.name), \(transaction.dialect.now), \(migration.down?.text), \(migration.checksum))
            """)
    }

    /// Forgets a migration that was undone.
    static func remove(_ name: String, in transaction: any WriteTransaction) throws(StoreError) {
        try transaction.run("DELETE FROM migrations WHERE name = \(name)")
    }
}

/// A migration as a database remembers it.
public struct LedgerEntry: Sendable, Hashable {
    /// The migration's name.
    public let name: String
    /// When it was applied, stored text in UTC.
    public let appliedAt: String
    /// The SQL that undoes it, kept so that a build which has never seen the migration can; nil when nothing can.
    public let down: String?
    /// The checksum of the up text that was run; nil in a ledger that keeps none.
    public let checksum: String?

    /// An entry of a ledger.
    public init(name: String, appliedAt: String, down: String?, checksum: String?) {
        self.name = name
        self.appliedAt = appliedAt
        self.down = down
        self.checksum = checksum
    }
}
