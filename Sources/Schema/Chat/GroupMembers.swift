/// The number of a row of `group_members`. The profile's own membership and relays are members too.
public typealias GroupMemberID = RowID<GroupMember>

/// The way in which the profile came to know a member. Rule: docs/domain.md, "Groups and channels".
public enum GroupMemberCategory: StoredText {
    /// The profile itself: its own membership.
    case user
    /// The profile invited the member.
    case invitee
    /// The member invited the profile.
    case host
    /// The member joined before the profile.
    case pre
    /// The member joined after the profile.
    case post
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of this declaration.
    public static let texts: StoredTexts<GroupMemberCategory> = [
        .user: "user",
        .invitee: "invitee",
        .host: "host",
        .pre: "pre",
        .post: "post",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The permissions of a member of a group or channel. Rule: docs/domain.md, "Groups and channels".
///
/// A greater role may do more. An unknown text sorts lowest, so that it grants nothing.
public enum GroupMemberRole: StoredText, Comparable {
    /// Forwards messages of a channel; a program, not a person.
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
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// From the lowest to the highest.
    public static let texts: StoredTexts<GroupMemberRole> = [
        .relay: "relay",
        .observer: "observer",
        .author: "author",
        .member: "member",
        .moderator: "moderator",
        .admin: "admin",
        .owner: "owner",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }

    /// Whether the role may do less. Unknown roles are lowest, in the order of their texts.
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

/// The state of a membership. Rule: docs/domain.md, "Groups and channels".
public enum GroupMemberStatus: StoredText {
    /// Refused entry.
    case rejected
    /// Another member removed them.
    case removed
    /// Has left.
    case left
    /// The group was deleted.
    case deleted
    /// Known from messages only, or prepared and not begun. The stored text is `unknown`.
    case unknownMember
    /// Invited, no answer yet.
    case invited
    /// Waits for an admin.
    case pendingApproval
    /// Waits for a moderator.
    case pendingReview
    /// The other members have been introduced to them.
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
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// From outside the group to inside.
    public static let texts: StoredTexts<GroupMemberStatus> = [
        .rejected: "rejected",
        .removed: "removed",
        .left: "left",
        .deleted: "deleted",
        .unknownMember: "unknown",
        .invited: "invited",
        .pendingApproval: "pending_approval",
        .pendingReview: "pending_review",
        .introduced: "introduced",
        .introInvited: "intro-inv",
        .accepted: "accepted",
        .announced: "announced",
        .connected: "connected",
        .complete: "complete",
        .creator: "creator",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }

    /// Whether the member is in the group now.
    public var isCurrent: Bool {
        switch self {
        case .introduced, .introInvited, .accepted, .announced, .connected, .complete, .creator: true
        default: false
        }
    }

    /// Whether the member was in the group or was refused entry, and is not in it now.
    public var isHistory: Bool {
        switch self {
        case .left, .removed, .rejected, .deleted: true
        default: false
        }
    }

    /// Whether the member is connected to the profile.
    public var isConnected: Bool { self == .connected || self == .complete }

    /// The stored texts of the current statuses, for queries.
    public static var currentTexts: [String] { known.filter(\.isCurrent).map(\.text) }
}

/// Whether a moderator has blocked a member for the whole group.
public enum MemberRestriction: StoredText {
    /// Nobody in the group sees what the member writes.
    case blocked
    /// The member was blocked, and is not any longer.
    case unrestricted
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of this declaration.
    public static let texts: StoredTexts<MemberRestriction> = [
        .blocked: "blocked",
        .unrestricted: "unrestricted",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The person who invited a member to a group.
public enum MemberInviter: Sendable, Hashable {
    /// The profile itself.
    case user
    /// A contact of the profile.
    case contact(ContactID)
    /// Another member of the group.
    case member(GroupMemberID)
}

/// A member of a group; the profile itself and the relays of a channel are members too. Rule: docs/domain.md,
/// "Groups and channels".
public struct GroupMember: Sendable, Hashable {
    /// The row's key, `group_members.group_member_id`.
    public let id: GroupMemberID
    /// The group.
    public let groupID: GroupID
    /// The random id by which the whole group knows the member.
    public let memberID: String
    /// The name in the profile's lists.
    public let localDisplayName: String
    /// The role.
    public let role: GroupMemberRole
    /// The way in which the profile came to know it.
    public let category: GroupMemberCategory
    /// The state of the membership.
    public let status: GroupMemberStatus
    /// A relay's link at which it serves the channel; nil for other members, and until it is known.
    public let relayLink: String?
    /// Whether a moderator has blocked the member for all; nil when none ever has.
    public let restriction: MemberRestriction?
    /// Whether the profile sees the messages of the member; false when it has blocked the member for itself.
    public let showsMessages: Bool
    /// The person who invited the member; nil when that is not known.
    public let invitedBy: MemberInviter?
    /// The contact who is this member, or nil.
    public let contactID: ContactID?
    /// The random profile that the group sees instead of the profile's own; nil for other members.
    public let incognitoProfileID: ContactProfileID?

    package init(
        id: GroupMemberID, groupID: GroupID, memberID: String, localDisplayName: String, role: GroupMemberRole,
        category: GroupMemberCategory, status: GroupMemberStatus, relayLink: String?,
        restriction: MemberRestriction?, showsMessages: Bool, invitedBy: MemberInviter?, contactID: ContactID?,
        incognitoProfileID: ContactProfileID?
    ) {
        self.id = id
        self.groupID = groupID
        self.memberID = memberID
        self.localDisplayName = localDisplayName
        self.role = role
        self.category = category
        self.status = status
        self.relayLink = relayLink
        self.restriction = restriction
        self.showsMessages = showsMessages
        self.invitedBy = invitedBy
        self.contactID = contactID
        self.incognitoProfileID = incognitoProfileID
    }

    /// Whether the profile sees nothing of what the member writes: it blocked the member, or a moderator did.
    public var isBlocked: Bool { !showsMessages || restriction == .blocked }

    /// Whether it is the profile itself.
    public var isOwn: Bool { category == .user }
}

extension CatalogueTable {
    /// Who is in a group, was in it, or relays it.
    static let chatGroupMembers: [CatalogueTable] = [
        CatalogueTable(
            "group_members", "A member of a group, now or once; also a channel's relays, and the profile itself.",
            [
                .public("group_member_id", "the member's number"),
                .public("user_id", "the profile whose group it is"),
                .public("group_id", "the group"),
                .personal("member_id", "random id by which the whole group knows the member"),
                .state(
                    "member_role", "relay, observer, author, member, moderator, admin or owner", GroupMemberRole.self),
                .public("member_category", "user for the profile itself, else how the member came"),
                .state("member_status", "how far the member has come, or how it ended", GroupMemberStatus.self),
                .state(
                    "member_restriction", "blocked when a moderator has blocked the member for all",
                    MemberRestriction.self),
                .public("show_messages", "0 when the profile has blocked the member for itself"),
                .public("invited_by_group_member_id", "the member who brought them, or NULL"),
                .personal("local_display_name", "the name under which the profile lists the member"),
                .public("contact_profile_id", "what the member says of themselves"),
                .public("member_profile_id", "the random profile the group sees instead of one's own, or NULL"),
                .public("contact_id", "the contact who is this member, or NULL"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .personal("relay_link", "of a relay: the link at which it serves the channel"),
                .personal("support_chat_ts", "when the last item of the member's support chat came; NULL without one"),
                .public("support_chat_items_unread", "unread items of the support chat"),
                .public("support_chat_items_member_attention", "those of them that the member wrote"),
                .public("support_chat_items_mentions", "those of them that mention the profile"),
                .personal(
                    "support_chat_last_msg_from_member_ts", "when the member last wrote there, UTC; NULL for never"),
                .personal("relay_failure", "of a relay: why the profile could not join through it, or NULL"),
                .public("invited_by", "the contact who invited them, or the profile's own contact; NULL when unknown"),
                .secret("member_security_code", "of a member without a connection: the code that was compared"),
                .personal("member_security_code_verified_at", "when that code was compared, UTC"),
            ])
    ]
}
