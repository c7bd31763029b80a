import ChatDBEngine
import ChatDBSchema

/// Watches that a migration loses no rows: counts a table before the first statement that writes it, and again when the
/// migration is through. Tables are followed through renames, and columns too.
struct RowCounts {
    private let connection: any MigrationConnection
    private let atBeginning: Renames.Columns
    /// What was there before the ALTER TABLE that is running.
    private var beforeAlter: Renames.Columns = [:]
    private var counts: [String: Int] = [:]
    /// Names that are other ones now.
    private(set) var renames: Renames

    init(_ connection: any MigrationConnection) throws {
        self.connection = connection
        atBeginning = try connection.columns()
        renames = Renames(of: Set(atBeginning.keys))
    }

    /// Before a statement runs.
    mutating func note(_ effect: StatementEffect) throws {
        for table in effect.written.union(effect.altered) {
            let original = renames.original(of: table)
            guard atBeginning[original] != nil, counts[original] == nil else { continue }
            counts[original] = try connection.rowCount(of: table)
        }
        if !effect.altered.isEmpty { beforeAlter = try connection.columns() }
    }

    /// After a statement has run.
    mutating func follow(_ effect: StatementEffect) throws {
        if !effect.altered.isEmpty { renames.follow(from: beforeAlter, to: try connection.columns()) }
    }

    /// Throws when a table has fewer rows than before.
    func check(_ database: DatabaseName, migration: String) throws {
        let now = try connection.ordinaryTables()
        for (table, before) in counts.sorted(by: { $0.key < $1.key }) where before > 0 {
            let name = renames.name(of: table, among: now)
            let after = now.contains(name) ? try connection.rowCount(of: name) : 0
            if after < before {
                throw MigrationError.lostRows(
                    database, migration: migration, table: table, before: before, after: after)
            }
        }
    }

    /// How many rows the tables that are still there have less than before, under the names from before.
    func deleted() throws -> [String: Int] {
        let now = try connection.ordinaryTables()
        var deleted: [String: Int] = [:]
        for (table, before) in counts where before > 0 {
            let name = renames.name(of: table, among: now)
            guard now.contains(name) else { continue }
            let after = try connection.rowCount(of: name)
            if after < before { deleted[table] = before - after }
        }
        return deleted
    }

    /// A column, with its table, that a table with rows in it has lost; nil when none has.
    func lostColumn() throws -> (table: String, column: String)? {
        let now = try connection.columns()
        for (table, columns) in atBeginning.sorted(by: { $0.key < $1.key }) where counts[table] != nil {
            let name = renames.name(of: table, among: now.keys)
            guard let left = now[name] else { continue }
            let lost = columns.filter { !left.contains(renames.name(of: $0, in: table, among: left)) }
            if let column = lost.first, try connection.rowCount(of: name) > 0 { return (table, column) }
        }
        return nil
    }

    /// Tables this migration wrote, those that it made among them.
    func touched() throws -> Set<String> {
        Set(counts.keys).union(try connection.ordinaryTables().filter { atBeginning[$0] == nil })
    }
}
