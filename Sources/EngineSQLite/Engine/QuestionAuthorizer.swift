import ChatDBEngine
import ChatDBSchema
import GRDB
import GRDBSQLite

/// Decides what the statement of a question may do: read, with NULL in the place of masked columns.
final class QuestionAuthorizer {
    private let mask: ColumnMask
    private let tables: QuestionTables
    /// The masked columns, in the order in which SQLite asked for them.
    private(set) var masked: [MaskedColumn] = []
    /// The columns with states that the statement reads. Without `wordViews` they are masked too.
    private(set) var states: [MaskedColumn] = []
    /// The tables that are hidden by views in which a state is one word.
    private var wordViews: Set<String> = []
    /// Whether columns are read as they are: for chatdb's own look at the schema.
    private var isUnmasked = false
    /// Why something was denied.
    private(set) var refusal: String?

    init(_ mask: ColumnMask, _ tables: QuestionTables) {
        self.mask = mask
        self.tables = tables
    }

    /// Begins anew, for the same statement over these views.
    func restart(over views: Set<String>) {
        (masked, states, refusal, wordViews) = ([], [], nil, views)
    }

    /// Runs `body` without any authorizer, for chatdb's own statements, and installs this one again.
    func suspended<T>(on connection: OpaquePointer, _ body: () throws -> T) rethrows -> T {
        sqlite3_set_authorizer(connection, nil, nil)
        defer { install(on: connection) }
        return try body()
    }

    /// Runs `body` without masks. It may read the schema, and no rows of the file.
    func unmasked<T>(_ body: () -> T) -> T {
        isUnmasked = true
        defer { isUnmasked = false }
        return body()
    }

    private func install(on connection: OpaquePointer?) {
        sqlite3_set_authorizer(connection, Self.callback, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Runs `body` with this authorizer, and then restores that of a hardened connection.
    func installed<T>(on database: Database, _ body: () throws -> T) rethrows -> T {
        install(on: database.sqliteConnection)
        defer { sqlite3_set_authorizer(database.sqliteConnection, ReadingAuthorizer.callback, nil) }
        return try body()
    }

    private static let callback: AuthorizerCallback = { context, action, first, second, database, trigger in
        guard let context else { return SQLITE_DENY }
        let authorizer = Unmanaged<QuestionAuthorizer>.fromOpaque(context).takeUnretainedValue()
        switch action {
        case SQLITE_READ:
            return authorizer.read(
                ReadingAuthorizer.text(first), ReadingAuthorizer.text(second), of: ReadingAuthorizer.text(database))
        // They would end the transaction of the question.
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
            return SQLITE_DENY
        // SQLite sets a pragma with a value while it prepares the statement.
        case SQLITE_PRAGMA where ReadingAuthorizer.text(first).lowercased() == "query_only" && second != nil:
            return SQLITE_DENY
        default:
            return ReadingAuthorizer.callback(nil, action, first, second, database, trigger)
        }
    }

    private func read(_ table: String, _ column: String, of schema: String) -> CInt {
        // A module reads its own tables; a question that names them was refused before.
        if tables.shadow.contains(table.lowercased()) { return SQLITE_OK }
        if let reason = tables.refusal(of: table, mask) {
            refusal = refusal ?? reason
            return SQLITE_DENY
        }
        // Without a column, SQLite counts rows.
        if column.isEmpty || QuestionTables.own.contains(table.lowercased()) || tables.isHarmlessFunction(table) {
            return SQLITE_OK
        }
        if isUnmasked { return SQLITE_OK }
        let columnClass = mask.columnClass(column, of: table)
        // A statement over views never names `main`, so it is the view that reads the table.
        let isInView = schema == "main" && wordViews.contains(table.lowercased())
        let isState = mask.words(of: column, in: table) != nil
        if isInView { return mask.shows(columnClass) ? SQLITE_OK : SQLITE_IGNORE }
        if isState {
            let state = MaskedColumn(table: table, column: column, columnClass: .personal)
            if !states.contains(state) { states.append(state) }
            if schema == "temp", wordViews.contains(table.lowercased()) { return SQLITE_OK }
            return mask(state)
        }
        if mask.shows(columnClass) { return SQLITE_OK }
        return mask(MaskedColumn(table: table, column: column, columnClass: columnClass))
    }

    private func mask(_ column: MaskedColumn) -> CInt {
        if !masked.contains(column) { masked.append(column) }
        return SQLITE_IGNORE
    }
}

/// The kinds of tables of a file that questions distinguish. Names are lower case.
struct QuestionTables {
    /// Virtual tables, whose rows a module provides, such as a full-text index.
    private(set) var virtual: Set<String> = []
    /// Shadow tables, where such modules store their content: whole texts, in parts.
    private(set) var shadow: Set<String> = []
    /// Ordinary tables and views.
    private(set) var others: Set<String> = []

    /// Reads the tables from a hardened connection.
    init(of database: Database) throws {
        for row in try Row.fetchAll(database, sql: "SELECT name, type FROM pragma_table_list WHERE schema = 'main'") {
            let values = Array(row.databaseValues)
            guard values.count == 2, let name = String.fromDatabaseValue(values[0])?.lowercased() else { continue }
            switch String.fromDatabaseValue(values[1]) {
            case "virtual": virtual.insert(name)
            case "shadow": shadow.insert(name)
            default: others.insert(name)
            }
        }
    }

    /// Why a question may not read any column of a table: a clause; nil when it may.
    func refusal(of table: String, _ mask: ColumnMask) -> String? {
        let name = table.lowercased()
        if shadow.contains(name) { return "\(table) contains the texts of a full-text index" }
        // Samples of values, statements with their values, pages as they are in the file.
        if name.hasPrefix("sqlite_stat") || ["sqlite_stmt", "dbstat", "sqlite_dbpage"].contains(name) {
            return "\(table) shows values of columns, whatever their class"
        }
        if virtual.contains(name), !mask.showsAll(of: name) {
            return "a search in \(table) reveals values that are not shown"
        }
        return nil
    }

    /// Whether a table is a function and not a table of the file, and only describes the schema or splits a value.
    func isHarmlessFunction(_ table: String) -> Bool {
        let name = table.lowercased()
        guard !others.contains(name), !virtual.contains(name) else { return false }
        return name == "json_each" || name == "json_tree" || name.hasPrefix("pragma_")
    }

    /// Tables of SQLite itself: the schema, and the highest row IDs.
    static let own: Set<String> = ["sqlite_master", "sqlite_temp_master", "sqlite_sequence"]
}
