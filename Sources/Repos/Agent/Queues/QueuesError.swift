public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with a queue.
/// Rule: docs/domain.md, "Agent database", Queues.
public enum QueuesError: ConnectionViolation, Hashable {
    /// There is no such connection, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// There is no such queue.
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
    /// Other queues of the connection are there: one of them must be primary first.
    case primaryQueueInUse(QueueAddress)
    /// The row may go only after the queue was marked as deleted.
    case notMarkedDeleted(QueueAddress)
    /// The connection's queues cannot be numbered on.
    case numbersUsedUp(AgentConnectionID)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .connectionNotFound: "agentConnectionNotFound"
        case .queueNotFound: "queueNotFound"
        case .queueExists: "queueExists"
        case .serverNotFound: "agentServerNotFound"
        case .replacedQueueNotFound: "replacedQueueNotFound"
        case .notifierExists: "notifierExists"
        case .wrongStatus: "wrongStatus"
        case .primaryQueueInUse: "primaryQueueInUse"
        case .notMarkedDeleted: "notMarkedDeleted"
        case .numbersUsedUp: "numbersUsedUp"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .connectionNotFound(let id): "there is no connection \(id)"
        case .queueNotFound(let address): "there is no queue \(address)"
        case .queueExists(let address): "the queue \(address) cannot be added: there is one with that id"
        case .serverNotFound(let id):
            "the queue cannot be added: the agent database has no server \(id); add the server first"
        case .replacedQueueNotFound(let number):
            "the queue cannot be added: its connection has no queue \(number) to replace"
        case .notifierExists(let id): "the notifier \(id) cannot be set: another queue of the server has it"
        case .wrongStatus(let address, let from, let to):
            "the queue \(address) cannot become \(to): it is \(from), and steps lead forward only"
        case .primaryQueueInUse(let address):
            "the queue \(address) cannot be deleted: it is the primary one of several; make another primary first"
        case .notMarkedDeleted(let address):
            "the queue \(address) cannot be removed: it is not marked as deleted; mark it first"
        case .numbersUsedUp(let id): "the connection \(id) has no number left for another queue"
        case .store(let error): error.message
        }
    }

    /// No command helps: this is between an app and its store.
    public var hint: String? { nil }

    package var details: JSONValue {
        switch self {
        case .connectionNotFound(let id): ["connection": .string(id.description)]
        case .queueNotFound(let address): ["queue": .string(address.description)]
        case .queueExists(let address): ["queue": .string(address.description)]
        case .serverNotFound(let id): ["server": .string(id.description)]
        case .replacedQueueNotFound(let number): ["number": .integer(number.rawValue)]
        case .notifierExists(let id): ["notifier": .string(id.description)]
        case .wrongStatus(let address, let from, let to):
            ["queue": .string(address.description), "from": .string(from.text), "to": .string(to.text)]
        case .primaryQueueInUse(let address): ["queue": .string(address.description)]
        case .notMarkedDeleted(let address): ["queue": .string(address.description)]
        case .numbersUsedUp(let id): ["connection": .string(id.description)]
        case .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
