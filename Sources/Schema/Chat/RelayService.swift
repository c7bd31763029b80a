/// A group that a profile relays, has relayed, or was asked to relay. Rule: docs/domain.md, "Relay operators".
public struct RelayedGroup: Sendable, Hashable {
    /// The group: `groups.group_id`.
    public let id: GroupID
    /// The profile that is the relay.
    public let userID: UserID
    /// The name in the profile's lists.
    public let localDisplayName: String
    /// How far the profile has come with the group: its own status as a relay.
    public let status: RelayStatus
    /// The time since which the profile does not relay the group; nil unless the status is inactive.
    public let inactiveSince: StoredTime?
    /// The web domain of the relay that its owner was sent last, or nil.
    public let sentWebDomain: String?
    /// The time when the row was made: when the request came.
    public let createdAt: StoredTime
    /// The request by which the owner asked for it; nil if the row has none.
    public let request: RelayRequest?

    package init(
        id: GroupID, userID: UserID, localDisplayName: String, status: RelayStatus, inactiveSince: StoredTime?,
        sentWebDomain: String?, createdAt: StoredTime, request: RelayRequest?
    ) {
        self.id = id
        self.userID = userID
        self.localDisplayName = localDisplayName
        self.status = status
        self.inactiveSince = inactiveSince
        self.sentWebDomain = sentWebDomain
        self.createdAt = createdAt
        self.request = request
    }

    /// Whether the profile passes on the messages of the group, or will as soon as its link is published.
    public var isServed: Bool { status.isPublishable }

    /// The state of the request while the owner waits for an answer; nil once the group was accepted or rejected.
    public var requestState: RelayRequest.State? { status == .invited ? request?.state ?? .incomplete : nil }
}

/// The request of an owner that the profile relays a channel. Rule: docs/domain.md, "Relay operators".
public struct RelayRequest: Sendable, Hashable {
    /// What becomes of a request that was not answered.
    public enum State: Sendable, Hashable {
        /// The worker will try it.
        case waiting
        /// The worker gave up: no attempt succeeded in time, or the row could not be read.
        case gaveUp
        /// An attempt failed for good, with the reason that the app recorded.
        case failed(reason: String)
        /// The row has no link or no invitation, so the worker cannot try it.
        case incomplete

        /// The word for programs: `waiting`, `gaveUp`, `failed` or `incomplete`.
        public var text: String {
            switch self {
            case .waiting: "waiting"
            case .gaveUp: "gaveUp"
            case .failed: "failed"
            case .incomplete: "incomplete"
            }
        }

        /// The reason, a text of the app; nil unless the request failed.
        public var reason: String? { if case .failed(let reason) = self { reason } else { nil } }
    }

    /// The agent's id of the owner's invitation; nil in a damaged row.
    public let invitationID: InvitationID?
    /// The link of the channel, as the owner sent it; nil in a damaged row.
    public let link: String?
    /// The lowest and the highest version of the chat protocol that the owner's app has; nil if the row lacks one.
    public let peerVersions: PeerVersions?
    /// The number of attempts that failed for a time.
    public let retries: Int
    /// The delay after the last of them, in microseconds.
    public let delay: Int64
    /// The time before which the worker does not try again.
    public let executeAt: StoredTime
    /// Whether the worker gave up.
    public let isFailed: Bool
    /// The reason why it failed for good, or nil.
    public let failure: String?

    /// Versions of the chat protocol, from the lowest to the highest.
    public struct PeerVersions: Sendable, Hashable {
        /// The lowest.
        public let lowest: Int
        /// The highest, not below the lowest.
        public let highest: Int

        /// Versions; if the lowest is above the highest, only the highest counts, as in the app.
        public init(lowest: Int, highest: Int) {
            (self.lowest, self.highest) = (min(lowest, highest) == lowest ? lowest : highest, highest)
        }
    }

    package init(
        invitationID: InvitationID?, link: String?, peerVersions: PeerVersions?, retries: Int, delay: Int64,
        executeAt: StoredTime, isFailed: Bool, failure: String?
    ) {
        self.invitationID = invitationID
        self.link = link
        self.peerVersions = peerVersions
        self.retries = retries
        self.delay = delay
        self.executeAt = executeAt
        self.isFailed = isFailed
        self.failure = failure
    }

    /// The state of the request, as long as the group is invited.
    public var state: State {
        if let failure { return .failed(reason: failure) }
        if isFailed { return .gaveUp }
        return invitationID == nil || link == nil || peerVersions == nil ? .incomplete : .waiting
    }
}

