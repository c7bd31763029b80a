import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Groups and channels", Creating a channel.
@Suite("Channels whose creation is not finished") struct UnfinishedChannelTests {
    let test: TestStore
    let alice: User
    let bob: User
    let channel: GroupSummary

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
        channel = try test.addChannel("news", relays: [test.addRelay("r.example", of: alice)], of: alice)
    }

    @Test("a channel without a link or a relay is not finished, and the error says what is missing")
    func incomplete() throws {
        func finish() throws -> GroupSummary {
            try test.write {
                try GroupsWriter($0, clock: TestStore.clock).finishCreation(channel.group.id, of: alice.id)
            }
        }
        let before = try test.everything()
        let noLink = #expect(throws: GroupsError.creationIncomplete(channel.group, missing: [.link])) { try finish() }
        #expect(noLink?.message == #""news" (id:\#(channel.group.id)) cannot be finished: it has no link"#)
        #expect(try test.everything() == before)
        try test.write { try $0.run("DELETE FROM group_relays") }
        let nothing = #expect(throws: GroupsError.self) { try finish() }
        #expect(nothing?.message.hasSuffix("it has no link and no relay") == true)
        #expect(nothing?.info.details["missing"] == ["link", "relay"])
        try setLink()
        let noRelay = #expect(throws: GroupsError.self) { try finish() }
        #expect(noRelay?.code == "creationIncomplete" && noRelay?.message.hasSuffix("it has no relay") == true)
        #expect(try test.group(channel.group.id, of: alice).isCreating)
    }

    @Test("a published link or one that the profile made is enough")
    func link() throws {
        let other = try test.addChannel(
            "other", relays: [test.addRelay("s.example", of: alice)], of: alice, seed: 9)
        try setLink()
        try test.write { chat in
            let writer = GroupsWriter(chat, clock: TestStore.clock)
            #expect(try !writer.finishCreation(channel.group.id, of: alice.id).group.isCreating)
            _ = try UserContactLinksWriter(chat, clock: TestStore.clock).createGroupLink(
                LinkSpellingTests.full, id: "id", to: other.group.id, of: alice.id)
            #expect(try !writer.finishCreation(other.group.id, of: alice.id).group.isCreating)
        }
        #expect(try unfinished().isEmpty)
    }

    @Test("the list has each with its age and what is missing, of this profile only, the oldest first")
    func list() throws {
        #expect(try unfinished().map(\.summary) == [channel])
        #expect(try unfinished().map(\.createdAt) == [created] && unfinished().map(\.missing) == [[.link]])
        #expect(try test.read { try GroupsRepo($0).unfinished(of: bob.id) }.isEmpty)
        let older = try test.addChannel(
            "older", relays: [test.addRelay("s.example", of: alice)], of: alice, seed: 9)
        try test.write { chat in
            try chat.run("UPDATE groups SET created_at = '2025-01-01 00:00:00.000' WHERE group_id = \(older.group.id)")
            try chat.run("DELETE FROM group_relays WHERE group_id = \(older.group.id)")
        }
        try setLink()
        #expect(try unfinished().map(\.summary.group.displayName) == ["older", "news"])
        #expect(try unfinished().map(\.missing) == [[.link, .relay], []])
    }

    @Test("cancelling removes an unfinished channel as deleting does, with the soft-deleted relay that only it used")
    func cancel() throws {
        let id = channel.group.id
        let relay = try test.read { try GroupRelaysRepo($0).all(of: id, of: alice.id) }.map(\.relay.id)
        try test.write { chat in
            try chat.run("UPDATE chat_relays SET deleted = 1")
            try chat.run(
                """
                INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type, group_member_id)
                SELECT 1, 'served', 'ready', 'member', group_member_id FROM group_members WHERE member_role = 'relay'
                """)
        }
        #expect(throws: GroupsError.groupNotFound(.id(id))) {
            try test.write { try GroupsWriter($0).cancel(id, of: bob.id) }
        }
        let cancelled = try test.write { try GroupsWriter($0, clock: TestStore.clock).cancel(id, of: alice.id) }
        #expect(cancelled.agentConnections.map(\.text) == ["served"] && cancelled.purgedRelays == relay.count)
        for table in ["groups", "group_profiles", "group_relays", "group_members", "chat_relays", "connections"] {
            #expect(try test.count("SELECT count(*) FROM \(identifier: table)") == 0, "\(table)")
        }
    }

    @Test("a channel that was finished is not cancelled")
    func finished() throws {
        try setLink()
        try test.write { chat in
            let writer = GroupsWriter(chat, clock: TestStore.clock)
            let group = try writer.finishCreation(channel.group.id, of: alice.id).group
            #expect(throws: GroupsError.notPrepared(group)) { try writer.cancel(group.id, of: alice.id) }
        }
    }

    private var created: StoredTime { StoredTime(text: "2026-07-20 09:05:00.120") ?? .now() }

    private func unfinished() throws -> [UnfinishedChannel] {
        try test.read { try GroupsRepo($0).unfinished(of: alice.id) }
    }

    private func setLink() throws {
        try test.write {
            try GroupsWriter($0, clock: TestStore.clock).setLink(channel.group.id, to: channelLink(), of: alice.id)
        }
    }
}
