/// The number of an item of a chat: `chat_items.chat_item_id`.
public typealias ChatItemID = RowID<ChatItem>

/// The number of a version of an edited item: `chat_item_versions.chat_item_version_id`.
public typealias ChatItemVersionID = RowID<ChatItemVersion>

/// The number of a reaction to an item: `chat_item_reactions.chat_item_reaction_id`.
public typealias ChatItemReactionID = RowID<ChatItemReactionRow>

/// A row of `chat_item_reactions`. It has no values: it only sets ``ChatItemReactionID`` apart.
public enum ChatItemReactionRow {}

/// A conversation of a profile: with a contact, in a group or channel, or its notes to itself.
public enum ChatID: Sendable, Hashable, CustomStringConvertible {
    /// With one contact.
    case contact(ContactID)
    /// A group or a channel.
    case group(GroupID)
    /// The profile's notes to itself.
    case notes(NoteFolderID)

    /// `contact 1`, `group 1` or `note folder 1`.
    public var description: String {
        switch self {
        case .contact(let id): "contact \(id)"
        case .group(let id): "group \(id)"
        case .notes(let id): "note folder \(id)"
        }
    }
}

/// The state of an item of a chat. Rule: docs/domain.md, "Chat items".
public enum ChatItemStatus: StoredText {
    /// The profile wrote it and has not sent it yet.
    case sndNew
    /// The server has it. With anything after the word the text is unknown, and kept.
    case sndSent
    /// Received and not read. An item is unread when it has this status, and only then.
    case rcvNew
    /// Received and read.
    case rcvRead
    /// A text that this build does not know: it has details, such as which error, or a newer app stored it.
    case unknown(String)

