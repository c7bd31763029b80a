import ChatDBReposKit
import ChatDBSchema

extension UserServersProblem {
    /// All that is wrong with what one profile has.
    static func all(of groups: [UserOperatorServers]) -> [UserServersProblem] {
        let shared = shared(of: groups)
        let duplicates =
            ServerProtocol.allCases.flatMap { duplicateServers($0, in: groups) } + duplicateRelays(in: groups)
        return shared.filter { !$0.isWarning } + duplicates + shared.filter(\.isWarning)
    }

    /// What can go wrong with a profile because of the operators, which it shares with the others.
    static func shared(of groups: [UserOperatorServers]) -> [UserServersProblem] {
        ServerProtocol.allCases.flatMap { missing($0, in: groups) } + warnings(groups)
    }

    private static func missing(
        _ serverProtocol: ServerProtocol, in groups: [UserOperatorServers]
    ) -> [UserServersProblem] {
        let used = groups.flatMap { $0.usable(serverProtocol) }
        if used.isEmpty { return [.noServers(serverProtocol)] }
        var problems: [UserServersProblem] = []
        if !used.contains(where: \.roles.storage) { problems.append(.storageMissing(serverProtocol)) }
        if !used.contains(where: \.roles.proxy) { problems.append(.proxyMissing(serverProtocol)) }
        return problems
    }

    private static func warnings(_ groups: [UserOperatorServers]) -> [UserServersProblem] {
        var problems: [UserServersProblem] = []
        let relays = groups.filter(\.isOn).flatMap(\.chatRelays)
        if !relays.contains(where: { $0.isEnabled && !$0.isDeleted }) {
            problems.append(.noChatRelays)
        }
        if !groups.contains(where: { $0.usable(.smp).contains(where: \.roles.names) }) {
            problems.append(.noNamesServers)
        }
        return problems
    }

    /// Every server one of whose hosts occurs twice; ports do not make a difference, and what is of an operator that is
    /// off does not count.
    private static func duplicateServers(
        _ serverProtocol: ServerProtocol, in groups: [UserOperatorServers]
    ) -> [UserServersProblem] {
        let servers = groups.filter(\.isOn).flatMap { $0.servers(serverProtocol) }
        let hosts = repeated(servers.flatMap { $0.hosts.map { $0.lowercased() } })
        return servers.compactMap { server in
            server.hosts.first { hosts.contains($0.lowercased()) }
                .map { .duplicateServer(serverProtocol, address: server.addressText(), host: $0) }
        }
    }

    private static func duplicateRelays(in groups: [UserOperatorServers]) -> [UserServersProblem] {
        let relays = groups.flatMap(\.chatRelays).filter { !$0.isDeleted }
        let names = repeated(relays.map { NameRule.key($0.name) }.filter { !$0.isEmpty })
        let keys = repeated(relays.map(\.addressKey))
        return relays.flatMap { relay -> [UserServersProblem] in
            var problems: [UserServersProblem] = []
            if names.contains(NameRule.key(relay.name)) { problems.append(.duplicateChatRelayName(relay.name)) }
            if keys.contains(relay.addressKey) {
                problems.append(.duplicateChatRelayAddress(name: relay.name, address: relay.address))
            }
            return problems
        }
    }

    private static func repeated(_ texts: [String]) -> Set<String> {
        var (seen, twice): (Set<String>, Set<String>) = ([], [])
        for text in texts where !seen.insert(text).inserted { twice.insert(text) }
        return twice
    }
}

extension UserOperatorServers {
    /// The servers of one protocol that may be used, with what they are used for.
    func usable(_ serverProtocol: ServerProtocol) -> [(server: ProtocolServer, roles: ServerRoles)] {
        if !isOn { return [] }
        return servers(serverProtocol).filter(\.isEnabled).map { ($0, $0.roles(under: `operator`)) }
    }
}
