import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Chat items": Kinds, Live items, Forwarded items.
@Suite struct ItemDetailsTests {
    let test: TestStore
    let alice: User
    let bob: User
    let friend: ContactID
    let group: GroupID
    let notes: NoteFolderID

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
        friend = try test.addContact("friend", of: alice)
        group = try test.addGroupChat("group", of: alice)
        notes = try test.addNotes(of: alice)
    }

    private var chats: [ChatID] { [.contact(friend), .group(group), .notes(notes)] }

    @discardableResult
    private func say(_ kind: MessageKind?, in chat: ChatID, at seconds: Int64 = 0) throws -> ChatItem {
        try test.say("x", in: chat, of: alice, at: seconds) { $0.content.messageTag = kind?.text }
    }

    private func kinds(_ chat: ChatID, of user: User? = nil) throws -> [MessageKindCount] {
        try test.readItems { try $0.kinds(in: chat, of: (user ?? alice).id) }
    }

    // MARK: - Kinds

    @Test("the kinds of content of a chat are counted, the most frequent first; deleted items and events do not count")
    func kindsOfChat() throws {
        for chat in chats {
            #expect(try kinds(chat).isEmpty)
            for kind in [.image, .text, .image, nil, .unknown("hologram"), .file] as [MessageKind?] {
                try say(kind, in: chat)
            }
            let deleted = try say(.video, in: chat)
            try test.items { try $0.markDeleted(deleted.id, at: TestStore.time(1), of: alice.id) }
            #expect(try kinds(chat).map(\.kind) == [.image, .file, .unknown("hologram"), .text])
            #expect(try kinds(chat).map(\.items) == [2, 1, 1, 1])
            #expect(try kinds(chat, of: bob).isEmpty)
        }
    }

    @Test("the items of one kind come newest first, in pages")
    func itemsOfKind() throws {
        for chat in chats {
            let images = try [5, 3, 3, 9].map { try say(.image, in: chat, at: $0) }
            let text = try say(.text, in: chat, at: 4)
            let deleted = try say(.image, in: chat, at: 20)
            try test.items { try $0.markDeleted(deleted.id, at: TestStore.time(1), of: alice.id) }
            let newestFirst = [images[3], images[0], images[2], images[1]]
            try test.readItems { items throws in
                #expect(try items.ofKind(.image, in: chat, of: alice.id, limit: 9) == newestFirst)
                let first = try items.ofKind(.image, in: chat, of: alice.id, limit: 3)
                #expect(first == Array(newestFirst.prefix(3)))
                #expect(
                    try items.ofKind(.image, in: chat, before: first[2].id, of: alice.id, limit: 3)
                        == [newestFirst[3]])
                #expect(
                    try items.ofKind(.image, in: chat, before: text.id, of: alice.id, limit: 9)
                        == Array(newestFirst.suffix(2)))
                #expect(try items.ofKind(.voice, in: chat, of: alice.id, limit: 9).isEmpty)
                #expect(try items.ofKind(.image, in: chat, of: bob.id, limit: 9).isEmpty)
                #expect(throws: ChatsError.chatItemNotFound(ChatItemID(999))) {
                    try items.ofKind(.image, in: chat, before: ChatItemID(999), of: alice.id, limit: 9)
                }
            }
        }
    }

    @Test("an index has the kinds of a chat, and the items of one kind in their order")
    func plans() throws {
        try test.write { chat in
            for (id, name) in zip(chats, ["contact", "group", "note_folder"]) {
                let recorded = RecordingTransaction(chat)
                _ = try ChatItemsRepo(recorded).kinds(in: id, of: alice.id)
                _ = try ChatItemsRepo(recorded).ofKind(.image, in: id, of: alice.id, limit: 9)
                let plans = try recorded.queries.map { query in
                    try chat.rows("EXPLAIN QUERY PLAN " + query).map { try $0.get("detail") as String }
                }
                #expect(plans.count == 2)
                #expect(plans[0].contains { $0.contains("COVERING INDEX idx_chat_items_\(name)_kind") }, "\(plans)")
                #expect(
                    plans[1].count == 1
                        && plans[1].contains { $0.contains("INDEX idx_chat_items_\(name)_kind") }, "\(plans)")
            }
        }
    }

    // MARK: - Live items

    @Test("live items of a chat are listed, oldest first, and ended, all or some")
    func live() throws {
        for chat in chats {
            let items = try [3, 1, 2].map { seconds in
                try test.say("live", in: chat, of: alice, at: seconds) { $0.isLive = true }
            }
            let gone = try test.say("gone", in: chat, of: alice) { $0.isLive = true }
            try test.items { try $0.markDeleted(gone.id, at: TestStore.time(1), of: alice.id) }
            let plain = try test.say("plain", in: chat, of: alice)
            #expect(items.allSatisfy(\.isLive) && !plain.isLive)
            func live(_ user: User) throws -> [ChatItemID] {
                try test.readItems { try $0.live(in: chat, of: user.id) }.map(\.id)
            }
            #expect(try live(alice) == [items[1].id, items[2].id, items[0].id])
            #expect(try live(bob).isEmpty)
            #expect(throws: ChatsError.chatNotFound(chat)) { try test.items { try $0.endLive(in: chat, of: bob.id) } }
            #expect(try test.items { try $0.endLive([items[1].id, plain.id], in: chat, of: alice.id) } == 1)
            #expect(try live(alice) == [items[2].id, items[0].id])
            let ended = try test.readItems { try $0.get(items[1].id, of: alice.id) }
            #expect(!ended.isLive && ended.text == "live")
        }
        #expect(try test.items { try $0.endLive(in: chats[0], of: alice.id) } == 3, "the deleted one too")
        #expect(try test.readItems { try $0.live(in: chats[0], of: alice.id) }.isEmpty)
        #expect(try test.readItems { try $0.live(in: chats[1], of: alice.id) }.count == 2)
    }

    @Test("an edit keeps an item live, with the new content")
    func liveEdit() throws {
        let item = try test.say("a", in: chats[0], of: alice) { $0.isLive = true }
        let edited = try test.items {
            try $0.edit(item.id, to: ChatItemContent("{}", text: "ab"), at: TestStore.time(1), of: alice.id)
        }
        #expect(edited.isLive && edited.text == "ab")
    }

    // MARK: - Forwarded items

    private func origin() throws -> ForwardedFrom {
        var from = ForwardedFrom(.group)
        from.chatName = "news"
        from.direction = .sent
        from.contactID = friend
        from.groupID = group
        from.itemID = try test.say("original", in: .group(group), of: alice).id
        from.groupType = "channel"
        from.groupLink = "https://relay.example.org/c#x"
        from.publicGroupID = "public"
        from.memberID = "member"
        from.sharedMessageID = "shared"
        return from
    }

    @Test("a forwarded item keeps where it is from")
    func forwarded() throws {
        let from = try origin()
        let item = try test.say("x", in: .contact(friend), of: alice) { $0.forwardedFrom = from }
        #expect(item.forwardedFrom == from)
        #expect(try test.readItems { try $0.last(1, in: .contact(friend), of: alice.id) }.first?.forwardedFrom == from)
        for kind in [ForwardedFromKind.undisclosed, .contact, .groupLink, .unknown("moon")] {
            let item = try test.say("x", in: .contact(friend), of: alice) { $0.forwardedFrom = ForwardedFrom(kind) }
            #expect(item.forwardedFrom == ForwardedFrom(kind))
        }
        #expect(try test.say("x", in: .contact(friend), of: alice).forwardedFrom == nil)
        var received = ForwardedFrom(.contact)
        received.direction = .received
        #expect(
            try test.say("x", in: .contact(friend), of: alice) { $0.forwardedFrom = received }.forwardedFrom == received
        )
    }

    @Test("the name of an origin stays when the chat and the item are deleted; a full deletion removes it all")
    func originGone() throws {
        let from = try origin()
        let item = try test.say("x", in: .notes(notes), of: alice) { $0.forwardedFrom = from }
        try test.write { chat in
            try chat.run("DELETE FROM groups WHERE group_id = \(group)")
            try chat.run("DELETE FROM contacts WHERE contact_id = \(friend)")
        }
        let left = try #require(try test.readItems { try $0.get(item.id, of: alice.id) }.forwardedFrom)
        #expect(left.groupID == nil && left.contactID == nil && left.itemID == nil && left.chatName == "news")
        try test.items { try $0.delete(item.id, at: TestStore.time(1), of: alice.id) }
        let row = try test.read { try $0.rows("SELECT * FROM chat_items WHERE chat_item_id = \(item.id)") }
        #expect(!"\(row.map(\.values))".contains("news"))
        #expect(try test.readItems { try $0.get(item.id, of: alice.id) }.forwardedFrom == nil)
    }

    @Test("an item cannot be forwarded from a chat or an item of another profile")
    func foreignOrigin() throws {
        let from = try origin()
        let mine = try test.addContact("bobs", of: bob)
        let errors: [(ChatsError, (inout ForwardedFrom) -> Void)] = [
            (.chatNotFound(.contact(friend)), { $0.contactID = from.contactID }),
            (.chatNotFound(.group(group)), { $0.groupID = from.groupID }),
            (.chatItemNotFound(try #require(from.itemID)), { $0.itemID = from.itemID }),
        ]
        for (error, set) in errors {
            var foreign = ForwardedFrom(.group)
            set(&foreign)
            #expect(throws: error) { try test.say("x", in: .contact(mine), of: bob) { $0.forwardedFrom = foreign } }
        }
        #expect(try test.readItems { try $0.last(9, in: .contact(mine), of: bob.id) }.isEmpty)
    }
}
