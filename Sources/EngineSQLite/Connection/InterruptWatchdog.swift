import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Stops connections that keep SQLite busy where it never asks whether to go on. It counts a whole table in one step, and
/// a file whose pages all lead to the same next ones has more of them to count than there is time; but it hears that it
/// is interrupted.
///
/// One thread for all, started with the first that is watched.
final class Watch: Sendable {
    static let shared = Watch()

    private struct Watched {
        /// The address of the connection, which cannot be closed before it is taken off the list.
        let connection: UInt
        let isOver: @Sendable () -> Bool
    }

    private struct State {
        var watched: [Int: Watched] = [:]
        var next = 0
        var hasThread = false
        /// The thread waits to be woken, there being nothing to watch.
        var isParked = false
    }

    /// Microseconds between two looks.
    private static let pause: UInt32 = 50_000

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// Runs `body`, and interrupts the connection at every look at which `isOver` says so.
    func over<T>(
        _ database: Database, _ isOver: @escaping @Sendable () -> Bool, _ body: () throws -> T
    ) rethrows -> T {
        guard let connection = database.sqliteConnection else { return try body() }
        let number = add(Watched(connection: UInt(bitPattern: connection), isOver: isOver))
        defer { state.withLock { _ = $0.watched.removeValue(forKey: number) } }
        return try body()
    }

    private func add(_ watched: Watched) -> Int {
        let (number, isNew, wasParked) = state.withLock { state in
            state.next += 1
            state.watched[state.next] = watched
            defer { (state.hasThread, state.isParked) = (true, false) }
            return (state.next, !state.hasThread, state.isParked)
        }
        if isNew { startThread() } else if wasParked { wake.signal() }
        return number
    }

    /// A signal is for a thread that can do something about it, and a thread inherits what it is not told.
    private func startThread() {
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        Thread.detachNewThread { [self] in
            while true { look() }
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    private func look() {
        usleep(Self.pause)
        let isParked = state.withLock { state in
            for watched in state.watched.values where watched.isOver() {
                sqlite3_interrupt(OpaquePointer(bitPattern: watched.connection))
            }
            state.isParked = state.watched.isEmpty
            return state.isParked
        }
        if isParked { wake.wait() }
    }
}
