public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Errors of queries over both databases. Rule: docs/domain.md, "Between the two databases".
public enum CrossStoreError: RuleViolation, Hashable {
    /// A database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
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
