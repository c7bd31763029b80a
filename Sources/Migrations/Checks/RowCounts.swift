import Engine
import Schema

/// Watches that a migration loses no rows: counts a table before the first statement that writes it, and again when the
/// migration is through. Tables are followed through renames.
struct RowCounts {
    private let connection: any MigrationConnection
    private let atBeginning: Set<String>
    private var tables: Set<String>
    private var counts: [String: Int] = [:]
    /// The name now of a table that had another at the beginning.
    private var renamed: [String: String] = [:]

    init(_ connection: any MigrationConnection) throws {
        self.connection = connection
        tables = try connection.ordinaryTables()
        atBeginning = tables
    }

    /// Before a statement runs.
    mutating func note(_ effect: StatementEffect) throws {
        for table in effect.written.union(effect.altered) {
            let original = renamed.first { $0.value == table }?.key ?? table
            guard atBeginning.contains(original), counts[original] == nil, tables.contains(table) else { continue }
            counts[original] = try connection.rowCount(of: table)
        }
    }

    /// After a statement has run.
    mutating func follow(_ effect: StatementEffect) throws {
        guard !effect.altered.isEmpty else { return }
        let now = try connection.ordinaryTables()
        if let gone = tables.subtracting(now).first, let new = now.subtracting(tables).first {
            let original = renamed.first { $0.value == gone }?.key ?? gone
            if atBeginning.contains(original) { renamed[original] = new }
        }
        tables = now
    }

    /// Throws when a table has fewer rows than before.
    func check(_ database: DatabaseName, migration: String) throws {
        let now = try connection.ordinaryTables()
        for (table, before) in counts.sorted(by: { $0.key < $1.key }) where before > 0 {
            let name = name(of: table, now)
            let after = now.contains(name) ? try connection.rowCount(of: name) : 0
            if after < before {
                throw MigrationError.lostRows(
                    database, migration: migration, table: table, before: before, after: after)
            }
        }
    }

    /// A table made anew under the old name stands for the old one; otherwise the renamed one does.
    private func name(of table: String, _ now: Set<String>) -> String {
        now.contains(table) ? table : renamed[table] ?? table
    }

    /// References found before this migration, under the names their tables have after it.
    func renaming(_ references: Set<DanglingReference>) throws -> Set<DanglingReference> {
        if references.isEmpty || renamed.isEmpty { return references }
        let now = try connection.ordinaryTables()
        return Set(
            references.map { reference in
                DanglingReference(
                    table: name(of: reference.table, now), row: reference.row,
                    parent: name(of: reference.parent, now), columns: reference.columns)
            })
    }

    /// Tables this migration wrote, those that it made among them.
    func touched() throws -> Set<String> {
        Set(counts.keys).union(try connection.ordinaryTables().subtracting(atBeginning))
    }
}
