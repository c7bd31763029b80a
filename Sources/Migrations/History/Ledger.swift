import ChatDBEngine

/// The table `migrations`: the migrations applied to a database, and the SQL that undoes them.
/// Rule: docs/migrations.md, "What the database records".
package enum Ledger {
    /// chatdb's internal tables. Migrations must not change them, and schema comparisons ignore them.
    package static let tables: Set<String> = ["migrations", "store"]

    /// The note of a migration that was not run: the database had its schema when it was adopted.
    package static let adopted = "adopted"

    /// The end of the note of a migration whose file was edited after it was applied, and accepted.
    fileprivate static let accepted = "edited, accepted"

    /// Creates both tables.
    static func create(in transaction: any WriteTransaction) throws(StoreError) {
        let dialect = transaction.dialect
        try transaction.run(
            """
            CREATE TABLE migrations(name TEXT PRIMARY KEY, ts TEXT NOT NULL, down TEXT, checksum TEXT, note TEXT)\
            \(dialect.strict)
            """)
        try transaction.run(
            "CREATE TABLE store(store_id TEXT NOT NULL, generation \(dialect.wholeNumber) NOT NULL)\(dialect.strict)")
    }

    /// The applied migrations, sorted by name; empty for a database without a ledger. Also reads a ledger without
    /// checksums, as SimpleX Chat has it.
    static func entries(in transaction: any ReadTransaction) throws(StoreError) -> [LedgerEntry] {
        guard try transaction.first(transaction.dialect.tableExists("migrations")) != nil else { return [] }
        let rows = try transaction.rows("SELECT * FROM migrations")
        // Otherwise it is a table of another program with the same name.
        guard let names = rows.first?.columns.names, names.contains("name"), names.contains("ts") else { return [] }
        let places = try places(in: transaction)
        var entries: [LedgerEntry] = []
        for row in rows {
            let name: String = try row.get("name")
            entries.append(
                LedgerEntry(
                    name: name, appliedAt: try row.get("ts"),
                    down: names.contains("down") ? try row.get("down") : nil,
                    checksum: names.contains("checksum") ? try row.get("checksum") : nil,
                    note: names.contains("note") ? try row.get("note") : nil, place: places[name] ?? 0))
        }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The place of each migration in the order in which they were applied, which is the order of the rows. Empty for a
    /// table of another program without an order of its own.
    private static func places(in transaction: any ReadTransaction) throws(StoreError) -> [String: Int] {
        do throws(StoreError) {
            var places: [String: Int] = [:]
            for row in try transaction.rows(
                "SELECT name FROM migrations ORDER BY \(transaction.dialect.rowOrder ?? "ts, name")")
            {
                places[try row.get("name")] = places.count
            }
            return places
        } catch {
            guard error.kind == .sql else { throw error }
            return [:]
        }
    }

    /// Records that a migration was applied now.
    /// - Parameter note: what was unusual about it; nil for nothing.
    static func add(
        _ migration: Migration, note: String? = nil, in transaction: any WriteTransaction
    ) throws(StoreError) {
        try transaction.run(
            """
            INSERT INTO migrations(name, ts, down, checksum)
            VALUES (\(migration.name), \(transaction.dialect.now), \(migration.down?.text), \(migration.checksum))
            """)
        if let note { try set(note: note, of: migration.name, in: transaction) }
    }

    /// Writes an entry again that was removed.
    static func add(_ entry: LedgerEntry, in transaction: any WriteTransaction) throws(StoreError) {
        try transaction.run(
            """
            INSERT INTO migrations(name, ts, down, checksum)
            VALUES (\(entry.name), \(entry.appliedAt), \(entry.down), \(entry.checksum))
            """)
        if let note = entry.note { try set(note: note, of: entry.name, in: transaction) }
    }

    /// Writes the note of a migration. A ledger of an earlier chatdb has no such column yet.
    static func set(note: String, of name: String, in transaction: any WriteTransaction) throws(StoreError) {
        let row = try transaction.first("SELECT * FROM migrations WHERE name = \(name)")
        if row?.columns.names.contains("note") == false {
            try transaction.run("ALTER TABLE migrations ADD COLUMN note TEXT")
        }
        try transaction.run("UPDATE migrations SET note = \(note) WHERE name = \(name)")
    }

    /// Records that the edited file of a migration was accepted. An edit of the down file alone gets no note: the schema
    /// is still what the up file makes.
    /// - Parameter down: the down SQL of the file; nil keeps that of the ledger.
    static func accept(
        _ name: String, checksum: String, down: String?, in transaction: any WriteTransaction
    ) throws(StoreError) {
        let old = try entries(in: transaction).first { $0.name == name }
        try transaction.run(
            "UPDATE migrations SET checksum = \(checksum), down = coalesce(\(down), down) WHERE name = \(name)")
        if old?.checksum == checksum || old?.isAcceptedEdit == true { return }
        try set(note: old?.note.map { "\($0); \(accepted)" } ?? accepted, of: name, in: transaction)
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
    /// What was unusual about it: adopted as it was, applied out of order, or edited later, with the reason. Nil for
    /// nothing, and in a ledger without notes.
    public let note: String?
    /// Its place in the order in which the migrations were applied, from 0; 0 for all when the order is not known.
    public let place: Int

    /// An entry of a ledger.
    public init(
        name: String, appliedAt: String, down: String?, checksum: String?, note: String? = nil, place: Int = 0
    ) {
        self.name = name
        self.appliedAt = appliedAt
        self.down = down
        self.checksum = checksum
        self.note = note
        self.place = place
    }
}

extension LedgerEntry {
    /// Whether its file was edited after it was applied, and accepted: the schema need not be what the file makes.
    package var isAcceptedEdit: Bool { note?.hasSuffix(Ledger.accepted) ?? false }

    /// The entry after its edited file was accepted.
    func accepting(checksum: String, down: String?) -> LedgerEntry {
        LedgerEntry(
            name: name, appliedAt: appliedAt, down: down ?? self.down, checksum: checksum, note: note, place: place)
    }
}

extension [LedgerEntry] {
    /// With entries that were applied after these; sorted by name.
    func adding(_ others: [LedgerEntry]) -> [LedgerEntry] {
        let next = (map(\.place).max() ?? -1) + 1
        let later = others.enumerated().map { index, entry in
            LedgerEntry(
                name: entry.name, appliedAt: entry.appliedAt, down: entry.down, checksum: entry.checksum,
                note: entry.note, place: next + index)
        }
        return (self + later).sorted { $0.name < $1.name }
    }

    /// The names in the order in which the migrations were applied. It is not the order of the names if a run has
    /// applied some out of order.
    var namesAsApplied: [String] { sorted { ($0.place, $0.name) < ($1.place, $1.name) }.map(\.name) }
}
