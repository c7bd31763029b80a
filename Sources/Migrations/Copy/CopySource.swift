import ChatDBEngine
import ChatDBSchema

/// The store that is copied, as it is at one moment.
///
/// A store that stays is read through a snapshot, while other programs go on writing. A store that moves is locked
/// against writers until its mark is committed: a change after the moment would be in the source alone.
final class CopySource {
    /// What happens to the store.
    enum Use {
        /// It is only examined.
        case look
        /// It is copied, and stays in use.
        case stay
        /// It is copied, and gets the mark.
        case move
    }

    private let context: StoreContext
    /// Connections that keep a store of files open: the snapshot then has SQLite's locks, so that other programs may
    /// write meanwhile. Empty for a store on a disk that cannot be written.
    private var held: [any StorageConnection] = []
    /// The connections with the locks and the mark; empty for a store that stays.
    private var locked: [DatabaseMigration] = []
    private let lock: StoreLock?
    /// Nil after the last row was read.
    private var snapshot: StoreSnapshot?
    /// The identity of the store.
    let identity: StoreIdentity

    /// - Parameter passesMoved: whether the store may have the mark already. Its rows are then only read: the place to
    ///   which it moved may be lost.
    init(_ context: StoreContext, _ use: Use, passesMoved: Bool = false) throws {
        self.context = context
        var gate = StoreGate(context)
        gate.passesMoved = passesMoved
        try gate.check()
        lock = use == .move ? try context.takeLock(.alone) : nil
        switch use {
        case .look: break
        case .stay:
            if context.location.server == nil {
                held = context.databases.compactMap {
                    try? context.engine.open(context.location.path(of: $0), as: .existing)
                }
            }
        case .move:
            // A migration may have run since the check.
            try StoreGate(context).check()
            let taken = try context.takeDatabases()
            try Self.hold(taken, context)
            locked = taken
        }
        let snapshot = try StoreSnapshot(
            of: context.databases, at: context.location, engine: context.engine, patience: max(context.lockTimeout, 1),
            cancellation: context.cancellation)
        guard let identity = snapshot.identity else {
            throw MigrationError.mismatchedPair(
                chat: snapshot.parts.first { $0.database == .chat }?.found.identity,
                agent: snapshot.parts.first { $0.database == .agent }?.found.identity)
        }
        for part in snapshot.parts where part.found.applied.map(\.name) != context.build[part.database]?.map(\.name) {
            throw MigrationError.inUse(part.database, by: [])
        }
        self.snapshot = snapshot
        self.identity = identity
    }

    /// Keeps all other programs from writing the store, and checks that the mark can be written.
    private static func hold(_ locked: [DatabaseMigration], _ context: StoreContext) throws {
        for part in locked {
            // Another copy may have ended while this one waited for its lock.
            if let place = part.found.movedTo { throw MigrationError.moved(to: place) }
            do throws(StoreError) {
                try part.connection.holdForMove(waiting: context.lockTimeout)
            } catch {
                if error.kind == .busy { throw MigrationError.inUse(part.database, by: []) }
                throw MigrationError.database(part.database, path: part.path, error)
            }
        }
    }

    deinit {
        snapshot = nil
        for part in locked { part.connection.close() }
        for connection in held { try? connection.close() }
    }

    /// The databases, agent first.
    var databases: [DatabaseName] { context.databases }

    /// The path of a database, for errors.
    func path(of database: DatabaseName) -> String { context.location.path(of: database) }

    /// The connection that reads the rows of a database.
    func rows(of database: DatabaseName) throws -> any TableSource & SnapshotConnection {
        guard let part = snapshot?.parts.first(where: { $0.database == database }),
            let source = part.connection as? any TableSource & SnapshotConnection
        else { throw StoreError(.other, "the rows of the \(database) database cannot be read") }
        return source
    }

    /// The tables with the numbers of their rows.
    func counts() throws -> [CopyReport.Table] {
        try databases.flatMap { database in
            let source = try rows(of: database)
            return try source.copied(source.ordinaryTables()).map { table in
                CopyReport.Table(database: database, name: table, rows: try source.rowCount(of: table), sum: nil)
            }
        }
    }

    /// Throws when another program has written the store so that what was read is not of one moment.
    func requireUnchanged() throws {
        for part in snapshot?.parts ?? [] {
            try MigrationError.naming(part.database, part.path) { try part.connection.requireUnchanged() }
        }
    }

    /// Writes the mark into a store that moves. The snapshot ends: the server would wait for it, to add a column.
    func mark(movedTo target: StoreLocation) throws {
        try context.cancellation.check()
        try requireUnchanged()
        snapshot = nil
        for part in locked {
            try MigrationError.naming(part.database, part.path) {
                try StoreIdentity.setMoved(to: target.prefix, in: part.connection)
            }
        }
    }

    /// Commits the mark, after the copy is committed. A file that fails does not keep the other one from its commit, and
    /// the mark of one is enough: chatdb then refuses to write the store. A server has one commit, the last.
    func commitMark(after target: StoreLocation) throws {
        let waiting = Waiting(seconds: context.lockTimeout)
        var failures: [StoreError] = []
        for part in locked {
            do throws(StoreError) {
                try Self.commit(part.connection, waiting)
            } catch {
                failures.append(error)
            }
        }
        let isMarked = context.location.server == nil ? failures.count < locked.count : failures.isEmpty
        if !isMarked, let first = failures.first { throw CopyError.notMarked(copy: target.prefix, first) }
    }

    /// Commits. A file in a rollback journal mode cannot be committed while another program reads it; the transaction
    /// then stays open.
    private static func commit(_ connection: any MigrationConnection, _ waiting: Waiting) throws(StoreError) {
        while true {
            do throws(StoreError) {
                return try connection.commit()
            } catch {
                guard error.kind == .busy, connection.isInTransaction, !waiting.isOver else { throw error }
                waiting.pause()
            }
        }
    }
}

extension TableReading {
    /// Those of some tables that have rows of the app, sorted: without those of chatdb, which the new store has from
    /// its creation, and without the index of a search.
    func copied(_ tables: Set<String>) throws(StoreError) -> [String] {
        try tables.subtracting(Ledger.tables).subtracting(searchIndexes()).sorted()
    }
}
