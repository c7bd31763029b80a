import ChatDBKit
import Testing

@Suite struct UsersTests {
    @Test("a new profile has its own contact, contact profile and display name, and a user in the agent database")
    func create() throws {
        let test = try TestStore()
        let alice = try test.addUser("  alice ")
        #expect(alice.name == "alice" && alice.isActive && !alice.isHidden)
        let own = try test.count(
            """
            SELECT count(*) FROM users
            JOIN contacts ON contacts.contact_id = users.contact_id AND contacts.user_id = users.user_id
            JOIN contact_profiles ON contact_profiles.contact_profile_id = contacts.contact_profile_id
            JOIN display_names ON display_names.user_id = users.user_id
                AND display_names.local_display_name = users.local_display_name
            WHERE contacts.is_user = 1 AND contact_profiles.display_name = 'alice'
                AND contacts.local_display_name = 'alice' AND display_names.ldn_suffix = 0
                AND users.created_at = '2026-07-20 09:05:00.120' AND users.updated_at = users.created_at
            """)
        #expect(own == 1)
        #expect(
            try test.count("SELECT count(*) FROM users WHERE user_id = \(alice.agentUserID)", in: .agent) == 1)
        #expect(try test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }

    @Test("the number of a profile in the agent database need not be its number in the chat database")
    func agentNumbers() throws {
        let test = try TestStore()
        // A user the chat database does not have, as after a crash between the two commits.
        try test.store.write(.agent) { _ = try $0.run("INSERT INTO users (deleted) VALUES (0)") }
        let alice = try test.addUser("alice")
        #expect(alice.id.rawValue == 1 && alice.agentUserID.rawValue == 2)
    }

    @Test("exactly one profile is active: the one made or activated last, which is the first of the list")
    func active() throws {
        let test = try TestStore()
        #expect(try test.read { try UsersRepo($0).active() } == nil)
        let users = try ["alice", "bob", "carol"].map { try test.addUser($0) }
        #expect(try test.read { try UsersRepo($0).all().map(\.name) } == ["carol", "bob", "alice"])
        let alice = try test.write { try UsersWriter($0, clock: TestStore.clock).activate(users[0].id) }
        #expect(alice.isActive)
        #expect(try test.read { try UsersRepo($0).all().map(\.name) } == ["alice", "carol", "bob"])
        #expect(try test.read { try UsersRepo($0).all().filter(\.isActive) } == [alice])
        #expect(try test.read { try UsersRepo($0).active() } == alice)
    }

    @Test("two profiles of a store cannot have the same name, be it that of a hidden one, and nothing is made")
    func duplicateName() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        for isHidden in [false, true] {
            if isHidden { try test.hide(alice) }
            let error = #expect(throws: UsersError.self) { try test.addUser("alice\n") }
            #expect(error == .duplicateProfileName("alice") && error?.code == "duplicateProfileName")
        }
        #expect(try test.count("SELECT count(*) FROM users") == 1)
        #expect(try test.count("SELECT count(*) FROM users", in: .agent) == 1)
    }

    @Test(
        "a name has 1 to 200 characters, none of them a control or bidirectional one",
        arguments: [
            ("", NameProblem.empty), (" \r\n ", .empty), (String(repeating: "a", count: 201), .tooLong(201)),
            ("a\u{1B}[2J", .character("U+001B")), ("a\u{202E}b", .character("U+202E")),
            ("a\u{0}", .character("U+0000")),
        ])
    func names(_ given: String, _ problem: NameProblem) throws {
        let test = try TestStore()
        let error = #expect(throws: UsersError.self) { try test.addUser(given) }
        #expect(error == .invalidProfileName(problem) && error?.code == "invalidProfileName")
        #expect(try test.addUser(String(repeating: "é", count: 200)).name.unicodeScalars.count == 200)
    }

    @Test("hidden profiles are left out and counted, unless they are shown")
    func hidden() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        let bob = try test.addUser("bob")
        try test.hide(bob)
        try test.read { chat in
            let users = UsersRepo(chat)
            let visible = try users.all()
            #expect(visible.map(\.name) == ["alice"] && visible.map(\.id) == [alice.id])
            #expect(try users.hiddenCount() == 1)
            #expect(try users.active() == nil, "the active one is hidden")
            #expect(try users.find(bob.id) == nil && users.find(named: "bob") == nil)
            #expect(throws: UsersError.profileNotFound(.id(bob.id))) { try users.get(bob.id) }
            #expect(try users.all(hidden: .shown).map(\.name) == ["bob", "alice"])
            #expect(try users.find(named: "bob", hidden: .shown)?.isHidden == true)
            #expect(try users.active(hidden: .shown)?.id == bob.id)
        }
        #expect(throws: UsersError.profileNotFound(.id(bob.id))) {
            try test.write { try UsersWriter($0).activate(bob.id) }
        }
    }

    @Test("activating a missing profile is an error, and the active one stays active")
    func activateMissing() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        let error = #expect(throws: UsersError.self) { try test.write { try UsersWriter($0).activate(UserID(9)) } }
        #expect(error?.message == "there is no profile 9 in this store" && error?.code == "profileNotFound")
        #expect(try test.read { try UsersRepo($0).active() } == alice)
    }

    @Test("a number of the agent that a profile has is not given to another, and the error gives the reason")
    func agentUserTaken() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        let next = AgentUserID(alice.agentUserID.rawValue + 1)
        try test.write { try $0.run("UPDATE users SET agent_user_id = \(next)") }
        let error = #expect(throws: UsersError.agentUserTaken(next)) { try test.addUser("bob") }
        #expect(error?.code == "agentUserTaken" && error?.storeError == nil)
        #expect(try test.count("SELECT count(*) FROM users") == 1)
        #expect(try test.count("SELECT count(*) FROM users", in: .agent) == 1)
    }

    @Test("a profile joins groups by itself only when its switch is set; other profiles keep theirs")
    func groupInvitations() throws {
        let test = try TestStore()
        let (alice, bob) = (try test.addUser("alice"), try test.addUser("bob"))
        #expect(!alice.acceptsGroupInvitations)
        func set(_ isOn: Bool) throws -> User {
            try test.write {
                try UsersWriter($0, clock: TestStore.clock).setAcceptsGroupInvitations(isOn, of: alice.id)
            }
        }
        #expect(try set(true).acceptsGroupInvitations)
        #expect(try test.read { try UsersRepo($0).get(alice.id) }.acceptsGroupInvitations)
        #expect(try !test.read { try UsersRepo($0).get(bob.id) }.acceptsGroupInvitations)
        #expect(try !set(false).acceptsGroupInvitations)
        try test.hide(alice)
        let error = #expect(throws: UsersError.self) { try set(true) }
        #expect(error?.code == "profileNotFound")
    }
}
