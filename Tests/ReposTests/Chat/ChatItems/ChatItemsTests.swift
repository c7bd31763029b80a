import ChatDBKit
import Testing

@Suite struct ChatItemsTests {
    let test: TestStore
    let alice: User
    let friend: ContactID
    let group: GroupID
    let member: GroupMemberID

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        friend = try test.addContact("friend", of: alice)
        group = try test.addGroupChat("group", of: alice)
        member = try test.addMember("member", to: group, of: alice)
    }

    private var contactChat: ChatID { .contact(friend) }
    private var groupChat: ChatID { .group(group) }

    private func edit(_ item: ChatItem, to text: String, at seconds: Int64) throws -> ChatItem {
        try test.items {
            try $0.edit(
                item.id, to: ChatItemContent(#"{"text":"\#(text)"}"#, text: text), at: TestStore.time(seconds),
                of: alice.id)
        }
    }

    @Test("an item has the values that were added, is new by default, and brings its chat to the top")
    func add() throws {
        var new = NewChatItem(
            .received, at: TestStore.time(5),
            ChatItemContent(
                "{}", text: "hello @me", messageTag: "text",
                mentions: [ChatItemMention(memberID: "m1", name: "me"), ChatItemMention(memberID: "m2", name: "me")],
                mentionsUser: true))
        new.contentTag = "rcvMsgContent"
        new.memberID = member
        new.sharedMessageID = "s1"
        new.timeToLive = 60
        new.quote = ChatItem.Quote(
            sharedMessageID: "q1", time: TestStore.time(1), content: "{}", isOwn: true, memberID: "m9")
        let added = try test.items { try $0.add(new, to: groupChat, of: alice.id) }
        #expect(added.chat == groupChat && added.memberID == member && added.direction == .received)
        #expect(added.time == new.time && added.status == .rcvNew && added.isUnread && !added.isDeleted)
        #expect(added.content == "{}" && added.text == "hello @me" && added.messageContentTag == "text")
        #expect(added.contentTag == "rcvMsgContent" && added.sharedMessageID == "s1" && added.timeToLive == 60)
        #expect(added.quote == new.quote && added.mentionsUser && !added.isEdited)
        #expect(try test.say("x", in: contactChat, of: alice, sent: true).status == .sndNew)
        #expect(
            try test.readItems { try $0.mentions(in: [added.id], of: alice.id) }
                == [added.id: [ChatItemMention(memberID: "m1", name: "me")]])
        let times = try test.count("SELECT count(*) FROM groups WHERE chat_ts = '2026-07-20 09:05:00.120'")
        #expect(times == 1)
    }

    @Test("the time of a chat is never set back, and a contact one hears from is shown")
    func chatTime() throws {
        try test.write {
            try $0.run("UPDATE contacts SET chat_ts = '2027-01-01 00:00:00.000', contact_used = 0")
        }
        try test.say("x", in: contactChat, of: alice)
        #expect(
            try test.count(
                """
                SELECT count(*) FROM contacts
                WHERE contact_id = \(friend) AND contact_used = 1 AND chat_ts = '2027-01-01 00:00:00.000'
                """) == 1)
    }

    @Test("the same message of the same author makes one item; the same id of another author another")
    func duplicate() throws {
        let other = try test.addMember("other", to: group, of: alice)
        let first = try test.say("x", in: groupChat, of: alice) {
            $0.sharedMessageID = "s"
            $0.memberID = member
        }
        #expect(throws: ChatsError.duplicateChatItem(existing: first.id)) {
            try test.say("y", in: groupChat, of: alice) {
                $0.sharedMessageID = "s"
                $0.memberID = member
            }
        }
        let second = try test.say("z", in: groupChat, of: alice) {
            $0.sharedMessageID = "s"
            $0.memberID = other
        }
        try test.readItems { items throws in
            #expect(try items.find(sharedID: "s", in: groupChat, of: alice.id) == first)
            #expect(try items.find(sharedID: "s", from: other, in: groupChat, of: alice.id) == second)
            #expect(try items.find(sharedID: "s", in: contactChat, of: alice.id) == nil)
        }
    }

    @Test("an author must be in the group, and a message the profile's")
    func wrongAuthor() throws {
        #expect(throws: ChatsError.memberNotFound(member)) {
            try test.say("x", in: contactChat, of: alice) { $0.memberID = member }
        }
        #expect(throws: ChatsError.messageNotFound(MessageID(99))) {
            try test.say("x", in: contactChat, of: alice) { $0.messageID = MessageID(99) }
        }
        #expect(throws: ChatsError.chatNotFound(.contact(alice.contactID))) {
            try test.say("x", in: .contact(alice.contactID), of: alice)
        }
        #expect(try test.count("SELECT count(*) FROM chat_items") == 0)
    }

    @Test("every version of an edited item is kept, with the times they were sent")
    func versions() throws {
        let item = try test.say("one", in: contactChat, of: alice, at: 1)
        #expect(try test.readItems { try $0.versions(of: item.id, of: alice.id) }.isEmpty)
        _ = try edit(item, to: "two", at: 2)
        let last = try edit(item, to: "three", at: 3)
        #expect(last.isEdited && last.text == "three" && last.time == item.time)
        #expect(try edit(item, to: "three", at: 4) == last, "the same again is no edit")
        let versions = try test.readItems { try $0.versions(of: item.id, of: alice.id) }
        #expect(versions.map(\.content) == [#"{"text":"one"}"#, #"{"text":"two"}"#, #"{"text":"three"}"#])
        #expect(versions.map(\.time) == [TestStore.time(1), TestStore.time(2), TestStore.time(3)])
    }

    @Test("an edit replaces who is mentioned")
    func editMentions() throws {
        let item = try test.say("hello @old", in: groupChat, of: alice) {
            $0.content.mentions = [ChatItemMention(memberID: "m1", name: "old")]
            $0.content.mentionsUser = true
        }
        let new = ChatItemContent("{}", text: "hello @new", mentions: [ChatItemMention(memberID: "m2", name: "new")])
        let edited = try test.items { try $0.edit(item.id, to: new, at: TestStore.time(1), of: alice.id) }
        #expect(!edited.mentionsUser)
        #expect(
            try test.readItems { try $0.mentions(in: [item.id], of: alice.id) }
                == [item.id: [ChatItemMention(memberID: "m2", name: "new")]])
    }

    @Test("many mentions are more than one statement can take, and all are kept")
    func manyMentions() throws {
        let item = try test.say("all", in: groupChat, of: alice) {
            $0.content.mentions = (0..<1_234).map { ChatItemMention(memberID: "m\($0)", name: "n\($0)") }
        }
        #expect(try test.readItems { try $0.mentions(in: [item.id], of: alice.id) }[item.id]?.count == 1_234)
    }

    @Test("the status of an item is set, also one from a newer app")
    func status() throws {
        let item = try test.say("x", in: contactChat, of: alice, sent: true)
        try test.items { try $0.setStatus(.unknown("snd_rcvd ok"), of: item.id, of: alice.id) }
        #expect(try test.readItems { try $0.get(item.id, of: alice.id) }.status.text == "snd_rcvd ok")
    }

    private func reactors(to item: ChatItemID, with reaction: String? = nil) throws -> [String] {
        try test.readItems { try $0.reactors(to: item, with: reaction, of: alice.id) }
            .map { "\($0.reaction) \($0.reactor)" }
    }

    @Test("a contact's reaction is distinguished from the profile's own, and reactions come by time")
    func reactorsOfContactChat() throws {
        let item = try test.say("x", in: contactChat, of: alice)
        try test.items { items throws in
            try items.react("+", to: item.id, by: .user, at: TestStore.time(2), of: alice.id)
            try items.react("+", to: item.id, by: .contact, at: TestStore.time(1), of: alice.id)
        }
        #expect(try reactors(to: item.id) == ["+ contact", "+ user"])
        #expect(throws: ChatsError.chatItemNotFound(item.id)) {
            try test.readItems { try $0.reactors(to: item.id, of: UserID(99)) }
        }
    }

    @Test("reactions are counted once a person, the most frequent first, and the profile's own are marked")
    func reactions() throws {
        let item = try test.say("x", in: groupChat, of: alice)
        let plain = try test.say("y", in: groupChat, of: alice)
        let time = TestStore.time(1)
        try test.items { items throws in
            #expect(try items.react("+", to: item.id, by: .user, at: time, of: alice.id))
            #expect(try !items.react("+", to: item.id, by: .user, at: time, of: alice.id))
            #expect(try items.react("+", to: item.id, by: .member(member), at: time, of: alice.id))
            #expect(try !items.react("+", to: item.id, by: .member(member), at: time, of: alice.id))
            #expect(try items.react("!", to: item.id, by: .member(member), at: time, of: alice.id))
            #expect(throws: ChatsError.wrongReactor(item.id)) {
                try items.react("+", to: item.id, by: .contact, at: time, of: alice.id)
            }
        }
        let counts = try test.readItems { try $0.reactions(to: [item.id, plain.id], of: alice.id) }
        #expect(counts[item.id]?.map { "\($0.reaction)\($0.count)\($0.isOwn)" } == ["+2true", "!1false"])
        #expect(counts[plain.id] == nil)
        #expect(try reactors(to: item.id) == ["+ user", "+ member(\(member))", "! member(\(member))"])
        #expect(try reactors(to: item.id, with: "!") == ["! member(\(member))"])
        #expect(try reactors(to: plain.id).isEmpty)
        try test.items { items throws in
            #expect(try items.unreact("+", to: item.id, by: .user, of: alice.id))
            #expect(try !items.unreact("+", to: item.id, by: .user, of: alice.id))
        }
        let left = try test.readItems { try $0.reactions(to: [item.id], of: alice.id) }
        #expect(left[item.id]?.map { "\($0.reaction)\($0.count)\($0.isOwn)" } == ["!1false", "+1false"])
    }

    @Test("in the chat with a contact, the contact and the profile react apart")
    func contactReactions() throws {
        let item = try test.say("x", in: contactChat, of: alice)
        try test.items { items throws in
            for reactor in [Reactor.user, .contact] {
                #expect(try items.react("+", to: item.id, by: reactor, at: TestStore.time(1), of: alice.id))
            }
            #expect(try items.unreact("+", to: item.id, by: .contact, of: alice.id))
            #expect(throws: ChatsError.memberNotFound(member)) {
                try items.react("+", to: item.id, by: .member(member), at: TestStore.time(1), of: alice.id)
            }
        }
        let counts = try test.readItems { try $0.reactions(to: [item.id], of: alice.id) }
        #expect(counts[item.id]?.map { "\($0.count)\($0.isOwn)" } == ["1true"])
    }

    @Test("look-ups by number or shared id use its index, not that of the profile")
    func plans() throws {
        let item = try test.say("x", in: contactChat, of: alice) { $0.sharedMessageID = "s" }
        let connection = try test.addConnection("c", contact: friend, of: alice)
        try test.write { chat in
            let recorded = RecordingTransaction(chat)
            let items = ChatItemsRepo(recorded)
            _ = try items.reactions(to: [item.id], of: alice.id)
            _ = try items.mentions(in: [item.id], of: alice.id)
            for chat in [contactChat, groupChat] { _ = try items.find(sharedID: "s", in: chat, of: alice.id) }
            _ = try ChatListRepo(recorded).page(of: alice.id, limit: 9)
            var new = NewMessage(.sent, event: "x", body: "{}")
            (new.connectionID, new.sharedMessageID) = (connection, "s")
            _ = try MessagesWriter(recorded).add(new, deliveries: [], of: alice.id)
            _ = try MessagesRepo(recorded).all(sharedID: "s", on: .connection(connection), of: alice.id)
            _ = try ChatItemsWriter(recorded).delete(item.id, at: TestStore.time(1), of: alice.id)
            _ = try ChatItemsWriter(recorded).expire(at: TestStore.time(1), of: alice.id)
            #expect(recorded.queries.count > 15)
            for query in recorded.queries {
                let plan = try chat.rows("EXPLAIN QUERY PLAN " + query).map { try $0.get("detail") as String }
                for line in plan where line.hasSuffix("(user_id=?)") {
                    #expect(
                        ["contacts", "groups", "note_folders", "contact_requests", "settings"].contains {
                            line.hasPrefix("SEARCH \($0) ")
                        }, "\(line) in \(query.rendered(.questionMark).sql)")
                }
            }
        }
    }
}
