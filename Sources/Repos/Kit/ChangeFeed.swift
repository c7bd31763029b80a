package import ChatDBEngine
import ChatDBSchema
import Dispatch
import Synchronization

/// What a ``ChangeFeed`` saw.
package enum SeenChange: Sendable {
    /// This store committed a transaction in its chat database.
    case committed(TableChanges)
    /// Another connection committed in the chat database, in this process or in another one.
    case changedElsewhere
    /// Another connection applied or took back migrations of one of the databases.
    case migrated
}

/// A receiver of what a ``ChangeFeed`` sees. Its methods must return at once: a commit waits for them.
package protocol ChangeReceiver: AnyObject, Sendable {
    /// Called once for each change, on any thread.
    func receive(_ change: SeenChange)

    /// Called when the store closes. No change follows.
    func end()
}

/// The changes of one store, for its receivers. Rule: docs/events.md.
///
/// It reports the commits of the store's own chat connection at once. At an interval it compares the stamps of both
/// databases, for commits of other connections. Without receivers it records and compares nothing.
package final class ChangeFeed: Sendable {
    /// A receiver, with the interval it asked for.
    private struct Listener {
        let receiver: any ChangeReceiver
        let interval: Duration
    }

    /// A database as it was when it was last compared.
    private struct Known {
        var stamp: SourceStamp
        /// The names in the ledger of migrations.
        var migrations: [String]
    }

    private struct State {
        var isClosed = false
        var listeners: [UInt64: Listener] = [:]
        var nextNumber: UInt64 = 0
        var recording: (any CommitRecording)?
        var known: [DatabaseName: Known] = [:]
        /// Nil without listeners.
        var timer: (any DispatchSourceTimer)?
        /// The interval of the timer.
        var interval: Duration?
    }

    private let connections: [DatabaseName: any StorageConnection]
    private let state = Mutex(State())
    /// Held while the first receiver is added or the databases are compared: both read the databases.
    private let comparing = Mutex(())
    /// Compares. Its work waits for transactions of this store, and so has a thread that may block.
    private let queue = DispatchQueue(label: "chatdb.store.changes")

    init(_ connections: [DatabaseName: any StorageConnection]) {
        self.connections = connections
    }

    deinit { end() }

    /// Adds a receiver, and returns the number by which it is removed. The receiver gets every change that is committed
    /// after this returns. Throws if the store was opened in a way that shows no later changes, and if it is closed.
    ///
    /// - Parameters:
    ///   - tables: the tables of the chat database that are recorded; the same for every receiver.
    ///   - interval: the time between two comparisons, at most an hour. The shortest of all receivers counts.
    package func add(
        _ receiver: any ChangeReceiver, recording tables: Set<String>, comparingEvery interval: Duration
    ) throws(StoreError) -> UInt64 {
        // A transaction of the calling thread would wait for a comparison, and the comparison for the transaction.
        for connection in connections.values { try connection.requireOutsideTransaction() }
        return try comparing.withLock { _ throws(StoreError) in
            while true {
                if state.withLock({ $0.known.isEmpty }) { try start(recording: tables) }
                if let number = try insert(receiver, interval) { return number }
            }
        }
    }

    /// Inserts a receiver. Returns nil if the feed has stopped in the meantime, because its last receiver was removed.
    private func insert(_ receiver: any ChangeReceiver, _ interval: Duration) throws(StoreError) -> UInt64? {
        try state.withLock { state throws(StoreError) in
            if state.isClosed {
                state.recording = nil
                throw StoreError(.other, "the database is closed")
            }
            if state.known.isEmpty { return nil }
            let number = state.nextNumber
            state.nextNumber += 1
            state.listeners[number] = Listener(receiver: receiver, interval: interval)
            setTimer(&state)
            return number
        }
    }

    /// Removes a receiver. A call that has begun may still end after this returns.
    package func remove(_ number: UInt64) {
        state.withLock { state in
            state.listeners[number] = nil
            setTimer(&state)
        }
    }

    /// Ends the feed, and tells its receivers.
    func end() {
        let receivers = state.withLock { state in
            state.isClosed = true
            let receivers = state.listeners.values.map(\.receiver)
            state.listeners = [:]
            setTimer(&state)
            return receivers
        }
        for receiver in receivers { receiver.end() }
    }

    /// Begins to record, and notes the databases as they are.
    private func start(recording tables: Set<String>) throws(StoreError) {
        var known: [DatabaseName: Known] = [:]
        for (name, connection) in connections {
            guard let stamp = try connection.sourceStamp() else { continue }
            known[name] = Known(stamp: stamp, migrations: try Self.migrations(in: connection))
        }
        if known.isEmpty {
            throw StoreError(
                .other, "this store does not see later changes: it was opened for reading while no program had it open")
        }
        let recording = try connections[.chat]?.recordCommits(in: tables) { [weak self] changes in
            self?.send(.committed(changes))
        }
        state.withLock { state in
            state.known = known
            state.recording = recording
        }
    }

    /// Sets the timer to the shortest interval of the listeners. Without listeners, it ends the timer and the recording.
    private func setTimer(_ state: inout State) {
        let interval = state.listeners.values.map(\.interval).min()
        if interval == state.interval { return }
        state.interval = interval
        state.timer?.cancel()
        state.timer = nil
        guard let interval else {
            state.recording = nil
            state.known = [:]
            return
        }
        let (seconds, attoseconds) = interval.components
        let step = DispatchTimeInterval.nanoseconds(
            Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + step, repeating: step, leeway: .milliseconds(5))
        timer.setEventHandler { [weak self] in self?.compare() }
        timer.activate()
        state.timer = timer
    }

    /// Compares both databases with what is known of them. A database that cannot be read now is compared the next time.
    private func compare() {
        comparing.withLock { _ in
            var changes: [SeenChange] = []
            for (name, known) in state.withLock({ $0.known }) {
                guard let connection = connections[name], let stamp = try? connection.sourceStamp(),
                    stamp != known.stamp, let migrations = try? Self.migrations(in: connection)
                else { continue }
                // A feed that has stopped in the meantime knows nothing.
                state.withLock { state in
                    if state.known[name] != nil { state.known[name] = Known(stamp: stamp, migrations: migrations) }
                }
                if migrations != known.migrations {
                    changes.append(.migrated)
                } else if name == .chat {
                    changes.append(.changedElsewhere)
                }
            }
            for change in changes { send(change) }
        }
    }

    private func send(_ change: SeenChange) {
        let receivers = state.withLock { $0.listeners.values.map(\.receiver) }
        for receiver in receivers { receiver.receive(change) }
    }

    /// The names in the ledger of migrations; empty without a ledger. The ledger of a store of SimpleX Chat has the same
    /// name and the same column.
    private static func migrations(in connection: any StorageConnection) throws(StoreError) -> [String] {
        do {
            return try connection.read { tx in
                guard try tx.first(tx.dialect.tableExists("migrations")) != nil else { return [] }
                return try tx.rows("SELECT name FROM migrations ORDER BY name").map { try $0.get("name") }
            }
        } catch {
            throw error as? StoreError ?? StoreError(.other, "the ledger of migrations cannot be read")
        }
    }
}
