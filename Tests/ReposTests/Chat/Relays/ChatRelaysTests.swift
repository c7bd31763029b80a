import ChatDBKit
import Testing

@Suite struct ChatRelaysTests {
    let test: TestStore
    let alice: User
    let bob: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
    }

    private func list(_ user: User, includingDeleted: Bool = false) throws -> [ChatRelay] {
        try test.read { try ChatRelaysRepo($0).all(of: user.id, includingDeleted: includingDeleted) }
    }

    @Test("a relay is added as the user's own, enabled and untested, with the address as it was given")
    func add() throws {
        let text = "  simplex:/r#\(key(0))?h=R1.example,r2.example&p=443 "
        let added = try test.write {
            try ChatRelaysWriter($0, clock: TestStore.clock).add(
                text, name: " One ", domains: ["Relay.Example", "relay.example"], of: alice.id)
        }
        #expect(added.outcome == .added)
        #expect(added.relay.address == text.trimmingBlanks && added.relay.host == "R1.example")
        #expect(added.relay.name == "One" && added.relay.domains == ["relay.example"])
        #expect(!added.relay.isPreset && added.relay.isEnabled && added.relay.tested == nil && !added.relay.isDeleted)
        #expect(try list(alice) == [added.relay])
    }

    @Test("shown is the first domain, else the name, else the address")
    func shownName() throws {
        let first = try test.addRelay("a.example", name: "A", domains: ["d.example", "e.example"], of: alice)
        let second = try test.addRelay("b.example", name: "B", of: alice)
        let third = try test.addRelay("c.example", of: alice)
        #expect([first, second, third].map(\.shownName) == ["d.example", "B", relay("c.example")])
    }

    @Test("within a profile no two relays are the same, even with different texts of the address; the error names both")
    func duplicateAddress() throws {
        let first = try test.addRelay("r1.example", name: "One", of: alice)
        let other = "simplex:/r#\(key(0))?h=R1.EXAMPLE"
        let error = #expect(throws: ChatRelaysError.self) {
            try test.write { try ChatRelaysWriter($0).add(other, name: "Two", of: alice.id) }
        }
        #expect(error == .duplicateRelayAddress(existing: first, given: other))
        #expect(error?.code == "duplicateRelayAddress")
        #expect(error?.message.contains("\"One\" (id:\(first.id))") == true && error?.message.contains(other) == true)
        // Another key, type or host is another relay; another profile has relays of its own.
        try test.write { chat in
            let relays = ChatRelaysWriter(chat)
            _ = try relays.add(relay("r1.example", key: 1), of: alice.id)
            _ = try relays.add("https://r1.example/a#\(key(0))", of: alice.id)
            _ = try relays.add(relay("r2.example"), of: alice.id)
            _ = try relays.add(relay("r1.example"), of: bob.id)
        }
        #expect(try list(alice).count == 4 && list(bob).count == 1)
    }

    @Test(
        "within a profile no two relays have the same name, trimmed and without case; an empty name never clashes",
        arguments: ["one", " ONE ", "Öne", "öNE "])
    func duplicateName(_ name: String) throws {
        try test.addRelay("r1.example", name: "One", of: alice)
        try test.addRelay("r2.example", name: "ÖNE", of: alice)
        let error = #expect(throws: ChatRelaysError.self) { try test.addRelay("r3.example", name: name, of: alice) }
        #expect(error?.code == "duplicateRelayName")
        try test.addRelay("r3.example", of: alice)
        try test.addRelay("r4.example", name: "  ", of: alice)
        try test.addRelay("r3.example", name: name, of: bob)
        #expect(try list(alice).count == 4)
        #expect(try test.read { try ChatRelaysRepo($0).find(named: "", of: alice.id) }.isEmpty)
    }

    @Test("an invalid address, name or domain is refused, and nothing is added")
    func invalid() throws {
        let long = String(repeating: "n", count: 201)
        let attempts: [(address: String, name: String, domains: [String], code: String)] = [
            ("https://r.example/g#\(key(0))", "", [], "invalidRelayAddress"),
            (relay("r.example"), long, [], "invalidRelayName"),
            (relay("r.example"), "a\u{9B}b", [], "invalidRelayName"),
            (relay("r.example"), "", ["a,b"], "invalidRelayDomain"),
            (relay("r.example"), "", [""], "invalidRelayDomain"),
        ]
        for attempt in attempts {
            let error = #expect(throws: ChatRelaysError.self) {
                try test.write {
                    try ChatRelaysWriter($0).add(
                        attempt.address, name: attempt.name, domains: attempt.domains, of: alice.id)
                }
            }
            #expect(error?.code == attempt.code)
            let domain = attempt.domains.first ?? ""
            #expect(domain.isEmpty || error?.message.hasPrefix("\"\(domain)\" is not a domain") == true)
        }
        #expect(try list(alice).isEmpty)
    }

    @Test("deleting a relay to which no channel refers removes its row")
    func deleteUnused() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let deleted = try test.write { try ChatRelaysWriter($0).delete(one.id, of: alice.id) }
        #expect(deleted.outcome == .deleted && deleted.channelsUsing == 0 && deleted.relay == one)
        #expect(try list(alice, includingDeleted: true).isEmpty)
    }

    @Test("a deleted relay that channels refer to is in no list, and stays with its channels, which are counted")
    func deleteUsed() throws {
        let one = try test.addRelay("r1.example", name: "One", of: alice)
        let channel = try test.addChannel("c", relays: [one], of: alice)
        let deleted = try test.write { try ChatRelaysWriter($0).delete(one.id, of: alice.id) }
        #expect(deleted.outcome == .softDeleted && deleted.channelsUsing == 1)
        #expect(try list(alice).isEmpty)
        #expect(try list(alice, includingDeleted: true).map(\.id) == [one.id])
        try test.read { chat in
            let relays = ChatRelaysRepo(chat)
            #expect(try relays.find(one.id, of: alice.id) == nil)
            #expect(try relays.usage(of: alice.id).isEmpty)
            #expect(try relays.usage(of: alice.id, includingDeleted: true).map(\.use.using) == [1])
            #expect(try relays.usedBy(one.id, of: alice.id).map(\.groupID) == [channel.group.id])
            #expect(try relays.find(sameAs: RelayAddress(relay("r1.example")), of: alice.id) == nil)
            #expect(try relays.find(named: "One", of: alice.id).isEmpty)
            let shown = try GroupRelaysRepo(chat).all(of: channel.group.id, of: alice.id)
            #expect(shown.map(\.relay.isDeleted) == [true])
        }
        #expect(throws: ChatRelaysError.relayNotFound(.id(one.id))) {
            try test.write { try ChatRelaysWriter($0).delete(one.id, of: alice.id) }
        }
    }

    @Test("a relay to which only a channel refers that the profile has left is soft-deleted, and used by 0 channels")
    func deleteLeft() throws {
        let one = try test.addRelay("r1.example", of: alice)
        try test.setOwnStatus(.left, in: try test.addChannel("c", relays: [one], of: alice))
        let deleted = try test.write { try ChatRelaysWriter($0).delete(one.id, of: alice.id) }
        #expect(deleted.outcome == .softDeleted && deleted.channelsUsing == 0)
    }

    @Test("a soft-deleted relay is removed with its last reference, and not before")
    func purge() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let other = try test.addRelay("r2.example", of: alice)
        let channel = try test.addChannel("c", relays: [one], of: alice)
        try test.write { chat in
            let relays = ChatRelaysWriter(chat)
            _ = try relays.delete(one.id, of: alice.id)
            #expect(try relays.purgeUnreferenced(of: alice.id) == 0)
            try chat.run("DELETE FROM groups WHERE group_id = \(channel.group.id)")
            #expect(try relays.purgeUnreferenced(of: bob.id) == 0)
            #expect(try relays.purgeUnreferenced(of: alice.id) == 1)
        }
        #expect(try list(alice, includingDeleted: true) == [other])
    }

    @Test("a preset relay cannot be deleted")
    func deletePreset() throws {
        let one = try test.addRelay("r1.example", of: alice)
        try test.write { try $0.run("UPDATE chat_relays SET preset = 1") }
        let error = #expect(throws: ChatRelaysError.self) {
            try test.write { try ChatRelaysWriter($0).delete(one.id, of: alice.id) }
        }
        #expect(error?.code == "presetRelayCannotBeDeleted")
        #expect(try list(alice).count == 1)
    }

    @Test("adding a soft-deleted address brings the newest such row back: same id, custom, enabled, untested")
    func revive() throws {
        let one = try test.addRelay("r1.example", name: "One", of: alice)
        let channel = try test.addChannel("c", relays: [one], of: alice)
        try test.write { chat in
            _ = try ChatRelaysWriter(chat).delete(one.id, of: alice.id)
            try chat.run(
                """
                UPDATE chat_relays SET preset = 1, enabled = 0, tested = 1, tested_at = '2026-01-01 00:00:00.000'
                """)
            // An older row of the same relay, from a store that an older version wrote.
            try chat.run(
                """
                INSERT INTO chat_relays (chat_relay_id, user_id, address, address_key, deleted)
                SELECT -5, user_id, address, address_key, 1 FROM chat_relays
                """)
        }
        let text = "simplex:/r#\(key(0))?h=r1.example"
        let added = try test.write {
            try ChatRelaysWriter($0).add(text, name: "Uno", domains: ["uno.example"], of: alice.id)
        }
        #expect(added.outcome == .restored)
        let back = added.relay
        #expect(back.id == one.id && back.address == text && back.name == "Uno" && back.domains == ["uno.example"])
        #expect(!back.isPreset && back.isEnabled && back.tested == nil && back.testedAt == nil && !back.isDeleted)
        #expect(
            try test.read { try GroupRelaysRepo($0).all(of: channel.group.id, of: alice.id).map(\.relay) } == [back])
        #expect(try list(alice) == [back])
    }

    @Test("a relay that comes back keeps its name and domains unless others are given; a former preset loses domains")
    func reviveKeeps() throws {
        let one = try test.addRelay("r1.example", name: "One", domains: ["d.example"], of: alice)
        try test.addChannel("c", relays: [one], of: alice)
        func back(_ name: String? = nil, _ domains: [String]? = nil) throws -> AddedRelay {
            try test.write { chat in
                let relays = ChatRelaysWriter(chat)
                _ = try relays.delete(one.id, of: alice.id)
                return try relays.add(relay("r1.example"), name: name, domains: domains, of: alice.id)
            }
        }
        var added = try back()
        #expect(added.relay.name == "One" && added.relay.domains == ["d.example"] && added.droppedName == nil)
        added = try back("Uno")
        #expect(added.relay.name == "Uno" && added.relay.domains == ["d.example"])
        added = try back(nil, ["e.example"])
        #expect(added.relay.name == "Uno" && added.relay.domains == ["e.example"])
        added = try back("", [])
        #expect(added.relay.name.isEmpty && added.relay.domains.isEmpty && added.droppedName == nil)
        added = try back("One", ["d.example"])
        try test.write { try $0.run("UPDATE chat_relays SET preset = 1, deleted = 1") }
        added = try test.write { try ChatRelaysWriter($0).add(relay("r1.example"), of: alice.id) }
        #expect(added.relay.name == "One" && added.relay.domains.isEmpty && !added.relay.isPreset)
        try test.write { _ = try ChatRelaysWriter($0).delete(one.id, of: alice.id) }
        try test.addRelay("r2.example", name: "ONE", of: alice)
        added = try test.write { try ChatRelaysWriter($0).add(relay("r1.example"), of: alice.id) }
        #expect(added.relay.name.isEmpty && added.droppedName == "One" && added.outcome == .restored)
    }

    @Test("setting all at once brings a relay back with its name, unless another new relay gets that name")
    func reviveAtOnce() throws {
        for name in ["Two", "ONE"] {
            let user = try test.addUser("user \(name)")
            let one = try test.addRelay("r1.example", name: "One", domains: ["d.example"], of: user)
            try test.addChannel("c", relays: [one], of: user)
            try test.write { chat in
                _ = try ChatRelaysWriter(chat).delete(one.id, of: user.id)
                try ServersWriter(chat).add(server("s.example"), of: user.id)
                try ServersWriter(chat).add(server("x.example", .xftp), of: user.id)
                _ = try ServersWriter(chat).set(
                    UserServersChanges(relays: [
                        .add(.init(address: try RelayAddress(relay("r1.example")))),
                        .add(.init(address: try RelayAddress(relay("r2.example")), name: name)),
                    ]), of: user.id)
            }
            let relays = try list(user)
            #expect(relays.map(\.name) == [name == "ONE" ? "" : "One", name])
            #expect(relays[0].id == one.id && relays[0].domains == ["d.example"])
        }
    }

    @Test("the address of a disabled preset relay enables it, unless another name or other domains are given")
    func enablePreset() throws {
        let one = try test.addRelay("r1.example", name: "One", domains: ["d.example"], of: alice)
        try test.write { try $0.run("UPDATE chat_relays SET preset = 1, enabled = 0") }
        for (name, domains) in [("Uno", nil), (nil, ["e.example"])] as [(String?, [String]?)] {
            let error = #expect(throws: ChatRelaysError.self) {
                try test.write {
                    try ChatRelaysWriter($0).add(relay("r1.example"), name: name, domains: domains, of: alice.id)
                }
            }
            #expect(error?.code == "duplicateRelayAddress")
        }
        let added = try test.write { try ChatRelaysWriter($0).add(relay("r1.example"), of: alice.id) }
        #expect(added.outcome == .enabled && added.relay.id == one.id)
        #expect(added.relay.isEnabled && added.relay.isPreset && added.relay.domains == ["d.example"])
        let error = #expect(throws: ChatRelaysError.self) { try test.addRelay("r1.example", of: alice) }
        #expect(error?.code == "duplicateRelayAddress")
    }

    @Test("reviving obeys the rule of names")
    func reviveWithTakenName() throws {
        let one = try test.addRelay("r1.example", name: "One", of: alice)
        try test.addChannel("c", relays: [one], of: alice)
        try test.write { _ = try ChatRelaysWriter($0).delete(one.id, of: alice.id) }
        try test.addRelay("r2.example", name: "ONE", of: alice)
        let error = #expect(throws: ChatRelaysError.self) { try test.addRelay("r1.example", name: "One", of: alice) }
        #expect(error?.code == "duplicateRelayName")
    }

    @Test("a relay of another profile is not found, in any way")
    func isolation() throws {
        // Interleaved ids: alice 1, bob 2, alice 3, bob 4.
        let relays = try (0..<4).map { try test.addRelay("r\($0).example", of: $0.isMultiple(of: 2) ? alice : bob) }
        #expect(try list(alice).map(\.id) == [relays[0].id, relays[2].id])
        #expect(try list(bob).map(\.id) == [relays[1].id, relays[3].id])
        let error = ChatRelaysError.relayNotFound(.id(relays[1].id))
        try test.read { chat in
            let repo = ChatRelaysRepo(chat)
            let found = try repo.find(relays[1].id, of: alice.id)
            #expect(found == nil)
            #expect(try repo.find(sameAs: RelayAddress(relays[1].address), of: alice.id) == nil)
            #expect(throws: error) { try repo.get(relays[1].id, of: alice.id) }
            #expect(throws: error) { try repo.use(of: relays[1].id, of: alice.id) }
            #expect(throws: error) { try repo.usedBy(relays[1].id, of: alice.id) }
        }
        #expect(throws: error) { try test.write { try ChatRelaysWriter($0).delete(relays[1].id, of: alice.id) } }
        let refused = #expect(throws: GroupsError.self) { try test.addChannel("c", relays: [relays[1]], of: alice) }
        #expect(refused == .relays(error) && refused?.code == "relayNotFound")
    }
}

extension String {
    fileprivate var trimmingBlanks: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
