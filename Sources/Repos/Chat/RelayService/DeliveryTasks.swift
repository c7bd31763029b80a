public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The worker of a group that has something to do. Rule: docs/domain.md, "Relay operators", Delivery.
public struct DeliveryWorker: Sendable, Hashable {
    /// The group.
    public let groupID: GroupID
    /// What the worker does.
    public let scope: DeliveryWorkerScope

    /// The worker of a group.
    public init(groupID: GroupID, scope: DeliveryWorkerScope) {
        self.groupID = groupID
        self.scope = scope
    }
}

/// The messages that a relay has to pass on. Rule: docs/domain.md, "Relay operators", Delivery.
public struct DeliveryTasksRepo: Repository {
    package typealias Failure = RelayServiceError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The task with a number, or nil; one of another profile is nil.
    public func find(_ id: DeliveryTaskID, of user: UserID) throws(RelayServiceError) -> DeliveryTask? {
        try first(
            """
            SELECT \(DeliveryTask.columns) FROM delivery_tasks
            WHERE delivery_task_id = \(id) AND user_id = \(user)
            """)
    }

    /// The task with a number. Throws `deliveryTaskNotFound`.
    public func get(_ id: DeliveryTaskID, of user: UserID) throws(RelayServiceError) -> DeliveryTask {
        guard let task = try find(id, of: user) else { throw .deliveryTaskNotFound(id) }
        return task
    }

    /// The workers with waiting tasks, by group: the app starts each when it starts. The list is empty when there are
    /// none.
    public func workers(of user: UserID) throws(RelayServiceError) -> [DeliveryWorker] {
        try all(
            """
            SELECT DISTINCT group_id, worker_scope FROM delivery_tasks
            WHERE user_id = \(user) AND \(DeliveryTask.waits) ORDER BY group_id, worker_scope
            """)
    }

    /// The oldest task that waits for a worker, or nil.
    public func next(for worker: DeliveryWorker, of user: UserID) throws(RelayServiceError) -> DeliveryTask? {
        try first(
            """
            SELECT \(DeliveryTask.columns) FROM delivery_tasks
            WHERE user_id = \(user) AND group_id = \(worker.groupID) AND worker_scope = \(worker.scope)
                AND \(DeliveryTask.waits)
            ORDER BY delivery_task_id LIMIT 1
            """)
    }

    /// The waiting tasks that can become one job with a task, and the task itself, the oldest first: those for the same
    /// members, and in a group that is no channel of the same sender. `limit` tasks at most, from 1. Throws
    /// `deliveryTaskNotFound`.
    public func batch(
        with id: DeliveryTaskID, of user: UserID, limit: Int = 100
    ) throws(RelayServiceError) -> [DeliveryTask] {
        let task = try get(id, of: user)
        let scope = task.scope
        let isChannel = try asRelayServiceError { () throws(GroupsError) in
            try GroupsRepo(tx).get(task.groupID, of: user).group.isChannel
        }
        let sender: Query = isChannel ? "" : " AND sender_group_member_id = \(task.senderID)"
        return try all(
            """
            SELECT \(DeliveryTask.columns) FROM delivery_tasks
            WHERE user_id = \(user) AND group_id = \(task.groupID) AND worker_scope = \(scope.worker)
                AND \(DeliveryTask.waits) AND job_scope_spec_tag \(isSame: scope.kind)
                AND job_scope_include_pending \(isSame: scope.includesPending)
                AND job_scope_support_gm_id \(isSame: scope.supportMember)\(sender)
            ORDER BY delivery_task_id LIMIT \(number: PageSize.atLeastOne(limit))
            """)
    }
}

/// A message that is to be passed on.
public struct NewDeliveryTask: Sendable, Hashable {
    /// The group.
    public var groupID: GroupID
    /// To whom it goes.
    public var scope: DeliveryScope
    /// The member who sent the message.
    public var senderID: GroupMemberID
    /// The message.
    public var messageID: MessageID
    /// Whether members see the channel as the sender.
    public var isFromChannel: Bool

    /// A task; nothing is checked before it is added.
    public init(
        in groupID: GroupID, to scope: DeliveryScope, from senderID: GroupMemberID, message messageID: MessageID,
        isFromChannel: Bool = false
    ) {
        self.groupID = groupID
        self.scope = scope
        self.senderID = senderID
        self.messageID = messageID
        self.isFromChannel = isFromChannel
    }
}

/// Changes to the messages that a relay has to pass on. Rule: docs/domain.md, "Relay operators", Delivery.
public struct DeliveryTasksWriter: Writer {
    package typealias Failure = RelayServiceError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    private var tasks: DeliveryTasksRepo { DeliveryTasksRepo(tx) }

