import ChatDBKit

extension [ProfileServers] {
    func without(relay id: ChatRelayID) -> Self { filtered(isRelayKept: { $0.id != id }) }

    func without(server id: ProtocolServerID) -> Self { filtered(isServerKept: { $0.id != id }) }

    /// With another state of a server, which may belong to another operator by its new hosts.
    func replacing(_ server: ProtocolServer) -> Self {
        map { profile in
            guard profile.user.id == server.userID else { return profile }
            let servers = profile.groups.flatMap { $0.smpServers + $0.xftpServers }
            return ProfileServers(
                user: profile.user,
                groups: UserOperatorServers.grouped(
                    profile.groups.compactMap(\.operator), servers: servers.map { $0.id == server.id ? server : $0 },
                    relays: profile.groups.flatMap(\.chatRelays)))
        }
    }

    private func filtered(
        isRelayKept: (ChatRelay) -> Bool = { _ in true }, isServerKept: (ProtocolServer) -> Bool = { _ in true }
    ) -> Self {
        map { profile in
            ProfileServers(
                user: profile.user,
                groups: profile.groups.map { group in
                    UserOperatorServers(
                        operator: group.operator, smpServers: group.smpServers.filter(isServerKept),
                        xftpServers: group.xftpServers.filter(isServerKept),
                        chatRelays: group.chatRelays.filter(isRelayKept))
                })
        }
    }
}

extension ProfileOptions {
    /// The other profiles that an answer names; all share the operators. A password reveals only the named profile.
    var others: HiddenProfiles { hidden.showHidden ? .shown : .leftOut }

    /// The named or active profile; nil if there is neither.
    func profileIfAny(in chat: any ReadTransaction) throws -> User? {
        do {
            return try profile(in: chat)
        } catch is NoActiveProfile {
            return nil
        }
    }

    /// Makes a change to a profile and writes the answer.
    /// - Parameter simplex: the permission to make it in a store of SimpleX Chat too.
    func change<Answer: Report>(
        _ options: OutputOptions, simplex: SimplexWriting? = nil,
        _ body: (User, any WriteTransaction) throws -> Answer
    ) throws {
        let output = try options.output()
        let session = try StoreSession(store, output, simplex: simplex)
        var change = try session.write { store in
            try store.write { chat in
                let user = try profile(in: chat)
                return try ConfigChange(for: user, hidden: others, in: chat) { try body(user, chat) }
            }
        }
        change.simplex = session.effect
        try change.write(to: output)
    }
}

extension ConfigChange {
    func write(to output: Output) throws {
        try output.write(self)
        simplex?.note(to: output)
        for warning in warnings { output.warn(isPlan ? "afterwards: \(warning)" : warning) }
    }
}
