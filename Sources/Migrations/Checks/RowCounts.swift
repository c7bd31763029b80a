import ChatDBEngine
import ChatDBSchema

/// Checks that a migration loses no rows: counts a table before the first statement that writes it, and again at the
/// end of the migration. Follows tables and columns through renames.
struct RowCounts {
    private let connection: any MigrationConnection
    private let atBeginning: Renames.Columns
    /// The tables and columns before the current ALTER TABLE.
    private var beforeAlter: Renames.Columns = [:]
    private var counts: [String: Int] = [:]
    /// The columns before and after each ALTER TABLE.
    private(set) var alterations: [(before: Renames.Columns, after: Renames.Columns)] = []
    /// The renames so far.
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
        if effect.altered.isEmpty { return }
        let after = try connection.columns()
        renames.follow(from: beforeAlter, to: after)
        alterations.append((beforeAlter, after))
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

    /// The lost rows by table, under the names from before the migration: the rows that the remaining tables have less,
    /// and the rows of the dropped tables.
    func lost() throws -> (shorter: [String: Int], gone: [String: Int]) {
        let now = try connection.ordinaryTables()
        var (shorter, gone): ([String: Int], [String: Int]) = ([:], [:])
        for (table, before) in counts where before > 0 {
            let name = renames.name(of: table, among: now)
            guard now.contains(name) else {
                gone[table] = before
                continue
            }
            let after = try connection.rowCount(of: name)
            if after < before { shorter[table] = before - after }
        }
        return (shorter, gone)
    }

    /// The rows of a table before the first statement that writes it, by its name from before the migration; 0 for one
    /// that the migration does not write.
    func rows(before table: String) -> Int { counts[table] ?? 0 }

    /// The columns that tables with rows have lost, with their tables, under the names from before the migration.
    func lostColumns() throws -> [(table: String, column: String)] {
        let now = try connection.columns()
        var lost: [(String, String)] = []
        for (table, columns) in atBeginning.sorted(by: { $0.key < $1.key }) where counts[table] != nil {
            let name = renames.name(of: table, among: now.keys)
            guard let left = now[name] else { continue }
            let gone = columns.filter { !left.contains(renames.name(of: $0, in: table, among: left)) }
            if !gone.isEmpty, try connection.rowCount(of: name) > 0 { lost += gone.map { (table, $0) } }
        }
        return lost
    }

    /// Tables that this migration wrote, including those that it created.
    func touched() throws -> Set<String> {
        Set(counts.keys).union(try connection.ordinaryTables().filter { atBeginning[$0] == nil })
    }
}
