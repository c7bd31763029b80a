public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The batches that a relay sends to the members of its groups. Rule: docs/domain.md, "Relay operators", Delivery.
public struct DeliveryJobsRepo: Repository {
    package typealias Failure = RelayServiceError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The job with a number, or nil; one of another profile is nil.
    public func find(_ id: DeliveryJobID, of user: UserID) throws(RelayServiceError) -> DeliveryJob? {
        try first(
            """
            SELECT \(DeliveryJob.columns) FROM delivery_jobs
            WHERE delivery_job_id = \(id) AND user_id = \(user)
            """)
    }

    /// The job with a number. Throws `deliveryJobNotFound`.
    public func get(_ id: DeliveryJobID, of user: UserID) throws(RelayServiceError) -> DeliveryJob {
        guard let job = try find(id, of: user) else { throw .deliveryJobNotFound(id) }
        return job
    }

    /// The workers with waiting jobs, by group: the app starts each when it starts. The list is empty when there are
    /// none.
    public func workers(of user: UserID) throws(RelayServiceError) -> [DeliveryWorker] {
        try all(
            """
            SELECT DISTINCT group_id, worker_scope FROM delivery_jobs
            WHERE user_id = \(user) AND \(DeliveryJob.waits) ORDER BY group_id, worker_scope
            """)
    }

    /// The oldest job that waits for a worker, or nil.
    public func next(for worker: DeliveryWorker, of user: UserID) throws(RelayServiceError) -> DeliveryJob? {
        try first(
            """
            SELECT \(DeliveryJob.columns) FROM delivery_jobs
            WHERE user_id = \(user) AND group_id = \(worker.groupID) AND worker_scope = \(worker.scope)
                AND \(DeliveryJob.waits)
            ORDER BY delivery_job_id LIMIT 1
            """)
    }

    /// The next members who get a job, by number, after its cursor: those who are in the group, without the profile and
    /// without the sender if there is only one. Members that wait for approval get it if the job says so; a job for a
    /// support chat goes to its member and to the moderators, admins and owners. `limit` members at most, from 1. The
    /// list is empty when all have it. Throws `deliveryJobNotFound`, and `unknownScope` for a job of a newer app, whose
    /// recipients this build cannot know.
    public func recipients(
        of id: DeliveryJobID, of user: UserID, limit: Int = 100
    ) throws(RelayServiceError) -> [GroupMember] {
        let job = try get(id, of: user)
        if !job.scope.isKnown { throw .unknownScope(job) }
        var statuses: [GroupMemberStatus] = [
            .introduced, .introInvited, .accepted, .announced, .connected, .complete,
        ]
        if job.scope.includesPending == true { statuses += [.pendingApproval, .pendingReview] }
        var meant: Query = ""
        if let member = job.scope.supportMember {
            let roles = [GroupMemberRole.moderator, .admin, .owner].map(\.text)
            meant = " AND (group_members.member_role IN (\(list: roles)) OR group_members.group_member_id = \(member))"
            statuses += [.pendingApproval, .pendingReview]
        }
        // Several senders get the messages of each other.
        let sender: Query =
            job.senders.count == 1 ? " AND group_members.group_member_id <> \(job.senders[0])" : ""
        return try all(
            """
            SELECT \(GroupMember.columns) FROM group_members
            WHERE group_members.group_id = \(job.groupID) AND group_members.user_id = \(user)
                AND group_members.group_member_id > \(job.cursor ?? GroupMemberID(0))
                AND group_members.member_category <> \(GroupMemberCategory.user)
                AND group_members.member_status IN (\(list: statuses.map(\.text)))\(meant)\(sender)
            ORDER BY group_members.group_member_id LIMIT \(number: PageSize.atLeastOne(limit))
            """)
    }
}

/// Changes to the batches that a relay sends. Rule: docs/domain.md, "Relay operators", Delivery.
public struct DeliveryJobsWriter: Writer {
    package typealias Failure = RelayServiceError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    private var jobs: DeliveryJobsRepo { DeliveryJobsRepo(tx) }

    /// Makes a job of waiting tasks with the same scope, and marks them as processed. `body` has their messages, encoded
    /// by the app. The senders of the job are those of the tasks, each once.
    ///
    /// Throws `noDeliveryTasks`, `deliveryTaskNotFound`, `deliveryTaskDone`, and `differentScopes` for tasks of several
    /// groups or scopes; nothing is stored then.
    @discardableResult
    public func add(
        from ids: [DeliveryTaskID], body: [UInt8], of user: UserID
    ) throws(RelayServiceError) -> DeliveryJob {
        let tasks = DeliveryTasksWriter(tx, clock: clock)
        let found = try ids.map { id throws(RelayServiceError) in try tasks.waiting(id, of: user) }
        guard let first = found.first else { throw .noDeliveryTasks }
        if let other = found.first(where: { $0.groupID != first.groupID || $0.scope != first.scope }) {
            throw .differentScopes(first, other)
        }
        let senders = Set(found.map(\.senderID)).sorted().map(\.description).joined(separator: ",")
        let scope = first.scope
        let id = DeliveryJobID(
            try insert(
                """
                INSERT INTO delivery_jobs (
                    user_id, group_id, worker_scope, job_scope_spec_tag, job_scope_include_pending,
                    job_scope_support_gm_id, sender_group_member_ids, body, job_status, created_at, updated_at)
                VALUES (
                    \(user), \(first.groupID), \(scope.worker), \(scope.kind), \(scope.includesPending),
                    \(scope.supportMember), \(senders), \(body), \(DeliveryJobStatus.pending), \(now), \(now))
                """, returning: "delivery_job_id"))
        try tasks.set("task_status = \(DeliveryTaskStatus.processed)", of: ids, user)
        return try jobs.get(id, of: user)
    }