/// What a relay operator's profile has to do and has done, as counts. Rule: docs/domain.md, "Relay operators".
public struct RelayServiceCounts: Sendable, Hashable {
    /// Groups that the profile serves and that do not publish its link yet: accepted, but not active.
    public let accepted: Int
    /// Groups that it serves and whose link has it.
    public let active: Int
    /// Groups that it does not serve any longer.
    public let inactive: Int
    /// Groups that it refuses.
    public let rejected: Int
    /// Requests that wait for the worker.
    public let waitingRequests: Int
    /// Requests that failed for good.
    public let failedRequests: Int
    /// Requests on which the worker gave up.
    public let givenUpRequests: Int
    /// Requests whose row has no link or no invitation.
    public let incompleteRequests: Int
    /// The first words of the reasons of failed requests, by number of requests.
    public let failureWords: [FailureWord]
    /// When the oldest waiting request came; nil without one.
    public let oldestRequest: StoredTime?
    /// Messages that wait to be put into a job.
    public let tasks: DeliveryBacklog
    /// Batches that wait to be sent to all their members.
    public let jobs: DeliveryBacklog

    package init(
        accepted: Int, active: Int, inactive: Int, rejected: Int, waitingRequests: Int, failedRequests: Int,
        givenUpRequests: Int, incompleteRequests: Int, failureWords: [FailureWord], oldestRequest: StoredTime?,
        tasks: DeliveryBacklog, jobs: DeliveryBacklog
    ) {
        self.accepted = accepted
        self.active = active
        self.inactive = inactive
        self.rejected = rejected
        self.waitingRequests = waitingRequests
        self.failedRequests = failedRequests
        self.givenUpRequests = givenUpRequests
        self.incompleteRequests = incompleteRequests
        self.failureWords = failureWords
        self.oldestRequest = oldestRequest
        self.tasks = tasks
        self.jobs = jobs
    }

    /// Failed requests whose reason begins with one word.
    public struct FailureWord: Sendable, Hashable {
        /// The word; `other` for every word that this build does not know, because a reason may have any text.
        public let word: String
        /// The number of requests.
        public let requests: Int

        package init(word: String, requests: Int) {
            self.word = word
            self.requests = requests
        }

        /// The words with which the app's reasons begin: the kinds of its errors, and `failed` for none.
        package static let known = [
            "ChatError", "ChatErrorAgent", "ChatErrorStore", "ChatErrorDatabase", "failed",
        ]
    }

    /// Groups that it serves: accepted and active ones.
    public var served: Int { accepted + active }

    /// Requests that were not answered, waiting or failed.
    public var allRequests: Int { waitingRequests + failedRequests + givenUpRequests + incompleteRequests }

    /// Whether there is nothing: the profile was never a relay.
    public var isEmpty: Bool {
        served + inactive + rejected + allRequests == 0 && tasks.isEmpty && jobs.isEmpty
    }
}

/// The rows of a delivery queue. Rule: docs/domain.md, "Relay operators", Delivery.
public struct DeliveryBacklog: Sendable, Hashable {
    /// Rows that wait for the worker.
    public let waiting: Int
    /// Rows that failed and were not deleted yet.
    public let failed: Int
    /// When the oldest waiting row was made; nil without one.
    public let oldest: StoredTime?

    package init(waiting: Int, failed: Int, oldest: StoredTime?) {
        self.waiting = waiting
        self.failed = failed
        self.oldest = oldest
    }

    /// Whether no row waits and none has failed.
    public var isEmpty: Bool { waiting + failed == 0 }
}

extension CatalogueTable {
    /// The columns of `users` that concern relay operators.
    static let relayServiceOfUsers: [CatalogueColumn] = [
        .public("is_user_chat_relay", "1 when the profile is a chat relay: owners may ask it to relay their channels")
    ]

    /// The columns of `groups` that concern relay operators.
    static let relayServiceOfGroups: [CatalogueColumn] = [
        .state(
            "relay_own_status",
            "the profile's own status as a relay of the group: invited, accepted, acknowledged_roster, active, inactive, "
                + "rejected; or NULL",
            RelayStatus.self),
        .personal("relay_request_inv_id", "the agent's id of the owner's request to relay the group, or NULL"),
        .personal("relay_request_group_link", "the link of the channel in that request, or NULL"),
        .personal(
            "relay_request_group_link_key",
            "a text that is the same for all spellings of that link; NULL where it has none"),
        .public("relay_request_peer_chat_min_version", "the lowest version of the chat protocol of the owner's app"),
        .public("relay_request_peer_chat_max_version", "the highest version of the chat protocol of the owner's app"),
        .public("relay_request_failed", "1 when the worker gave up on the request"),
        .personal("relay_request_err_reason", "why the request failed for good, or NULL"),
        .public("relay_request_retries", "attempts at the request that failed for a time"),
        .public("relay_request_delay", "microseconds between the last two attempts"),
        .public("relay_request_execute_at", "the time before which the worker does not try again, UTC"),
        .public("relay_inactive_at", "since when the profile does not relay the group, UTC; or NULL"),
        .personal("relay_sent_web_domain", "the web domain of the relay that the owner was sent last, or NULL"),
    ]
}
