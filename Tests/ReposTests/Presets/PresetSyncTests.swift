import ChatDBKit
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
    static var preset: PresetFile {
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

    static func relayEntry(_ number: Int, name: String? = nil) throws -> PresetRelay {
        PresetRelay(
            name: name ?? "Relay \(number)", address: try RelayAddress(relay("r\(number).op.example")),
            domains: ["op.example"])
    }

    /// The preset with its first operator changed.
    func changed(_ change: (inout PresetOperator) throws -> Void) throws -> PresetFile {
        var preset = try Self.preset
        try change(&preset.operators[0])
        return preset
    }

    @discardableResult
    func sync(_ preset: PresetFile, seed: UInt64 = 1) throws -> PresetPlan {
        try test.write { try PresetSync.apply(preset, to: alice.id, in: $0, seed: seed, clock: TestStore.clock) }
    }

    func relays() throws -> [ChatRelay] {
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

    @Test(
        "entries that are no longer in the list are removed, relays in use are soft-deleted; other operators' entries stay"
    )
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

    @Test(
        "a relay that comes back keeps its switch and counts for the operator's use; one that the user deleted is off")
    func returning() throws {
        let before = try relays()
        for relay in before { try set("enabled = \(relay.id != before[1].id)", relay) }
        try test.addChannel("c", relays: [before[0], before[2]], of: alice)
        try test.write { chat in
            var random = SplitMix64(seed: 3)
            try chat.run("UPDATE chat_relays SET enabled = 1 WHERE chat_relay_id = \(before[1].id)")
            _ = try GroupsWriter(chat).createChannel(named: "d", relays: [before[1].id], of: alice.id, using: &random)
            try chat.run("UPDATE chat_relays SET enabled = 0 WHERE chat_relay_id = \(before[1].id)")
        }
        try sync(try changed { $0.entries.relays = [] })
        #expect(try relays().isEmpty)
        // The user takes the third one as their own, and deletes it.
        try test.write { chat in
            let writer = ChatRelaysWriter(chat)
            _ = try writer.delete(writer.add(relay("r3.op.example"), of: alice.id).relay.id, of: alice.id)
        }
        let plan = try sync(
            try changed {
                $0.use = PresetUse(smp: 1, xftp: 0, relays: 2)
                $0.entries.relays += try (4...6).map { try Self.relayEntry($0) }
            })
        let relayChanges = plan.changes.filter { $0.kind == .relay }
        #expect(relayChanges.map(\.action) == [.restore, .restore, .restore, .add, .add, .add])
        #expect(
            relayChanges.map(\.reason).prefix(3) == [
                nil, "comes back disabled, as the user left it", "comes back disabled, because the user deleted it",
            ])
        let after = try relays()
        #expect(after.prefix(3).map(\.id) == before.map(\.id) && after.allSatisfy(\.isPreset))
        #expect(after.prefix(3).map(\.isEnabled) == [true, false, false])
        #expect(after.count(where: \.isEnabled) == 2, "one new relay, because one that came back is enabled")
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

    @Test("applying makes exactly the changes of the plan, and planning changes nothing")
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

    @Test("other profiles do not change")
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

    @Test("generated presets: a second sync changes nothing", arguments: 0..<100)
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
