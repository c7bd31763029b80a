import ChatDBPOSIX
import Synchronization

/// Knows which thread is inside a connection's transaction. A second transaction of that thread
/// would wait for the first one for ever; here the call throws.
package final class ReentrancyGuard: Sendable {
    /// 0 for no thread: no thread has that number.
    private let thread = Atomic<UInt>(0)

    package init() {}

    /// Throws when this thread is inside already: it would wait for itself.
    package func requireOutside() throws(StoreError) {
        guard thread.load(ordering: .relaxed) == Self.currentThread else { return }
        throw StoreError(
            .other,
            "this connection is inside a transaction already: use the transaction at hand, or a connection of its own")
    }

    /// Runs `body` as the thread that is inside. The connection's queue runs one such call at a time.
    package func inside<T>(_ body: () throws -> T) rethrows -> T {
        thread.store(Self.currentThread, ordering: .relaxed)
        defer { thread.store(0, ordering: .relaxed) }
        return try body()
    }

    private static var currentThread: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}
