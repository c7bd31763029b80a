public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Changes to the servers of a profile. Rule: docs/domain.md, "Operators and servers".
public struct ServersWriter: Writer {
    package typealias Failure = ServersError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Adds a server of the user's own, enabled and untested. Throws `invalidServerAddress`, `duplicateServer` and
    /// `profileNotFound`.
    @discardableResult
    public func add(_ given: String, of user: UserID) throws(ServersError) -> ProtocolServer {
        let address = try Self.checkedAddress(given)
        try requireProfile(user)
        let servers = ServersRepo(tx)
        if let existing = try servers.find(like: address, of: user) { throw .duplicateServer(existing: existing) }
        let id = try insert(address, of: user, isPreset: false, isEnabled: true, roles: ServerRoleChoices())
        return try servers.get(id, of: user)
    }

    /// Gives a custom server another address, and makes it untested; the same address changes nothing. Without a
    /// password in the address, the server keeps its password only if the key hash is the same, since then it is the
    /// same server.
    ///
    /// Throws `serverNotFound`, `presetServerCannotBeEdited`, `invalidServerAddress`, `otherProtocol` and
    /// `duplicateServer`.
    @discardableResult
    public func update(
        _ id: ProtocolServerID, address given: String, of user: UserID
    ) throws(ServersError) -> ProtocolServer {
        let servers = ServersRepo(tx)
        let changed = try servers.edited(id, address: given, of: user)
        if try servers.get(id, of: user) != changed { try write(changed) }
        return changed
    }

    /// Stores the result of a server's last test; nil makes the server untested. Throws `serverNotFound`.
    public func setTested(_ id: ProtocolServerID, _ passed: Bool?, of user: UserID) throws(ServersError) {
        try set("tested = \(passed)", id, of: user)
    }

    /// Switches a server on or off for its profile, a preset one too. Throws `serverNotFound`.
    public func setEnabled(_ id: ProtocolServerID, _ isEnabled: Bool, of user: UserID) throws(ServersError) {
        try set("enabled = \(isEnabled)", id, of: user)
    }

    /// Sets the roles in which a server, a preset one too, differs from its operator. Throws `serverNotFound` and
    /// `noNamesRole` (for an XFTP server).
    public func setRoles(
        _ id: ProtocolServerID, _ roles: ServerRoleChoices, of user: UserID
    ) throws(ServersError) {
        let server = try ServersRepo(tx).get(id, of: user)
        try check(roles, of: server.serverProtocol)
        try set(
            "role_storage = \(roles.storage), role_proxy = \(roles.proxy), role_names = \(roles.names)", id, of: user)
    }

    /// Deletes a custom server, and returns it as it was. Throws `serverNotFound` and `presetServerCannotBeDeleted`.
    @discardableResult
    public func delete(_ id: ProtocolServerID, of user: UserID) throws(ServersError) -> ProtocolServer {
        let server = try ServersRepo(tx).get(id, of: user)
        if server.isPreset { throw .presetServerCannotBeDeleted(server) }
        try remove(server)
        return server
    }
}

extension ServersError: ProfileScopedError {}

extension ServersRepo {
    /// The server that `ServersWriter.update` would make of one, with its errors.
    package func edited(
        _ id: ProtocolServerID, address given: String, of user: UserID
    ) throws(ServersError) -> ProtocolServer {
        let server = try get(id, of: user)
        if server.isPreset { throw .presetServerCannotBeEdited(server) }
        let address = try ServersWriter.checkedAddress(given)
        if address.serverProtocol != server.serverProtocol {
            throw .otherProtocol(server, given: address.serverProtocol)
        }
        let other = try all(server.serverProtocol, of: user).first { $0.id != id && $0.key == address.key }
        if let other { throw .duplicateServer(existing: other) }
        return server.with(address, password: server.password(at: address))
    }
}

extension ServersWriter {
    /// Inserts a server that was found to be a new one.
    package func insert(
        _ address: ServerAddress, of user: UserID, isPreset: Bool, isEnabled: Bool, roles: ServerRoleChoices,
        tested: Bool? = nil
    ) throws(ServersError) -> ProtocolServerID {
        try forgetChoice(about: address.choiceKey, of: user)
        return ProtocolServerID(
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

    /// Removes a server. Only the import of a preset file may remove a preset server. Keeps the user's choice about a
    /// server of an operator, so that the operator's list does not enable it again. A server of no operator leaves no
    /// choice.
    ///
    /// - Parameter operators: all operators of the store; read from it if nil.
    package func remove(
        _ server: ProtocolServer, by removal: PresetRemoval = .deletion, among operators: [ServerOperator]? = nil
    ) throws(ServersError) {
        let (id, user) = (server.id, server.userID)
        let changed = try run("DELETE FROM protocol_servers WHERE smp_server_id = \(id) AND user_id = \(user)")
        if changed == 0 { throw .serverNotFound(.id(id)) }
        if !server.isPreset {
            let all: [ServerOperator]
            if let operators { all = operators } else { all = try ServersRepo(tx).all(ServerOperator.list) }
            if !server.isOf(all) { return }
        }
        try keep(
            removal.choice(ofPreset: server.isPreset, isEnabled: server.isEnabled), about: server.choiceKey, of: user)
    }

    /// Writes all of a server that may change.
    package func write(_ server: ProtocolServer) throws(ServersError) {
        try forgetChoice(about: server.choiceKey, of: server.userID)
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

    static func checkedAddress(_ given: String) throws(ServersError) -> ServerAddress {
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

/// The new state of a server. Rule: docs/domain.md, "Operators and servers", Editing.
extension ProtocolServer {
    /// The password for another address: the one in that address, or the server's own while the key hash is the same. A
    /// password must not reach another server.
    package func password(at address: ServerAddress) -> String? {
        address.password ?? (address.keyHash == keyHash ? password : nil)
    }

    /// The server switched on or off, and used for these roles.
    package func with(isEnabled: Bool, roles: ServerRoleChoices) -> ProtocolServer {
        ProtocolServer(
            id: id, userID: userID, serverProtocol: serverProtocol, hosts: hosts, port: port, keyHash: keyHash,
            password: password, isPreset: isPreset, tested: tested, isEnabled: isEnabled, roles: roles)
    }

    /// The server with this test result.
    package func with(tested: Bool?) -> ProtocolServer {
        ProtocolServer(
            id: id, userID: userID, serverProtocol: serverProtocol, hosts: hosts, port: port, keyHash: keyHash,
            password: password, isPreset: isPreset, tested: tested, isEnabled: isEnabled, roles: roles)
    }
}
