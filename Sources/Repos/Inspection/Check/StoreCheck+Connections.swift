import ChatDBEngine
import ChatDBSchema

/// Rule: docs/domain.md, "Connections".
extension StoreCheck {
    static let ofConnections = [
        StoreCheck(
            "wrongConnectionType", .warning, "connections whose type differs from that of their owner", isGeneral: true,
            rows: [
                """
                SELECT connection_id FROM connections
                WHERE conn_type IN ('contact', 'member', 'user_contact', 'snd_file', 'rcv_file') AND conn_type <> CASE
                    WHEN group_member_id IS NOT NULL THEN 'member' WHEN user_contact_link_id IS NOT NULL THEN 'user_contact'
                    WHEN snd_file_id IS NOT NULL THEN 'snd_file' WHEN rcv_file_id IS NOT NULL THEN 'rcv_file'
                    ELSE 'contact' END
                ORDER BY connection_id
                """
            ]),
        StoreCheck(
            "deletedConnectionSubscribed", .warning,
            "deleted connections that are still marked for subscription",
            rows: ["SELECT connection_id FROM connections WHERE \(isGivenUp) ORDER BY connection_id"],
            repair: .statement("removes the mark", "UPDATE connections SET to_subscribe = 0 WHERE \(isGivenUp)")),
    ]

    private static let isGivenUp: Query = "to_subscribe = 1 AND conn_status = 'deleted'"
}
