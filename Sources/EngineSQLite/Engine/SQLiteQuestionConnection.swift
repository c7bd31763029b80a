import ChatDBEngine
import ChatDBSchema
import GRDB
import GRDBSQLite
import Synchronization

/// Questions to one SQLite database, over a hardened connection.
struct SQLiteQuestionConnection: QuestionConnection {
    private let connection: SQLiteConnection
    private let database: DatabaseName
    private let timeLimit: QueryTimeLimit
    private let known = KnownTables()

    init(_ connection: SQLiteConnection, to database: DatabaseName, _ timeLimit: QueryTimeLimit) {
        self.connection = connection
        self.database = database
        self.timeLimit = timeLimit
    }

    var notes: [String] { connection.notes }

    func close() throws(StoreError) { try connection.close() }

    func ask(_ question: Question) throws(QuestionError) -> QuestionAnswer {
        var answer: Result<QuestionAnswer, QuestionError>?
        do throws(StoreError) {
            try connection.fact { database in
                let tables = try known.tables(of: database)
                answer = Result { () throws(QuestionError) in try self.answer(question, tables, in: database) }
            }
        } catch {
            // A failed statement can end the transaction too, and its end is then another error.
            if case .failure(let failure)? = answer { throw failure }
            throw .store(error)
        }
        guard let answer else { throw .store(StoreError(.other, "the transaction gave no answer")) }
        return try answer.get()
    }

    private func answer(
        _ question: Question, _ tables: QuestionTables, in database: Database
    ) throws(QuestionError) -> QuestionAnswer {
        let mask = ColumnMask(
            of: self.database, showsPersonal: question.showsPersonal, showsUnknown: question.showsUnknown,
            hasOtherTables: question.hasOtherTables)
        try QuestionText.check(question.sql, tables, mask)
        let authorizer = QuestionAuthorizer(mask, tables)
        let deadline = Deadline(after: question.time)
        let answer = authorizer.installed(on: database) {
            deadline.enforced(on: database, instead: timeLimit) {
                Result { () throws(QuestionError) in
                    try Self.rows(of: question, database, authorizer, mask, tables, deadline)
                }
            }
        }
        if deadline.hasPassed, case .failure = answer { throw .tooSlow(question.time) }
        return try answer.get()
    }

    private static func rows(
        of question: Question, _ database: Database, _ authorizer: QuestionAuthorizer, _ mask: ColumnMask,
        _ tables: QuestionTables, _ deadline: Deadline
    ) throws(QuestionError) -> QuestionAnswer {
        guard let connection = database.sqliteConnection else {
            throw .store(StoreError(.other, "the database is closed"))
        }
        var statement = try QuestionStatement(question.sql, on: connection, authorizer)
        var views: StateViews?
        // First the statement goes, then the views.
        defer { if let views { authorizer.suspended(on: connection) { views.remove() } } }
        defer { statement.finalize() }
        if !authorizer.states.isEmpty, !QuestionText.namesTablesThemselves(question.sql) {
            let read = Set(authorizer.states.map { $0.table.lowercased() }).intersection(tables.others)
            statement.finalize()
            views = authorizer.suspended(on: connection) { StateViews(hiding: read, mask, on: connection) }
            do throws(QuestionError) {
                authorizer.restart(over: views?.tables ?? [])
                statement = try QuestionStatement(question.sql, on: connection, authorizer)
            } catch {
                // A view has no index, for example. Without the views, the states are masked.
                if let made = views { authorizer.suspended(on: connection) { made.remove() } }
                views = nil
                authorizer.restart(over: [])
                statement = try QuestionStatement(question.sql, on: connection, authorizer)
            }
        }
        let results = MaskedResults(of: question.sql, on: connection, authorizer, statement)
        var rows: [[QuestionValue]] = []
        var room = question.bytes
        var isComplete = true
        while try statement.next(authorizer) {
            if rows.count >= question.rows {
                isComplete = false
                break
            }
            guard let row = statement.values(room: &room) else { throw .tooLarge(bytes: question.bytes) }
            rows.append(results.shown(row))
            // SQLite may not call the progress handler during a statement with many cheap rows.
            if deadline.look() { throw .tooSlow(question.time) }
        }
        return QuestionAnswer(
            columns: statement.columns, rows: rows, masked: authorizer.masked,
            shortened: views == nil ? [] : authorizer.states, isComplete: isComplete, isUnclear: results.isUnclear)
    }
}

/// The kinds of tables of one file, read again when its schema changes: a bundle runs a query for each table.
private final class KnownTables: Sendable {
    private let known = Mutex<(version: Int64?, tables: QuestionTables)?>(nil)

    /// Called in the transaction of the query. SQLite reads a changed schema again by the same number.
    func tables(of database: Database) throws -> QuestionTables {
        let version = try Int64.fetchOne(database, sql: "PRAGMA schema_version")
        if let known = known.withLock({ $0 }), let version, known.version == version { return known.tables }
        let tables = try QuestionTables(of: database)
        known.withLock { $0 = (version, tables) }
        return tables
    }
}

/// The moment by which a query must end. It is wall-clock time, not processor time, because a person waits for the
/// result.
final class Deadline: Sendable {
    /// Instructions of SQLite's virtual machine between two calls of the progress handler.
    private static let instructions: CInt = 10_000

    private let end: ContinuousClock.Instant
    private let passed = Atomic<Bool>(false)

    init(after time: Duration) {
        end = .now + time
    }

    /// Whether a look at the clock found that it has passed.
    var hasPassed: Bool { passed.load(ordering: .relaxed) }

    /// Runs `body` with this deadline in the place of the time limit of queries, by progress handler and by watchdog.
    func enforced<T>(
        on database: Database, instead timeLimit: QueryTimeLimit, _ body: () throws -> T
    ) rethrows -> T {
        timeLimit.pause()
        sqlite3_progress_handler(
            database.sqliteConnection, Self.instructions,
            { context in
                guard let context else { return 1 }
                return Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().look() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer {
            timeLimit.install(on: database)
            timeLimit.restart()
        }
        return try InterruptWatchdog.shared.watch(database, interruptingWhen: { self.look() }, during: body)
    }

    /// Looks at the clock: whether the deadline has passed by now.
    @discardableResult
    func look() -> Bool {
        if !hasPassed, ContinuousClock.now >= end { passed.store(true, ordering: .relaxed) }
        return hasPassed
    }
}
