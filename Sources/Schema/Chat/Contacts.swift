/// The number of a row of `contacts`. Each profile has a row of its own there.
public typealias ContactID = RowID<Contact>

/// The number of a row of `contact_profiles`: what a contact, a member or the profile shows of itself.
public typealias ContactProfileID = RowID<ContactProfile>

/// The number of a request to connect: `contact_requests.contact_request_id`.
public typealias ContactRequestID = RowID<ContactRequest>

/// The number of a profile's address or of a group's link: `user_contact_links.user_contact_link_id`.
public typealias UserContactLinkID = RowID<UserContactLink>

/// Whether both sides are in contact, and if not, which side ended it.
public enum ContactStatus: StoredText {
    /// Both sides are in contact.
    case active
    /// The contact has deleted the profile from their contacts.
    case deleted
    /// The profile deleted the contact and kept the conversation.
    case deletedByUser
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of this declaration.
    public static let texts: StoredTexts<ContactStatus> = [
        .active: "active",
        .deleted: "deleted",
        .deletedByUser: "deletedByUser",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// A person with whom a profile talks. Rule: docs/domain.md, "Contacts".
public struct Contact: Sendable, Hashable {
    /// The row's key, `contacts.contact_id`.
    public let id: ContactID
    /// The profile whose contact it is.
    public let userID: UserID
    /// The name in the profile's lists, unique within the profile.
    public let localDisplayName: String
    /// The contact's own profile, with the alias that the profile gave.
    public let profile: ContactProfile
    /// Whether there is a conversation to show.
    public let isUsed: Bool
    /// Whether it is still a contact.
    public let status: ContactStatus
    /// The time of the last event in the chat.
    public let chatTime: StoredTime
    /// Whether the user marked it a favourite.
    public let isFavourite: Bool
    /// Whether it is soft-deleted: only the conversation is kept.
    public let isDeleted: Bool
    /// The random profile by which the contact knows the profile; nil when it knows the real one.
    public let incognitoProfileID: ContactProfileID?
    /// The member of a group from whom the contact was made, until both are in contact; nil for other contacts.
    public let memberID: GroupMemberID?
    /// Whether the invitation to that member was sent.
    public let isInvitationSent: Bool

    package init(
        id: ContactID, userID: UserID, localDisplayName: String, profile: ContactProfile, isUsed: Bool,
        status: ContactStatus, chatTime: StoredTime, isFavourite: Bool, isDeleted: Bool,
        incognitoProfileID: ContactProfileID?, memberID: GroupMemberID?, isInvitationSent: Bool
    ) {
        self.id = id
        self.userID = userID
        self.localDisplayName = localDisplayName
        self.profile = profile
        self.isUsed = isUsed
        self.status = status
        self.chatTime = chatTime
        self.isFavourite = isFavourite
        self.isDeleted = isDeleted
        self.incognitoProfileID = incognitoProfileID
        self.memberID = memberID
        self.isInvitationSent = isInvitationSent
    }

    /// The name on screens: the alias that the profile gave, else the name in its lists.
    public var shownName: String { profile.localAlias.isEmpty ? localDisplayName : profile.localAlias }
}

/// The public part of a person's profile, as that person sent it.
public struct ContactProfileContent: Sendable, Hashable {
    /// The name they chose.
    public var displayName: String
    /// A longer name, may be empty.
    public var fullName: String
    /// A line about themselves.
    public var shortDescription: String?
    /// A longer text about themselves.
    public var description: String?
    /// A picture, as data URI.
    public var image: String?
    /// The address at which they can be reached.
    public var contactLink: String?
    /// The preferences for chats: a JSON document, kept unchanged.
    public var preferences: String?
    /// The kind of client; nil from apps that do not say it, whose users are people.
    public var peerType: ChatPeerType?

    /// The public part of a profile; all but the name may be left out.
    public init(
        displayName: String, fullName: String = "", shortDescription: String? = nil, description: String? = nil,
        image: String? = nil, contactLink: String? = nil, preferences: String? = nil, peerType: ChatPeerType? = nil
    ) {
        self.displayName = displayName
        self.fullName = fullName
        self.shortDescription = shortDescription
        self.description = description
        self.image = image
        self.contactLink = contactLink
        self.preferences = preferences
        self.peerType = peerType
    }
}

/// The kind of client that a profile belongs to.
public enum ChatPeerType: StoredText {
    /// A person.
    case human
    /// A program.
    case bot
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of this declaration.
    public static let texts: StoredTexts<ChatPeerType> = [
        .human: "human",
        .bot: "bot",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The profile of a contact, of a member or of the user: a row of `contact_profiles`.
public struct ContactProfile: Sendable, Hashable {
    /// The row's key, `contact_profiles.contact_profile_id`.
    public let id: ContactProfileID
    /// The part that its owner chose.
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

    /// The part that a profile changes without a new name.
    public var details: ProfileDetails { ProfileDetails(content) }
}

/// What a profile says of itself besides its name. Rule: docs/domain.md, "Profiles", Details.
public struct ProfileDetails: Sendable, Hashable {
    /// A longer name, may be empty.
    public var fullName: String
    /// A line about its owner.
    public var shortDescription: String?
    /// A longer text about its owner.
    public var description: String?
    /// A picture, as data URI.
    public var image: String?
    /// The address at which its owner can be reached.
    public var contactLink: String?
    /// The preferences for chats: a JSON object.
    public var preferences: String?

    /// Details; all may be left out.
    public init(
        fullName: String = "", shortDescription: String? = nil, description: String? = nil, image: String? = nil,
        contactLink: String? = nil, preferences: String? = nil
    ) {
        self.fullName = fullName
        self.shortDescription = shortDescription
        self.description = description
        self.image = image
        self.contactLink = contactLink
        self.preferences = preferences
    }

    /// The details of a profile.
    public init(_ content: ContactProfileContent) {
        self.init(
            fullName: content.fullName, shortDescription: content.shortDescription, description: content.description,
            image: content.image, contactLink: content.contactLink, preferences: content.preferences)
    }
}

/// A request to become a contact that has no answer yet. Rule: docs/domain.md, "Contacts".
public struct ContactRequest: Sendable, Hashable {
    /// The row's key, `contact_requests.contact_request_id`.
    public let id: ContactRequestID
    /// The profile that received the request.
    public let userID: UserID
    /// The link by which the request came; nil when the link was removed.
    public let linkID: UserContactLinkID?
    /// The agent's id of the request, by which it is answered.
    public let agentInvitationID: InvitationID
    /// The random id by which a repeated request is known; old apps send none.
    public let xContactID: String?
    /// The profile that they sent.
    public let profile: ContactProfile
    /// Their name in the profile's lists.
    public let localDisplayName: String
    /// The contact that was made before the answer; mostly nil.
    public let contactID: ContactID?
    /// The time of their last request.
    public let updatedAt: StoredTime

    package init(
        id: ContactRequestID, userID: UserID, linkID: UserContactLinkID?, agentInvitationID: InvitationID,
        xContactID: String?, profile: ContactProfile, localDisplayName: String, contactID: ContactID?,
        updatedAt: StoredTime
    ) {
        self.id = id
        self.userID = userID
        self.linkID = linkID
        self.agentInvitationID = agentInvitationID
        self.xContactID = xContactID
        self.profile = profile
        self.localDisplayName = localDisplayName
        self.contactID = contactID
        self.updatedAt = updatedAt
    }
}

/// A link by which others reach a profile: its address, or the link to one of its groups.
/// Rule: docs/domain.md, "Contacts".
public struct UserContactLink: Sendable, Hashable {
    /// The row's key, `user_contact_links.user_contact_link_id`.
    public let id: UserContactLinkID
    /// The profile whose link it is.
    public let userID: UserID
    /// The group it leads to; nil for the profile's address.
    public let groupID: GroupID?
    /// The link in full.
    public let fullLink: String
    /// The short link, or nil.
    public let shortLink: String?
    /// The automatic answer to those who use the link.
    public let autoAccept: AutoAccept
    /// The random id by which the members of the group know the link.
    public let groupLinkID: String?
    /// The role of those who join by it.
    public let memberRole: GroupMemberRole?
    /// Whether each request at the address becomes a business chat.
    public let isBusinessAddress: Bool

    package init(
        id: UserContactLinkID, userID: UserID, groupID: GroupID?, fullLink: String, shortLink: String?,
        autoAccept: AutoAccept, groupLinkID: String?, memberRole: GroupMemberRole?, isBusinessAddress: Bool
    ) {
        self.id = id
        self.userID = userID
        self.groupID = groupID
        self.fullLink = fullLink
        self.shortLink = shortLink
        self.autoAccept = autoAccept
        self.groupLinkID = groupLinkID
        self.memberRole = memberRole
        self.isBusinessAddress = isBusinessAddress
    }
}

/// The automatic answer of a profile's address to requests.
public struct AutoAccept: Sendable, Hashable {
    /// Whether the app accepts requests automatically.
    public var isOn: Bool
    /// Whether the app accepts them with a random profile.
    public var isIncognito: Bool
    /// The message to those who are accepted, a JSON document; nil for no message.
    public var reply: String?

    /// Settings of an address; off by default.
    public init(isOn: Bool = false, isIncognito: Bool = false, reply: String? = nil) {
        self.isOn = isOn
        self.isIncognito = isIncognito
        self.reply = reply
    }
}

extension CatalogueTable {
    /// Contacts, those who ask to be one, and the links by which they ask.
    static let chatContacts: [CatalogueTable] = [
        CatalogueTable(
            "contacts", "A person whom a profile talks to, or the profile itself.",
            [
                .public("contact_id", "the contact's number"),
                .public("user_id", "the profile whose contact it is"),
                .public("contact_profile_id", "what the contact says of themselves"),
                .personal("local_display_name", "the name under which the profile lists the contact"),
                .public("is_user", "1 for the profile's own row"),
                .public("contact_used", "1 once there is a conversation to show"),
                .state("contact_status", "active, or how it ended", ContactStatus.self),
                .personal("user_preferences", "what the profile allows this contact: a JSON document"),
                .public("enable_ntfs", "notifications: 0 none, 1 all, 2 mentions, NULL as the profile"),
                .public("send_rcpts", "delivery receipts: 1 on, 0 off, NULL as the profile"),
                .public("chat_item_ttl", "seconds after which messages are removed; NULL as the profile"),
                .personal("chat_ts", "time of the last thing in the chat, UTC; the chat list is sorted by it"),
                .public("unread_chat", "1 when marked unread by hand"),
                .public("favorite", "1 when marked a favourite"),
                .public("deleted", "1 when soft-deleted: the conversation is kept"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .personal("ui_themes", "the colours of the chat: a JSON document; NULL as the profile"),
                .public("contact_group_member_id", "the member from whom the contact was made, until it is connected"),
                .public("contact_grp_inv_sent", "1 when the invitation to that member was sent"),
            ]),
        CatalogueTable(
            "user_contact_links", "A link by which others reach a profile: its address, or the link to a group.",
            [
                .public("user_contact_link_id", "the link's number"),
                .public("user_id", "the profile whose link it is"),
                .public("group_id", "the group it leads to; NULL for the profile's address"),
                .personal("conn_req_contact", "the full link"),
                .personal("short_link_contact", "the short link, if there is one"),
                .public("auto_accept", "1 when requests are accepted unasked"),
                .public("auto_accept_incognito", "1 when they are accepted with a random profile"),
                .personal("auto_reply_msg_content", "message sent to each accepted person: a JSON document"),
                .personal("group_link_id", "random id by which the group's members know the link"),
                .state("group_link_member_role", "role of those who join by the link", GroupMemberRole.self),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .personal(
                    "conn_req_contact_key",
                    "a text that is the same for all spellings of that link; NULL where it has none"),
                .personal(
                    "short_link_contact_key",
                    "a text that is the same for all spellings of that link; NULL where it has none"),
                .public("business_address", "1 when each request at the address becomes a group of its own"),
            ]),
        CatalogueTable(
            "contact_requests", "A person who asked to be a contact and has no answer yet.",
            [
                .public("contact_request_id", "the request's number"),
                .public("user_id", "the profile that was asked"),
                .public("user_contact_link_id", "the link by which the request came; NULL when the link was removed"),
                .personal("agent_invitation_id", "the agent's id of the request"),
                .personal("xcontact_id", "random id by which a repeated request is known"),
                .public("contact_profile_id", "what they say of themselves"),
                .personal("local_display_name", "the name under which the profile lists them"),
                .public("contact_id", "the contact it became, or NULL"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
