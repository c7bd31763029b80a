import ChatDBReposKit
public import ChatDBSchema

/// What an item shows, and what an edit changes.
/// Rule: docs/domain.md, "Chat items".
public struct ChatItemContent: Sendable, Hashable {
    /// The content: a JSON document.
    public var content: String
    /// The text, by which it is found.
    public var text: String
    /// Of a message: text, link, image, file, …
    public var messageTag: String?
    /// Who is mentioned. Of two with the same name the first counts.
    public var mentions: [ChatItemMention]
    /// Whether the profile itself is.
    public var mentionsUser: Bool

    /// What an item shows.
    public init(
        _ content: String, text: String, messageTag: String? = nil, mentions: [ChatItemMention] = [],
        mentionsUser: Bool = false
    ) {
        self.content = content
        self.text = text
        self.messageTag = messageTag
        self.mentions = mentions
        self.mentionsUser = mentionsUser
    }
}

/// An item to be added to a chat.
public struct NewChatItem: Sendable, Hashable {
    /// Whether the profile sent it.
    public var direction: MessageDirection
    /// When it was sent.
    public var time: StoredTime
    /// What it shows.
    public var content: ChatItemContent
    /// How far it has come; nil for new.
    public var status: ChatItemStatus?
    /// What kind of content it is.
    public var contentTag: String?
    /// The member who wrote it, of what was received in a group.
    public var memberID: GroupMemberID?
    /// The message it is made from.
    public var messageID: MessageID?
    /// The random id by which all sides know it.
    public var sharedMessageID: String?
    /// What it answers.
    public var quote: ChatItem.Quote?
    /// The seconds it stays once it is read, of a disappearing one.
    public var timeToLive: Int64?
    /// When it goes, of a disappearing one that needs not be read first.
    public var deleteAt: StoredTime?

    /// An item; what else it has is set afterwards.
    public init(_ direction: MessageDirection, at time: StoredTime, _ content: ChatItemContent) {
        self.direction = direction
        self.time = time
        self.content = content
    }
}
