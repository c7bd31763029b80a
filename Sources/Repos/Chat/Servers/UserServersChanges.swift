public import ChatDBSchema

/// Changes to the operators of a store and to the servers and relays of one profile, to be made at once: what SimpleX
/// Chat calls setting the user servers. What is not named stays as it is.
/// Rule: docs/domain.md, "Operators and servers", Setting all at once.
public struct UserServersChanges: Sendable, Hashable {
    /// The switch and the roles of an operator, for every profile.
    public struct OperatorEntry: Sendable, Hashable {
        /// The operator.
        public var id: ServerOperatorID
        /// Whether anything of it is used.
        public var isEnabled: Bool
        /// What its SMP servers are used for.
        public var smpRoles: ServerRoles
        /// What its XFTP servers are used for.
        public var xftpRoles: ServerRoles

        /// What an operator is to be.
        public init(id: ServerOperatorID, isEnabled: Bool, smpRoles: ServerRoles, xftpRoles: ServerRoles) {
            self.id = id
            self.isEnabled = isEnabled
            self.smpRoles = smpRoles
            self.xftpRoles = xftpRoles
        }
    }

    /// What a server is to be. Its address is the whole address: without a password the server has none.
    public struct ServerEntry: Sendable, Hashable {
        /// Where it is.
        public var address: ServerAddress
        /// Whether it is used.
        public var isEnabled: Bool
        /// How its last test went; does not count for an address that is changed.
        public var tested: Bool?
        /// Where it differs from its operator.
        public var roles: ServerRoleChoices

        /// What a server is to be.
        public init(
            address: ServerAddress, isEnabled: Bool = true, tested: Bool? = nil,
            roles: ServerRoleChoices = ServerRoleChoices()
        ) {
            self.address = address
            self.isEnabled = isEnabled
            self.tested = tested
            self.roles = roles
        }
    }

    /// What a relay is to be.
    public struct RelayEntry: Sendable, Hashable {
        /// Where it is.
        public var address: RelayAddress
        /// Its name, which may be empty.
        public var name: String
        /// Its domains.
        public var domains: [String]
        /// Whether new channels may choose it.
        public var isEnabled: Bool
        /// How its last test went; does not count for an address that is changed.
        public var tested: Bool?

        /// What a relay is to be.
        public init(
            address: RelayAddress, name: String = "", domains: [String] = [], isEnabled: Bool = true,
            tested: Bool? = nil
        ) {
            self.address = address
            self.name = name
            self.domains = domains
            self.isEnabled = isEnabled
            self.tested = tested
        }
    }

    /// One change to a list.
    public enum Change<ID: Identifier, Entry: Sendable & Hashable>: Sendable, Hashable {
        /// A new one.
        case add(Entry)
        /// The one with the number is to be this.
        case change(ID, Entry)
        /// The one with the number goes.
        case delete(ID)
    }

    /// Operators that change.
    public var operators: [OperatorEntry]
    /// Servers that change, in any order.
    public var servers: [Change<ProtocolServerID, ServerEntry>]
    /// Relays that change, in any order.
    public var relays: [Change<ChatRelayID, RelayEntry>]

    /// Changes; without any, setting them only validates.
    public init(
        operators: [OperatorEntry] = [], servers: [Change<ProtocolServerID, ServerEntry>] = [],
        relays: [Change<ChatRelayID, RelayEntry>] = []
    ) {
        self.operators = operators
        self.servers = servers
        self.relays = relays
    }
}