    /// Adds a task. Throws `groupNotFound`, `memberNotFound` for a sender, or a member of a support chat, who is not in
    /// the group, and `messageNotFound`; nothing is stored then.
    @discardableResult
    public func add(_ new: NewDeliveryTask, of user: UserID) throws(RelayServiceError) -> DeliveryTask {
        try asRelayServiceError { () throws(GroupsError) in
            try GroupsRepo(tx).require(new.groupID, of: user)
            for member in [new.senderID, new.scope.supportMember].compactMap(\.self) {
                let found = try GroupMembersRepo(tx).get(member, of: user)
                if found.groupID != new.groupID { throw .memberNotFound(.id(member)) }
            }
        }
        do throws(ChatsError) { _ = try MessagesRepo(tx).get(new.messageID, of: user) } catch { throw .chats(error) }
        let id = DeliveryTaskID(
            try insert(
                """
                INSERT INTO delivery_tasks (
                    user_id, group_id, worker_scope, job_scope_spec_tag, job_scope_include_pending,
                    job_scope_support_gm_id, sender_group_member_id, message_id, message_from_channel, task_status,
                    created_at, updated_at)
                VALUES (
                    \(user), \(new.groupID), \(new.scope.worker), \(new.scope.kind), \(new.scope.includesPending),
                    \(new.scope.supportMember), \(new.senderID), \(new.messageID), \(new.isFromChannel),
                    \(DeliveryTaskStatus.new), \(now), \(now))
                """, returning: "delivery_task_id"))
        return try tasks.get(id, of: user)
    }

    /// Records that a task failed, and why. The reason is trimmed and cut to 2,048 characters; an empty one becomes
    /// "failed". Throws `deliveryTaskNotFound` and `deliveryTaskDone`; nothing changes then.
    @discardableResult
    public func fail(
        _ id: DeliveryTaskID, reason: String, of user: UserID
    ) throws(RelayServiceError) -> DeliveryTask {
        _ = try waiting(id, of: user)
        let reason = RelayRequestsWriter.reason(reason)
        try set("task_status = \(DeliveryTaskStatus.error), task_err_reason = \(reason)", of: [id], user)
        return try tasks.get(id, of: user)
    }

    /// Leaves out a task that the worker cannot read, so that it goes on with the next. Throws `deliveryTaskNotFound`
    /// and `deliveryTaskDone`; nothing changes then.
    @discardableResult
    public func leaveOut(_ id: DeliveryTaskID, of user: UserID) throws(RelayServiceError) -> DeliveryTask {
        _ = try waiting(id, of: user)
        try set("failed = 1", of: [id], user)
        return try tasks.get(id, of: user)
    }

    /// Removes the tasks that were made before a time and do not wait any longer, and returns their number.
    @discardableResult
    public func deleteDone(madeBefore time: StoredTime, of user: UserID) throws(RelayServiceError) -> Int {
        try run(
            """
            DELETE FROM delivery_tasks
            WHERE user_id = \(user) AND created_at < \(time.text)
                AND (task_status IN (\(DeliveryTaskStatus.processed), \(DeliveryTaskStatus.error)) OR failed = 1)
            """)
    }

    func waiting(_ id: DeliveryTaskID, of user: UserID) throws(RelayServiceError) -> DeliveryTask {
        let task = try tasks.get(id, of: user)
        guard task.isWaiting else { throw .deliveryTaskDone(task) }
        return task
    }

    func set(_ assignment: Query, of ids: [DeliveryTaskID], _ user: UserID) throws(RelayServiceError) {
        for some in ids.inParts {
            try run(
                """
                UPDATE delivery_tasks SET \(assignment), updated_at = \(now)
                WHERE delivery_task_id IN (\(list: some.map(\.rawValue))) AND user_id = \(user)
                """)
        }
    }
}

extension DeliveryWorker: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(groupID: row.get("group_id"), scope: row.get("worker_scope"))
    }
}

extension DeliveryScope {
    static let columns: Query = """
        worker_scope, job_scope_spec_tag, job_scope_include_pending, job_scope_support_gm_id
        """

    init(row: ResultRow) throws(StoreError) {
        try self.init(
            worker: row.get("worker_scope"), kind: row.get("job_scope_spec_tag"),
            includesPending: row.get("job_scope_include_pending"), supportMember: row.get("job_scope_support_gm_id"))
    }
}

extension DeliveryTask: RowRecord {
    /// The condition of a task that waits; with literal values, as the partial index has it.
    static let waits: Query = "task_status = 'new' AND failed = 0"

    /// The condition of a task that failed; as the partial index has it.
    static let hasFailed: Query = "task_status = 'error' OR failed = 1"

    static let columns: Query = """
        delivery_task_id, group_id, \(DeliveryScope.columns), sender_group_member_id, message_id, message_from_channel,
        task_status, task_err_reason, failed, created_at
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("delivery_task_id"), groupID: row.get("group_id"), scope: DeliveryScope(row: row),
            senderID: row.get("sender_group_member_id"), messageID: row.get("message_id"),
            isFromChannel: row.get("message_from_channel"), status: row.get("task_status"),
            failure: row.get("task_err_reason"), isFailed: row.get("failed") ?? false, createdAt: row.time("created_at")
        )
    }
}
