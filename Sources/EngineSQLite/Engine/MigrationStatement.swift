import ChatDBEngine
import GRDB
import GRDBSQLite

/// One prepared statement of a migration. It uses SQLite's C interface, because GRDB would prepare the statement again
/// for its caches, and the authorizer must see only what is run.
struct MigrationStatement {
    private let connection: OpaquePointer
    private let statement: OpaquePointer
    private let sql: String

    init(_ sql: String, on database: Database) throws {
        guard let connection = database.sqliteConnection else { throw StoreError(.other, "the database is closed") }
        self.connection = connection
        self.sql = sql
        var statement: OpaquePointer?
        var tail: UnsafePointer<CChar>?
        let rest = sql.withCString { text in
            _ = sqlite3_prepare_v2(connection, text, -1, &statement, &tail)
            return tail.map { String(cString: $0) } ?? ""
        }
        guard let statement else { throw Self.error(of: connection, sql) }
        self.statement = statement
        // Comments may follow; a second statement would run without the authorizer.
        guard let further = try? SQLStatements.split(rest), further.isEmpty else {
            sqlite3_finalize(statement)
            throw StoreError(.sql, "more than one statement")
        }
    }

    func run() throws {
        var code = sqlite3_step(statement)
        while code == SQLITE_ROW { code = sqlite3_step(statement) }
        guard code == SQLITE_DONE else { throw Self.error(of: connection, sql) }
    }

    func finalize() {
        sqlite3_finalize(statement)
    }

    private static func error(of connection: OpaquePointer, _ sql: String) -> StoreError {
        SQLiteErrors.storeError(
            code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)), sql: sql,
            showsConstraints: true, connection: connection)
    }
}

/// Authorizes the statements of a migration: refuses what a migration must never do, and notes which tables it writes.
/// Down SQL read from a file is authorized here too, so these refusals protect against hostile SQL.
final class MigrationAuthorizer {
    /// Tables no migration may write. Nil while no statement of a migration is prepared or run: everything is then
    /// allowed, for the connection's own statements.
    private var protected: Set<String>?
    /// The tables that the statement prepared since `begin` will read or change.
    private(set) var effect = StatementEffect()
    /// The reason of the last refusal. SQLite's own message is only "not authorized".
    private(set) var refusal: String?
    /// Whether the database is encrypted, which limits the connection's own statements too.
    private let isEncrypted: Bool

    init(encrypted isEncrypted: Bool = false) { self.isEncrypted = isEncrypted }

    /// Pragmas that SQLite itself uses: FTS5 `data_version`, and ALTER TABLE ADD COLUMN with a CHECK `quick_check`.
    /// Both change nothing.
    private static let harmlessPragmas: Set<String> = ["data_version", "quick_check"]

    /// For a name with a database before it (`CREATE TABLE temp.x`) SQLite uses these actions, and not those of `CREATE
    /// TEMP TABLE`.
    private static let makingActions: Set<CInt> = [
        SQLITE_CREATE_TABLE, SQLITE_CREATE_VTABLE, SQLITE_CREATE_VIEW, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_INDEX,
    ]

    func install(on connection: OpaquePointer) {
        sqlite3_set_authorizer(connection, Self.callback, Unmanaged.passUnretained(self).toOpaque())
    }

    func begin(protecting tables: Set<String>) {
        protected = tables
        effect = StatementEffect()
        refusal = nil
    }

    func end() {
        protected = nil
    }

    static let callback: AuthorizerCallback = { context, action, first, second, database, _ in
        guard let context else { return SQLITE_DENY }
        let authorizer = Unmanaged<MigrationAuthorizer>.fromOpaque(context).takeUnretainedValue()
        if authorizer.isEncrypted, let why = EncryptingVFS.refusal(of: action, first, second) {
            return authorizer.refuse(why)
        }
        return authorizer.decide(
            action, ReadingAuthorizer.text(first), ReadingAuthorizer.text(second),
            isTemporary: ReadingAuthorizer.text(database) == "temp")
    }

    private func decide(_ action: CInt, _ first: String, _ second: String, isTemporary: Bool) -> CInt {
        guard let protected else { return SQLITE_OK }
        if isTemporary, Self.makingActions.contains(action) { return refuse("it creates a temporary object") }
        switch action {
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return refuse("it ends or opens a transaction")
        case SQLITE_ATTACH, SQLITE_DETACH: return refuse("it attaches or detaches a database")
        case SQLITE_PRAGMA:
            return Self.harmlessPragmas.contains(first.lowercased()) ? SQLITE_OK : refuse("it has a PRAGMA")
        case SQLITE_FUNCTION:
            let name = second.lowercased()
            return ["load_extension", "fts3_tokenizer"].contains(name) ? refuse("it calls \(name)") : SQLITE_OK
        case SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_TRIGGER, SQLITE_CREATE_TEMP_VIEW:
            return refuse("it creates a temporary object")
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_DROP_TABLE, SQLITE_DROP_VTABLE:
            return write(first, protected)
        // First the database, then the table.
        case SQLITE_ALTER_TABLE:
            effect.altered.insert(second)
            return protected.contains(second) ? refuse("it changes the table \(second)") : SQLITE_OK
        // First the trigger or index, then the table.
        case SQLITE_CREATE_TRIGGER, SQLITE_CREATE_INDEX, SQLITE_DROP_TRIGGER, SQLITE_DROP_INDEX:
            return protected.contains(second) ? refuse("it changes the table \(second)") : SQLITE_OK
        case SQLITE_CREATE_TABLE, SQLITE_CREATE_VTABLE, SQLITE_CREATE_VIEW:
            if protected.contains(first) { return refuse("it changes the table \(first)") }
            // First the table, then the module.
            if action == SQLITE_CREATE_VTABLE, let module = WritingModule(rawValue: second.lowercased()) {
                return refuse("it makes \(module.table)")
            }
            return SQLITE_OK
        default:
            return SQLITE_OK
        }
    }

    private func write(_ table: String, _ protected: Set<String>) -> CInt {
        if protected.contains(table) { return refuse("it writes the table \(table)") }
        if !table.hasPrefix("sqlite_") { effect.written.insert(table) }
        return SQLITE_OK
    }

    private func refuse(_ why: String) -> CInt {
        refusal = why
        return SQLITE_DENY
    }
}
