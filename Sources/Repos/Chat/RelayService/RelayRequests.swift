public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The requests of owners that a profile relays their channels. Rule: docs/domain.md, "Relay operators".
///
/// ```swift
/// if let request = try store.read({ try RelayRequestsRepo($0).next(of: user.id, by: .now()) }) {
///     print(request.request?.link ?? "", request.request?.retries ?? 0)
/// }
/// ```
public struct RelayRequestsRepo: Repository {
    package typealias Failure = RelayServiceError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The request that the worker tries next, if its time has come, or nil. Those with fewer attempts come first, and
    /// of these the oldest, so one that fails again and again does not hold up the others.
    public func next(of user: UserID, by time: StoredTime) throws(RelayServiceError) -> RelayedGroup? {
        try first(
            """
            SELECT \(RelayedGroup.columns) FROM groups
            WHERE user_id = \(user) AND \(RelayRequest.isWaiting) AND relay_request_execute_at <= \(time.text)
            ORDER BY relay_request_retries, created_at, group_id LIMIT 1
            """)
    }

    /// The time at which the worker has to look for the next request; nil when none waits.
    public func nextTime(of user: UserID) throws(RelayServiceError) -> StoredTime? {
        let row: TimeOfRequest? = try first(
            """
            SELECT min(relay_request_execute_at) AS next_time FROM groups
            WHERE user_id = \(user) AND \(RelayRequest.isWaiting)
            """)
        return row?.time
    }

    /// The requests that wait for the worker, in its order. `limit` requests at most, from 1. The list is empty when
    /// there are none.
    public func waiting(of user: UserID, limit: Int = 100) throws(RelayServiceError) -> [RelayedGroup] {
        try all(
            """
            SELECT \(RelayedGroup.columns) FROM groups
            WHERE user_id = \(user) AND \(RelayRequest.isWaiting)
            ORDER BY relay_request_retries, created_at, group_id LIMIT \(number: PageSize.atLeastOne(limit))
            """)
    }

    /// The requests that failed, and those on which the worker gave up, by number. `limit` requests at most, from 1. The
    /// list is empty when there are none.
    public func failed(
        of user: UserID, after: GroupID? = nil, limit: Int = 100
    ) throws(RelayServiceError) -> [RelayedGroup] {
        try all(
            """
            SELECT \(RelayedGroup.columns) FROM groups
            WHERE user_id = \(user) AND group_id > \(after ?? GroupID(0)) AND relay_own_status = 'invited'
                AND (relay_request_failed = 1 OR relay_request_err_reason IS NOT NULL)
            ORDER BY group_id LIMIT \(number: PageSize.atLeastOne(limit))
            """)
    }

    /// The group because of which the profile refuses requests for a link, in any spelling; nil when it refuses none.
    public func refusal(of link: GroupLink, of user: UserID) throws(RelayServiceError) -> RelayedGroup? {
        try asked(link, of: user).first { $0.status == .rejected }
    }

    /// The groups that the profile was asked to relay with a link, in any spelling, by number.
    func asked(_ link: GroupLink, of user: UserID) throws(RelayServiceError) -> [RelayedGroup] {
        try all(
            """
            SELECT \(RelayedGroup.columns) FROM groups
            WHERE relay_own_status IS NOT NULL AND group_id IN (
                SELECT group_id FROM groups
                WHERE user_id = \(user) AND relay_request_group_link IN (\(list: link.texts))
                UNION SELECT group_id FROM groups
                WHERE user_id = \(user) AND relay_request_group_link_key IN (\(list: link.keys)))
            ORDER BY group_id
            """)
    }
}

/// A request that came from the owner of a channel.
public struct NewRelayRequest: Sendable, Hashable {
    /// The agent's id of the invitation, by which the app answers.
    public var invitationID: InvitationID
    /// The link of the channel.
    public var link: GroupLink
    /// The versions of the chat protocol that the owner's app has.
    public var peerVersions: RelayRequest.PeerVersions
    /// The name of the owner.
    public var ownerName: String
    /// The id by which the channel knows the owner.
    public var ownerMemberID: String
    /// The id by which the channel knows the profile as its relay.
    public var relayMemberID: String
    /// The delay before a second attempt, in microseconds.
    public var delay: Int64

    /// A request; nothing is checked before it is received.
    public init(
        invitationID: InvitationID, link: GroupLink, peerVersions: RelayRequest.PeerVersions, ownerName: String,
        ownerMemberID: String, relayMemberID: String, delay: Int64 = 5_000_000
    ) {
        self.invitationID = invitationID
        self.link = link
        self.peerVersions = peerVersions
        self.ownerName = ownerName
        self.ownerMemberID = ownerMemberID
        self.relayMemberID = relayMemberID
        self.delay = delay
    }
}

