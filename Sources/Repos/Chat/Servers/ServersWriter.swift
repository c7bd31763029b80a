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
        let address = try checkedAddress(given)
        try requireProfile(user)
        let servers = ServersRepo(tx)
        if let existing = try servers.find(like: address, of: user) { throw .duplicateServer(existing: existing) }
        let id = try insert(address, of: user, isPreset: false, isEnabled: true, roles: ServerRoleChoices())
        return try servers.get(id, of: user)
    }

    /// Gives a custom server another address, and with it no test; the same address changes nothing. Without a password
    /// in the address it keeps the one it has while the key hash is the same, since then it is the same server, and
    /// otherwise has none.
    ///
    /// Throws `serverNotFound`, `presetServerCannotBeEdited`, `invalidServerAddress`, `otherProtocol` and
    /// `duplicateServer`.
    @discardableResult
    public func update(
        _ id: ProtocolServerID, address given: String, of user: UserID
    ) throws(ServersError) -> ProtocolServer {
        let servers = ServersRepo(tx)
        let server = try servers.get(id, of: user)
        if server.isPreset { throw .presetServerCannotBeEdited(server) }
        let address = try checkedAddress(given)
        if address.serverProtocol != server.serverProtocol {
            throw .otherProtocol(server, given: address.serverProtocol)
        }
        let other = try servers.all(server.serverProtocol, of: user).first { $0.id != id && $0.key == address.key }
        if let other { throw .duplicateServer(existing: other) }
        let changed = server.with(address, password: server.password(at: address))
        if changed != server { try write(changed) }
        return changed
    }

    /// Stores how the last test of a server went; nil for none. Throws `serverNotFound`.
    public func setTested(_ id: ProtocolServerID, _ passed: Bool?, of user: UserID) throws(ServersError) {
        try set("tested = \(passed)", id, of: user)
    }

    /// Switches a server on or off for its profile, a preset one too. Throws `serverNotFound`.
    public func setEnabled(_ id: ProtocolServerID, _ isEnabled: Bool, of user: UserID) throws(ServersError) {
        try set("enabled = \(isEnabled)", id, of: user)
    }

    /// Says where a server, a preset one too, is used for something else than its operator's are. Throws
    /// `serverNotFound` and `noNamesRole` (for an XFTP server).
    public func setRoles(
        _ id: ProtocolServerID, _ roles: ServerRoleChoices, of user: UserID
    ) throws(ServersError) {
        let server = try ServersRepo(tx).get(id, of: user)
        try check(roles, of: server.serverProtocol)
        try set(
            "role_storage = \(roles.storage), role_proxy = \(roles.proxy), role_names = \(roles.names)", id, of: user)
    }

    /// Deletes a custom server, and answers it as it was. Throws `serverNotFound` and `presetServerCannotBeDeleted`.
    @discardableResult
    public func delete(_ id: ProtocolServerID, of user: UserID) throws(ServersError) -> ProtocolServer {
        let server = try ServersRepo(tx).get(id, of: user)
        if server.isPreset { throw .presetServerCannotBeDeleted(server) }
        try remove(id, of: user)
        return server
    }
}

extension ServersError: ProfileScopedError {}
