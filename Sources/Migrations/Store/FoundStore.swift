import ChatDBEngine
import ChatDBSchema

/// A store as it is found, read without changing anything.
struct FoundStore {
    /// The databases that are there.
    let parts: [DatabaseName: FoundDatabase]
    /// The record of a run that was interrupted, if there is one.
    let interrupted: IntentRecord?

    /// Whether nothing is there yet.
    var isAbsent: Bool { parts.isEmpty }

    /// Looks at the databases a context concerns. A store that is partly there is refused, unless a run that was making
    /// it was interrupted.
    ///
    /// Looking takes no lock, so another run may be between its two commits at that moment. What does not fit together
    /// is therefore looked at once more, when nobody is at work.
    static func read(_ context: StoreContext) throws -> FoundStore {
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

    private static func look(_ context: StoreContext) throws -> FoundStore {
        let location = context.location
        try RestoreRecord.refuse(at: location)
        let record = try IntentRecord.read(location.intentPath)
        if let record, context.only != nil,
            record.courses.keys.contains(where: { $0 != context.only })
        {
            throw MigrationError.interruptedMigration(record, reason: MigrationError.concernsBoth)
        }
        if let record, record.creates { return FoundStore(parts: [:], interrupted: record) }
        let missing = context.databases.filter { location.state(of: $0) == .missing }
        if missing.count == context.databases.count {
            guard FileState(at: location.folder) == .notRegular(.directory) else {
                throw MigrationError.noFolder(path: location.folder)
            }
            for database in missing { try context.refuseStrayFiles(of: database) }
            return FoundStore(parts: [:], interrupted: record)
        }
        if let one = missing.first {
            throw MigrationError.incompleteStore(missing: one, path: location.path(of: one))
        }
        var parts: [DatabaseName: FoundDatabase] = [:]
        for database in context.databases { parts[database] = try context.find(database) }
        return FoundStore(parts: parts, interrupted: record)
    }

    init(parts: [DatabaseName: FoundDatabase], interrupted: IntentRecord?) {
        self.parts = parts
        self.interrupted = interrupted
    }

    /// Refuses what chatdb did not make, and two databases that do not belong together.
    func refuseStrangers(_ databases: [DatabaseName]) throws(MigrationError) {
        for database in databases {
            guard let part = parts[database] else { continue }
            guard part.kind == .chatdb else {
                throw part.kind == .simplex ? .readOnlyStore : .notOurs(database, path: part.path)
            }
        }
        guard interrupted == nil, let chat = parts[.chat], let agent = parts[.agent], chat.identity != agent.identity
        else { return }
        throw .mismatchedPair(chat: chat.identity, agent: agent.identity)
    }
}
