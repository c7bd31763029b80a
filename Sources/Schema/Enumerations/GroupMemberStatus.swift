/// Where a membership stands. Rule: docs/domain.md, "Groups and channels".
public enum GroupMemberStatus: StoredText {
    /// Refused entry.
    case rejected
    /// Removed by somebody.
    case removed
    /// Has left.
    case left
    /// The group was deleted.
    case deleted
    /// Seen only in messages, or a membership prepared and not begun. The stored text is `unknown`.
    case unknownMember
    /// Invited, no answer yet.
    case invited
    /// Waits for an admin.
    case pendingApproval
    /// Waits for a moderator.
    case pendingReview
    /// Told to the other members.
    case introduced
    /// Invited by a member it was introduced to.
    case introInvited
    /// Took the invitation.
    case accepted
    /// Announced to the members.
    case announced
    /// Connected to the profile.
    case connected
    /// Connected to all members.
    case complete
    /// Made the group.
    case creator
    /// A text from a newer app, kept.
    case unknown(String)

    /// From those outside to those within.
    public static let known: [GroupMemberStatus] = [
        .rejected, .removed, .left, .deleted, .unknownMember, .invited, .pendingApproval, .pendingReview,
        .introduced, .introInvited, .accepted, .announced, .connected, .complete, .creator,
    ]

    private static let byText = knownByText()

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.byText[text] ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .rejected: "rejected"
        case .removed: "removed"
        case .left: "left"
        case .deleted: "deleted"
        case .unknownMember: "unknown"
        case .invited: "invited"
        case .pendingApproval: "pending_approval"
        case .pendingReview: "pending_review"
        case .introduced: "introduced"
        case .introInvited: "intro-inv"
        case .accepted: "accepted"
        case .announced: "announced"
        case .connected: "connected"
        case .complete: "complete"
        case .creator: "creator"
        case .unknown(let text): text
        }
    }

    /// Whether the member is in the group now.
    public var isCurrent: Bool {
        switch self {
        case .introduced, .introInvited, .accepted, .announced, .connected, .complete, .creator: true
        default: false
        }
    }

    /// Whether the member has been in the group, or at its door, and is no more.
    public var isHistory: Bool {
        switch self {
        case .left, .removed, .rejected, .deleted: true
        default: false
        }
    }

    /// The stored texts of the current statuses, for queries.
    public static var currentTexts: [String] { known.filter(\.isCurrent).map(\.text) }
}
