import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Support chats".
@Suite struct SupportChatTests {
    let test: TestStore
    let alice: User
    let group: GroupID
    let own: GroupMemberID
    let carol: GroupMemberID
    let dave: GroupMemberID

    init() throws {
        test = try TestStore()
        let alice = try test.addUser("alice")
        self.alice = alice
        let summary = try test.addGroup("talk", of: alice)
        group = summary.group.id
        let id = summary.group.id
        own = GroupMemberID(
            Int64(
                try test.count(
                    "SELECT group_member_id FROM group_members WHERE group_id = \(id) AND member_category = 'user'")))
        carol = try test.addMember("carol", to: group, of: alice)
        dave = try test.addMember("dave", to: group, of: alice)
    }

    private var chat: ChatID { .group(group) }

    @discardableResult
    private func say(
        _ text: String, _ scope: GroupScope?, from member: GroupMemberID? = nil, at seconds: Int64 = 0
    ) throws -> ChatItem {
        try test.say(text, in: chat, of: alice, at: seconds, sent: member == nil) {
            ($0.scope, $0.memberID) = (scope, member)
        }
    }

    private func texts(_ scope: GroupScope?) throws -> [String] {
        try test.readItems { try $0.last(9, in: chat, scope: scope, of: alice.id) }.map(\.text)
    }

    private func unread(_ scope: GroupScope?) throws -> Int {
        try test.readItems { try $0.unread(in: chat, scope: scope, of: alice.id) }.items
    }

    /// The support chats, each as member, unread, mentions, unanswered.
    private func chats() throws -> [[Int64]] {
        try test.readItems { try $0.supportChats(in: group, of: alice.id) }.map {
            [$0.memberID.rawValue, Int64($0.unread.items), Int64($0.unread.mentions), Int64($0.unanswered)]
        }
    }

