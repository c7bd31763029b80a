public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The connections that notification servers watch, and what is to be done for them.
/// Rule: docs/domain.md, "Agent database", Notifications.
public struct NotificationSubscriptionsRepo: Repository {
    package typealias Failure = NotificationsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The subscription of a connection, or nil.
    public func find(_ connection: AgentConnectionID) throws(NotificationsError) -> NotificationSubscription? {
        try first("SELECT \(NotificationSubscription.columns) FROM ntf_subscriptions WHERE conn_id = \(connection)")
    }

    /// The subscription of a connection. Throws `subscriptionNotFound`.
    public func get(_ connection: AgentConnectionID) throws(NotificationsError) -> NotificationSubscription {
        guard let found = try find(connection) else { throw .subscriptionNotFound(connection) }
        return found
    }

    /// What is due at a notification server by a time and has not failed, the longest due first; at most `limit`. None
    /// is an empty list.
    public func due(
        atNotificationServer server: AgentServerID, by time: StoredTime, limit: Int
    ) throws(NotificationsError) -> [NotificationSubscription] {
        try all(
            """
            SELECT \(NotificationSubscription.columns) FROM ntf_subscriptions
            WHERE ntf_host = \(server.host) AND ntf_port = \(server.port) AND ntf_sub_action IS NOT NULL
                AND ntf_sub_smp_action IS NULL AND ntf_failed = 0 AND ntf_sub_action_ts <= \(time.text)
            ORDER BY ntf_sub_action_ts, conn_id LIMIT \(PageSize.upTo(limit))
            """)
    }

    /// What is due at a message server by a time and has not failed, the longest due first; at most `limit`. None is
    /// an empty list.
    public func due(
        atMessageServer server: AgentServerID, by time: StoredTime, limit: Int
    ) throws(NotificationsError) -> [NotificationSubscription] {
        try all(
            """
            SELECT \(NotificationSubscription.columns) FROM ntf_subscriptions
            WHERE smp_host = \(server.host) AND smp_port = \(server.port) AND ntf_sub_smp_action IS NOT NULL
                AND smp_failed = 0 AND ntf_sub_action_ts <= \(time.text)
            ORDER BY ntf_sub_action_ts, conn_id LIMIT \(PageSize.upTo(limit))
            """)
    }
}
