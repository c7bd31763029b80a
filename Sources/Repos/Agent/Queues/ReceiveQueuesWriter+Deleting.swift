import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// What came of a failure to delete a queue at its server.
public enum QueueDeletion: Sendable, Hashable {
    /// It failed so many times, and is to be tried again.
    case willRetry(errors: Int)
    /// The retries are used up: the row went.
    case gaveUp
}

extension ReceiveQueuesWriter {
    /// Marks a queue as deleted: what follows is to delete it at its server. Throws `queueNotFound`, for one that is
    /// marked already too, and `primaryQueueInUse` while the connection has others. Rule: docs/domain.md, "Soft delete".
    public func markDeleted(_ address: QueueAddress) throws(QueuesError) {
        let queues = ReceiveQueuesRepo(tx)
        let queue = try queues.get(address)
        if queue.isPrimary, try queues.all(of: queue.connectionID).count > 1 { throw .primaryQueueInUse(address) }
        try change(address, "deleted = 1")
    }

    /// Removes the row of a queue that is marked as deleted: its server has confirmed. Throws `queueNotFound` and
    /// `notMarkedDeleted`.
    public func remove(_ address: QueueAddress) throws(QueuesError) {
        let queue = try ReceiveQueuesRepo(tx).get(address, includingDeleted: true)
        if !queue.isDeleted { throw .notMarkedDeleted(address) }
        try run("DELETE FROM rcv_queues WHERE \(ReceiveQueuesRepo.isAt(address))")
    }

    /// Notes that deleting a queue at its server failed. When that was so for as many times as are allowed, the row
    /// goes all the same. Throws `queueNotFound` and `notMarkedDeleted`.
    public func deletionFailed(
        _ address: QueueAddress, attemptsAllowed: Int
    ) throws(QueuesError) -> QueueDeletion {
        let queue = try ReceiveQueuesRepo(tx).get(address, includingDeleted: true)
        if !queue.isDeleted { throw .notMarkedDeleted(address) }
        // A count at its end is used up too.
        let (errors, isOver) = queue.deleteErrors.addingReportingOverflow(1)
        if isOver || errors >= attemptsAllowed {
            try remove(address)
            return .gaveUp
        }
        try change(address, "delete_errors = \(errors)")
        return .willRetry(errors: errors)
    }
}
