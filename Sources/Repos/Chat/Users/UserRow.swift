package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension User: RowRecord {
    static let columns: Query = """
        user_id, agent_user_id, contact_id, local_display_name, active_user, active_order, show_ntfs,
        send_rcpts_contacts, send_rcpts_small_groups,
        CASE WHEN view_pwd_hash IS NULL THEN 0 ELSE 1 END AS is_hidden
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("user_id"), agentUserID: row.get("agent_user_id"), contactID: row.get("contact_id"),
            name: row.get("local_display_name"), isActive: row.get("active_user"),
            activeOrder: row.get("active_order"), isHidden: row.get("is_hidden"),
            showsNotifications: row.get("show_ntfs"), sendsReceiptsToContacts: row.get("send_rcpts_contacts"),
            sendsReceiptsToSmallGroups: row.get("send_rcpts_small_groups"))
    }
}

extension UserInfo: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(user: User(row: row), unread: row.get("unread"))
    }
}

extension UserContents: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            contacts: row.get("contacts"), groups: row.get("groups"), channels: row.get("channels"),
            relays: row.get("relays"), servers: row.get("servers"), chatItems: row.get("chat_items"),
            files: row.get("files"))
    }
}
