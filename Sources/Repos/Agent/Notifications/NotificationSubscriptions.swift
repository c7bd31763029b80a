public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The connections that notification servers watch, and what is to be done for them.
/// Rule: docs/domain.md, "Agent database", Notifications.
public struct NotificationSubscriptionsRepo: Repository {
    package typealias Failure = NotificationsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the agent database.
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

    /// The subscriptions that are due at a notification server by a time and have not failed, the longest due first; at
    /// most `limit`. The list is empty when there are none.
    public func due(
        atNotificationServer server: AgentServerID, by time: StoredTime, limit: Int
    ) throws(NotificationsError) -> [NotificationSubscription] {
        try all(
            """
            SELECT \(NotificationSubscription.columns) FROM ntf_subscriptions
            WHERE ntf_host = \(server.host) AND ntf_port = \(server.port) AND ntf_sub_action IS NOT NULL
                AND ntf_sub_smp_action IS NULL AND ntf_failed = 0 AND ntf_sub_action_ts <= \(time.text)
            ORDER BY ntf_sub_action_ts, conn_id LIMIT \(number: PageSize.upTo(limit))
            """)
    }

    /// The subscriptions that are due at a message server by a time and have not failed, the longest due first; at most
    /// `limit`. The list is empty when there are none.
    public func due(
        atMessageServer server: AgentServerID, by time: StoredTime, limit: Int
    ) throws(NotificationsError) -> [NotificationSubscription] {
        try all(
            """
            SELECT \(NotificationSubscription.columns) FROM ntf_subscriptions
            WHERE smp_host = \(server.host) AND smp_port = \(server.port) AND ntf_sub_smp_action IS NOT NULL
                AND smp_failed = 0 AND ntf_sub_action_ts <= \(time.text)
            ORDER BY ntf_sub_action_ts, conn_id LIMIT \(number: PageSize.upTo(limit))
            """)
    }
}

/// Changes to the subscriptions at notification servers. Rule: docs/domain.md, "Agent database", Notifications.
public struct NotificationSubscriptionsWriter: Writer {
    package typealias Failure = NotificationsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Makes the subscription of a connection: `queueServer` is the message server with its queue, and `action` is due
    /// next, at `time`. Throws `connectionNotFound`, `serverNotFound` and `subscriptionExists`.
    @discardableResult
    public func create(
        _ connection: AgentConnectionID, queueServer: AgentServerID, at server: AgentServerID,
        next action: NotificationAction, due time: StoredTime
    ) throws(NotificationsError) -> NotificationSubscription {
        try requireConnection(connection)
        try requireNotificationServer(server)
        let known = try row("SELECT host FROM servers WHERE host = \(queueServer.host) AND port = \(queueServer.port)")
        if known == nil { throw .serverNotFound(queueServer) }
        let subscriptions = NotificationSubscriptionsRepo(tx)
        if try subscriptions.find(connection) != nil { throw .subscriptionExists(connection) }
        try run(
            """
            INSERT INTO ntf_subscriptions (
                conn_id, smp_host, smp_port, ntf_host, ntf_port, ntf_sub_status, ntf_sub_action, ntf_sub_smp_action,
                ntf_sub_action_ts, created_at, updated_at)
            VALUES (
                \(connection), \(queueServer.host), \(queueServer.port), \(server.host), \(server.port),
                \(NotificationSubscriptionStatus.new), \(action.atNotificationServer), \(action.atMessageServer),
                \(time.text), \(now), \(now))
            """)
        return try subscriptions.get(connection)
    }

    /// Sets the status of a subscription and the action that is due next, or nil. Earlier failures no longer count.
    /// Throws `subscriptionNotFound`.
    @discardableResult
    public func set(
        _ connection: AgentConnectionID, status: NotificationSubscriptionStatus,
        next: (action: NotificationAction, due: StoredTime)?
    ) throws(NotificationsError) -> NotificationSubscription {
        try change(
            connection,
            """
            ntf_sub_status = \(status), ntf_sub_action = \(next?.action.atNotificationServer),
            ntf_sub_smp_action = \(next?.action.atMessageServer), ntf_sub_action_ts = \(next?.due.text),
            ntf_failed = 0, smp_failed = 0
            """)
    }

    /// Stores the ids from the servers: the notifier id of the message server, and the subscription id of the
    /// notification server; nil keeps the stored id. Throws `subscriptionNotFound`.
    @discardableResult
    public func setIDs(
        _ connection: AgentConnectionID, notifier: QueueID? = nil, subscription: NotificationSubscriptionID? = nil
    ) throws(NotificationsError) -> NotificationSubscription {
        try change(
            connection,
            """
            smp_ntf_id = coalesce(\(notifier), smp_ntf_id), ntf_sub_id = coalesce(\(subscription), ntf_sub_id)
            """)
    }

    /// Marks the action that was due as failed for good. No action is due until `set`. Throws `subscriptionNotFound`.
    @discardableResult
    public func failed(_ connection: AgentConnectionID) throws(NotificationsError) -> NotificationSubscription {
        let subscription = try NotificationSubscriptionsRepo(tx).get(connection)
        let isThere = subscription.action?.isAtMessageServer == true
        return try change(connection, isThere ? "smp_failed = 1" : "ntf_failed = 1")
    }

    /// Removes the subscription of a connection. Throws `subscriptionNotFound`.
    public func delete(_ connection: AgentConnectionID) throws(NotificationsError) {
        let changed = try run("DELETE FROM ntf_subscriptions WHERE conn_id = \(connection)")
        if changed == 0 { throw .subscriptionNotFound(connection) }
    }

    private func change(
        _ connection: AgentConnectionID, _ assignments: Query
    ) throws(NotificationsError) -> NotificationSubscription {
        let changed = try run(
            "UPDATE ntf_subscriptions SET \(assignments), updated_at = \(now) WHERE conn_id = \(connection)")
        if changed == 0 { throw .subscriptionNotFound(connection) }
        return try NotificationSubscriptionsRepo(tx).get(connection)
    }
}

extension NotificationAction {
    var atNotificationServer: NotificationServerAction? {
        if case .notificationServer(let action) = self { action } else { nil }
    }

    var atMessageServer: NotificationQueueAction? {
        if case .messageServer(let action) = self { action } else { nil }
    }
}
