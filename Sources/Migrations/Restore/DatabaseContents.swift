import ChatDBEngine
public import ChatDBSchema

/// The content of a table, as needed to see which copy is newer.
public struct TableFacts: Sendable, Hashable {
    /// The number of its rows.
    public let rows: Int
    /// The latest time in the column with the time of change or creation; nil without such a column, without rows, and
    /// for a value that is not a time.
    public let latest: StoredTime?
}

/// The facts and content of a database of a store or backup. It is read as an untrusted file: no SQL in it runs.
struct DatabaseContents: Hashable {
    let found: FoundDatabase
    let tables: [String: TableFacts]

    init(_ database: DatabaseName, at path: String, in context: StoreContext) throws {
        let (engine, cancellation) = (context.engine, context.cancellation)
        let build = context.build[database] ?? []
        let connection = try engine.open(path, as: .untrusted)
        defer { try? connection.close() }
        let structure = try connection.structure()
        found = try FoundDatabase(database, at: path, build: build, on: connection)
        tables = try cancellation.whileRegistered(connection.interrupt) {
            try connection.read { transaction in
                var tables: [String: TableFacts] = [:]
                for (name, table) in structure.tables where table.virtualDefinition == nil {
                    if Ledger.tables.contains(name) { continue }
                    tables[name] = try Self.facts(of: name, table, in: transaction)
                }
                return tables
            }
        }
    }

    /// Columns with the time of change or creation, in order of preference.
    private static let timeColumns = ["updated_at", "created_at", "item_ts", "internal_ts", "ts"]

    private static func facts(
        of name: String, _ table: TableStructure, in transaction: any ReadTransaction
    ) throws(StoreError) -> TableFacts {
        let columns = Set(table.columns.map(\.name))
        guard let time = timeColumns.first(where: columns.contains) else {
            return TableFacts(
                rows: try transaction.count("SELECT count(*) FROM \(identifier: name) NOT INDEXED"), latest: nil)
        }
        let row = try transaction.first(
            "SELECT count(*), max(\(identifier: time)) FROM \(identifier: name) NOT INDEXED")
        guard let row, case .integer(let rows)? = row.values.first else { return TableFacts(rows: 0, latest: nil) }
        var latest: StoredTime?
        if case .text(let text)? = row.values.last { latest = StoredTime(text: text) }
        return TableFacts(rows: Int(rows), latest: latest)
    }
}
