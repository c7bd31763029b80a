import ChatDBKit
import Testing

@Suite struct ChoosingRelaysTests {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    private func choose(_ count: Int, seed: UInt64 = 1) throws -> [ChatRelay] {
        var random = SplitMix64(seed: seed)
        return try test.read { try ChatRelaysRepo($0).choose(count, of: alice.id, using: &random) }
    }

    @Test("relays that are disabled, deleted, or of an operator that is off are not chosen")
    func choosable() throws {
        let own = try test.addRelay("r1.example", domains: ["own.example"], of: alice)
        let on = try test.addRelay("r2.example", domains: ["x.example", "on.example"], of: alice)
        let off = try test.addRelay("r3.example", domains: ["off.example"], of: alice)
        let below = try test.addRelay("r4.example", domains: ["sub.off.example"], of: alice)
        let disabled = try test.addRelay("r5.example", of: alice)
        let deleted = try test.addRelay("r6.example", of: alice)
        try test.addChannel("c", relays: [deleted], of: alice)
        try test.write { chat in
            let roles = ServerRoles(storage: true, proxy: true)
            for (name, isEnabled) in [("on", true), ("off", false)] {
                try OperatorsWriter(chat).add(
                    tag: nil, tradeName: name, legalName: nil, domains: ["\(name).example"], isEnabled: isEnabled,
                    smpRoles: roles, xftpRoles: roles)
            }
            try chat.run("UPDATE chat_relays SET enabled = 0 WHERE chat_relay_id = \(disabled.id)")
            _ = try ChatRelaysWriter(chat).delete(deleted.id, of: alice.id)
        }
        let choosable = try test.read { try ChatRelaysRepo($0).choosable(of: alice.id) }
        #expect(choosable == [own, on, below])
        let error = #expect(throws: GroupsError.self) { try test.addChannel("d", relays: [off], of: alice) }
        #expect(error == .relayDisabled(off))
    }

    @Test("a relay whose stored address is not valid is not chosen, and refused where it is named or switched on")
    func invalidAddress() throws {
        let relay = try test.addRelay("r1.example", of: alice)
        let off = try test.addRelay("r2.example", of: alice)
        try test.write { chat in
            try chat.run("UPDATE chat_relays SET address = 'x'")
            try chat.run("UPDATE chat_relays SET enabled = 0 WHERE chat_relay_id = \(off.id)")
        }
        #expect(try test.read { try ChatRelaysRepo($0).choosable(of: alice.id) }.isEmpty)
        #expect(throws: ChatRelaysError.noEnabledRelays) { try choose(1) }
        let named = #expect(throws: GroupsError.self) { try test.addChannel("c", relays: [relay], of: alice) }
        #expect(named?.code == "relayAddressNotValid")
        let enabling = #expect(throws: ChatRelaysError.self) {
            try test.write { try ChatRelaysWriter($0).setEnabled(off.id, true, of: alice.id) }
        }
        #expect(enabling?.code == "relayAddressNotValid")
        try test.write { try ChatRelaysWriter($0).setEnabled(relay.id, false, of: alice.id) }
        let readiness = try test.read { try StoreFacts(of: $0) }.profiles[0].readiness
        #expect(!readiness.isPossible && readiness.disabled == 2 && readiness.invalidAddress == 0)
    }

    @Test("a contact address in its long form is the address of a relay, and the link of a group or channel is none")
    func otherForms() throws {
        let relay = try test.addRelay("r1.example", of: alice)
        let addresses = [
            (LinkSpellingTests.full, true), ("https://h.example/a#\(key(1))", true), (LinkSpellingTests.short, false),
            ("https://h.example/g#\(key(1))", false), ("", false),
        ]
        for (address, isValid) in addresses {
            try test.write { chat in
                try chat.run("UPDATE chat_relays SET address = \(address) WHERE chat_relay_id = \(relay.id)")
            }
            let choosable = try test.read { try ChatRelaysRepo($0).choosable(of: alice.id) }
            #expect(choosable.count == (isValid ? 1 : 0), "\(address)")
        }
    }

    @Test("the same seed chooses the same relays, another may choose others, and no relay is chosen twice")
    func seeded() throws {
        for number in 0..<8 { try test.addRelay("r\(number).example", of: alice) }
        let chosen = try choose(3, seed: 5)
        #expect(try choose(3, seed: 5) == chosen)
        #expect(chosen.count == 3 && Set(chosen.map(\.id)).count == 3)
        let sets = try Set((0..<40).map { try choose(3, seed: $0).map(\.id) })
        #expect(sets.count > 10)
    }

    @Test("choosing fails without an enabled relay; with too few, the error has their number")
    func tooFew() throws {
        #expect(throws: ChatRelaysError.noEnabledRelays) { try choose(1) }
        try test.addRelay("r1.example", of: alice)
        let error = #expect(throws: ChatRelaysError.self) { try choose(2) }
        #expect(error == .notEnoughRelays(wanted: 2, enabled: 1) && error?.code == "notEnoughRelays")
        #expect(try choose(1).count == 1)
    }
}
