import ChatDBReposKit
public import ChatDBSchema

/// What a line of the list of chats is.
public enum ChatListEntry: Sendable, Hashable {
    /// A contact, a group or channel, or the notes.
    case chat(ChatID)
    /// Somebody who wants to connect, and is no contact yet.
    case request(ContactRequestID)
    /// A connection that is to become a contact.
    case connection(ConnectionID)
}

/// A line of the list of chats. Rule: docs/domain.md, "The list of chats".
public struct ChatPreview: Sendable, Hashable {
    /// What it is.
    public let entry: ChatListEntry
    /// What the profile calls it; empty for notes, and for a connection without an alias.
    public let name: String
    /// By which the list is sorted: when something last happened there.
    public let time: StoredTime
    /// Whether it is a favourite.
    public let isFavorite: Bool
    /// Whether it was marked unread by hand.
    public let isMarkedUnread: Bool
    /// How much is unread in it.
    public let unread: UnreadCount
    /// Its newest item that is not deleted.
    public let lastItem: ChatItem?
    /// Where it stands in the list, to go on from there.
    public let position: Position

    /// A place in the list of chats.
    public struct Position: Sendable, Hashable {
        /// As it is stored, with all digits another app may have written.
        let time: String
        let kind: Int
        let id: Int64
    }
}

/// Which chats a list has; what is given must all hold.
public struct ChatListFilter: Sendable, Hashable {
    /// Only what has unread items, is marked unread, or is a request to connect.
    public var onlyUnread: Bool
    /// Only favourites.
    public var onlyFavorites: Bool
    /// Only contacts and groups with a tag.
    public var tag: ChatTagID?
    /// Only those with a text in one of their names, without regard to the case of unaccented Latin letters; blanks at
    /// both ends do not count, and empty is no filter.
    public var text: String

    /// A filter; without anything, all chats.
    public init(onlyUnread: Bool = false, onlyFavorites: Bool = false, tag: ChatTagID? = nil, text: String = "") {
        self.onlyUnread = onlyUnread
        self.onlyFavorites = onlyFavorites
        self.tag = tag
        self.text = text
    }
}
