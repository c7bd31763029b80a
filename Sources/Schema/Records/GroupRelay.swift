/// The part of a relay in one channel, on the owner's side. Rule: docs/domain.md, "Group relays".
public struct GroupRelay: Sendable, Hashable {
    /// Its number.
    public let id: GroupRelayID
    /// The channel.
    public let groupID: GroupID
    /// The member that the relay is in the channel.
    public let memberID: GroupMemberID
    /// The relay of the profile.
    public let chatRelayID: ChatRelayID
    /// How far the relay is.
    public let status: RelayStatus
    /// The link the relay made for the channel; nil until it accepted.
    public let relayLink: String?

    package init(
        id: GroupRelayID, groupID: GroupID, memberID: GroupMemberID, chatRelayID: ChatRelayID, status: RelayStatus,
        relayLink: String?
    ) {
        self.id = id
        self.groupID = groupID
        self.memberID = memberID
        self.chatRelayID = chatRelayID
        self.status = status
        self.relayLink = relayLink
    }
}

/// How many relays of a channel are active, out of all.
public struct RelayProgress: Sendable, Hashable {
    /// Relays with status active.
    public let active: Int
    /// All relays of the channel.
    public let total: Int

    package init(active: Int, total: Int) {
        self.active = active
        self.total = total
    }
}
