import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Each step of a relay is an operation of its own that names in its condition from where it leads, so that of two who
/// take the same step at a time, one is told that it is taken.
///
/// All throw `groupRelayNotFound`, and `relayStepNotAllowed` where the relay stands elsewhere; nothing changes then.
/// Rule: docs/domain.md, "Group relays".
extension GroupRelaysWriter {
    /// From new to invited: it was asked to relay the channel.
    @discardableResult
    public func invite(_ id: GroupRelayID, of user: UserID) throws(GroupsError) -> ChannelRelay {
        try step(id, of: user, to: .invited)
    }

    /// From invited to accepted, with the link that the relay made for the channel: it is stored with the part of the
    /// relay and with its member. Throws `invalidRelayLink` too.
    @discardableResult
    public func accept(_ id: GroupRelayID, link given: String, of user: UserID) throws(GroupsError) -> ChannelRelay {
        let link = try asGroupsError(GroupsError.invalidRelayLink) { () throws(NameProblem) in
            try NameRule.checked(given, longest: Self.longestLink)
        }
        let relay = try step(id, of: user, to: .accepted, setting: ", relay_link = \(link)")
        try run(
            """
            UPDATE group_members SET relay_link = \(link), updated_at = \(now)
            WHERE group_member_id = \(relay.groupRelay.memberID) AND user_id = \(user)
            """)
        return relay
    }

    /// From accepted to acknowledged_roster: it has the list of members. This step may be skipped.
    @discardableResult
    public func acknowledge(_ id: GroupRelayID, of user: UserID) throws(GroupsError) -> ChannelRelay {
        try step(id, of: user, to: .acknowledgedRoster)
    }

    /// From accepted or acknowledged_roster to active: it relays the channel.
    @discardableResult
    public func activate(_ id: GroupRelayID, of user: UserID) throws(GroupsError) -> ChannelRelay {
        try step(id, of: user, to: .active)
    }

    /// From invited to rejected: it refused.
    @discardableResult
    public func reject(_ id: GroupRelayID, of user: UserID) throws(GroupsError) -> ChannelRelay {
        try step(id, of: user, to: .rejected)
    }

    /// From anything but rejected to inactive: it has left or been removed. Also from a status of a newer app.
    @discardableResult
    public func deactivate(_ id: GroupRelayID, of user: UserID) throws(GroupsError) -> ChannelRelay {
        try step(id, of: user, to: .inactive)
    }

    /// A relay that is a member no more is inactive, unless it was rejected. No part is no change.
    func deactivate(member: GroupMemberID) throws(GroupsError) {
        try run(
            """
            UPDATE group_relays SET relay_status = \(RelayStatus.inactive), updated_at = \(now)
            WHERE group_member_id = \(member) AND \(Self.mayBecome(.inactive))
            """)
    }

    /// As long as the longest address.
    private static let longestLink = 2_048

    private func step(
        _ id: GroupRelayID, of user: UserID, to next: RelayStatus, setting more: Query = ""
    ) throws(GroupsError) -> ChannelRelay {
        let changed = try run(
            """
            UPDATE group_relays SET relay_status = \(next)\(more), updated_at = \(now)
            WHERE group_relay_id = \(id) AND \(Self.mayBecome(next))
                AND EXISTS (SELECT 1 FROM groups WHERE groups.group_id = group_relays.group_id
                    AND groups.user_id = \(user))
            """)
        let relay = try GroupRelaysRepo(tx).get(id, of: user)
        if changed == 0 { throw .relayStepNotAllowed(relay, to: next) }
        return relay
    }

    /// Where the step begins. A status of a newer app is in no list: it allows what no known one forbids by name.
    private static func mayBecome(_ next: RelayStatus) -> Query {
        let (allowed, forbidden) = (
            RelayStatus.known.filter { $0.canBecome(next) }, RelayStatus.known.filter { !$0.canBecome(next) }
        )
        return RelayStatus.unknown("").canBecome(next)
            ? "relay_status NOT IN (\(list: forbidden.map(\.text)))" : "relay_status IN (\(list: allowed.map(\.text)))"
    }
}
