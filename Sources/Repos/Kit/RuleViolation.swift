package import ChatDBEngine
package import ChatDBSchema

/// An error of a repository: a broken rule, with the names and ids in it, or a failure of the store.
package protocol RuleViolation: ChatDBError, Sendable, CustomStringConvertible {
    /// A failure of the database.
    static func store(_ error: StoreError) -> Self

    /// The failure of the database; nil for a broken rule.
    var storeError: StoreError? { get }
}

extension RuleViolation {
    /// The message.
    public var description: String { message }
}