    /// Sent items first.
    public static let texts: StoredTexts<ChatItemStatus> = [
        .sndNew: "snd_new",
        .sndSent: "snd_sent",
        .rcvNew: "rcv_new",
        .rcvRead: "rcv_read",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// An item of a chat: a message, a call, an event. Rule: docs/domain.md, "Chat items".
public struct ChatItem: Sendable, Hashable {
    /// Its number, never given twice.
    public let id: ChatItemID
    /// The profile it belongs to.
    public let userID: UserID
    /// The chat it is in; nil only in a damaged store.
    public let chat: ChatID?
    /// The member who wrote it; nil in other chats, and for what the profile sent.
    public let memberID: GroupMemberID?
    /// The message it was made from, as long as that is kept.
    public let messageID: MessageID?
    /// The random id by which all sides know it.
    public let sharedMessageID: String?
    /// Whether the profile sent it.
    public let direction: MessageDirection
    /// The time when it was sent; a chat is sorted by it, then by number.
    public let time: StoredTime
    /// Its state.
    public let status: ChatItemStatus
    /// The content: a JSON document.
    public let content: String
    /// The kind of its content.
    public let contentTag: String?
    /// The kind of a message's content: text, link, image, file, …
    public let messageContentTag: String?
    /// The text, which a search reads; empty when fully deleted.
    public let text: String
    /// Whether its content was changed.
    public let isEdited: Bool
    /// The time and the author of the deletion; nil for an item that is not marked deleted.
    public let deletion: Deletion?
    /// The item that it answers, for a reply.
    public let quote: Quote?
    /// The lifetime of a disappearing item after it is read, in seconds; nil for others.
    public let timeToLive: Int64?
    /// The time when a disappearing item is removed; nil before it is read.
    public let deleteAt: StoredTime?
    /// Whether it mentions the profile itself.
    public let mentionsUser: Bool
    /// Whether its author is still writing it.
    public let isLive: Bool
    /// Where it was forwarded from; nil for an item that was not forwarded.
    public let forwardedFrom: ForwardedFrom?
    /// The part of the group it is in; nil for the main chat, and in other chats.
    public let scope: GroupScope?

    /// The deletion of an item.
    public struct Deletion: Sendable, Hashable {
        /// When; nil where it was not stored.
        public let time: StoredTime?
        /// The member who deleted it; nil when its author or the profile did.
        public let memberID: GroupMemberID?

        /// A deletion.
        public init(time: StoredTime?, memberID: GroupMemberID?) {
            self.time = time
            self.memberID = memberID
        }
    }

    /// The item that a reply answers, as the reply quotes it.
    public struct Quote: Sendable, Hashable {
        /// The random id of what it answers.
        public let sharedMessageID: String?
        /// The time when that was sent.
        public let time: StoredTime?
        /// Its content: a JSON document.
        public let content: String?
        /// Whether the profile itself had sent that; nil when it is not known.
        public let isOwn: Bool?
        /// Who had sent it in the group, by member id.
        public let memberID: String?

        /// A quote.
        public init(sharedMessageID: String?, time: StoredTime?, content: String?, isOwn: Bool?, memberID: String?) {
            self.sharedMessageID = sharedMessageID
            self.time = time
            self.content = content
            self.isOwn = isOwn
            self.memberID = memberID
        }
    }

    package init(
        id: ChatItemID, userID: UserID, chat: ChatID?, memberID: GroupMemberID?, messageID: MessageID?,
        sharedMessageID: String?, direction: MessageDirection, time: StoredTime, status: ChatItemStatus,
        content: String, contentTag: String?, messageContentTag: String?, text: String, isEdited: Bool,
        deletion: Deletion?, quote: Quote?, timeToLive: Int64?, deleteAt: StoredTime?, mentionsUser: Bool,
        isLive: Bool, forwardedFrom: ForwardedFrom?, scope: GroupScope?
    ) {
        self.id = id
        self.userID = userID
        self.chat = chat
        self.memberID = memberID
        self.messageID = messageID
        self.sharedMessageID = sharedMessageID
        self.direction = direction
        self.time = time
        self.status = status
        self.content = content
        self.contentTag = contentTag
        self.messageContentTag = messageContentTag
        self.text = text
        self.isEdited = isEdited
        self.deletion = deletion
        self.quote = quote
        self.timeToLive = timeToLive
        self.deleteAt = deleteAt
        self.mentionsUser = mentionsUser
        self.isLive = isLive
        self.forwardedFrom = forwardedFrom
        self.scope = scope
    }

    /// Whether it was received and not read.
    public var isUnread: Bool { status == .rcvNew }
    /// Whether it was marked deleted, or fully deleted.
    public var isDeleted: Bool { deletion != nil }
}

/// A version of an edited item's content. Rule: docs/domain.md, "Chat items".
public struct ChatItemVersion: Sendable, Hashable {
    /// The row's key, `chat_item_versions.chat_item_version_id`.
    public let id: ChatItemVersionID
    /// The content: a JSON document.
    public let content: String
    /// The time when this version was sent.
    public let time: StoredTime

    package init(id: ChatItemVersionID, content: String, time: StoredTime) {
        self.id = id
        self.content = content
        self.time = time
    }
}

/// A member who is mentioned in an item, and the name in its text.
public struct ChatItemMention: Sendable, Hashable {
    /// The random id by which the whole group knows the member.
    public let memberID: String
    /// The name in the text, once in an item.
    public let name: String

    /// A mention.
    public init(memberID: String, name: String) {
        self.memberID = memberID
        self.name = name
    }
}

/// The number of times an item got one reaction.
public struct ReactionCount: Sendable, Hashable {
    /// The reaction, as it is stored.
    public let reaction: String
    /// The number of people who reacted, with the profile itself.
    public let count: Int
    /// Whether the profile itself is among them.
    public let isOwn: Bool

    package init(reaction: String, count: Int, isOwn: Bool) {
        self.reaction = reaction
        self.count = count
        self.isOwn = isOwn
    }
}

/// The number of unread items. Items marked deleted are not counted: marking an item reads it.
public struct UnreadCount: Sendable, Hashable {
    /// Received items that were not read.
    public let items: Int
    /// Those of them that mention the profile itself.
    public let mentions: Int

    package init(items: Int, mentions: Int) {
        self.items = items
        self.mentions = mentions
    }
}

extension CatalogueTable {
    /// The items of chats, their later changes, and the index over their texts.
    static let chatItems: [CatalogueTable] = [
        CatalogueTable(
            "chat_items", "One thing shown in a chat: a message, a call, an event.",
            [
                .public("chat_item_id", "the item's number, never given twice"),
                .public("user_id", "the profile whose chat it is in"),
                .public("contact_id", "the contact whose chat it is in, or NULL"),
                .public("group_id", "the group it is in, or NULL"),
                .public("note_folder_id", "the notes it is in, or NULL"),
                .public("group_member_id", "the member who wrote it, or NULL"),
                .public("created_by_msg_id", "the message it was made from, or NULL"),
                .personal("shared_msg_id", "random id by which all sides know it"),
                .public("item_sent", "1 sent, 0 received"),
                .personal("item_ts", "when it was sent, UTC; a chat is sorted by it"),
                .state(
                    "item_status", "how far it has come; rcv_new is unread", ChatItemStatus.self,
                    others: ["snd_rcvd", "snd_error_auth", "snd_error", "snd_warning", "rcv_error"]),
                .personal("item_content", "the content: a JSON document"),
                .public("item_content_tag", "what kind of content it is"),
                .state("msg_content_tag", "of a message: text, link, image, file, …", MessageKind.self),
                .personal("item_text", "the text; empty when fully deleted"),
                .public("item_edited", "1 when the text has been changed"),
                .public("item_deleted", "1 when marked deleted: the content is kept until purged"),
                .personal("item_deleted_ts", "when it was marked deleted, UTC"),
                .public("item_deleted_by_group_member_id", "the member who deleted it, or NULL"),
                .personal("quoted_shared_msg_id", "of a reply: id of what it answers"),
                .personal("quoted_sent_at", "of a reply: when that was sent, UTC"),
                .personal("quoted_content", "of a reply: its content, a JSON document"),
                .public("quoted_sent", "of a reply: 1 when the profile itself had sent that"),
                .personal("quoted_member_id", "of a reply: who had sent that in the group"),
                .public("timed_ttl", "seconds a disappearing message stays once read; NULL for others"),
                .personal("timed_delete_at", "when a disappearing message is removed, UTC"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("user_mention", "1 when the profile itself is mentioned"),
                .public("item_live", "1 while its author is still writing it"),
                .state(
                    "fwd_from_tag", "of a forwarded item: contact, group, groupLink or unknown", ForwardedFromKind.self),
                .personal("fwd_from_chat_name", "of a forwarded item: the name of the chat it is from"),
                .public("fwd_from_msg_dir", "of a forwarded item: 1 when the profile had sent it there, 0 received"),
                .public("fwd_from_contact_id", "of a forwarded item: the contact it is from, or NULL"),
                .public("fwd_from_group_id", "of a forwarded item: the group it is from, or NULL"),
                .public("fwd_from_chat_item_id", "of a forwarded item: the item there, or NULL"),
                .word("fwd_from_group_type", "of a forwarded item: group or channel", ["group", "channel"]),
                .personal("fwd_from_group_link", "of a forwarded item: the link of the public group it is from"),
                .personal("fwd_from_public_group_id", "of a forwarded item: the id of that group"),
                .personal("fwd_from_member_id", "of a forwarded item: the id of its author in that group"),
                .personal("fwd_from_shared_msg_id", "of a forwarded item: its id in that group"),
                .word(
                    "group_scope_tag", "member_support for an item of a support chat; NULL in the main chat",
                    ["member_support"]),
                .public(
                    "group_scope_group_member_id", "the member whose support chat it is in; NULL for the profile's own"),
            ]),
        CatalogueTable(
            "chat_item_versions", "A version of an edited item's content.",
            [
                .public("chat_item_version_id", "the version's number"),
                .public("chat_item_id", "the item"),
                .personal("msg_content", "the content: a JSON document"),
                .personal("item_version_ts", "when this version was sent, UTC"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "chat_item_reactions", "A reaction to an item.",
            [
                .public("chat_item_reaction_id", "the reaction's number"),
                .public("chat_item_id", "the item"),
                .public("group_member_id", "the member who reacted; NULL for the profile itself or the contact"),
                .personal("reaction", "the reaction, such as an emoji"),
                .public("reaction_sent", "1 when the profile itself reacted"),
                .personal("reaction_ts", "when, UTC"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "chat_item_mentions", "A name in an item's text that mentions a member.",
            [
                .public("chat_item_mention_id", "the mention's number"),
                .public("chat_item_id", "the item"),
                .personal("member_id", "random id by which the whole group knows the member"),
                .personal("display_name", "the name as it is in the text"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "chat_items_fts", "Full-text index over chat_items; the row number is the item's.",
            [
                .personal("item_text", "the text, read from chat_items"),
                .personal("chat_items_fts", "takes a search term or a command; has no value"),
                .personal("rank", "how well the item fits the term; lower is better"),
            ]),
    ]
}