    @Test("the items of the main chat and of each support chat are apart, in pages, counts and previews")
    func apart() throws {
        let main = try say("main", nil, from: carol, at: 1)
        let carols = try say("carol", .support(carol), from: carol, at: 2)
        try say("carol 2", .support(carol), from: dave, at: 3)
        try say("dave", .support(dave), from: dave, at: 4)
        try say("mine", .support(nil), from: dave, at: 5)
        try say("newer app", .other("channel_msg"), from: dave, at: 6)
        #expect(try texts(nil) == ["main"])
        #expect(try texts(.support(carol)) == ["carol", "carol 2"])
        #expect(try texts(.support(dave)) == ["dave"])
        #expect(try texts(.support(nil)) == ["mine"])
        #expect(try texts(.other("channel_msg")) == ["newer app"])
        #expect(
            try [nil, .support(carol), .support(dave), .support(nil), .other("channel_msg")].map(unread)
                == [1, 2, 1, 1, 1])
        #expect(carols.scope == .support(carol) && main.scope == nil)
        try test.readItems { items throws in
            #expect(try items.around(carols.id, limit: 9, in: chat, of: alice.id).map(\.text) == ["carol", "carol 2"])
            #expect(try items.around(main.id, limit: 9, in: chat, of: alice.id).map(\.text) == ["main"])
            #expect(try items.after(carols.id, limit: 9, in: chat, of: alice.id).map(\.text) == ["carol 2"])
            #expect(try items.before(carols.id, limit: 9, in: chat, of: alice.id).isEmpty)
        }
        let line = try test.read { try ChatListRepo($0).preview(of: chat, of: alice.id) }
        #expect(line.lastItem == main && line.unread.items == 1)
    }

    @Test("the list of chats with something unread leaves out a group with unread items in support chats only")
    func unreadFilter() throws {
        try say("carol", .support(carol), from: carol)
        func listed() throws -> Int {
            try test.read {
                try ChatListRepo($0).page(of: alice.id, filter: ChatListFilter(onlyUnread: true), limit: 9)
            }.count
        }
        #expect(try listed() == 0)
        try say("main", nil, from: carol)
        #expect(try listed() == 1)
    }

    @Test("kinds of content are those of the main chat")
    func kinds() throws {
        try test.say("x", in: chat, of: alice) { ($0.scope, $0.content.messageTag) = (.support(carol), "image") }
        try test.say("x", in: chat, of: alice) { $0.content.messageTag = "text" }
        #expect(try test.readItems { try $0.kinds(in: chat, of: alice.id) }.map(\.kind) == [.text])
    }

    @Test("a support chat counts its unread items, mentions, and those that its member wrote")
    func counters() throws {
        #expect(try chats().isEmpty)
        try say("a", .support(carol), from: carol, at: 7)
        try say("b", .support(carol), from: dave, at: 8)
        try test.say("c", in: chat, of: alice) {
            ($0.scope, $0.memberID, $0.content.mentionsUser) = (.support(carol), carol, true)
        }
        try say("sent", .support(carol))
        #expect(try chats() == [[carol.rawValue, 3, 1, 2]])
        let support = try #require(try test.readItems { try $0.supportChats(in: group, of: alice.id) }.first)
        #expect(support.scope == .support(carol) && support.lastFromMember == TestStore.time(7))
        try say("mine", .support(nil), from: dave)
        let mine = try #require(
            try test.readItems { try $0.supportChats(in: group, of: alice.id) }.first { $0.memberID == own })
        #expect(mine.scope == .support(nil) && mine.unread.items == 1 && mine.unanswered == 0)
        #expect(mine.lastFromMember == nil)
    }

    @Test("the support chat with the newest item comes first")
    func order() throws {
        for (seconds, member) in [(1, carol), (2, dave), (3, carol)] as [(Int64, GroupMemberID)] {
            try test.write { tx in
                var new = NewChatItem(.sent, at: TestStore.time(0), ChatItemContent("{}", text: "x"))
                new.scope = .support(member)
                _ = try ChatItemsWriter(tx, clock: .fixed(TestStore.time(seconds))).add(new, to: chat, of: alice.id)
            }
        }
        let chats = try test.readItems { try $0.supportChats(in: group, of: alice.id) }
        #expect(chats.map(\.memberID) == [carol, dave])
        #expect(chats.map(\.time) == [TestStore.time(3), TestStore.time(2)])
    }

    @Test("reading one part of a group leaves the others unread, and the mark of the group")
    func markRead() throws {
        try say("main", nil, from: carol)
        let first = try say("a", .support(carol), from: carol)
        try say("b", .support(carol), from: carol)
        try say("dave", .support(dave), from: dave)
        try say("mine", .support(nil), from: dave)
        try test.write { try ChatListWriter($0).setUnread(chat, true, of: alice.id) }
        func read(_ scope: GroupScope?, _ range: ClosedRange<ChatItemID>? = nil) throws -> Int {
            try test.items { try $0.markRead(range, in: chat, scope: scope, of: alice.id) }
        }
        #expect(try read(.support(carol), first.id...first.id) == 1)
        #expect(try chats().first { $0[0] == carol.rawValue } == [carol.rawValue, 1, 0, 1])
        #expect(try read(.support(carol)) == 1)
        #expect(try chats().first { $0[0] == carol.rawValue } == [carol.rawValue, 0, 0, 0])
        #expect(try read(.support(nil)) == 1)
        #expect(try test.read { try ChatListRepo($0).preview(of: chat, of: alice.id) }.isMarkedUnread)
        #expect(try read(nil) == 1)
        #expect(try !test.read { try ChatListRepo($0).preview(of: chat, of: alice.id) }.isMarkedUnread)
        #expect(try unread(.support(dave)) == 1)
        #expect(try Set(chats()) == [[carol.rawValue, 0, 0, 0], [own.rawValue, 0, 0, 0], [dave.rawValue, 1, 0, 1]])
    }

    @Test("deletion, expiry and a new status change the counters")
    func countersFollow() throws {
        let items = try (0..<4).map { try say("\($0)", .support(carol), from: carol) }
        func count() throws -> [Int64]? { try chats().first }
        try test.items { try $0.markDeleted(items[0].id, at: TestStore.time(1), of: alice.id) }
        #expect(try count() == [carol.rawValue, 3, 0, 3])
        try test.items { try $0.setStatus(.rcvRead, of: items[1].id, of: alice.id) }
        #expect(try count() == [carol.rawValue, 2, 0, 2])
        try test.items {
            try $0.edit(
                items[2].id, to: ChatItemContent("{}", text: "@", mentionsUser: true), at: TestStore.time(1),
                of: alice.id)
        }
        #expect(try count() == [carol.rawValue, 2, 1, 2])
        try test.write {
            try $0.run("UPDATE chat_items SET timed_delete_at = item_ts WHERE chat_item_id = \(items[2].id)")
        }
        #expect(try test.items { try $0.expire(at: TestStore.time(9), of: alice.id) }.items == 1)
        #expect(try count() == [carol.rawValue, 1, 0, 1])
    }

    @Test("a support chat belongs to a member of the group, and to no other chat or profile")
    func refused() throws {
        let bob = try test.addUser("bob")
        let friend = try test.addContact("friend", of: alice)
        let other = try test.addMember("other", to: try test.addGroupChat("other group", of: alice), of: alice)
        #expect(throws: ChatsError.memberNotFound(other)) { try say("x", .support(other)) }
        for scope in [GroupScope.support(carol), .support(nil)] {
            #expect(throws: ChatsError.self) {
                try test.say("x", in: .contact(friend), of: alice) { $0.scope = scope }
            }
        }
        try say("x", .support(carol), from: carol)
        try test.readItems { items throws in
            #expect(try items.supportChats(in: group, of: bob.id).isEmpty)
            #expect(try items.last(9, in: chat, scope: .support(carol), of: bob.id).isEmpty)
            #expect(try items.unread(in: chat, scope: .support(carol), of: bob.id).items == 0)
        }
        #expect(throws: ChatsError.chatNotFound(chat)) {
            try test.items { try $0.markRead(in: chat, scope: .support(carol), of: bob.id) }
        }
        #expect(try unread(.support(carol)) == 1)
    }

    @Test("the pages of a support chat come from an index of its items")
    func plan() throws {
        try test.write { chat in
            for scope in [GroupScope.support(carol), .support(nil)] {
                let recorded = RecordingTransaction(chat)
                _ = try ChatItemsRepo(recorded).last(9, in: self.chat, scope: scope, of: alice.id)
                let plan = try chat.rows("EXPLAIN QUERY PLAN " + recorded.queries[0])
                    .map { try $0.get("detail") as String }
                #expect(plan.count == 1 && plan[0].contains("idx_chat_items_support"), "\(plan)")
            }
        }
    }
}
