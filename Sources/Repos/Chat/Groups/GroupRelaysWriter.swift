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
    /// member.
    ///
    /// Throws `groupNotFound`, `notAChannel`, `notInGroup` and `notOwner` for a channel that the profile does not own,
    /// `relayNotFound`, `relayDisabled` and `relayInChannel`; nothing is made then.
    public func add(
        _ relay: ChatRelayID, to group: GroupID, of user: UserID, using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) -> ChannelRelay {
        let channel = try GroupsRepo(tx).get(group, of: user).group
        if !channel.isChannel { throw .notAChannel(channel) }
        guard channel.isCurrent else { throw .notInGroup(channel) }
        guard channel.membership?.role == .owner else { throw .notOwner(channel) }
        let relays = try ChosenRelays.checked([relay], of: user, in: tx)
        let present = try GroupRelaysRepo(tx).all(of: group, of: user)
        if let there = present.first(where: { $0.relay.id == relay && $0.groupRelay.status.isOn }) {
            throw .relayInChannel(there.relay, channel)
        }
        let made = try insert(relays, in: group, of: user, using: &generator)
        return try GroupRelaysRepo(tx).get(made[0], of: user)
    }

    /// Makes the member and the row of relays that a channel may use, and answers the numbers of the rows.
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

extension RelayStatus {
    /// Whether the relay serves the channel, or is on its way to.
    fileprivate var isOn: Bool { self != .inactive && self != .rejected }
}

extension ChatRelay {
    /// What the member that the relay becomes is called: its name, or else its first domain or its host.
    fileprivate var memberName: String { name.isEmpty ? domains.first ?? host : name }
}
