import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Profiles".
@Suite struct ProfileQuestionsTests {
    private func unread(_ test: TestStore) throws -> [String: Int] {
        let infos = try test.read { try UsersRepo($0).infos() }
        return Dictionary(uniqueKeysWithValues: infos.map { ($0.user.name, $0.unread) })
    }

    @Test("unread are new items of chats that are not muted; of mentions only, mentions")
    func unread() throws {
        let test = try TwoProfiles().test
        #expect(try unread(test) == ["alice": 1, "bob": 1])
        try test.write { try $0.run("UPDATE chat_items SET item_status = 'rcv_new' WHERE chat_item_id = 21") }
        #expect(try unread(test) == ["alice": 2, "bob": 1])
        for (statement, expected) in [
            ("UPDATE groups SET enable_ntfs = 0", 1), ("UPDATE groups SET enable_ntfs = 2", 1),
            ("UPDATE chat_items SET user_mention = 1 WHERE chat_item_id = 21", 2),
            ("UPDATE groups SET enable_ntfs = 1", 2), ("UPDATE contacts SET enable_ntfs = 0", 1),
            ("UPDATE contacts SET enable_ntfs = 1", 2), ("UPDATE contacts SET deleted = 1 WHERE contact_id = 11", 1),
            ("UPDATE chat_items SET item_status = 'rcv_read'", 0),
        ] {
            try test.write { _ = try $0.run(.unchecked(sql: statement)) }
            #expect(try unread(test)["alice"] == expected, "\(statement)")
        }
    }

    @Test("profiles come with their counts in the order of all lists, hidden ones only when shown")
    func order() throws {
        let test = try TestStore()
        #expect(try test.read { try UsersRepo($0).infos() } == [])
        let users = try ["alice", "bob"].map { try test.addUser($0) }
        try test.addUser("carol")
        try test.hide(users[1])
        try test.read { chat in
            let (visible, all) = (try UsersRepo(chat).infos(), try UsersRepo(chat).infos(hidden: .shown))
            #expect(visible.map(\.user.name) == ["carol", "alice"])
            #expect(try all.map(\.user) == UsersRepo(chat).all(hidden: .shown))
        }
    }

    @Test("unread items are counted in an index, with any content of the chats")
    func plan() throws {
        try TwoProfiles.undoing { chat, _ in
            let recorded = RecordingTransaction(chat)
            _ = try UsersRepo(recorded).infos()
            let query = try #require(recorded.queries.first)
            let plan = try chat.rows("EXPLAIN QUERY PLAN " + query).map { try $0.get("detail") as String }
            #expect(recorded.queries.count == 1)
            #expect(plan.contains { $0.contains("COVERING INDEX idx_chat_items_unread_contact") }, "\(plan)")
            #expect(plan.contains { $0.contains("COVERING INDEX idx_chat_items_unread_group") }, "\(plan)")
        }
    }

    @Test("a row's profile is found by the agent's number and connection, a contact, a group and a file")
    func owners() throws {
        try TwoProfiles.undoing { chat, _ in
            let users = UsersRepo(chat)
            for things in [Things.alice, .bob] {
                let found = [
                    try users.find(agentUser: things.agentUser),
                    try users.find(agentConnection: things.agentConnection),
                    try users.find(contact: things.friend), try users.find(contact: things.ownContact),
                    try users.find(group: things.channel), try users.find(file: things.receivedFile),
                ]
                #expect(found.map { $0?.id } == Array(repeating: things.user, count: found.count))
            }
            #expect(try users.find(agentUser: AgentUserID(9)) == nil)
            #expect(try users.find(agentConnection: AgentConnectionID(bytes: [0xFF, 0xFE])) == nil)
            #expect(try users.find(agentConnection: AgentConnectionID(bytes: [])) == nil)
            #expect(try users.find(contact: ContactID(99)) == nil && users.find(group: GroupID(99)) == nil)
            #expect(try users.find(file: FileID(99)) == nil)
        }
    }

