import Engine
import Repos
import Schema
import Testing

@Suite struct PresetSyncTests {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        try test.write { _ = try PresetSync.start(Self.preset, for: alice.id, in: $0, seed: 1, clock: TestStore.clock) }
    }

    /// Two operators: op.example with two servers and three relays of which one is used, and another.
    private static var preset: PresetFile {
        get throws {
            PresetFile(operators: [
                PresetOperator(
                    tag: .simplex, tradeName: "Op", domains: ["op.example"], use: PresetUse(smp: 1, xftp: 0, relays: 1),
                    entries: PresetEntries(
                        smpServers: try ["s1", "s2"].map {
                            PresetServer(address: try ServerAddress(server("\($0).op.example")))
                        },
                        relays: try (1...3).map { try relayEntry($0) })),
                PresetOperator(
                    tag: .flux, tradeName: "Other", domains: ["other.example"],
                    entries: PresetEntries(smpServers: [
                        PresetServer(address: try ServerAddress(server("s1.other.example")))
                    ])),
            ])
        }
    }

    private static func relayEntry(_ number: Int, name: String? = nil) throws -> PresetRelay {
        PresetRelay(
            name: name ?? "Relay \(number)", address: try RelayAddress(relay("r\(number).op.example")),
            domains: ["op.example"])
    }

    /// The preset with its first operator changed.
    private func changed(_ change: (inout PresetOperator) throws -> Void) throws -> PresetFile {
        var preset = try Self.preset
        try change(&preset.operators[0])
        return preset
    }

    @discardableResult
    private func sync(_ preset: PresetFile, seed: UInt64 = 1) throws -> PresetPlan {
        try test.write { try PresetSync.apply(preset, to: alice.id, in: $0, seed: seed, clock: TestStore.clock) }
    }

    private func relays() throws -> [ChatRelay] {
        try test.read { try ChatRelaysRepo($0).all(of: alice.id) }
    }

    private func set(_ assignments: Query, _ relay: ChatRelay) throws {
        try test.write {
            try $0.run("UPDATE chat_relays SET \(assignments) WHERE chat_relay_id = \(relay.id)")
        }
    }

    @Test("a sync with the preset a profile was started with changes nothing")
    func nothingToDo() throws {
        let plan = try sync(try Self.preset, seed: 99)
        #expect(plan.changes.isEmpty && !plan.changesAnything && plan.unchanged == 2 + 3 + 3)
    }

    @Test(
        "names, domains and the text of addresses follow; enabled stays as the user has it, and another text is untested"
    )
    func follows() throws {
        let before = try relays()
        try set("enabled = 0, tested = 1, tested_at = '2026-01-01 00:00:00.000'", before[0])
        let preset = try changed {
            $0.tradeName = "New Op"
            $0.entries.relays[0] = PresetRelay(
                name: "Renamed", address: try RelayAddress("simplex:/r#\(key(0))?h=r1.op.example"),
                domains: ["op.example", "new.example"])
        }
        let plan = try sync(preset)
        #expect(plan.changes.map(\.action) == [.update, .update] && plan.changes.map(\.kind) == [.operator, .relay])
        #expect(plan.changes[1].fields.map(\.name) == ["name", "address", "domains", "tested"])
        #expect(plan.changes[1].fields[0].from == .text("Relay 1") && plan.changes[1].fields[0].to == .text("Renamed"))
        let after = try relays()[0]
        #expect(after.id == before[0].id && after.name == "Renamed" && after.domains == ["op.example", "new.example"])
        #expect(
            after.address.hasPrefix("simplex:") && !after.isEnabled && after.tested == nil && after.testedAt == nil)
        #expect(try test.read { try OperatorsRepo($0).all().map(\.tradeName) } == ["New Op", "Other"])
        #expect(try !sync(preset).changesAnything)
    }

    @Test("a server's hosts and key hash follow; its password stays with the key hash unless the preset has another")
    func serverFollows() throws {
        try test.write { try $0.run("UPDATE protocol_servers SET basic_auth = 'old', tested = 0") }
        let preset = try changed {
            $0.entries.smpServers[0].address = try ServerAddress("smp://\(key(1))=@s1.op.example,b.onion")
            $0.entries.smpServers[1].address = try ServerAddress(server("s2.op.example", password: "new"))
        }
        let plan = try sync(preset)
        #expect(
            plan.changes.map { $0.fields.map(\.name) } == [["address", "password", "tested"], ["password", "tested"]])
        #expect(plan.changes[1].fields[0].from == .secret && plan.changes[1].fields[0].to == .secret)
        let servers = try test.read { try ServersRepo($0).all(of: alice.id) }
        #expect(servers[0].hosts == ["s1.op.example", "b.onion"] && servers[0].keyHash == key(1) + "=")
        #expect(servers.map(\.password) == [nil, "new", "old"] && servers.map(\.tested) == [nil, nil, false])
    }

    @Test("what the list has no more goes, a relay that channels refer to softly; other operators' entries stay")
    func gone() throws {
        let before = try relays()
        try set("enabled = 1", before[0])
        try set("enabled = 1", before[1])
        try test.addChannel("c", relays: [before[0]], of: alice)
        var preset = try changed { $0.entries = PresetEntries(relays: [try Self.relayEntry(3)]) }
        preset.operators.removeLast()
        let plan = try sync(preset)
        #expect(plan.changes.map(\.action) == [.remove, .remove, .softDelete, .remove])
        #expect(plan.changes.map(\.channelsUsing) == [nil, nil, 1, 0])
        #expect(try relays().map(\.id) == [before[2].id])
        let all = try test.read { try ChatRelaysRepo($0).all(of: alice.id, includingDeleted: true) }
        #expect(all.filter(\.isDeleted).map(\.id) == [before[0].id])
        #expect(try test.read { try ServersRepo($0).all(of: alice.id).map(\.primaryHost) } == ["s1.other.example"])

        // Listed again, it comes back with its id.
        let back = try sync(
            try changed { $0.entries = PresetEntries(relays: [try Self.relayEntry(1), try Self.relayEntry(3)]) })
        #expect(back.changes.contains { $0.action == .restore && $0.channelsUsing == 1 })
        #expect(try relays().map(\.id).contains(before[0].id) && relays().allSatisfy(\.isPreset))
    }

    @Test("new entries are enabled up to the operator's use, counting those that are enabled already")
    func newOnes() throws {
        let more = try changed {
            $0.entries.relays += try (4...7).map { try Self.relayEntry($0) }
        }
        #expect(try sync(more).changes.allSatisfy { $0.fields.last?.to == .flag(false) }, "one is enabled already")
        #expect(try relays().count == 7 && relays().count(where: \.isEnabled) == 1)
        let wider = try changed {
            $0.use = PresetUse(smp: 1, xftp: 0, relays: 3)
            $0.entries.relays = more.operators[0].entries.relays + (try (8...11).map { try Self.relayEntry($0) })
        }
        try sync(wider)
        #expect(try relays().count == 11 && relays().count(where: \.isEnabled) == 3)
    }

    @Test("an entry the profile has as its own, and a name that its own relay has, are conflicts and not taken")
    func conflicts() throws {
        let own = try test.addRelay("r4.op.example", name: "Mine", of: alice)
        let named = try test.addRelay("other.example", name: "relay 5", of: alice)
        try test.write { _ = try ServersWriter($0).add(server("s3.op.example"), of: alice.id) }
        let preset = try changed {
            $0.entries.relays += [try Self.relayEntry(4), try Self.relayEntry(5)]
            $0.entries.relays[0].name = "MINE"
            $0.entries.relays[0].domains = []
            $0.entries.smpServers.append(PresetServer(address: try ServerAddress(server("s3.op.example"))))
        }
        let plan = try sync(preset)
        #expect(plan.changes.filter { $0.action == .conflict }.map(\.kind) == [.smpServer, .relay, .relay, .relay])
        #expect(plan.changes.filter { $0.action == .conflict }.allSatisfy { $0.reason != nil })
        let after = try relays()
        #expect(after.filter { !$0.isPreset } == [own, named])
        #expect(after[0].name == "Relay 1" && after[0].domains.isEmpty, "what does not clash is taken")
        #expect(try !sync(preset).changesAnything, "conflicts change nothing, each time")
    }

    @Test("an entry that moves from one operator's list to another's stays")
    func moved() throws {
        var preset = try Self.preset
        preset.operators[1].entries.relays.append(preset.operators[0].entries.relays.removeFirst())
        preset.operators[1].entries.smpServers.append(preset.operators[0].entries.smpServers.removeFirst())
        let before = try relays()
        #expect(try !sync(preset).changesAnything)
        #expect(try relays() == before)
    }

    @Test("a relay that may not take its new name keeps the old one, which no other takes then")
    func keptNames() throws {
        try test.addRelay("own.example", name: "Mine", of: alice)
        let preset = try changed {
            $0.entries.relays[0].name = "Mine"
            $0.entries.relays[1].name = "Relay 1"
            $0.entries.relays[2].name = "Relay 2"
        }
        let plan = try sync(preset)
        #expect(plan.changes.map(\.action) == [.conflict, .conflict, .conflict])
        #expect(try relays().map(\.name) == ["Relay 1", "Relay 2", "Relay 3", "Mine"])
    }

    @Test("no two operators of a preset are taken for the same one of the store")
    func operatorsWithoutTag() throws {
        try sync(PresetFile(operators: [PresetOperator(tag: nil, tradeName: "A", domains: ["a.example"])]))
        let preset = PresetFile(operators: [
            PresetOperator(tag: nil, tradeName: "A"), PresetOperator(tag: nil, tradeName: "B", domains: ["a.example"]),
        ])
        #expect(try sync(preset).changes.map(\.action) == [.add, .update])
        #expect(try test.read { try OperatorsRepo($0).all().suffix(2).map(\.tradeName) } == ["B", "A"])
        #expect(try !sync(preset).changesAnything)
    }

    @Test("two preset relays may swap their names")
    func swap() throws {
        let preset = try changed {
            $0.entries.relays[0].name = "Relay 2"
            $0.entries.relays[1].name = "Relay 1"
        }
        #expect(try sync(preset).changes.map(\.action) == [.update, .update])
        #expect(try relays().map(\.name) == ["Relay 2", "Relay 1", "Relay 3"])
    }

    @Test("a plan is what is then done, and planning changes nothing")
    func planIsWhatIsDone() throws {
        let preset = try changed {
            $0.entries.relays = try (2...6).map { try Self.relayEntry($0) }
            $0.use = nil
        }
        let before = try relays()
        let plan = try test.read { try PresetSync.plan(preset, for: alice.id, in: $0, seed: 3) }
        #expect(try relays() == before)
        #expect(try sync(preset, seed: 3) == plan)
        #expect(plan.changesAnything && plan.unchanged == 2 + 3 + 2)
        #expect(try !sync(preset, seed: 4).changesAnything)
    }

    @Test("no other profile is touched")
    func isolation() throws {
        let bob = try test.addUser("bob")
        try test.write { _ = try PresetSync.start(try Self.preset, for: bob.id, in: $0, seed: 2) }
        let before = try test.read { try PresetExport(of: bob.id, in: $0).file().file }
        try sync(try changed { $0.entries = PresetEntries() })
        #expect(try test.read { try PresetExport(of: bob.id, in: $0).file().file } == before)
        #expect(try relays().isEmpty)
        let error = #expect(throws: PresetError.self) {
            try test.write { try PresetSync.apply(try Self.preset, to: UserID(99), in: $0, seed: 1) }
        }
        #expect(error?.code == "profileNotFound")
    }

    @Test("generated presets: what was synced once changes nothing the second time", arguments: 0..<100)
    func twice(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<3 {
            let preset = try random.preset()
            if preset.operators.isEmpty { continue }
            try sync(preset, seed: seed)
            let again = try test.read { try PresetSync.plan(preset, for: alice.id, in: $0, seed: seed + 1) }
            #expect(!again.changesAnything, "\(again.changes)")
        }
    }
}
