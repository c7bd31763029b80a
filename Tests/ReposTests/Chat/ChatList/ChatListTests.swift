import ChatDBKit
import Testing

@Suite struct ChatListTests {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    private func page(
        _ filter: ChatListFilter = ChatListFilter(), after: ChatPreview.Position? = nil, limit: Int = 99
    ) throws -> [ChatPreview] {
        try test.read { try ChatListRepo($0).page(of: alice.id, filter: filter, after: after, limit: limit) }
    }

    private func names(_ filter: ChatListFilter) throws -> [String] { try page(filter).map(\.name) }

    private func request(_ name: String, at seconds: Int64, contact: ContactID? = nil) throws -> ContactRequestID {
        try test.write { chat in
            try chat.run(
                """
                INSERT INTO display_names (user_id, local_display_name, ldn_base)
                VALUES (\(alice.id), \(name), \(name))
                """)
            let profile = try chat.insert(
                "INSERT INTO contact_profiles (user_id, display_name) VALUES (\(alice.id), \(name))",
                returning: "contact_profile_id")
            return ContactRequestID(
                try chat.insert(
                    """
                    INSERT INTO contact_requests (user_id, agent_invitation_id, contact_profile_id,
                        local_display_name, contact_id, updated_at)
                    VALUES (\(alice.id), \(name), \(profile), \(name), \(contact), \(TestStore.time(seconds).text))
                    """, returning: "contact_request_id"))
        }
    }

