import ChatDBKit
import Testing

@Suite struct GroupDeleteTests {
    let test: TestStore
    let alice: User
    let bob: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
    }

    @Test("nothing of a deleted group is left in any table, and nothing else has changed")
    func everythingGoes() throws {
        let relay = try test.addRelay("r1.example", name: "One", of: alice)
        let other = try test.addChannel("news", relays: [relay], of: alice)
        try fill(other, 10)
        let bobs = try test.addGroup("news", of: bob)
        try fill(bobs, 20)
        let before = try state()

        let channel = try test.addChannel("news", relays: [relay], of: alice)
        try test.addMember("carol", .observer, to: channel, of: alice)
        try test.addMember("One", .admin, .left, to: channel, of: alice)
        try fill(channel, 30)
        let full = try test.read { try GroupsRepo($0).get(channel.group.id, of: alice.id) }
        #expect(try state() != before)
        let deleted = try delete(channel, of: alice)
        #expect(try state() == before)
        #expect(deleted.group == full && deleted.purgedRelays == 0)
        #expect(deleted.agentConnections == ["link 30", "member 30"].map { AgentConnectionID(bytes: Array($0.utf8)) })
        #expect(try test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }

    @Test("a name and a profile that a contact, another member or a request has too stay")
    func shared() throws {
        let group = try test.addGroup("talk", of: alice)
        let other = try test.addGroup("other", of: alice)
        let members = try ["carol", "dave", "erin", "frank"].map { try test.addMember($0, to: group, of: alice) }
        try test.write { chat in
            func profile(_ index: Int) -> Query {
                "(SELECT contact_profile_id FROM group_members WHERE group_member_id = \(members[index].id))"
            }
            try chat.run(
                """
                INSERT INTO contacts (user_id, contact_profile_id, local_display_name)
                VALUES (\(alice.id), \(profile(0)), 'carol')
                """)
            try chat.run(
                """
                INSERT INTO group_members (user_id, group_id, member_id, member_role, member_category, member_status,
                    local_display_name, contact_profile_id, member_profile_id)
                VALUES (\(alice.id), \(other.group.id), 'x', 'member', 'post', 'connected', 'dave', \(profile(1)),
                    \(profile(3)))
                """)
            try chat.run(
                """
                INSERT INTO contact_requests (user_id, agent_invitation_id, contact_profile_id, local_display_name)
                VALUES (\(alice.id), 'i', \(profile(2)), 'erin')
                """)
        }
        try delete(group, of: alice)
        let names = try texts("SELECT local_display_name AS x FROM display_names WHERE user_id = \(alice.id)")
        #expect(names == ["alice", "carol", "dave", "erin", "other"])
        let profiles = try texts("SELECT display_name AS x FROM contact_profiles WHERE user_id = \(alice.id)")
        #expect(profiles == ["alice", "carol", "dave", "erin", "frank"])
        #expect(try test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }

    @Test("a soft-deleted relay is removed with the last channel that refers to it, in the same transaction")
    func relays() throws {
        let relays = try ["r1.example", "r2.example", "r3.example"].map { try test.addRelay($0, of: alice) }
        let bobs = try test.addRelay("r1.example", of: bob)
        let bobsChannel = try test.addChannel("bobs", relays: [bobs], of: bob)
        let first = try test.addChannel("first", relays: [relays[0], relays[1], relays[2]], of: alice)
        let second = try test.addChannel("second", relays: [relays[1]], of: alice)
        try test.write { chat in
            let writer = ChatRelaysWriter(chat, clock: TestStore.clock)
            for relay in relays.prefix(2) { _ = try writer.delete(relay.id, of: alice.id) }
            _ = try writer.delete(bobs.id, of: bob.id)
        }
        func left(_ user: User) throws -> [ChatRelayID] {
            try test.read { try ChatRelaysRepo($0).all(of: user.id, includingDeleted: true).map(\.id) }
        }
        #expect(try delete(first, of: alice).purgedRelays == 1)
        #expect(try left(alice) == [relays[1].id, relays[2].id])
        #expect(try delete(second, of: alice).purgedRelays == 1)
        #expect(try left(alice) == [relays[2].id])
        #expect(try left(bob) == [bobs.id])
        #expect(try delete(bobsChannel, of: bob).purgedRelays == 1)
        #expect(try left(bob).isEmpty)
    }

    @Test("owners delete a group, and so does a profile that is not in it; a member who does not own it leaves first")
    func whoMay() throws {
        let group = try test.addGroup("talk", of: alice)
        for status in GroupMemberStatus.known + [.unknown("newer")] {
            for role in GroupMemberRole.known + [.unknown("newer")] {
                try test.setOwnStatus(status, in: group)
                try test.setOwnRole(role, in: group)
                let before = try state()
                let may = role == .owner || !status.isCurrent
                do {
                    try test.write { chat in
                        _ = try GroupsWriter(chat, clock: TestStore.clock).delete(group.group.id, of: alice.id)
                        throw Undo()
                    }
                } catch is Undo {
                    #expect(may, "\(role) \(status)")
                } catch let error as GroupsError {
                    #expect(!may && error.code == "notOwner", "\(role) \(status)")
                }
                #expect(try state() == before)
            }
        }
        #expect(throws: GroupsError.groupNotFound(.id(group.group.id))) { try delete(group, of: bob) }
    }

    @Test("a group of many thousand members is deleted whole")
    func many() throws {
        let before = try state()
        let group = try test.addGroup("talk", of: alice)
        try test.write { chat in
            let writer = GroupMembersWriter(chat, clock: TestStore.clock)
            for number in 0..<2_500 {
                try writer.add(
                    NewMember(
                        name: "m\(number)", memberID: "\(number)", role: .observer, category: .post,
                        status: .connected), to: group.group.id, of: alice.id)
            }
        }
        try delete(group, of: alice)
        #expect(try state() == before)
    }

    private struct Undo: Error {}

    @discardableResult
    private func delete(_ group: GroupSummary, of user: User) throws -> DeletedGroup {
        try test.write { try GroupsWriter($0, clock: TestStore.clock).delete(group.group.id, of: user.id) }
    }

    /// All rows; the counter of item numbers never goes back.
    private func state() throws -> [String] {
        try test.everything().filter { !$0.hasPrefix("sqlite_sequence:") }
    }

    private func texts(_ query: Query) throws -> [String] {
        try test.read { chat in try chat.rows(query).map { try $0.get("x") as String }.sorted() }
    }

    @Test("names that differ only in how their letters are composed are all free afterwards")
    func composedNames() throws {
        let group = try test.addGroup("talk", of: alice)
        for name in ["\u{e9}va", "e\u{301}va"] { try test.addMember(name, to: group, of: alice) }
        #expect(try test.count("SELECT count(*) FROM display_names WHERE local_display_name LIKE '%va'") == 2)
        _ = try delete(group, of: alice)
        #expect(try test.count("SELECT count(*) FROM display_names WHERE local_display_name LIKE '%va'") == 0)
    }

    @Test("a description for a member is removed with the member's connection, in any chat")
    func descriptionsForMembers() throws {
        let group = try test.addGroup("talk", of: alice)
        let carol = try test.addMember("carol", to: group, of: alice)
        let connection = try test.addConnection("c", member: carol.id, of: alice)
        try test.write { chat in
            let files = FilesWriter(chat)
            let file = try files.createSent(NewFile(name: "f", size: 1, chunkSize: 1), of: alice.id).id
            try files.addRecipient(connection, to: file, of: alice.id)
            try files.setDescription("secret", of: file, to: connection, of: alice.id)
        }
        _ = try delete(group, of: alice)
        #expect(try test.count("SELECT count(*) FROM xftp_file_descriptions") == 0)
    }
}
