package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ReceiveQueue: RowRecord {
    static let columns: Query = """
        rcv_queues.host, rcv_queues.port, rcv_queues.rcv_id, rcv_queues.conn_id, rcv_queues.rcv_queue_id,
        rcv_queues.rcv_primary, rcv_queues.replace_rcv_queue_id, rcv_queues.switch_status, rcv_queues.rcv_private_key,
        rcv_queues.rcv_dh_secret, rcv_queues.e2e_priv_key, rcv_queues.e2e_dh_secret, rcv_queues.snd_id,
        rcv_queues.snd_key, rcv_queues.status, rcv_queues.ntf_id, rcv_queues.ntf_public_key,
        rcv_queues.ntf_private_key, rcv_queues.rcv_ntf_dh_secret, rcv_queues.deleted, rcv_queues.delete_errors
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            address: QueueAddress(server: row.server(), id: row.get("rcv_id")), connectionID: row.get("conn_id"),
            number: row.get("rcv_queue_id"), isPrimary: row.get("rcv_primary"),
            replaces: row.get("replace_rcv_queue_id"), switchStatus: row.get("switch_status"),
            status: row.get("status"), senderID: row.get("snd_id"),
            keys: ReceiveQueueKeys(
                privateKey: row.get("rcv_private_key"), serverSecret: row.get("rcv_dh_secret"),
                e2ePrivateKey: row.get("e2e_priv_key"), e2eSecret: row.get("e2e_dh_secret"),
                senderKey: row.get("snd_key")),
            notifier: QueueNotifier(row: row), isDeleted: row.get("deleted"), deleteErrors: row.get("delete_errors"))
    }
}

extension QueueNotifier {
    /// Nil unless all four values exist: without one of them no notification can be read.
    fileprivate init?(row: ResultRow) throws(StoreError) {
        guard let id: QueueID = try row.get("ntf_id"),
            let publicKey: SecretBytes = try row.get("ntf_public_key"),
            let privateKey: SecretBytes = try row.get("ntf_private_key"),
            let secret: SecretBytes = try row.get("rcv_ntf_dh_secret")
        else { return nil }
        self.init(id: id, publicKey: publicKey, privateKey: privateKey, secret: secret)
    }
}

extension SendQueue: RowRecord {
    static let columns: Query = """
        snd_queues.host, snd_queues.port, snd_queues.snd_id, snd_queues.conn_id, snd_queues.snd_queue_id,
        snd_queues.snd_primary, snd_queues.replace_snd_queue_id, snd_queues.switch_status, snd_queues.snd_public_key,
        snd_queues.snd_private_key, snd_queues.e2e_pub_key, snd_queues.e2e_dh_secret, snd_queues.status,
        snd_queues.deleted
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            address: QueueAddress(server: row.server(), id: row.get("snd_id")), connectionID: row.get("conn_id"),
            number: row.get("snd_queue_id"), isPrimary: row.get("snd_primary"),
            replaces: row.get("replace_snd_queue_id"), switchStatus: row.get("switch_status"),
            status: row.get("status"),
            keys: SendQueueKeys(
                publicKey: row.get("snd_public_key"), privateKey: row.get("snd_private_key"),
                e2ePublicKey: row.get("e2e_pub_key"), e2eSecret: row.get("e2e_dh_secret")),
            isDeleted: row.get("deleted"))
    }
}
