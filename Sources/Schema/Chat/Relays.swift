/// The number of a relay that a profile may use: `chat_relays.chat_relay_id`.
public typealias ChatRelayID = RowID<ChatRelay>

/// The number of a relay's part in one channel: `group_relays.group_relay_id`.
public typealias GroupRelayID = RowID<GroupRelay>

/// The state of a relay in a channel. Rule: docs/domain.md, "Group relays".
public enum RelayStatus: StoredText {
    /// The owner chose it and has not asked it yet.
    case new
    /// The owner asked it to relay the channel.
    case invited
    /// The relay accepted the channel and sent its link.
    case accepted
    /// The relay accepted the channel and has the list of members.
    case acknowledgedRoster
    /// The relay passes on the messages of the channel.
    case active
    /// The relay left or was removed.
    case inactive
    /// The relay refused the channel.
    case rejected
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order in which a relay goes through them; the two final states last.
    public static let texts: StoredTexts<RelayStatus> = [
        .new: "new",
        .invited: "invited",
        .accepted: "accepted",
        .acknowledgedRoster: "acknowledged_roster",
        .active: "active",
        .inactive: "inactive",
        .rejected: "rejected",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }

    /// The name on screens and in reports; an unknown text unchanged.
    public var shownName: String {
        switch self {
        case .new: "New"
        case .invited: "Connecting"
        case .accepted: "Accepted"
        case .acknowledgedRoster: "Acknowledged"
        case .active: "Active"
        case .inactive: "Inactive"
        case .rejected: "Rejected"
        case .unknown(let text): text
        }
    }

    /// The same name inside a sentence; an unknown text unchanged.
    package var shownWord: String { unknownText ?? shownName.lowercased() }

    /// Whether the status allows a channel to publish the relay; its member must be connected too.
    public var isPublishable: Bool {
        switch self {
        case .accepted, .acknowledgedRoster, .active: true
        case .new, .invited, .inactive, .rejected, .unknown: false
        }
    }

    /// Whether the relay serves the channel or is on its way to. A status of a newer app counts as current.
    public var isCurrent: Bool { self != .inactive && self != .rejected }

    /// Whether this status may be followed by another. Steps go forward only; to the same status there is no step.
    ///
    /// A relay whose status is from a newer app can still become inactive, which is the one step that any
    /// status but `rejected` allows. Rule: docs/domain.md, "Group relays".
    public func canBecome(_ next: RelayStatus) -> Bool {
        switch (self, next) {
        case (.new, .invited),
            (.invited, .accepted), (.invited, .rejected),
            (.accepted, .acknowledgedRoster), (.accepted, .active),
            (.acknowledgedRoster, .active):
            true
        case (.inactive, .inactive), (.rejected, .inactive): false
        case (_, .inactive): true
        default: false
        }
    }
}

/// A relay that a profile may use for its channels. Rule: docs/domain.md, "Chat relays".
public struct ChatRelay: Sendable, Hashable {
    /// The row's key, `chat_relays.chat_relay_id`.
    public let id: ChatRelayID
    /// The profile it belongs to.
    public let userID: UserID
    /// The address as the user or the preset gave it.
    public let address: String
    /// The text that two addresses of one relay share, ``RelayAddress/addressKey``.
    public let addressKey: String
    /// The name; empty when the relay has none.
    public let name: String
    /// The domains it serves, in stored order.
    public let domains: [String]
    /// Whether a preset of an operator brought it.
    public let isPreset: Bool
    /// Whether its last test passed; nil when it was not tested.
    public let tested: Bool?
    /// The time of the last test; nil when it was not tested.
    public let testedAt: StoredTime?
    /// Whether new channels may choose it.
    public let isEnabled: Bool
    /// Whether it is soft-deleted: its channels keep it, new channels cannot choose it.
    public let isDeleted: Bool

    package init(
        id: ChatRelayID, userID: UserID, address: String, addressKey: String, name: String, domains: [String],
        isPreset: Bool, tested: Bool?, testedAt: StoredTime?, isEnabled: Bool, isDeleted: Bool
    ) {
        self.id = id
        self.userID = userID
        self.address = address
        self.addressKey = addressKey
        self.name = name
        self.domains = domains
        self.isPreset = isPreset
        self.tested = tested
        self.testedAt = testedAt
        self.isEnabled = isEnabled
        self.isDeleted = isDeleted
    }

