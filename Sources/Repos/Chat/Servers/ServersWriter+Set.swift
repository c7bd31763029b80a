import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// The servers and relays of a profile after changes.
public struct UserServersOutcome: Sendable, Hashable {
    /// Its servers and relays by operator, as they are now.
    public let groups: [UserOperatorServers]
    /// The warnings that are left. There are no errors of the profile.
    public let validation: UserServersValidation
}

extension ServersWriter {
    /// Makes changes to operators and to the servers and relays of a profile, all or none. It makes them in memory
    /// first, in their order, and validates the result. A new relay that is soft-deleted comes back, and keeps its name
    /// and domains where it is given none.
    ///
    /// Throws `validationFailed` when the profile would have errors, or another profile a new one. Throws
    /// `duplicateServer` for duplicates that validation does not report (servers of an operator that is off). Throws
    /// the errors of the single changes (`serverNotFound`, `presetServerCannotBeEdited`, `presetServerCannotBeDeleted`,
    /// `otherProtocol`, `noNamesRole`, those of operators and of relays) and `profileNotFound`; and then has changed
    /// nothing. Rule: docs/domain.md, "Operators and servers", Setting all at once.
    @discardableResult
    public func set(_ changes: UserServersChanges, of user: UserID) throws(ServersError) -> UserServersOutcome {
        let repo = ServersRepo(tx)
        let before = try repo.allProfiles(with: user)
        let operators: [ServerOperator] = try repo.all(ServerOperator.list)
        let servers = before.own.groups.flatMap { $0.smpServers + $0.xftpServers }
        let relays = try relayUsage(of: user)
        var plan = UserServersPlan(of: user, operators: operators, servers: servers, relays: relays)
        for entry in changes.operators { try from { () throws(OperatorsError) in try plan.change(entry) } }
        for change in changes.servers { try plan.apply(change) }
        for change in changes.relays {
            let checked = try from { () throws(ChatRelaysError) in try self.checked(change) }
            try from { () throws(ChatRelaysError) in try plan.apply(checked) }
        }
        try validate(plan, others: before.others)
        try checkKeys(plan.servers, before: servers)

        try write(plan.operators, over: operators)
        try write(plan.servers, over: servers)
        let stored = relays.map(\.relay)
        try from { () throws(ChatRelaysError) in try self.write(plan.relays, over: stored) }
        return UserServersOutcome(groups: try repo.grouped(of: user), validation: try repo.validation(of: user))
    }

