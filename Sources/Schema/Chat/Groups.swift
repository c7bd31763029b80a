/// The number of a group or channel: `groups.group_id`.
public typealias GroupID = RowID<Group>

/// The number of a row of `group_profiles`: name, picture and welcome text of a group.
public typealias GroupProfileID = RowID<GroupProfile>

/// A group or a channel of one profile, with its names and the profile's own membership. Rule: docs/domain.md,
/// "Groups and channels".
public struct Group: Sendable, Hashable {
    /// The row's key, `groups.group_id`.
    public let id: GroupID
    /// The profile it belongs to.
    public let userID: UserID
    /// The name in the profile's lists, unique within the profile.
    public let localDisplayName: String
    /// The name in the group's own profile.
    public let displayName: String
    /// The link of the group, or nil.
    public let link: String?
    /// Whether it is a channel: relays forward its messages.
    public let isChannel: Bool
    /// Whether its creation is not complete.
    public let isCreating: Bool
    /// The time of the last event in it.
    public let chatTime: StoredTime
    /// The profile's own membership; nil only in a damaged store.
    public let membership: Membership?
    /// The link it was prepared from, or nil.
    public let linkToConnect: GroupLink?
    /// Whether joining was started.
    public let isStarted: Bool
    /// The business and the customer of a business chat; nil for other groups.
    public let businessChat: BusinessChat?

    /// The profile's own membership of a group.
    public struct Membership: Sendable, Hashable {
        /// The row of the member.
        public let memberID: GroupMemberID
        /// The role.
        public let role: GroupMemberRole
        /// The state of the membership.
        public let status: GroupMemberStatus
        /// The random profile that the group sees instead of the profile's own, or nil.
        public let incognitoProfileID: ContactProfileID?

        package init(
            memberID: GroupMemberID, role: GroupMemberRole, status: GroupMemberStatus,
            incognitoProfileID: ContactProfileID?
        ) {
            self.memberID = memberID
            self.role = role
            self.status = status
            self.incognitoProfileID = incognitoProfileID
        }
    }

    package init(
        id: GroupID, userID: UserID, localDisplayName: String, displayName: String, link: String?, isChannel: Bool,
        isCreating: Bool, chatTime: StoredTime, membership: Membership?, linkToConnect: GroupLink?, isStarted: Bool,
        businessChat: BusinessChat?
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
        self.businessChat = businessChat
    }

    /// Whether the profile is in the group now.
    public var isCurrent: Bool { membership?.status.isCurrent == true }

    /// Whether it was prepared: a link to join it is stored.
    public var isPrepared: Bool { linkToConnect != nil }

    /// Whether the next step is to connect: it was prepared and not started.
    public var nextConnectPrepared: Bool { isPrepared && !isStarted }
}

/// The public part of a group's or channel's profile. Rule: docs/domain.md, "Groups and channels".
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
    /// The permissions of members: a JSON document, or nil.
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

/// Counts of what a group or channel holds. Rule: docs/domain.md, "Groups and channels".
public struct GroupContents: Sendable, Hashable {
    /// Chat items, those marked deleted among them.
    public let chatItems: Int
    /// The unread ones among them.
    public let unread: Int
    /// Files sent and received.
    public let files: Int

    package init(chatItems: Int, unread: Int, files: Int) {
        self.chatItems = chatItems
        self.unread = unread
        self.files = files
    }
}

extension CatalogueTable {
    /// Groups and channels, and what they say of themselves.
    static let chatGroups: [CatalogueTable] = [
        CatalogueTable(
            "groups", "A group or channel, joined, left, prepared, or one's own.",
            [
                .public("group_id", "the group's number"),
                .public("user_id", "the profile whose group it is"),
                .public("group_profile_id", "what the group says of itself"),
                .personal("local_display_name", "the name under which the profile lists the group"),
                .personal("local_alias", "the name the profile gave to the group, may be empty"),
                .public("enable_ntfs", "notifications: 0 none, 1 all, 2 mentions, NULL as the profile"),
                .public("send_rcpts", "delivery receipts: 1 on, 0 off, NULL as the profile"),
                .public("chat_item_ttl", "seconds after which messages are removed; NULL as the profile"),
                .personal("chat_ts", "time of the last thing in the chat, UTC; the chat list is sorted by it"),
                .public("unread_chat", "1 when marked unread by hand"),
                .public("favorite", "1 when marked a favourite"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .personal("conn_full_link_to_connect", "the full link it was prepared from, or NULL"),
                .personal("conn_short_link_to_connect", "the short link it was prepared from, or NULL"),
                .public("conn_link_prepared_connection", "1 when the connection by that link has been prepared"),
                .public("conn_link_started_connection", "1 once joining by that link has started"),
                .personal("welcome_shared_msg_id", "id of the welcome message shown before joining"),
                .personal("request_shared_msg_id", "id of the message sent with the request to join"),
                .public("use_relays", "1 for a channel: relays forward its messages"),
                .public("creating_in_progress", "1 until a new channel is complete"),
                .public("public_member_count", "number of subscribers that the channel publishes, or NULL"),
                .personal(
                    "conn_full_link_to_connect_key",
                    "a text that is the same for all spellings of that link; NULL where it has none"),
                .personal(
                    "conn_short_link_to_connect_key",
                    "a text that is the same for all spellings of that link; NULL where it has none"),
                .personal("ui_themes", "the colours of the chat: a JSON document; NULL as the profile"),
                .state("business_chat", "of a business chat: which side the other members are", BusinessChatKind.self),
                .personal("business_member_id", "of a business chat: the id of the business in the group"),
                .personal("customer_member_id", "of a business chat: the id of the customer in the group"),
                .personal("business_xcontact_id", "of a business chat: the random id of the customer's request"),
            ]),
        CatalogueTable(
            "group_profiles", "What a group says of itself.",
            [
                .public("group_profile_id", "the row's number"),
                .public("user_id", "the profile in whose lists it is"),
                .personal("display_name", "the group's name"),
                .personal("full_name", "the longer name, may be empty"),
                .personal("short_descr", "a line about the group"),
                .personal("description", "the welcome text"),
                .personal("image", "picture as data URI"),
                .personal("preferences", "what members may do: a JSON document"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .personal("group_link", "the link the group publishes"),
                .personal(
                    "group_link_key", "a text that is the same for all spellings of that link; NULL where it has none"),
                .state("group_type", "of a public group: channel or group", PublicGroupKind.self),
                .personal("public_group_id", "of a public group: the id by which everyone knows it"),
            ]),
    ]
}
