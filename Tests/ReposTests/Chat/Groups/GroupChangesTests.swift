import ChatDBKit
import Testing

@Suite struct GroupChangesTests {
    let test: TestStore
    let alice: User
    let bob: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
    }

    @Test("a new group is finished, has no relays, and the profile owns it; all of its profile is kept")
    func createGroup() throws {
        let profile = GroupProfile(
            displayName: " Talk ", fullName: "All of us", shortDescription: "a line", welcome: "Hello\nthere",
            image: "data:,x", preferences: "{}")
        let made = try test.write { chat in
            var random = SplitMix64(seed: 1)
            return try writer(chat).createGroup(profile, of: alice.id, using: &random)
        }
        #expect(!made.group.isChannel && !made.group.isCreating && made.progress.total == 0)
        #expect(made.group.membership?.role == .owner && made.group.membership?.status == .creator)
        let info = try test.read { try GroupsRepo($0).info(of: made.group.id, of: alice.id) }
        var expected = profile
        expected.displayName = "Talk"
        #expect(info.profile == expected)
        #expect(throws: GroupsError.self) {
            try test.write { chat in
                var random = SplitMix64(seed: 1)
                return try writer(chat).createGroup(GroupProfile(displayName: " "), of: alice.id, using: &random)
            }
        }
        #expect(try test.count("SELECT count(*) FROM groups") == 1)
    }

    @Test("a channel is finished once, and a group is finished from the start")
    func finish() throws {
        let channel = try addChannel("news")
        #expect(channel.group.isCreating)
        let finished = try test.write { chat in
            try writer(chat).setLink(channel.group.id, to: channelLink(), of: alice.id)
            return try writer(chat).finishCreation(channel.group.id, of: alice.id)
        }
        #expect(!finished.group.isCreating)
        let group = try test.addGroup("talk", of: alice)
        for id in [channel.group.id, group.group.id] {
            let error = #expect(throws: GroupsError.self) {
                try test.write { try writer($0).finishCreation(id, of: alice.id) }
            }
            #expect(error?.code == "creationFinished")
        }
        #expect(throws: GroupsError.groupNotFound(.id(channel.group.id))) {
            try test.write { try writer($0).finishCreation(channel.group.id, of: bob.id) }
        }
    }

    @Test("with another name the profile calls the group by it, the old name is free, and the rest is replaced")
    func updateProfile() throws {
        let one = try test.addGroup("one", of: alice)
        let two = try test.addGroup("two", of: alice)
        let renamed = try test.write {
            try writer($0).update(
                two.group.id, profile: GroupProfile(displayName: "one", welcome: "hi"), of: alice.id)
        }
        #expect(renamed.group.displayName == "one" && renamed.group.localDisplayName == "one_1")
        #expect(try test.read { try GroupsRepo($0).info(of: two.group.id, of: alice.id) }.profile.welcome == "hi")
        #expect(try test.addGroup("two", of: alice).group.localDisplayName == "two")
        // The same name keeps its suffix.
        let same = try test.write {
            try writer($0).update(two.group.id, profile: GroupProfile(displayName: "one"), of: alice.id)
        }
        #expect(same.group.localDisplayName == "one_1")
        #expect(try test.group(one.group.id, of: alice).localDisplayName == "one")
        #expect(try test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)

        let before = try test.everything()
        #expect(throws: GroupsError.self) {
            try test.write {
                try writer($0).update(one.group.id, profile: GroupProfile(displayName: "a\u{202e}"), of: alice.id)
            }
        }
        #expect(throws: GroupsError.groupNotFound(.id(one.group.id))) {
            try test.write { try writer($0).update(one.group.id, profile: GroupProfile(displayName: "x"), of: bob.id) }
        }
        #expect(try test.everything() == before)
    }

    @Test("the link that a group publishes can be set and removed, and must be a group's link")
    func setLink() throws {
        let group = try test.addGroup("talk", of: alice)
        func set(_ link: String?, _ user: User) throws -> String? {
            try test.write { try writer($0).setLink(group.group.id, to: link, of: user.id) }.group.link
        }
        #expect(try set(" \(channelLink()) ", alice) == channelLink())
        let error = #expect(throws: GroupsError.self) { try set(relay("h.example"), alice) }
        #expect(error?.code == "invalidGroupLink")
        #expect(throws: GroupsError.groupNotFound(.id(group.group.id))) { try set(nil, bob) }
        #expect(try test.group(group.group.id, of: alice).link == channelLink())
        #expect(try set(nil, alice) == nil)
    }

    @Test("leaving sets the own membership to left and keeps every other row; the only owner stays")
    func leave() throws {
        let channel = try addChannel("news")
        func leave(_ user: User) throws -> GroupSummary {
            try test.write { try writer($0).leave(channel.group.id, of: user.id) }
        }
        #expect(throws: GroupsError.soleOwner(channel.group)) { try leave(alice) }
        #expect(throws: GroupsError.groupNotFound(.id(channel.group.id))) { try leave(bob) }
        try test.addMember("carol", .owner, to: channel, of: alice)
        let before = try test.everything()
        let left = try leave(alice)
        #expect(left.group.membership?.status == .left && left.group.membership?.role == .owner)
        let changed = Set(try test.everything()).symmetricDifference(before)
        #expect(changed.count == 2 && changed.allSatisfy { $0.hasPrefix("group_members:") })
        let again = #expect(throws: GroupsError.self) { try leave(alice) }
        #expect(again?.code == "notInGroup")
        #expect(try test.read { try ChatRelaysRepo($0).usage(of: alice.id) }.map(\.use.using) == [0])
    }

    @Test("groups, channels and those to connect are counted, of one profile")
    func counts() throws {
        #expect(try test.read { try GroupsRepo($0).counts(of: alice.id) } == counts(0, 0, 0))
        try test.addGroup("talk", of: alice)
        _ = try addChannel("news")
        try test.prepare(GroupLink(channelLink()), of: alice)
        let started = try test.prepare(GroupLink(channelLink(1)), throughRelays: false, of: alice)
        try test.write { try writer($0).start(started.group.group.id, of: alice.id) }
        try test.addGroup("bobs", of: bob)
        #expect(try test.read { try GroupsRepo($0).counts(of: alice.id) } == counts(2, 2, 1))
        #expect(try test.read { try GroupsRepo($0).counts(of: bob.id) } == counts(1, 0, 0))
    }

    @Test("pages of every size make the whole list, also where times are equal or finer than a millisecond")
    func pages() throws {
        for number in 0..<23 {
            let group = try test.addGroup("g\(number)", of: number % 5 == 0 ? bob : alice)
            let time = "2026-07-20 09:05:00.12" + ["", "0", "0001", "0002", "1"][number % 5]
            try test.write {
                try $0.run("UPDATE groups SET chat_ts = \(time) WHERE group_id = \(group.group.id)")
            }
        }
        let all = try test.read { try GroupsRepo($0).all(of: alice.id) }
        for limit in [-1, 0, 1, 2, 3, 7, 18, 19, 100] {
            var found: [GroupSummary] = []
            var after: GroupPage.Position?
            repeat {
                let page = try test.read { try GroupsRepo($0).page(of: alice.id, after: after, limit: limit) }
                found += page.groups
                after = page.next
            } while after != nil && found.count <= all.count
            #expect(found == all, "\(limit)")
        }
    }

    private func counts(_ groups: Int, _ channels: Int, _ prepared: Int) -> [Int] { [groups, channels, prepared] }

    private func addChannel(_ name: String) throws -> GroupSummary {
        let relay = try test.addRelay("\(name).example", of: alice)
        return try test.addChannel(name, relays: [relay], of: alice)
    }

    private func writer(_ chat: any WriteTransaction) -> GroupsWriter {
        GroupsWriter(chat, clock: TestStore.clock)
    }
}

private func == (counts: GroupCounts, numbers: [Int]) -> Bool {
    [counts.groups, counts.channels, counts.prepared] == numbers
}
