public import Engine
public import Schema

/// Changes to the servers of a profile. Rule: docs/domain.md, "Operators and servers".
public struct ServersWriter: Writer {
    typealias Failure = ServersError
    let tx: any WriteTransaction
    let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Adds a server of the user's own, enabled and untested. Throws `invalidServerAddress` and `duplicateServer`.
    @discardableResult
    public func add(_ given: String, of user: UserID) throws(ServersError) -> ProtocolServer {
        let address: ServerAddress
        do throws(ServerAddressError) {
            address = try ServerAddress(given)
        } catch {
            throw .invalidServerAddress(error)
        }
        let servers = ServersRepo(tx)
        if let existing = try servers.find(like: address, of: user) { throw .duplicateServer(existing: existing) }
        let id = try insert(address, of: user, isPreset: false, isEnabled: true, roles: ServerRoleChoices())
        return try servers.get(id, of: user)
    }

    /// Inserts a server that was found to be a new one.
    func insert(
        _ address: ServerAddress, of user: UserID, isPreset: Bool, isEnabled: Bool, roles: ServerRoleChoices
    ) throws(ServersError) -> ProtocolServerID {
        ProtocolServerID(
            try insert(
                """
                INSERT INTO protocol_servers (
                    user_id, protocol, host, port, key_hash, basic_auth, preset, enabled,
                    role_storage, role_proxy, role_names, created_at, updated_at)
                VALUES (
                    \(user), \(address.serverProtocol.text), \(address.hosts.joined(separator: ",")),
                    \(address.portText), \(address.keyHash), \(address.password), \(isPreset), \(isEnabled),
                    \(roles.storage), \(roles.proxy), \(roles.names), \(now), \(now))
                """, returning: "smp_server_id"))
    }

    /// Gives a server the hosts and the key hash of an address, and its password if it has one.
    func follow(_ address: ServerAddress, server id: ProtocolServerID, of user: UserID) throws(ServersError) {
        let changed = try run(
            """
            UPDATE protocol_servers
            SET host = \(address.hosts.joined(separator: ",")), key_hash = \(address.keyHash),
                basic_auth = coalesce(\(address.password), basic_auth), updated_at = \(now)
            WHERE smp_server_id = \(id) AND user_id = \(user)
            """)
        if changed == 0 { throw .serverNotFound(.id(id)) }
    }

    /// Removes a server, a preset one too: only a preset's own list may do that.
    func remove(_ id: ProtocolServerID, of user: UserID) throws(ServersError) {
        let changed = try run("DELETE FROM protocol_servers WHERE smp_server_id = \(id) AND user_id = \(user)")
        if changed == 0 { throw .serverNotFound(.id(id)) }
    }
}
