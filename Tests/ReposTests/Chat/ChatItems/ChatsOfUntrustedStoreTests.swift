import ChatDBKit
import Testing

@Suite struct ChatsOfUntrustedStoreTests {
    @Test("the chats of a store from an untrusted source are listed, read and searched, within its limits")
    func untrusted() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        let friend = ChatID.contact(try test.addContact("friend", of: alice))
        let items = try (0..<300).map { try test.say("hello \($0)", in: friend, of: alice, at: Int64($0)) }
        try test.store.close()
        let store = try Store.openForReading(test.location, with: SQLiteEngine())
        defer { try? store.close() }
        try store.read { chat in
            let list = ChatListRepo(chat)
            let repo = ChatItemsRepo(chat)
            #expect(try list.page(of: alice.id, limit: 9).map(\.name) == ["friend"])
            let everything = ChatListFilter(onlyUnread: true, text: "frie")
            let first = try list.page(of: alice.id, filter: everything, limit: 9)
            #expect(first.count == 1)
            #expect(try list.page(of: alice.id, filter: everything, after: first[0].position, limit: 9).isEmpty)
            let long = ChatListFilter(text: String(repeating: "%\\", count: 500))
            #expect(try list.page(of: alice.id, filter: long, limit: 9).isEmpty)
            #expect(try repo.around(items[150].id, limit: 100, in: friend, of: alice.id).count == 201)
            #expect(try repo.reactions(to: items.map(\.id), of: alice.id).isEmpty)
            for scope in [SearchScope.profile, .chat(friend)] {
                #expect(try repo.search("hel", in: scope, of: alice.id, limit: 300).count == 300)
            }
        }
    }
}
