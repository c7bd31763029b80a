import ChatDBKit
import Testing

@Suite struct ChatItemDeletionTests {
    let test: TestStore
    let alice: User
    let group: GroupID
    let member: GroupMemberID

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        group = try test.addGroupChat("group", of: alice)
        member = try test.addMember("member", to: group, of: alice)
    }

    private var chat: ChatID { .group(group) }

    @Test("marking deleted keeps the content, leaves the item out of lists, and makes it read")
    func markDeleted() throws {
        let item = try test.say("secret", in: chat, of: alice)
        let kept = try test.say("other", in: chat, of: alice)
        let marked = try test.items { try $0.markDeleted(item.id, at: TestStore.time(9), of: alice.id) }
        #expect(marked.deletion == ChatItem.Deletion(time: TestStore.time(9), memberID: nil))
        #expect(marked.text == "secret" && marked.content == item.content && marked.status == .rcvRead)
        try test.readItems { items throws in
            #expect(try items.last(9, in: chat, of: alice.id) == [kept])
            #expect(try items.last(9, in: chat, of: alice.id, includingDeleted: true) == [marked, kept])
            #expect(try items.unread(in: chat, of: alice.id).items == 1)
            #expect(try items.search("secret", in: .profile, of: alice.id, limit: 9).isEmpty)
            #expect(try items.search("secret", in: .chat(chat), of: alice.id, limit: 9).isEmpty)
        }
    }

    @Test("an item that a member deleted has that member, and the first deletion stays")
    func moderate() throws {
        let item = try test.say("x", in: chat, of: alice)
        let expected = ChatItem.Deletion(time: TestStore.time(1), memberID: member)
        try test.items { items throws in
            #expect(
                try items.moderate(item.id, by: member, at: TestStore.time(1), of: alice.id).deletion == expected)
            #expect(try items.markDeleted(item.id, at: TestStore.time(2), of: alice.id).deletion == expected)
            try items.delete(item.id, at: TestStore.time(3), of: alice.id)
        }
        let gone = try test.readItems { try $0.get(item.id, of: alice.id) }
        #expect(gone.deletion == expected && gone.text.isEmpty)
    }

    @Test("only a member of the group can delete items in it")
    func moderateByOther() throws {
        let other = try test.addMember("other", to: try test.addGroupChat("g2", of: alice), of: alice)
        let item = try test.say("x", in: chat, of: alice)
        #expect(throws: ChatsError.memberNotFound(other)) {
            try test.items { try $0.moderate(item.id, by: other, at: TestStore.time(1), of: alice.id) }
        }
        #expect(try !test.readItems { try $0.get(item.id, of: alice.id) }.isDeleted)
    }

    @Test("a full delete leaves nothing of the text anywhere but an empty item, and says which files there were")
    func deleteFully() throws {
        let connection = try test.addConnection("c", member: member, of: alice)
        let message = try test.write { chat in
            var new = NewMessage(.received, event: "x.msg.new", body: "zanzibar")
            (new.groupID, new.connectionID, new.sharedMessageID) = (group, connection, "s")
            new.authorID = member
            let messages = MessagesWriter(chat, clock: TestStore.clock)
            let first = try messages.add(
                new, deliveries: [NewDelivery(on: connection, agentMessageID: AgentMessageID(1), status: .rcvAgent)],
                of: alice.id)
            (new.event, new.body) = ("x.msg.update", "zanzibar!")
            _ = try messages.add(new, deliveries: [], of: alice.id)
            return first
        }
        let item = try test.say("zanzibar", in: chat, of: alice) {
            ($0.messageID, $0.sharedMessageID, $0.memberID) = (message.id, "s", member)
            $0.content.mentions = [ChatItemMention(memberID: "m", name: "zanzibar")]
            $0.quote = ChatItem.Quote(
                sharedMessageID: "q", time: nil, content: "zanzibar?", isOwn: nil, memberID: nil)
        }
        try test.write { chat in
            let items = ChatItemsWriter(chat, clock: TestStore.clock)
            _ = try items.edit(
                item.id, to: ChatItemContent("zanzibar.", text: "zanzibar."), at: TestStore.time(1), of: alice.id)
            try items.react("zanzibar", to: item.id, by: .user, at: TestStore.time(1), of: alice.id)
            try chat.run(
                """
                INSERT INTO files (file_id, user_id, chat_item_id, file_name, file_size, chunk_size, protocol)
                VALUES (7, \(alice.id), \(item.id), 'f', 1, 1, 'xftp')
                """)
            #expect(try items.delete(item.id, at: TestStore.time(2), of: alice.id) == [FileID(7)])
        }
        try test.read { chat in
            let tables = try chat.rows(
                """
                SELECT name FROM sqlite_schema
                WHERE type = 'table' AND name NOT LIKE 'chat\\_items\\_fts%' ESCAPE '\\'
                """)
            for row in tables {
                let table: String = try row.get("name")
                let left = try chat.rows("SELECT * FROM \(identifier: table)").filter {
                    "\($0.values)".contains("zanzibar")
                }
                #expect(left.isEmpty, "\(table)")
            }
            let words = "SELECT count(*) FROM chat_items_fts WHERE chat_items_fts MATCH 'zanzibar'" as Query
            #expect(try chat.count(words) == 0)
            #expect(try chat.count("SELECT count(*) FROM msg_deliveries") == 1)
            let gone = try ChatItemsRepo(chat).get(item.id, of: alice.id)
            #expect(gone.deletion == ChatItem.Deletion(time: TestStore.time(2), memberID: nil))
            #expect(gone.text.isEmpty && gone.content == "{}" && !gone.isEdited)
        }
    }

    @Test("a full deletion does not touch an item of another author with the same shared id")
    func deleteOthersID() throws {
        let other = try test.addMember("other", to: group, of: alice)
        try test.write { chat in
            var new = NewMessage(.received, event: "x.msg.new", body: "theirs")
            (new.groupID, new.sharedMessageID, new.authorID) = (group, "s", other)
            _ = try MessagesWriter(chat).add(new, deliveries: [], of: alice.id)
        }
        let item = try test.say("x", in: chat, of: alice) { ($0.sharedMessageID, $0.memberID) = ("s", member) }
        try test.items { try $0.delete(item.id, at: TestStore.time(2), of: alice.id) }
        #expect(try test.count("SELECT count(*) FROM messages WHERE msg_body = 'theirs'") == 1)
    }

    @Test("a deleted item takes no edits and no reactions")
    func deletedIsClosed() throws {
        let item = try test.say("x", in: chat, of: alice)
        try test.items { try $0.markDeleted(item.id, at: TestStore.time(1), of: alice.id) }
        #expect(throws: ChatsError.chatItemDeleted(item.id)) {
            try test.items {
                try $0.edit(item.id, to: ChatItemContent("{}", text: "y"), at: TestStore.time(2), of: alice.id)
            }
        }
        #expect(throws: ChatsError.chatItemDeleted(item.id)) {
            try test.items { try $0.react("+", to: item.id, by: .user, at: TestStore.time(2), of: alice.id) }
        }
    }
}
