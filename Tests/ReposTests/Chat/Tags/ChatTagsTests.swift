import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Settings and tags".
@Suite struct ChatTagsTests {
    let test: TestStore
    let alice = Things.alice

    init() throws {
        test = try TwoProfiles().test
    }

    private func tags() throws -> [ChatTag] { try test.read { try ChatTagsRepo($0).all(of: alice.user) } }

    @discardableResult
    private func create(_ text: String, _ emoji: String? = nil) throws -> ChatTag {
        try test.write { try ChatTagsWriter($0, clock: TestStore.clock).create(text, emoji: emoji, of: alice.user) }
    }

    @Test("a new tag is the last of the list, with its text trimmed and no chats")
    func create() throws {
        let tag = try create(" family ", "👨‍👩‍👧")
        #expect(tag.text == "family" && tag.emoji == "👨‍👩‍👧" && tag.chats == 0 && tag.userID == alice.user)
        #expect(try tags().map(\.text) == ["alice tag", "family"])
        #expect(throws: ChatTagsError.profileNotFound(UserID(9))) {
            try test.write { try ChatTagsWriter($0).create("x", of: UserID(9)) }
        }
    }

    @Test("no two tags of a profile have the same text, without case, or the same picture")
    func duplicates() throws {
        let work = try create("Büro", "🏢")
        #expect(throws: ChatTagsError.duplicateTagText(existing: work)) { try create("BÜRO") }
        #expect(throws: ChatTagsError.duplicateTagEmoji(existing: work)) { try create("office", "🏢") }
        let home = try create("home")
        try create("garden")
        try test.write { chat in
            let writer = ChatTagsWriter(chat)
            #expect(throws: ChatTagsError.duplicateTagText(existing: work)) {
                try writer.update(home.id, text: "büro", emoji: nil, of: alice.user)
            }
            let renamed = try writer.update(work.id, text: "BÜRO", emoji: "🏢", of: alice.user)
            #expect(renamed.text == "BÜRO" && renamed.emoji == "🏢")
            let bare = try writer.update(work.id, text: "BÜRO", emoji: nil, of: alice.user)
            #expect(bare.emoji == nil)
            // Another profile has tags of its own.
            let other = try writer.create("Büro", emoji: "🏢", of: Things.bob.user)
            #expect(other.text == "Büro")
        }
    }

    @Test(
        "a text is a name, and a picture is one emoji",
        arguments: [
            ("", nil), (" ", nil), ("a\u{202E}", nil), (String(repeating: "a", count: 201), nil), ("a", ""), ("a", "a"),
            ("a", "1"), ("a", "🏢🏢"), ("a", "🏢\n"), ("a", "\u{1b}"), ("a", "é"),
        ] as [(String, String?)])
    func invalid(_ text: String, _ emoji: String?) throws {
        let error = #expect(throws: ChatTagsError.self) { try create(text, emoji) }
        #expect(error?.code == (emoji == nil ? "invalidTagText" : "invalidTagEmoji"))
        #expect(try tags().count == 1)
    }

    @Test("emoji of several parts are one", arguments: ["🏢", "❤️", "1️⃣", "🇩🇪", "👩🏽‍🚀", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"])
    func emoji(_ emoji: String) throws {
        #expect(try create("a", emoji).emoji == emoji)
    }

    @Test("tags named come first in that order, the others follow as they were; of an unknown one nothing moves")
    func reorder() throws {
        let ids = [alice.tag] + (try ["b", "c", "d"].map { try create($0).id })
        func reorder(_ order: [ChatTagID]) throws -> [String] {
            try test.write { try ChatTagsWriter($0).reorder(order, of: alice.user) }
            return try tags().map(\.text)
        }
        #expect(try reorder([ids[3], ids[1], ids[3]]) == ["d", "b", "alice tag", "c"])
        #expect(try reorder([]) == ["d", "b", "alice tag", "c"])
        #expect(try tags().map(\.order) == [0, 1, 2, 3])
        for wrong in [ChatTagID(99), Things.bob.tag] {
            #expect(throws: ChatTagsError.tagNotFound(.id(wrong))) { _ = try reorder([ids[2], wrong]) }
        }
        #expect(try tags().map(\.text) == ["d", "b", "alice tag", "c"])
    }

    @Test("a chat has a tag once; the count leaves out soft-deleted contacts; taking it off twice is no change")
    func tagging() throws {
        let tag = try create("a")
        let chats = [TaggedChat.contact(alice.friend), .group(alice.group)]
        try test.write { chat in
            let writer = ChatTagsWriter(chat)
            for chat in chats + chats { try writer.tag(chat, with: tag.id, of: alice.user) }
        }
        func read() throws -> (Int?, [TaggedChat]) {
            try test.read {
                (
                    try ChatTagsRepo($0).get(tag.id, of: alice.user).chats,
                    try ChatTagsRepo($0).chats(with: tag.id, of: alice.user)
                )
            }
        }
        #expect(try read() == (2, chats))
        #expect(
            try test.read { try ChatTagsRepo($0).all(on: chats[0], of: alice.user).map(\.text) } == ["alice tag", "a"])
        #expect(try test.read { try ChatTagsRepo($0).all(on: chats[1], of: alice.user).map(\.text) } == ["a"])
        try test.write { try $0.run("UPDATE contacts SET deleted = 1 WHERE contact_id = \(alice.friend)") }
        #expect(try read() == (1, [chats[1]]))
        #expect(throws: ChatTagsError.contactNotFound(alice.friend)) {
            try test.write { try ChatTagsWriter($0).tag(chats[0], with: tag.id, of: alice.user) }
        }
        try test.write { chat in
            for _ in 1...2 { try ChatTagsWriter(chat).untag(chats[1], from: tag.id, of: alice.user) }
        }
        #expect(try read() == (0, []))
    }

    @Test("a chat's tags are set all at once, and with one that is not there the chat keeps those it has")
    func setTags() throws {
        let (one, two) = (try create("one"), try create("two"))
        let friend = TaggedChat.contact(alice.friend)
        func set(_ ids: [ChatTagID]) throws -> [String] {
            try test.write { try ChatTagsWriter($0).setTags(ids, on: friend, of: alice.user) }
            return try test.read { try ChatTagsRepo($0).all(on: friend, of: alice.user).map(\.text) }
        }
        #expect(try set([two.id, one.id, two.id]) == ["one", "two"])
        #expect(throws: ChatTagsError.tagNotFound(.id(Things.bob.tag))) { _ = try set([Things.bob.tag]) }
        #expect(try set([two.id]) == ["two"])
        #expect(try set([]) == [])
        #expect(try test.count("SELECT count(*) FROM chat_tags_chats") == 1, "that of the other profile")
    }

    @Test("a chat of another profile, and one that is not there, is not found")
    func otherProfiles() throws {
        let bob = Things.bob
        for (chat, expected) in [
            (TaggedChat.contact(bob.friend), ChatTagsError.contactNotFound(bob.friend)),
            (.contact(ContactID(99)), .contactNotFound(ContactID(99))),
            (.group(bob.group), .groupNotFound(bob.group)), (.group(GroupID(99)), .groupNotFound(GroupID(99))),
        ] {
            try test.write { tx in
                let writer = ChatTagsWriter(tx)
                #expect(throws: expected) { try writer.tag(chat, with: alice.tag, of: alice.user) }
                #expect(throws: expected) { try writer.untag(chat, from: alice.tag, of: alice.user) }
                #expect(throws: expected) { try writer.setTags([alice.tag], on: chat, of: alice.user) }
                #expect(throws: expected) { try writer.setTags([], on: chat, of: alice.user) }
            }
        }
        #expect(try test.count("SELECT count(*) FROM chat_tags_chats") == 2)
    }

    @Test("deleting a tag leaves the chats")
    func delete() throws {
        try test.write { try ChatTagsWriter($0).delete(alice.tag, of: alice.user) }
        #expect(try tags() == [])
        #expect(try test.count("SELECT count(*) FROM chat_tags_chats") == 1)
        #expect(try test.count("SELECT count(*) FROM contacts WHERE contact_id = \(alice.friend)") == 1)
        #expect(throws: ChatTagsError.tagNotFound(.id(alice.tag))) {
            try test.write { try ChatTagsWriter($0).delete(alice.tag, of: alice.user) }
        }
    }

    @Test("the profile's own contact is no chat, and cannot be tagged")
    func ownContact() throws {
        let tag = try create("x")
        #expect(throws: ChatTagsError.contactNotFound(alice.ownContact)) {
            try test.write { try ChatTagsWriter($0).tag(.contact(alice.ownContact), with: tag.id, of: alice.user) }
        }
        #expect(throws: ChatTagsError.contactNotFound(alice.ownContact)) {
            try test.write { try ChatTagsWriter($0).setTags([tag.id], on: .contact(alice.ownContact), of: alice.user) }
        }
    }
}
