import ChatDBKit
import Foundation
import Testing

/// What is deleted for good is not to be read in the file either. Rule: docs/domain.md, "Chat items", Full.
@Suite struct ForgottenWordsTests {
    let test: TestStore
    let alice: User
    private let word = "zebrafishsecret"

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    /// In the index's pages a word may be cut where it begins as the one before it does, so look for its end.
    private func isInFile() throws -> Bool {
        let blocks = try test.read { chat in
            try chat.rows("SELECT block FROM chat_items_fts_data").map { try $0.get("block") as [UInt8] }
        }
        return blocks.contains { Data($0).range(of: Data("fishsecret".utf8)) != nil }
    }

    /// A chat with many items, one of which has the word; the others of several transactions, so that the index has
    /// several parts.
    private func fill(_ chat: ChatID, _ user: User) throws -> ChatItem {
        for round in 0..<5 {
            try test.write { transaction in
                let items = ChatItemsWriter(transaction, clock: TestStore.clock)
                for number in 0..<20 {
                    let text = "zebra \(round) words \(number) zebrafi"
                    _ = try items.add(
                        NewChatItem(.received, at: TestStore.time(Int64(number)), ChatItemContent("{}", text: text)),
                        to: chat, of: user.id)
                }
            }
        }
        let item = try test.say("\(word) meeting", in: chat, of: user)
        for round in 0..<5 { try test.say("zebras \(round) afterwards", in: chat, of: user) }
        return item
    }

    private enum Deletion: CaseIterable {
        case item, group, contact, profile, expiry
    }

    @Test(
        "the pages of the index keep nothing of a word, however its item was deleted", arguments: Deletion.allCases
    )
    private func forgotten(_ deletion: Deletion) throws {
        let friend = try test.addContact("friend", of: alice)
        let bob = try test.addUser("bob")
        let group = try test.addGroup("talk", of: bob).group.id
        let bobs = deletion == .group || deletion == .profile
        let (chat, user): (ChatID, User) = bobs ? (.group(group), bob) : (.contact(friend), alice)
        let item = try fill(chat, user)
        let kept = try test.say("kept word", in: bobs ? .contact(friend) : .group(group), of: bobs ? alice : bob)
        #expect(try isInFile())
        try test.store.writeBoth(committing: .chatFirst) { chat, agent in
            switch deletion {
            case .item:
                try ChatItemsWriter(chat, clock: TestStore.clock).delete(item.id, at: TestStore.time(9), of: alice.id)
            case .group: _ = try GroupsWriter(chat, clock: TestStore.clock).delete(group, of: bob.id)
            case .contact:
                for _ in 1...2 { _ = try ContactsWriter(chat, clock: TestStore.clock).delete(friend, of: alice.id) }
            case .profile: try UsersWriter(chat, clock: TestStore.clock).delete(bob.id, agent: agent)
            case .expiry:
                try ChatListWriter(chat, clock: TestStore.clock).setTimeToLive(1, of: .contact(friend), of: alice.id)
                let expired = try ChatItemsWriter(chat, clock: TestStore.clock).expire(at: .now(), of: alice.id)
                #expect(expired.items == 106)
            }
        }
        #expect(try !isInFile())
        let owner = bobs ? alice : bob
        #expect(
            try test.readItems { try $0.search("kept", in: .profile, of: owner.id, limit: 9) }.map(\.item.id) == [
                kept.id
            ])
        try test.write { try $0.run("INSERT INTO chat_items_fts (chat_items_fts, rank) VALUES ('integrity-check', 1)") }
    }

    @Test("in a large index the words are removed after one call, or after some more deletions")
    func large() throws {
        let contact = try test.addContact("friend", of: alice)
        let friend = ChatID.contact(contact)
        // Texts that share no words make an index of far more pages than one deletion goes over.
        try test.write { chat in
            try chat.run(
                """
                WITH RECURSIVE numbers (number) AS (
                    SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 60000)
                INSERT INTO chat_items (user_id, contact_id, item_sent, item_ts, item_status, item_content, item_text)
                SELECT \(alice.id), \(contact), 0, '2026-07-20 09:05:00.120', 'rcv_read', '{}',
                    hex(randomblob(24)) || ' ' || hex(randomblob(24)) FROM numbers
                """)
        }
        let items = try (0..<2).map { _ in try test.say(word, in: friend, of: alice) }
        try test.items { try $0.delete(items[0].id, at: TestStore.time(9), of: alice.id) }
        try test.items { try $0.delete(items[1].id, at: TestStore.time(9), of: alice.id) }
        try test.items { try $0.forgetDeletedWords() }
        #expect(try !isInFile())
    }

    @Test("without a deletion of items, the index is not cleaned")
    func nothingToForget() throws {
        let group = try test.prepare(GroupLink(channelLink()), of: alice).group.group.id
        let channel = try test.addGroup("talk", of: alice).group.id
        try test.write { chat in
            let recorded = RecordingTransaction(chat)
            _ = try GroupsWriter(recorded).cancel(group, of: alice.id)
            _ = try GroupsWriter(recorded).delete(channel, of: alice.id)
            _ = try ChatItemsWriter(recorded).expire(at: .now(), of: alice.id)
            #expect(!recorded.queries.contains { $0.rendered(.questionMark).sql.contains("chat_items_fts") })
        }
    }
}
