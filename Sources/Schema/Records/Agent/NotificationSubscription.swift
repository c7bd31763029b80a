/// A connection watched by a notification server.
/// Rule: docs/domain.md, "Agent database", Notifications.
public struct NotificationSubscription: Sendable, Hashable {
    /// The connection.
    public let connectionID: AgentConnectionID
    /// The message server with its queue; nil when not known.
    public let queueServer: AgentServerID?
    /// The queue's notifier id; nil until the message server gave one.
    public let notifierID: QueueID?
    /// The notification server.
    public let server: AgentServerID
    /// Its id at the notification server; nil until made.
    public let id: NotificationSubscriptionID?
    /// How far it is.
    public let status: NotificationSubscriptionStatus
    /// What is to be done next, and where; nil for nothing.
    public let action: NotificationAction?
    /// When the next act is due; nil for nothing.
    public let dueAt: StoredTime?
    /// Whether the act will not be tried again.
    public let isFailed: Bool

    package init(
        connectionID: AgentConnectionID, queueServer: AgentServerID?, notifierID: QueueID?, server: AgentServerID,
        id: NotificationSubscriptionID?, status: NotificationSubscriptionStatus, action: NotificationAction?,
        dueAt: StoredTime?, isFailed: Bool
    ) {
        self.connectionID = connectionID
        self.queueServer = queueServer
        self.notifierID = notifierID
        self.server = server
        self.id = id
        self.status = status
        self.action = action
        self.dueAt = dueAt
        self.isFailed = isFailed
    }
}

/// What is to be done next for a subscription: at one of the two servers, never at both.
public enum NotificationAction: Sendable, Hashable {
    /// At the notification server.
    case notificationServer(NotificationServerAction)
    /// At the message server.
    case messageServer(NotificationQueueAction)
}
