import ChatDBEngine
import ChatDBSchema
import GRDB

/// Questions to one SQLite database, over a hardened connection.
struct SQLiteQuestionConnection: QuestionConnection {
    private let connection: SQLiteConnection
    private let database: DatabaseName
    private let patience: Patience

    init(_ connection: SQLiteConnection, to database: DatabaseName, _ patience: Patience) {
        self.connection = connection
        self.database = database
        self.patience = patience
    }

    var notes: [String] { connection.notes }

    func close() throws(StoreError) { try connection.close() }

    func ask(_ question: Question) throws(QuestionError) -> QuestionAnswer {
        let answer: Result<QuestionAnswer, QuestionError>
        do throws(StoreError) {
            answer = try connection.fact { database in
                let tables = try QuestionTables(of: database)
                return Result { () throws(QuestionError) in try self.answer(question, tables, in: database) }
            }
        } catch {
            throw .store(error)
        }
        return try answer.get()
    }

    private func answer(
        _ question: Question, _ tables: QuestionTables, in database: Database
    ) throws(QuestionError) -> QuestionAnswer {
        let mask = ColumnMask(of: self.database, showsPersonal: question.showsPersonal)
        try QuestionText.check(question.sql, tables, mask)
        let authorizer = QuestionAuthorizer(mask, tables)
        let deadline = Deadline(after: question.time)
        let answer = authorizer.whileWatching(database) {
            deadline.whileWatching(database, then: patience) {
                Result { () throws(QuestionError) in try Self.rows(of: question, database, authorizer, deadline) }
            }
        }
        if deadline.hasPassed, case .failure = answer { throw .tooSlow(question.time) }
        return try answer.get()
    }

    private static func rows(
        of question: Question, _ database: Database, _ authorizer: QuestionAuthorizer, _ deadline: Deadline
    ) throws(QuestionError) -> QuestionAnswer {
        guard let connection = database.sqliteConnection else {
            throw .store(StoreError(.other, "the database is closed"))
        }
        let statement = try QuestionStatement(question.sql, on: connection, authorizer)
        defer { statement.finalize() }
        var rows: [[QuestionValue]] = []
        var room = question.bytes
        var isComplete = true
        while try statement.next(authorizer) {
            if rows.count >= question.rows {
                isComplete = false
                break
            }
            guard let row = statement.values(room: &room) else { throw .tooLarge(bytes: question.bytes) }
            rows.append(row)
            // A statement with many cheap rows may never be asked while it runs.
            if deadline.look() { throw .tooSlow(question.time) }
        }
        return QuestionAnswer(
            columns: statement.columns, rows: rows, masked: authorizer.masked, isComplete: isComplete)
    }
}
