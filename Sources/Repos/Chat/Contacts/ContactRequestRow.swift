package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ContactRequest: RowRecord {
    static let columns: Query = """
        contact_requests.contact_request_id, contact_requests.user_id, contact_requests.user_contact_link_id,
        contact_requests.agent_invitation_id, contact_requests.xcontact_id, contact_requests.local_display_name,
        contact_requests.contact_id, contact_requests.updated_at, \(ContactProfile.columns)
        """

    static let tables: Query = """
        contact_requests
        JOIN contact_profiles ON contact_profiles.contact_profile_id = contact_requests.contact_profile_id
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("contact_request_id"), userID: row.get("user_id"), linkID: row.get("user_contact_link_id"),
            agentInvitationID: InvitationID(text: row.get("agent_invitation_id")), xContactID: row.get("xcontact_id"),
            profile: ContactProfile(row: row), localDisplayName: row.get("local_display_name"),
            contactID: row.get("contact_id"), updatedAt: row.time("updated_at"))
    }
}

extension UserContactLink: RowRecord {
    static let columns: Query = """
        user_contact_link_id, user_id, group_id, conn_req_contact, short_link_contact, auto_accept,
        auto_accept_incognito, auto_reply_msg_content, group_link_id, group_link_member_role
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("user_contact_link_id"), userID: row.get("user_id"), groupID: row.get("group_id"),
            fullLink: row.get("conn_req_contact"), shortLink: row.get("short_link_contact"),
            autoAccept: AutoAccept(
                isOn: row.get("auto_accept"), isIncognito: row.get("auto_accept_incognito"),
                reply: row.get("auto_reply_msg_content")),
            groupLinkID: row.get("group_link_id"), memberRole: row.get("group_link_member_role"))
    }
}
