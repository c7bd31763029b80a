package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ProtocolServer: RowRecord {
    package static let columns: Query = """
        smp_server_id, user_id, protocol, host, port, key_hash, basic_auth, preset, tested, enabled,
        role_storage, role_proxy, role_names
        """

    /// The condition that a server speaks a protocol of this version.
    package static let isKnown: Query = "protocol IN (\(list: ServerProtocol.allCases.map(\.text)))"

    package init(row: ResultRow) throws(StoreError) {
        guard let serverProtocol = ServerProtocol(rawValue: try row.get("protocol")) else {
            throw .unexpectedValue(column: "protocol", expected: "smp or xftp", found: "another text")
        }
        try self.init(
            id: row.get("smp_server_id"), userID: row.get("user_id"), serverProtocol: serverProtocol,
            hosts: OperatorDomains.list(row.get("host")), port: row.get("port"), keyHash: row.get("key_hash"),
            password: row.get("basic_auth"), isPreset: row.get("preset"), tested: row.get("tested"),
            isEnabled: row.get("enabled"),
            roles: ServerRoleChoices(
                storage: row.get("role_storage"), proxy: row.get("role_proxy"), names: row.get("role_names")))
    }
}
