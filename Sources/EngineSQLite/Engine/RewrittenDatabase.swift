import ChatDBEngine

/// The file that was made of a database.
struct RewrittenDatabase {
    private let path: String
    private let engine: SQLiteEngine

    /// - Parameter engine: reads the file.
    init(_ path: String, _ engine: SQLiteEngine) {
        (self.path, self.engine) = (path, engine)
    }

    /// Throws unless the file is whole, and has everything that the database has.
    func verify(_ original: any StorageConnection, _ cancellation: Cancellation) throws {
        let made = try engine.open(path, as: .readOnly)
        defer { try? made.close() }
        try cancellation.whileRegistered(made.interrupt) {
            if try made.damagedPages().count > 0 { throw StoreError(.inputOutput, "\(path) was not written as it is") }
            if let problem = try made.integrityProblems().first { throw StoreError(.damaged, problem) }
        }
        let content = try cancellation.whileRegistered(original.interrupt) { try Self.content(of: original) }
        guard try cancellation.whileRegistered(made.interrupt, { try Self.content(of: made) }) == content else {
            throw StoreError(.other, "\(path) does not have the content of the database")
        }
    }

    private struct Content: Equatable {
        /// The settings in the header that stay.
        var settings: [String] = []
        /// A hash over the rows of each table, with their rowids.
        var tables: [String: ContentHash] = [:]
    }

    private static func content(of connection: any StorageConnection) throws -> Content {
        var content = Content()
        for pragma in ["encoding", "user_version", "application_id", "auto_vacuum"] {
            let row = try connection.read { try $0.first(.unchecked(sql: "PRAGMA \(pragma)")) }
            content.settings.append("\(row?.values ?? [])")
        }
        for (table, columns) in try connection.read({ try tables(in: $0) }) {
            content.tables[table] = try connection.contentHash(of: table, columns: columns)
        }
        return content
    }

    /// The tables with the columns that are stored. The list of the schema has other pages and another order in the new
    /// file.
    private static func tables(in transaction: any ReadTransaction) throws -> [(table: String, columns: [String])] {
        let rows = try transaction.rows(
            """
            SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') ORDER BY name
            """)
        return try rows.map { row in
            let name: String = try row.get("name")
            if name == "sqlite_schema" || name == "sqlite_master" {
                return (name, ["type", "name", "tbl_name", "sql"])
            }
            let rows = try transaction.rows("SELECT name FROM pragma_table_xinfo(\(name)) WHERE hidden = 0")
            let columns: [String] = try rows.map { try $0.get("name") }
            let isNumbered: Int64 = try row.get("wr")
            let rowid = isNumbered == 0 ? SQLiteFacts.rowIDName(beside: columns) : nil
            return (name, (rowid.map { [$0] } ?? []) + columns)
        }
    }
}
