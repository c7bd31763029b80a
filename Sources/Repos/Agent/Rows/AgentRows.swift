package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension AgentUser: RowRecord {
    package static let numberColumn: String? = "user_id"

    static let columns: Query = "users.user_id, users.deleted"

    package init(row: ResultRow) throws(StoreError) {
        try self.init(id: row.get("user_id"), isDeleted: row.get("deleted"))
    }
}

extension AgentServer: RowRecord {
    static let columns: Query = "servers.host, servers.port, servers.key_hash"

    package init(row: ResultRow) throws(StoreError) {
        try self.init(id: row.server(), keyHash: ServerKeyHash.text(row.get("key_hash")))
    }
}

extension AgentConnection: RowRecord {
    static let columns: Query = """
        connections.conn_id, connections.user_id, connections.conn_mode, connections.last_internal_msg_id,
        connections.last_internal_rcv_msg_id, connections.last_internal_snd_msg_id,
        connections.last_external_snd_msg_id, connections.last_rcv_msg_hash, connections.last_snd_msg_hash,
        connections.enable_ntfs, connections.deleted, connections.ratchet_sync_state
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("conn_id"), userID: row.get("user_id"), mode: row.get("conn_mode"),
            counters: MessageCounters(
                lastID: row.get("last_internal_msg_id"), lastReceived: row.get("last_internal_rcv_msg_id"),
                lastSent: row.get("last_internal_snd_msg_id"), lastExternal: row.get("last_external_snd_msg_id"),
                lastReceivedHash: row.get("last_rcv_msg_hash"), lastSentHash: row.get("last_snd_msg_hash")),
            hasNotifications: row.get("enable_ntfs"), isDeleted: row.get("deleted"),
            ratchetSyncState: row.get("ratchet_sync_state"))
    }
}

extension ResultRow {
    /// The server in two columns.
    func server(_ host: String = "host", _ port: String = "port") throws(StoreError) -> AgentServerID {
        try AgentServerID(host: get(host), port: get(port))
    }

    /// The server in two columns, or nil when either is NULL.
    func optionalServer(_ host: String = "host", _ port: String = "port") throws(StoreError) -> AgentServerID? {
        guard let host: String = try get(host), let port: String = try get(port) else { return nil }
        return AgentServerID(host: host, port: port)
    }
}
