/// How the profile came to know a member. Rule: docs/domain.md, "Groups and channels".
public enum GroupMemberCategory: StoredText {
    /// The profile itself: its own membership.
    case user
    /// Invited by the profile.
    case invitee
    /// The one who invited the profile.
    case host
    /// Was there when the profile joined.
    case pre
    /// Joined after the profile.
    case post
    /// A text from a newer app, kept.
    case unknown(String)

    /// In their natural order.
    public static let known: [GroupMemberCategory] = [.user, .invitee, .host, .pre, .post]

    private static let byText = knownByText()

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.byText[text] ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .user: "user"
        case .invitee: "invitee"
        case .host: "host"
        case .pre: "pre"
        case .post: "post"
        case .unknown(let text): text
        }
    }
}
