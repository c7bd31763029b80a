package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

extension GroupsRepo {
    /// How much a group of a profile holds, in one statement. Throws `groupNotFound`.
    /// Rule: docs/domain.md, "Groups and channels", Deleting.
    public func contents(of id: GroupID, of user: UserID) throws(GroupsError) -> GroupContents {
        let inGroup = ChatID.group(id).hasItem(of: user)
        let contents: GroupContents? = try first(
            """
            SELECT
                (SELECT count(*) FROM chat_items WHERE \(inGroup)) AS chat_items,
                (SELECT count(*) FROM chat_items WHERE \(inGroup) AND item_status = 'rcv_new') AS unread,
                (SELECT count(*) FROM files WHERE group_id = \(id)) AS files
            FROM groups WHERE group_id = \(id) AND user_id = \(user)
            """)
        guard let contents else { throw .groupNotFound(.id(id)) }
        return contents
    }
}

extension GroupContents: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(chatItems: row.get("chat_items"), unread: row.get("unread"), files: row.get("files"))
    }
}
