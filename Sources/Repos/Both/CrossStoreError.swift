public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Why a question over both databases has no answer.
/// Rule: docs/domain.md, "Between the two databases".
public enum CrossStoreError: RuleViolation, Hashable {
    /// A database failed.
    case store(StoreError)

    /// What it is called, what went wrong, and its values.
    public var info: ErrorInfo {
        switch self {
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        switch self {
        case .store(let error): error
        }
    }
}
