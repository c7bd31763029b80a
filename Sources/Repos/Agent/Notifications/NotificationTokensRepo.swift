public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The registrations of this device with notification servers, for all profiles.
/// Rule: docs/domain.md, "Agent database", Notifications.
public struct NotificationTokensRepo: Repository {
    package typealias Failure = NotificationsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// All registrations, the oldest first. There is one, and two while a new one takes its place. None is an empty
    /// list.
    public func all() throws(NotificationsError) -> [NotificationToken] {
        try all("SELECT \(NotificationToken.columns) FROM ntf_tokens ORDER BY created_at, provider, ntf_host, ntf_port")
    }

    /// The registration of a device with a notification server, or nil.
    public func find(
        _ deviceToken: SecretBytes, provider: String, at server: AgentServerID
    ) throws(NotificationsError) -> NotificationToken? {
        try first(
            """
            SELECT \(NotificationToken.columns) FROM ntf_tokens
            WHERE \(Self.isThat(deviceToken, provider, server))
            """)
    }

    static func isThat(_ deviceToken: SecretBytes, _ provider: String, _ server: AgentServerID) -> Query {
        """
        provider = \(provider) AND device_token = \(deviceToken) AND ntf_host = \(server.host)
            AND ntf_port = \(server.port)
        """
    }
}
