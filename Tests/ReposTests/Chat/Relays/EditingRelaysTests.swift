import ChatDBKit
import Testing

@Suite struct EditingRelaysTests {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    private func edit(
        _ relay: ChatRelay, address: String? = nil, name: String? = nil, domains: [String]? = nil
    ) throws -> ChatRelay {
        try test.write {
            try ChatRelaysWriter($0, clock: TestStore.clock).edit(
                relay.id, address: address, name: name, domains: domains, of: alice.id)
        }
    }

    private func get(_ relay: ChatRelay) throws -> ChatRelay {
        try test.read { try ChatRelaysRepo($0).get(relay.id, of: alice.id) }
    }

    private func setTested(_ relay: ChatRelay, _ passed: Bool?) throws {
        try test.write {
            try ChatRelaysWriter($0, clock: TestStore.clock).setTested(relay.id, passed, of: alice.id)
        }
    }

    private func delete(_ relay: ChatRelay) throws {
        try test.write { _ = try ChatRelaysWriter($0).delete(relay.id, of: alice.id) }
    }

    @Test("a custom relay gets another name and other domains, and keeps its test and all values that are not given")
    func nameAndDomains() throws {
        let one = try test.addRelay("r1.example", name: "One", domains: ["a.example"], of: alice)
        try setTested(one, true)
        let renamed = try edit(one, name: " Uno ")
        #expect(renamed.name == "Uno" && renamed.domains == ["a.example"] && renamed.tested == true)
        let moved = try edit(one, domains: ["B.example", "b.example"])
        #expect(moved.name == "Uno" && moved.domains == ["b.example"] && moved.address == one.address)
        #expect(try edit(one, name: "").name == "" && get(one).testedAt != nil)
        #expect(try edit(one) == get(one))
    }

