public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The groups that a profile relays, has relayed, or was asked to relay. Rule: docs/domain.md, "Relay operators".
///
/// ```swift
/// let page = try store.read { try RelayedGroupsRepo($0).page(of: user.id, statuses: [.accepted, .active]) }
/// for group in page.groups { print(group.localDisplayName, group.status) }
/// ```
public struct RelayedGroupsRepo: Repository {
    package typealias Failure = RelayServiceError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The relayed group with a number, or nil; a group that the profile does not relay, and one of another profile, is
    /// nil.
    public func find(_ id: GroupID, of user: UserID) throws(RelayServiceError) -> RelayedGroup? {
        try first(
            """
            SELECT \(RelayedGroup.columns) FROM groups
            WHERE group_id = \(id) AND user_id = \(user) AND relay_own_status IS NOT NULL
            """)
    }

    /// The relayed group with a number. Throws `relayedGroupNotFound`.
    public func get(_ id: GroupID, of user: UserID) throws(RelayServiceError) -> RelayedGroup {
        guard let group = try find(id, of: user) else { throw .relayedGroupNotFound(id) }
        return group
    }

    /// A page of the relayed groups with one of these statuses, by number. An empty list means any status. `limit`
    /// groups at most, from 1. The page is empty when there are none.
    public func page(
        of user: UserID, statuses: [RelayStatus] = [], after: GroupID? = nil, limit: Int = 100
    ) throws(RelayServiceError) -> RelayedGroupPage {
        let limit = PageSize.atLeastOne(limit)
        let condition: Query =
            statuses.isEmpty ? "" : " AND relay_own_status IN (\(list: statuses.map(\.text)))"
        return RelayedGroupPage(
            try first(limit + 1) { rows in
                """
                SELECT \(RelayedGroup.columns) FROM groups
                WHERE user_id = \(user) AND group_id > \(after ?? GroupID(0)) AND relay_own_status IS NOT NULL\(condition)
                ORDER BY group_id LIMIT \(number: rows)
                """
            }, limit: limit)
    }

    /// The groups that the profile has not relayed since a time or longer, the longest first: the app deletes their
    /// connections. `limit` groups at most, from 1. The list is empty when there are none.
    public func inactive(
        of user: UserID, since time: StoredTime, limit: Int = 100
    ) throws(RelayServiceError) -> [RelayedGroup] {
        try all(
            """
            SELECT \(RelayedGroup.columns) FROM groups
            WHERE user_id = \(user) AND relay_own_status = 'inactive' AND relay_inactive_at <= \(time.text)
            ORDER BY relay_inactive_at, group_id LIMIT \(number: PageSize.atLeastOne(limit))
            """)
    }

    /// What the profile has to do and has done as a relay, in three statements.
    public func counts(of user: UserID) throws(RelayServiceError) -> RelayServiceCounts {
        try counts(ofEach: [user])[user] ?? .none
    }

    /// The same for several profiles, in three statements. A profile that was never a relay has no entry.
    package func counts(ofEach users: [UserID]) throws(RelayServiceError) -> [UserID: RelayServiceCounts] {
        let ids = users.map(\.rawValue)
        let groups: [GroupCountsOfRelay] = try all(
            """
            SELECT user_id, \(GroupCountsOfRelay.columns)
            FROM groups WHERE user_id IN (\(list: ids)) AND relay_own_status IS NOT NULL
            GROUP BY user_id
            """)
        let words = Dictionary(grouping: try failureWords(ofEach: ids), by: \.userID)
        let queues = Dictionary(
            try queueRows("users.user_id", where: "users.user_id IN (\(list: ids))").map { ($0.userID, $0.queue) },
            uniquingKeysWith: { first, _ in first })
        var counts: [UserID: RelayServiceCounts] = [:]
        for user in users {
            let (row, queue) = (groups.first { $0.userID == user }, queues[user] ?? .empty)
            let all = RelayServiceCounts(
                accepted: row?.accepted ?? 0, active: row?.active ?? 0, inactive: row?.inactive ?? 0,
                rejected: row?.rejected ?? 0, waitingRequests: row?.waiting ?? 0, failedRequests: row?.failed ?? 0,
                givenUpRequests: row?.givenUp ?? 0, incompleteRequests: row?.incomplete ?? 0,
                failureWords: words[user]?.map(\.word) ?? [], oldestRequest: row?.oldest, tasks: queue.tasks,
                jobs: queue.jobs)
            if !all.isEmpty { counts[user] = all }
        }
        return counts
    }

