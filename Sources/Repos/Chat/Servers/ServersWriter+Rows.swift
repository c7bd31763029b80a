import ChatDBEngine
import ChatDBReposKit
package import ChatDBSchema

extension ServersWriter {
    /// Inserts a server that was found to be a new one.
    package func insert(
        _ address: ServerAddress, of user: UserID, isPreset: Bool, isEnabled: Bool, roles: ServerRoleChoices,
        tested: Bool? = nil
    ) throws(ServersError) -> ProtocolServerID {
        ProtocolServerID(
            try insert(
                """
                INSERT INTO protocol_servers (
                    user_id, protocol, host, port, key_hash, basic_auth, preset, enabled, tested,
                    role_storage, role_proxy, role_names, created_at, updated_at)
                VALUES (
                    \(user), \(address.serverProtocol.text), \(address.hosts.joined(separator: ",")),
                    \(address.portText), \(address.keyHash), \(address.password), \(isPreset), \(isEnabled), \(tested),
                    \(roles.storage), \(roles.proxy), \(roles.names), \(now), \(now))
                """, returning: "smp_server_id"))
    }

    /// Removes a server, a preset one too: only a preset's own list may do that.
    package func remove(_ id: ProtocolServerID, of user: UserID) throws(ServersError) {
        let changed = try run("DELETE FROM protocol_servers WHERE smp_server_id = \(id) AND user_id = \(user)")
        if changed == 0 { throw .serverNotFound(.id(id)) }
    }

    /// Writes all of a server that may change.
    package func write(_ server: ProtocolServer) throws(ServersError) {
        try set(
            """
            host = \(server.hosts.joined(separator: ",")), port = \(server.port), key_hash = \(server.keyHash),
            basic_auth = \(server.password), tested = \(server.tested), enabled = \(server.isEnabled),
            role_storage = \(server.roles.storage), role_proxy = \(server.roles.proxy),
            role_names = \(server.roles.names)
            """, server.id, of: server.userID)
    }

    func set(_ columns: Query, _ id: ProtocolServerID, of user: UserID) throws(ServersError) {
        let changed = try run(
            """
            UPDATE protocol_servers SET \(columns), updated_at = \(now)
            WHERE smp_server_id = \(id) AND user_id = \(user)
            """)
        if changed == 0 { throw .serverNotFound(.id(id)) }
    }

    func checkedAddress(_ given: String) throws(ServersError) -> ServerAddress {
        do throws(ServerAddressError) {
            return try ServerAddress(given)
        } catch {
            throw .invalidServerAddress(error)
        }
    }

    func check(_ roles: ServerRoleChoices, of serverProtocol: ServerProtocol) throws(ServersError) {
        if serverProtocol == .xftp, roles.names == true { throw .noNamesRole(serverProtocol) }
    }
}

extension ProtocolServer {
    /// The server at another address: untested, unless nothing of it is different.
    package func with(_ address: ServerAddress, password: String?) -> ProtocolServer {
        let isSame =
            hosts == address.hosts && port == address.portText && keyHash == address.keyHash
            && self.password == password
        return ProtocolServer(
            id: id, userID: userID, serverProtocol: serverProtocol, hosts: address.hosts, port: address.portText,
            keyHash: address.keyHash, password: password, isPreset: isPreset, tested: isSame ? tested : nil,
            isEnabled: isEnabled, roles: roles)
    }
}
