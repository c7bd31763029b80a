import ChatDBKit
import Testing

@Suite struct PresetStartTests {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    @discardableResult
    private func start(_ preset: PresetFile, _ user: User, seed: UInt64 = 1) throws -> PresetPlan {
        try test.write { try PresetSync.start(preset, for: user.id, in: $0, seed: seed, clock: TestStore.clock) }
    }

    private func servers(_ user: User) throws -> [ProtocolServer] {
        try test.read { try ServersRepo($0).all(of: user.id) }
    }

    private func relays(_ user: User) throws -> [ChatRelay] {
        try test.read { try ChatRelaysRepo($0).all(of: user.id) }
    }

    @Test("a new profile gets all entries as presets, and of each operator exactly as many enabled as its use says")
    func bundled() throws {
        let preset = try BundledPresets.preset()
        try start(preset, alice)
        let operators = try test.read { try OperatorsRepo($0).all() }
        #expect(
            operators.map(\.tag) == [.simplex, .flux] && operators.map(\.legalName) == preset.operators.map(\.legalName)
        )
        let servers = try servers(alice)
        let relays = try relays(alice)
        #expect(servers.count == 14 + 6 + 6 + 6 && relays.count == 3)
        #expect(servers.allSatisfy(\.isPreset) && relays.allSatisfy(\.isPreset))
        for (own, use) in zip(operators, preset.operators.map(\.use)) {
            let enabled = servers.filter { $0.isEnabled && operators.owner(of: $0) == own }
            #expect(enabled.count { $0.serverProtocol == .smp } == use?.smp)
            #expect(enabled.count { $0.serverProtocol == .xftp } == use?.xftp)
            #expect(relays.count { $0.isEnabled && operators.owner(of: $0) == own } == use?.relays)
        }
        // Those that the preset disables are never chosen.
        let disabled = Set(preset.operators[0].entries.smpServers.filter { !$0.isEnabled }.map(\.address.primaryHost))
        #expect(disabled.count == 3)
        for seed in 0..<20 {
            let user = try test.addUser("user\(seed)")
            try start(preset, user, seed: UInt64(seed))
            let enabled = Set(try self.servers(user).filter(\.isEnabled).map(\.primaryHost))
            #expect(enabled.isDisjoint(with: disabled))
        }
    }

    @Test("the same seed enables the same entries, and another may enable others")
    func seeded() throws {
        let preset = try BundledPresets.preset()
        let enabled = try [UInt64(7), 7, 8].enumerated().map { index, seed in
            let user = try test.addUser("user\(index)")
            try start(preset, user, seed: seed)
            return try servers(user).filter(\.isEnabled).map(\.primaryHost)
        }
        #expect(enabled[0] == enabled[1] && enabled[0] != enabled[2])
    }

    @Test("an operator that the store has stays as it is, with the user's switches and roles")
    func operatorStays() throws {
        let preset = try BundledPresets.preset()
        try start(preset, alice)
        try test.write { chat in
            try OperatorsWriter(chat).setEnabled(ServerOperatorID(2), false)
            try OperatorsWriter(chat).update(
                ServerOperatorID(2), tradeName: "Mine", legalName: nil, domains: ["simplexonflux.com"])
        }
        let before = try test.read { try OperatorsRepo($0).all() }
        let bob = try test.addUser("bob")
        try start(preset, bob)
        #expect(try test.read { try OperatorsRepo($0).all() } == before)
        #expect(try servers(bob).count == servers(alice).count)
    }

    @Test("custom entries are added as the user's own, as the preset has them; one without its password is disabled")
    func custom() throws {
        let preset = PresetFile(
            custom: PresetEntries(
                smpServers: [
                    PresetServer(address: try ServerAddress(server("s1.example")), isEnabled: false),
                    PresetServer(address: try ServerAddress(server("s2.example")), isPasswordOmitted: true),
                    PresetServer(
                        address: try ServerAddress(server("s3.example", password: "p")),
                        roles: ServerRoleChoices(proxy: false)),
                ], relays: [PresetRelay(name: "One", address: try RelayAddress(relay("r.example")))]))
        let plan = try start(preset, alice)
        let servers = try servers(alice)
        #expect(servers.map(\.isEnabled) == [false, false, true] && servers.allSatisfy { !$0.isPreset })
        #expect(servers[2].password == "p" && servers[2].roles == ServerRoleChoices(proxy: false))
        #expect(plan.notes.count == 1 && plan.notes[0].contains("s2.example"))
        #expect(try relays(alice).map(\.name) == ["One"] && relays(alice).allSatisfy { !$0.isPreset })
    }

    @Test("the export of a profile started with an export has the same bytes", arguments: 0..<40)
    func exportStartExport(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try start(try random.preset(), alice, seed: seed)
        let everything = PresetDisclosure(secrets: true)
        let first = try test.read { try PresetExport(of: alice.id, in: $0).file() }
        #expect(first.notes.isEmpty)
        let other = try TestStore()
        // Another profile before it, so that the ids are others.
        try other.addUser("zoe")
        let bob = try other.addUser("bob")
        let text = first.file.text(everything)
        let read = try PresetFile(parsing: text.utf8)
        try other.write { _ = try PresetSync.start(read, for: bob.id, in: $0, seed: 0) }
        let second = try other.read { try PresetExport(of: bob.id, in: $0).file() }
        #expect(second.file.text(everything) == text)
    }

    @Test("an export has the preset entries under their operators, all else as custom, and nothing soft-deleted")
    func export() throws {
        try start(try BundledPresets.preset(), alice)
        try test.addRelay("own.example", name: "Own", domains: ["simplex.im"], of: alice)
        let gone = try test.addRelay("gone.example", name: "Gone", of: alice)
        try test.addChannel("c", relays: [gone], of: alice)
        try test.write { chat in
            _ = try ChatRelaysWriter(chat).delete(gone.id, of: alice.id)
            _ = try ServersWriter(chat).add(server("smp99.simplex.im", password: "s3cret"), of: alice.id)
            // A preset entry of no operator, and one whose address is none: another app's doing.
            try chat.run(
                """
                INSERT INTO protocol_servers (user_id, host, key_hash, preset) VALUES
                (\(alice.id), 'lost.example', \(key(1) + "="), 1), (\(alice.id), 'broken.example', 'x', 0)
                """)
        }
        let export = try test.read { try PresetExport(of: alice.id, in: $0).file() }
        let file = export.file
        #expect(file.operators.map(\.entries.relays.count) == [3, 0])
        #expect(
            file.operators.map(\.entries.smpServers.count) == [14, 6] && file.operators.allSatisfy { $0.use == nil })
        #expect(file.custom.relays.map(\.name) == ["Own"])
        #expect(file.custom.smpServers.map(\.address.primaryHost).sorted() == ["lost.example", "smp99.simplex.im"])
        #expect(export.notes.count == 1)
        let hosts = file.operators[0].entries.smpServers.map(\.address.primaryHost)
        #expect(hosts == hosts.sorted())
        let text = file.text()
        #expect(!text.contains("s3cret") && !text.contains("\"use\"") && !text.contains("Gone"))
        #expect(try test.read { try PresetExport(of: alice.id, in: $0).file().file.text() } == text)
    }

    @Test("a hidden profile is exported only when it is shown")
    func hidden() throws {
        try test.hide(alice)
        let error = #expect(throws: PresetError.self) {
            try test.read { try PresetExport(of: alice.id, in: $0).file() }
        }
        #expect(error?.code == "profileNotFound")
        #expect(try test.read { try PresetExport(of: alice.id, in: $0, hidden: .shown).file() }.file == PresetFile())
    }
}