    private func failureWords(ofEach users: [Int64]) throws(RelayServiceError) -> [FailureWordRow] {
        let cases = RelayServiceCounts.FailureWord.known.map { word -> Query in
            """
            WHEN relay_request_err_reason = \(word)
                OR substr(relay_request_err_reason, 1, length(\(word)) + 1) = \(word + " ") THEN \(word)
            """
        }
        return try all(
            """
            SELECT user_id, CASE \(Query.joined(cases, by: "\n")) ELSE 'other' END AS word, count(*) AS requests
            FROM groups
            WHERE user_id IN (\(list: users)) AND relay_own_status IS NOT NULL AND relay_own_status = 'invited'
                AND relay_request_err_reason IS NOT NULL
            GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2
            """)
    }

    /// The delivery queue of a group, whether the profile relays it or not, in one statement. It is empty for a group
    /// of another profile.
    public func queue(of group: GroupID, of user: UserID) throws(RelayServiceError) -> DeliveryQueue {
        try queueRows("\(user) AND group_id = \(group)", where: "users.user_id = \(user)").first?.queue ?? .empty
    }

    /// `|| ''` keeps SQLite from reading all rows in the order of their time to find the first that waits.
    ///
    /// - Parameter owner: whose rows count, as the end of a condition that `user_id` is equal to it.
    private func queueRows(_ owner: Query, where condition: Query) throws(RelayServiceError) -> [QueueRow] {
        let tasks: Query = "FROM delivery_tasks WHERE delivery_tasks.user_id = \(owner)"
        let jobs: Query = "FROM delivery_jobs WHERE delivery_jobs.user_id = \(owner)"
        return try all(
            """
            SELECT users.user_id,
                (SELECT count(*) \(tasks) AND \(DeliveryTask.waits)) AS tasks_waiting,
                (SELECT min(created_at || '') \(tasks) AND \(DeliveryTask.waits)) AS tasks_oldest,
                (SELECT count(*) \(tasks) AND (\(DeliveryTask.hasFailed))) AS tasks_failed,
                (SELECT count(*) \(jobs) AND \(DeliveryJob.waits)) AS jobs_waiting,
                (SELECT min(created_at || '') \(jobs) AND \(DeliveryJob.waits)) AS jobs_oldest,
                (SELECT count(*) \(jobs) AND (\(DeliveryJob.hasFailed))) AS jobs_failed
            FROM users WHERE \(condition)
            """)
    }
}

/// Some relayed groups by number, and whether there are more.
public struct RelayedGroupPage: Sendable, Hashable {
    /// The groups.
    public let groups: [RelayedGroup]
    /// The group after which the next page begins; nil on the last one.
    public let next: GroupID?

    /// The rows of a page and the one after it, if there is one.
    init(_ rows: [RelayedGroup], limit: Int) {
        groups = Array(rows.prefix(limit))
        next = rows.count > limit ? groups.last?.id : nil
    }
}

/// What a group has yet to deliver. Rule: docs/domain.md, "Relay operators", Delivery.
public struct DeliveryQueue: Sendable, Hashable {
    /// Messages that wait to be put into a job.
    public let tasks: DeliveryBacklog
    /// Batches that wait to be sent to all their members.
    public let jobs: DeliveryBacklog

    static let empty = DeliveryQueue(
        tasks: DeliveryBacklog(waiting: 0, failed: 0, oldest: nil),
        jobs: DeliveryBacklog(waiting: 0, failed: 0, oldest: nil))

    /// Whether no row waits and none has failed.
    public var isEmpty: Bool { tasks.isEmpty && jobs.isEmpty }
}

/// The steps of a profile as a relay. Rule: docs/domain.md, "Relay operators".
public struct RelayedGroupsWriter: Writer {
    package typealias Failure = RelayServiceError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Records that the link of the channel has the profile's own link: accepted becomes active. Throws
    /// `relayedGroupNotFound` and `ownStepNotAllowed`; nothing changes then.
    @discardableResult
    public func activate(_ id: GroupID, of user: UserID) throws(RelayServiceError) -> RelayedGroup {
        try step(id, to: .active, of: user) { $0 == .accepted || $0 == .acknowledgedRoster }
    }

    /// Records that the profile does not relay the group any longer, and since when: the link of the channel lacks it,
    /// or an owner removed it. Throws `relayedGroupNotFound`, and `ownStepNotAllowed` for a group that is inactive
    /// already or rejected; nothing changes then.
    @discardableResult
    public func deactivate(_ id: GroupID, of user: UserID) throws(RelayServiceError) -> RelayedGroup {
        try step(id, to: .inactive, of: user) { $0 != .inactive && $0 != .rejected }
    }

