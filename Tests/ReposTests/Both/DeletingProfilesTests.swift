import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Profiles", Deleting.
@Suite struct DeletingProfilesTests {
    @discardableResult
    private func delete(
        _ user: UserID, in test: TestStore, hidden: HiddenProfiles = .leftOut
    ) throws -> DeletedUser {
        try test.store.writeBoth(committing: .chatFirst) { chat, agent in
            try UsersWriter(chat, clock: TestStore.clock).delete(user, agent: agent, hidden: hidden)
        }
    }

    @Test(
        "everything of the profile goes and nothing of another; the agent's user is marked with its connections, and stays"
    )
    func everything() throws {
        for (gone, other) in [(Things.alice, Things.bob), (.bob, .alice)] {
            let world = try TwoProfiles().test
            let before = try world.store.readBoth { try TwoProfiles.rows(of: other, $0, $1) }
            let agentBefore = try world.store.read(.agent) { try TwoProfiles.rows(of: gone, $0).count }
            let deleted = try delete(gone.user, in: world)
            #expect(deleted.user.name == gone.name)
            #expect(try world.read { try TwoProfiles.rows(of: gone, $0) } == [])
            for table in try world.read({ try $0.rows(Self.tablesOfProfiles) }) {
                let name: String = try table.get("name")
                let left = try world.count("SELECT count(*) FROM \(identifier: name) WHERE user_id = \(gone.user)")
                #expect(left == 0, "\(name)")
            }
            #expect(
                try world.count("SELECT count(*) FROM chat_items_fts WHERE chat_items_fts MATCH \(gone.name)") == 0)
            #expect(try world.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
            // bob is activated when alice goes, so the row of the user itself changes.
            let after = try world.store.readBoth { try TwoProfiles.rows(of: other, $0, $1) }
            #expect(after.filter { !$0.hasPrefix("users:") } == before.filter { !$0.hasPrefix("users:") })
            #expect(try world.store.read(.agent) { try TwoProfiles.rows(of: gone, $0).count } == agentBefore)
            let marked = try world.store.read(.agent) {
                try $0.rows("SELECT user_id, deleted FROM users ORDER BY user_id").map { try $0.get("deleted") as Int }
            }
            #expect(marked == (gone.number == 1 ? [1, 0] : [0, 1]))
            // Its connections and the queues they receive from are marked with it.
            let unmarked: [Query] = [
                "SELECT count(*) FROM connections WHERE user_id = \(gone.number) AND deleted = 0",
                """
                SELECT count(*) FROM rcv_queues JOIN connections ON connections.conn_id = rcv_queues.conn_id
                WHERE connections.user_id = \(gone.number) AND rcv_queues.deleted = 0
                """,
            ]
            for query in unmarked { #expect(try world.count(query, in: .agent) == 0) }
        }
    }

    private static let tablesOfProfiles: Query = """
        SELECT tables.name AS name FROM sqlite_schema AS tables
        JOIN pragma_table_info(tables.name) AS columns ON columns.name = 'user_id'
        WHERE tables.type = 'table'
        """

    @Test("the answer has the contents that were deleted")
    func contents() throws {
        let world = try TwoProfiles().test
        let contents = try delete(Things.bob.user, in: world).contents
        #expect(
            [contents.contacts, contents.groups, contents.channels, contents.relays, contents.servers] == [
                1, 1, 9, 3, 2,
            ])
        #expect(contents.chatItems == 2 && contents.files == 2)
    }

    @Test("when the active profile is deleted, the visible one used before it becomes active")
    func activeFollows() throws {
        let test = try TestStore()
        let users = try ["alice", "bob", "carol", "dora"].map { try test.addUser($0) }
        try test.hide(users[2])
        let deleted = try delete(users[3].id, in: test)
        #expect(deleted.active?.name == "bob" && deleted.active?.isActive == true)
        #expect(try test.count("SELECT count(*) FROM users WHERE active_user = 1") == 1)
        // One that is not in use changes nothing about that.
        let other = try delete(users[0].id, in: test)
        #expect(other.active == deleted.active)
        // Only the hidden carol is left. No answer may reveal her.
        let last = try delete(users[1].id, in: test)
        #expect(last.active == nil)
        #expect(try test.count("SELECT count(*) FROM users WHERE active_user = 1") == 0)
        #expect(try delete(users[2].id, in: test, hidden: .shown).active == nil)
        #expect(try test.count("SELECT count(*) FROM users") == 0)
        #expect(try test.count("SELECT count(*) FROM users WHERE deleted = 1", in: .agent) == 4)
        #expect(try test.addUser("erin").isActive)
    }

    @Test("a hidden or missing profile is not found, and nothing is deleted")
    func notFound() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        try test.addUser("bob")
        try test.hide(alice)
        for id in [alice.id, UserID(9)] {
            #expect(throws: UsersError.profileNotFound(.id(id))) { try delete(id, in: test) }
        }
        #expect(try test.count("SELECT count(*) FROM users") == 2)
        #expect(try test.count("SELECT count(*) FROM users WHERE deleted = 1", in: .agent) == 0)
    }

    @Test("a profile whose user the agent does not know can be deleted")
    func orphan() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        try test.store.write(.agent) { _ = try $0.run("DELETE FROM users") }
        #expect(try delete(alice.id, in: test).user == alice)
    }

    @Test("the number of a deleted profile in the agent database is not given again")
    func numbers() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        try delete(alice.id, in: test)
        #expect(try test.addUser("alice").agentUserID != alice.agentUserID)
    }
}