    @Test("another address makes a relay untested")
    func address() throws {
        let one = try test.addRelay("r1.example", name: "One", of: alice)
        try setTested(one, true)
        let moved = try edit(one, address: relay("r2.example"))
        #expect(moved.address == relay("r2.example") && moved.id == one.id && moved.name == "One")
        #expect(moved.tested == nil && moved.testedAt == nil)
        #expect(
            try test.read { try ChatRelaysRepo($0).find(sameAs: RelayAddress(relay("r1.example")), of: alice.id) }
                == nil)
        try setTested(one, false)
        #expect(try edit(one, address: relay("r2.example")).tested == false, "the same text is no change")
    }

    @Test("while a channel refers to a relay, one that was left too, its address leads to the same relay")
    func addressInUse() throws {
        let one = try test.addRelay("r1.example", name: "One", of: alice)
        let channel = try test.addChannel("c", relays: [one], of: alice)
        #expect(throws: ChatRelaysError.relayInUse(one, channelsUsing: 1)) {
            try edit(one, address: relay("r2.example"), name: "Other")
        }
        try test.setOwnStatus(.left, in: channel)
        let error = #expect(throws: ChatRelaysError.self) { try edit(one, address: relay("r1.example", key: 1)) }
        #expect(error == .relayInUse(one, channelsUsing: 0) && error?.code == "relayInUse")
        #expect(try get(one) == one)
        let two = try test.addRelay("r2.example", of: alice)
        let other = #expect(throws: ChatRelaysError.self) { try edit(one, address: relay("r2.example")) }
        #expect(other == .duplicateRelayAddress(existing: two, given: two.address), "no new relay can have the address")
        try setTested(one, true)
        let text = "simplex:/r#\(key(0))?h=R1.example,spare.example"
        let same = try edit(one, address: text)
        #expect(same.address == text && same.addressKey == one.addressKey && same.tested == nil)
        #expect(try edit(one, name: "Other").name == "Other")
    }

    @Test("an edited relay differs from all others of its profile, and may keep its own values")
    func duplicates() throws {
        let one = try test.addRelay("r1.example", name: "One", of: alice)
        let two = try test.addRelay("r2.example", name: "Two", of: alice)
        let again = "simplex:/r#\(key(0))?h=R2.EXAMPLE"
        #expect(throws: ChatRelaysError.duplicateRelayAddress(existing: two, given: again)) {
            try edit(one, address: again)
        }
        #expect(throws: ChatRelaysError.duplicateRelayName(existing: two, given: "TWO")) { try edit(one, name: " TWO") }
        #expect(try [get(one), get(two)] == [one, two])
        #expect(try edit(one, address: one.address, name: "ONE").name == "ONE")
        // A deleted relay causes no conflict.
        try test.addChannel("c", relays: [two], of: alice)
        try delete(two)
        #expect(try edit(one, address: again, name: "Two").name == "Two")
    }

    @Test(
        "preset, deleted and missing relays are not edited; an invalid address, name or domain is refused"
    )
    func refused() throws {
        let preset = try test.addRelay("r1.example", of: alice)
        let deleted = try test.addRelay("r2.example", of: alice)
        let one = try test.addRelay("r3.example", of: alice)
        try test.addChannel("c", relays: [deleted], of: alice)
        try test.write { chat in
            try chat.run("UPDATE chat_relays SET preset = 1 WHERE chat_relay_id = \(preset.id)")
        }
        try delete(deleted)
        let attempts: [(relay: ChatRelay, address: String?, name: String?, domains: [String]?, code: String)] = [
            (preset, nil, "x", nil, "presetRelayCannotBeEdited"), (deleted, nil, "x", nil, "relayNotFound"),
            (one, "https://r.example/g#\(key(0))", nil, nil, "invalidRelayAddress"),
            (one, nil, "a\u{9B}b", nil, "invalidRelayName"), (one, nil, nil, ["a b"], "invalidRelayDomain"),
        ]
        for attempt in attempts {
            let error = #expect(throws: ChatRelaysError.self) {
                try edit(attempt.relay, address: attempt.address, name: attempt.name, domains: attempt.domains)
            }
            #expect(error?.code == attempt.code)
        }
        #expect(try get(one) == one)
    }

    @Test("a relay is switched off and on, a preset one too; its channels keep it")
    func enable() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let two = try test.addRelay("r2.example", of: alice)
        try test.addChannel("c", relays: [one], of: alice)
        try test.write { chat in
            try chat.run("UPDATE chat_relays SET preset = 1 WHERE chat_relay_id = \(one.id)")
            try ChatRelaysWriter(chat).setEnabled(one.id, false, of: alice.id)
        }
        #expect(try !get(one).isEnabled)
        let (enabled, choosable, use) = try test.read { chat in
            let relays = ChatRelaysRepo(chat)
            return try (
                relays.enabled(of: alice.id), relays.choosable(of: alice.id), relays.use(of: one.id, of: alice.id)
            )
        }
        #expect(enabled == [two] && choosable == [two] && use.using == 1)
        try test.write { try ChatRelaysWriter($0).setEnabled(one.id, true, of: alice.id) }
        #expect(try get(one).isEnabled)
    }

    @Test("a test result is stored with its time, and removed without a time")
    func tested() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let two = try test.addRelay("r2.example", of: alice)
        for passed in [true, false] {
            try setTested(one, passed)
            #expect(try get(one).tested == passed && get(one).testedAt == StoredTime(text: "2026-07-20 09:05:00.120"))
        }
        try setTested(one, nil)
        #expect(try get(one).tested == nil && get(one).testedAt == nil && get(two) == two)
    }

    @Test("methods that switch or test relays do not find a soft-deleted one")
    func deletedNotFound() throws {
        let one = try test.addRelay("r1.example", of: alice)
        try test.addChannel("c", relays: [one], of: alice)
        try delete(one)
        #expect(throws: ChatRelaysError.relayNotFound(.id(one.id))) { try setTested(one, true) }
        #expect(throws: ChatRelaysError.relayNotFound(.id(one.id))) {
            try test.write { try ChatRelaysWriter($0).setEnabled(one.id, false, of: alice.id) }
        }
    }

    @Test("\"test all\" leaves out relays that are disabled, deleted, or of an operator that is off")
    func testable() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let disabled = try test.addRelay("r2.example", of: alice)
        let off = try test.addRelay("r3.example", domains: ["off.example"], of: alice)
        let deleted = try test.addRelay("r4.example", of: alice)
        try test.addChannel("c", relays: [deleted], of: alice)
        try delete(deleted)
        try test.write { chat in
            try ChatRelaysWriter(chat).setEnabled(disabled.id, false, of: alice.id)
            try OperatorsWriter(chat).add(
                tag: nil, tradeName: "Off", legalName: nil, domains: ["off.example"], isEnabled: false,
                smpRoles: .ofOwnServers, xftpRoles: .ofOwnServers)
        }
        let (testable, enabled) = try test.read { chat in
            try (ChatRelaysRepo(chat).testable(of: alice.id), ChatRelaysRepo(chat).enabled(of: alice.id))
        }
        #expect(testable == [one] && enabled == [one, off])
    }
}
