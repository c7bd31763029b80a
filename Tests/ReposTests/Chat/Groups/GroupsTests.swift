import ChatDBKit
import Testing

@Suite struct GroupsTests {
    let test: TestStore
    let alice: User
    let bob: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
    }

    @Test("a new channel has the own membership as owner and creator, and per relay a member and a row that is new")
    func createChannel() throws {
        let one = try test.addRelay("r1.example", name: "One", of: alice)
        let two = try test.addRelay("r2.example", of: alice)
        let made = try test.addChannel(" News ", relays: [two, one, two], of: alice)
        let group = made.group
        #expect(group.displayName == "News" && group.localDisplayName == "News" && group.userID == alice.id)
        #expect(group.isChannel && group.isCreating && !group.isPrepared && group.link == nil)
        #expect(group.membership?.role == .owner && group.membership?.status == .creator)
        #expect(made.progress.active == 0 && made.progress.total == 2)
        try test.read { chat in
            let relays = try GroupRelaysRepo(chat).all(of: group.id, of: alice.id)
            #expect(relays.map(\.relay) == [two, one])
            #expect(relays.allSatisfy { $0.groupRelay.status == .new && $0.groupRelay.relayLink == nil })
            #expect(relays.map(\.host) == ["r2.example", "r1.example"])
            let members = try GroupMembersRepo(chat).all(with: .relay, in: group.id, of: alice.id)
            #expect(members.map(\.id) == relays.map(\.groupRelay.memberID))
            #expect(members.map(\.localDisplayName) == ["r2.example", "One"])
            #expect(members.allSatisfy { $0.status == .invited && $0.category == .invitee })
            let owners = try GroupMembersRepo(chat).all(with: .owner, in: group.id, of: alice.id)
            #expect(owners.map(\.id) == [group.membership?.memberID] && owners.first?.localDisplayName == "alice")
            #expect(Set((members + owners).map(\.memberID)).count == 3)
            #expect((members + owners).allSatisfy { $0.memberID.utf8.count == 16 })
        }
        #expect(try test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }

    @Test("without a relay, with a disabled one, or with an invalid name, no channel is made, nor part of one")
    func refused() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let before = try rowCounts()
        let none = #expect(throws: GroupsError.self) { try test.addChannel("c", relays: [], of: alice) }
        #expect(none?.code == "noEnabledRelays")
        for name in ["", "a\u{7}b"] {
            let error = #expect(throws: GroupsError.self) { try test.addChannel(name, relays: [one], of: alice) }
            #expect(error?.code == "invalidGroupName")
        }
        try test.write { try $0.run("UPDATE chat_relays SET enabled = 0") }
        let disabled = #expect(throws: GroupsError.self) { try test.addChannel("c", relays: [one], of: alice) }
        #expect(disabled?.code == "relayDisabled" && disabled?.message.contains("it is disabled") == true)
        #expect(try rowCounts() == before)
    }

    private func rowCounts() throws -> [Int] {
        try ["groups", "group_profiles", "group_members", "group_relays", "display_names", "contact_profiles"].map {
            try test.count("SELECT count(*) FROM \(identifier: $0)")
        }
    }

    @Test("the second with a name gets a suffix, per profile, over channels, members and the profile itself")
    func suffixes() throws {
        let one = try test.addRelay("r1.example", name: "alice", of: alice)
        let bobs = try test.addRelay("r1.example", name: "relay", of: bob)
        var names: [String] = []
        for name in ["news", "news", "news_1", "news"] {
            names.append(try test.addChannel(name, relays: [one], of: alice).group.localDisplayName)
        }
        #expect(names == ["news", "news_1", "news_1_1", "news_2"])
        #expect(try test.addChannel("news", relays: [bobs], of: bob).group.localDisplayName == "news")
        let relayNames = try test.read { chat in
            try GroupsRepo(chat).all(of: alice.id).flatMap {
                try GroupMembersRepo(chat).all(with: .relay, in: $0.group.id, of: alice.id).map(\.localDisplayName)
            }
        }
        #expect(Set(relayNames) == ["alice_1", "alice_2", "alice_3", "alice_4"])
        let taken = try test.count(
            """
            SELECT count(*) FROM display_names
            WHERE local_display_name = 'news_2' AND ldn_base = 'news' AND ldn_suffix = 2
            """)
        #expect(taken == 1)
    }

    @Test("a suffix skips a name that a person really has")
    func suffixTaken() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let names = try ["a_1", "a", "a"].map {
            try test.addChannel($0, relays: [one], of: alice).group.localDisplayName
        }
        #expect(names == ["a_1", "a", "a_2"])
    }

    @Test("the list has the newest chat first, with the progress of each channel, and nothing of another profile")
    func list() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let two = try test.addRelay("r2.example", of: alice)
        let bobs = try test.addRelay("r1.example", of: bob)
        let first = try test.addChannel("first", relays: [one, two], of: alice)
        let bobsChannel = try test.addChannel("bobs", relays: [bobs], of: bob)
        let second = try test.addChannel("second", relays: [one], of: alice)
        try test.setStatus(.active, of: one, in: first)
        try test.setStatus(.active, of: bobs, in: bobsChannel)
        try test.read { chat in
            let all = try GroupsRepo(chat).all(of: alice.id)
            #expect(all.map(\.group.displayName) == ["second", "first"])
            #expect(all.map { [$0.progress.active, $0.progress.total] } == [[0, 1], [1, 2]])
            let progress = try GroupRelaysRepo(chat).progress(of: alice.id)
            #expect(progress == [first.group.id: all[1].progress, second.group.id: all[0].progress])
            let relays = try GroupRelaysRepo(chat).all(of: alice.id)
            #expect(Set(relays.keys) == Set(all.map(\.group.id)))
            for (group, ofGroup) in relays {
                #expect(try ofGroup == GroupRelaysRepo(chat).all(of: group, of: alice.id))
            }
        }
        try test.write {
            try $0.run(
                "UPDATE groups SET chat_ts = '2027-01-01 00:00:00.000' WHERE group_id = \(first.group.id)")
        }
        #expect(try test.read { try GroupsRepo($0).all(of: alice.id).map(\.group.id) }.first == first.group.id)
    }

    @Test("a group without relays and without the own membership is listed too")
    func plainGroup() throws {
        try test.write { chat in
            try chat.run(
                """
                INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (\(alice.id), 'g', 'g')
                """)
            let profile = try chat.insert(
                "INSERT INTO group_profiles (user_id, display_name) VALUES (\(alice.id), 'g')",
                returning: "group_profile_id")
            try chat.run(
                """
                INSERT INTO groups (user_id, group_profile_id, local_display_name, conn_short_link_to_connect)
                VALUES (\(alice.id), \(profile), 'g', 'https://h.example/g#x')
                """)
        }
        let groups = try test.read { try GroupsRepo($0).all(of: alice.id) }
        #expect(groups.count == 1 && groups[0].group.membership == nil && !groups[0].group.isChannel)
        #expect(groups[0].progress.total == 0 && groups[0].group.nextConnectPrepared)
        #expect(try test.read { try GroupRelaysRepo($0).all(of: groups[0].group.id, of: alice.id) }.isEmpty)
    }

    @Test("a group of another profile is not found")
    func isolation() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let channel = try test.addChannel("news", relays: [one], of: alice)
        try test.read { chat in
            let groups = GroupsRepo(chat)
            let found = try groups.find(named: "news", of: alice.id)
            #expect(found?.group.id == channel.group.id)
            #expect(try groups.find(named: "news", of: bob.id) == nil)
            #expect(try groups.find(channel.group.id, of: bob.id) == nil)
            #expect(throws: GroupsError.groupNotFound(.id(channel.group.id))) {
                try groups.get(channel.group.id, of: bob.id)
            }
            #expect(throws: GroupsError.self) { try GroupRelaysRepo(chat).all(of: channel.group.id, of: bob.id) }
            #expect(try GroupMembersRepo(chat).all(with: .relay, in: channel.group.id, of: bob.id).isEmpty)
        }
    }
}
