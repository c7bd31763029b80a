package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ChatConnection: RowRecord {
    static let columns: Query = """
        connections.connection_id, connections.user_id, connections.agent_conn_id, connections.conn_status,
        connections.conn_type, connections.contact_id, connections.group_member_id,
        connections.user_contact_link_id, connections.snd_file_id, connections.rcv_file_id,
        connections.via_user_contact_link, connections.custom_user_profile_id, connections.conn_req_inv,
        connections.local_alias, connections.to_subscribe
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("connection_id"), userID: row.get("user_id"),
            agentID: AgentConnectionID(text: row.get("agent_conn_id")), status: row.get("conn_status"),
            type: row.get("conn_type"), owner: row.connectionOwner(), viaLink: row.get("via_user_contact_link"),
            incognitoProfileID: row.get("custom_user_profile_id"), invitation: row.get("conn_req_inv"),
            localAlias: row.get("local_alias"), isToSubscribe: row.get("to_subscribe"))
    }
}

extension ResultRow {
    /// The one owner a connection has, or nil; the database does not allow two.
    fileprivate func connectionOwner() throws(StoreError) -> ConnectionOwner? {
        if let id: ContactID = try get("contact_id") { return .contact(id) }
        if let id: GroupMemberID = try get("group_member_id") { return .member(id) }
        if let id: UserContactLinkID = try get("user_contact_link_id") { return .link(id) }
        if let id: FileID = try get("snd_file_id") { return .sentFile(id) }
        if let id: FileID = try get("rcv_file_id") { return .receivedFile(id) }
        return nil
    }
}
