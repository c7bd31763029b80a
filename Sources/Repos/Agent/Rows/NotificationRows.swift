package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension NotificationToken: RowRecord {
    static let columns: Query = """
        ntf_tokens.provider, ntf_tokens.device_token, ntf_tokens.ntf_host, ntf_tokens.ntf_port, ntf_tokens.tkn_id,
        ntf_tokens.tkn_pub_key, ntf_tokens.tkn_priv_key, ntf_tokens.tkn_pub_dh_key, ntf_tokens.tkn_priv_dh_key,
        ntf_tokens.tkn_dh_secret, ntf_tokens.tkn_status, ntf_tokens.tkn_action, ntf_tokens.ntf_mode
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            provider: row.get("provider"), deviceToken: row.get("device_token"),
            server: row.server("ntf_host", "ntf_port"), id: row.get("tkn_id"),
            keys: NotificationTokenKeys(
                publicKey: row.get("tkn_pub_key"), privateKey: row.get("tkn_priv_key"),
                dhPublicKey: row.get("tkn_pub_dh_key"), dhPrivateKey: row.get("tkn_priv_dh_key")),
            secret: row.get("tkn_dh_secret"), status: row.get("tkn_status"), action: row.get("tkn_action"),
            mode: row.get("ntf_mode"))
    }
}

extension NotificationSubscription: RowRecord {
    static let columns: Query = """
        ntf_subscriptions.conn_id, ntf_subscriptions.smp_host, ntf_subscriptions.smp_port,
        ntf_subscriptions.smp_ntf_id, ntf_subscriptions.ntf_host, ntf_subscriptions.ntf_port,
        ntf_subscriptions.ntf_sub_id, ntf_subscriptions.ntf_sub_status, ntf_subscriptions.ntf_sub_action,
        ntf_subscriptions.ntf_sub_smp_action, ntf_subscriptions.ntf_sub_action_ts, ntf_subscriptions.ntf_failed,
        ntf_subscriptions.smp_failed
        """

    package init(row: ResultRow) throws(StoreError) {
        let action = try NotificationAction(row: row)
        let failed: (notificationServer: Bool, messageServer: Bool) = try (row.get("ntf_failed"), row.get("smp_failed"))
        try self.init(
            connectionID: row.get("conn_id"), queueServer: row.optionalServer("smp_host", "smp_port"),
            notifierID: row.get("smp_ntf_id"), server: row.server("ntf_host", "ntf_port"), id: row.get("ntf_sub_id"),
            status: row.get("ntf_sub_status"), action: action, dueAt: row.optionalTime("ntf_sub_action_ts"),
            isFailed: action?.isAtMessageServer == true ? failed.messageServer : failed.notificationServer)
    }
}

extension NotificationAction {
    /// Nil when nothing is to be done. Of two, which only another app could have written, the one at the message
    /// server comes first.
    fileprivate init?(row: ResultRow) throws(StoreError) {
        if let action: NotificationQueueAction = try row.get("ntf_sub_smp_action") {
            self = .messageServer(action)
        } else if let action: NotificationServerAction = try row.get("ntf_sub_action") {
            self = .notificationServer(action)
        } else {
            return nil
        }
    }

    var isAtMessageServer: Bool {
        if case .messageServer = self { true } else { false }
    }
}
