import ChatDBKit
import Dispatch
import Synchronization

/// Stops a request that reads the database for too long. Only one request reads at a time: the connection runs one
/// transaction after the other.
final class ReadingTime: Sendable {
    private struct Reading {
        let store: Store
        let start = ContinuousClock.now
        var isOver = false
    }

    private let limit: Double
    private let reading = Mutex<Reading?>(nil)
    // Only `init` and `deinit` use it.
    private nonisolated(unsafe) let timer: any DispatchSourceTimer

    /// - Parameter limit: the seconds for which a request may read.
    init(limit: Double) {
        self.limit = limit
        let interval = min(max(limit / 4, 0.01), 1)
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "chatdb.reading-time"))
        self.timer = timer
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.setEventHandler { [weak self] in self?.check() }
        timer.resume()
    }

    deinit { timer.cancel() }

    /// Runs `body`, which is inside a transaction that reads. Throws `readingTimeLimit` if it was stopped.
    func whileReading<T>(_ store: Store, _ body: () throws -> T) throws -> T {
        reading.withLock { $0 = Reading(store: store) }
        let result = Result { try body() }
        let isOver = reading.withLock { reading in
            defer { reading = nil }
            return reading?.isOver == true
        }
        if isOver, case .failure = result { throw ServiceError.readingTimeLimit(limit) }
        return try result.get()
    }

    /// Stops the statement that runs. The next one of the request is stopped by the next call.
    private func check() {
        reading.withLock { reading in
            guard let now = reading, ContinuousClock.now - now.start > .seconds(limit) else { return }
            reading?.isOver = true
            now.store.interrupt()
        }
    }
}
