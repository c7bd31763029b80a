import CChatDBPostgres
import Synchronization

/// What stops the statement of a connection, from any thread. It opens a connection of its own to the server.
final class PostgresCancel: Sendable {
    nonisolated(unsafe) private let pointer: OpaquePointer?
    private let libpq: chatdb_libpq
    private let wasSent = Atomic<Bool>(false)

    init(_ connection: OpaquePointer, _ libpq: chatdb_libpq) {
        self.libpq = libpq
        pointer = libpq.getCancel(connection)
    }

    deinit { libpq.freeCancel(pointer) }

    func send() {
        guard let pointer else { return }
        wasSent.store(true, ordering: .relaxed)
        // The server does not answer it, and the statement goes on if the server cannot be asked.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { reason in
            _ = reason.baseAddress.map { libpq.cancel(pointer, $0, 256) }
        }
    }

    /// Whether it was sent since the last call. The server reports a statement that exceeds the server's own time limit
    /// with the same code.
    func takeSent() -> Bool { wasSent.exchange(false, ordering: .relaxed) }
}
