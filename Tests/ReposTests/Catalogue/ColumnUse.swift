import ChatDBKit
import Testing

/// Which columns the methods of the catalogue write and read, as seen while every method runs for alice.
struct ColumnUse: Sendable {
    /// Every column of both databases but the times of the rows, in the order of the schemas.
    private(set) var columns: [StoredColumn] = []
    /// The changing methods that gave a column of some row another value, or made a row with a value in it that is not
    /// the default.
    private(set) var writers: [StoredColumn: Set<String>] = [:]
    /// A method whose answer is another one when the column has other values, though only for columns that have one. A
    /// query comes before a method that changes rows.
    private(set) var readers: [StoredColumn: String] = [:]

    /// Seen once for all tests.
    static let seen = Result { try ColumnUse() }

    private init() throws {
        let (plain, filled) = (try TwoProfiles(), try TwoProfiles())
        try filled.test.store.writeBoth(committing: .agentFirst) { try FilledColumns.write(for: .alice, $0, $1) }
        try filled.undoing { chat, agent in
            columns = try (StoredColumn.all(of: .chat, in: chat) + StoredColumn.all(of: .agent, in: agent))
                .filter { !["created_at", "updated_at"].contains($0.column) }
        }
        for world in [plain, filled] {
            let before = try WorldRows(of: world)
            for entry in RepositoryCatalogue.all where !entry.isQuery {
                for column in try Self.columns(writtenBy: entry, in: world, before) {
                    writers[column, default: []].insert(entry.name)
                }
            }
        }
        readers = try Self.readers(of: columns, in: filled)
    }

    // MARK: - Reading

    /// For each column a method that reads it. A method is tried on the columns that its statements read.
    private static func readers(of columns: [StoredColumn], in world: TwoProfiles) throws -> [StoredColumn: String] {
        let statements = try StatementColumns(of: world.test.location)
        let all = RepositoryCatalogue.all.filter(\.isQuery) + RepositoryCatalogue.all.filter { !$0.isQuery }
        var readers: [StoredColumn: String] = [:]
        for entry in all {
            var (before, read) = ("", Set<StoredColumn>())
            try world.undoing { chat, agent in
                let (recordedChat, recordedAgent) = (RecordingTransaction(chat), RecordingTransaction(agent))
                before = answer(of: entry, recordedChat, recordedAgent)
                for (recorded, database) in [(recordedChat, DatabaseName.chat), (recordedAgent, .agent)] {
                    for query in recorded.queries {
                        read.formUnion(try statements.columns(readBy: query, in: database))
                    }
                }
            }
            for column in columns where read.contains(column) && readers[column] == nil {
                if try depends(entry, on: column, in: world, before) { readers[column] = entry.name }
            }
        }
        return readers
    }

    /// Whether a method answers otherwise when a column has other values.
    private static func depends(
        _ entry: CatalogueEntry, on column: StoredColumn, in world: TwoProfiles, _ before: String
    ) throws -> Bool {
        for value in OtherValues.expressions(of: column) {
            var isOther = false
            try world.undoing { chat, agent in
                if OtherValues.set(column, to: value, column.database == .chat ? chat : agent) {
                    isOther = answer(of: entry, chat, agent) != before
                }
            }
            if isOther { return true }
        }
        return false
    }

    /// What a method answers, with everything in it, or the error that it throws.
    private static func answer(
        of entry: CatalogueEntry, _ chat: any WriteTransaction, _ agent: any WriteTransaction
    ) -> String {
        do {
            return AnswerText.of(
                try entry.call(Call(chat: chat, agent: agent, user: Things.alice.user, things: .alice)))
        } catch {
            return "\(error)"
        }
    }

    // MARK: - Writing

    private static func columns(
        writtenBy entry: CatalogueEntry, in world: TwoProfiles, _ before: WorldRows
    ) throws -> Set<StoredColumn> {
        var written: Set<StoredColumn> = []
        try world.undoing { chat, agent in
            _ = try entry.call(Call(chat: chat, agent: agent, user: Things.alice.user, things: .alice))
            written = try before.chat.columns(differingIn: chat).union(before.agent.columns(differingIn: agent))
        }
        return written
    }
}

extension CatalogueEntry {
    /// Whether the method only reads.
    var isQuery: Bool { name.contains("Repo.") }
}

/// All that is in an answer, as text: what descriptions and dumps hide is in it too.
private enum AnswerText {
    static func of(_ value: Any) -> String {
        switch value {
        case let secret as SecretBytes: return "\(secret.bytes)"
        case let address as ServerAddress: return address.text(withPassword: true)
        case let server as ProtocolServer:
            let flags = "\(server.isPreset) \(String(describing: server.tested)) \(server.isEnabled) \(server.roles)"
            return "\(server.id) \(server.userID) \(server.addressText(withPassword: true)) \(flags)"
        default: break
        }
        let parts = Mirror(reflecting: value).children
        return parts.isEmpty ? "\(value)" : "(" + parts.map { "\($0.label ?? ""):\(of($0.value))," }.joined() + ")"
    }
}

