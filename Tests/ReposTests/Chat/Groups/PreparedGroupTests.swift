import ChatDBKit
import Testing

@Suite struct PreparedGroupTests {
    let test: TestStore
    let alice: User
    let bob: User
    let full = "https://simplex.chat/contact#/?v=2-7&smp=smp://k@h.example/x"

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
    }

    @Test("preparing makes the group with the own membership not yet a member, and its next step is to connect")
    func prepare() throws {
        let link = try GroupLink(channelLink(), full)
        let made = try test.write { chat in
            var random = SplitMix64(seed: 1)
            return try writer(chat).prepare(
                link, profile: GroupProfile(displayName: "news", welcome: "hi"), throughRelays: true,
                welcomeMessage: "w1", of: alice.id, using: &random)
        }
        let group = made.group.group
        #expect(made.outcome == .prepared && group.displayName == "news" && group.isChannel && !group.isCreating)
        #expect(group.linkToConnect == link && group.isPrepared && !group.isStarted && group.nextConnectPrepared)
        #expect(group.membership?.status == .unknownMember && group.membership?.role == .observer && !group.isCurrent)
        #expect(group.link == nil)
        let stored = try test.count(
            """
            SELECT count(*) FROM groups WHERE conn_full_link_to_connect = \(full) AND welcome_shared_msg_id = 'w1'
                AND conn_short_link_to_connect = \(channelLink()) AND conn_link_prepared_connection = 0
                AND conn_link_started_connection = 0 AND request_shared_msg_id IS NULL
            """)
        #expect(stored == 1)
        let preparation = try #require(
            try test.read { try GroupsRepo($0).preparation(of: group.id, of: alice.id) })
        #expect(preparation.welcomeMessage == "w1" && preparation.requestMessage == nil)
        #expect(!preparation.isConnectionPrepared && !preparation.isStarted)
        let own = try test.write { chat in
            var random = SplitMix64(seed: 2)
            return try writer(chat).createGroup(GroupProfile(displayName: "mine"), of: alice.id, using: &random)
        }
        #expect(try test.read { try GroupsRepo($0).preparation(of: own.group.id, of: alice.id) } == nil)
        // The relays that the link advertises are not stored.
        #expect(try test.count("SELECT count(*) FROM group_relays") == 0)
        #expect(try test.count("SELECT count(*) FROM group_members WHERE group_id = \(group.id)") == 1)
        let direct = try test.prepare(GroupLink(channelLink(1)), throughRelays: false, of: alice).group.group
        #expect(!direct.isChannel && direct.membership?.role == .member)
    }

    @Test("the same link again, in either form, answers with the group there is; for another profile it makes one")
    func again() throws {
        let first = try test.prepare(GroupLink(channelLink(), full), "news", of: alice)
        let before = try test.everything()
        for link in try [GroupLink(channelLink()), GroupLink(full), GroupLink(full, channelLink())] {
            let second = try test.prepare(link, "other", of: alice)
            #expect(second.outcome == .existing && second.group == first.group)
        }
        #expect(try test.everything() == before)
        let bobs = try test.prepare(GroupLink(channelLink()), "news", of: bob)
        #expect(bobs.outcome == .prepared && bobs.group.group.userID == bob.id)
        #expect(try test.prepare(GroupLink(channelLink(1)), "news", of: alice).group.group.localDisplayName == "news_1")
    }

    @Test("an invalid name and the profile's own address are refused, and nothing is made")
    func refused() throws {
        try test.write {
            try $0.run(
                "INSERT INTO user_contact_links (user_id, conn_req_contact) VALUES (\(alice.id), \(full))")
        }
        let before = try test.everything()
        let name = #expect(throws: GroupsError.self) { try test.prepare(GroupLink(channelLink()), " ", of: alice) }
        #expect(name?.code == "invalidGroupName")
        #expect(throws: GroupsError.ownAddress(try GroupLink(full))) { try test.prepare(GroupLink(full), of: alice) }
        #expect(try test.everything() == before)
        #expect(try test.prepare(GroupLink(full), of: bob).outcome == .prepared)
    }

    @Test("starting sets the flags, once; a second time is an error that says so")
    func start() throws {
        let id = try test.prepare(GroupLink(channelLink()), of: alice).group.group.id
        func start(_ user: User, request: String? = nil) throws -> GroupSummary {
            try test.write { try writer($0).start(id, requestMessage: request, of: user.id) }
        }
        #expect(throws: GroupsError.groupNotFound(.id(id))) { try start(bob) }
        #expect(try test.group(id, of: alice).nextConnectPrepared)
        let started = try start(alice, request: "r1").group
        #expect(started.isStarted && started.isPrepared && !started.nextConnectPrepared)
        #expect(
            try test.count(
                """
                SELECT count(*) FROM groups
                WHERE conn_link_prepared_connection = 1 AND request_shared_msg_id = 'r1'
                """) == 1)
        let before = try test.everything()
        let error = #expect(throws: GroupsError.alreadyStarted(started)) { try start(alice) }
        #expect(error?.message.contains("was started already") == true)
        #expect(try test.everything() == before)
    }

    @Test("cancelling removes a prepared group entirely, and only one that was not started")
    func cancel() throws {
        let before = try test.everything()
        let prepared = try test.prepare(GroupLink(channelLink()), of: alice).group
        func cancel(_ group: GroupSummary, _ user: User) throws {
            _ = try test.write { try writer($0).cancel(group.group.id, of: user.id) }
        }
        #expect(throws: GroupsError.groupNotFound(.id(prepared.group.id))) { try cancel(prepared, bob) }
        try cancel(prepared, alice)
        #expect(try test.everything() == before)
        #expect(throws: GroupsError.groupNotFound(.id(prepared.group.id))) { try cancel(prepared, alice) }

        let started = try test.prepare(GroupLink(channelLink()), of: alice).group
        try test.write { try writer($0).start(started.group.id, of: alice.id) }
        let error = #expect(throws: GroupsError.self) { try cancel(started, alice) }
        #expect(error?.code == "alreadyStarted")
        #expect(try test.group(started.group.id, of: alice).isStarted)
    }

    @Test("a group that was not created by a link cannot be started or cancelled")
    func notPrepared() throws {
        let group = try test.addGroup("talk", of: alice)
        let before = try test.everything()
        #expect(throws: GroupsError.notPrepared(group.group)) {
            try test.write { try writer($0).start(group.group.id, of: alice.id) }
        }
        #expect(throws: GroupsError.notPrepared(group.group)) {
            try test.write { try writer($0).cancel(group.group.id, of: alice.id) }
        }
        #expect(try test.everything() == before)
    }

    private func writer(_ chat: any WriteTransaction) -> GroupsWriter {
        GroupsWriter(chat, clock: TestStore.clock)
    }
}
