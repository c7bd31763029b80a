/// The side of a business chat that the other members are on. Rule: docs/domain.md, "Business chats".
public enum BusinessChatKind: StoredText {
    /// The profile is the customer, and talks to a business.
    case business
    /// The profile is the business, and talks to a customer.
    case customer
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of this declaration.
    public static let texts: StoredTexts<BusinessChatKind> = [
        .business: "business",
        .customer: "customer",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The two sides of a business chat. Rule: docs/domain.md, "Business chats".
public struct BusinessChat: Sendable, Hashable {
    /// The side that the other members are on.
    public let kind: BusinessChatKind
    /// The id by which the group knows the business.
    public let businessMemberID: String
    /// The id by which the group knows the customer.
    public let customerMemberID: String

    /// A business chat; nothing is checked before it is stored.
    public init(_ kind: BusinessChatKind, businessMemberID: String, customerMemberID: String) {
        self.kind = kind
        self.businessMemberID = businessMemberID
        self.customerMemberID = customerMemberID
    }
}

/// The kind of a public group. Rule: docs/domain.md, "Groups and channels", Public groups.
public enum PublicGroupKind: StoredText {
    /// Relays forward the messages of few authors.
    case channel
    /// All members write.
    case group
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of this declaration.
    public static let texts: StoredTexts<PublicGroupKind> = [
        .channel: "channel",
        .group: "group",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The id by which everyone knows a public group, and its kind.
public struct PublicGroup: Sendable, Hashable {
    /// The id, which stays when the link or the name of the group changes.
    public let id: String
    /// The kind; nil when it is not known.
    public let kind: PublicGroupKind?

    /// A public group; nothing is checked before it is stored.
    public init(id: String, kind: PublicGroupKind?) {
        self.id = id
        self.kind = kind
    }
}
