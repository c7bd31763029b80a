/// The kind of the content of a message. Rule: docs/domain.md, "Chat items", Kinds.
public enum MessageKind: StoredText {
    /// Text alone.
    case text
    /// Text with the preview of a link.
    case link
    /// A picture.
    case image
    /// A video.
    case video
    /// A voice message.
    case voice
    /// A file.
    case file
    /// A report about another item.
    case report
    /// A link to a chat.
    case chat
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of this declaration.
    public static let texts: StoredTexts<MessageKind> = [
        .text: "text",
        .link: "link",
        .image: "image",
        .video: "video",
        .voice: "voice",
        .file: "file",
        .report: "report",
        .chat: "chat",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// A kind of content in a chat, and the number of items with it.
public struct MessageKindCount: Sendable, Hashable {
    /// The kind.
    public let kind: MessageKind
    /// The number of items.
    public let items: Int

    package init(kind: MessageKind, items: Int) {
        self.kind = kind
        self.items = items
    }
}

/// The kind of chat that an item was forwarded from. Rule: docs/domain.md, "Chat items", Forwarded items.
public enum ForwardedFromKind: StoredText {
    /// The sender did not say where the item is from. The stored text is `unknown`.
    case undisclosed
    /// A chat with a contact.
    case contact
    /// A group or channel of the profile.
    case group
    /// A channel that the profile is not in. The item has its link.
    case groupLink
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of this declaration.
    public static let texts: StoredTexts<ForwardedFromKind> = [
        .undisclosed: "unknown",
        .contact: "contact",
        .group: "group",
        .groupLink: "groupLink",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// Where an item was forwarded from. Rule: docs/domain.md, "Chat items", Forwarded items.
public struct ForwardedFrom: Sendable, Hashable {
    /// The kind of chat.
    public var kind: ForwardedFromKind
    /// The name of the chat when the item was forwarded.
    public var chatName: String?
    /// Whether the profile had sent or received it there; nil when that is not known.
    public var direction: MessageDirection?
    /// The contact, as long as the profile has it.
    public var contactID: ContactID?
    /// The group, as long as the profile has it.
    public var groupID: GroupID?
    /// The item, as long as the profile has it.
    public var itemID: ChatItemID?
    /// The type of a public group: `group` or `channel`.
    public var groupType: String?
    /// The link of a public group.
    public var groupLink: String?
    /// The id of a public group, which all its members know.
    public var publicGroupID: String?
    /// The id of the member of a public group who wrote the item.
    public var memberID: String?
    /// The shared id of the item in a public group.
    public var sharedMessageID: String?

    /// An origin. Its other properties are set afterwards.
    public init(_ kind: ForwardedFromKind) {
        self.kind = kind
    }
}

/// A part of a group beside its main chat. Rule: docs/domain.md, "Support chats".
public enum GroupScope: Sendable, Hashable {
    /// The conversation of one member with the moderators. Without a member it is that of the profile itself.
    case support(GroupMemberID?)
    /// A part that this build does not know: a newer app stored it.
    case other(String)
}

/// A support chat of a group. Rule: docs/domain.md, "Support chats".
public struct SupportChat: Sendable, Hashable {
    /// The member whose chat it is; the profile's own membership for its own.
    public let memberID: GroupMemberID
    /// The part of the group.
    public let scope: GroupScope
    /// The time of the last item, by which these chats are sorted.
    public let time: StoredTime
    /// The number of unread items.
    public let unread: UnreadCount
    /// The number of unread items that the member wrote.
    public let unanswered: Int
    /// The time of the last item that the member wrote; nil before the first.
    public let lastFromMember: StoredTime?

    package init(
        memberID: GroupMemberID, scope: GroupScope, time: StoredTime, unread: UnreadCount, unanswered: Int,
        lastFromMember: StoredTime?
    ) {
        self.memberID = memberID
        self.scope = scope
        self.time = time
        self.unread = unread
        self.unanswered = unanswered
        self.lastFromMember = lastFromMember
    }
}
