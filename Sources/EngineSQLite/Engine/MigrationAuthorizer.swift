import ChatDBEngine
import GRDBSQLite

/// Watches the statements of a migration: refuses what a migration must never do, and notes which tables it writes.
/// Down SQL read from a file passes here too, so this is a wall and not advice.
final class MigrationAuthorizer {
    /// Tables no migration may write; nil while no migration's statement is being prepared or run, and then everything
    /// is allowed: the connection's own bookkeeping.
    private var protected: Set<String>?
    private var effect = StatementEffect()
    /// What was refused last, in words: SQLite itself only says "not authorized".
    private(set) var refusal: String?

    /// SQLite's own questions: FTS5 asks for `data_version`, and ALTER TABLE ADD COLUMN with a CHECK for `quick_check`.
    /// Both only tell something.
    private static let harmlessPragmas: Set<String> = ["data_version", "quick_check"]

    /// With the name of a database before its own (`CREATE TABLE temp.x`), SQLite does not ask as for `CREATE TEMP TABLE`.
    private static let makingActions: Set<CInt> = [
        SQLITE_CREATE_TABLE, SQLITE_CREATE_VTABLE, SQLITE_CREATE_VIEW, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_INDEX,
    ]

    func install(on connection: OpaquePointer) {
        sqlite3_set_authorizer(connection, Self.callback, Unmanaged.passUnretained(self).toOpaque())
    }

    func watch(protecting tables: Set<String>) {
        protected = tables
        effect = StatementEffect()
        refusal = nil
    }

    func stopWatching() {
        protected = nil
    }

    /// What the statement prepared since `watch` is going to touch.
    var noted: StatementEffect { effect }

    private static let callback:
        @convention(c) (
            UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?
        ) -> CInt = { context, action, first, second, database, _ in
            guard let context else { return SQLITE_DENY }
            let authorizer = Unmanaged<MigrationAuthorizer>.fromOpaque(context).takeUnretainedValue()
            return authorizer.answer(
                action, ReadingAuthorizer.text(first), ReadingAuthorizer.text(second),
                isTemporary: ReadingAuthorizer.text(database) == "temp")
        }

    private func answer(_ action: CInt, _ first: String, _ second: String, isTemporary: Bool) -> CInt {
        guard let protected else { return SQLITE_OK }
        if isTemporary, Self.makingActions.contains(action) { return refuse("it makes something temporary") }
        switch action {
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return refuse("it ends or opens a transaction")
        case SQLITE_ATTACH, SQLITE_DETACH: return refuse("it attaches or detaches a database")
        case SQLITE_PRAGMA:
            return Self.harmlessPragmas.contains(first.lowercased()) ? SQLITE_OK : refuse("it has a PRAGMA")
        case SQLITE_FUNCTION:
            let name = second.lowercased()
            return ["load_extension", "fts3_tokenizer"].contains(name) ? refuse("it calls \(name)") : SQLITE_OK
        case SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_TRIGGER, SQLITE_CREATE_TEMP_VIEW:
            return refuse("it makes something temporary")
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
            return protected.contains(first) ? refuse("it changes the table \(first)") : SQLITE_OK
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
