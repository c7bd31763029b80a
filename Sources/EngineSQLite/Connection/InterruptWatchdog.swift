import ChatDBEngine
import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// Interrupts connections whose time is over where SQLite never calls its progress handler. SQLite counts a whole table
/// in one step of its virtual machine. A file whose pages all refer to the same next pages has more pages to count than
/// there is time. SQLite notices `sqlite3_interrupt` there.
///
/// One thread serves all connections of the process. It starts with the first that is watched.
final class InterruptWatchdog: Sendable {
    static let shared = InterruptWatchdog()

    private struct Watched {
        /// The address of the connection, which cannot be closed before it is taken off the list.
        let connection: UInt
        let isOver: @Sendable () -> Bool
    }

    private struct State {
        var watched: [Int: Watched] = [:]
        var next = 0
        var hasThread = false
        /// The thread waits for `wake`, because nothing is watched.
        var isParked = false
    }

    /// Microseconds between two looks.
    private static let pause: UInt32 = 50_000

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// Runs `body`, and interrupts the connection at every look at which `isOver` is true.
    func watch<T>(
        _ database: Database, interruptingWhen isOver: @escaping @Sendable () -> Bool, during body: () throws -> T
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

    private func startThread() {
        Thread.detachWithoutSignals { [self] in
            while true { look() }
        }
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
