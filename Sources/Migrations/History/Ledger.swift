import ChatDBEngine

/// The table `migrations`: the migrations applied to a database, and the SQL that undoes them.
/// Rule: docs/migrations.md, "What the database records".
enum Ledger {
    /// chatdb's internal tables. Migrations must not change them, and schema comparisons ignore them.
    static let tables: Set<String> = ["migrations", "store"]

    /// Creates both tables.
    static func create(in transaction: any WriteTransaction) throws(StoreError) {
        try transaction.run(
            "CREATE TABLE migrations(name TEXT PRIMARY KEY, ts TEXT NOT NULL, down TEXT, checksum TEXT) STRICT")
        try transaction.run("CREATE TABLE store(store_id TEXT NOT NULL, generation INTEGER NOT NULL) STRICT")
    }

    /// The applied migrations, sorted by name; empty for a database without a ledger. Also reads a ledger without
    /// checksums, as SimpleX Chat has it.
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

    /// Records that a migration was applied now.
    static func add(_ migration: Migration, in transaction: any WriteTransaction) throws(StoreError) {
        try transaction.run(
            """
            INSERT INTO migrations(name, ts, down, checksum)
            VALUES (\(migration.name), \(transaction.dialect.now), \(migration.down?.text), \(migration.checksum))
            """)
    }

    /// Removes a migration that was undone.
    static func remove(_ name: String, in transaction: any WriteTransaction) throws(StoreError) {
        try transaction.run("DELETE FROM migrations WHERE name = \(name)")
    }
}

/// A migration in the ledger of a database.
public struct LedgerEntry: Sendable, Hashable {
    /// The migration's name.
    public let name: String
    /// The time when it was applied, stored text in UTC.
    public let appliedAt: String
    /// The SQL that undoes it, stored for builds that do not have the migration; nil when nothing can undo it.
    public let down: String?
    /// The checksum of the applied up text; nil in a ledger without checksums.
    public let checksum: String?

    /// An entry of a ledger.
    public init(name: String, appliedAt: String, down: String?, checksum: String?) {
        self.name = name
        self.appliedAt = appliedAt
        self.down = down
        self.checksum = checksum
    }
}
