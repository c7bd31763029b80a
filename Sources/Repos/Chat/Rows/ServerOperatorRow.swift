package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ServerOperator: RowRecord {
    static let columns: Query = """
        server_operator_id, server_operator_tag, trade_name, legal_name, server_domains, enabled,
        smp_role_storage, smp_role_proxy, smp_role_names, xftp_role_storage, xftp_role_proxy
        """

    /// All operators in the order that decides whose a server is. Asked by every repository that needs to know.
    static let list: Query = "SELECT \(columns) FROM server_operators ORDER BY server_operator_id"

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("server_operator_id"), tag: row.get("server_operator_tag"),
            tradeName: row.get("trade_name"), legalName: row.get("legal_name"),
            domains: OperatorDomains.list(row.get("server_domains")), isEnabled: row.get("enabled"),
            smpRoles: ServerRoles(
                storage: row.get("smp_role_storage"), proxy: row.get("smp_role_proxy"),
                names: row.get("smp_role_names")),
            xftpRoles: ServerRoles(storage: row.get("xftp_role_storage"), proxy: row.get("xftp_role_proxy")))
    }
}
