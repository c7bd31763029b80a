/// The number of a profile in the agent database: `users.user_id` there, `users.agent_user_id` in the chat database.
public typealias AgentUserID = RowID<AgentUser>

/// A message server (SMP) as the agent database knows it: by host and port, as texts. Row of `servers`.
public struct AgentServerID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Host name, or several separated by commas.
    public let host: String
    /// Port as text.
    public let port: String

    /// The server at a host and a port. The row need not exist.
    public init(host: String, port: String) {
        self.host = host
        self.port = port
    }

    /// `host:port`; the host alone when the port is empty.
    public var description: String { port.isEmpty ? host : "\(host):\(port)" }

    /// By host, then by port, as texts.
    public static func < (left: Self, right: Self) -> Bool {
        (left.host, left.port) < (right.host, right.port)
    }
}

/// A profile as the agent database has it: a number. Rule: docs/domain.md, "Agent database", Profiles.
public struct AgentUser: Sendable, Hashable {
    /// Its number, never given twice.
    public let id: AgentUserID
    /// Whether the agent is deleting its connections at their servers.
    public let isDeleted: Bool

    package init(id: AgentUserID, isDeleted: Bool) {
        self.id = id
        self.isDeleted = isDeleted
    }
}

/// A message server (SMP) with queues or work of any of the profiles.
public struct AgentServer: Sendable, Hashable {
    /// Host and port.
    public let id: AgentServerID
    /// The hash of its certificate, base64url with padding.
    public let keyHash: String

    package init(id: AgentServerID, keyHash: String) {
        self.id = id
        self.keyHash = keyHash
    }
}

extension CatalogueTable {
    /// Profiles as the network side knows them, and the servers of all of them.
    static let agentUsers: [CatalogueTable] = [
        CatalogueTable(
            "users", "A profile. The agent database knows only its number.",
            [
                .public("user_id", "the profile's number, never given twice; users.agent_user_id of the chat database"),
                .public("deleted", "1 while the profile's connections are being deleted at their servers"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "servers", "A message server (SMP) with queues or work for any of the profiles.",
            [
                .personal("host", "host name, or several separated by commas, as in the server's address"),
                .personal("port", "port as text"),
                .personal("key_hash", "hash of the server's identity key, base64url with padding"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
