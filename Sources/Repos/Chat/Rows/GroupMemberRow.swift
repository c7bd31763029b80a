package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension GroupMember: RowRecord {
    static let columns: Query = """
        group_members.group_member_id, group_members.group_id, group_members.member_id,
        group_members.local_display_name, group_members.member_role, group_members.member_category,
        group_members.member_status, group_members.relay_link
        """

    /// The condition that the member `own` is the profile's own membership, and current.
    static let ownIsCurrent: Query = """
        own.member_category = 'user' AND own.member_status IN (\(list: GroupMemberStatus.currentTexts))
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("group_member_id"), groupID: row.get("group_id"), memberID: row.get("member_id"),
            localDisplayName: row.get("local_display_name"), role: row.get("member_role"),
            category: row.get("member_category"), status: row.get("member_status"),
            relayLink: row.get("relay_link"))
    }
}