    /// Errors of other profiles count only when the changes cause them: a profile may change its servers in spite of
    /// what is wrong with another profile.
    private func validate(_ plan: UserServersPlan, others: [ProfileServers]) throws(ServersError) {
        let now = Dictionary(plan.operators.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let others = others.map { other in
            let known = Set(UserServersProblem.shared(of: other.groups))
            let groups = other.groups.map { group in
                UserOperatorServers(
                    operator: group.operator.map { now[$0.id] ?? $0 }, smpServers: group.smpServers,
                    xftpServers: group.xftpServers, chatRelays: group.chatRelays)
            }
            return (other.user, UserServersProblem.shared(of: groups).filter { !$0.isCovered(by: known) })
        }
        let validation = UserServersValidation(
            own: UserServersProblem.all(of: plan.groups), others: others, hidden: .leftOut)
        if !validation.isValid { throw .validationFailed(validation) }
    }

    /// Servers that the database cannot store together, although validation does not report them.
    private func checkKeys(_ servers: [ProtocolServer], before: [ProtocolServer]) throws(ServersError) {
        let unchanged = Set(before)
        let byKey = Dictionary(grouping: servers, by: \.key)
        for server in servers where !unchanged.contains(server) {
            let same = byKey[server.key] ?? []
            if same.count > 1 { throw .duplicateServer(existing: same.first { $0.id.rawValue != 0 } ?? server) }
        }
    }

    private func relayUsage(of user: UserID) throws(ServersError) -> [RelayWithUse] {
        try from { () throws(ChatRelaysError) in try ChatRelaysRepo(self.tx).usage(of: user) }
    }

    private func checked(
        _ change: UserServersChanges.Change<ChatRelayID, UserServersChanges.RelayEntry>
    ) throws(ChatRelaysError) -> UserServersChanges.Change<ChatRelayID, UserServersChanges.RelayEntry> {
        let writer = ChatRelaysWriter(tx, clock: clock)
        func checked(_ entry: UserServersChanges.RelayEntry) throws(ChatRelaysError) -> UserServersChanges.RelayEntry {
            var entry = entry
            entry.name = try writer.checkedName(entry.name)
            entry.domains = try writer.checkedDomains(entry.domains)
            return entry
        }
        switch change {
        case .add(let entry): return .add(try checked(entry))
        case .change(let id, let entry): return .change(id, try checked(entry))
        case .delete: return change
        }
    }

    func from<T>(_ body: () throws(OperatorsError) -> T) throws(ServersError) -> T {
        do throws(OperatorsError) {
            return try body()
        } catch {
            throw .operators(error)
        }
    }

    func from<T>(_ body: () throws(ChatRelaysError) -> T) throws(ServersError) -> T {
        do throws(ChatRelaysError) {
            return try body()
        } catch {
            throw .relays(error)
        }
    }
}

extension UserServersProblem {
    /// Whether a profile with these problems is not worse off with the new one: without any server it had none for the
    /// role either.
    fileprivate func isCovered(by known: Set<UserServersProblem>) -> Bool {
        switch self {
        case .storageMissing(let serverProtocol), .proxyMissing(let serverProtocol):
            known.contains(self) || known.contains(.noServers(serverProtocol))
        default: known.contains(self)
        }
    }
}

extension ServersWriter {
    func write(_ operators: [ServerOperator], over old: [ServerOperator]) throws(ServersError) {
        let writer = OperatorsWriter(tx, clock: clock)
        for (now, before) in zip(operators, old) where now != before {
            try from { () throws(OperatorsError) in
                try writer.setEnabled(now.id, now.isEnabled)
                for serverProtocol in ServerProtocol.allCases {
                    try writer.setRoles(now.id, serverProtocol, now.roles(serverProtocol))
                }
            }
        }
    }

    /// Removed rows and changed addresses come first, because other entries may take their place.
    func write(_ servers: [ProtocolServer], over old: [ProtocolServer]) throws(ServersError) {
        let kept = Set(servers.map(\.id))
        for server in old where !kept.contains(server.id) { try remove(server) }
        let before = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let changed = servers.filter { server in before[server.id].map { $0 != server } ?? false }
        for server in changed where before[server.id]?.key != server.key {
            // No host has a blank in it.
            try set("host = host || ' ' || smp_server_id", server.id, of: server.userID)
        }
        for server in changed { try write(server) }
        for server in servers where server.id.rawValue == 0 {
            _ = try insert(
                server.checkedAddress(), of: server.userID, isPreset: false, isEnabled: server.isEnabled,
                roles: server.roles, tested: server.tested)
        }
    }

    func write(_ relays: [ChatRelay], over old: [ChatRelay]) throws(ChatRelaysError) {
        let writer = ChatRelaysWriter(tx, clock: clock)
        let kept = Set(relays.map(\.id))
        for relay in old where !kept.contains(relay.id) { _ = try writer.remove(relay) }
        let before = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for relay in relays {
            guard let was = before[relay.id], was.addressKey != relay.addressKey else { continue }
            try writer.set("address_key = address_key || ' ' || chat_relay_id", relay.id, of: relay.userID)
        }
        for relay in relays {
            if let was = before[relay.id] { try writer.write(relay, over: was) }
        }
        let reserved = Set(relays.map { NameRule.key($0.name) }).subtracting([""])
        for relay in relays where relay.id.rawValue == 0 {
            let added = try writer.addChecked(
                writer.checkedAddress(relay.address), name: relay.name.isEmpty ? nil : relay.name,
                domains: relay.domains.isEmpty ? nil : relay.domains, of: relay.userID, reserved: reserved)
            if !relay.isEnabled { try writer.setEnabled(added.relay.id, false, of: relay.userID) }
            if relay.tested != nil { try writer.setTested(added.relay.id, relay.tested, of: relay.userID) }
        }
    }
}

extension ProtocolServer {
    fileprivate func checkedAddress() throws(ServersError) -> ServerAddress {
        do throws(ServerAddressError) {
            return try address()
        } catch {
            throw .invalidServerAddress(error)
        }
    }
}
