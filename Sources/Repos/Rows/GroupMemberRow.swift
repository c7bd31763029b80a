import Engine
import Schema

extension GroupMember: RowRecord {
    static let columns: Query = """
        group_member_id, group_id, member_id, local_display_name, member_role, member_category, member_status
        """

    init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("group_member_id"), groupID: row.get("group_id"), memberID: row.get("member_id"),
            localDisplayName: row.get("local_display_name"), role: row.get("member_role"),
            category: row.get("member_category"), status: row.get("member_status"))
    }
}
