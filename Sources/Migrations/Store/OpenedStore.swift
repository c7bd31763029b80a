package import ChatDBEngine
package import ChatDBSchema

/// The facts about a store, with the connections on which they were read. They stay open, so that a command that looks
/// at a store and then reads it opens each database once.
package struct OpenedStore: Sendable {
    /// The facts.
    package let found: FoundStore
    /// The connections to the databases that were read.
    package let connections: [DatabaseName: any StorageConnection]

    /// Opens the databases of a context for reading. Refuses a store with one database missing, unless an interrupted
    /// run was creating it.
    ///
    /// This takes no lock, so another run may be between its two commits at that moment. Databases that do not fit
    /// together are therefore read once more, when no run is at work.
    static func open(_ context: StoreContext) throws -> OpenedStore {
        let first = Result { try look(context) }
        if case .success(let opened) = first, opened.found.fitsTogether { return opened }
        guard context.location.server == nil else { return try first.get() }
        if isBusy(first), let lock = StoreLock.shareExisting(context.location.lockPath, timeout: 0) {
            defer { withExtendedLifetime(lock) {} }
            try requireFree(context)
            return try look(context)
        }
        guard let lock = StoreLock.shareExisting(context.location.lockPath, timeout: context.lockTimeout) else {
            return try first.get()
        }
        defer { withExtendedLifetime(lock) {} }
        (try? first.get())?.close()
        return try look(context)
    }

    /// Whether a database was locked for as long as a connection waits.
    private static func isBusy(_ first: Result<OpenedStore, any Error>) -> Bool {
        guard case .failure(let failure) = first, case MigrationError.database(_, path: _, let error) = failure else {
            return false
        }
        return error.kind == .busy
    }

    /// Throws if a database is locked now. No run of migrations is at work: the one that had the lock has just ended, or
    /// another program has it, for which a connection would only wait again.
    private static func requireFree(_ context: StoreContext) throws {
        guard let engine = context.engine as? any LockWaiting else { return }
        var atOnce = StoreContext(engine: engine.waiting(0), location: context.location, build: context.build)
        atOnce.only = context.only
        try look(atOnce).close()
    }

    /// Opens the databases to write them, while the caller has the store's lock.
    static func openForWriting(_ context: StoreContext) throws -> OpenedStore {
        try open(context.databases, of: context, as: .existing, interrupted: nil)
    }

    private static func look(_ context: StoreContext) throws -> OpenedStore {
        let (record, databases) = try FoundStore.databases(of: context)
        return try open(databases, of: context, as: .untrusted, interrupted: record)
    }

    private static func open(
        _ databases: [DatabaseName], of context: StoreContext, as mode: OpenMode, interrupted: IntentRecord?
    ) throws -> OpenedStore {
        var parts: [DatabaseName: FoundDatabase] = [:]
        var connections: [DatabaseName: any StorageConnection] = [:]
        do {
            for database in databases {
                let (found, connection) = try context.openFound(database, as: mode)
                (parts[database], connections[database]) = (found, connection)
            }
        } catch {
            for connection in connections.values { try? connection.close() }
            throw error
        }
        return OpenedStore(found: FoundStore(parts: parts, interrupted: interrupted), connections: connections)
    }

    /// Closes the connections. An error changes nothing for the caller, who has read the facts.
    package func close() {
        for connection in connections.values { try? connection.close() }
    }
}
