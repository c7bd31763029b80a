/// A relay that one profile may use for its channels. Rule: docs/domain.md, "Chat relays".
public struct ChatRelay: Sendable, Hashable {
    /// Its number.
    public let id: ChatRelayID
    /// The profile it belongs to.
    public let userID: UserID
    /// The address as it was given.
    public let address: String
    /// What makes two addresses the same relay.
    public let addressKey: String
    /// Its name; an empty text when it has none.
    public let name: String
    /// Its domains, in their order.
    public let domains: [String]
    /// Whether it came with an operator.
    public let isPreset: Bool
    /// Whether its last test passed; nil when it was not tested.
    public let tested: Bool?
    /// When it was tested; nil when it was not.
    public let testedAt: StoredTime?
    /// Whether new channels may choose it.
    public let isEnabled: Bool
    /// Whether it is soft-deleted: kept for its channels and chosen no more.
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

    /// What people see: the first domain; without one, the name; without that, the address.
    public var shownName: String { domains.first ?? (name.isEmpty ? address : name) }

    /// The host of its address.
    public var host: String { linkHost(address) }
}