    /// Leaves the group for good: the profile's membership ends, and later requests for the same link are refused.
    /// Throws `relayedGroupNotFound`, and `ownStepNotAllowed` for a group that is rejected already; nothing changes
    /// then.
    @discardableResult
    public func reject(_ id: GroupID, of user: UserID) throws(RelayServiceError) -> RelayedGroup {
        let rejected = try step(id, to: .rejected, of: user) { $0 != .rejected }
        try run(
            """
            UPDATE group_members SET member_status = \(GroupMemberStatus.left), updated_at = \(now)
            WHERE group_id = \(id) AND user_id = \(user) AND member_category = \(GroupMemberCategory.user)
                AND member_status NOT IN (\(list: GroupMemberStatus.known.filter(\.isHistory).map(\.text)))
            """)
        return rejected
    }

    /// Allows a rejected group again: it becomes inactive, and the next request of its owner is taken. Throws
    /// `relayedGroupNotFound`, and `ownStepNotAllowed` for any other group; nothing changes then.
    @discardableResult
    public func allow(_ id: GroupID, of user: UserID) throws(RelayServiceError) -> RelayedGroup {
        try step(id, to: .inactive, of: user) { $0 == .rejected }
    }

    /// Stores the web domain of the relay that the owner was sent last, trimmed and in lower case; nil for none. Throws
    /// `relayedGroupNotFound`, `groupNotServed` and `invalidWebDomain`; nothing changes then.
    @discardableResult
    public func setSentWebDomain(
        _ given: String?, of id: GroupID, of user: UserID
    ) throws(RelayServiceError) -> RelayedGroup {
        let group = try RelayedGroupsRepo(tx).get(id, of: user)
        if !group.isServed { throw .groupNotServed(group) }
        let domain = try given.map { text throws(RelayServiceError) in
            guard let domain = DomainRule.checked(text) else { throw .invalidWebDomain(InvalidDomain(text).excerpt) }
            return domain
        }
        return try set("relay_sent_web_domain = \(domain)", of: id, of: user)
    }

    private func step(
        _ id: GroupID, to next: RelayStatus, of user: UserID, from isAllowed: (RelayStatus) -> Bool
    ) throws(RelayServiceError) -> RelayedGroup {
        let group = try RelayedGroupsRepo(tx).get(id, of: user)
        guard isAllowed(group.status) else { throw .ownStepNotAllowed(group, to: next) }
        let since: Query = next == .inactive ? now : "NULL"
        return try set("relay_own_status = \(next), relay_inactive_at = \(since)", of: id, of: user)
    }

    func set(_ assignment: Query, of id: GroupID, of user: UserID) throws(RelayServiceError) -> RelayedGroup {
        try run(
            "UPDATE groups SET \(assignment), updated_at = \(now) WHERE group_id = \(id) AND user_id = \(user)")
        return try RelayedGroupsRepo(tx).get(id, of: user)
    }
}

extension RelayServiceCounts {
    /// No group, no request and nothing to deliver.
    package static let none = RelayServiceCounts(
        accepted: 0, active: 0, inactive: 0, rejected: 0, waitingRequests: 0, failedRequests: 0,
        givenUpRequests: 0, incompleteRequests: 0, failureWords: [], oldestRequest: nil,
        tasks: DeliveryQueue.empty.tasks, jobs: DeliveryQueue.empty.jobs)
}

private struct GroupCountsOfRelay: RowRecord {
    static let numberColumn: String? = "user_id"

    /// The status first: SQLite then reads the rows of the few requests only, and for the others the index.
    static let columns: Query = """
        count(CASE WHEN relay_own_status IN ('accepted', 'acknowledged_roster') THEN 1 END) AS accepted_count,
        count(CASE WHEN relay_own_status = 'active' THEN 1 END) AS active_count,
        count(CASE WHEN relay_own_status = 'inactive' THEN 1 END) AS inactive_count,
        count(CASE WHEN relay_own_status = 'rejected' THEN 1 END) AS rejected_count,
        count(CASE WHEN \(RelayRequest.isWaiting) AND \(RelayRequest.isComplete) THEN 1 END) AS waiting_count,
        count(CASE WHEN \(RelayRequest.isWaiting) AND NOT (\(RelayRequest.isComplete)) THEN 1 END) AS incomplete_count,
        count(CASE WHEN relay_own_status = 'invited' AND relay_request_err_reason IS NOT NULL THEN 1 END)
            AS failed_count,
        count(CASE WHEN relay_own_status = 'invited' AND relay_request_err_reason IS NULL
            AND relay_request_failed = 1 THEN 1 END) AS given_up_count,
        min(CASE WHEN \(RelayRequest.isWaiting) AND \(RelayRequest.isComplete) THEN created_at END) AS oldest
        """

