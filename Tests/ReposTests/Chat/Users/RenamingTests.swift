import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Profiles", Names.
@Suite struct RenamingTests {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    @discardableResult
    private func rename(_ user: User, _ name: String) throws -> User {
        try test.write { try UsersWriter($0, clock: TestStore.clock).rename(user.id, to: name) }
    }

    @Test("a new name reaches the user, its own contact, contact profile and display name, and its memberships")
    func everywhere() throws {
        let relay = try test.addRelay("r.example", of: alice)
        try test.addChannel("news", relays: [relay], of: alice)
        let renamed = try rename(alice, " alicia ")
        #expect(renamed.name == "alicia" && renamed.id == alice.id && renamed.contactID == alice.contactID)
        let names = try test.count(
            """
            SELECT count(*) FROM users
            JOIN contacts ON contacts.contact_id = users.contact_id AND contacts.local_display_name = 'alicia'
            JOIN contact_profiles ON contact_profiles.contact_profile_id = contacts.contact_profile_id
                AND contact_profiles.display_name = 'alicia'
            JOIN display_names ON display_names.user_id = users.user_id AND ldn_base = 'alicia' AND ldn_suffix = 0
                AND display_names.local_display_name = 'alicia'
            JOIN group_members ON group_members.contact_id = contacts.contact_id
                AND group_members.local_display_name = 'alicia'
            WHERE users.local_display_name = 'alicia'
            """)
        #expect(names == 1)
        for table in ["users", "contacts", "display_names", "group_members"] {
            let old = try test.count(
                "SELECT count(*) FROM \(identifier: table) WHERE local_display_name = 'alice'")
            #expect(old == 0, "\(table)")
        }
        #expect(try test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
        // The old name is free again.
        #expect(try test.addChannel("alice", relays: [relay], of: alice).group.localDisplayName == "alice")
    }

    /// Gives the own contact of a profile, and its memberships, another name.
    private func nameContact(_ name: String) throws {
        try test.write { chat in
            try chat.run(
                """
                INSERT INTO display_names (user_id, local_display_name, ldn_base)
                VALUES (\(alice.id), \(name), \(name))
                """)
            try chat.run("UPDATE contacts SET local_display_name = \(name) WHERE contact_id = \(alice.contactID)")
            try chat.run("UPDATE group_members SET local_display_name = \(name) WHERE member_category = 'user'")
        }
    }

    @Test("the present name of a profile, and a new one, reach an own contact and memberships with another one")
    func ownContact() throws {
        try test.addChannel("news", relays: [try test.addRelay("r.example", of: alice)], of: alice)
        for name in ["alice", "alicia"] {
            try nameContact("other")
            try test.write {
                try $0.run("UPDATE contact_profiles SET display_name = 'third' WHERE display_name = 'alice'")
            }
            #expect(try rename(alice, name).name == name)
            for table in ["users", "contacts", "display_names", "group_members"] {
                let query: Query = "SELECT count(*) FROM \(identifier: table) WHERE local_display_name = "
                #expect(try test.count("\(query)\(name)") == 1, "\(table) \(name)")
                #expect(try test.count("\(query)'other'") == 0, "\(table) \(name)")
            }
            #expect(try test.count("SELECT count(*) FROM contact_profiles WHERE display_name = \(name)") == 1)
        }
        #expect(try test.count("SELECT count(*) FROM display_names WHERE local_display_name = 'alice'") == 0)
    }

    @Test("the present name is refused if a group of the profile has it, and its own contact has another one")
    func ownNameTaken() throws {
        try test.addChannel("news", relays: [try test.addRelay("r.example", of: alice)], of: alice)
        try nameContact("other")
        try test.write { try $0.run("UPDATE groups SET local_display_name = 'alice'") }
        #expect(throws: UsersError.nameTaken("alice", of: alice)) { try rename(alice, "alice") }
        #expect(try test.count("SELECT count(*) FROM contacts WHERE local_display_name = 'other'") == 1)
    }

    @Test("the name of another profile, even a hidden one, and an invalid name are refused; nothing changes")
    func refused() throws {
        let bob = try test.addUser("bob")
        try test.addUser("carol")
        #expect(throws: UsersError.duplicateProfileName("bob")) { try rename(alice, "bob\n") }
        try test.hide(bob)
        #expect(throws: UsersError.duplicateProfileName("bob")) { try rename(alice, "bob") }
        #expect(throws: UsersError.invalidProfileName(.empty)) { try rename(alice, " ") }
        #expect(throws: UsersError.invalidProfileName(.character("U+202E"))) { try rename(alice, "a\u{202E}") }
        #expect(throws: UsersError.profileNotFound(.id(bob.id))) { try rename(bob, "bert") }
        #expect(throws: UsersError.profileNotFound(.id(UserID(9)))) {
            try test.write { try UsersWriter($0).rename(UserID(9), to: "x") }
        }
        #expect(try test.read { try UsersRepo($0).all(hidden: .shown).map(\.name) } == ["carol", "bob", "alice"])
    }

    @Test("a name that a contact, group or member of the profile has is refused, and one of another profile's is not")
    func taken() throws {
        let relay = try test.addRelay("r.example", name: "relay", of: alice)
        try test.addChannel("news", relays: [relay], of: alice)
        for name in ["news", "relay"] {
            let error = #expect(throws: UsersError.self) { try rename(alice, name) }
            #expect(error == .nameTaken(name, of: alice) && error?.code == "nameTaken")
        }
        #expect(try test.count("SELECT count(*) FROM display_names WHERE local_display_name = 'alice'") == 1)
        let bob = try test.addUser("bob")
        #expect(try rename(bob, "news").name == "news")
    }

    @Test("a name that a contact, group or member of the profile has is refused if its row of display_names is lost")
    func takenWithoutRow() throws {
        let relay = try test.addRelay("r.example", name: "relay", of: alice)
        try test.addChannel("news", relays: [relay], of: alice)
        try test.loseNames()
        for name in ["news", "relay"] {
            #expect(throws: UsersError.nameTaken(name, of: alice)) { try rename(alice, name) }
        }
    }

    @Test("the name it has is no change")
    func same() throws {
        try test.write { try $0.run("UPDATE users SET updated_at = '2026-01-01 00:00:00.000'") }
        #expect(try rename(alice, "alice").name == "alice")
        #expect(try test.count("SELECT count(*) FROM users WHERE updated_at = '2026-01-01 00:00:00.000'") == 1)
    }
}
