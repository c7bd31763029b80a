import ChatDBEngine
import ChatDBPOSIX
import GRDBSQLite

/// Decides what the definitions of a damaged file may do. `MigrationAuthorizer` decides which statements they may be.
/// SQLite evaluates constraints, defaults, generated columns and expressions of indexes when it writes a row. They may
/// call only functions whose time and memory grow little with the length of the row. A function such as `zeroblob` makes
/// a long value of a short one, and SQLite cannot be stopped within a call.
final class SalvageAuthorizer {
    private let definitions = MigrationAuthorizer()
    /// Whether a definition is read that SQLite does not evaluate yet: of a table, a view or a trigger.
    private var isDefining = false
    /// Whether the last definition calls a function that is not permitted.
    private(set) var needsOthers = false

    /// The functions that may be evaluated, besides those for JSON. The full-text modules call some of them.
    private static let permitted: Set<String> = [
        "->", "->>", "abs", "changes", "coalesce", "current_date", "current_time", "current_timestamp", "date",
        "datetime", "glob", "ifnull", "iif", "julianday", "last_insert_rowid", "length", "like", "likely", "lower",
        "ltrim", "max", "min", "nullif", "octet_length", "random", "round", "rtrim", "sign", "strftime", "substr",
        "substring", "time", "trim", "typeof", "unicode", "unixepoch", "unlikely", "upper",
    ]

    private static func isPermitted(_ function: String) -> Bool {
        permitted.contains(function.lowercased()) || function.lowercased().hasPrefix("json")
    }

    func install(on connection: OpaquePointer) {
        sqlite3_set_authorizer(connection, Self.callback, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Replaces all other functions by one that fails: SQLite does not ask the authorizer about a function of a
    /// constraint or a default when it writes a row.
    static func replaceFunctions(of database: NewDatabase) throws(StoreError) {
        let list = try database.prepare("SELECT DISTINCT name, narg FROM pragma_function_list WHERE type = 's'")
        var others: [(name: String, arguments: Int)] = []
        while list.step() == SQLITE_ROW {
            if !isPermitted(list.text(0)) { others.append((list.text(0), list.number(1))) }
        }
        for other in others {
            sqlite3_create_function_v2(
                database.connection, other.name, CInt(other.arguments),
                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
                { context, _, _ in sqlite3_result_error(context, "chatdb does not permit this function", -1) }, nil,
                nil,
                nil)
        }
    }

    /// Runs `body`, which prepares the definition of an object.
    func defining<T>(
        _ isEvaluated: Bool, _ body: () throws(StoreError) -> T
    ) throws(StoreError) -> T {
        definitions.begin(protecting: [])
        isDefining = !isEvaluated
        needsOthers = false
        defer {
            definitions.end()
            isDefining = false
        }
        return try body()
    }

    private static let callback: AuthorizerCallback = { context, action, first, second, database, trigger in
        guard let context else { return SQLITE_DENY }
        let authorizer = Unmanaged<SalvageAuthorizer>.fromOpaque(context).takeUnretainedValue()
        // A recursive query of a view may have no end, and chatdb's own statements have none.
        if action == SQLITE_RECURSIVE { return SQLITE_DENY }
        if action == SQLITE_FUNCTION, !isPermitted(ReadingAuthorizer.text(second)) {
            authorizer.needsOthers = true
            if !authorizer.isDefining { return SQLITE_DENY }
        }
        return MigrationAuthorizer.callback(
            Unmanaged.passUnretained(authorizer.definitions).toOpaque(), action, first, second, database, trigger)
    }
}
