import ChatDBKit
import Testing

@Suite struct ConnectionsTests {
    let world: ContactWorld
    var test: TestStore { world.test }
    var alice: User { world.alice }
    var bob: User { world.bob }

    init() throws {
        world = try ContactWorld()
    }

    private func id(_ text: String) -> AgentConnectionID { AgentConnectionID(bytes: Array(text.utf8)) }

    private func addFile(_ name: String) throws -> ChatFile {
        try test.write { try FilesWriter($0).createSent(NewFile(name: name, size: 1, chunkSize: 1), of: alice.id) }
    }

    private func entity(_ text: String) throws -> ConnectionEntity? {
        try test.read { try ConnectionsRepo($0).entity(of: id(text)) }
    }

    @Test("the agent's id of a connection leads to its owner and profile, in one statement")
    func entities() throws {
        let carol = try world.addContact("carol", of: bob)
        let (group, member) = try world.addGroup("friends", of: alice)
        let address = try world.addAddress("full", of: alice)
        let groupLink = try test.write {
            try UserContactLinksWriter($0).createGroupLink("g", id: "g", to: group, of: alice.id)
        }
        let file = try addFile("a.png")
        let expected: [(User, ConnectionOwner?, ConnectionType, ConnectionEntity.Owner)] = [
            (bob, .contact(carol.id), .contact, .contact(carol.id, name: "carol", isDeleted: false)),
            (alice, .member(member), .member, .member(member, of: group, name: "friends-member")),
            (alice, .link(address.id), .userContact, .link(address.id, to: nil)),
            (alice, .link(groupLink.id), .userContact, .link(groupLink.id, to: group)),
            (alice, .sentFile(file.id), .sentFile, .sentFile(file.id, name: "a.png")),
            (alice, .receivedFile(file.id), .receivedFile, .receivedFile(file.id, name: "a.png")),
            (alice, nil, .contact, .pendingContact),
        ]
        for (index, (user, owner, type, entityOwner)) in expected.enumerated() {
            let made = try world.addConnection("c\(index)", owner, of: user)
            #expect(made.type == type && made.owner == owner && made.status == .new && !made.isToSubscribe)
            let found = try #require(try entity("c\(index)"))
            #expect(found.connection == made && found.owner == entityOwner)
            #expect(found.connection.userID == user.id && found.profileName == user.name)
        }
        try test.write { chat throws in
            let recorded = RecordingTransaction(chat)
            _ = try ConnectionsRepo(recorded).entity(of: id("c0"))
            #expect(recorded.queries.count == 1)
            _ = try ContactsWriter(chat).delete(carol.id, of: bob.id)
        }
        #expect(try entity("c0")?.owner == .contact(carol.id, name: "carol", isDeleted: true))
        try test.hide(bob)
        #expect(try entity("c0")?.isProfileHidden == true && entity("c1")?.isProfileHidden == false)
    }

    @Test("an id the chat database does not have, or that is no text, leads nowhere")
    func noEntity() throws {
        _ = try world.addConnection("c", of: alice)
        #expect(try entity("d") == nil && entity("") == nil)
        #expect(try test.read { try ConnectionsRepo($0).entity(of: .init(bytes: [0xFF, 0x63])) } == nil)
    }

    @Test("a connection is added only with an owner, a link and a random profile of the profile, and once in the store")
    func refused() throws {
        let carol = try world.addContact("carol", of: bob)
        let (_, member) = try world.addGroup("friends", of: bob)
        let address = try world.addAddress("full", of: bob)
        let file = try addFile("a")
        let random = try test.write {
            try ContactsWriter($0).createIncognitoProfile(.init(displayName: "Otter"), of: bob.id)
        }
        _ = try world.addConnection("taken", of: bob)
        let owners: [(User, ConnectionOwner)] = [
            (alice, .contact(carol.id)), (alice, .member(member)), (alice, .link(address.id)),
            (bob, .sentFile(file.id)), (bob, .receivedFile(file.id)), (alice, .contact(alice.contactID)),
        ]
        for (user, owner) in owners {
            try world.refuses("ownerNotFound", ConnectionsError.self) {
                _ = try ConnectionsWriter($0).add(NewConnection(agentID: id("c"), owner: owner), of: user.id)
            }
        }
        let refused: [(String, NewConnection)] = [
            ("linkNotFound", NewConnection(agentID: id("c"), viaLink: address.id)),
            ("incognitoProfileNotFound", NewConnection(agentID: id("c"), incognitoProfileID: random.id)),
            ("duplicateConnection", NewConnection(agentID: id("taken"))),
            ("invalidConnectionID", NewConnection(agentID: id(""))),
            ("invalidConnectionID", NewConnection(agentID: .init(bytes: [0xFF]))),
        ]
        for (code, connection) in refused {
            try world.refuses(code, ConnectionsError.self) {
                _ = try ConnectionsWriter($0).add(connection, of: alice.id)
            }
        }
        try world.refuses("incognitoProfileNotFound", ConnectionsError.self) {
            // A profile that a person gives of themselves is no random profile.
            _ = try ConnectionsWriter($0).add(
                NewConnection(agentID: id("c"), incognitoProfileID: carol.profile.id), of: bob.id)
        }
        try world.refuses("profileNotFound", ConnectionsError.self) {
            _ = try ConnectionsWriter($0).add(NewConnection(agentID: id("c")), of: UserID(99))
        }
    }

