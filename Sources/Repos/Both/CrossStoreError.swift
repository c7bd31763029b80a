public import ChatDBEngine
public import ChatDBReposKit
package import ChatDBSchema

/// Why a question over both databases has no answer.
/// Rule: docs/domain.md, "Between the two databases".
public enum CrossStoreError: RuleViolation, Hashable {
    /// A database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .store(let error): error.message
        }
    }

    /// No command helps.
    public var hint: String? { nil }

    package var details: JSONValue { [:] }

    package var storeError: StoreError? {
        switch self {
        case .store(let error): error
        }
    }
}
