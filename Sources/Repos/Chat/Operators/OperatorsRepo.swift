public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The operators, which all profiles of a store share. Rule: docs/domain.md, "Operators and servers".
public struct OperatorsRepo: Repository {
    package typealias Failure = OperatorsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All operators by number, which is the order in which they are asked whose a server is. None is an empty list.
    public func all() throws(OperatorsError) -> [ServerOperator] {
        try all(ServerOperator.list)
    }

    /// The operator with a number, or nil.
    public func find(_ id: ServerOperatorID) throws(OperatorsError) -> ServerOperator? {
        try first("SELECT \(ServerOperator.columns) FROM server_operators WHERE server_operator_id = \(id)")
    }

    /// The operator with a tag, or nil.
    public func find(tag: OperatorTag) throws(OperatorsError) -> ServerOperator? {
        try first("SELECT \(ServerOperator.columns) FROM server_operators WHERE server_operator_tag = \(tag)")
    }

    /// The operator a server with this host belongs to: the first one of whose domains the host is in. Nil when it is the
    /// user's own. Rule: docs/domain.md, "Operators and servers", Whose is it?
    public func find(ofHost host: String) throws(OperatorsError) -> ServerOperator? {
        // In Swift, because the domains of an operator are one text.
        try all().owner(ofHosts: [host])
    }

    /// The operator with a number. Throws `operatorNotFound`.
    public func get(_ id: ServerOperatorID) throws(OperatorsError) -> ServerOperator {
        guard let found = try find(id) else { throw .operatorNotFound(.id(id)) }
        return found
    }
}
