import ChatDBKit
import Testing

@Suite struct ChatSearchTests {
    let test: TestStore
    let alice: User
    let bob: User
    let friend: ChatID
    let group: ChatID

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
        friend = .contact(try test.addContact("friend", of: alice))
        group = .group(try test.addGroupChat("group", of: alice))
    }

    private func found(
        _ text: String, in scope: SearchScope = .profile, limit: Int = 99, offset: Int = 0
    ) throws -> [String] {
        try test.readItems {
            try $0.search(text, in: scope, of: alice.id, limit: limit, offset: offset).map(\.item.text)
        }
    }

    @Test("all words must be there, in any order, with accents or without; the last may be a beginning")
    func words() throws {
        try test.say("the quick brown fox", in: friend, of: alice)
        try test.say("Füchse sind quicklebendig", in: group, of: alice)
        #expect(try found("fox QUICK") == ["the quick brown fox"])
        #expect(try found("quick ") == ["the quick brown fox"])
        #expect(try found("quick").count == 2)
        #expect(try found("fuchse") == ["Füchse sind quicklebendig"])
        #expect(try found("quick lazy").isEmpty)
        #expect(try found("qui fox").isEmpty, "only the last word may be a beginning")
    }

    @Test("a profile finds its own items only, and a chat those in it")
    func scopes() throws {
        try test.say("hello friend", in: friend, of: alice)
        try test.say("hello group", in: group, of: alice)
        try test.say("hello bob", in: .contact(try test.addContact("x", of: bob)), of: bob)
        #expect(Set(try found("hello")) == ["hello friend", "hello group"])
        #expect(try found("hello", in: .chat(friend)) == ["hello friend"])
        #expect(try found("hello", in: .chat(group)) == ["hello group"])
        #expect(try found("hello", in: .chat(.contact(ContactID(999)))).isEmpty)
    }

    @Test("the best matches come first, and pages have each match once", arguments: [false, true])
    func ranked(inChat: Bool) throws {
        let scope = inChat ? SearchScope.chat(friend) : .profile
        // Neither the oldest nor the newest is the best.
        for fillers in [13, 20, 15, 18, 0, 14, 19, 16] {
            let text = fillers == 0 ? "needle needle needle" : String(repeating: "filler ", count: fillers) + "needle"
            try test.say(text, in: friend, of: alice)
        }
        let all = try found("needle", in: scope)
        #expect(all.first == "needle needle needle" && all.count == 8)
        #expect(all.dropFirst().map(\.count) == all.dropFirst().map(\.count).sorted())
        let pages = try stride(from: 0, to: 12, by: 3).flatMap {
            try found("needle", in: scope, limit: 3, offset: $0)
        }
        #expect(pages == all)
        #expect(try found("needle", in: scope, limit: 0).isEmpty)
    }

    @Test("of equally good matches, a search of a profile has the oldest first and one of a chat the newest")
    func ties() throws {
        let ids = try (0..<5).map { _ in try test.say("same words", in: friend, of: alice).id }
        func order(_ scope: SearchScope) throws -> [ChatItemID] {
            try test.readItems { try $0.search("same", in: scope, of: alice.id, limit: 9) }.map(\.item.id)
        }
        #expect(try order(.profile) == ids)
        #expect(try order(.chat(friend)) == ids.reversed())
    }

    @Test("a snippet has the words marked and is cut around them")
    func snippet() throws {
        let filler = String(repeating: "filler ", count: 50)
        try test.say("say needle now", in: friend, of: alice)
        try test.say(filler + "Needle " + filler, in: group, of: alice)
        func snippet(_ scope: SearchScope) throws -> [SnippetPart] {
            try test.readItems { try $0.search("needle", in: scope, of: alice.id, limit: 9) }.first?.snippet ?? []
        }
        let short = try snippet(.chat(friend))
        #expect(short.map(\.text) == ["say ", "needle", " now"] && short.map(\.isMatch) == [false, true, false])
        let long = try snippet(.chat(group))
        #expect(long.filter(\.isMatch).map(\.text) == ["Needle"])
        #expect(long.map(\.text).joined().count < 250 && long.first?.text.hasPrefix("…") == true)
    }

    @Test(
        "no text is an operator of the index, and none fails",
        arguments: [
            "", " ", "\"", "\"\"", "\"a", "a\"b", "*", "a*", "^a", "-a", "a OR b", "NOT a", "a AND", "NEAR(a b)",
            "NEAR", "(", ")", "a)", "item_text:a", "{item_text} : a", "a + b", "...", "!?", "\0", "a\0b", "\u{1}",
            "😀", "a 😀", "\u{301}", "'; DROP TABLE chat_items; --", "日本", "\u{E000}", "\u{FFFD}", "%", "_",
            "rank MATCH 'x'", "a\u{2028}b", "\u{2}a\u{3}", "1.5", "don't", "--",
        ])
    func hostile(_ text: String) throws {
        try test.say("plain words and a or b not near", in: friend, of: alice)
        for scope in [SearchScope.profile, .chat(friend)] {
            for given in [text, text + " ", "words " + text, text + " words"] {
                _ = try found(given, in: scope)
            }
        }
    }

    @Test("operators are words like others")
    func operators() throws {
        try test.say("cats or dogs", in: friend, of: alice)
        try test.say("cats", in: friend, of: alice)
        try test.say("it isn't near", in: friend, of: alice)
        #expect(try found("cats OR dogs") == ["cats or dogs"])
        #expect(try found("isn't") == ["it isn't near"])
        #expect(try found("\"dogs\" (cats)") == ["cats or dogs"])
        #expect(try found("cats -- dogs ...") == ["cats or dogs"], "what has no letter is passed over")
        #expect(try found("... !") == [])
    }

    @Test("a text longer than a person types is refused, however it is made up")
    func long() throws {
        try test.say("a", in: friend, of: alice)
        for piece in ["a", "a ", "\"", " ", "\u{301}"] {
            #expect(throws: ChatsError.searchTextTooLong(longest: 1_000)) {
                try found(String(repeating: piece, count: 1_000_000))
            }
        }
        #expect(try found(String(repeating: "a ", count: 500)) == ["a"])
        let many = (0..<250).map { "w\($0 % 10)" }.joined(separator: " ")
        #expect(try found(String(many.prefix(1_000))).isEmpty)
    }

    @Test("the index follows every change of the items", arguments: 0..<8)
    func consistent(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let vocabulary = ["ant", "bee", "cat", "dog", "élan", "fox"]
        var texts: [ChatItemID: String] = [:]
        func sentence() -> String {
            (0..<Int.random(in: 1...4, using: &random))
                .map { _ in vocabulary[Int.random(in: 0..<vocabulary.count, using: &random)] }.joined(separator: " ")
        }
        for step in 0..<80 {
            let id = texts.keys.sorted().randomElement(using: &random)
            let time = TestStore.time(Int64(step))
            switch (Int.random(in: 0..<7, using: &random), id) {
            case (0...2, _), (_, nil):
                let text = sentence()
                texts[try test.say(text, in: step % 2 == 0 ? friend : group, of: alice, at: Int64(step)).id] = text
            case (3...4, let id?):
                let text = sentence()
                _ = try test.items {
                    try $0.edit(id, to: ChatItemContent("{\(step)}", text: text), at: time, of: alice.id)
                }
                texts[id] = text
            case (5, let id?):
                _ = try test.items { try $0.markDeleted(id, at: time, of: alice.id) }
                texts[id] = nil
            case (_, let id?):
                try test.items { try $0.delete(id, at: time, of: alice.id) }
                texts[id] = nil
            }
        }
        try test.write {
            try $0.run("INSERT INTO chat_items_fts (chat_items_fts, rank) VALUES ('integrity-check', 1)")
        }
        for word in vocabulary {
            let expected = texts.filter { $0.value.split(separator: " ").contains(Substring(word)) }.map(\.key).sorted()
            let items = try test.readItems { items in
                try [SearchScope.profile, .chat(friend), .chat(group)].map {
                    try items.search(word + " ", in: $0, of: alice.id, limit: 999).map(\.item.id).sorted()
                }
            }
            #expect(items[0] == expected, "\(word)")
            #expect((items[1] + items[2]).sorted() == expected, "\(word)")
        }
    }

    @Test("a search of the profile leaves out chats of soft-deleted contacts; a search of such a chat finds its items")
    func deletedContact() throws {
        let gone = try test.addContact("gone", of: alice)
        let item = try test.say("wanderlust", in: .contact(gone), of: alice)
        func found(_ scope: SearchScope) throws -> [ChatItemID] {
            try test.readItems { try $0.search("wanderlust", in: scope, of: alice.id, limit: 9) }.map(\.item.id)
        }
        #expect(try found(.profile) == [item.id])
        try test.write { _ = try ContactsWriter($0).delete(gone, of: alice.id) }
        #expect(try found(.profile).isEmpty)
        #expect(try found(.chat(.contact(gone))) == [item.id])
    }
}