/// The answer to a request.
public struct ReceivedRelayRequest: Sendable, Hashable {
    /// What became of it.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// It waits for the worker.
        case received
        /// The same invitation was received before; nothing changed.
        case repeated
        /// The profile left the channel before: the app tells the owner that it refuses. Nothing changed.
        case refused
    }

    /// What became of it.
    public let outcome: Outcome
    /// The group of the request, or the group because of which it is refused.
    public let group: RelayedGroup
}

/// Changes to the requests of owners. Rule: docs/domain.md, "Relay operators".
public struct RelayRequestsWriter: Writer {
    package typealias Failure = RelayServiceError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// The length of the longest reason that is kept.
    private static let longestReason = 2_048
    /// The worker gives up on a request that is older and was tried more often.
    private static let expiry = (attempts: 10, microseconds: Int64(86_400_000_000))

    /// Stores a request: a channel with a provisional name, in which the profile is the relay, and its owner. A channel
    /// that the profile left is refused, whatever the spelling of its link. A request with the same invitation as an
    /// earlier one changes nothing.
    ///
    /// Throws `profileNotFound`, `notChatRelay`, `invalidInvitation` for an id of the agent that is no text,
    /// `invalidMemberName` and `invalidMemberID`; nothing is stored then. Throws `duplicateMember` when the owner and the
    /// relay have one member id, and then the caller undoes the transaction.
    public func receive(_ new: NewRelayRequest, of userID: UserID) throws(RelayServiceError) -> ReceivedRelayRequest {
        let user = try requireProfile(userID)
        if !user.isChatRelay { throw .notChatRelay(user) }
        guard let invitation = new.invitationID.text, !invitation.isEmpty else {
            throw .invalidInvitation(new.invitationID)
        }
        let asked = try requests.asked(new.link, of: userID)
        if let rejected = asked.first(where: { $0.status == .rejected }) {
            return ReceivedRelayRequest(outcome: .refused, group: rejected)
        }
        if let old = asked.first(where: { $0.request?.invitationID == new.invitationID }) {
            return ReceivedRelayRequest(outcome: .repeated, group: old)
        }
        let id = try asRelayServiceError { () throws(GroupsError) in try makeGroup(for: new, of: user) }
        let group = try groups.set(
            """
            relay_own_status = \(RelayStatus.invited), relay_request_inv_id = \(invitation),
            relay_request_group_link = \(new.link.text), relay_request_group_link_key = \(LinkKey.of(new.link.text)),
            relay_request_peer_chat_min_version = \(Int64(new.peerVersions.lowest)),
            relay_request_peer_chat_max_version = \(Int64(new.peerVersions.highest)),
            relay_request_delay = \(max(0, new.delay)), relay_request_execute_at = \(now)
            """, of: id, of: userID)
        return ReceivedRelayRequest(outcome: .received, group: group)
    }

    /// The group of a request, before anything is known of it but its owner.
    private func makeGroup(for new: NewRelayRequest, of user: User) throws(GroupsError) -> GroupID {
        let ownID = try asGroupsError(GroupsError.invalidMemberID) { () throws(NameProblem) in
            try NameRule.checked(new.relayMemberID)
        }
        let owner = try asGroupsError(GroupsError.invalidMemberName) { () throws(NameProblem) in
            try NameRule.checked(new.ownerName)
        }
        let ownerID = try asGroupsError(GroupsError.invalidMemberID) { () throws(NameProblem) in
            try NameRule.checked(new.ownerMemberID)
        }
        let writer = GroupsWriter(tx, clock: clock)
        let profile = GroupProfile(displayName: String("relay_request_\(owner)".prefix(NameRule.longest)))
        let group = try writer.insert(
            NewGroup(profile: profile, isChannel: true, isCreating: false), of: user.id)
        let members = GroupMembersWriter(tx, clock: clock)
        try members.insertOwn(in: group, memberID: ownID, role: .relay, status: .accepted, user: user)
        try members.add(
            NewMember(name: owner, memberID: ownerID, role: .owner, category: .host, status: .accepted),
            to: group, of: user.id)
        return group
    }

