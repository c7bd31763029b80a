import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Pages of a chat: items in the order the chat shows them, by time and then by number, oldest first.
///
/// What is marked deleted is left out unless it is asked for. Rule: docs/domain.md, "Chat items".
extension ChatItemsRepo {
    /// The newest items of a chat, at most `limit`. Nothing for a chat of another profile.
    public func last(
        _ limit: Int, in chat: ChatID, of user: UserID, includingDeleted: Bool = false
    ) throws(ChatsError) -> [ChatItem] {
        try page(.backward, from: nil, limit: limit, in: chat, of: user, includingDeleted)
    }

    /// The items just before another one of the chat, which may be deleted, at most `limit`; none at the beginning.
    /// Throws `chatItemNotFound`.
    public func before(
        _ id: ChatItemID, limit: Int, in chat: ChatID, of user: UserID, includingDeleted: Bool = false
    ) throws(ChatsError) -> [ChatItem] {
        let start = try place(of: id, in: chat, of: user)
        return try page(.backward, from: start, limit: limit, in: chat, of: user, includingDeleted)
    }

    /// The items just after another one of the chat, which may be deleted, at most `limit`; none at the end.
    /// Throws `chatItemNotFound`.
    public func after(
        _ id: ChatItemID, limit: Int, in chat: ChatID, of user: UserID, includingDeleted: Bool = false
    ) throws(ChatsError) -> [ChatItem] {
        let start = try place(of: id, in: chat, of: user)
        return try page(.forward, from: start, limit: limit, in: chat, of: user, includingDeleted)
    }

    /// An item of the chat with at most `limit` before and `limit` after it: for opening a chat at a reply, a mention or
    /// what was found. A deleted item is left out like others, and what is around it is answered. Throws
    /// `chatItemNotFound`.
    public func around(
        _ id: ChatItemID, limit: Int, in chat: ChatID, of user: UserID, includingDeleted: Bool = false
    ) throws(ChatsError) -> [ChatItem] {
        let start = try place(of: id, in: chat, of: user)
        let item = try get(id, of: user)
        return try page(.backward, from: start, limit: limit, in: chat, of: user, includingDeleted)
            + (item.isDeleted && !includingDeleted ? [] : [item])
            + page(.forward, from: start, limit: limit, in: chat, of: user, includingDeleted)
    }

    private enum Direction {
        case forward, backward
    }

    /// The time as it is stored: other apps keep more digits than `StoredTime` writes.
    private struct Place: RowRecord {
        let id: ChatItemID
        let time: String

        init(row: ResultRow) throws(StoreError) {
            id = try row.get("chat_item_id")
            time = try row.get("item_ts")
        }
    }

    private func place(of id: ChatItemID, in chat: ChatID, of user: UserID) throws(ChatsError) -> Place {
        let place: Place? = try first(
            """
            SELECT chat_item_id, item_ts FROM chat_items
            WHERE chat_items.chat_item_id = \(id) AND \(chat.hasItem(of: user))
            """)
        guard let place else { throw .chatItemNotFound(id) }
        return place
    }

    private func page(
        _ direction: Direction, from place: Place?, limit: Int, in chat: ChatID, of user: UserID,
        _ includingDeleted: Bool
    ) throws(ChatsError) -> [ChatItem] {
        let (compared, order): (Query, Query) =
            switch direction {
            case .backward: ("<", "DESC")
            case .forward: (">", "ASC")
            }
        var conditions = [chat.hasItem(of: user)]
        if let place { conditions.append("(item_ts, chat_item_id) \(compared) (\(place.time), \(place.id))") }
        if !includingDeleted { conditions.append("item_deleted = 0") }
        let items: [ChatItem] = try all(
            """
            SELECT \(ChatItem.columns) FROM chat_items
            WHERE \(Query.joined(conditions, by: " AND "))
            ORDER BY item_ts \(order), chat_item_id \(order) LIMIT \(PageSize.upTo(limit))
            """)
        return direction == .backward ? items.reversed() : items
    }
}
