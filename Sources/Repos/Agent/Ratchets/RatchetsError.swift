public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with a ratchet.
/// Rule: docs/domain.md, "Agent database", Ratchets.
public enum RatchetsError: ConnectionViolation, Hashable {
    /// There is no such connection, or it is being deleted.
    case connectionNotFound(AgentConnectionID)
    /// The connection has no ratchet.
    case ratchetNotFound(AgentConnectionID)
    /// The keys are there, and the ratchet is not agreed.
    case ratchetNotAgreed(AgentConnectionID)
    /// The key of that message is stored, or given twice.
    case duplicateSkippedKey(AgentConnectionID, number: Int64)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .connectionNotFound: "agentConnectionNotFound"
        case .ratchetNotFound: "ratchetNotFound"
        case .ratchetNotAgreed: "ratchetNotAgreed"
        case .duplicateSkippedKey: "duplicateSkippedKey"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .connectionNotFound(let id): "there is no connection \(id)"
        case .ratchetNotFound(let id): "the connection \(id) has no ratchet"
        case .ratchetNotAgreed(let id): "the ratchet of connection \(id) is not agreed yet"
        case .duplicateSkippedKey(let id, let number):
            "the key of skipped message \(number) of connection \(id) is stored already, or was given twice"
        case .store(let error): error.message
        }
    }

    /// No command helps: this is between an app and its store.
    public var hint: String? { nil }

    package var details: JSONValue {
        switch self {
        case .connectionNotFound(let id): ["connection": .string(id.description)]
        case .ratchetNotFound(let id): ["connection": .string(id.description)]
        case .ratchetNotAgreed(let id): ["connection": .string(id.description)]
        case .duplicateSkippedKey(let id, let number):
            ["connection": .string(id.description), "number": .integer(number)]
        case .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
