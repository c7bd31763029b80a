import ChatDBEngine
import ChatDBSchema
import Synchronization

/// The views of a plan for one database, as parts of each statement that names them. A transaction that only reads cannot
/// make temporary views on a server, and a replica has none. Rule: docs/architecture.md, "PostgreSQL".
struct PostgresViews: Sendable {
    private let views: [ReadingViews.View]
    /// The notes of the plan.
    let notes: [String]
    /// The dialect of statements through the views.
    let dialect: Dialect

    /// Makes the views for the tables that a schema has.
    init(_ plan: ViewPlan, schema: String, in transaction: any ReadTransaction) throws(StoreError) {
        let tables = try PostgresStructure.read(in: transaction).tables
        let made = plan.views(
            tables.filter { plan.tables.contains($0.key) }.mapValues(Self.plain),
            .postgres(schema: SQLName.quoted(schema)))
        (views, notes) = (made.views, made.notes)
        dialect = .postgres { "\(identifier: schema).\(identifier: $0)" }
    }

    /// A statement with the views that it names.
    func statement(_ sql: String) -> String {
        let words = Set(sql.utf8.split { !Self.isOfWord($0) }.map { String(Substring($0)) })
        let parts = views.filter { words.contains($0.name) }.map { "\($0.name) AS NOT MATERIALIZED (\($0.select))" }
            .joined(separator: ",\n")
        if parts.isEmpty { return sql }
        // A statement may have such parts of its own.
        for begin in ["WITH RECURSIVE ", "WITH "] where sql.hasPrefix(begin) {
            return "\(begin)\(parts),\n\(sql.dropFirst(begin.count))"
        }
        return sql.hasPrefix("SELECT") ? "WITH \(parts)\n\(sql)" : sql
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39,
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// A table whose columns have the types of plans. The server keeps other values out, as a table that is STRICT.
    private static func plain(_ table: TableStructure) -> TableStructure {
        let columns = table.columns.map { column in
            ColumnStructure(name: column.name, type: plain(column.type), notNull: column.notNull)
        }
        return TableStructure(columns: columns, options: ["STRICT"])
    }

    private static func plain(_ type: String) -> String {
        let begins: KeyValuePairs = [
            "BIGINT": "INTEGER", "SMALLINT": "INTEGER", "INTEGER": "INTEGER", "TEXT": "TEXT", "BYTEA": "BLOB",
            "DOUBLE PRECISION": "REAL", "REAL": "REAL",
        ]
        return begins.first { type == $0.key || type.hasPrefix($0.key + " ") }?.value ?? type
    }
}

/// Reads both databases of a store through the views of their plans.
final class PostgresReading: SharedTransactions {
    private let pair: PostgresPair
    private let opened = Mutex<[DatabaseName: PostgresViews]>([:])

    init(_ pair: PostgresPair) {
        self.pair = pair
    }

    /// Makes the views of a database.
    func open(_ name: DatabaseName, schema: String, through plan: ViewPlan) throws -> PostgresViews {
        let views = try pair.read { chat, agent in
            try PostgresViews(plan, schema: schema, in: name == .chat ? chat : agent)
        }
        opened.withLock { $0[name] = views }
        return views
    }

    func readBoth<T>(
        _ body: (_ chat: any ReadTransaction, _ agent: any ReadTransaction) throws -> T
    ) throws -> T {
        try pair.read(through: opened.withLock(\.self), body)
    }

    func writeBoth<T>(
        _ body: (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> T
    ) throws -> T {
        throw StoreError(.readOnly, "the store is open for reading")
    }
}

extension ViewSyntax {
    /// PostgreSQL's, for the tables of a schema.
    static func postgres(schema: String) -> ViewSyntax {
        ViewSyntax(
            schema: schema, convert: converted, column: column, time: time,
            call: { function, value in function.expression(value) }, noBytes: "CAST('' AS BYTEA)",
            rowNumber: "row_number() OVER ()")
    }

    private static let times = "'YYYY-MM-DD HH24:MI:SS.US'"

    @Sendable private static func converted(_ value: String, _ type: String, _ wanted: String) -> String {
        switch (type, wanted) {
        case ("TIMESTAMP WITH TIME ZONE", "TEXT"): "to_char(\(value) AT TIME ZONE 'UTC', \(times))"
        case ("TIMESTAMP WITHOUT TIME ZONE", "TEXT"): "to_char(\(value), \(times))"
        case ("BLOB", "TEXT"): text(ofBytes: value)
        case ("TEXT", "BLOB"): "convert_to(\(value), 'UTF8')"
        default: "CAST(\(value) AS \(serverType(wanted)))"
        }
    }

    /// The app writes times into a few columns of text, in the server's form: `2026-07-20 09:05:00.123+00`.
    @Sendable private static func time(_ text: String) -> String {
        let time = converted("CAST(\(text) AS TIMESTAMP WITH TIME ZONE)", "TIMESTAMP WITH TIME ZONE", "TEXT")
        let isTime = "\(text) ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]{8,15}[+][0-9:]{2,8}$'"
        return "CASE WHEN \(isTime) THEN \(time) ELSE \(text) END"
    }

    /// NULL has no type of its own, and texts sort by their bytes.
    @Sendable private static func column(_ value: String, _ type: String) -> String {
        let typed = value == "NULL" ? "CAST(NULL AS \(serverType(type)))" : value
        return type == "TEXT" ? "(\(typed)) COLLATE \"C\"" : typed
    }

    private static func serverType(_ type: String) -> String {
        switch type {
        case "INTEGER": "BIGINT"
        case "REAL": "DOUBLE PRECISION"
        case "BLOB": "BYTEA"
        default: "TEXT"
        }
    }

    /// The text that bytes are in UTF-8; for other bytes, a text that shows them.
    private static func text(ofBytes value: String) -> String {
        let isText = "encode(\(value), 'hex') ~ '\(utf8)'"
        return "CASE WHEN \(isText) THEN convert_from(\(value), 'UTF8') ELSE encode(\(value), 'escape') END"
    }

    /// UTF-8 without NUL, in hexadecimal digits.
    private static let utf8: String = {
        let (digit, more) = ("[0-9a-f]", "[89ab][0-9a-f]")
        let characters = [
            "0[1-9a-f]", "[1-7]\(digit)", "(?:c[2-9a-f]|d\(digit))\(more)", "e0[ab]\(digit)\(more)",
            "e[1-9a-cef]\(more)\(more)", "ed[89]\(digit)\(more)", "f0[9ab]\(digit)\(more)\(more)",
            "f[1-3]\(more)\(more)\(more)", "f48\(digit)\(more)\(more)",
        ]
        return "^(?:\(characters.joined(separator: "|")))*$"
    }()
}
