import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// The information about one group or channel. Rule: docs/domain.md, "Groups and channels".
public struct ChannelInfo: Sendable, Hashable {
    /// The group, with the own role and membership, its link, and the progress of its relays.
    public let summary: GroupSummary
    /// The profile of the channel; its `welcome` is the welcome text.
    public let profile: GroupProfile
    /// Who owns it now, by number.
    public let owners: [GroupMember]
    /// The number of subscribers. For owners and admins it is counted; for others it is the number that the channel
    /// publishes, or nil.
    public let subscribers: Int?
    /// The first page of subscribers; nil for all but owners and admins.
    public let subscriberPage: GroupMemberPage?
    /// Its relays with their status, each once, on the owner's side.
    public let relays: [ChannelRelay]
    /// The rows with the status of a relay of the channel that are not in ``relays``, because they lack their relay or
    /// their member; by number.
    package let incompleteRelays: [IncompleteGroupRelay]
    /// The members that are relays, each once, with those that failed or left. A subscriber's store has no other facts
    /// about the relays.
    public let relayMembers: [RelayMember]
    /// Whether the profile may leave it: it is in it, and is not its only owner.
    public let mayLeave: Bool
    /// The profile's own status as a relay of it; nil if it does not relay it. Rule: docs/domain.md, "Relay operators".
    public let ownRelayStatus: RelayStatus?
    /// Whether the profile may delete it: when it owns it, or is not in it, unless it refuses to relay it.
    public var mayDelete: Bool { summary.group.mayDelete && ownRelayStatus != .rejected }
}

extension GroupsRepo {
    /// All information about a group or channel, with at most the given number of its subscribers, at least 1, if the
    /// profile may see them. Throws `groupNotFound`.
    public func info(
        of id: GroupID, of user: UserID, subscribers limit: Int = 50
    ) throws(GroupsError) -> ChannelInfo {
        let summary = try get(id, of: user)
        let row: InfoRow? = try first(
            """
            SELECT \(GroupProfile.columns), groups.public_member_count, groups.relay_own_status
            FROM groups JOIN group_profiles ON group_profiles.group_profile_id = groups.group_profile_id
            WHERE groups.group_id = \(id) AND groups.user_id = \(user)
            """)
        guard let row else { throw .groupNotFound(.id(id)) }
        let members = GroupMembersRepo(tx)
        let isCounted = summary.group.isCurrent && (summary.group.membership?.role ?? .observer) >= .admin
        return ChannelInfo(
            summary: summary, profile: row.profile, owners: try members.owners(of: id, of: user),
            subscribers: isCounted ? try members.subscriberCount(of: id, of: user) : row.publicCount,
            subscriberPage: isCounted ? try members.subscribers(of: id, of: user, limit: limit) : nil,
            relays: try GroupRelaysRepo(tx).progress(of: id, of: user).relays,
            incompleteRelays: try GroupRelaysRepo(tx).incomplete(of: id, of: user),
            relayMembers: try RelayMembersRepo(tx).all(of: id, of: user),
            mayLeave: try members.reasonToStay(in: summary.group) == nil, ownRelayStatus: row.ownRelayStatus)
    }
}

private struct InfoRow: RowRecord {
    let profile: GroupProfile
    let publicCount: Int?
    let ownRelayStatus: RelayStatus?

    init(row: ResultRow) throws(StoreError) {
        profile = try GroupProfile(row: row)
        publicCount = try row.get("public_member_count")
        ownRelayStatus = try row.get("relay_own_status")
    }
}