/// Values that a column did not have.
private enum OtherValues {
    /// For a column, as expressions of SQL. The rules of a table allow some of them.
    static func expressions(of column: StoredColumn) -> [String] {
        let old = "\"\(column.column)\""
        return switch column.type {
        case "INTEGER": ["coalesce(1 - \(old), 1)", "coalesce(1 - \(old), 0)", "2", "coalesce(\(old), 0) + 1000"]
        case "TEXT":
            [
                "coalesce(\(old), '') || 'x' || rowid",
                "strftime('%Y-%m-%d %H:%M:%f', coalesce(\(old), '2026-01-01 00:00:00.000'), '+400 days')",
            ]
        default: ["CAST(coalesce(\(old), x'') || rowid AS BLOB)"]
        }
    }

    /// Gives a column other values, in all rows or else in those in which it has one. False when the rules of the table
    /// do not allow these values.
    static func set(_ column: StoredColumn, to value: String, _ tx: any WriteTransaction) -> Bool {
        let update = "UPDATE \"\(column.table)\" SET \"\(column.column)\" = \(value)"
        for condition in ["", " WHERE \"\(column.column)\" IS NOT NULL"] {
            do {
                try tx.run("PRAGMA defer_foreign_keys = ON")
                if try tx.run(.unchecked(sql: update + condition)) > 0 { return true }
            } catch {
                continue
            }
        }
        return false
    }
}

/// All rows of both databases, before a method runs.
private struct WorldRows {
    let chat: StoredRows
    let agent: StoredRows

    init(of world: TwoProfiles) throws {
        var rows: (chat: StoredRows, agent: StoredRows)?
        try world.undoing { rows = (try StoredRows(of: .chat, in: $0), try StoredRows(of: .agent, in: $1)) }
        (chat, agent) = try #require(rows)
    }
}

/// All rows of a database.
private struct StoredRows {
    private let tables: [StoredTable]

    init(of database: DatabaseName, in tx: any ReadTransaction) throws {
        tables = try Dictionary(grouping: StoredColumn.all(of: database, in: tx), by: \.table).map {
            try StoredTable($0, columns: $1, in: tx)
        }
    }

    /// The columns whose value in some row is another one now, or of a new row not the default.
    func columns(differingIn tx: any ReadTransaction) throws -> Set<StoredColumn> {
        try tables.reduce(into: []) { $0.formUnion(try $1.columns(differingIn: tx)) }
    }
}

/// The rows of a table.
private struct StoredTable {
    private let columns: [StoredColumn]
    private let defaults: [String?]
    /// The statement that reads the rows, without quotes: prepared once, it is kept.
    private let query: Query
    /// The values in the order of the columns, by the number of the row.
    private let rows: [Int64: [SQLValue]]

    init(_ name: String, columns: [StoredColumn], in tx: any ReadTransaction) throws {
        self.columns = columns
        var defaults: [String: String] = [:]
        for row in try tx.rows("SELECT name, dflt_value FROM pragma_table_info(\(name))") {
            defaults[try row.get("name")] = try row.get("dflt_value")
        }
        self.defaults = columns.map { defaults[$0.column] }
        query = .unchecked(sql: "SELECT rowid, \(columns.map(\.column).joined(separator: ", ")) FROM \(name)")
        rows = try Self.rows(of: query, in: tx)
    }

    private static func rows(of query: Query, in tx: any ReadTransaction) throws -> [Int64: [SQLValue]] {
        try tx.rows(query).reduce(into: [:]) { rows, row in
            guard case .integer(let number)? = row.values.first else { return }
            rows[number] = Array(row.values.dropFirst())
        }
    }

    func columns(differingIn tx: any ReadTransaction) throws -> [StoredColumn] {
        let now = try Self.rows(of: query, in: tx)
        let changed = now.filter { rows[$0] != $1 }
        return columns.indices.filter { index in
            changed.contains { number, values in
                if let old = rows[number] { return old[index] != values[index] }
                return !isDefault(values[index], of: index)
            }
        }
        .map { columns[$0] }
    }

    private func isDefault(_ value: SQLValue, of index: Int) -> Bool {
        switch (value, defaults[index]) {
        case (.null, _): true
        case (.integer(let number), let text?): String(number) == text
        case (.text(let words), let text?): "'\(words)'" == text
        default: false
        }
    }
}
