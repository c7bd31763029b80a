import ChatDBKit
import Testing

@Suite struct SetUserServersTests {
    typealias Changes = UserServersChanges

    let test: TestStore
    let alice: User
    let smp: ProtocolServer
    let files: ProtocolServer
    let one: ChatRelay

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        (smp, files) = try Self.addServers(of: alice, in: test)
        one = try test.addRelay("r1.example", name: "One", of: alice)
    }

    static func addServers(of user: User, in test: TestStore) throws -> (ProtocolServer, ProtocolServer) {
        try test.write { chat in
            let servers = ServersWriter(chat, clock: TestStore.clock)
            return try (
                servers.add(server("smp.op.example"), of: user.id),
                servers.add(server("xftp.op.example", .xftp), of: user.id)
            )
        }
    }

    func set(_ changes: Changes, of user: User? = nil) throws -> UserServersOutcome {
        try test.write { try ServersWriter($0, clock: TestStore.clock).set(changes, of: (user ?? alice).id) }
    }

    func entry(_ text: String, isEnabled: Bool = true, tested: Bool? = nil) throws -> Changes.ServerEntry {
        Changes.ServerEntry(address: try ServerAddress(text), isEnabled: isEnabled, tested: tested)
    }

    func entry(
        relay host: String, key: Int = 0, name: String = "", isEnabled: Bool = true, tested: Bool? = nil
    ) throws -> Changes.RelayEntry {
        Changes.RelayEntry(
            address: try RelayAddress(relay(host, key: key)), name: name, isEnabled: isEnabled, tested: tested)
    }

    func servers(_ user: User? = nil) throws -> [ProtocolServer] {
        try test.read { try ServersRepo($0).all(of: (user ?? alice).id) }
    }

    func relays(includingDeleted: Bool = false) throws -> [ChatRelay] {
        try test.read { try ChatRelaysRepo($0).all(of: alice.id, includingDeleted: includingDeleted) }
    }

    func addOperator() throws -> ServerOperator {
        try test.write {
            try OperatorsWriter($0).add(
                tag: nil, tradeName: "Op", legalName: nil, domains: ["op.example"], isEnabled: true,
                smpRoles: .ofOwnServers, xftpRoles: .ofOwnServers)
        }
    }

    func refused(_ changes: Changes, _ code: String, of user: UserID? = nil) throws {
        let before = try test.read { try TwoProfiles.rows(of: Things(number: 1, name: ""), $0) }
        // Within one transaction that is committed all the same: nothing may have been written.
        try test.write { chat in
            let error = #expect(throws: ServersError.self) {
                try ServersWriter(chat, clock: TestStore.clock).set(changes, of: user ?? alice.id)
            }
            #expect(error?.code == code, "\(error?.message ?? "")")
        }
        #expect(try test.read { try TwoProfiles.rows(of: Things(number: 1, name: ""), $0) } == before)
    }

    @Test("entries are added, changed and deleted together, and entries that are not named stay")
    func set() throws {
        let two = try test.addRelay("r2.example", name: "Two", of: alice)
        let other = try test.write { try ServersWriter($0).add(server("s9.example"), of: alice.id) }
        let roles = ServerRoleChoices(storage: false, names: true)
        var changed = try entry(server("s2.example", password: "p"), tested: true)
        changed.roles = roles
        let outcome = try set(
            Changes(
                servers: [
                    .change(smp.id, changed), .delete(other.id),
                    .add(try entry(server("s3.example:5223"), isEnabled: false, tested: false)),
                    .add(try entry(server("s4.example"))),
                ],
                relays: [
                    .change(one.id, try entry(relay: "r1.example", name: " Uno ", isEnabled: false, tested: false)),
                    .add(try entry(relay: "r3.example", name: "One", isEnabled: false, tested: true)),
                ]))
        let now = try servers()
        #expect(now.map(\.primaryHost) == ["s2.example", "s3.example", "s4.example", "xftp.op.example"])
        #expect(now[0].id == smp.id && now[0].roles == roles && now[0].password == "p" && now[0].tested == nil)
        #expect(!now[1].isEnabled && now[1].tested == false && now[1].port == "5223" && now[3] == files)
        let relays = try relays()
        #expect(relays.map(\.name) == ["Uno", "Two", "One"] && relays[1] == two)
        #expect(!relays[0].isEnabled && relays[0].tested == false && relays[0].testedAt != nil)
        #expect(!relays[2].isEnabled && relays[2].tested == true && relays[2].testedAt != nil)
        #expect(outcome.groups == (try test.read { try ServersRepo($0).grouped(of: alice.id) }))
        #expect(outcome.validation.isValid && outcome.validation.warnings.isEmpty)
    }

    @Test("servers and relays can take over each other's addresses")
    func swap() throws {
        let other = try test.write { try ServersWriter($0).add(server("s9.example"), of: alice.id) }
        let two = try test.addRelay("r2.example", name: "Two", of: alice)
        _ = try set(
            Changes(
                servers: [
                    .change(smp.id, try entry(server("s9.example"))),
                    .change(other.id, try entry(server("smp.op.example"))),
                ],
                relays: [
                    .change(one.id, try entry(relay: "r2.example", name: "Two")),
                    .change(two.id, try entry(relay: "r1.example", name: "One")),
                ]))
        #expect(try servers().map(\.primaryHost) == ["s9.example", "smp.op.example", "xftp.op.example"])
        #expect(try relays().map(\.address) == [relay("r2.example"), relay("r1.example")])
        #expect(try relays().map(\.name) == ["Two", "One"])
    }

    @Test("a relay in use that is deleted is kept for its channels, and added again in the same change it comes back")
    func relaysInUse() throws {
        try test.addChannel("c", relays: [one], of: alice)
        _ = try set(Changes(relays: [.delete(one.id)]))
        #expect(try relays().isEmpty && relays(includingDeleted: true).map(\.id) == [one.id])
        _ = try set(Changes(relays: [.add(try entry(relay: "r1.example", name: "Uno"))]))
        #expect(try relays().map(\.id) == [one.id])
        _ = try set(Changes(relays: [.delete(one.id), .add(try entry(relay: "r1.example", name: "Une"))]))
        #expect(try relays().map(\.id) == [one.id] && relays().map(\.name) == ["Une"])
        try refused(Changes(relays: [.change(one.id, try entry(relay: "r2.example"))]), "relayInUse")
    }

    @Test("changes that leave the profile with errors are refused")
    func validated() throws {
        try refused(Changes(servers: [.delete(smp.id)]), "validationFailed")
        try refused(
            Changes(servers: [.change(files.id, try entry(server("f.example", .xftp), isEnabled: false))]),
            "validationFailed")
        try refused(Changes(servers: [.add(try entry(server("smp.op.example:5223")))]), "validationFailed")
        try refused(Changes(relays: [.add(try entry(relay: "r2.example", name: "ONE"))]), "validationFailed")
        try refused(Changes(relays: [.add(try entry(relay: "R1.example"))]), "validationFailed")
        // Together with what makes up for it, the same goes.
        _ = try set(Changes(servers: [.delete(smp.id), .add(try entry(server("s2.example")))]))
    }

    @Test("each change has the errors that it has alone")
    func singleErrors() throws {
        let preset = try test.write { try ServersWriter($0).add(server("p.example"), of: alice.id) }
        let presetRelay = try test.addRelay("p.example", name: "P", of: alice)
        try test.write { chat in
            try chat.run("UPDATE protocol_servers SET preset = 1 WHERE smp_server_id = \(preset.id)")
            try chat.run("UPDATE chat_relays SET preset = 1 WHERE chat_relay_id = \(presetRelay.id)")
        }
        var names = try entry(server("f.example", .xftp))
        names.roles = ServerRoleChoices(names: true)
        let off = ServerRoles(storage: true, proxy: true, names: true)
        let cases: [(Changes, String)] = [
            (Changes(servers: [.delete(preset.id)]), "presetServerCannotBeDeleted"),
            (Changes(servers: [.change(preset.id, try entry(server("q.example")))]), "presetServerCannotBeEdited"),
            (Changes(servers: [.change(smp.id, try entry(server("q.example", .xftp)))]), "otherProtocol"),
            (Changes(servers: [.add(names)]), "noNamesRole"),
            (Changes(servers: [.delete(ProtocolServerID(0)), .add(names)]), "serverNotFound"),
            (Changes(relays: [.delete(presetRelay.id)]), "presetRelayCannotBeDeleted"),
            (Changes(relays: [.change(presetRelay.id, try entry(relay: "p.example"))]), "presetRelayCannotBeEdited"),
            (Changes(relays: [.add(try entry(relay: "q.example", name: "\u{7}"))]), "invalidRelayName"),
            (Changes(relays: [.delete(one.id), .delete(one.id)]), "relayNotFound"),
            (
                Changes(operators: [.init(id: ServerOperatorID(9), isEnabled: true, smpRoles: off, xftpRoles: off)]),
                "operatorNotFound"
            ),
        ]
        for (changes, code) in cases { try refused(changes, code) }
        try refused(Changes(), "profileNotFound", of: UserID(99))
        // A preset can be switched off.
        _ = try set(
            Changes(
                servers: [.change(preset.id, try entry(server("p.example"), isEnabled: false))],
                relays: [.change(presetRelay.id, try entry(relay: "p.example", name: "P", isEnabled: false))]))
        #expect(try servers()[0].isEnabled == false && relays()[0].isEnabled == false)
    }
}
