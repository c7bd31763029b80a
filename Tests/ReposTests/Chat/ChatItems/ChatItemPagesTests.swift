import ChatDBKit
import Testing

@Suite struct ChatItemPagesTests {
    let test: TestStore
    let alice: User
    let chats: [ChatID]

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        chats = [
            .contact(try test.addContact("friend", of: alice)), .group(try test.addGroupChat("group", of: alice)),
            .notes(try test.addNotes(of: alice)),
        ]
    }

    /// Items of few times, so that many have the same, added in any order to all chats in turn; some are deleted.
    private func fill(_ random: inout SplitMix64) throws -> [ChatID: [ChatItem]] {
        var items: [ChatID: [ChatItem]] = [:]
        for number in 0..<Int.random(in: 0...70, using: &random) {
            let chat = chats[Int.random(in: 0..<chats.count, using: &random)]
            let item = try test.say(
                "item \(number)", in: chat, of: alice, at: Int64.random(in: 0...15, using: &random))
            let isDeleted = Int.random(in: 0..<4, using: &random) == 0
            items[chat, default: []].append(
                isDeleted
                    ? try test.items { try $0.markDeleted(item.id, at: TestStore.time(99), of: alice.id) } : item)
        }
        return items.mapValues { $0.sorted { ($0.time, $0.id) < ($1.time, $1.id) } }
    }

    @Test("pages before and after an item have each item of the chat once, in order, from any item", arguments: 0..<12)
    func pages(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let all = try fill(&random)
        let limit = Int.random(in: 1...7, using: &random)
        for chat in chats {
            for includingDeleted in [false, true] {
                let items = all[chat, default: []]
                let shown = items.filter { includingDeleted || !$0.isDeleted }
                try test.readItems { repo in
                    var backward = try repo.last(limit, in: chat, of: alice.id, includingDeleted: includingDeleted)
                    #expect(backward == Array(shown.suffix(limit)))
                    while let first = backward.first {
                        let page = try repo.before(
                            first.id, limit: limit, in: chat, of: alice.id, includingDeleted: includingDeleted)
                        #expect(page.count <= limit)
                        if page.isEmpty { break }
                        backward = page + backward
                    }
                    #expect(backward == shown)
                    guard let start = items.randomElement(using: &random) else { return }
                    var forward = try repo.around(
                        start.id, limit: limit, in: chat, of: alice.id, includingDeleted: includingDeleted)
                    let place = shown.firstIndex { ($0.time, $0.id) >= (start.time, start.id) } ?? shown.count
                    let next = includingDeleted || !start.isDeleted ? place + 1 : place
                    let around = max(0, place - limit)..<min(shown.count, next + limit)
                    #expect(forward == Array(shown[around]))
                    while let last = forward.last {
                        let page = try repo.after(
                            last.id, limit: limit, in: chat, of: alice.id, includingDeleted: includingDeleted)
                        if page.isEmpty { break }
                        forward += page
                    }
                    if !forward.isEmpty { #expect(forward == Array(shown[around.lowerBound...])) }
                }
            }
        }
    }

    @Test("items are sorted by all stored digits of their times")
    func storedDigits() throws {
        let items = try (0..<3).map { try test.say("\($0)", in: chats[0], of: alice, at: 1) }
        let digits = ["300300", "300100", "300200"]
        try test.write { chat in
            for (item, fraction) in zip(items, digits) {
                try chat.run(
                    """
                    UPDATE chat_items SET item_ts = \("2026-07-20 09:05:00." + fraction)
                    WHERE chat_item_id = \(item.id)
                    """)
            }
        }
        try test.readItems { repo throws in
            func numbers(_ items: [ChatItem]) -> [ChatItemID] { items.map(\.id) }
            #expect(
                try numbers(repo.after(items[1].id, limit: 9, in: chats[0], of: alice.id)) == [
                    items[2].id, items[0].id,
                ])
            #expect(try numbers(repo.before(items[2].id, limit: 9, in: chats[0], of: alice.id)) == [items[1].id])
        }
    }

    @Test("an item of another chat is not found, and a limit below one gives an empty page")
    func otherChat() throws {
        let item = try test.say("x", in: chats[0], of: alice)
        #expect(throws: ChatsError.chatItemNotFound(item.id)) {
            try test.readItems { try $0.around(item.id, limit: 9, in: chats[1], of: alice.id) }
        }
        #expect(try test.readItems { try $0.last(-1, in: chats[0], of: alice.id) }.isEmpty)
    }

    @Test("a page is read from the index of its chat, in its order")
    func plans() throws {
        let items = try chats.map { try test.say("x", in: $0, of: alice) }
        try test.read { chat in
            let recorded = RecordingReads(chat)
            let repo = ChatItemsRepo(recorded)
            for (chat, item) in zip(chats, items) {
                _ = try repo.last(9, in: chat, of: alice.id)
                _ = try repo.before(item.id, limit: 9, in: chat, of: alice.id)
                _ = try repo.after(item.id, limit: 9, in: chat, of: alice.id)
            }
            for query in recorded.queries {
                let plan = try chat.rows("EXPLAIN QUERY PLAN " + query).map { try $0.get("detail") as String }
                #expect(plan.count == 1, "nothing is sorted: \(plan)")
                #expect(plan.allSatisfy { $0.hasPrefix("SEARCH chat_items USING") })
            }
        }
    }
}
