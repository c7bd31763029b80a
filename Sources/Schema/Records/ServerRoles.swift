/// What the servers of an operator are used for. Rule: docs/domain.md, "Operators and servers".
public struct ServerRoles: Sendable, Hashable {
    /// Queues or files are kept there.
    public var storage: Bool
    /// The servers of others are reached through them.
    public var proxy: Bool
    /// Names are looked up there; for SMP only, and off unless set.
    public var names: Bool

    /// The roles of one protocol.
    public init(storage: Bool, proxy: Bool, names: Bool = false) {
        self.storage = storage
        self.proxy = proxy
        self.names = names
    }
}

/// Where one server differs from its operator; nil is as the operator has it.
public struct ServerRoleChoices: Sendable, Hashable {
    /// Queues or files are kept there.
    public var storage: Bool?
    /// The servers of others are reached through it.
    public var proxy: Bool?
    /// Names are looked up there.
    public var names: Bool?

    /// Roles of one server; without any it is as its operator.
    public init(storage: Bool? = nil, proxy: Bool? = nil, names: Bool? = nil) {
        self.storage = storage
        self.proxy = proxy
        self.names = names
    }

    /// Whether the server is in all as its operator.
    public var isEmpty: Bool { storage == nil && proxy == nil && names == nil }
}