    @Test("the list has all chats of the profile, newest first, with the newest item and the unread items")
    func all() throws {
        let friend = try test.addContact("friend", of: alice, at: 3)
        let group = try test.addGroupChat("group", of: alice, at: 5)
        let notes = try test.addNotes(of: alice, at: 1)
        let asking = try request("asking", at: 4)
        let pending = try test.addConnection("pending", status: "new", of: alice, at: 2)
        let item = try test.say("last", in: .group(group), of: alice, at: 9) { $0.content.mentionsUser = true }
        try test.say("first", in: .group(group), of: alice, at: 1)
        let deleted = try test.say("deleted", in: .group(group), of: alice, at: 99)
        try test.items { try $0.markDeleted(deleted.id, at: TestStore.time(100), of: alice.id) }

        let chats = try page()
        #expect(
            chats.map(\.entry) == [
                .chat(.group(group)), .request(asking), .chat(.contact(friend)), .connection(pending),
                .chat(.notes(notes)),
            ])
        #expect(chats.map(\.name) == ["group", "asking", "friend", "pending", ""])
        #expect(chats[0].lastItem == item && chats[2].lastItem == nil)
        #expect(chats[0].unread == (try test.readItems { try $0.unread(in: .group(group), of: alice.id) }))
        #expect(chats[0].unread.items == 2 && chats[0].unread.mentions == 1)
        #expect(try test.read { try ChatListRepo($0).preview(of: .group(group), of: alice.id) } == chats[0])
    }

    @Test("rows that are no chats are not in the list")
    func leftOut() throws {
        let deleted = try test.addContact("deleted", of: alice)
        let unused = try test.addContact("unused", of: alice)
        let group = try test.addGroupChat("group", of: alice)
        let member = try test.addMember("member", to: group, of: alice)
        try test.addConnection("of a member", member: member, of: alice)
        let friend = try test.addContact("friend", of: alice)
        try test.addConnection("of a contact", contact: friend, of: alice)
        try test.addConnection("prepared", status: "prepared", of: alice)
        _ = try request("has a contact", at: 1, contact: friend)
        try test.write {
            try $0.run("UPDATE contacts SET deleted = 1 WHERE contact_id = \(deleted)")
            try $0.run("UPDATE contacts SET contact_used = 0 WHERE contact_id = \(unused)")
        }
        let bob = try test.addUser("bob")
        try test.addContact("bobs", of: bob)
        try test.addNotes(of: bob)
        #expect(Set(try page().map(\.name)) == ["group", "friend"])
        #expect(try test.read { try ChatListRepo($0).preview(of: .contact(deleted), of: alice.id) }.name == "deleted")
        #expect(throws: ChatsError.chatNotFound(.contact(alice.contactID))) {
            try test.read { try ChatListRepo($0).preview(of: .contact(alice.contactID), of: alice.id) }
        }
    }

    @Test("each filter keeps its kind of lines, and several filters must all match")
    func filters() throws {
        let friend = try test.addContact("Friend", of: alice, at: 9)
        let other = try test.addContact("other", of: alice, at: 8)
        let group = try test.addGroupChat("fr_group", of: alice, at: 7)
        let notes = try test.addNotes(of: alice, at: 6)
        _ = try request("frank", at: 5)
        try test.addConnection("pending", status: "new", of: alice, at: 4)
        try test.say("x", in: .contact(friend), of: alice)
        let tag = try test.write { chat in
            try chat.run("UPDATE contacts SET chat_ts = \(TestStore.time(9).text) WHERE contact_id = \(friend)")
            try chat.run("UPDATE contacts SET favorite = 1 WHERE contact_id IN (\(friend), \(other))")
            try chat.run("UPDATE note_folders SET favorite = 1")
            try chat.run("UPDATE contact_profiles SET full_name = 'Frieda 100%' WHERE display_name = 'other'")
            try chat.run("UPDATE groups SET local_alias = 'my group'")
            let tag = try chat.insert(
                "INSERT INTO chat_tags (user_id, chat_tag_text) VALUES (\(alice.id), 't')", returning: "chat_tag_id")
            try chat.run("INSERT INTO chat_tags_chats (contact_id, chat_tag_id) VALUES (\(other), \(tag))")
            try chat.run("INSERT INTO chat_tags_chats (group_id, chat_tag_id) VALUES (\(group), \(tag))")
            try ChatListWriter(chat).setUnread(.group(group), true, of: alice.id)
            try ChatListWriter(chat).setUnread(.notes(notes), true, of: alice.id)
            return ChatTagID(tag)
        }
        #expect(try names(ChatListFilter(onlyUnread: true)) == ["Friend", "my group", "", "frank"])
        #expect(try names(ChatListFilter(onlyFavorites: true)) == ["Friend", "other", ""])
        #expect(try names(ChatListFilter(onlyUnread: true, onlyFavorites: true)) == ["Friend", ""])
        #expect(try names(ChatListFilter(tag: tag)) == ["other", "my group"])
        #expect(try names(ChatListFilter(onlyUnread: true, tag: tag)) == ["my group"])
        #expect(try names(ChatListFilter(text: " FR ")) == ["Friend", "other", "my group", "frank"])
        #expect(try names(ChatListFilter(text: "fr_")) == ["my group"])
        #expect(try names(ChatListFilter(text: "100%")) == ["other"])
        #expect(try names(ChatListFilter(text: "\\")) == [] && names(ChatListFilter(text: "d%")) == [])
        #expect(try names(ChatListFilter(text: "pend")) == ["pending"])
        #expect(throws: ChatsError.searchTextTooLong(longest: 1_000)) {
            try page(ChatListFilter(text: String(repeating: "%", count: 1_000_000)))
        }
        #expect(throws: ChatsError.tagNotFound(ChatTagID(999))) { try page(ChatListFilter(tag: ChatTagID(999))) }
    }

    @Test("pages have each line once, in order, also lines of the same time", arguments: 0..<8)
    func pages(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        for number in 0..<40 {
            let time = Int64.random(in: 0...6, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: try test.addContact("c\(number)", of: alice, at: time)
            case 1: try test.addGroupChat("g\(number)", of: alice, at: time)
            case 2: _ = try request("r\(number)", at: time)
            default: try test.addConnection("p\(number)", status: "new", of: alice, at: time)
            }
        }
        try test.addNotes(of: alice, at: 3)
        let all = try page()
        #expect(all.count == 41 && Set(all.map(\.entry)).count == 41)
        #expect(all.map(\.time) == all.map(\.time).sorted(by: >))
        for limit in [1, 2, 3, 7, 40] {
            var pages: [ChatPreview] = []
            while true {
                let next = try page(after: pages.last?.position, limit: limit)
                #expect(next.count <= limit)
                if next.isEmpty { break }
                pages += next
            }
            #expect(pages == all, "\(limit)")
        }
        #expect(try page(limit: 0).isEmpty && page(limit: -1).isEmpty)
    }

    @Test("a page takes one statement, and sorts only the lines that it shows")
    func plans() throws {
        try test.addContact("friend", of: alice)
        try test.addNotes(of: alice)
        try test.read { chat in
            let recorded = RecordingReads(chat)
            let first = try ChatListRepo(recorded).page(of: alice.id, limit: 1)
            _ = try ChatListRepo(recorded).page(of: alice.id, after: first.last?.position, limit: 1)
            #expect(recorded.queries.count == 2)
            for query in recorded.queries {
                let plan = try chat.rows("EXPLAIN QUERY PLAN " + query).map { try $0.get("detail") as String }
                for table in ["contacts", "groups"] where plan.contains(where: { $0.contains("SEARCH \(table) ") }) {
                    #expect(plan.contains { $0.hasPrefix("SEARCH \(table) USING INDEX idx_\(table)_chat_ts") })
                }
                for line in plan where line.hasPrefix("SEARCH connections ") {
                    #expect(line.contains("idx_connections_group_member_id"))
                }
                // The page when it is made and when it is answered; requests and connections, which no index has by
                // time.
                #expect(plan.filter { $0.contains("TEMP B-TREE") }.count <= 4, "\(plan)")
            }
        }
    }

    @Test("a chat is marked unread by hand, and that changes nothing else of it")
    func setUnread() throws {
        let friend = try test.addContact("friend", of: alice, at: 3)
        try test.write { try ChatListWriter($0).setUnread(.contact(friend), true, of: alice.id) }
        let marked = try page()[0]
        #expect(marked.isMarkedUnread && marked.unread.items == 0 && marked.time == TestStore.time(3))
        try test.write { try ChatListWriter($0).setUnread(.contact(friend), false, of: alice.id) }
        #expect(try !page()[0].isMarkedUnread)
    }
}
