import ChatDBKit
import Testing

@Suite struct DeletingContactsTests {
    let world: ContactWorld
    var test: TestStore { world.test }
    var alice: User { world.alice }

    init() throws {
        world = try ContactWorld()
        _ = try world.addContact("dan", of: alice)
        _ = try world.addContact("carol", of: world.bob)
    }

    /// A contact with everything a contact can have.
    private func carol() throws -> Contact {
        let carol = try world.addContact("carol", of: alice)
        let item = try world.addItem("hello", with: carol)
        let dan = try #require(try test.read { try ContactsRepo($0).find(named: "dan", of: alice.id) })
        try test.write { chat throws in
            let random = try ContactsWriter(chat).createIncognitoProfile(.init(displayName: "Otter"), of: alice.id)
            let connection = try ConnectionsWriter(chat).add(
                NewConnection(
                    agentID: .init(bytes: Array("carol-1".utf8)), status: .ready, owner: .contact(carol.id),
                    incognitoProfileID: random.id, isToSubscribe: true),
                of: alice.id)
            try chat.run(
                """
                INSERT INTO messages (user_id, msg_sent, chat_msg_event, connection_id)
                VALUES (\(alice.id), 0, 'x.msg.new', \(connection.id))
                """)
            let files = FilesWriter(chat)
            let sent = try files.createSent(
                NewFile(name: "out", size: 1, chunkSize: 1, chat: .contact(carol.id), itemID: item, path: "/out"),
                of: alice.id)
            try files.addRecipient(connection.id, to: sent.id, of: alice.id)
            try files.setDescription("d", of: sent.id, to: connection.id, of: alice.id)
            let received = try files.createReceived(
                NewFile(name: "in", size: 1, chunkSize: 1, chat: .contact(carol.id)), of: alice.id)
            try files.addDescriptionPart("d", number: 0, isComplete: true, of: received.id, of: alice.id)
            // A file of another chat that goes to carol too.
            try chat.run(
                """
                INSERT INTO files (file_id, user_id, contact_id, file_name, file_size, chunk_size, protocol)
                VALUES (77, \(alice.id), \(dan.id), 'both', 1, 1, 'xftp') ON CONFLICT DO NOTHING
                """)
            try files.addRecipient(connection.id, to: FileID(77), of: alice.id)
            try files.setDescription("d", of: FileID(77), to: connection.id, of: alice.id)
            let tag = try chat.insert(
                "INSERT INTO chat_tags (user_id, chat_tag_text) VALUES (\(alice.id), 'tag')", returning: "chat_tag_id")
            try chat.run("INSERT INTO chat_tags_chats (contact_id, chat_tag_id) VALUES (\(carol.id), \(tag))")
        }
        return carol
    }

    private func delete(_ contact: Contact) throws -> DeletedContact {
        try test.write { try ContactsWriter($0, clock: TestStore.clock).delete(contact.id, of: alice.id) }
    }

    @Test("the first deletion takes a contact out of the lists and marks its connections; the conversation stays")
    func soft() throws {
        let carol = try carol()
        let before = try world.rows()
        let deleted = try delete(carol)
        #expect(deleted.outcome == .softDeleted && deleted.contact.id == carol.id && deleted.files.isEmpty)
        #expect(deleted.connections.map(\.description) == ["carol-1"])
        try test.read { chat throws in
            let contacts = ContactsRepo(chat)
            #expect(try contacts.find(carol.id, of: alice.id) == nil)
            #expect(try contacts.find(named: "carol", of: alice.id) == nil)
            #expect(try contacts.page(of: alice.id).contacts.map(\.localDisplayName) == ["dan"])
            #expect(try contacts.get(carol.id, of: alice.id, includingDeleted: true).isDeleted)
            #expect(try contacts.find(named: "carol", of: alice.id, includingDeleted: true)?.id == carol.id)
            #expect(try contacts.incognitoProfile(for: carol.id, of: alice.id) != nil)
            let connections = ConnectionsRepo(chat)
            let left = try connections.all(ownedBy: .contact(carol.id), of: alice.id)
            #expect(left.map(\.status) == [.deleted] && left.map(\.isToSubscribe) == [false])
            #expect(try connections.toSubscribe(of: alice.id).isEmpty)
        }
        // No row has gone, and only those of the contact and its connection have changed.
        let after = try world.rows()
        #expect(after.count == before.count)
        let changed = Set(after).subtracting(before).map { String($0.prefix { $0 != ":" }) }.sorted()
        #expect(changed == ["connections", "contacts"])
    }

    @Test("the second deletion removes everything of the contact and nothing else; the name is free")
    func hard() throws {
        let empty = try world.rows()
        let carol = try carol()
        _ = try delete(carol)
        let deleted = try delete(carol)
        #expect(deleted.outcome == .deleted && deleted.contact.isDeleted)
        #expect(deleted.connections.map(\.description) == ["carol-1"])
        #expect(deleted.files.map(\.name) == ["out", "in"] && deleted.files.map(\.path) == ["/out", nil])
        try test.write { chat throws in
            // What the test made besides.
            try chat.run("DELETE FROM files WHERE file_id = 77")
            try chat.run("DELETE FROM chat_tags")
        }
        #expect(try world.rows() == empty)
        #expect(try test.count("SELECT count(*) FROM chat_items_fts WHERE chat_items_fts MATCH 'hello'") == 0)
        #expect(try world.names(of: alice) == ["alice", "dan"])
        try world.refuses("contactNotFound", ContactsError.self) {
            _ = try ContactsWriter($0).delete(carol.id, of: alice.id)
        }
        #expect(try world.addContact("carol", of: alice).localDisplayName == "carol")
    }

    @Test("a person who is also a member of a group stays a member, with name and profile")
    func member() throws {
        let carol = try world.addContact("carol", of: alice)
        let (_, member) = try world.addGroup("friends", of: alice)
        try test.write {
            try $0.run(
                """
                UPDATE group_members SET contact_id = \(carol.id), contact_profile_id = \(carol.profile.id),
                    local_display_name = 'carol' WHERE group_member_id = \(member)
                """)
        }
        _ = try delete(carol)
        _ = try delete(carol)
        let left = try test.count(
            """
            SELECT count(*) FROM group_members JOIN contact_profiles USING (contact_profile_id)
            WHERE group_member_id = \(member) AND contact_id IS NULL AND local_display_name = 'carol'
                AND contact_profiles.display_name = 'carol'
            """)
        #expect(left == 1)
        #expect(try world.names(of: alice).contains("carol"))
        #expect(try test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }

    @Test("a random profile that another connection has as well stays")
    func sharedRandomProfile() throws {
        let carol = try carol()
        let random = try #require(
            try test.read { try ContactsRepo($0).get(carol.id, of: alice.id).incognitoProfileID })
        try test.write {
            _ = try ConnectionsWriter($0).add(
                NewConnection(agentID: .init(bytes: Array("other".utf8)), incognitoProfileID: random), of: alice.id)
        }
        _ = try delete(carol)
        _ = try delete(carol)
        #expect(
            try test.count("SELECT count(*) FROM contact_profiles WHERE contact_profile_id = \(random)") == 1)
    }
}
