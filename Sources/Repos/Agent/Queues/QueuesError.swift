public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a queue. Rule: docs/domain.md, "Agent database", Queues.
public enum QueuesError: ConnectionViolation, Hashable {
    /// No such connection exists, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// No such queue exists.
    case queueNotFound(QueueAddress)
    /// The server has given the id already.
    case queueExists(QueueAddress)
    /// The queue's server is not known yet.
    case serverNotFound(AgentServerID)
    /// The connection has no such queue to replace.
    case replacedQueueNotFound(QueueNumber)
    /// Another queue of the server has the notifier id.
    case notifierExists(QueueID)
    /// Steps lead forward only.
    case wrongStatus(QueueAddress, from: QueueStatus, to: QueueStatus)
    /// The connection has other queues: one of them must become primary first.
    case primaryQueueInUse(QueueAddress)
    /// The row may go only after the queue was marked as deleted.
    case notMarkedDeleted(QueueAddress)
    /// The numbers of the connection's queues are used up.
    case numbersUsedUp(AgentConnectionID)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .connectionNotFound(let id):
            .refused("agentConnectionNotFound", "there is no connection \(id)", ["connection": .string(id.description)])
        case .queueNotFound(let address):
            .refused("queueNotFound", "there is no queue \(address)", ["queue": .string(address.description)])
        case .queueExists(let address):
            .refused(
                "queueExists", "the queue \(address) cannot be added: that id exists",
                ["queue": .string(address.description)])
        case .serverNotFound(let id):
            .refused(
                "agentServerNotFound",
                "the queue cannot be added: the agent database has no server \(id); add the server first",
                ["server": .string(id.description)])
        case .replacedQueueNotFound(let number):
            .refused(
                "replacedQueueNotFound", "the queue cannot be added: its connection has no queue \(number) to replace",
                ["number": .integer(number.rawValue)])
        case .notifierExists(let id):
            .refused(
                "notifierExists", "the notifier \(id) cannot be set: another queue of the server has it",
                ["notifier": .string(id.description)])
        case .wrongStatus(let address, let from, let to):
            .refused(
                "wrongStatus", "the queue \(address) cannot become \(to): it is \(from), and steps lead forward only",
                ["queue": .string(address.description), "from": .string(from.text), "to": .string(to.text)])
        case .primaryQueueInUse(let address):
            .refused(
                "primaryQueueInUse",
                "the queue \(address) cannot be deleted: it is the primary one of several; make another primary first",
                ["queue": .string(address.description)])
        case .notMarkedDeleted(let address):
            .refused(
                "notMarkedDeleted",
                "the queue \(address) cannot be removed: it is not marked as deleted; mark it first",
                ["queue": .string(address.description)])
        case .numbersUsedUp(let id):
            .refused(
                "numbersUsedUp", "the connection \(id) has no number left for another queue",
                ["connection": .string(id.description)])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
