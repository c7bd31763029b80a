import ChatDBKit
import ChatDBRequests
import Foundation
import Synchronization

/// The open stores by their numbers. C has numbers and no references, so that a call with a number that is not that of
/// an open store is an error and not a crash. A number is given once.
struct OpenStores: ~Copyable, Sendable {
    static let shared = OpenStores()

    private struct State {
        var last: Int64 = 0
        var stores: [Int64: OpenStore] = [:]
    }

    private let state = Mutex(State())

    /// Adds a store, and returns its number.
    func add(_ store: OpenStore) -> Int64 {
        state.withLock { state in
            state.last += 1
            state.stores[state.last] = store
            return state.last
        }
    }

    /// The store with a number; nil if it is not open.
    subscript(_ number: Int64) -> OpenStore? { state.withLock { $0.stores[number] } }

    /// Removes a store; nil if it is not open.
    func remove(_ number: Int64) -> OpenStore? { state.withLock { $0.stores.removeValue(forKey: number) } }
}

/// An open store, and the threads that wait for its events.
// The condition's lock protects the state.
final class OpenStore: @unchecked Sendable {
    let session: RequestSession
    private let service: RequestService
    private let condition = NSCondition()
    private var isClosed = false

    init(_ service: RequestService) {
        self.service = service
        session = service.session()
        session.outgoing.whenAdded { [condition] in
            condition.lock()
            condition.signal()
            condition.unlock()
        }
    }

    /// The next event. Waits until there is one, the store is closed, or the time has passed; nil waits without a limit.
    func receive(within limit: Duration?) -> String? {
        let end = limit.map { ContinuousClock.now + $0 }
        condition.lock()
        defer { condition.unlock() }
        while !isClosed {
            if let event = session.outgoing.next() { return event }
            guard let end else {
                condition.wait()
                continue
            }
            let left = end - .now
            if left <= .zero { return nil }
            // Foundation stops the process at a date that is too far away.
            _ = condition.wait(until: Date(timeIntervalSinceNow: min(left / .seconds(1), 3_600)))
        }
        return nil
    }

    /// Ends the service after the requests that run, and wakes the threads that wait for events.
    func close() {
        service.end()
        condition.lock()
        isClosed = true
        condition.broadcast()
        condition.unlock()
        session.outgoing.whenAdded(nil)
    }
}
