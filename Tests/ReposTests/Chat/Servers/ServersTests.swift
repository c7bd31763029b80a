import ChatDBKit
import Testing

@Suite struct ServersTests {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    private func addServer(_ address: String) throws -> ProtocolServer {
        try test.write { try ServersWriter($0, clock: TestStore.clock).add(address, of: alice.id) }
    }

    private func makePreset(_ server: ProtocolServer) throws {
        try test.write { try $0.run("UPDATE protocol_servers SET preset = 1 WHERE smp_server_id = \(server.id)") }
    }

    private func get(_ server: ProtocolServer) throws -> ProtocolServer {
        try test.read { try ServersRepo($0).get(server.id, of: alice.id) }
    }

    private func write<T>(_ body: (ServersWriter) throws -> T) throws -> T {
        try test.write { try body(ServersWriter($0, clock: TestStore.clock)) }
    }

    @Test("another address makes a server untested, and the same one changes nothing")
    func update() throws {
        let one = try addServer(server("s1.example"))
        try write { try $0.setTested(one.id, true, of: alice.id) }
        let same = try write { try $0.update(one.id, address: " " + server("s1.example"), of: alice.id) }
        #expect(try same.tested == true && get(one) == same)
        let moved = try write {
            try $0.update(one.id, address: server("s2.example,b.onion:5223"), of: alice.id)
        }
        #expect(moved.hosts == ["s2.example", "b.onion"] && moved.port == "5223" && moved.tested == nil)
        #expect(try get(one) == moved && moved.id == one.id)
    }

    @Test("a new address without a password keeps the password for the same key hash only")
    func updatePassword() throws {
        let one = try addServer(server("s1.example", password: "s3cret"))
        let moved = try write { try $0.update(one.id, address: server("s2.example"), of: alice.id) }
        #expect(moved.password == "s3cret")
        let renewed = try write { try $0.update(one.id, address: server("s2.example", password: "n3w"), of: alice.id) }
        #expect(renewed.password == "n3w")
        let other = "smp://\(key(8))=@s2.example"
        #expect(try write { try $0.update(one.id, address: other, of: alice.id) }.password == nil)
        #expect(try get(one).password == nil)
    }

