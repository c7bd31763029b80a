public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The list of the chats of a profile. Rule: docs/domain.md, "The list of chats".
///
/// ```swift
/// let first = try store.read { try ChatListRepo($0).page(of: user.id, limit: 20) }
/// let next = try store.read { try ChatListRepo($0).page(of: user.id, after: first.last?.position, limit: 20) }
/// ```
public struct ChatListRepo: Repository {
    package typealias Failure = ChatsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// A page of the list, newest first: at most `limit` lines after a position, each with its newest item and its
    /// unread items. It takes one statement, or two with a tag. The page is empty at the end of the list, and for a
    /// profile that does not exist.
    ///
    /// Throws `tagNotFound` for a tag of another profile, and `searchTextTooLong`.
    public func page(
        of user: UserID, filter: ChatListFilter = ChatListFilter(), after position: ChatPreview.Position? = nil,
        limit: Int
    ) throws(ChatsError) -> [ChatPreview] {
        let text = NameRule.trimmed(filter.text)
        guard text.utf8.count <= SearchText.longest else { throw .searchTextTooLong(longest: SearchText.longest) }
        if let tag = filter.tag, try !isThere(tag, of: user) { throw .tagNotFound(tag) }
        let sources = ChatListSource.all.compactMap { source in
            source.query(
                of: user, filter: filter, text: text, after: position, limit: PageSize.upTo(limit), in: tx.dialect)
        }
        return try previews(from: sources, of: user, limit: PageSize.upTo(limit))
    }

    /// One chat as its line in the list, whether it is shown there or not. Throws `chatNotFound`.
    public func preview(of chat: ChatID, of user: UserID) throws(ChatsError) -> ChatPreview {
        let source = ChatListSource.source(of: chat)
        guard let preview = try previews(from: [source.query(for: chat, of: user)], of: user, limit: 1).first else {
            throw .chatNotFound(chat)
        }
        return preview
    }

    private func isThere(_ tag: ChatTagID, of user: UserID) throws(ChatsError) -> Bool {
        try count("SELECT count(*) FROM chat_tags WHERE chat_tag_id = \(tag) AND user_id = \(user)") > 0
    }

    private func previews(
        from sources: [Query], of user: UserID, limit: Int
    ) throws(ChatsError) -> [ChatPreview] {
        if sources.isEmpty { return [] }
        do throws(StoreError) {
            var previews: [ChatPreview] = []
            for row in try tx.rows(ChatListLine.query(from: sources, of: user, limit: limit)) {
                guard let line: ChatListLine = try record(of: row) else { continue }
                let item: ChatItem? = line.hasItem ? try record(of: row) : nil
                previews.append(line.preview(with: item))
            }
            return previews
        } catch {
            throw .store(error)
        }
    }
}

/// The kind of a line of the list of chats.
public enum ChatListEntry: Sendable, Hashable {
    /// A contact, a group or channel, or the notes.
    case chat(ChatID)
    /// A person who asks to connect and is not a contact yet.
    case request(ContactRequestID)
    /// A connection that is to become a contact.
    case connection(ConnectionID)
}

/// A line of the list of chats. Rule: docs/domain.md, "The list of chats".
public struct ChatPreview: Sendable, Hashable {
    /// The kind of the line.
    public let entry: ChatListEntry
    /// The name that the profile gives it; empty for notes, and for a connection without an alias.
    public let name: String
    /// The time of the last event there, by which the list is sorted.
    public let time: StoredTime
    /// Whether it is a favourite.
    public let isFavorite: Bool
    /// Whether it was marked unread by hand.
    public let isMarkedUnread: Bool
    /// The number of unread items in it.
    public let unread: UnreadCount
    /// Its newest item that is not deleted.
    public let lastItem: ChatItem?
    /// The position in the list, for the next page.
    public let position: Position

    /// A place in the list of chats.
    public struct Position: Sendable, Hashable {
        /// The time as it is stored, with all digits that another app may have written.
        let time: String
        let kind: Int
        let id: Int64

        init(time: String, kind: Int, id: Int64) {
            self.time = time
            self.kind = kind
            self.id = id
        }

        /// The place of a text that `text` returned; nil for another text.
        public init?(text: String) {
            let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, let kind = Int(parts[0]), let id = Int64(parts[1]) else { return nil }
            self.init(time: String(parts[2]), kind: kind, id: id)
        }

        /// The place as a text, for a program that asks for the next page later.
        public var text: String { "\(kind)/\(id)/\(time)" }
    }
}

/// A filter for the list of chats. A chat must match all parts that are given.
public struct ChatListFilter: Sendable, Hashable {
    /// Only lines with unread items, lines marked unread, and requests to connect.
    public var onlyUnread: Bool
    /// Only favourites.
    public var onlyFavorites: Bool
    /// Only contacts and groups with a tag.
    public var tag: ChatTagID?
    /// Only chats with this text in one of their names. The case of unaccented Latin letters and blanks at both ends
    /// make no difference. An empty text is no filter.
    public var text: String

    /// A filter; without anything, all chats.
    public init(onlyUnread: Bool = false, onlyFavorites: Bool = false, tag: ChatTagID? = nil, text: String = "") {
        self.onlyUnread = onlyUnread
        self.onlyFavorites = onlyFavorites
        self.tag = tag
        self.text = text
    }
}
