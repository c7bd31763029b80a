import ChatDBKit
import Testing

/// Texts that look the same and are composed of other letters are two to the database, and so to the repositories.
@Suite struct ComposedTextsTests {
    let test: TestStore
    let alice: User
    private let one = "\u{e9}va"
    private let other = "e\u{301}va"

    init() throws {
        test = try TestStore()
        alice = try test.addUser("\u{e9}va")
    }

    @Test("a profile is renamed to the other")
    func profile() throws {
        let renamed = try test.write { try UsersWriter($0, clock: TestStore.clock).rename(alice.id, to: other) }
        #expect(Array(renamed.name.utf8) == Array(other.utf8))
        #expect(try test.count("SELECT count(*) FROM display_names WHERE local_display_name = \(other)") == 1)
        #expect(try test.count("SELECT count(*) FROM display_names WHERE local_display_name = \(one)") == 0)
    }

    @Test("a contact, or a group, with the other text as its new name is listed by it")
    func contactAndGroup() throws {
        let made = try test.write { try ContactsWriter($0).create(.init(displayName: "b" + one), of: alice.id) }
        let group = try test.addGroup("g" + one, of: alice).group
        try test.write { chat in
            let contact = try ContactsWriter(chat).update(
                made.id, profile: .init(displayName: "b" + other), of: alice.id)
            #expect(Array(contact.localDisplayName.utf8) == Array(("b" + other).utf8))
            let now = try GroupsWriter(chat).update(
                group.id, profile: GroupProfile(displayName: "g" + other), of: alice.id
            ).group
            #expect(Array(now.localDisplayName.utf8) == Array(("g" + other).utf8))
        }
    }

    @Test("an item is edited to the other, and keeps both versions")
    func item() throws {
        let chat = ChatID.contact(try test.addContact("friend", of: alice))
        let item = try test.say(one, in: chat, of: alice)
        let edited = try test.items {
            try $0.edit(item.id, to: ChatItemContent(item.content, text: other), at: TestStore.time(1), of: alice.id)
        }
        #expect(edited.isEdited && Array(edited.text.utf8) == Array(other.utf8))
        #expect(try test.readItems { try $0.versions(of: item.id, of: alice.id) }.count == 2)
    }
}
