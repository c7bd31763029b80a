import Synchronization

/// A request to stop. Any thread may make it (Ctrl-C); the work checks it at places where it can stop without leaving
/// anything half done.
public final class Cancellation: Sendable {
    private struct State {
        var isRequested = false
        var handlers: [Int: @Sendable () -> Void] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// No request yet.
    public init() {}

    /// Whether a stop was requested.
    public var isRequested: Bool { state.withLock(\.isRequested) }

    /// Requests a stop, and calls each registered handler once.
    public func request() {
        let handlers = state.withLock { state in
            state.isRequested = true
            return Array(state.handlers.values)
        }
        for handler in handlers { handler() }
    }

    /// Throws `interrupted` when a stop was requested.
    public func check() throws(StoreError) {
        if isRequested { throw StoreError(.interrupted, "stopped on request") }
    }

    /// Runs `body` with `handler` registered. A request made meanwhile or before calls the handler.
    public func whileRegistered<T>(_ handler: @escaping @Sendable () -> Void, _ body: () throws -> T) rethrows -> T {
        let (id, already) = state.withLock { state in
            state.next += 1
            state.handlers[state.next] = handler
            return (state.next, state.isRequested)
        }
        defer { state.withLock { _ = $0.handlers.removeValue(forKey: id) } }
        if already { handler() }
        return try body()
    }
}
