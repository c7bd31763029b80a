public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The SMP and XFTP servers of a profile. One of another protocol, which only a newer app can have stored, is left out and
/// stays; `chatdb check` tells of it. Rule: docs/domain.md, "Operators and servers".
public struct ServersRepo: Repository {
    package typealias Failure = ServersError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All servers of a profile, SMP before XFTP, in each presets first, then by number. None is an empty list.
    public func all(of user: UserID) throws(ServersError) -> [ProtocolServer] {
        try all(ofEach: [user])
    }

    /// The servers of a profile that speak one protocol, presets first, then by number. None is an empty list.
    public func all(_ serverProtocol: ServerProtocol, of user: UserID) throws(ServersError) -> [ProtocolServer] {
        try all(
            """
            SELECT \(ProtocolServer.columns) FROM protocol_servers
            WHERE user_id = \(user) AND protocol = \(serverProtocol.text)
            ORDER BY preset DESC, smp_server_id
            """)
    }

    /// All servers of several profiles, by profile.
    package func all(ofEach users: [UserID]) throws(ServersError) -> [ProtocolServer] {
        try all(
            """
            SELECT \(ProtocolServer.columns) FROM protocol_servers
            WHERE user_id IN (\(list: users.map(\.rawValue))) AND \(ProtocolServer.isKnown)
            ORDER BY user_id, protocol, preset DESC, smp_server_id
            """)
    }

    /// The server of a profile with a number, or nil; that of another profile is nil.
    public func find(_ id: ProtocolServerID, of user: UserID) throws(ServersError) -> ProtocolServer? {
        try first(
            """
            SELECT \(ProtocolServer.columns) FROM protocol_servers
            WHERE smp_server_id = \(id) AND user_id = \(user) AND \(ProtocolServer.isKnown)
            """)
    }

    /// The server of a profile with a number. Throws `serverNotFound`.
    public func get(_ id: ProtocolServerID, of user: UserID) throws(ServersError) -> ProtocolServer {
        guard let server = try find(id, of: user) else { throw .serverNotFound(.id(id)) }
        return server
    }

    /// The server a profile has with this protocol, primary host and port, or nil.
    public func find(like address: ServerAddress, of user: UserID) throws(ServersError) -> ProtocolServer? {
        try all(of: user).first { $0.key == address.key }
    }
}

/// What makes two servers the same: protocol, primary host without case, and port. The key hash and further hosts may
/// change without the server becoming another.
package struct ServerKey: Hashable {
    let serverProtocol: ServerProtocol
    let host: String
    let port: String
}

extension ServerAddress {
    package var key: ServerKey {
        ServerKey(serverProtocol: serverProtocol, host: primaryHost.lowercased(), port: portText)
    }

    /// The port as it is stored.
    package var portText: String { port.map { "\($0)" } ?? "" }
}

extension ProtocolServer {
    package var key: ServerKey {
        ServerKey(serverProtocol: serverProtocol, host: primaryHost.lowercased(), port: port)
    }
}