    @Test("an update keeps the protocol, clashes with no other server, and is not for presets")
    func updateRefused() throws {
        let one = try addServer(server("s1.example"))
        let two = try addServer(server("s2.example"))
        let preset = try addServer(server("s3.example"))
        try makePreset(preset)
        let attempts: [(id: ProtocolServerID, address: String, code: String)] = [
            (one.id, server("S2.example,c.onion"), "duplicateServerAddress"),
            (one.id, server("s9.example", .xftp), "otherProtocol"),
            (one.id, "smp://", "invalidServerAddress"),
            (preset.id, server("s9.example"), "presetServerCannotBeEdited"),
            (ProtocolServerID(99), server("s9.example"), "serverNotFound"),
        ]
        for attempt in attempts {
            let error = #expect(throws: ServersError.self) {
                try write { try $0.update(attempt.id, address: attempt.address, of: alice.id) }
            }
            #expect(error?.code == attempt.code)
        }
        #expect(try [get(one), get(two)] == [one, two])
    }

    @Test("a custom server is deleted; a preset one is not, and can be disabled")
    func delete() throws {
        let one = try addServer(server("s1.example"))
        let two = try addServer(server("s2.example"))
        try makePreset(two)
        #expect(try write { try $0.delete(one.id, of: alice.id) } == one)
        let error = #expect(throws: ServersError.self) { try write { try $0.delete(two.id, of: alice.id) } }
        #expect(error?.code == "presetServerCannotBeDeleted")
        try write { try $0.setEnabled(two.id, false, of: alice.id) }
        #expect(try test.read { try ServersRepo($0).all(of: alice.id) }.map(\.isEnabled) == [false])
        #expect(throws: ServersError.serverNotFound(.id(one.id))) { try write { try $0.delete(one.id, of: alice.id) } }
    }

    @Test(
        "a server may be used for a role when it and its operator are on, and its own choice goes before the operator's"
    )
    func usable() throws {
        let (plain, off) = (try addServer(server("own.example")), try addServer(server("off.example")))
        try write { try $0.setEnabled(off.id, false, of: alice.id) }
        let inherits = try addServer(server("a.on.example"))
        let decides = try addServer(server("b.on.example"))
        _ = try addServer(server("a.out.example"))
        let files = try addServer(server("f.example", .xftp))
        try test.write { chat in
            for (name, isEnabled) in [("on", true), ("out", false)] {
                try OperatorsWriter(chat).add(
                    tag: nil, tradeName: name, legalName: nil, domains: ["\(name).example"], isEnabled: isEnabled,
                    smpRoles: ServerRoles(storage: false, proxy: true, names: true),
                    xftpRoles: ServerRoles(storage: true, proxy: true))
            }
            let choices = ServerRoleChoices(storage: true, names: false)
            try ServersWriter(chat).setRoles(decides.id, choices, of: alice.id)
            #expect(throws: ServersError.noNamesRole(.xftp)) {
                try ServersWriter(chat).setRoles(files.id, ServerRoleChoices(names: true), of: alice.id)
            }
            try ServersWriter(chat).setRoles(files.id, ServerRoleChoices(proxy: false), of: alice.id)
            // What no app of ours writes: an XFTP server looks up no names all the same.
            try chat.run("UPDATE protocol_servers SET role_names = 1 WHERE smp_server_id = \(files.id)")
        }
        func usable(_ role: ServerRole, _ serverProtocol: ServerProtocol = .smp) throws -> [ProtocolServerID] {
            try test.read { try ServersRepo($0).usable(for: role, serverProtocol, of: alice.id).map(\.id) }
        }
        #expect(try usable(.storage) == [plain.id, decides.id])
        #expect(try usable(.proxy) == [plain.id, inherits.id, decides.id])
        #expect(try usable(.names) == [inherits.id])
        #expect(try usable(.storage, .xftp) == [files.id])
        #expect(try usable(.proxy, .xftp).isEmpty && usable(.names, .xftp).isEmpty)
    }

    @Test("servers and relays are grouped by operator, in the order of operators, the user's own last and always")
    func grouped() throws {
        #expect(try test.read { try ServersRepo($0).grouped(of: alice.id) }.map(\.operator) == [nil])
        let operators = try test.write { chat in
            try ["one.example", "two.example", "x.one.example"].map {
                try OperatorsWriter(chat).add(
                    tag: nil, tradeName: $0, legalName: nil, domains: [$0], isEnabled: true,
                    smpRoles: .ofOwnServers, xftpRoles: .ofOwnServers)
            }
        }
        let own = try addServer(server("s.example"))
        let second = try addServer(server("a.two.example"))
        let first = try addServer(server("x.one.example"))
        let preset = try addServer(server("y.one.example"))
        try makePreset(preset)
        let files = try addServer(server("z.onion,f.two.example", .xftp))
        let relay = try test.addRelay("r1.example", domains: ["x.one.example"], of: alice)
        let ownRelay = try test.addRelay("r.one.example", domains: ["y.one.example"], of: alice)
        let deleted = try test.addRelay("r3.example", of: alice)
        try test.addChannel("c", relays: [deleted], of: alice)
        try test.write { _ = try ChatRelaysWriter($0).delete(deleted.id, of: alice.id) }

        let groups = try test.read { try ServersRepo($0).grouped(of: alice.id) }
        #expect(groups.map(\.operator) == operators.map(Optional.some) + [nil])
        #expect(groups.map { $0.smpServers.map(\.id) } == [[preset.id, first.id], [second.id], [], [own.id]])
        #expect(groups.map { $0.xftpServers.map(\.id) } == [[], [files.id], [], []])
        #expect(groups.map(\.chatRelays) == [[], [], [relay], [ownRelay]])
    }

    @Test("a profile that is not there gets nothing")
    func noProfile() throws {
        let nobody = UserID(99)
        let error = #expect(throws: ServersError.self) {
            try test.write { try ServersWriter($0).add(server("s.example"), of: nobody) }
        }
        #expect(error?.code == "profileNotFound")
        let relay = #expect(throws: ChatRelaysError.self) {
            try test.write { try ChatRelaysWriter($0).add(ReposTests.relay("r.example"), of: nobody) }
        }
        #expect(relay?.code == "profileNotFound")
        #expect(throws: ServersError.self) { try test.read { try ServersRepo($0).validation(of: nobody) } }
    }

    @Test("a server of a protocol that a newer app has is left out and stays, and nothing fails because of it")
    func unknownProtocol() throws {
        let known = try addServer(server("s1.example"))
        try test.write {
            try $0.run(
                """
                INSERT INTO protocol_servers (smp_server_id, user_id, protocol, host, key_hash)
                VALUES (77, \(alice.id), 'web', 'w.example', 'k')
                """)
        }
        try test.read { chat throws in
            let servers = ServersRepo(chat)
            #expect(try servers.all(of: alice.id) == [known])
            #expect(try servers.find(ProtocolServerID(77), of: alice.id) == nil)
            #expect(try servers.grouped(of: alice.id).flatMap(\.smpServers) == [known])
            #expect(try UsersRepo(chat).contents(of: alice.id).servers == 1)
        }
        #expect(throws: ServersError.serverNotFound(.id(ProtocolServerID(77)))) {
            try write { try $0.delete(ProtocolServerID(77), of: alice.id) }
        }
        _ = try addServer(server("s2.example"))
        #expect(try test.count("SELECT count(*) FROM protocol_servers") == 3)
    }
}
