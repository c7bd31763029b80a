import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Chat items", Clearing.
@Suite struct ClearingChatsTests {
    let test: TestStore
    let alice: User
    let friend: ContactID
    let group: GroupID
    let notes: NoteFolderID

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        friend = try test.addContact("friend", of: alice)
        group = try test.addGroupChat("group", of: alice)
        notes = try test.addNotes(of: alice)
    }

    private var chats: [ChatID] { [.contact(friend), .group(group), .notes(notes)] }

    private func clear(_ chat: ChatID, of user: User? = nil) throws -> ClearedChat {
        try test.items { try $0.clear(chat, of: (user ?? alice).id) }
    }

    private func addFile(_ id: Int64, _ path: String?, item: ChatItem?, of user: User? = nil) throws {
        try test.write {
            try $0.run(
                """
                INSERT INTO files (file_id, user_id, chat_item_id, file_name, file_path, file_size, chunk_size, protocol)
                VALUES (\(id), \((user ?? alice).id), \(item?.id), 'f', \(path), 1, 1, 'xftp')
                """)
        }
    }

    /// Every row but those of the index of texts, each with its table.
    private func rows() throws -> [String] {
        try test.read { chat in
            let tables = try chat.rows(
                """
                SELECT name FROM sqlite_schema
                WHERE type = 'table' AND name NOT LIKE 'chat_items_fts%' AND name <> 'sqlite_sequence'
                """)
            return try tables.flatMap { row in
                let table: String = try row.get("name")
                return try chat.rows("SELECT * FROM \(identifier: table)").map { "\(table): \($0.values)" }
            }.sorted()
        }
    }

    @Test("clearing removes the items of a chat with everything that belongs to them, and nothing of other chats")
    func everything() throws {
        let member = try test.addMember("member", to: group, of: alice)
        let bob = try test.addUser("bob")
        let others: [(ChatID, User)] = [
            (.contact(try test.addContact("other", of: alice)), alice),
            (.group(try test.addGroupChat("other group", of: alice)), alice),
            (.contact(try test.addContact("bobs friend", of: bob)), bob),
            (.group(try test.addGroupChat("bobs group", of: bob)), bob), (.notes(try test.addNotes(of: bob)), bob),
        ]
        for (chat, user) in others {
            try test.say("kept", in: chat, of: user)
            try test.write { try ChatListWriter($0, clock: TestStore.clock).setUnread(chat, true, of: user.id) }
        }
        let before = try rows()
        for chat in chats {
            let message = try message(in: chat, from: chat == .group(group) ? member : nil)
            let item = try test.say("zanzibar", in: chat, of: alice) {
                $0.content.mentions = [ChatItemMention(memberID: "m", name: "zanzibar")]
                $0.messageID = message
                $0.scope = chat == .group(group) ? .support(member) : nil
            }
            try test.say("zanzibar two", in: chat, of: alice)
            try test.write { tx in
                let items = ChatItemsWriter(tx, clock: TestStore.clock)
                _ = try items.edit(
                    item.id, to: ChatItemContent("{}", text: "zanzibar!"), at: TestStore.time(1), of: alice.id)
                try items.react("+", to: item.id, by: .user, at: TestStore.time(1), of: alice.id)
                try ChatListWriter(tx, clock: TestStore.clock).setUnread(chat, true, of: alice.id)
            }
            #expect(try clear(chat) == ClearedChat(items: 2, files: [], paths: []), "\(chat)")
        }
        #expect(try test.count("SELECT count(*) FROM connections") == 2)
        for table in ["messages", "msg_deliveries"] {
            #expect(try test.count("SELECT count(*) FROM \(identifier: table)") == 0, "\(table)")
        }
        try test.write { try $0.run("DELETE FROM connections") }
        #expect(try rows().filter { !$0.contains("zanzibar") }.count == before.count)
        #expect(try rows().allSatisfy { !$0.contains("zanzibar") })
        for word in ["zanzibar", "two"] {
            #expect(try test.count("SELECT count(*) FROM chat_items_fts WHERE chat_items_fts MATCH \(word)") == 0)
        }
        for (chat, user) in others {
            let line = try test.read { try ChatListRepo($0).preview(of: chat, of: user.id) }
            #expect(line.lastItem?.text == "kept" && line.isMarkedUnread)
        }
        for chat in chats {
            let line = try test.read { try ChatListRepo($0).preview(of: chat, of: alice.id) }
            #expect(line.lastItem == nil && !line.isMarkedUnread && line.unread.items == 0)
        }
        #expect(try test.readItems { try $0.supportChats(in: group, of: alice.id) }.isEmpty)
        #expect(try test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }

    /// A message of a chat with a delivery, and a later one from which no item was made.
    private func message(in chat: ChatID, from member: GroupMemberID?) throws -> MessageID? {
        if case .notes = chat { return nil }
        let connection = try test.addConnection("\(chat)", contact: chat.contact, member: member, of: alice)
        return try test.write { tx in
            var new = NewMessage(.received, event: "x.msg.new", body: "zanzibar")
            if case .group(let group) = chat { new.groupID = group }
            new.connectionID = connection
            let messages = MessagesWriter(tx, clock: TestStore.clock)
            let delivery = NewDelivery(on: connection, agentMessageID: AgentMessageID(1), status: .rcvAgent)
            _ = try messages.add(new, deliveries: [delivery], of: alice.id)
            return try messages.add(new, deliveries: [delivery], of: alice.id).id
        }
    }

    @Test("the answer has the files of the items, and the paths that no other file has, as they are stored")
    func files() throws {
        let bob = try test.addUser("bob")
        let chat = ChatID.contact(friend)
        let items = try (0..<3).map { try test.say("\($0)", in: chat, of: alice) }
        let elsewhere = try test.say("x", in: .group(group), of: alice)
        let bobs = try test.say("x", in: .contact(try test.addContact("b", of: bob)), of: bob)
        try addFile(1, "/b.png", item: items[0])
        try addFile(2, "/a.png", item: items[1])
        try addFile(3, "/a.png", item: items[2])
        try addFile(4, nil, item: items[2])
        for (id, path) in [(5, "/group"), (6, "/bob"), (7, "/composed")] as [(Int64, String)] {
            try addFile(id, path, item: items[0])
        }
        try addFile(15, "/group", item: elsewhere)
        try addFile(16, "/bob", item: bobs, of: bob)
        try addFile(17, "/composed", item: nil)
        try addFile(18, "/unrelated", item: elsewhere)
        let cleared = try clear(chat)
        #expect(cleared.items == 3)
        #expect(cleared.files == (1...7).map { FileID($0) })
        #expect(cleared.paths == ["/a.png", "/b.png"])
        #expect(try test.count("SELECT count(*) FROM files") == 11)
        #expect(try test.count("SELECT count(*) FROM files WHERE file_id < 10 AND chat_item_id IS NOT NULL") == 0)
        #expect(try clear(.group(group)).paths == ["/unrelated"], "other rows still have the other path")
    }

    @Test("an empty chat gives an empty answer, and a chat of another profile is not found")
    func empty() throws {
        let bob = try test.addUser("bob")
        for chat in chats {
            #expect(try clear(chat) == ClearedChat(items: 0, files: [], paths: []))
            #expect(throws: ChatsError.chatNotFound(chat)) { try clear(chat, of: bob) }
            try test.say("x", in: chat, of: alice)
            #expect(throws: ChatsError.chatNotFound(chat)) { try clear(chat, of: bob) }
            #expect(try clear(chat).items == 1)
            #expect(try clear(chat).items == 0)
        }
    }

    @Test("clearing takes the same few statements for any number of items")
    func statements() throws {
        for count in [1, 50] {
            for number in 0..<count { try test.say("\(number)", in: .group(group), of: alice) }
            try test.write { chat in
                let recorded = RecordingTransaction(chat)
                let cleared = try ChatItemsWriter(recorded).clear(.group(group), of: alice.id)
                #expect(cleared.items == count)
                #expect(recorded.queries.count <= 7)
            }
        }
    }
}

extension ChatID {
    fileprivate var contact: ContactID? { if case .contact(let id) = self { id } else { nil } }
}
