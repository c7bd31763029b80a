import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Settings and tags", Chats.
@Suite struct ChatSettingsTests {
    let test: TestStore
    let alice = Things.alice
    private var contact: ChatID { .contact(alice.friend) }
    private var group: ChatID { .group(alice.group) }
    private var notes: ChatID { .notes(alice.noteFolder) }

    init() throws { test = try TwoProfiles().test }

    private func settings(_ chat: ChatID) throws -> ChatSettings {
        try test.read { try ChatListRepo($0).settings(of: chat, of: alice.user) }
    }

    private func write(_ body: (ChatListWriter) throws -> Void) throws {
        try test.write { try body(ChatListWriter($0, clock: TestStore.clock)) }
    }

    @Test("a chat has settings for notifications, receipts, its time to live, and as a favourite")
    func set() throws {
        for chat in [contact, group] {
            for notifications in [ChatNotifications.none, .all] {
                try write { try $0.setNotifications(notifications, of: chat, of: alice.user) }
                #expect(try settings(chat).notifications == notifications)
            }
            for receipts in [true, false, nil] {
                try write { try $0.setReceipts(receipts, of: chat, of: alice.user) }
                #expect(try settings(chat).sendsReceipts == receipts)
            }
            for seconds in [0, 1, Int64.max, nil] {
                try write { try $0.setTimeToLive(seconds, of: chat, of: alice.user) }
                #expect(try settings(chat).timeToLive == seconds)
            }
        }
        for chat in [contact, group, notes] {
            for isFavourite in [true, false] {
                try write { try $0.setFavourite(chat, isFavourite, of: alice.user) }
                #expect(try settings(chat).isFavourite == isFavourite)
            }
        }
        try write { try $0.setNotifications(.mentions, of: group, of: alice.user) }
        #expect(try settings(group).notifications == .mentions)
    }

    @Test("a favourite group is in the list of favourites, and a group with an alias is listed by it")
    func groups() throws {
        try write { try $0.setFavourite(group, true, of: alice.user) }
        try test.write { try GroupsWriter($0).setAlias("  my group ", of: alice.group, of: alice.user) }
        let favourites = try test.read {
            try ChatListRepo($0).page(of: alice.user, filter: ChatListFilter(onlyFavorites: true), limit: 99)
        }
        #expect(favourites.map(\.name).contains("my group"))
        try test.write { try GroupsWriter($0).setAlias(" ", of: alice.group, of: alice.user) }
        #expect(try test.count("SELECT count(*) FROM groups WHERE local_alias <> ''") == 0)
        #expect(
            code { try test.write { try GroupsWriter($0).setAlias("a\u{7}", of: alice.group, of: alice.user) } }
                == "invalidGroupName")
    }

    @Test("invalid settings are refused: mentions without members, settings of notes, a time below 0")
    func refused() throws {
        let before = try test.everything()
        func failure(_ body: (ChatListWriter) throws -> Void) -> String? { code { try write(body) } }
        #expect(failure { try $0.setNotifications(.mentions, of: contact, of: alice.user) } == "noSuchChatSetting")
        #expect(failure { try $0.setNotifications(.none, of: notes, of: alice.user) } == "noSuchChatSetting")
        #expect(failure { try $0.setReceipts(nil, of: notes, of: alice.user) } == "noSuchChatSetting")
        #expect(failure { try $0.setTimeToLive(1, of: notes, of: alice.user) } == "noSuchChatSetting")
        #expect(failure { try $0.setTimeToLive(-1, of: group, of: alice.user) } == "invalidTTL")
        let own = ChatID.contact(alice.ownContact)
        #expect(failure { try $0.setNotifications(.none, of: own, of: alice.user) } == "chatNotFound")
        #expect(code { try settings(own) } == "chatNotFound")
        #expect(try test.everything() == before)
    }
}
