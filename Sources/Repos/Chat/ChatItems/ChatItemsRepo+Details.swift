package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// What a page of items shows beside them, for all of them at once.
/// Rule: docs/domain.md, "Chat items", Reactions.
extension ChatItemsRepo {
    /// The reactions to items of a profile: the most frequent first, then by the reaction's text. Items without any, and
    /// those of another profile, are left out.
    public func reactions(
        to items: [ChatItemID], of user: UserID
    ) throws(ChatsError) -> [ChatItemID: [ReactionCount]] {
        let rows: [OfItem<ReactionCount>] = try all(
            """
            SELECT chat_item_reactions.chat_item_id, reaction, count(*) AS reactions,
                max(reaction_sent = 1 AND chat_item_reactions.group_member_id IS NULL) AS is_own
            FROM chat_item_reactions JOIN chat_items ON chat_items.chat_item_id = chat_item_reactions.chat_item_id
            WHERE chat_item_reactions.chat_item_id IN (\(tx.dialect.numbers(items.map(\.rawValue))))
                AND +chat_items.user_id = \(user)
            GROUP BY chat_item_reactions.chat_item_id, reaction
            ORDER BY chat_item_reactions.chat_item_id, reactions DESC, reaction
            """)
        return OfItem.grouped(rows)
    }

    /// Who is mentioned in items of a profile, by name. Items that mention nobody, and those of another profile, are left
    /// out.
    public func mentions(
        in items: [ChatItemID], of user: UserID
    ) throws(ChatsError) -> [ChatItemID: [ChatItemMention]] {
        let rows: [OfItem<ChatItemMention>] = try all(
            """
            SELECT chat_item_mentions.chat_item_id, member_id, display_name
            FROM chat_item_mentions JOIN chat_items ON chat_items.chat_item_id = chat_item_mentions.chat_item_id
            WHERE chat_item_mentions.chat_item_id IN (\(tx.dialect.numbers(items.map(\.rawValue))))
                AND +chat_items.user_id = \(user)
            ORDER BY chat_item_mentions.chat_item_id, display_name
            """)
        return OfItem.grouped(rows)
    }
}

/// Something of an item, with the item's number.
private struct OfItem<Record: RowRecord>: RowRecord {
    let item: ChatItemID
    let record: Record

    init(row: ResultRow) throws(StoreError) {
        item = try row.get("chat_item_id")
        record = try Record(row: row)
    }

    static func grouped(_ rows: [OfItem]) -> [ChatItemID: [Record]] {
        Dictionary(grouping: rows, by: \.item).mapValues { $0.map(\.record) }
    }
}

extension ReactionCount: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(reaction: row.get("reaction"), count: row.get("reactions"), isOwn: row.get("is_own"))
    }
}

extension ChatItemMention: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(memberID: row.get("member_id"), name: row.get("display_name"))
    }
}
