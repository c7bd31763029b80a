public import ChatDBEngine
public import ChatDBSchema

/// The content of a table, as needed to see whether two copies differ, and which one is newer.
public struct TableFacts: Sendable, Hashable {
    /// The number of its rows.
    public let rows: Int
    /// The latest time in the column with the time of change or creation; nil without such a column, without rows, and
    /// for a value that is not a time.
    public let latest: StoredTime?
    /// The hash of its rows, over the columns that both copies have; nil when it is not compared.
    public let content: ContentHash?

    init(rows: Int, latest: StoredTime?, content: ContentHash? = nil) {
        self.rows = rows
        self.latest = latest
        self.content = content
    }
}

/// The columns of tables, without generated ones.
typealias ColumnsOfTables = [String: Set<String>]

/// The facts and content of a database of a store or backup. It is read as an untrusted file: no SQL in it runs.
struct DatabaseContents: Hashable {
    let found: FoundDatabase
    let tables: [String: TableFacts]
    /// The keys of the tables that the other copy has too, and that have keys within the bounds.
    let keys: [String: TableKeys]
    /// Why tables could not be read, by name.
    let unread: [String: StoreError]
    let columns: ColumnsOfTables
    /// When each profile of a chat database of SimpleX Chat was created, by its number; empty for other databases.
    let profiles: Set<String>

    /// - Parameters:
    ///   - other: the columns of the copy to compare with; nil to compare nothing.
    ///   - toleratesDamage: whether a table on a damaged page is left out. Otherwise it is an error.
    init(
        _ database: DatabaseName, at path: String, comparing other: ColumnsOfTables?, toleratesDamage: Bool,
        in context: StoreContext
    ) throws {
        let (engine, cancellation) = (context.engine, context.cancellation)
        let build = context.build[database] ?? []
        let connection = try engine.open(path, as: .untrusted)
        defer { try? connection.close() }
        let structure = try connection.structure()
        found = try FoundDatabase(database, at: path, build: build, on: connection)
        columns = Self.columns(of: structure)
        var tables: [String: TableFacts] = [:]
        var keys: [String: TableKeys] = [:]
        var unread: [String: StoreError] = [:]
        try cancellation.whileRegistered(connection.interrupt) {
            for (name, table) in structure.tables.sorted(by: { $0.key < $1.key }) where table.virtualDefinition == nil {
                if Ledger.tables.contains(name) { continue }
                do {
                    let (facts, keysOfTable) = try Self.facts(of: name, table, comparing: other?[name], in: connection)
                    tables[name] = facts
                    keys[name] = keysOfTable
                } catch let error as StoreError {
                    guard error.kind == .beyondLimits || toleratesDamage && error.kind == .damaged else { throw error }
                    unread[name] = error
                }
            }
        }
        (self.tables, self.keys, self.unread) = (tables, keys, unread)
        profiles = found.kind == .simplex && database == .chat ? try Self.profiles(structure, connection) : []
    }

    /// A store of SimpleX Chat has no id, but the time of a profile has microseconds.
    private static func profiles(
        _ structure: DatabaseStructure, _ connection: any StorageConnection
    ) throws -> Set<String> {
        let columns = Set(structure.tables["users"]?.columns.map(\.name) ?? [])
        guard columns.isSuperset(of: ["user_id", "created_at"]) else { return [] }
        return try connection.read { transaction in
            let rows = try transaction.rows("SELECT user_id, created_at FROM users NOT INDEXED")
            return Set(rows.map { "\($0.values)" })
        }
    }

    private static func columns(of structure: DatabaseStructure) -> ColumnsOfTables {
        structure.tables.mapValues { table in Set(table.columns.filter { $0.generated == nil }.map(\.name)) }
    }

    /// Columns with the time of change or creation, in order of preference.
    private static let timeColumns = ["updated_at", "created_at", "item_ts", "internal_ts", "ts"]

    private static func facts(
        of name: String, _ table: TableStructure, comparing others: Set<String>?, in connection: any StorageConnection
    ) throws -> (TableFacts, TableKeys?) {
        let own = table.columns.filter { $0.generated == nil }.map(\.name)
        let content = try others.map { others in
            try connection.contentHash(of: name, columns: own.filter(others.contains).sorted())
        }
        return try connection.read { transaction in
            let (rows, latest) = try count(name, table, in: transaction)
            let keys = others == nil ? nil : try TableKeys(of: name, table, rows: rows, in: transaction)
            return (TableFacts(rows: rows, latest: latest, content: content), keys)
        }
    }

    /// The number of rows of a table, and its latest time.
    private static func count(
        _ name: String, _ table: TableStructure, in transaction: any ReadTransaction
    ) throws -> (rows: Int, latest: StoredTime?) {
        let columns = Set(table.columns.map(\.name))
        guard let time = timeColumns.first(where: columns.contains) else {
            return (try transaction.count("SELECT count(*) FROM \(identifier: name) NOT INDEXED"), nil)
        }
        let row = try transaction.first(
            "SELECT count(*), max(\(identifier: time)) FROM \(identifier: name) NOT INDEXED")
        guard let row, case .integer(let rows)? = row.values.first else { return (0, nil) }
        guard case .text(let text)? = row.values.last else { return (Int(rows), nil) }
        return (Int(rows), StoredTime(text: text))
    }
}
