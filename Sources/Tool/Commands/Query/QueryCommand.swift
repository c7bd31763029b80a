import ArgumentParser
import ChatDBKit
import Foundation

struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Run a read-only SQL query, with secrets masked and limits set.",
        discussion: """
            Runs one statement on the chat database, or on the database that --only names; - reads the statement from \
            standard input. Columns with keys and passwords are NULL. Columns with personal data are NULL unless \
            --show personal is given. A column that is not in the catalogue counts as secret, and --show unknown shows \
            it; chatdb schema show TABLE shows the class of each column. Masking only prevents accidents: anyone who has the file can read all of \
            it. Works on a store of any version.

            Examples:
              chatdb query 'SELECT relay_status, count(*) FROM group_relays GROUP BY 1'
              chatdb query --show personal 'SELECT address FROM chat_relays' --format csv
              chatdb query --show unknown 'SELECT * FROM t' --database chat=app.db
              cat question.sql | chatdb query - --only agent --limit 50 -d ~/Downloads/simplex
            """)

    @Argument(help: ArgumentHelp("The statement, or - to read it from standard input.", valueName: "sql"))
    var sql: String

    @Option(help: ArgumentHelp("Query this database (default: chat).", valueName: "database"))
    var only: DatabaseName?

    @Option(
        help: ArgumentHelp("Show the columns of this class too; can be given twice.", valueName: "class"))
    var show: [QueriedClass] = []

    @Option(help: ArgumentHelp("Maximum number of rows.", valueName: "n"))
    var limit = 1_000

    @Option(help: ArgumentHelp("Maximum time, in seconds.", valueName: "s"))
    var timeout = 30.0

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    /// A length above the limit for statements.
    private static let longestSQL = 1_000_000

    func validate() throws {
        if !(1...1_000_000).contains(limit) { throw ValidationError("--limit must be between 1 and 1000000") }
        if !(timeout > 0 && timeout <= 86_400) {
            throw ValidationError("--timeout must be more than 0 and at most 86400 seconds")
        }
    }

    /// The memory that SQLite may take. The answer takes some beside it, and both stay below the limit of the process.
    private static let memoryOfEngine: Int64 = 320 << 20

    func run() throws {
        SQLiteEngine.limitMemory(toBytes: Self.memoryOfEngine)
        let output = try output.output()
        let sql = try statement()
        let (database, path, there) = try queried(output)
        let mask = ColumnMask(
            of: database, showsPersonal: show.contains(.personal), showsUnknown: show.contains(.unknown),
            hasOtherTables: try hasOtherTables(database))
        let answer = try ask(sql, mask, path, there, output)
        try output.write(QueryReport(database: database, answer: answer))
        if let note = QueryReport.note(on: answer.masked, by: mask, in: sql) { output.note(note) }
        if let note = QueryReport.note(onStates: answer.shortened) { output.note(note) }
        if answer.isUnclear {
            output.note("chatdb cannot follow this statement: any value may be computed from masked columns")
        }
        if !answer.isComplete { throw TooManyRows(limit: limit) }
    }

    /// The database of the query, and the databases that the store has. A file of lost rows is no part of a store.
    private func queried(
        _ output: Output
    ) throws -> (database: DatabaseName, path: String, there: [DatabaseName]) {
        if let file = try store.lostRows(), only == nil || only == file.database {
            return (file.database, file.path, DatabaseName.allCases)
        }
        let source = try SchemaSource.store(store.location(), with: store.fileEngine())
        output.detail("the store is \(source.context.location.prefix)")
        let there = try source.databases(only)
        let database = there.contains(.chat) ? DatabaseName.chat : .agent
        if database != .chat, only == nil, source.context.location.databases.contains(.chat) {
            output.note("the chat database is missing, so chatdb queries the agent database")
        }
        return (database, source.context.location.path(of: database), there)
    }

    private func ask(
        _ sql: String, _ mask: ColumnMask, _ path: String, _ there: [DatabaseName], _ output: Output
    ) throws -> QuestionAnswer {
        let database = mask.database
        let question = Question(
            sql, showsPersonal: mask.showsPersonal, showsUnknown: mask.showsUnknown,
            hasOtherTables: mask.hasOtherTables, rows: limit, time: .seconds(timeout))
        do {
            let engine = try store.lostRows() == nil ? store.fileEngine() : SQLiteEngine()
            let connection = try engine.openForQuestions(path, of: database)
            defer { try? connection.close() }
            for note in connection.notes { output.note("the \(database) database: \(note)") }
            return try connection.ask(question)
        } catch let error as QuestionError {
            let missing = DatabaseName.allCases.filter { !there.contains($0) && only == nil }
            throw FailedQuery(
                error: error, database: database, path: path, missing: missing,
                tablesOfOther: mask.hasOtherTables && error.isOfMissingTable ? tablesOfOther(than: database) : nil)
        } catch let error as StoreError {
            throw FailedQuery.report(of: error, at: path)
        }
    }

    /// Whether the tables are of other migrations than chatdb's, or of another program whose file was named.
    private func hasOtherTables(_ database: DatabaseName) throws -> Bool {
        if try store.lostRows() != nil { return false }
        let context = StoreContext(engine: try store.fileEngine(), location: try store.location(), build: [:])
        let isNamed = context.location.hasNamedFiles
        guard let found = try? context.find(database) else { return isNamed }
        return found.hasOtherTables(isNamed: isNamed) && (isNamed || found.kind != .unknown)
    }

    /// The tables of the other database in lower case; none if it was not named or cannot be read. A query reads no views
    /// of such a database.
    private func tablesOfOther(than database: DatabaseName) -> Set<String> {
        guard let engine = try? store.fileEngine(), let location = try? store.location(),
            let other = location.databases.first(where: { $0 != database }),
            let structure = try? StoreContext(engine: engine, location: location, build: [:]).wholeStructure(of: other)
        else { return [] }
        return Set(structure.tables.keys.map { $0.lowercased() })
    }

    private func statement() throws -> String {
        guard sql == "-" else { return sql }
        let bytes = try InputFile.read("-", upTo: Self.longestSQL)
        guard bytes.count <= Self.longestSQL else {
            throw UnreadableStatement(reason: "it is longer than 1,000,000 bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UnreadableStatement(reason: "it is not UTF-8")
        }
        return text
    }
}
