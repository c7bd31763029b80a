import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ChatItemsWriter {
    func requireChat(_ chat: ChatID, of user: UserID) throws(ChatsError) {
        if try items.count("SELECT count(*) FROM \(chat.table) WHERE \(chat.isRow(of: user))") == 0 {
            throw .chatNotFound(chat)
        }
    }

    /// A member of the chat's group; nobody is one of another chat.
    func requireMember(_ member: GroupMemberID?, in chat: ChatID?, of user: UserID) throws(ChatsError) {
        guard let member else { return }
        let found = try items.count(
            """
            SELECT count(*) FROM group_members
            WHERE group_member_id = \(member) AND group_id = \(chat?.groupID) AND user_id = \(user)
            """)
        if found == 0 { throw .memberNotFound(member) }
    }

    /// A shared id is one author's: in a group the member's, or the profile's own; with a contact there are but two, who
    /// make different ones.
    func refuseDuplicate(of new: NewChatItem, in chat: ChatID, of user: UserID) throws(ChatsError) {
        guard let shared = new.sharedMessageID else { return }
        let author: Query = new.memberID.map { "group_member_id = \($0)" } ?? "group_member_id IS NULL"
        let existing: ChatItem? = try items.first(
            """
            SELECT \(ChatItem.columns) FROM chat_items
            WHERE \(chat.hasItem(of: user, sharedID: shared)) AND \(author)
            ORDER BY chat_item_id LIMIT 1
            """)
        if let existing { throw .duplicateChatItem(existing: existing.id) }
    }

    /// In parts, because a statement takes only so many values.
    func insertMentions(_ mentions: [ChatItemMention], in id: ChatItemID) throws(ChatsError) {
        var rest = mentions[...]
        while !rest.isEmpty {
            let rows = rest.prefix(500).map { mention in
                "(\(id), \(mention.memberID), \(mention.name), \(now), \(now))" as Query
            }
            rest = rest.dropFirst(500)
            try run(
                """
                INSERT INTO chat_item_mentions (chat_item_id, member_id, display_name, created_at, updated_at)
                VALUES \(Query.joined(rows, by: ", ")) ON CONFLICT DO NOTHING
                """)
        }
    }

    /// Something happened in a chat: it is the newest, unless its time is in the future already.
    func bringUp(_ chat: ChatID, of user: UserID) throws(ChatsError) {
        let used: Query = chat.contactID == nil ? "" : ", contact_used = 1"
        try run(
            """
            UPDATE \(chat.table)
            SET chat_ts = CASE WHEN chat_ts < \(now) THEN \(now) ELSE chat_ts END, updated_at = \(now)\(used)
            WHERE \(chat.isRow(of: user))
            """)
    }
}