    /// Counts an attempt that failed for a time, and puts the next one off: it is due after `delay` microseconds. After
    /// 10 attempts, the worker gives up on a request that is older than a day. Throws `relayedGroupNotFound` and
    /// `requestNotWaiting`; nothing changes then.
    @discardableResult
    public func retryLater(
        _ id: GroupID, delay: Int64, of user: UserID
    ) throws(RelayServiceError) -> RelayedGroup {
        let group = try waiting(id, of: user)
        let (time, delay) = (try timeNow(), max(0, delay))
        let isOld = time.microseconds - group.createdAt.microseconds > Self.expiry.microseconds
        if let request = group.request, isOld, request.retries >= Self.expiry.attempts {
            return try groups.set("relay_request_failed = 1", of: id, of: user)
        }
        // No attempt is put off beyond a year.
        let next = StoredTime(microseconds: time.microseconds + min(delay, 365 * 86_400_000_000))
        return try groups.set(
            """
            relay_request_retries = relay_request_retries + 1, relay_request_delay = \(delay),
            relay_request_execute_at = \(next.text)
            """, of: id, of: user)
    }

    /// Records that an attempt failed for good, and why. The reason is trimmed and cut to 2,048 characters; an empty one
    /// becomes "failed". Throws `relayedGroupNotFound` and `requestNotWaiting`; nothing changes then.
    @discardableResult
    public func fail(
        _ id: GroupID, reason given: String, of user: UserID
    ) throws(RelayServiceError) -> RelayedGroup {
        _ = try waiting(id, of: user)
        let reason = Self.reason(given)
        return try groups.set("relay_request_err_reason = \(reason)", of: id, of: user)
    }

    /// Gives up on a request that the worker cannot read. Throws `relayedGroupNotFound` and `requestNotWaiting`; nothing
    /// changes then.
    @discardableResult
    public func giveUp(_ id: GroupID, of user: UserID) throws(RelayServiceError) -> RelayedGroup {
        let group = try groupsRepo.get(id, of: user)
        guard group.requestState == .waiting || group.requestState == .incomplete else {
            throw .requestNotWaiting(group)
        }
        return try groups.set("relay_request_failed = 1", of: id, of: user)
    }

    /// Has the worker try a failed request again, at once and as if for the first time. Throws `relayedGroupNotFound`
    /// and `requestNotFailed`; nothing changes then.
    @discardableResult
    public func restart(_ id: GroupID, of user: UserID) throws(RelayServiceError) -> RelayedGroup {
        let group = try groupsRepo.get(id, of: user)
        switch group.requestState {
        case .failed, .gaveUp: break
        default: throw .requestNotFailed(group)
        }
        return try groups.set(
            """
            relay_request_failed = 0, relay_request_err_reason = NULL, relay_request_retries = 0,
            relay_request_execute_at = \(now)
            """, of: id, of: user)
    }

    /// Accepts a request, with what the link of the channel says of it: the group gets this profile and publishes the
    /// link of the request, and the profile serves it. Throws `relayedGroupNotFound`, `requestNotWaiting`,
    /// `invalidGroupName` and `invalidGroupLink`; nothing changes then.
    @discardableResult
    public func accept(
        _ id: GroupID, profile: GroupProfile, of user: UserID
    ) throws(RelayServiceError) -> RelayedGroup {
        let group = try waiting(id, of: user)
        try asRelayServiceError { () throws(GroupsError) in
            let writer = GroupsWriter(tx, clock: clock)
            _ = try asGroupsError(GroupsError.invalidGroupName) { () throws(NameProblem) in
                try NameRule.checked(profile.displayName)
            }
            // The link before the profile: it may be one that chatdb cannot read.
            try writer.setLink(id, to: group.request?.link, of: user)
            try writer.update(id, profile: profile, of: user)
        }
        return try groups.set("relay_own_status = \(RelayStatus.accepted)", of: id, of: user)
    }

    private var requests: RelayRequestsRepo { RelayRequestsRepo(tx) }
    private var groupsRepo: RelayedGroupsRepo { RelayedGroupsRepo(tx) }
    private var groups: RelayedGroupsWriter { RelayedGroupsWriter(tx, clock: clock) }

    private func waiting(_ id: GroupID, of user: UserID) throws(RelayServiceError) -> RelayedGroup {
        let group = try groupsRepo.get(id, of: user)
        guard group.requestState == .waiting else { throw .requestNotWaiting(group) }
        return group
    }

    private func timeNow() throws(RelayServiceError) -> StoredTime {
        do throws(StoreError) {
            if case .fixed(let time) = try clock.stopped(in: tx) { return time }
            return .now()
        } catch {
            throw .store(error)
        }
    }

    /// A reason as it is stored.
    static func reason(_ given: String) -> String {
        let reason = String(NameRule.trimmed(given).prefix(longestReason))
        return reason.isEmpty ? "failed" : reason
    }
}

private struct TimeOfRequest: RowRecord {
    let time: StoredTime?

    init(row: ResultRow) throws(StoreError) {
        time = try row.optionalTime("next_time")
    }
}
