import ChatDBEngine
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Which thread is inside a connection's transaction. GRDB ends the process when that thread asks the same connection
/// once more; here it is told so.
final class ConnectionUser: Sendable {
    /// 0 for nobody: no thread has that number.
    private let thread = Atomic<UInt>(0)

    /// Throws when this thread is inside already: it would wait for itself.
    func refuseNested() throws(StoreError) {
        guard thread.load(ordering: .relaxed) == Self.currentThread else { return }
        throw StoreError(
            .other,
            "this connection is inside a transaction already: use the transaction at hand, or a connection of its own")
    }

    /// Runs `body` as the thread that is inside. Calls take turns: the connection's queue sees to it.
    func inside<T>(_ body: () throws -> T) rethrows -> T {
        thread.store(Self.currentThread, ordering: .relaxed)
        defer { thread.store(0, ordering: .relaxed) }
        return try body()
    }

    private static var currentThread: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }
}
