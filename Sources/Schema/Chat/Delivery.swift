/// The number of a message that a relay has to pass on: `delivery_tasks.delivery_task_id`.
public typealias DeliveryTaskID = RowID<DeliveryTask>

/// The number of a batch that a relay sends to members: `delivery_jobs.delivery_job_id`.
public typealias DeliveryJobID = RowID<DeliveryJob>

/// The worker of a group that does a task or a job: one worker for each. Rule: docs/domain.md, "Relay operators",
/// Delivery.
public enum DeliveryWorkerScope: StoredText {
    /// What goes to the members of the group.
    case group
    /// What goes to the support chat of one member.
    case memberSupport
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts.
    public static let texts: StoredTexts<DeliveryWorkerScope> = [
        .group: "group",
        .memberSupport: "member_support",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The kind of a job for the whole group. Rule: docs/domain.md, "Relay operators", Delivery.
public enum DeliveryJobKind: StoredText {
    /// Messages to deliver.
    case deliveryJob
    /// The word that the relay was removed.
    case relayRemoved
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts.
    public static let texts: StoredTexts<DeliveryJobKind> = [
        .deliveryJob: "delivery_job",
        .relayRemoved: "relay_removed",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The state of a task. Rule: docs/domain.md, "Relay operators", Delivery.
public enum DeliveryTaskStatus: StoredText {
    /// It waits for the worker.
    case new
    /// It is part of a job.
    case processed
    /// It failed, with a reason.
    case error
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order in which a task goes through them.
    public static let texts: StoredTexts<DeliveryTaskStatus> = [
        .new: "new",
        .processed: "processed",
        .error: "error",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The state of a job. Rule: docs/domain.md, "Relay operators", Delivery.
public enum DeliveryJobStatus: StoredText {
    /// It waits for the worker, or is under way.
    case pending
    /// All its members have it.
    case complete
    /// It failed, with a reason.
    case error
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order in which a job goes through them.
    public static let texts: StoredTexts<DeliveryJobStatus> = [
        .pending: "pending",
        .complete: "complete",
        .error: "error",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// To whom a task or a job goes. Tasks with the same scope may become one job. Rule: docs/domain.md, "Relay operators",
/// Delivery.
public struct DeliveryScope: Sendable, Hashable {
    /// The worker.
    public let worker: DeliveryWorkerScope
    /// The kind of the job; nil for a support chat.
    public let kind: DeliveryJobKind?
    /// Whether members that wait for approval get it too; nil where the question does not arise.
    public let includesPending: Bool?
    /// The member whose support chat it is; nil for the group.
    public let supportMember: GroupMemberID?

    package init(
        worker: DeliveryWorkerScope, kind: DeliveryJobKind?, includesPending: Bool?, supportMember: GroupMemberID?
    ) {
        self.worker = worker
        self.kind = kind
        self.includesPending = includesPending
        self.supportMember = supportMember
    }

    /// The members of the group.
    public static func group(includingPending: Bool = false) -> DeliveryScope {
        DeliveryScope(worker: .group, kind: .deliveryJob, includesPending: includingPending, supportMember: nil)
    }

    /// The members of the group, who learn that the relay was removed.
    public static let relayRemoved = DeliveryScope(
        worker: .group, kind: .relayRemoved, includesPending: nil, supportMember: nil)

    /// The support chat of a member.
    public static func support(_ member: GroupMemberID) -> DeliveryScope {
        DeliveryScope(worker: .memberSupport, kind: nil, includesPending: nil, supportMember: member)
    }

    /// Whether this build knows what the scope means.
    public var isKnown: Bool {
        switch (worker, kind, includesPending, supportMember) {
        case (.group, .deliveryJob, .some, nil), (.group, .relayRemoved, nil, nil), (.memberSupport, nil, nil, .some):
            true
        default: false
        }
    }
}

/// A message that a relay has to pass on. Rule: docs/domain.md, "Relay operators", Delivery.
public struct DeliveryTask: Sendable, Hashable {
    /// The row's key, `delivery_tasks.delivery_task_id`.
    public let id: DeliveryTaskID
    /// The group.
    public let groupID: GroupID
    /// To whom it goes.
    public let scope: DeliveryScope
    /// The member who sent the message.
    public let senderID: GroupMemberID
    /// The message, or nil.
    public let messageID: MessageID?
    /// Whether members see the channel as the sender.
    public let isFromChannel: Bool
    /// How far it has come.
    public let status: DeliveryTaskStatus
    /// Why it failed, or nil.
    public let failure: String?
    /// Whether the worker could not read it, and leaves it out.
    public let isFailed: Bool
    /// When it was made.
    public let createdAt: StoredTime

    package init(
        id: DeliveryTaskID, groupID: GroupID, scope: DeliveryScope, senderID: GroupMemberID, messageID: MessageID?,
        isFromChannel: Bool, status: DeliveryTaskStatus, failure: String?, isFailed: Bool, createdAt: StoredTime
    ) {
        self.id = id
        self.groupID = groupID
        self.scope = scope
        self.senderID = senderID
        self.messageID = messageID
        self.isFromChannel = isFromChannel
        self.status = status
        self.failure = failure
        self.isFailed = isFailed
        self.createdAt = createdAt
    }

    /// Whether it waits for the worker.
    public var isWaiting: Bool { status == .new && !isFailed }
}

/// A batch of messages that a relay sends to the members of a group, one part of the members after the other. Rule:
/// docs/domain.md, "Relay operators", Delivery.
public struct DeliveryJob: Sendable, Hashable {
    /// The row's key, `delivery_jobs.delivery_job_id`.
    public let id: DeliveryJobID
    /// The group.
    public let groupID: GroupID
    /// To whom it goes.
    public let scope: DeliveryScope
    /// The members who sent the messages; empty if it has no messages, or if the list cannot be read.
    public let senders: [GroupMemberID]
    /// The encoded messages, or nil.
    public let body: [UInt8]?
    /// The last member who has it; nil before the first.
    public let cursor: GroupMemberID?
    /// How far it has come.
    public let status: DeliveryJobStatus
    /// Why it failed, or nil.
    public let failure: String?
    /// Whether the worker could not read it, and leaves it out.
    public let isFailed: Bool
    /// When it was made.
    public let createdAt: StoredTime

    package init(
        id: DeliveryJobID, groupID: GroupID, scope: DeliveryScope, senders: [GroupMemberID], body: [UInt8]?,
        cursor: GroupMemberID?, status: DeliveryJobStatus, failure: String?, isFailed: Bool, createdAt: StoredTime
    ) {
        self.id = id
        self.groupID = groupID
        self.scope = scope
        self.senders = senders
        self.body = body
        self.cursor = cursor
        self.status = status
        self.failure = failure
        self.isFailed = isFailed
        self.createdAt = createdAt
    }

    /// Whether it waits for the worker.
    public var isWaiting: Bool { status == .pending && !isFailed }
}

extension CatalogueTable {
    /// What a relay has to deliver.
    static let chatDelivery: [CatalogueTable] = [
        CatalogueTable(
            "delivery_tasks", "A message that a relay has to pass on.",
            [
                .public("delivery_task_id", "the task's number"),
                .public("user_id", "the profile that is the relay"),
                .public("group_id", "the group"),
                .state("worker_scope", "the worker: group, or member_support", DeliveryWorkerScope.self),
                .state("job_scope_spec_tag", "the kind of the job it becomes, or NULL", DeliveryJobKind.self),
                .public("job_scope_include_pending", "1 when members that wait for approval get it too, or NULL"),
                .public("job_scope_support_gm_id", "the member whose support chat it is for, or NULL"),
                .public("sender_group_member_id", "the member who sent the message"),
                .public("message_id", "the message, or NULL"),
                .public("message_from_channel", "1 when members see the channel as the sender"),
                .state("task_status", "how far it has come: new, processed, error", DeliveryTaskStatus.self),
                .personal("task_err_reason", "why it failed, or NULL"),
                .public("failed", "1 when the worker could not read it and leaves it out"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "delivery_jobs", "A batch of messages that a relay sends to the members of a group.",
            [
                .public("delivery_job_id", "the job's number"),
                .public("user_id", "the profile that is the relay"),
                .public("group_id", "the group"),
                .state("worker_scope", "the worker: group, or member_support", DeliveryWorkerScope.self),
                .state("job_scope_spec_tag", "the kind of the job, or NULL", DeliveryJobKind.self),
                .public("job_scope_include_pending", "1 when members that wait for approval get it too, or NULL"),
                .public("job_scope_support_gm_id", "the member whose support chat it is for, or NULL"),
                .public("sender_group_member_ids", "the members who sent the messages, separated by commas, or NULL"),
                .personal("body", "the encoded messages"),
                .public("cursor_group_member_id", "the last member who has it; NULL before the first"),
                .state("job_status", "how far it has come: pending, complete, error", DeliveryJobStatus.self),
                .personal("job_err_reason", "why it failed, or NULL"),
                .public("failed", "1 when the worker could not read it and leaves it out"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
