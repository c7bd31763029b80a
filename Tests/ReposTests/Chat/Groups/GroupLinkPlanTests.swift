import ChatDBKit
import Testing

@Suite struct GroupLinkPlanTests {
    let test: TestStore
    let alice: User
    let bob: User
    let full = "https://simplex.chat/contact#/?v=2-7&smp=smp://k@h.example/x"

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
    }

    @Test("for every status of the own membership, started or not: known, connecting, prepared, or as if not there")
    func opened() throws {
        let link = try GroupLink(channelLink(), full)
        let group = try test.prepare(link, of: alice).group
        for status in GroupMemberStatus.known + [.unknown("newer")] {
            for isStarted in [false, true] {
                try test.setOwnStatus(status, in: group)
                try test.write { try $0.run("UPDATE groups SET conn_link_started_connection = \(isStarted)") }
                let stored = try test.read { try GroupsRepo($0).get(group.group.id, of: alice.id) }
                let expected: GroupLinkPlan =
                    if status.isCurrent {
                        .known(stored)
                    } else if status.isHistory {
                        .ok
                    } else {
                        isStarted ? .connecting(stored) : .prepared(stored)
                    }
                for text in [channelLink(), full] {
                    #expect(try plan(GroupLink(text)) == expected, "\(status) \(isStarted) \(text)")
                }
                #expect(try plan(link) == expected)
                #expect(try plan(link, bob) == .ok)
                #expect(try plan(GroupLink(channelLink(1))) == .ok)
            }
        }
    }

    @Test("a link that the profile made is its own, full or short, published or not, and comes before all else")
    func own() throws {
        let made = try test.addGroup("talk", of: alice)
        try test.write {
            try $0.run(
                """
                INSERT INTO user_contact_links (user_id, group_id, conn_req_contact, short_link_contact)
                VALUES (\(alice.id), \(made.group.id), \(full), \(channelLink()))
                """)
        }
        #expect(try plan(GroupLink(full)) == .ownLink(made))
        #expect(try plan(GroupLink(channelLink())) == .ownLink(made))
        #expect(try plan(GroupLink(full), bob) == .ok)
        try test.write {
            try GroupsWriter($0, clock: TestStore.clock).setLink(made.group.id, to: channelLink(1), of: alice.id)
        }
        let published = try test.read { try GroupsRepo($0).get(made.group.id, of: alice.id) }
        #expect(try plan(GroupLink(channelLink(1))) == .ownLink(published))
        #expect(try test.prepare(GroupLink(channelLink(1)), of: alice).group == published)
    }

    @Test("a group that publishes the link, and which the profile is in, is known; one it has left is not")
    func published() throws {
        let group = try test.addGroup("talk", of: alice)
        try test.write {
            try GroupsWriter($0, clock: TestStore.clock).setLink(group.group.id, to: channelLink(), of: alice.id)
        }
        try test.setOwnStatus(.connected, in: group)
        #expect(try plan(GroupLink(channelLink())) == .known(stored(group)))
        for status in [GroupMemberStatus.left, .invited, .unknownMember] {
            try test.setOwnStatus(status, in: group)
            #expect(try plan(GroupLink(channelLink())) == .ok, "\(status)")
        }
    }

    @Test("a link of the profile's own that leads to no group is its address")
    func address() throws {
        try test.write {
            try $0.run("INSERT INTO user_contact_links (user_id, conn_req_contact) VALUES (\(alice.id), \(full))")
        }
        #expect(try plan(GroupLink(full)) == .ownAddress)
        #expect(try plan(GroupLink(full), bob) == .ok)
    }

    @Test("a group left and opened anew: the new one counts, and both are found by the link, newest chat first")
    func opensAgain() throws {
        let link = try GroupLink(channelLink())
        let old = try test.prepare(link, "old", of: alice).group
        try test.setOwnStatus(.left, in: old)
        let new = try test.prepare(link, "new", of: alice)
        #expect(new.outcome == .prepared && new.group.group.id != old.group.id)
        #expect(try plan(link) == .prepared(new.group))
        let all = try test.read { try GroupsRepo($0).all(link: link, of: alice.id) }
        #expect(all.map(\.group.id) == [new.group.group.id, old.group.id])
        #expect(try test.read { try GroupsRepo($0).all(link: link, of: bob.id) }.isEmpty)
    }

    private func plan(_ link: GroupLink, _ user: User? = nil) throws -> GroupLinkPlan {
        try test.read { try GroupsRepo($0).plan(for: link, of: (user ?? alice).id) }
    }

    private func stored(_ group: GroupSummary) throws -> GroupSummary {
        try test.read { try GroupsRepo($0).get(group.group.id, of: alice.id) }
    }

    @Test("the link of a group that the profile left creates a new group, even if the profile made the link")
    func ownLinkOfLeftGroup() throws {
        let made = try test.addGroup("talk", of: alice)
        let joined = try test.prepare(GroupLink(channelLink(7)), "other", of: alice)
        try test.write {
            try $0.run(
                """
                INSERT INTO user_contact_links (user_id, group_id, conn_req_contact, short_link_contact)
                VALUES (\(alice.id), \(made.group.id), \(full), \(channelLink()))
                """)
        }
        try test.setOwnStatus(.left, in: made)
        #expect(try plan(GroupLink(channelLink())) == .ok)
        #expect(try plan(GroupLink(channelLink(7))) == .prepared(joined.group))
        let again = try test.prepare(GroupLink(channelLink(), full), "again", of: alice)
        #expect(again.outcome == .prepared && again.group.group.id != made.group.id)
        #expect(try plan(GroupLink(channelLink())) == .prepared(again.group))
        #expect(try test.count("SELECT count(*) FROM user_contact_links") == 1)
    }
}