    @Test("receipts and notifications are set for one profile; settings of its chats stay unless they are cleared")
    func options() throws {
        try TwoProfiles.undoing { chat, _ in
            let users = UsersWriter(chat)
            let (alice, bob) = (Things.alice, Things.bob)
            try chat.run("UPDATE contacts SET send_rcpts = 0")
            try chat.run("UPDATE groups SET send_rcpts = 1")
            #expect(try users.setNotifications(false, of: alice.user).showsNotifications == false)
            #expect(try users.setReceiptsToContacts(true, of: alice.user).sendsReceiptsToContacts)
            #expect(try users.setReceiptsToSmallGroups(true, of: alice.user).sendsReceiptsToSmallGroups)
            #expect(try chat.count("SELECT count(*) FROM contacts WHERE send_rcpts IS NULL") == 0)
            try users.setReceiptsToContacts(true, of: alice.user, clearingOverrides: true)
            try users.setReceiptsToSmallGroups(false, of: alice.user, clearingOverrides: true)
            let other = try UsersRepo(chat).get(bob.user)
            #expect(other.showsNotifications && !other.sendsReceiptsToContacts && !other.sendsReceiptsToSmallGroups)
            for (table, left) in [("contacts", 2), ("groups", 10)] {
                let kept: Query = "SELECT count(*) FROM \(identifier: table) WHERE send_rcpts IS NOT NULL"
                #expect(try chat.count(kept) == left)
                #expect(try chat.count(kept + " AND user_id = \(bob.user)") == left)
            }
            #expect(throws: UsersError.profileNotFound(.id(UserID(9)))) {
                try users.setReceiptsToContacts(true, of: UserID(9))
            }
        }
    }

    @Test("a profile created with a preset has its entries; with a name in use nothing is created")
    func preset() throws {
        let test = try TestStore()
        let preset = try BundledPresets.preset()
        func create(_ name: String) throws -> User {
            try test.store.writeBoth(committing: .agentFirst) { chat, agent in
                try UsersWriter(chat, clock: TestStore.clock).create(
                    name, startingWith: preset, seed: 7, agent: agent)
            }
        }
        let alice = try create("alice")
        #expect(try test.read { try ChatRelaysRepo($0).choosable(of: alice.id) }.isEmpty == false)
        let rows = try test.count("SELECT count(*) FROM protocol_servers")
        #expect(throws: PresetError.users(.duplicateProfileName("alice"))) { try create("alice") }
        #expect(try test.count("SELECT count(*) FROM protocol_servers") == rows)
        #expect(try test.count("SELECT count(*) FROM users", in: .agent) == 1)
    }

    @Test("a profile like another has its relays, servers, switches, roles, passwords, tests, choices and settings")
    func likeAnother() throws {
        let test = try TestStore()
        let alice = try test.store.writeBoth(committing: .agentFirst) { chat, agent in
            try UsersWriter(chat, clock: TestStore.clock).create(
                "alice", startingWith: BundledPresets.preset(), seed: 7, agent: agent)
        }
        let relay = "https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
        let server = "smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=:secret@smp.example.org"
        try test.write { chat in
            let (servers, relays) = (ServersWriter(chat), ChatRelaysWriter(chat))
            let own = try servers.add(server, of: alice.id)
            try servers.setTested(own.id, true, of: alice.id)
            try servers.setRoles(own.id, ServerRoleChoices(proxy: false), of: alice.id)
            let presets = try ServersRepo(chat).all(of: alice.id).filter(\.isPreset)
            try servers.setEnabled(presets[0].id, !presets[0].isEnabled, of: alice.id)
            try relays.setEnabled(
                relays.add(relay, name: "mine", domains: ["a.example"], of: alice.id).relay.id, false, of: alice.id)
            let users = UsersWriter(chat)
            try users.setNotifications(false, of: alice.id)
            try users.setReceiptsToContacts(true, of: alice.id)
            try users.setAcceptsGroupInvitations(true, of: alice.id)
            try SettingsWriter(chat).setChatItemTTL(86_400, of: alice.id)
        }
        try test.write {
            try $0.run(
                """
                INSERT INTO preset_choices (user_id, kind, address_key, choice, created_at, updated_at)
                VALUES (\(alice.id), 'smp', 'smp99.simplex.im', 'deleted', '2026-01-01', '2026-01-01')
                """)
        }
        let made = try test.store.writeBoth(committing: .agentFirst) { chat, agent in
            try UsersWriter(chat, clock: TestStore.clock).create("carol", like: alice.id, agent: agent)
        }
        #expect(made.notes == [] && made.other.name == "alice" && made.user.isActive)
        func rows(_ user: UserID) throws -> [String] {
            try test.read { chat in
                let servers = try ServersRepo(chat).all(of: user).map {
                    "\($0.serverProtocol) \($0.addressText()) \($0.password ?? "") \($0.isPreset) \($0.isEnabled) "
                        + "\(String(describing: $0.tested)) \($0.roles)"
                }
                let relays = try ChatRelaysRepo(chat).all(of: user).map {
                    "\($0.address) \($0.name) \($0.domains) \($0.isPreset) \($0.isEnabled) "
                        + String(describing: $0.tested)
                }
                return servers.sorted() + relays.sorted()
            }
        }
        #expect(try rows(made.user.id) == rows(alice.id))
        #expect(try rows(alice.id).count > 20)
        let carol = made.user
        #expect(!carol.showsNotifications && carol.sendsReceiptsToContacts && carol.acceptsGroupInvitations)
        #expect(!carol.sendsReceiptsToSmallGroups)
        #expect(try test.read { try SettingsRepo($0).chatItemTTL(of: carol.id) } == 86_400)
        #expect(try test.count("SELECT count(*) FROM preset_choices WHERE user_id = \(carol.id)") == 1)
        #expect(throws: PresetError.users(.profileNotFound(.id(UserID(99))))) {
            try test.store.writeBoth(committing: .agentFirst) { chat, agent in
                _ = try UsersWriter(chat).create("dave", like: UserID(99), agent: agent)
            }
        }
    }
}
