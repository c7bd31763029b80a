package import ChatDBEngine
package import ChatDBSchema

/// What a repository throws: a rule that was broken, told with the names and ids in it, or a failure of the store.
package protocol RuleViolation: Error, Sendable, CustomStringConvertible {
    /// A failure of the database below.
    static func store(_ error: StoreError) -> Self

    /// A stable word for programs.
    var code: String { get }
    /// One clause, lower case, without a full stop: the act, the object with its name, what to do.
    var message: String { get }
    /// What the message leaves out because there is much of it, a line each; usually nothing.
    var lines: [String] { get }
    /// A command that helps, or nil.
    var hint: String? { get }
    /// An object with what programs want to know; empty for nothing.
    var details: JSONValue { get }
    /// The failure of the database, when it was no rule.
    var storeError: StoreError? { get }
}

extension RuleViolation {
    /// The message.
    public var description: String { message }

    package var lines: [String] { [] }
}
