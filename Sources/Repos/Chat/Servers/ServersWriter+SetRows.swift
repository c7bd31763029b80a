import ChatDBEngine
import ChatDBSchema

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

    /// First what makes room: rows that go, and addresses that others may take over.
    func write(_ servers: [ProtocolServer], over old: [ProtocolServer]) throws(ServersError) {
        let kept = Set(servers.map(\.id))
        for server in old where !kept.contains(server.id) { try remove(server.id, of: server.userID) }
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
        for relay in relays where relay.id.rawValue == 0 {
            let added = try writer.addChecked(
                writer.checkedAddress(relay.address), name: relay.name, domains: relay.domains, of: relay.userID)
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
