package import ChatDBSchema

/// A server as it is to be. Rule: docs/domain.md, "Operators and servers", Editing.
extension ProtocolServer {
    /// The password it has at another address: the one given there, or its own as long as the key hash is the same,
    /// since a password is not told to another server.
    package func password(at address: ServerAddress) -> String? {
        address.password ?? (address.keyHash == keyHash ? password : nil)
    }

    /// The server switched on or off, and used for these roles.
    package func with(isEnabled: Bool, roles: ServerRoleChoices) -> ProtocolServer {
        ProtocolServer(
            id: id, userID: userID, serverProtocol: serverProtocol, hosts: hosts, port: port, keyHash: keyHash,
            password: password, isPreset: isPreset, tested: tested, isEnabled: isEnabled, roles: roles)
    }

    /// The server after such a test.
    package func with(tested: Bool?) -> ProtocolServer {
        ProtocolServer(
            id: id, userID: userID, serverProtocol: serverProtocol, hosts: hosts, port: port, keyHash: keyHash,
            password: password, isPreset: isPreset, tested: tested, isEnabled: isEnabled, roles: roles)
    }
}
