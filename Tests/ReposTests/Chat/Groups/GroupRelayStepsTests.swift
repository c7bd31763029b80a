import ChatDBKit
import Testing

@Suite struct GroupRelayStepsTests {
    let test: TestStore
    let alice: User
    let bob: User
    let channel: GroupSummary
    let row: GroupRelayID

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
        let relay = try test.addRelay("r1.example", of: alice)
        channel = try test.addChannel("news", relays: [relay], of: alice)
        let channel = channel
        let alice = alice
        row = try test.read { try GroupRelaysRepo($0).all(of: channel.group.id, of: alice.id)[0].groupRelay.id }
    }

    /// The link of the relay for the channel.
    private static let link = relay("r1.example", key: 1)

    /// The operations, by the status to which they lead.
    enum Operation: String, CaseIterable {
        case invited, accepted, acknowledged_roster, active, rejected, inactive

        func run(_ writer: GroupRelaysWriter, _ id: GroupRelayID, of user: UserID) throws -> ChannelRelay {
            switch self {
            case .invited: try writer.invite(id, of: user)
            case .accepted: try writer.accept(id, link: relay("r1.example", key: 1), of: user)
            case .acknowledged_roster: try writer.acknowledge(id, of: user)
            case .active: try writer.activate(id, of: user)
            case .rejected: try writer.reject(id, of: user)
            case .inactive: try writer.deactivate(id, of: user)
            }
        }
    }

    /// The table of docs/domain.md, "Group relays", written a second time.
    static let allowed: [String: [Operation]] = [
        "new": [.invited, .inactive],
        "invited": [.accepted, .rejected, .inactive],
        "accepted": [.acknowledged_roster, .active, .inactive],
        "acknowledged_roster": [.active, .inactive],
        "active": [.inactive],
        "inactive": [],
        "rejected": [],
        "of_a_newer_app": [.inactive],
    ]

    @Test("from every status each operation leads to its own, or is refused and changes nothing")
    func everyPair() throws {
        #expect(Set(Self.allowed.keys).isSuperset(of: RelayStatus.known.map(\.text)))
        for (status, allowed) in Self.allowed {
            for operation in Operation.allCases {
                try test.write {
                    try $0.run("UPDATE group_relays SET relay_status = \(status), relay_link = \(Self.link)")
                }
                let before = try rows()
                if allowed.contains(operation) {
                    let after = try test.write { try operation.run(writer($0), row, of: alice.id) }
                    #expect(after.groupRelay.status.text == operation.rawValue, "\(status) → \(operation)")
                    let stored = try test.read { try GroupRelaysRepo($0).get(row, of: alice.id) }
                    #expect(stored == after)
                } else {
                    let error = #expect(throws: GroupsError.self, "\(status) → \(operation)") {
                        try test.write { try operation.run(writer($0), row, of: alice.id) }
                    }
                    #expect(error?.code == "relayStepNotAllowed", "\(status) → \(operation)")
                    let shown = RelayStatus(text: status)
                    let word = shown.unknownText ?? shown.shownName.lowercased()
                    #expect(error?.message.contains("it is \(word) there") == true)
                    #expect(try rows() == before, "\(status) → \(operation)")
                }
            }
        }
    }

    @Test("the operations allow the steps that the records declare")
    func canBecome() {
        for (status, allowed) in Self.allowed {
            for operation in Operation.allCases {
                let may = RelayStatus(text: status).canBecome(RelayStatus(text: operation.rawValue))
                #expect(may == allowed.contains(operation), "\(status) → \(operation)")
            }
        }
    }

    @Test("accepting stores the link with the part of the relay and with its member; no other step touches it")
    func link() throws {
        let link = Self.link
        try test.write { chat in
            try writer(chat).invite(row, of: alice.id)
            let accepted = try writer(chat).accept(row, link: " \(link)\n", of: alice.id)
            #expect(accepted.groupRelay.relayLink == link)
            #expect(accepted.host == "r1.example")
            let member = try GroupMembersRepo(chat).get(accepted.groupRelay.memberID, of: alice.id)
            #expect(member.relayLink == link)
            for step in [Operation.acknowledged_roster, .active, .inactive] {
                #expect(try step.run(writer(chat), row, of: alice.id).groupRelay.relayLink == link)
            }
            #expect(try GroupMembersRepo(chat).get(member.id, of: alice.id).relayLink == link)
        }
    }

    @Test(
        "an invalid link is refused, and the relay keeps its status",
        arguments: [
            "", " \n", "a\u{1b}b", "x\u{202e}", String(repeating: "a", count: 2_049), "hello",
            "https://h.example/c#abc", "https://h.example/r", "simplex:/r#\(key(1))",
            "https://simplex.chat/c#\(key(1))", "https://h.example/i#\(key(1))", "http://h.example/c#\(key(1))",
        ])
    func invalidLink(_ link: String) throws {
        try test.write { try $0.run("UPDATE group_relays SET relay_status = 'invited'") }
        let before = try rows()
        let error = #expect(throws: GroupsError.self) {
            try test.write { try writer($0).accept(row, link: link, of: alice.id) }
        }
        #expect(error?.code == "invalidRelayLink")
        #expect(try rows() == before)
    }

    @Test(
        "a link of any kind that leads to a relay or a channel is accepted",
        arguments: [
            "https://h.example/r#\(key(1))", "https://h.example/c#\(key(1))", "https://h.example/a#\(key(1))?p=443",
            "simplex:/g#\(key(1))?h=h.example", "simplex:/contact#/?v=2-7&smp=smp://k@h.example/x",
        ])
    func validLink(_ link: String) throws {
        try test.write { try $0.run("UPDATE group_relays SET relay_status = 'invited'") }
        let accepted = try test.write { try writer($0).accept(row, link: link, of: alice.id) }
        #expect(accepted.groupRelay.relayLink == link)
    }

    @Test(
        "a relay that has accepted, and whose link is missing, gets it by accepting, and keeps its status",
        arguments: ["accepted", "acknowledged_roster", "active"])
    func missingLink(_ status: String) throws {
        try test.write { try $0.run("UPDATE group_relays SET relay_status = \(status), relay_link = NULL") }
        let before = try rows()
        let error = #expect(throws: GroupsError.self) {
            try test.write { try writer($0).activate(row, of: alice.id) }
        }
        #expect(error?.code == "relayStepNotAllowed")
        #expect(error?.message.contains("its link for the channel is missing") == (status != "active"))
        #expect(try rows() == before)
        let filled = try test.write { try writer($0).accept(row, link: Self.link, of: alice.id) }
        #expect(filled.groupRelay.relayLink == Self.link && filled.groupRelay.status.text == status)
        let member = try test.read { try GroupMembersRepo($0).get(filled.groupRelay.memberID, of: alice.id) }
        #expect(member.relayLink == Self.link)
        #expect(throws: GroupsError.relayStepNotAllowed(filled, to: .accepted)) {
            try test.write { try writer($0).accept(row, link: relay("other.example", key: 2), of: alice.id) }
        }
        if status == "active" { return }
        #expect(try test.write { try writer($0).activate(row, of: alice.id) }.groupRelay.status == .active)
    }

    @Test("the address of the relay, in any spelling, is refused as its link for the channel")
    func ownAddress() throws {
        try test.write { try $0.run("UPDATE group_relays SET relay_status = 'invited'") }
        let before = try rows()
        for link in [relay("r1.example"), "simplex:/r#\(key(0))?h=R1.example", relay("R1.EXAMPLE") + "?p=443"] {
            let error = #expect(throws: GroupsError.self, "\(link)") {
                try test.write { try writer($0).accept(row, link: link, of: alice.id) }
            }
            #expect(error?.code == "invalidRelayLink", "\(link)")
            #expect(error?.message.contains(key(0)) == false)
            #expect(try rows() == before)
        }
        // Another key or another host is another link.
        _ = try test.write { try writer($0).accept(row, link: relay("r1.example", key: 1), of: alice.id) }
    }

    @Test("the link of the channel, in any spelling, is refused as the link of a relay for the channel")
    func linkOfChannel() throws {
        try test.write { chat in
            try chat.run("UPDATE group_relays SET relay_status = 'invited'")
            try chat.run("UPDATE group_profiles SET group_link = \("https://h.example/c#\(key(3))")")
        }
        let before = try rows()
        for link in ["https://h.example/c#\(key(3))", "simplex:/c#\(key(3))?h=H.example"] {
            let error = #expect(throws: GroupsError.self, "\(link)") {
                try test.write { try writer($0).accept(row, link: link, of: alice.id) }
            }
            #expect(error?.code == "invalidRelayLink", "\(link)")
            #expect(error?.message.contains("is that of the channel") == true)
            #expect(error?.message.contains(key(3)) == false)
            #expect(try rows() == before)
        }
        _ = try test.write { try writer($0).accept(row, link: "https://h.example/r#\(key(3))", of: alice.id) }
    }

    @Test("the link of another relay that is in the channel is refused in any spelling, also if only its member has it")
    func linkOfOtherRelay() throws {
        let second = try test.addRelay("r2.example", name: "Two", of: alice)
        let added = try test.write { chat in
            var random = SplitMix64(seed: 5)
            let added = try writer(chat).add(second.id, to: channel.group.id, of: alice.id, using: &random)
            try chat.run("UPDATE group_relays SET relay_status = 'invited'")
            _ = try writer(chat).accept(row, link: Self.link, of: alice.id)
            return added.groupRelay.id
        }
        func accept(_ link: String) throws {
            _ = try test.write { try writer($0).accept(added, link: link, of: alice.id) }
        }
        for clearing in ["", "UPDATE group_relays SET relay_link = NULL"] as [Query] {
            if clearing != "" { try test.write { try $0.run(clearing) } }
            for link in [Self.link, "simplex:/r#\(key(1))?h=R1.example"] {
                let before = try rows()
                let error = #expect(throws: GroupsError.self, "\(link)") { try accept(link) }
                #expect(error?.code == "invalidRelayLink" && error?.message.contains("is that of the relay") == true)
                #expect(error?.message.contains(key(1)) == false)
                #expect(try rows() == before)
            }
        }
        // A relay that has left is no other relay, and a link of another channel is not compared.
        try test.write { _ = try writer($0).deactivate(row, of: alice.id) }
        try accept(Self.link)
    }

    @Test("relays of another profile take no step, from any status")
    func isolation() throws {
        for status in Self.allowed.keys {
            try test.write { try $0.run("UPDATE group_relays SET relay_status = \(status)") }
            let before = try rows()
            for operation in Operation.allCases {
                #expect(throws: GroupsError.groupRelayNotFound(.id(row))) {
                    try test.write { try operation.run(writer($0), row, of: bob.id) }
                }
            }
            #expect(try rows() == before)
        }
    }

    private func writer(_ chat: any WriteTransaction) -> GroupRelaysWriter {
        GroupRelaysWriter(chat, clock: TestStore.clock)
    }

    private func rows() throws -> [String] {
        try test.read { chat in
            try ["group_relays", "group_members"].flatMap { table in
                try chat.rows("SELECT * FROM \(identifier: table)").map { "\($0.values)" }
            }
        }
    }
}
