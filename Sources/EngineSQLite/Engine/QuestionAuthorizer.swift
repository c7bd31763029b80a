import ChatDBEngine
import GRDB
import GRDBSQLite

/// What the statement of a question may do: read, with NULL in the place of what is not shown.
final class QuestionAuthorizer {
    private let mask: ColumnMask
    private let tables: QuestionTables
    /// The columns that are not shown, in the order they were met.
    private(set) var masked: [MaskedColumn] = []
    /// Why something was denied.
    private(set) var refusal: String?

    init(_ mask: ColumnMask, _ tables: QuestionTables) {
        self.mask = mask
        self.tables = tables
    }

    /// Installs itself while `body` runs, and then what a hardened connection has.
    func whileWatching<T>(_ database: Database, _ body: () throws -> T) rethrows -> T {
        sqlite3_set_authorizer(database.sqliteConnection, Self.callback, Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_set_authorizer(database.sqliteConnection, ReadingAuthorizer.callback, nil) }
        return try body()
    }

    private static let callback:
        @convention(c) (
            UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?
        ) -> CInt = { context, action, first, second, database, trigger in
            guard let context else { return SQLITE_DENY }
            let authorizer = Unmanaged<QuestionAuthorizer>.fromOpaque(context).takeUnretainedValue()
            switch action {
            case SQLITE_READ:
                return authorizer.read(ReadingAuthorizer.text(first), ReadingAuthorizer.text(second))
            // They would end the transaction the question is asked in.
            case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
                return SQLITE_DENY
            // A pragma with a value sets it while the statement is prepared.
            case SQLITE_PRAGMA where ReadingAuthorizer.text(first).lowercased() == "query_only" && second != nil:
                return SQLITE_DENY
            default:
                return ReadingAuthorizer.callback(nil, action, first, second, database, trigger)
            }
        }

    private func read(_ table: String, _ column: String) -> CInt {
        // A module reads its own tables; that the question names them is refused before.
        if tables.shadow.contains(table.lowercased()) { return SQLITE_OK }
        if let reason = tables.refusal(of: table, mask) {
            refusal = refusal ?? reason
            return SQLITE_DENY
        }
        // No column: the rows are counted.
        if column.isEmpty || QuestionTables.own.contains(table.lowercased()) || tables.isHarmlessFunction(table) {
            return SQLITE_OK
        }
        let columnClass = mask.columnClass(column, of: table)
        if mask.shows(columnClass) { return SQLITE_OK }
        let column = MaskedColumn(table: table, column: column, columnClass: columnClass)
        if !masked.contains(column) { masked.append(column) }
        return SQLITE_IGNORE
    }
}
