import ChatDBKit
import Testing

// What a preset says of one entry, and another entry, or another list, says too.

extension PresetSyncTests {
    @Test("an entry that the profile has as its own, and the name of an own relay, are conflicts and not imported")
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

    @Test("a relay that cannot get its new name keeps the old one, and no other relay gets that one")
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

    @Test("two operators of a preset are never matched with the same operator of the store")
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
}
