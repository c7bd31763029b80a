/// One thing shown in a chat: a message, a call, an event. Rule: docs/domain.md, "Chat items".
public struct ChatItem: Sendable, Hashable {
    /// Its number, never given twice.
    public let id: ChatItemID
    /// The profile it belongs to.
    public let userID: UserID
    /// The chat it is in; nil for an item of none, which only a damaged store has.
    public let chat: ChatID?
    /// The member who wrote it; nil in other chats, and for what the profile sent.
    public let memberID: GroupMemberID?
    /// The message it was made from, as long as that is kept.
    public let messageID: MessageID?
    /// The random id by which all sides know it.
    public let sharedMessageID: String?
    /// Whether the profile sent it.
    public let direction: MessageDirection
    /// When it was sent; a chat is sorted by it, then by number.
    public let time: StoredTime
    /// How far it has come.
    public let status: ChatItemStatus
    /// The content: a JSON document.
    public let content: String
    /// What kind of content it is.
    public let contentTag: String?
    /// Of a message: text, link, image, file, …
    public let messageContentTag: String?
    /// The text, which is what is searched; empty when fully deleted.
    public let text: String
    /// Whether its content was changed.
    public let isEdited: Bool
    /// When it was marked deleted and by whom; nil when it was not.
    public let deletion: Deletion?
    /// What it answers, for a reply.
    public let quote: Quote?
    /// The seconds a disappearing item stays once it is read; nil for others.
    public let timeToLive: Int64?
    /// When a disappearing item goes; nil before it is read.
    public let deleteAt: StoredTime?
    /// Whether it mentions the profile itself.
    public let mentionsUser: Bool

    /// That an item was deleted.
    public struct Deletion: Sendable, Hashable {
        /// When; nil where it was not stored.
        public let time: StoredTime?
        /// The member who did it; nil when whoever wrote it did, or the profile.
        public let memberID: GroupMemberID?

        /// A deletion.
        public init(time: StoredTime?, memberID: GroupMemberID?) {
            self.time = time
            self.memberID = memberID
        }
    }

    /// What a reply answers, as the reply tells it.
    public struct Quote: Sendable, Hashable {
        /// The random id of what it answers.
        public let sharedMessageID: String?
        /// When that was sent.
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
        deletion: Deletion?, quote: Quote?, timeToLive: Int64?, deleteAt: StoredTime?, mentionsUser: Bool
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
    }

    /// Whether it was received and not read.
    public var isUnread: Bool { status == .rcvNew }
    /// Whether it was marked deleted, or fully deleted.
    public var isDeleted: Bool { deletion != nil }
}
