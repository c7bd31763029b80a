public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The SMP and XFTP servers of a profile. A server of another protocol, which only a newer app can have stored, is left
/// out and stays in the store; `chatdb check` reports it. Rule: docs/domain.md, "Operators and servers".
public struct ServersRepo: Repository {
    package typealias Failure = ServersError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All servers of a profile, SMP before XFTP, in each presets first, then by number. The list is empty when there
    /// are none.
    public func all(of user: UserID) throws(ServersError) -> [ProtocolServer] {
        try all(ofEach: [user])
    }

    /// The servers of a profile that speak one protocol, presets first, then by number. The list is empty when there
    /// are none.
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

/// The identity of a server: protocol, primary host without case, and port. The key hash and further hosts may change
/// without the server becoming another.
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

extension ServersRepo {
    /// The servers and relays of a profile by operator: one group for each, in the order of the operators, even for one
    /// without entries. The last group is always the user's own. In a group presets come first, then by number;
    /// soft-deleted relays are in none. Rule: docs/domain.md, "Operators and servers", Whose is it?
    public func grouped(of user: UserID) throws(ServersError) -> [UserOperatorServers] {
        UserOperatorServers.grouped(
            try all(ServerOperator.list), servers: try all(of: user), relays: try relays(ofEach: [user]))
    }

    /// The servers that a profile may use for a role now: enabled, of no operator or of one that is on, and with the
    /// role, which the server itself or else its operator has. A server of no operator without choices of its own has
    /// the roles storage and proxy. Presets first, then by number; the list may be empty. Rule: docs/domain.md,
    /// "Operators and servers".
    public func usable(
        for role: ServerRole, _ serverProtocol: ServerProtocol, of user: UserID
    ) throws(ServersError) -> [ProtocolServer] {
        let operators: [ServerOperator] = try all(ServerOperator.list)
        return try all(serverProtocol, of: user).filter { server in
            let owner = operators.owner(of: server)
            return server.isEnabled && owner?.isEnabled != false && server.roles(under: owner).has(role)
        }
    }

    /// The problems of the servers and relays of a profile, and of the other profiles, with which it shares the
    /// operators. Hidden profiles are counted only, unless they are to be shown. Throws `profileNotFound`. Rule:
    /// docs/domain.md, "Validation of servers".
    public func validation(
        of user: UserID, hidden: HiddenProfiles = .leftOut
    ) throws(ServersError) -> UserServersValidation {
        let profiles = try allProfiles(with: user)
        return UserServersValidation(of: profiles.own.groups, others: profiles.others, hidden: hidden)
    }

    /// The servers and relays of all profiles, those of one profile apart, in four statements. Throws
    /// `profileNotFound`.
    func allProfiles(with user: UserID) throws(ServersError) -> (own: ProfileServers, others: [ProfileServers]) {
        let all = try allProfiles()
        guard let own = all.first(where: { $0.user.id == user }) else { throw .users(.profileNotFound(.id(user))) }
        return (own, all.filter { $0.user.id != user })
    }

    /// The servers and relays of all profiles, hidden ones too, the one used last first, in four statements. The list
    /// is empty when there are none.
    package func allProfiles() throws(ServersError) -> [ProfileServers] {
        // A caller that has the id of a hidden profile has found it already.
        let users: [User] = try all("SELECT \(User.columns) FROM users ORDER BY active_order DESC, user_id")
        let operators: [ServerOperator] = try all(ServerOperator.list)
        let ids = users.map(\.id)
        let servers = Dictionary(grouping: try all(ofEach: ids), by: \.userID)
        let relays = Dictionary(grouping: try relays(ofEach: ids), by: \.userID)
        return users.map { user in
            ProfileServers(
                user: user,
                groups: UserOperatorServers.grouped(
                    operators, servers: servers[user.id] ?? [], relays: relays[user.id] ?? []))
        }
    }

    /// Relays that are not deleted, by profile.
    private func relays(ofEach users: [UserID]) throws(ServersError) -> [ChatRelay] {
        try all(
            """
            SELECT \(ChatRelay.columns) FROM chat_relays
            WHERE user_id IN (\(list: users.map(\.rawValue))) AND deleted = 0
            ORDER BY user_id, preset DESC, chat_relay_id
            """)
    }
}
