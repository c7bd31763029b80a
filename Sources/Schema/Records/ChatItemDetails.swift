/// A version of an edited item's content. Rule: docs/domain.md, "Chat items".
public struct ChatItemVersion: Sendable, Hashable {
    /// Its number.
    public let id: ChatItemVersionID
    /// The content: a JSON document.
    public let content: String
    /// When this version was sent.
    public let time: StoredTime

    package init(id: ChatItemVersionID, content: String, time: StoredTime) {
        self.id = id
        self.content = content
        self.time = time
    }
}

/// Somebody mentioned in an item, by the name in its text.
public struct ChatItemMention: Sendable, Hashable {
    /// By which the group knows the member.
    public let memberID: String
    /// The name in the text, once in an item.
    public let name: String

    /// A mention.
    public init(memberID: String, name: String) {
        self.memberID = memberID
        self.name = name
    }
}

/// How often an item got one reaction.
public struct ReactionCount: Sendable, Hashable {
    /// The reaction, as it is stored.
    public let reaction: String
    /// From how many, the profile itself among them.
    public let count: Int
    /// Whether the profile itself is among them.
    public let isOwn: Bool

    package init(reaction: String, count: Int, isOwn: Bool) {
        self.reaction = reaction
        self.count = count
        self.isOwn = isOwn
    }
}

/// How much is unread. What is marked deleted is not counted: it is read when it is marked.
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
