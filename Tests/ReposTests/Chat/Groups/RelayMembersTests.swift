import ChatDBKit
import Testing

/// The relays of a channel on the subscriber's side. Rule: docs/domain.md, "Relays of a subscriber".
@Suite struct RelayMembersTests {
    let test: TestStore
    let alice: User
    let bob: User
    /// A channel of another person that alice has begun to join.
    let channel: GroupID
    private let one = relay("one.example", key: 1)
    private let two = "https://two.example/c#\(key(2))"

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
        let channel = try test.prepare(GroupLink(channelLink()), "news", of: alice).group.group.id
        self.channel = channel
        let user = alice.id
        try test.write { _ = try GroupsWriter($0).start(channel, of: user) }
    }

    private func begin(_ link: String, in group: GroupID? = nil) throws -> RelayMember {
        try test.write { chat in
            var random = SystemRandomNumberGenerator()
            return try RelayMembersWriter(chat, clock: TestStore.clock).begin(
                link, in: group ?? channel, of: alice.id, using: &random)
        }
    }

    private func progress(_ group: GroupID? = nil) throws -> ChannelProgress {
        let group = group ?? channel
        return try test.read { chat in
            let one = try GroupRelaysRepo(chat).progress(of: group, of: alice.id)
            // The same numbers for one channel, in the list, and for all channels at once.
            let summary = try GroupsRepo(chat).get(group, of: alice.id).progress
            let all = try GroupRelaysRepo(chat).progress(of: alice.id)[group]
            #expect(one.progress == summary && (all ?? summary) == summary)
            #expect(all != nil || summary.total == 0)
            return one
        }
    }

    private func change(_ body: (RelayMembersWriter) throws -> Void) throws {
        try test.write { try body(RelayMembersWriter($0, clock: TestStore.clock)) }
    }

    @Test("a relay becomes a member with its link and its host as name; beginning again changes nothing")
    func begins() throws {
        #expect(try progress().progress == RelayProgress(active: 0, total: 0))
        let relay = try begin(one)
        #expect(relay.link == one && relay.host == "one.example" && relay.state == .connecting)
        #expect(relay.member.role == .relay && relay.member.status == .accepted && relay.member.category == .host)
        #expect(relay.member.localDisplayName == "one.example" && relay.connection == nil)
        let before = try test.everything()
        #expect(try begin("  \(one) ") == relay)
        #expect(try test.everything() == before)
        #expect(try begin(two).member.id != relay.member.id)
        #expect(try progress().members.map(\.link) == [one, two])
        #expect(try test.count("SELECT count(*) FROM group_relays") == 0, "only an owner has these rows")
    }

    @Test("a relay that has left is not taken again: the link gets a new member, which counts in its place")
    func past() throws {
        for status in GroupMemberStatus.known.filter(\.isHistory) {
            let old = try begin(one)
            try test.write { try GroupMembersWriter($0).setStatus(status, of: old.member.id, of: alice.id) }
            #expect(try progress().members.last?.state == .failed(reason: status.text))
            let new = try begin(one)
            #expect(new.member.id != old.member.id && new.state == .connecting)
            #expect(try progress().progress == RelayProgress(active: 0, total: 1))
            for change in [{ try $0.connected($1, of: $2) }, { try $0.fail($1, reason: "x", of: $2) }]
                as [(RelayMembersWriter, GroupMemberID, UserID) throws -> RelayMember]
            {
                let error = #expect(throws: GroupsError.self) {
                    try self.change { _ = try change($0, old.member.id, alice.id) }
                }
                #expect(error?.code == "memberGone")
            }
        }
    }

    @Test("active and failed never exceed all; failed ones stay in the total, and all of both is done")
    func steps() throws {
        let relays = try [begin(one).member.id, begin(two).member.id]
        #expect(try progress().progress == RelayProgress(active: 0, failed: 0, total: 2))
        try change { try $0.connected(relays[0], of: alice.id) }
        #expect(try progress().progress == RelayProgress(active: 1, failed: 0, total: 2))
        #expect(try !progress().progress.isDone)
        try change { try $0.fail(relays[1], reason: " no answer ", of: alice.id) }
        let now = try progress()
        #expect(now.progress == RelayProgress(active: 1, failed: 1, total: 2) && now.progress.isDone)
        #expect(now.members.map(\.state) == [.active, .failed(reason: "no answer")])
        // The next try clears the failure; so does the relay that took the profile in after all.
        #expect(try begin(two).state == .connecting)
        try change { try $0.fail(relays[1], reason: "", of: alice.id) }
        #expect(try progress().members.last?.state == .failed(reason: "failed"))
        try change { try $0.connected(relays[1], of: alice.id) }
        #expect(try progress().progress == RelayProgress(active: 2, failed: 0, total: 2))
        #expect(!RelayProgress(active: 0, total: 0).isDone)
    }

    @Test("the connection of a relay counts: a failed or deleted one is a failure with its reason, in SQL as in Swift")
    func connections() throws {
        let relay = try begin(one).member.id
        try change { try $0.connected(relay, of: alice.id) }
        let connection = try test.write {
            try ConnectionsWriter($0).add(
                NewConnection(agentID: AgentConnectionID(text: "a1"), owner: .member(relay)), of: alice.id)
        }
        for status in ConnectionStatus.known + [.failed(reason: "SMP AUTH"), .unknown("failed"), .unknown("Failed x")] {
            try test.write { _ = try ConnectionsWriter($0).setStatus(status, of: connection.id, of: alice.id) }
            let (state, counts) = try (#require(progress().members.first).state, progress().progress)
            switch status {
            case .failed(let reason): #expect(state == .failed(reason: reason.isEmpty ? "failed" : reason))
            case .deleted: #expect(state == .failed(reason: "deleted"))
            case .unknown("failed"): #expect(state == .failed(reason: "failed"), "it is the stored text")
            default: #expect(state == .active)
            }
            #expect(counts.active == (state == .active ? 1 : 0) && counts.failed == 1 - counts.active, "\(status)")
        }
    }

    @Test("an owner counts the rows of its relays; inactive and rejected ones are failed")
    func owner() throws {
        let relay = try test.addRelay("a", of: alice)
        let own = try test.addChannel("own", relays: [relay], of: alice).group.id
        for status in RelayStatus.known {
            try test.write {
                try $0.run("UPDATE group_relays SET relay_status = \(status) WHERE group_id = \(own)")
            }
            let now = try progress(own)
            #expect(now.members.isEmpty && now.relays.count == 1)
            let failed = status == .inactive || status == .rejected ? 1 : 0
            #expect(now.progress == RelayProgress(active: status == .active ? 1 : 0, failed: failed, total: 1))
        }
        let member = try test.read { try RelayMembersRepo($0).all(of: own, of: alice.id) }[0].member.id
        let before = try test.everything()
        for step in [
            { _ = try begin(one, in: own) }, { try change { try $0.connected(member, of: alice.id) } },
            { try change { try $0.fail(member, reason: "x", of: alice.id) } },
        ] as [() throws -> Void] {
            #expect(#expect(throws: GroupsError.self) { try step() }?.code == "ownChannel")
        }
        #expect(try test.everything() == before)
    }

    @Test("a group, a channel that is not joined or was left, and another profile's have no relays to join through")
    func refused() throws {
        func code(_ body: () throws -> Void) -> String? { #expect(throws: GroupsError.self) { try body() }?.code }
        let group = try test.addGroup("talk", of: alice).group.id
        let prepared = try test.prepare(GroupLink(channelLink(1)), "later", of: alice).group.group.id
        let before = try test.everything()
        #expect(code { _ = try begin(one, in: group) } == "notAChannel")
        #expect(code { _ = try begin(one, in: prepared) } == "notInGroup")
        let invitation = "https://h.example/i#\(key(5))"
        for link in [" ", "hello", "https://one.example/r#1", "https://one.example/", "smp://one.example", invitation] {
            #expect(code { _ = try begin(link) } == "invalidRelayLink", "\(link)")
        }
        #expect(code { _ = try begin(one, in: GroupID(99)) } == "groupNotFound")
        #expect(try test.everything() == before)
        let relay = try begin(one)
        #expect(code { try change { _ = try $0.connected(relay.member.id, of: bob.id) } } == "memberNotFound")
        #expect(try test.read { try RelayMembersRepo($0).find(relay.member.id, of: bob.id) } == nil)
        let reader = try test.addMember(
            "reader", .observer, to: test.read { try GroupsRepo($0).get(channel, of: alice.id) }, of: alice)
        #expect(code { try change { _ = try $0.fail(reader.id, reason: "x", of: alice.id) } } == "memberNotFound")
        #expect(
            code { try test.write { try GroupsWriter($0).setPublicMemberCount(1, of: group, of: alice.id) } }
                == "notAChannel")
    }

    @Test("the relays that a link advertises make it a channel, are answered by host, and are not stored")
    func advertised() throws {
        let prepared = try test.write { chat in
            var random = SplitMix64(seed: 3)
            return try GroupsWriter(chat).prepare(
                GroupLink("https://h.example/g#\(key(5))"), profile: GroupProfile(displayName: "x"),
                throughRelays: false, groupRelays: [one, two], of: alice.id, using: &random)
        }
        #expect(prepared.relayHosts == ["one.example", "two.example"] && prepared.group.group.isChannel)
        #expect(try progress(prepared.group.group.id).progress.total == 0)
        #expect(try test.count("SELECT count(*) FROM group_members WHERE member_role = 'relay'") == 0)
        let before = try test.everything()
        for link in ["hello", "https://one.example/r#1"] {
            let error = #expect(throws: GroupsError.self) {
                try test.write { chat in
                    var random = SplitMix64(seed: 3)
                    _ = try GroupsWriter(chat).prepare(
                        GroupLink("https://h.example/c#\(key(6))"), profile: GroupProfile(displayName: "y"),
                        throughRelays: true, groupRelays: [one, link], of: alice.id, using: &random)
                }
            }
            #expect(error?.code == "invalidRelayLink", "\(link)")
        }
        #expect(try test.everything() == before)
    }

    @Test("the number of subscribers that a channel publishes is kept, and removed")
    func publicCount() throws {
        for count in [1_200, nil, UInt32.max] as [UInt32?] {
            try test.write { try GroupsWriter($0).setPublicMemberCount(count, of: channel, of: alice.id) }
            let info = try test.read { try GroupsRepo($0).info(of: channel, of: alice.id) }
            #expect(info.subscribers == count.map { Int($0) })
        }
    }
}
