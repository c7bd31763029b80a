public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Changes to the relays of the channels of a profile, on the owner's side. Rule: docs/domain.md, "Group relays".
public struct GroupRelaysWriter: Writer {
    package typealias Failure = GroupsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Adds a relay to a channel: a member that is invited, and its part with status new. `generator` makes the id by
    /// which the channel knows the member. A relay that is inactive or rejected there may be added once more, as a new
    /// member. If the relay is in the channel as a member whose row is lost, the membership of this member ends. The
    /// soft-deleted relays of the profile to which no channel refers after that are removed.
    ///
    /// Throws `groupNotFound`, `notAChannel`, `notInGroup` and `notOwner` for a channel that the profile does not own,
    /// `relayNotFound`, `relayDisabled`, `relayAddressNotValid` and `relayInChannel`; nothing is created then.
    public func add(
        _ relay: ChatRelayID, to group: GroupID, of user: UserID, using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) -> ChannelRelay {
        let channel = try GroupsRepo(tx).get(group, of: user).group
        if !channel.isChannel { throw .notAChannel(channel) }
        guard channel.isCurrent else { throw .notInGroup(channel) }
        guard channel.membership?.role == .owner else { throw .notOwner(channel) }
        let relays = try ChosenRelays.checked([relay], of: user, in: tx)
        let present = try GroupRelaysRepo(tx).progress(of: group, of: user).relays
        if let there = present.first(where: { $0.relay.id == relay && $0.groupRelay.status.isCurrent }) {
            throw .relayInChannel(there.relay, channel)
        }
        let lost = try GroupRelaysRepo(tx).lostMembers(of: relays[0], in: group)
        let made = try insert(relays, in: group, of: user, using: &generator)
        for member in lost { try GroupMembersWriter(tx, clock: clock).remove(member.id, of: user) }
        if !lost.isEmpty {
            _ = try asGroupsError { () throws(ChatRelaysError) in
                try ChatRelaysWriter(tx, clock: clock).purgeUnreferenced(of: user)
            }
        }
        return try GroupRelaysRepo(tx).get(made[0], of: user)
    }

    /// Makes the member and the row of relays that a channel may use, and returns the numbers of the rows.
    func insert(
        _ relays: [ChatRelay], in group: GroupID, of user: UserID, using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) -> [GroupRelayID] {
        let members = GroupMembersWriter(tx, clock: clock)
        var made: [GroupRelayID] = []
        for relay in relays {
            let member = try members.insert(
                NewMember(
                    name: relay.memberName, memberID: MemberIDText.make(using: &generator), role: .relay,
                    category: .invitee, status: .invited),
                in: group, of: user)
            let row = try insert(
                """
                INSERT INTO group_relays (
                    group_id, group_member_id, chat_relay_id, relay_status, created_at, updated_at)
                VALUES (\(group), \(member), \(relay.id), \(RelayStatus.new), \(now), \(now))
                """, returning: "group_relay_id")
            made.append(GroupRelayID(row))
        }
        return made
    }
}

extension ChatRelay {
    /// The name of the member that the relay becomes: the relay's name, or else its first domain or its host.
    var memberName: String { Self.memberName(name, domains: domains, address: address) }

    /// The same for a relay whose other columns are not read.
    package static func memberName(_ name: String, domains: [String], address: String) -> String {
        name.isEmpty ? domains.first ?? linkHost(address) : name
    }
}

/// Each step of a relay is an operation of its own, and its SQL has the statuses from which it is allowed. So when two
/// callers take the same step at the same time, one of them gets an error.
///
/// All throw `groupRelayNotFound`, and `relayStepNotAllowed` when the status does not allow the step; nothing changes
/// then. Rule: docs/domain.md, "Group relays".
extension GroupRelaysWriter {
    /// Takes a relay from new to invited: the owner asked it to relay the channel.
    @discardableResult
    public func invite(_ id: GroupRelayID, of user: UserID) throws(GroupsError) -> ChannelRelay {
        try step(id, of: user, to: .invited)
    }

