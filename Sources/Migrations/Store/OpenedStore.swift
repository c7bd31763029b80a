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
        if isLockedByOthers(first, context) { return try first.get() }
        guard context.location.server == nil,
            let lock = StoreLock.shareExisting(context.location.lockPath, timeout: context.lockTimeout)
        else { return try first.get() }
        defer { withExtendedLifetime(lock) {} }
        (try? first.get())?.close()
        return try look(context)
    }

    /// Whether a database was locked for as long as a connection waits, and no run of migrations is at work. Another look
    /// would only wait again.
    private static func isLockedByOthers(_ first: Result<OpenedStore, any Error>, _ context: StoreContext) -> Bool {
        guard case .failure(let failure) = first,
            case MigrationError.database(_, path: _, let error) = failure, error.kind == .busy
        else { return false }
        return StoreLock.shareExisting(context.location.lockPath, timeout: 0) != nil
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