    /// The name on screens: the first domain, else the name, else the address.
    public var shownName: String { domains.first ?? (name.isEmpty ? address : name) }

    /// The name in lists and sentences: the name, else the first domain, else the address. The relays of one operator
    /// share their domain, so the shown name may be the same for several.
    package var calledName: String { name.isEmpty ? shownName : name }

    /// The host of its address.
    public var host: String { linkHost(address) }

    /// Whether its address is valid. Another app, or an older one, may have stored a text to which no app can connect.
    /// Rule: docs/domain.md, "Choosing relays".
    public var hasValidAddress: Bool { Self.isAddress(address) }

    /// Whether a new channel may use it.
    ///
    /// - Parameter isOperatorOff: whether an operator owns the relay and is off.
    package func isChoosable(isOperatorOff: Bool) -> Bool {
        isEnabled && !isDeleted && !isOperatorOff && hasValidAddress
    }

    /// Whether a stored text is the address of a relay. SimpleX Chat also takes a contact address in its long form. The
    /// link of a group or channel is no address of a relay.
    package static func isAddress(_ text: String) -> Bool {
        (try? RelayAddress(text)) != nil || LinkKey.of(text)?.hasPrefix(LinkKey.fullPrefix) == true
    }
}

/// A relay of a channel, as the channel's owner stores it. Rule: docs/domain.md, "Group relays".
public struct GroupRelay: Sendable, Hashable {
    /// The row's key, `group_relays.group_relay_id`.
    public let id: GroupRelayID
    /// The channel.
    public let groupID: GroupID
    /// The relay's row among the members of the channel.
    public let memberID: GroupMemberID
    /// The relay in the profile's list.
    public let chatRelayID: ChatRelayID
    /// The state of the relay in this channel.
    public let status: RelayStatus
    /// The link that the relay made for the channel; nil until it accepted.
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

/// The number of active relays of a channel, of failed ones, and of all. Rule: docs/domain.md, "Progress of a channel".
public struct RelayProgress: Sendable, Hashable {
    /// Relays that are active: for an owner with the status active, for a subscriber connected.
    public let active: Int
    /// Relays that failed: for an owner inactive or rejected, for a subscriber as ``RelayMember/State/failed(reason:)``.
    public let failed: Int
    /// The failed relays that an owner removed from the channel.
    public let removed: Int
    /// All relays of the channel, with the removed ones; at least the sum of the active and the failed ones.
    public let total: Int

    package init(active: Int, failed: Int = 0, removed: Int = 0, total: Int) {
        self.active = active
        self.failed = failed
        self.removed = removed
        self.total = total
    }

    /// Whether each relay is active or failed, so that there is nothing to wait for; false for a channel without relays.
    public var isDone: Bool { total > 0 && active + failed == total }

    /// The relays that the channel still has: all without the removed ones. People see this number.
    public var present: Int { total - removed }
}

extension CatalogueTable {
    /// Chat relays, and the part each has in a channel.
    static let chatRelays: [CatalogueTable] = [
        CatalogueTable(
            "chat_relays", "A chat relay that a profile may choose for a new channel, or that was one.",
            [
                .public("chat_relay_id", "the relay's number"),
                .public("user_id", "the profile whose relay it is"),
                .personal("address", "link to the relay, as it was given"),
                .personal("display_name", "the relay's name, may be empty"),
                .personal("domains", "domains the relay serves, separated by commas; empty for none"),
                .public("preset", "1 when it came with an operator's preset, 0 for the user's own"),
                .public("tested", "result of the last test: 1 passed, 0 failed, NULL untested"),
                .personal("tested_at", "when it was last tested, UTC"),
                .public("enabled", "0 when the profile has switched it off"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("deleted", "1 when soft-deleted: not offered for new channels, its channels keep it"),
                .personal("address_key", "type, key and primary host: what makes two addresses the same relay"),
            ]),
        CatalogueTable(
            "group_relays", "A relay of a channel, as the channel's owner sees it.",
            [
                .public("group_relay_id", "the row's number"),
                .public("group_id", "the channel"),
                .public("group_member_id", "the relay as a member of the channel"),
                .public("chat_relay_id", "the relay in the profile's list"),
                .state(
                    "relay_status", "how far it has come: new, invited, accepted, …, active, inactive, rejected",
                    RelayStatus.self),
                .personal("relay_link", "the link at which the relay serves this channel, once accepted"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
