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

    /// What the user's own servers are used for unless the server says otherwise: all but names.
    public static let ofOwnServers = ServerRoles(storage: true, proxy: true, names: false)

    /// Whether a role is among them.
    public func has(_ role: ServerRole) -> Bool {
        switch role {
        case .storage: storage
        case .proxy: proxy
        case .names: names
        }
    }
}

/// One thing that a server may be used for. Rule: docs/domain.md, "Operators and servers".
public enum ServerRole: String, Sendable, Hashable, CaseIterable {
    /// Queues or files are kept there.
    case storage
    /// The servers of others are reached through it.
    case proxy
    /// Names are looked up there; for SMP only.
    case names
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

    /// What the server is used for, given what its operator's are: its own choices go first.
    public func over(_ roles: ServerRoles) -> ServerRoles {
        ServerRoles(
            storage: storage ?? roles.storage, proxy: proxy ?? roles.proxy, names: names ?? roles.names)
    }
}