    @Test("a connection without an owner gets its contact once, and no other owner")
    func assign() throws {
        let connection = try world.addConnection("c", of: alice)
        let carol = try world.addContact("carol", of: alice)
        let bobs = try world.addContact("dan", of: bob)
        try world.refuses("ownerNotFound", ConnectionsError.self) {
            _ = try ConnectionsWriter($0).assign(connection.id, to: bobs.id, of: alice.id)
        }
        try test.write { chat throws in
            let writer = ConnectionsWriter(chat)
            #expect(
                try writer.setAlias(" from the fair ", of: connection.id, of: alice.id).localAlias == "from the fair")
            #expect(try writer.assign(connection.id, to: carol.id, of: alice.id).owner == .contact(carol.id))
            #expect(
                try ConnectionsRepo(chat).all(ownedBy: .contact(carol.id), of: alice.id).map(\.id) == [connection.id])
            #expect(try ConnectionsRepo(chat).all(ownedBy: .contact(carol.id), of: bob.id).isEmpty)
        }
        try world.refuses("connectionHasOwner", ConnectionsError.self) {
            _ = try ConnectionsWriter($0).assign(connection.id, to: carol.id, of: alice.id)
        }
    }

    @Test("the connections to subscribe to are those of one profile that are marked and not deleted, by number")
    func toSubscribe() throws {
        let made = try (0..<1_200).map { try world.addConnection("a\($0)", of: alice) }
        let bobs = try world.addConnection("b", of: bob)
        func left() throws -> [ConnectionID] {
            try test.read { try ConnectionsRepo($0).toSubscribe(of: alice.id).map(\.id) }
        }
        #expect(try left().isEmpty)
        try test.write { chat throws in
            let writer = ConnectionsWriter(chat, clock: TestStore.clock)
            let ids = made.map(\.id).reversed() + [bobs.id, made[0].id, ConnectionID(99_999)]
            #expect(try writer.setToSubscribe(true, ids, of: alice.id) == made.count)
            #expect(try writer.setToSubscribe(true, [], of: alice.id) == 0)
        }
        #expect(try left() == made.map(\.id))
        #expect(try test.read { try ConnectionsRepo($0).toSubscribe(of: bob.id) }.isEmpty)
        try test.write { chat throws in
            let writer = ConnectionsWriter(chat)
            #expect(try writer.setToSubscribe(false, made.dropFirst(3).map(\.id), of: alice.id) == made.count - 3)
            #expect(try writer.setStatus(.ready, of: made[0].id, of: alice.id).isToSubscribe)
            #expect(try !writer.setStatus(.deleted, of: made[1].id, of: alice.id).isToSubscribe)
            // Given up by another app, that left the mark.
            try chat.run("UPDATE connections SET conn_status = 'deleted' WHERE connection_id = \(made[2].id)")
        }
        #expect(try left() == [made[0].id])
    }

    @Test("deleting a connection removes all its rows, and the chat items stay")
    func delete() throws {
        let carol = try world.addContact("carol", of: alice)
        _ = try world.addItem("hello", with: carol)
        let before = try world.rows()
        let connection = try test.write { chat throws in
            let random = try ContactsWriter(chat).createIncognitoProfile(.init(displayName: "Otter"), of: alice.id)
            let connection = try ConnectionsWriter(chat).add(
                NewConnection(agentID: id("c"), owner: .contact(carol.id), incognitoProfileID: random.id),
                of: alice.id)
            try chat.run(
                """
                INSERT INTO messages (user_id, msg_sent, chat_msg_event, connection_id)
                VALUES (\(alice.id), 0, 'x.msg.new', \(connection.id))
                """)
            return connection
        }
        try world.refuses("connectionNotFound", ConnectionsError.self) {
            _ = try ConnectionsWriter($0).delete(connection.id, of: bob.id)
        }
        #expect(try test.write { try ConnectionsWriter($0).delete(connection.id, of: alice.id) } == connection)
        #expect(try world.rows() == before)
    }

    @Test("deleting a connection removes the descriptions of files for its recipient, and no others")
    func descriptionsGo() throws {
        let connections = try ["a", "b"].map { try world.addConnection($0, of: alice).id }
        try test.write { chat in
            let files = FilesWriter(chat)
            let file = try files.createSent(NewFile(name: "f", size: 1, chunkSize: 1), of: alice.id).id
            for connection in connections {
                try files.addRecipient(connection, to: file, of: alice.id)
                try files.setDescription("secret of \(connection)", of: file, to: connection, of: alice.id)
            }
            try ConnectionsWriter(chat).delete(connections[0], of: alice.id)
            let left = try chat.rows("SELECT file_descr_text FROM xftp_file_descriptions")
            #expect(try left.map { try $0.get("file_descr_text") as String } == ["secret of \(connections[1])"])
        }
    }
}
