/// What a member may do in a group or channel. Rule: docs/domain.md, "Groups and channels".
///
/// Ordered: a greater role may do more. Text from a newer app sorts lowest, so that it grants nothing.
public enum GroupMemberRole: StoredText, Comparable {
    /// Forwards messages of a channel; not a person.
    case relay
    /// Reads.
    case observer
    /// Writes under its own name, in groups that allow only that.
    case author
    /// Reads and writes.
    case member
    /// Removes what others wrote.
    case moderator
    /// Adds and removes members.
    case admin
    /// May do everything, and delete the group.
    case owner
    /// A text from a newer app, kept.
    case unknown(String)

    /// From the lowest to the highest.
    public static let known: [GroupMemberRole] = [.relay, .observer, .author, .member, .moderator, .admin, .owner]

    private static let byText = knownByText()

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.byText[text] ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .relay: "relay"
        case .observer: "observer"
        case .author: "author"
        case .member: "member"
        case .moderator: "moderator"
        case .admin: "admin"
        case .owner: "owner"
        case .unknown(let text): text
        }
    }

    /// By what the role may do; unknown ones lowest, among themselves by their text.
    public static func < (left: GroupMemberRole, right: GroupMemberRole) -> Bool {
        (left.rank, left.text) < (right.rank, right.text)
    }

    private var rank: Int {
        switch self {
        case .unknown: 0
        case .relay: 1
        case .observer: 2
        case .author: 3
        case .member: 4
        case .moderator: 5
        case .admin: 6
        case .owner: 7
        }
    }
}
