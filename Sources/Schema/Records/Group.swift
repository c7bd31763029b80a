/// A group or a channel of one profile, with its profile and the own membership. Rule: docs/domain.md,
/// "Groups and channels".
public struct Group: Sendable, Hashable {
    /// Its number.
    public let id: GroupID
    /// The profile it belongs to.
    public let userID: UserID
    /// What the profile calls it, unlike anything else of the profile.
    public let localDisplayName: String
    /// The name it gives itself.
    public let displayName: String
    /// The link of the group, or nil.
    public let link: String?
    /// Whether its messages go through relays, which is what makes it a channel.
    public let isChannel: Bool
    /// Whether making it has not been finished.
    public let isCreating: Bool
    /// When something last happened in it.
    public let chatTime: StoredTime
    /// The profile's own part in it; nil only in a damaged store.
    public let membership: Membership?
    /// The link it was prepared from, or nil.
    public let linkToConnect: GroupLink?
    /// Whether joining was started.
    public let isStarted: Bool

    /// What the profile is in a group.
    public struct Membership: Sendable, Hashable {
        /// The row of the member.
        public let memberID: GroupMemberID
        /// What it may do.
        public let role: GroupMemberRole
        /// Where it stands.
        public let status: GroupMemberStatus

        package init(memberID: GroupMemberID, role: GroupMemberRole, status: GroupMemberStatus) {
            self.memberID = memberID
            self.role = role
            self.status = status
        }
    }

    package init(
        id: GroupID, userID: UserID, localDisplayName: String, displayName: String, link: String?, isChannel: Bool,
        isCreating: Bool, chatTime: StoredTime, membership: Membership?, linkToConnect: GroupLink?, isStarted: Bool
    ) {
        self.id = id
        self.userID = userID
        self.localDisplayName = localDisplayName
        self.displayName = displayName
        self.link = link
        self.isChannel = isChannel
        self.isCreating = isCreating
        self.chatTime = chatTime
        self.membership = membership
        self.linkToConnect = linkToConnect
        self.isStarted = isStarted
    }

    /// Whether the profile is in the group now.
    public var isCurrent: Bool { membership?.status.isCurrent == true }

    /// Whether it was prepared: a link to join it is stored.
    public var isPrepared: Bool { linkToConnect != nil }

    /// Whether the next step is to connect: it was prepared and not started.
    public var nextConnectPrepared: Bool { isPrepared && !isStarted }
}
