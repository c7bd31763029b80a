import Foundation

/// Counts the requests that run, so that migrations run alone and the service ends after the running ones.
// The condition's lock protects the state.
final class ServiceGate: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting = 0
    private var running = 0
    private var isAlone = false
    private var isEnding = false

    /// Enters, after migrations that run. Throws when too many requests are inside or wait, and when the service ends.
    func enter(limit: Int) throws(ServiceError) {
        condition.lock()
        defer { condition.unlock() }
        guard running + waiting < limit else { throw .tooManyRequests(limit: limit) }
        waiting += 1
        while isAlone, !isEnding { condition.wait() }
        waiting -= 1
        if isEnding { throw .ending }
        running += 1
    }

    func leave() {
        condition.lock()
        running -= 1
        if isAlone || isEnding { condition.broadcast() }
        condition.unlock()
    }

    /// Runs `body` when no other request runs; further ones wait. The caller is inside.
    func alone<T>(_ body: () throws -> T) throws -> T {
        condition.lock()
        guard !isAlone else {
            condition.unlock()
            throw ServiceError.otherClients(0)
        }
        isAlone = true
        while running > 1 { condition.wait() }
        condition.unlock()
        defer {
            condition.lock()
            isAlone = false
            condition.broadcast()
            condition.unlock()
        }
        return try body()
    }

    /// Lets no further request in.
    func beginEnd() {
        condition.lock()
        isEnding = true
        condition.broadcast()
        condition.unlock()
    }

    /// Lets no further request in, and waits for those that run.
    func end() {
        beginEnd()
        condition.lock()
        while running > 0 { condition.wait() }
        condition.unlock()
    }
}
