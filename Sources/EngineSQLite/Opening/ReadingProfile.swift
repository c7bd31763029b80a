import ChatDBEngine
import GRDB

/// The set-up of a connection that reads.
enum ReadingProfile: Sendable {
    /// How long a connection waits for a lock of another program, in seconds.
    static let usualPatience: Double = 5

    /// For a database of our own; with a time limit, for an untrusted one that is copied as it is, with values of any
    /// size.
    case plain(QueryTimeLimit? = nil)
    /// For an untrusted database; with views, shown as another version of it.
    case hardened(QueryTimeLimit, views: TemporaryViews? = nil)
    /// For questions to an untrusted database, which may compute long values.
    case questions(QueryTimeLimit)

    /// The time limit of queries; nil for none.
    var timeLimit: QueryTimeLimit? {
        switch self {
        case .plain(let timeLimit): timeLimit
        case .hardened(let timeLimit, _), .questions(let timeLimit): timeLimit
        }
    }

    /// The notes of the views about the database; empty before it is open.
    var notes: [String] {
        switch self {
        case .plain, .questions: []
        case .hardened(_, let views): views?.notes ?? []
        }
    }

    /// Opens a database for reading only.
    ///
    /// - Parameter patience: how long the connection waits for a lock of another program, in seconds.
    func open(_ path: String, patience: Double = usualPatience) throws(StoreError) -> DatabaseQueue {
        do throws(StoreError) {
            return try open(path, trustingSchema: false, patience)
        } catch {
            // Of SQLite's functions only those for JSON are not innocuous, and SQLite refuses a schema that calls one.
            if case .plain = self { throw error }
            guard error.kind == .beyondLimits, SQLiteErrors.isUseOfJSON(error.message) else { throw error }
            return try open(path, trustingSchema: true, patience)
        }
    }

    private func open(
        _ path: String, trustingSchema: Bool, _ patience: Double
    ) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.foreignKeysEnabled = false
        // GRDB ends the process when a transaction is left open; `SQLiteConnection` ends ours.
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(patience)
        configuration.label = "chatdb.reading"
        // The connection keeps its configuration, and so this profile and its time limit, as long as it lives.
        configuration.prepareDatabase { database in
            do {
                try prepare(database, trustingSchema: trustingSchema)
                // SQLite reads the schema here, and not where GRDB reads it first: the connection knows more about an
                // error than its code.
                try database.execute(sql: "SELECT 1 FROM sqlite_master LIMIT 1")
            } catch let error as DatabaseError where SQLiteErrors.knowsMore(than: error) {
                throw SQLiteErrors.opening(error, in: database)
            }
        }
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw timeLimit?.error ?? SQLiteErrors.opening(error)
        }
    }

    /// Sets up a connection before SQLite has read more of the file than its header.
    private func prepare(_ database: Database, trustingSchema: Bool) throws {
        // Before SQLite reads the schema: it checks only then whether the schema calls the function.
        if case .questions = self {} else { TextFunction.add(to: database) }
        switch self {
        case .plain(let timeLimit):
            timeLimit?.install(on: database)
            try ConnectionOptions.disableExtensions(of: database)
            // Sorting must not write parts of messages into a temporary file.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        case .hardened(let timeLimit, let views):
            try HardenedProfile.prepare(database, timeLimit: timeLimit, views: views, trustingSchema: trustingSchema)
        case .questions(let timeLimit):
            try HardenedProfile.prepare(
                database, timeLimit: timeLimit, longestValue: HardenedProfile.longestOfQuestions,
                trustingSchema: trustingSchema)
        }
    }
}
