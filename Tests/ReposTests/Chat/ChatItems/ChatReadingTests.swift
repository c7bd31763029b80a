import ChatDBKit
import Testing

@Suite struct ChatReadingTests {
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

    private func unread(_ chat: ChatID?) throws -> [Int] {
        let count = try test.readItems { items in
            try chat.map { try items.unread(in: $0, of: alice.id) } ?? items.unread(of: alice.id)
        }
        return [count.items, count.mentions]
    }

    @Test("received items that were not read are unread, per chat and for the profile, with mentions counted apart")
    func counts() throws {
        let bob = try test.addUser("bob")
        try test.say("x", in: .contact(try test.addContact("bobs", of: bob)), of: bob)
        try test.say("a", in: .contact(friend), of: alice)
        try test.say("b", in: .contact(friend), of: alice, sent: true)
        try test.say("c", in: .group(group), of: alice)
        try test.say("d", in: .group(group), of: alice) { $0.content.mentionsUser = true }
        #expect(try unread(.contact(friend)) == [1, 0])
        #expect(try unread(.group(group)) == [2, 1])
        #expect(try unread(nil) == [3, 1])
    }

    @Test("reading a range marks its items as read; reading everything also clears the mark of the chat")
    func markRead() throws {
        let items = try (0..<5).map { try test.say("\($0)", in: .group(group), of: alice, at: Int64($0)) }
        let other = try test.say("x", in: .contact(friend), of: alice)
        try test.write { try ChatListWriter($0).setUnread(.group(group), true, of: alice.id) }
        func isMarked() throws -> Int { try test.count("SELECT unread_chat FROM groups WHERE group_id = \(group)") }
        try test.items { writer throws in
            #expect(try writer.markRead(items[1].id...items[2].id, in: .group(group), of: alice.id) == 2)
            #expect(try writer.markRead(items[1].id...items[3].id, in: .group(group), of: alice.id) == 1)
        }
        #expect(try unread(.group(group)) == [2, 0])
        #expect(try isMarked() == 1)
        #expect(try test.items { try $0.markRead(in: .group(group), of: alice.id) } == 2)
        #expect(try unread(.group(group)) == [0, 0])
        #expect(try isMarked() == 0)
        #expect(try test.readItems { try $0.get(other.id, of: alice.id) }.isUnread)
    }

    @Test("reading a disappearing item sets its time of removal, once")
    func disappearing() throws {
        let item = try test.say("x", in: .group(group), of: alice) { $0.timeToLive = 90 }
        let lasting = try test.say("y", in: .group(group), of: alice)
        try test.items { try $0.markRead(in: .group(group), of: alice.id) }
        let read = try test.readItems { try $0.get(item.id, of: alice.id) }
        #expect(read.deleteAt?.text == "2026-07-20 09:06:30.120")
        #expect(try test.readItems { try $0.get(lasting.id, of: alice.id) }.deleteAt == nil)
    }

    @Test("counting unread items reads only their index")
    func plans() throws {
        try test.read { chat in
            let recorded = RecordingReads(chat)
            for id in [ChatID.contact(friend), .group(group)] {
                _ = try ChatItemsRepo(recorded).unread(in: id, of: alice.id)
            }
            let plans = try recorded.queries.map { query in
                try chat.rows("EXPLAIN QUERY PLAN " + query).map { try $0.get("detail") as String }
            }
            #expect(plans.allSatisfy { $0.count == 1 && $0[0].contains("USING COVERING INDEX idx_chat_items_unread") })
        }
    }

    @Test(
        "the list of profiles has the number of unread items, without those of muted chats and deleted contacts"
    )
    func unreadOfProfile() throws {
        func said() throws -> [Int] {
            let line = try test.read { try UsersRepo($0).infos().first { $0.user.id == alice.id }?.unread }
            return try unread(nil) + [line ?? -1]
        }
        let gone = try test.addContact("gone", of: alice)
        try test.say("x", in: .contact(friend), of: alice)
        try test.say("x", in: .contact(gone), of: alice)
        try test.say("x", in: .group(group), of: alice)
        try test.say("x", in: .group(group), of: alice) { $0.content.mentionsUser = true }
        #expect(try said() == [4, 1, 4])
        try test.write { chat in
            _ = try ContactsWriter(chat).delete(gone, of: alice.id)
            #expect(try ChatItemsRepo(chat).unread(in: .contact(gone), of: alice.id).items == 1)
        }
        #expect(try said() == [3, 1, 3])
        func tell(_ notifications: ChatNotifications, of chat: ChatID) throws {
            try test.write { try ChatListWriter($0).setNotifications(notifications, of: chat, of: alice.id) }
        }
        try tell(.mentions, of: .group(group))
        #expect(try said() == [2, 1, 2])
        try tell(.none, of: .contact(friend))
        #expect(try said() == [1, 1, 1])
        try tell(.none, of: .group(group))
        #expect(try said() == [0, 0, 0])
    }
}

/// A transaction that notes every question that goes through it.
final class RecordingReads: ReadTransaction {
    private let transaction: any ReadTransaction
    private(set) var queries: [Query] = []

    init(_ transaction: any ReadTransaction) {
        self.transaction = transaction
    }

    var dialect: Dialect { transaction.dialect }

    func rows(_ query: Query) throws(StoreError) -> [ResultRow] {
        queries.append(query)
        return try transaction.rows(query)
    }

    func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws {
        queries.append(query)
        try transaction.forEach(query, body)
    }
}
