/// What somebody says of themselves, as they sent it.
public struct ContactProfileContent: Sendable, Hashable {
    /// The name they chose.
    public var displayName: String
    /// A longer name, may be empty.
    public var fullName: String
    /// A line about themselves.
    public var shortDescription: String?
    /// A picture, as data URI.
    public var image: String?
    /// The address at which they can be reached.
    public var contactLink: String?
    /// What they allow in a chat: a JSON document, kept as it came.
    public var preferences: String?

    /// What somebody says of themselves.
    public init(
        displayName: String, fullName: String = "", shortDescription: String? = nil, image: String? = nil,
        contactLink: String? = nil, preferences: String? = nil
    ) {
        self.displayName = displayName
        self.fullName = fullName
        self.shortDescription = shortDescription
        self.image = image
        self.contactLink = contactLink
        self.preferences = preferences
    }
}

/// What a contact, a member or the profile itself says of itself: a row of `contact_profiles`.
public struct ContactProfile: Sendable, Hashable {
    /// Its number.
    public let id: ContactProfileID
    /// What its owner says.
    public let content: ContactProfileContent
    /// The name the profile gave to this person, may be empty.
    public let localAlias: String
    /// Whether it is a random one, made for one connection.
    public let isIncognito: Bool

    package init(id: ContactProfileID, content: ContactProfileContent, localAlias: String, isIncognito: Bool) {
        self.id = id
        self.content = content
        self.localAlias = localAlias
        self.isIncognito = isIncognito
    }
}
