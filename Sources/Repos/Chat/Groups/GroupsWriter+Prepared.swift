import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// What came of opening a link.
public struct PreparedGroup: Sendable, Hashable {
    /// Whether a group was made.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// A new group.
        case prepared
        /// The profile had it already.
        case existing
    }

    /// Which of the two.
    public let outcome: Outcome
    /// The group.
    public let group: GroupSummary
}

extension GroupsWriter {
    /// Makes a group from its link and what the link told of it, before it is joined: the own membership is not yet that
    /// of a member. `throughRelays` makes it a channel; which relays the link advertises is not stored. `welcomeMessage`
    /// is the id of the welcome message, when it is shown.
    ///
    /// A link that leads to a group the profile has already answers with that group, and nothing changes: its own, one
    /// it is in, one it is joining, one that is prepared. Throws `ownAddress` for
    /// the profile's own address, `invalidGroupName` and `profileNotFound`; nothing is made then.
    /// Rule: docs/domain.md, "Prepared groups".
    public func prepare(
        _ link: GroupLink, profile given: GroupProfile, throughRelays: Bool, welcomeMessage: String? = nil,
        of userID: UserID, using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) -> PreparedGroup {
        let user = try requireProfile(userID)
        switch try GroupsRepo(tx).plan(for: link, of: userID) {
        case .ownLink(let group), .known(let group), .connecting(let group), .prepared(let group):
            return PreparedGroup(outcome: .existing, group: group)
        case .ownAddress: throw .ownAddress(link)
        case .ok: break
        }
        let profile = try checked(given)
        let group = try insert(
            NewGroup(
                profile: profile, isChannel: throughRelays, isCreating: false, link: link,
                welcomeMessage: welcomeMessage), of: userID)
        try GroupMembersWriter(tx, clock: clock).insertOwn(
            in: group, memberID: MemberIDText.make(using: &generator), role: throughRelays ? .observer : .member,
            status: .unknownMember, user: user)
        return PreparedGroup(outcome: .prepared, group: try GroupsRepo(tx).get(group, of: userID))
    }

    /// Starts joining a prepared group, once: the connection is prepared by then. `requestMessage` is the id of the
    /// message that goes with the request to join. Throws `groupNotFound`, `notPrepared` and `alreadyStarted`; nothing
    /// changes then. Rule: docs/domain.md, "Prepared groups".
    @discardableResult
    public func start(
        _ id: GroupID, requestMessage: String? = nil, of user: UserID
    ) throws(GroupsError) -> GroupSummary {
        let changed = try run(
            """
            UPDATE groups
            SET conn_link_prepared_connection = 1, conn_link_started_connection = 1,
                request_shared_msg_id = coalesce(\(requestMessage), request_shared_msg_id), updated_at = \(now)
            WHERE group_id = \(id) AND user_id = \(user) AND \(Group.isNextConnectPrepared)
            """)
        let group = try GroupsRepo(tx).get(id, of: user)
        if changed == 0 { throw group.group.isPrepared ? .alreadyStarted(group.group) : .notPrepared(group.group) }
        return group
    }

    /// Removes a prepared group that was not started, with all its rows. Throws `groupNotFound`, `notPrepared` and
    /// `alreadyStarted`; nothing changes then.
    /// Rule: docs/domain.md, "Prepared groups".
    @discardableResult
    public func cancel(_ id: GroupID, of user: UserID) throws(GroupsError) -> DeletedGroup {
        let summary = try GroupsRepo(tx).get(id, of: user)
        if !summary.group.isPrepared { throw .notPrepared(summary.group) }
        if summary.group.isStarted { throw .alreadyStarted(summary.group) }
        return try remove(summary)
    }
}