    /// Records that all members up to this one have the job: after a stop, the worker goes on behind it. Throws
    /// `deliveryJobNotFound`, `deliveryJobDone`, and `cursorBehind` for a member before the one recorded last; nothing
    /// changes then.
    @discardableResult
    public func advance(
        _ id: DeliveryJobID, to member: GroupMemberID, of user: UserID
    ) throws(RelayServiceError) -> DeliveryJob {
        let job = try waiting(id, of: user)
        if let cursor = job.cursor, member < cursor { throw .cursorBehind(job, member: member) }
        return try set("cursor_group_member_id = \(member)", of: id, user)
    }

    /// Records that all members have the job. Throws `deliveryJobNotFound` and `deliveryJobDone`; nothing changes then.
    @discardableResult
    public func complete(_ id: DeliveryJobID, of user: UserID) throws(RelayServiceError) -> DeliveryJob {
        _ = try waiting(id, of: user)
        return try set("job_status = \(DeliveryJobStatus.complete)", of: id, user)
    }

    /// Records that a job failed, and why. The reason is trimmed and cut to 2,048 characters; an empty one becomes
    /// "failed". Throws `deliveryJobNotFound` and `deliveryJobDone`; nothing changes then.
    @discardableResult
    public func fail(_ id: DeliveryJobID, reason: String, of user: UserID) throws(RelayServiceError) -> DeliveryJob {
        _ = try waiting(id, of: user)
        let reason = RelayRequestsWriter.reason(reason)
        return try set("job_status = \(DeliveryJobStatus.error), job_err_reason = \(reason)", of: id, user)
    }

    /// Leaves out a job that the worker cannot read, so that it goes on with the next. Throws `deliveryJobNotFound` and
    /// `deliveryJobDone`; nothing changes then.
    @discardableResult
    public func leaveOut(_ id: DeliveryJobID, of user: UserID) throws(RelayServiceError) -> DeliveryJob {
        _ = try waiting(id, of: user)
        return try set("failed = 1", of: id, user)
    }

    /// Removes the jobs that were made before a time and do not wait any longer, and returns their number.
    @discardableResult
    public func deleteDone(madeBefore time: StoredTime, of user: UserID) throws(RelayServiceError) -> Int {
        try run(
            """
            DELETE FROM delivery_jobs
            WHERE user_id = \(user) AND created_at < \(time.text)
                AND (job_status IN (\(DeliveryJobStatus.complete), \(DeliveryJobStatus.error)) OR failed = 1)
            """)
    }

    private func waiting(_ id: DeliveryJobID, of user: UserID) throws(RelayServiceError) -> DeliveryJob {
        let job = try jobs.get(id, of: user)
        guard job.isWaiting else { throw .deliveryJobDone(job) }
        return job
    }

    private func set(_ assignment: Query, of id: DeliveryJobID, _ user: UserID) throws(RelayServiceError) -> DeliveryJob
    {
        try run(
            """
            UPDATE delivery_jobs SET \(assignment), updated_at = \(now)
            WHERE delivery_job_id = \(id) AND user_id = \(user)
            """)
        return try jobs.get(id, of: user)
    }
}

extension DeliveryJob: RowRecord {
    /// The condition of a job that waits; with literal values, as the partial index has it.
    static let waits: Query = "job_status = 'pending' AND failed = 0"

    /// The condition of a job that failed; as the partial index has it.
    static let hasFailed: Query = "job_status = 'error' OR failed = 1"

    static let columns: Query = """
        delivery_job_id, group_id, \(DeliveryScope.columns), sender_group_member_ids, body, cursor_group_member_id,
        job_status, job_err_reason, failed, created_at
        """

    package init(row: ResultRow) throws(StoreError) {
        let senders: String? = try row.get("sender_group_member_ids")
        try self.init(
            id: row.get("delivery_job_id"), groupID: row.get("group_id"), scope: DeliveryScope(row: row),
            senders: Self.senders(senders ?? ""), body: row.get("body"), cursor: row.get("cursor_group_member_id"),
            status: row.get("job_status"), failure: row.get("job_err_reason"), isFailed: row.get("failed") ?? false,
            createdAt: row.time("created_at"))
    }

    /// The numbers of a list that is separated by commas; none if one of them is no number.
    private static func senders(_ text: String) -> [GroupMemberID] {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int64($0) }
        return numbers.contains(nil) ? [] : numbers.compactMap(\.self).map { GroupMemberID($0) }
    }
}