    let userID: UserID
    let accepted, active, inactive, rejected, waiting, incomplete, failed, givenUp: Int
    let oldest: StoredTime?

    init(row: ResultRow) throws(StoreError) {
        userID = try row.get("user_id")
        accepted = try row.get("accepted_count")
        active = try row.get("active_count")
        inactive = try row.get("inactive_count")
        rejected = try row.get("rejected_count")
        waiting = try row.get("waiting_count")
        incomplete = try row.get("incomplete_count")
        failed = try row.get("failed_count")
        givenUp = try row.get("given_up_count")
        oldest = try row.optionalTime("oldest")
    }
}

private struct FailureWordRow: RowRecord {
    static let numberColumn: String? = "user_id"

    let userID: UserID
    let word: RelayServiceCounts.FailureWord

    init(row: ResultRow) throws(StoreError) {
        userID = try row.get("user_id")
        word = RelayServiceCounts.FailureWord(word: try row.get("word"), requests: try row.get("requests"))
    }
}

private struct QueueRow: RowRecord {
    static let numberColumn: String? = "user_id"

    let userID: UserID
    let queue: DeliveryQueue

    init(row: ResultRow) throws(StoreError) {
        userID = try row.get("user_id")
        queue = DeliveryQueue(
            tasks: DeliveryBacklog(
                waiting: try row.get("tasks_waiting"), failed: try row.get("tasks_failed"),
                oldest: try row.optionalTime("tasks_oldest")),
            jobs: DeliveryBacklog(
                waiting: try row.get("jobs_waiting"), failed: try row.get("jobs_failed"),
                oldest: try row.optionalTime("jobs_oldest")))
    }
}

extension RelayedGroup: RowRecord {
    static let columns: Query = """
        group_id, user_id, local_display_name, relay_own_status, relay_inactive_at, relay_sent_web_domain, created_at,
        relay_request_inv_id, relay_request_group_link, relay_request_peer_chat_min_version,
        relay_request_peer_chat_max_version, relay_request_failed, relay_request_err_reason, relay_request_retries,
        relay_request_delay, relay_request_execute_at
        """

    package init(row: ResultRow) throws(StoreError) {
        let invitation: String? = try row.get("relay_request_inv_id")
        let link: String? = try row.get("relay_request_group_link")
        let request = invitation == nil && link == nil ? nil : try RelayRequest(row: row)
        try self.init(
            id: row.get("group_id"), userID: row.get("user_id"), localDisplayName: row.get("local_display_name"),
            status: row.get("relay_own_status"), inactiveSince: row.optionalTime("relay_inactive_at"),
            sentWebDomain: row.get("relay_sent_web_domain"), createdAt: row.time("created_at"), request: request)
    }
}

extension RelayRequest: RowRecord {
    /// The condition that the worker will try the request of a row of `groups`. With literal values: SQLite uses a
    /// partial index only for the condition of the index itself.
    static let isWaiting: Query = """
        relay_own_status = 'invited' AND relay_request_failed = 0 AND relay_request_err_reason IS NULL
        """

    /// The condition that the row has all the worker needs, as ``RelayRequest/State/incomplete`` says.
    static let isComplete: Query = """
        relay_request_inv_id IS NOT NULL AND relay_request_group_link IS NOT NULL
        AND relay_request_peer_chat_min_version IS NOT NULL AND relay_request_peer_chat_max_version IS NOT NULL
        """

    package init(row: ResultRow) throws(StoreError) {
        let lowest: Int? = try row.get("relay_request_peer_chat_min_version")
        let highest: Int? = try row.get("relay_request_peer_chat_max_version")
        let invitation: String? = try row.get("relay_request_inv_id")
        var versions: PeerVersions?
        if let lowest, let highest { versions = PeerVersions(lowest: lowest, highest: highest) }
        try self.init(
            invitationID: invitation.map { InvitationID(text: $0) }, link: row.get("relay_request_group_link"),
            peerVersions: versions, retries: row.get("relay_request_retries"), delay: row.get("relay_request_delay"),
            executeAt: row.time("relay_request_execute_at"), isFailed: row.get("relay_request_failed") ?? false,
            failure: row.get("relay_request_err_reason"))
    }
}
