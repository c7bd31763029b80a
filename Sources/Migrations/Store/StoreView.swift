import ChatDBEngine
import ChatDBSchema

/// A store as it is found, read without changing anything.
struct StoreView {
    /// One database as it is found.
    struct Part {
        let ledger: [LedgerEntry]
        let identity: StoreIdentity?
        let mark: Int64?
        let path: String
        /// The SQL of its triggers by name; not looked at in a run, which compares the whole schema.
        var triggers: [String: String] = [:]
    }

    /// The databases that are there.
    let parts: [DatabaseName: Part]
    /// The record of a run that was interrupted, if there is one.
    let interrupted: IntentRecord?

    /// Whether nothing is there yet.
    var isAbsent: Bool { parts.isEmpty }

    /// Looks at the databases a context concerns. A store that is partly there is refused, unless a run that was making
    /// it was interrupted.
    ///
    /// Looking takes no lock, so another run may be between its two commits at that moment. What does not fit together
    /// is therefore looked at once more, when nobody is at work.
    static func read(_ context: StoreContext) throws -> StoreView {
        let first = Result { try look(context) }
        if case .success(let view) = first, view.fitsTogether { return view }
        guard
            let lock = StoreLock.shareExisting(context.location.lockPath, timeout: context.lockTimeout)
        else { return try first.get() }
        defer { withExtendedLifetime(lock) {} }
        return try look(context)
    }

    private var fitsTogether: Bool {
        guard interrupted == nil else { return false }
        guard let chat = parts[.chat], let agent = parts[.agent] else { return true }
        return chat.identity == agent.identity
    }

    private static func look(_ context: StoreContext) throws -> StoreView {
        let location = context.location
        try RestoreRecord.refuse(at: location)
        let record = try IntentRecord.read(location.intentPath)
        if let record, context.only != nil,
            record.courses.keys.contains(where: { $0 != context.only })
        {
            throw MigrationError.interruptedMigration(record, reason: MigrationError.concernsBoth)
        }
        if let record, record.creates { return StoreView(parts: [:], interrupted: record) }
        let missing = context.databases.filter { location.state(of: $0) == .missing }
        if missing.count == context.databases.count {
            guard FileState(at: location.folder) == .notRegular(.directory) else {
                throw MigrationError.noFolder(path: location.folder)
            }
            for database in missing { try StoreCreation.refuseStrayFiles(of: database, at: location) }
            return StoreView(parts: [:], interrupted: record)
        }
        if let one = missing.first {
            throw MigrationError.incompleteStore(missing: one, path: location.path(of: one))
        }
        let parts = try parts(of: context.databases, at: location, engine: context.engine)
        return StoreView(parts: parts, interrupted: record)
    }

    /// Databases as they are found, each opened anew.
    static func parts(
        of databases: [DatabaseName], at location: StoreLocation, engine: any StorageEngine
    ) throws(MigrationError) -> [DatabaseName: Part] {
        var parts: [DatabaseName: Part] = [:]
        for database in databases {
            parts[database] = try part(database, at: location.path(of: database), engine: engine)
        }
        return parts
    }

    /// The store as a run found it, inside its transactions.
    init(_ changes: [DatabaseChange], interrupted: IntentRecord?) throws {
        var parts: [DatabaseName: Part] = [:]
        for change in changes {
            parts[change.database] = Part(
                ledger: change.ledger, identity: change.identity, mark: try change.connection.applicationMark(),
                path: change.path)
        }
        self.init(parts: parts, interrupted: interrupted)
    }

    private init(parts: [DatabaseName: Part], interrupted: IntentRecord?) {
        self.parts = parts
        self.interrupted = interrupted
    }

    private static func part(
        _ database: DatabaseName, at path: String, engine: any StorageEngine
    ) throws(MigrationError) -> Part {
        do {
            let connection = try engine.open(path, as: .untrusted)
            defer { try? connection.close() }
            let (ledger, identity, triggers) = try connection.read { transaction in
                (
                    try Ledger.entries(in: transaction), try StoreIdentity.read(in: transaction),
                    try transaction.rows(transaction.dialect.triggers)
                )
            }
            var part = Part(ledger: ledger, identity: identity, mark: try connection.applicationMark(), path: path)
            for row in triggers { part.triggers[try row.get("name")] = try row.get("sql") }
            return part
        } catch let error as StoreError {
            throw .database(database, path: path, error)
        } catch {
            throw MigrationError(error)
        }
    }

    /// Refuses what chatdb did not make, and two databases that do not belong together.
    func refuseStrangers(_ databases: [DatabaseName]) throws(MigrationError) {
        for database in databases {
            guard let part = parts[database] else { continue }
            guard part.mark == StoreMark.of(database) else {
                if SimpleXHistory.isOf(part.ledger) { throw .readOnlyStore }
                throw .notOurs(database, path: part.path)
            }
        }
        guard interrupted == nil, let chat = parts[.chat], let agent = parts[.agent], chat.identity != agent.identity
        else { return }
        throw .mismatchedPair(chat: chat.identity, agent: agent.identity)
    }
}
