public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on the groups that a profile relays, on requests, and on what it has to deliver. Rule:
/// docs/domain.md, "Relay operators".
public enum RelayServiceError: RuleViolation, Hashable {
    /// The profile does not relay this group, and was not asked to.
    case relayedGroupNotFound(GroupID)
    /// The profile has no such task.
    case deliveryTaskNotFound(DeliveryTaskID)
    /// The profile has no such job.
    case deliveryJobNotFound(DeliveryJobID)
    /// Owners ask only a chat relay.
    case notChatRelay(User)
    /// The id of the agent's invitation is no text.
    case invalidInvitation(InvitationID)
    /// The text is no domain.
    case invalidWebDomain(String)
    /// Steps of a relay go forward only.
    case ownStepNotAllowed(RelayedGroup, to: RelayStatus)
    /// The request does not wait for the worker.
    case requestNotWaiting(RelayedGroup)
    /// The request has not failed.
    case requestNotFailed(RelayedGroup)
    /// The profile does not serve the group now.
    case groupNotServed(RelayedGroup)
    /// The task is part of a job already, or failed.
    case deliveryTaskDone(DeliveryTask)
    /// The job is complete, or failed.
    case deliveryJobDone(DeliveryJob)
    /// The recipients of the job are those of a newer app.
    case unknownScope(DeliveryJob)
    /// Tasks of one job go to the same members.
    case differentScopes(DeliveryTask, DeliveryTask)
    /// A job is made of at least one task.
    case noDeliveryTasks
    /// The cursor of a job goes forward only.
    case cursorBehind(DeliveryJob, member: GroupMemberID)

    /// An error about the group.
    case groups(GroupsError)
    /// An error about a message.
    case chats(ChatsError)
    /// No such profile exists.
    case users(UsersError)
    /// The database failed.
    case store(StoreError)

    package var storeError: StoreError? {
        switch self {
        case .store(let error): error
        case .groups(let error): error.storeError
        case .chats(let error): error.storeError
        case .users(let error): error.storeError
        default: nil
        }
    }

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .relayedGroupNotFound(let id):
            .refused(
                "relayedGroupNotFound", "the profile does not relay the group \(id), and was not asked to",
                ["group": .integer(id.rawValue)])
        case .deliveryTaskNotFound(let id):
            .refused(
                "deliveryTaskNotFound", "the profile has no delivery task \(id)",
                ["deliveryTaskId": .integer(id.rawValue)])
        case .deliveryJobNotFound(let id):
            .refused(
                "deliveryJobNotFound", "the profile has no delivery job \(id)", ["deliveryJobId": .integer(id.rawValue)]
            )
        case .notChatRelay(let user):
            .refused(
                "notChatRelay", "the profile \(user.label) is no chat relay; make it one first", ["user": user.named])
        case .invalidInvitation(let id):
            .invalid("invalidInvitation", "the agent's invitation \(id) has an id that is empty or no text")
        case .invalidWebDomain(let excerpt):
            .invalid("invalidWebDomain", "the web domain \"\(excerpt)\" is no domain name")
        case .ownStepNotAllowed(let group, let next):
            .refused(
                "ownStepNotAllowed",
                "the profile cannot become \(next) as a relay of \(group.label): it is \(group.status) there",
                group.reference.merging(["to": .string(next.text)]))
        case .requestNotWaiting(let group):
            .refused(
                "requestNotWaiting", "the request to relay \(group.label) does not wait: \(group.requestClause)",
                group.reference)
        case .requestNotFailed(let group):
            .refused(
                "requestNotFailed", "the request to relay \(group.label) has not failed: \(group.requestClause)",
                group.reference)
        case .groupNotServed(let group):
            .refused(
                "groupNotServed", "the profile does not serve \(group.label): it is \(group.status) there",
                group.reference)
        case .deliveryTaskDone(let task):
            .refused(
                "deliveryTaskDone",
                "the delivery task \(task.id) does not wait: \(task.isFailed ? "it was left out" : "it is \(task.status)")",
                ["deliveryTaskId": .integer(task.id.rawValue)])
        case .deliveryJobDone(let job):
            .refused(
                "deliveryJobDone",
                "the delivery job \(job.id) does not wait: \(job.isFailed ? "it was left out" : "it is \(job.status)")",
                ["deliveryJobId": .integer(job.id.rawValue)])
        case .unknownScope(let job):
            .refused(
                "unknownScope", "the recipients of the delivery job \(job.id) are unknown: a newer app made it",
                ["deliveryJobId": .integer(job.id.rawValue)])
        case .differentScopes(let task, let other):
            .refused(
                "differentScopes",
                "the delivery tasks \(task.id) and \(other.id) cannot become one job: they go to different members",
                ["deliveryTaskIds": .array([task, other].map { .integer($0.id.rawValue) })])
        case .noDeliveryTasks: .invalid("noDeliveryTasks", "a delivery job needs at least one task")
        case .cursorBehind(let job, let member):
            .refused(
                "cursorBehind",
                "the delivery job \(job.id) cannot go back to the member \(member): "
                    + "it has come to \(job.cursor.map(\.description) ?? "none")",
                ["deliveryJobId": .integer(job.id.rawValue), "groupMemberId": .integer(member.rawValue)])
        case .groups(let error): error.info
        case .chats(let error): error.info
        case .users(let error): error.info
        case .store(let error): error.info
        }
    }
}

extension RelayedGroup {
    /// The group in a sentence: its name and its number.
    fileprivate var label: String { "\"\(localDisplayName)\" (id:\(id))" }

    fileprivate var reference: JSONValue {
        [
            "groupId": .integer(id.rawValue), "name": .string(localDisplayName),
            "relayOwnStatus": .string(status.text),
        ]
    }

    /// What became of the request, a clause.
    fileprivate var requestClause: String {
        switch requestState {
        case nil: "the profile is \(status) there"
        case .waiting: "the worker will try it"
        case .gaveUp: "the worker gave up"
        case .failed: "it failed"
        case .incomplete: "its row has no link or no invitation"
        }
    }
}

extension JSONValue {
    /// The members of two objects; those of the other last.
    fileprivate func merging(_ other: JSONValue) -> JSONValue {
        guard case .object(let first) = self, case .object(let second) = other else { return self }
        return .object(first + second)
    }
}

extension RelayServiceError: ProfileScopedError {}

/// Turns errors about a group into errors of a relay operator.
func asRelayServiceError<T>(_ body: () throws(GroupsError) -> T) throws(RelayServiceError) -> T {
    do throws(GroupsError) { return try body() } catch { throw .groups(error) }
}
