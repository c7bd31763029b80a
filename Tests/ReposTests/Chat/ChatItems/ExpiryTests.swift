import ChatDBKit
import Testing

@Suite struct ExpiryTests {
    let test: TestStore
    let alice: User
    let friend: ContactID
    let group: GroupID

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        friend = try test.addContact("friend", of: alice)
        group = try test.addGroupChat("group", of: alice)
    }

    /// Adds an item that was sent and stored so many seconds after the beginning.
    private func say(_ text: String, in chat: ChatID, at seconds: Int64, stored: Int64? = nil) throws -> ChatItem {
        let item = try test.say(text, in: chat, of: alice, at: seconds)
        try test.write {
            try $0.run(
                """
                UPDATE chat_items SET created_at = \(TestStore.time(stored ?? seconds).text)
                WHERE chat_item_id = \(item.id)
                """)
        }
        return item
    }

    private func setLife(_ seconds: Int64?, contact: Int64? = nil, group: Int64? = nil) throws {
        try test.write {
            try $0.run("DELETE FROM settings")
            try $0.run("INSERT INTO settings (user_id, chat_item_ttl) VALUES (\(alice.id), \(seconds))")
            try $0.run("UPDATE contacts SET chat_item_ttl = \(contact)")
            try $0.run("UPDATE groups SET chat_item_ttl = \(group)")
        }
    }

    private func texts() throws -> [String] {
        try test.read { chat in
            try chat.rows("SELECT item_text FROM chat_items ORDER BY item_text").map { try $0.get("item_text") }
        }
    }

    private func expire(at seconds: Int64) throws -> Int {
        try test.items { try $0.expire(at: TestStore.time(seconds), of: alice.id) }.items
    }

    @Test("items expire by the time to live of their chat, else of the profile; 0 and NULL keep them")
    func lives() throws {
        for chat in [ChatID.contact(friend), .group(group)] {
            for seconds in [0, 50, 90] as [Int64] { _ = try say("\(chat) \(seconds)", in: chat, at: seconds) }
        }
        _ = try say("note", in: .notes(try test.addNotes(of: alice)), at: 0)
        try setLife(nil)
        #expect(try expire(at: 100) == 0)
        try setLife(0)
        #expect(try expire(at: 100) == 0)
        try setLife(30, contact: 0, group: 70)
        #expect(try expire(at: 100) == 1)
        #expect(try texts().count == 6 && !texts().contains("group \(group) 0"))
        try setLife(30)
        #expect(try expire(at: 80) == 1, "what is exactly as old stays")
        #expect(try expire(at: 100) == 2)
        #expect(try texts() == ["contact \(friend) 90", "group \(group) 90", "note"])
        try setLife(.max)
        #expect(try expire(at: 100) == 0)
    }

    @Test("an item that arrived late is kept for the whole time to live")
    func late() throws {
        _ = try say("late", in: .contact(friend), at: 0, stored: 90)
        try setLife(30)
        #expect(try expire(at: 100) == 0)
        #expect(try expire(at: 121) == 1)
    }

    @Test("a disappearing item expires at its time")
    func disappearing() throws {
        try test.say("soon", in: .contact(friend), of: alice) { $0.deleteAt = TestStore.time(50) }
        try test.say("later", in: .contact(friend), of: alice) { $0.deleteAt = TestStore.time(51) }
        #expect(try expire(at: 50) == 1)
        #expect(try texts() == ["later"])
    }

    @Test("expiry removes an item with its rows and the messages that brought it, and returns its files")
    func everything() throws {
        let connection = try test.addConnection("c", contact: friend, of: alice)
        var new = NewMessage(.received, event: "x.msg.new", body: "b")
        (new.connectionID, new.sharedMessageID) = (connection, "s")
        let delivery = NewDelivery(on: connection, agentMessageID: AgentMessageID(1), status: .rcvAgent)
        let message = try test.write { chat throws in
            let messages = MessagesWriter(chat)
            let first = try messages.add(new, deliveries: [delivery], of: alice.id)
            _ = try messages.add(new, deliveries: [delivery], of: alice.id)
            var other = new
            other.sharedMessageID = "t"
            _ = try messages.add(other, deliveries: [delivery], of: alice.id)
            return first
        }
        let item = try test.say("word", in: .contact(friend), of: alice) {
            ($0.messageID, $0.sharedMessageID) = (message.id, "s")
            $0.deleteAt = TestStore.time(1)
        }
        try test.write {
            try ChatItemsWriter($0).react("+", to: item.id, by: .user, at: TestStore.time(1), of: alice.id)
            try $0.run(
                """
                INSERT INTO files (file_id, user_id, chat_item_id, file_name, file_size, chunk_size, protocol)
                VALUES (7, \(alice.id), \(item.id), 'f', 1, 1, 'xftp')
                """)
        }
        let expired = try test.items { try $0.expire(at: TestStore.time(2), of: alice.id) }
        #expect(expired.items == 1 && expired.files == [FileID(7)])
        for (table, left) in [("messages", 1), ("msg_deliveries", 1), ("chat_item_reactions", 0), ("files", 1)] {
            #expect(try test.count("SELECT count(*) FROM \(identifier: table)") == left, "\(table)")
        }
        #expect(
            try test.count("SELECT count(*) FROM chat_items_fts WHERE chat_items_fts MATCH 'word'") == 0)
    }

    @Test("expiry of one profile does not change others, and takes three statements for any number of chats")
    func scope() throws {
        let bob = try test.addUser("bob")
        try test.say("bobs", in: .contact(try test.addContact("x", of: bob)), of: bob) {
            $0.deleteAt = TestStore.time(1)
        }
        for number in 0..<20 { try test.addContact("c\(number)", of: alice) }
        try setLife(1)
        try test.write { chat in
            let recorded = RecordingTransaction(chat)
            _ = try ChatItemsWriter(recorded).expire(at: TestStore.time(9), of: alice.id)
            #expect(recorded.queries.count == 3)
            for query in recorded.queries {
                let plan = try chat.rows("EXPLAIN QUERY PLAN " + query).map { try $0.get("detail") as String }
                for column in ["contact", "group"] {
                    let look = "idx_chat_items_\(column) (user_id=? AND \(column)_id=? AND item_ts<?)"
                    #expect(plan.contains { $0.hasSuffix(look) }, "\(plan)")
                }
            }
        }
        #expect(try texts() == ["bobs"])
    }
}