    /// From invited to accepted, with the link that the relay made for the channel: it is stored with the part of the
    /// relay and with its member. A relay that has accepted, and whose link is missing, gets the link and keeps its
    /// status. Throws `invalidRelayLink` too: for a text that is no link, for the address of the relay itself, which it
    /// has for all channels, for the link of the channel itself, and for that of another relay that is in the channel.
    @discardableResult
    public func accept(_ id: GroupRelayID, link given: String, of user: UserID) throws(GroupsError) -> ChannelRelay {
        let link = try asGroupsError(GroupsError.invalidRelayLink) { () throws(NameProblem) in
            try NameRule.checked(given, longest: Self.longestLink)
        }
        let accepting = try GroupRelaysRepo(tx).get(id, of: user)
        if accepting.relay.hasAddress(link) { throw .ownRelayAddress(accepting.relay) }
        try GroupsError.requireLinkOfRelay(link)
        let channel = try GroupsRepo(tx).get(accepting.groupRelay.groupID, of: user).group
        if channel.hasLink(link) { throw .linkOfChannel(channel) }
        if let other = try otherRelay(with: link, than: accepting, of: user) { throw .linkOfOtherRelay(other, channel) }
        let relay =
            accepting.groupRelay.status.isPublishable
            ? try addLink(link, to: id, of: user)
            : try step(id, of: user, to: .accepted, setting: ", relay_link = \(link)")
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

    /// From accepted or acknowledged_roster to active: it relays the channel. Throws `relayStepNotAllowed` also for a
    /// relay whose link for the channel is missing, because no subscriber reaches it.
    @discardableResult
    public func activate(_ id: GroupRelayID, of user: UserID) throws(GroupsError) -> ChannelRelay {
        try step(id, of: user, to: .active, when: "AND \(Self.hasLink)")
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

    /// Makes a relay that is no longer a member inactive, unless it was rejected. A member without a row changes
    /// nothing.
    func deactivate(member: GroupMemberID) throws(GroupsError) {
        try run(
            """
            UPDATE group_relays SET relay_status = \(RelayStatus.inactive), updated_at = \(now)
            WHERE group_member_id = \(member) AND \(Self.mayBecome(.inactive, from: Self.storedStatus))
            """)
    }

    /// The length of the longest address.
    private static let longestLink = 2_048

    /// The condition that the link of a relay for the channel is known: its row has it, or that of its member.
    private static let hasLink: Query = """
        (coalesce(group_relays.relay_link, '') <> '' OR EXISTS (
            SELECT 1 FROM group_members linked
            WHERE linked.group_member_id = group_relays.group_member_id AND linked.relay_link <> ''))
        """

    /// Another relay that is in the channel and has the link, in any spelling; nil if none has it. A relay that has left
    /// does not count: its server may have been added again as another relay.
    private func otherRelay(
        with link: String, than accepting: ChannelRelay, of user: UserID
    ) throws(GroupsError) -> ChatRelay? {
        let group = accepting.groupRelay.groupID
        let relays = try GroupRelaysRepo(tx).all(of: group, of: user).latest
        let members = try GroupMembersRepo(tx).all(with: .relay, in: group, of: user)
        return relays.first { other in
            guard other.relay.id != accepting.relay.id, other.groupRelay.status.isCurrent else { return false }
            let ofMember = members.first { $0.id == other.groupRelay.memberID }?.relayLink
            return [other.groupRelay.relayLink, ofMember].compactMap(\.self).contains { isSameLink($0, link) }
        }?.relay
    }

    /// Stores the link of a relay that has accepted without one. Its status stays.
    private func addLink(
        _ link: String, to id: GroupRelayID, of user: UserID
    ) throws(GroupsError) -> ChannelRelay {
        let changed = try run(
            """
            UPDATE group_relays SET relay_link = \(link), updated_at = \(now)
            WHERE group_relay_id = \(id) AND NOT \(Self.hasLink)
                AND EXISTS (SELECT 1 FROM groups WHERE groups.group_id = group_relays.group_id
                    AND groups.user_id = \(user))
            """)
        let relay = try GroupRelaysRepo(tx).get(id, of: user)
        if changed == 0 { throw .relayStepNotAllowed(relay, to: .accepted) }
        return relay
    }

    private func step(
        _ id: GroupRelayID, of user: UserID, to next: RelayStatus, setting more: Query = "", when condition: Query = ""
    ) throws(GroupsError) -> ChannelRelay {
        let changed = try run(
            """
            UPDATE group_relays SET relay_status = \(next)\(more), updated_at = \(now)
            WHERE group_relay_id = \(id) AND \(Self.mayBecome(next, from: next == .inactive ? Self.storedStatus : GroupRelay.countedStatus))
                AND EXISTS (SELECT 1 FROM groups WHERE groups.group_id = group_relays.group_id
                    AND groups.user_id = \(user)) \(condition)
            """)
        let relay = try GroupRelaysRepo(tx).get(id, of: user)
        if changed == 0 { throw .relayStepNotAllowed(relay, to: next) }
        return relay
    }

    /// A relay whose member has left becomes inactive in its row too; every other step goes by the status that counts.
    private static let storedStatus: Query = "relay_status"

    /// The statuses from which the step is allowed. A status of a newer app is in no list: it allows a step that no
    /// known status forbids by name.
    private static func mayBecome(_ next: RelayStatus, from status: Query) -> Query {
        let (allowed, forbidden) = (
            RelayStatus.known.filter { $0.canBecome(next) }, RelayStatus.known.filter { !$0.canBecome(next) }
        )
        return RelayStatus.unknown("").canBecome(next)
            ? "\(status) NOT IN (\(list: forbidden.map(\.text)))" : "\(status) IN (\(list: allowed.map(\.text)))"
    }
}

extension ChatRelay {
    /// Whether the text is the address of the relay, in any spelling.
    fileprivate func hasAddress(_ text: String) -> Bool {
        text == address || (try? RelayAddress(text))?.addressKey == addressKey
    }
}

extension Group {
    /// Whether the text is the link of the group, in any spelling.
    fileprivate func hasLink(_ text: String) -> Bool {
        link.map { isSameLink($0, text) } ?? false
    }
}

/// Whether two texts are the same link, in any spelling.
private func isSameLink(_ first: String, _ second: String) -> Bool {
    let key = LinkKey.of(first)
    return first == second || key != nil && key == LinkKey.of(second)
}

/// The relays chosen for a new channel. Rule: docs/domain.md, "Choosing relays".
enum ChosenRelays {
    /// The relays with the given numbers, each once. Throws `noEnabledRelays` for none at all, and `relayNotFound`,
    /// `relayDisabled` and `relayAddressNotValid` for one that a channel cannot choose.
    static func checked(
        _ chosen: [ChatRelayID], of user: UserID, in tx: any ReadTransaction
    ) throws(GroupsError) -> [ChatRelay] {
        if chosen.isEmpty { throw .relays(.noEnabledRelays) }
        let (all, choosable) = try asGroupsError { () throws(ChatRelaysError) in
            let relays = ChatRelaysRepo(tx)
            return (try relays.all(of: user), Set(try relays.choosable(of: user).map(\.id)))
        }
        var relays: [ChatRelay] = []
        for id in chosen where !relays.contains(where: { $0.id == id }) {
            guard let relay = all.first(where: { $0.id == id }) else { throw .relays(.relayNotFound(.id(id))) }
            guard choosable.contains(id) else {
                throw relay.hasValidAddress ? .relayDisabled(relay) : .relays(.relayAddressNotValid(relay))
            }
            relays.append(relay)
        }
        return relays
    }
}
