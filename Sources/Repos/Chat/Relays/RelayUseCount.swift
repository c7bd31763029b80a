public import ChatDBSchema

/// How many channels of the profile use a relay: those in which the profile is. Rule: docs/domain.md, "Chat relays",
/// In use.
public struct RelayUseCount: Sendable, Hashable {
    /// Channels that use it.
    public let using: Int
    /// Of these, the channels in which it is active.
    public let active: Int

    /// No channel.
    public static let none = RelayUseCount(using: 0, active: 0)

    package init(using: Int, active: Int) {
        self.using = using
        self.active = active
    }
}

/// A relay and how many channels use it.
public struct RelayWithUse: Sendable, Hashable {
    /// The relay.
    public let relay: ChatRelay
    /// Its use.
    public let use: RelayUseCount
    /// Whether a channel refers to it, be it one that was left: then deleting it is soft.
    public let isReferenced: Bool

    package init(relay: ChatRelay, use: RelayUseCount, isReferenced: Bool) {
        self.relay = relay
        self.use = use
        self.isReferenced = isReferenced
    }
}

/// A channel that uses a relay.
public struct RelayChannel: Sendable, Hashable {
    /// The channel.
    public let groupID: GroupID
    /// What the profile calls the channel.
    public let localDisplayName: String
    /// The name the channel gives itself.
    public let displayName: String
    /// How far the relay is in it.
    public let status: RelayStatus
    /// The link the relay made for the channel; nil until it accepted.
    public let relayLink: String?

    package init(
        groupID: GroupID, localDisplayName: String, displayName: String, status: RelayStatus, relayLink: String?
    ) {
        self.groupID = groupID
        self.localDisplayName = localDisplayName
        self.displayName = displayName
        self.status = status
        self.relayLink = relayLink
    }

    /// The host of the relay's link; nil without a link.
    public var host: String? { relayLink.map(linkHost) }
}
