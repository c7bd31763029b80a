import Engine
import Schema

extension User: RowRecord {
    static let columns: Query = """
        user_id, agent_user_id, contact_id, local_display_name, active_user, active_order,
        CASE WHEN view_pwd_hash IS NULL THEN 0 ELSE 1 END AS is_hidden
        """

    init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("user_id"), agentUserID: row.get("agent_user_id"), contactID: row.get("contact_id"),
            name: row.get("local_display_name"), isActive: row.get("active_user"),
            activeOrder: row.get("active_order"), isHidden: row.get("is_hidden"))
    }
}
