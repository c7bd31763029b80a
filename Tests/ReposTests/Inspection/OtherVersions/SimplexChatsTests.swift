import ChatDBKit
import TestKit
import Testing

@testable import ChatDBInspection

/// The details of items, and the switch for invitations, in stores of SimpleX Chat. A version without a column gives
/// nothing for it.
@Suite struct SimplexChatsTests {
    private let alice = UserID(1)

    /// Runs SQL, and returns whether the version has the columns.
    private func isPossible(_ sql: String, in simplex: SimplexStore) -> Bool {
        do {
            try simplex.execute(sql)
            return true
        } catch {
            return false
        }
    }

    @Test("forwarded and live items are read", arguments: SimplexStore.versions)
    func forwarded(_ version: SimplexStore.Version) throws {
        let simplex = try SimplexStore(version)
        let before = try OpenedStore(simplex)
        let plain = try before.store.read { try ChatItemsRepo($0).get(ChatItemID(1), of: alice) }
        try before.store.close()
        #expect(!plain.isLive && plain.forwardedFrom == nil && plain.scope == nil)
        try simplex.execute(
            """
            UPDATE chat_items
            SET item_live = 1, fwd_from_tag = 'contact', fwd_from_chat_name = 'bob', fwd_from_msg_dir = 0,
                fwd_from_contact_id = 11, fwd_from_chat_item_id = 1
            """)
        let isNewest = isPossible(
            """
            UPDATE chat_items
            SET fwd_from_group_type = 'channel', fwd_from_group_link = CAST('simplex:/c#x' AS BLOB),
                fwd_from_public_group_id = x'00ff', fwd_from_member_id = x'01ff', fwd_from_shared_msg_id = x'02ff'
            """, in: simplex)
        var expected = ForwardedFrom(.contact)
        expected.chatName = "bob"
        expected.direction = .received
        expected.contactID = ContactID(11)
        expected.itemID = ChatItemID(1)
        if isNewest {
            expected.groupType = "channel"
            expected.groupLink = "simplex:/c#x"
            expected.publicGroupID = "AP8="
            expected.memberID = "Af8="
            expected.sharedMessageID = "Av8="
        }
        let opened = try OpenedStore(simplex)
        try opened.store.read { chat throws in
            let items = try ChatItemsRepo(chat).live(in: .contact(ContactID(11)), of: alice)
            #expect(items.map(\.id) == [ChatItemID(1)])
            #expect(items.first?.forwardedFrom == expected)
            #expect(
                try ChatItemsRepo(chat).kinds(in: .contact(ContactID(11)), of: alice)
                    == [MessageKindCount(kind: .text, items: 1)])
            #expect(
                try ChatItemsRepo(chat).ofKind(.text, in: .contact(ContactID(11)), of: alice, limit: 9).map(\.id)
                    == [ChatItemID(1)])
        }
    }

    @Test("blocked messages are read as deleted ones", arguments: SimplexStore.versions)
    func blocked(_ version: SimplexStore.Version) throws {
        let opened = try OpenedStore(SimplexStore(version, isHealthy: true))
        try opened.store.read { chat throws in
            let listing = ListingTransaction(chat)
            let items = try ChatItemsRepo(listing).last(
                9, in: .group(GroupID(2)), of: alice, includingDeleted: true)
            #expect(items.count == 3 && items.allSatisfy { $0.deletion != nil } && listing.leftOut.isEmpty)
            #expect(try ChatItemsRepo(chat).last(9, in: .group(GroupID(2)), of: alice).isEmpty)
        }
    }

    @Test("support chats are read, and the main chat without their items", arguments: SimplexStore.versions)
    func support(_ version: SimplexStore.Version) throws {
        let simplex = try SimplexStore(version)
        let time = "'2026-07-20 09:05:00.123456'"
        for (id, text) in [(91, "main"), (92, "support")] {
            try simplex.execute(
                """
                INSERT INTO chat_items (chat_item_id, user_id, group_id, item_sent, item_ts, item_content, item_text,
                    item_status, created_at, updated_at)
                VALUES (\(id), 1, 2, 0, \(time), '{}', '\(text)', 'rcv_new', \(time), \(time))
                """)
        }
        let before = try OpenedStore(simplex)
        let member = try before.store.read { chat in
            try chat.rows(
                """
                SELECT group_member_id FROM group_members WHERE group_id = 2 AND member_category <> 'user' LIMIT 1
                """
            ).first?.get("group_member_id") as GroupMemberID?
        }
        try before.store.close()
        let id = try #require(member)
        let hasScopes = isPossible(
            """
            UPDATE chat_items SET group_scope_tag = 'member_support', group_scope_group_member_id = \(id)
            WHERE chat_item_id = 92
            """, in: simplex)
        #expect(hasScopes == (version.chat > "20250512"))
        if hasScopes {
            try simplex.execute(
                """
                UPDATE group_members
                SET support_chat_ts = \(time), support_chat_items_unread = 1, support_chat_items_member_attention = 1,
                    support_chat_last_msg_from_member_ts = \(time)
                WHERE group_member_id = \(id)
                """)
        }
        let opened = try OpenedStore(simplex)
        try opened.store.read { chat throws in
            let items = ChatItemsRepo(chat)
            let main = try items.last(9, in: .group(GroupID(2)), of: alice).map(\.text)
            let support = try items.last(9, in: .group(GroupID(2)), scope: .support(id), of: alice).map(\.text)
            #expect(main == (hasScopes ? ["main"] : ["main", "support"]))
            #expect(support == (hasScopes ? ["support"] : []))
            let chats = try items.supportChats(in: GroupID(2), of: alice)
            #expect(chats.map(\.memberID) == (hasScopes ? [id] : []))
            #expect(chats.map(\.unread.items) == (hasScopes ? [1] : []))
            #expect(chats.map(\.unanswered) == (hasScopes ? [1] : []))
        }
    }

    @Test("the switch for invitations is off in a version without it", arguments: SimplexStore.versions)
    func invitations(_ version: SimplexStore.Version) throws {
        let simplex = try SimplexStore(version)
        let isThere = isPossible("UPDATE users SET auto_accept_group_invitations = 1 WHERE user_id = 1", in: simplex)
        let opened = try OpenedStore(simplex)
        let user = try opened.store.read { try UsersRepo($0).get(alice) }
        #expect(user.acceptsGroupInvitations == isThere)
    }
}
