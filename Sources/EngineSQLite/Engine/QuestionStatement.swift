import ChatDBEngine
import GRDB
import GRDBSQLite

/// Checks the text of a question before SQLite gets it.
enum QuestionText {
    /// Throws when the text is not one statement, or uses what the authorizer does not see.
    static func check(_ sql: String, _ tables: QuestionTables, _ mask: ColumnMask) throws(QuestionError) {
        do {
            let statements = try SQLStatements.split(sql)
            if statements.isEmpty { throw QuestionError.invalid("it contains no statement") }
            if statements.count > 1 {
                throw QuestionError.refused("it has \(statements.count) statements, and one is run")
            }
            var lexer = SQLLexer(sql)
            while let token = try lexer.nextSignificant() {
                // SQLite compares the columns of such a join without asking the authorizer.
                for word in ["NATURAL", "USING"] where lexer.isWord(token, word) {
                    throw QuestionError.refused("\(word) compares columns without naming them; write ON")
                }
                // A module's own statements read such tables too, so the authorizer cannot know who reads.
                if let name = lexer.name(of: token), let reason = tables.refusal(of: name, mask) {
                    throw QuestionError.refused(reason)
                }
            }
        } catch let error as SQLTextError {
            throw .invalid(error.description)
        } catch let error as QuestionError {
            throw error
        } catch {
            throw .invalid("it cannot be read")
        }
    }
}

extension QuestionText {
    /// Whether a statement names what only the tables of the file have, and not views in their place: the schema, or a
    /// row ID. Some builds of SQLite read the row ID of a view as NULL, others refuse it.
    static func namesTablesThemselves(_ sql: String) -> Bool {
        var lexer = SQLLexer(sql)
        while let token = try? lexer.nextSignificant() {
            if ["main", "rowid", "oid", "_rowid_"].contains(lexer.name(of: token)?.lowercased()) { return true }
        }
        return false
    }
}

/// The prepared statement of a question. It uses SQLite's C interface, because the authorizer must see only what is
/// run.
final class QuestionStatement {
    private let connection: OpaquePointer
    private var statement: OpaquePointer?
    private let sql: String

    init(_ sql: String, on connection: OpaquePointer, _ authorizer: QuestionAuthorizer) throws(QuestionError) {
        self.connection = connection
        self.sql = sql
        var statement: OpaquePointer?
        let code = sql.withCString { sqlite3_prepare_v2(connection, $0, -1, &statement, nil) }
        guard code == SQLITE_OK else {
            throw Self.error(of: connection, sql, authorizer)
        }
        guard let statement else { throw .invalid("it contains no statement") }
        self.statement = statement
        var refusal: QuestionError?
        if sqlite3_stmt_readonly(statement) == 0 || sqlite3_column_count(statement) == 0 {
            refusal = .refused("only what reads is run")
        } else if sqlite3_bind_parameter_count(statement) > 0 {
            refusal = .invalid("it has parameters; write their values instead")
        }
        if let refusal {
            sqlite3_finalize(statement)
            throw refusal
        }
    }

    /// Frees the statement; once more does nothing.
    func finalize() {
        sqlite3_finalize(statement)
        statement = nil
    }

    var columns: [String] {
        (0..<sqlite3_column_count(statement)).map { index in
            sqlite3_column_name(statement, index).map { String(cString: $0) } ?? ""
        }
    }

    /// Steps to the next row; false at the end.
    func next(_ authorizer: QuestionAuthorizer) throws(QuestionError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw Self.error(of: connection, sql, authorizer)
        }
    }

    /// Bytes of memory that a value takes beside its text, until the answer is written.
    private static let bytesPerValue = 80

    /// The bytes that each value of a row takes beside its text: JSON repeats the column's name.
    private lazy var bytesBesideText: [Int] = columns.map { Self.bytesPerValue + WrittenSize.of($0) }

    /// The values of the row, as long as they need at most `room` bytes, which are taken from it.
    func values(room: inout Int) -> [QuestionValue]? {
        var values: [QuestionValue] = []
        for index in 0..<sqlite3_column_count(statement) {
            room -= bytesBesideText[Int(index)]
            let value = value(at: index, room: &room)
            guard room >= 0 else { return nil }
            values.append(value)
        }
        return values
    }

    private func value(at index: CInt, room: inout Int) -> QuestionValue {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(statement, index)
            let count = start == nil ? 0 : Int(sqlite3_column_bytes(statement, index))
            guard room >= count else {
                room = -1
                return .null
            }
            let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
            room -= WrittenSize.of(text)
            return .text(text)
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, index)
            let count = start == nil ? 0 : Int(sqlite3_column_bytes(statement, index))
            let beginning = UnsafeRawBufferPointer(start: start, count: min(count, QuestionValue.beginning))
            return .blob(bytes: count, beginning: Array(beginning))
        default: return .null
        }
    }

    private static func error(
        of connection: OpaquePointer, _ sql: String, _ authorizer: QuestionAuthorizer
    ) -> QuestionError {
        let error = SQLiteErrors.storeError(
            code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)), sql: sql,
            connection: connection)
        switch error.kind {
        // SQLite reports denied functions and views with other messages, and as errors of the SQL.
        case .sql where error.message.hasPrefix("not authorized") || error.message.hasPrefix("access to view"):
            return .refused(error.message)
        case .sql, .constraintViolation: return .invalid(error.message)
        case .denied: return .refused(authorizer.refusal ?? "only what reads is run")
        case .beyondLimits: return .tooBig(error.message)
        default: return .store(error)
        }
    }
}
