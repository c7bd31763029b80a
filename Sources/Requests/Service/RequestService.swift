public import ChatDBKit
import ChatDBReports
import Synchronization

/// One open store that answers requests of JSON-RPC 2.0, for any number of sessions. Rule: docs/requests.md.
///
/// The service holds the store's lock as other writers do, so other programs may read and write the store meanwhile,
/// but not migrate it. It needs no transport: a session answers a line with a line.
///
/// ```swift
/// let context = StoreContext(engine: SQLiteEngine(), location: location, build: try MigrationSource.build.load())
/// let service = try RequestService(opening: context)
/// let session = service.session()
/// let answer = session.respond(to: #"{"jsonrpc":"2.0","id":1,"method":"relays.list"}"#)
/// ```
public final class RequestService: Sendable {
    /// How the service opens the store.
    public enum Mode: Sendable, Hashable {
        /// To read and write a store of chatdb.
        case readWrite
        /// To read, also a store of an older version or of SimpleX Chat. All sessions only read.
        case readOnly
    }

    /// Engine, location and migrations of the store.
    public let context: StoreContext
    /// How the store is open.
    public let mode: Mode
    /// What the service accepts.
    public let limits: ServiceLimits

    private struct Open {
        let store: Store
        let pass: StorePass?
        /// The files at the time of opening, to notice that they were replaced.
        let files: [(path: String, identity: FileIdentity)]
    }

    private struct State {
        var open: Result<Open, any Error>
        /// How many clients have a session.
        var sessions = 0
    }

    private let state: Mutex<State>
    private let hint: @Sendable (any Error) -> String?
    let gate = ServiceGate()
    /// Stops the checks that run.
    let checks = Cancellation()
    /// Ends the validity of unlocked profiles.
    let hiding = HidingCounts()
    let readingTime: ReadingTime
    let subscribers = Subscribers()

    /// Opens a store. A store that needs migrations can be opened: then every request that needs its rows is answered
    /// with `needsUpgrade`, until `migrations.run` has migrated it.
    ///
    /// - Parameters:
    ///   - mayCreate: whether the store may be missing: then `migrations.run` makes it.
    ///   - hint: the next step after an error, for `data.hint`; nil leaves it out.
    ///
    /// Throws a `MigrationError` or `StoreError` when the store cannot be opened.
    public init(
        opening context: StoreContext, mode: Mode = .readWrite, mayCreate: Bool = false,
        limits: ServiceLimits = ServiceLimits(), hint: @escaping @Sendable (any Error) -> String? = { _ in nil }
    ) throws {
        self.context = context
        self.mode = mode
        self.limits = limits
        self.hint = hint
        let open = Result { try Self.open(context, mode) }
        if case .failure(let error) = open, !Self.isMigratable(error, mode, mayCreate) { throw error }
        state = Mutex(State(open: open))
        readingTime = ReadingTime(limit: limits.readingSeconds)
    }

    /// Ends the service: waits for the requests that run, answers further ones with the error `serviceEnding`, and
    /// closes the store. A second call does nothing.
    public func end() {
        beginEnd()
        gate.end()
        close(.ending)
    }

    /// Stops the statements that run, from any thread.
    public func interrupt() {
        try? state.withLock(\.open).get().store.interrupt()
    }
}

extension RequestService {
    /// The open store. Throws if it is not open, or if its files were replaced.
    func store() throws -> Store {
        let open = try state.withLock { state in
            if case .failure(let error) = state.open, Self.mayPass(error) { state.open = Result { try reopened() } }
            return try state.open.get()
        }
        for file in open.files where FileIdentity(at: file.path) != file.identity {
            throw ServiceError.storeReplaced(path: file.path)
        }
        return open.store
    }

    /// The description of an error for the client.
    func describe(_ error: any Error) -> RequestError { RequestError(error, hint: hint) }

    /// Lets no further request in, and stops the checks that run: they can take minutes, and change nothing.
    func beginEnd() {
        gate.beginEnd()
        checks.request()
    }

    /// How many clients have a session.
    var clients: Int { state.withLock(\.sessions) }

    /// Counts a session.
    func enter() { state.withLock { $0.sessions += 1 } }

    /// Counts the end of a session.
    func leave() { state.withLock { $0.sessions -= 1 } }

    /// Throws `otherClients` if another client has a session.
    func requireNoOtherClients() throws(ServiceError) {
        let others = clients - 1
        if others > 0 { throw .otherClients(others) }
    }

    /// Runs `body` with the store closed, and opens it again. Throws `otherClients` if there is another session.
    func migrating<T>(_ body: () throws -> T) throws -> T {
        try requireNoOtherClients()
        return try gate.alone {
            close(.otherClients(0))
            let answer = Result { try body() }
            let again = Result { try reopened() }
            state.withLock { $0.open = again }
            // Other programs may have changed the store while it was closed.
            if case .success = answer { subscribers.storeWasMigrated() } else { subscribers.storeWasReopened() }
            return try answer.get()
        }
    }

    /// Opens the store again, and observes it for the subscribers.
    private func reopened() throws -> Open {
        let open = try Self.open(context, mode)
        try subscribers.observe(open.store)
        return open
    }

    /// Closes the store. The lock is released with the last copy of the pass: a migration takes it alone.
    /// - Parameter reason: the error of requests from now on.
    private func close(_ reason: ServiceError) {
        let open = state.withLock { state in
            defer { state.open = .failure(reason) }
            return state.open
        }
        try? open.get().store.close()
        subscribers.storeWasClosed()
    }

    /// Whether the store may be opened later: another program may have had it for a moment.
    private static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case is ServiceError, MigrationError.needsUpgrade, MigrationError.noStore: false
        default: true
        }
    }

    private static func isMigratable(_ error: any Error, _ mode: Mode, _ mayCreate: Bool) -> Bool {
        guard mode == .readWrite, let error = error as? MigrationError else { return false }
        switch error {
        case .needsUpgrade: return true
        case .noStore: return mayCreate
        default: return false
        }
    }

    private static func open(_ context: StoreContext, _ mode: Mode) throws -> Open {
        let location = context.location
        let store: Store
        var pass: StorePass?
        switch mode {
        case .readWrite:
            let (lock, opened) = try StoreGate(context).openForWriting()
            pass = lock
            store = Store(location, opened.connections)
        case .readOnly:
            let (version, opened) = try StoreGate(context).openReadable()
            if version == .current {
                store = Store(location, opened.connections)
            } else {
                opened.close()
                store = try Store.openForReading(
                    location, with: context.engine, through: VersionPlans.all(context))
            }
        }
        let files = location.databases.compactMap { database -> (path: String, identity: FileIdentity)? in
            let path = location.path(of: database)
            return FileIdentity(at: path).map { (path, $0) }
        }
        return Open(store: store, pass: pass, files: files)
    }
}
