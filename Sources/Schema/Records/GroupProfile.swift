/// What a group or channel says of itself. Rule: docs/domain.md, "Groups and channels".
public struct GroupProfile: Sendable, Hashable {
    /// Its name.
    public var displayName: String
    /// A longer name, may be empty.
    public var fullName: String
    /// A line about it, or nil.
    public var shortDescription: String?
    /// The welcome text, or nil.
    public var welcome: String?
    /// A picture as data URI, or nil.
    public var image: String?
    /// What members may do, as a JSON document, or nil.
    public var preferences: String?

    /// A profile; all but the name may be left out.
    public init(
        displayName: String, fullName: String = "", shortDescription: String? = nil, welcome: String? = nil,
        image: String? = nil, preferences: String? = nil
    ) {
        self.displayName = displayName
        self.fullName = fullName
        self.shortDescription = shortDescription
        self.welcome = welcome
        self.image = image
        self.preferences = preferences
    }
}
