import ChatDBKit
import Testing

@Suite struct ContactsTests {
    let world: ContactWorld
    var test: TestStore { world.test }
    var alice: User { world.alice }
    var bob: User { world.bob }

    init() throws {
        world = try ContactWorld()
    }

    @Test("a new contact has a profile, and a name unlike any contact, group or member of the profile")
    func create() throws {
        _ = try world.addGroup("friends", of: alice)
        let made = try ["carol", " carol ", "friends", "alice", "friends-member"].map {
            try world.addContact($0, of: alice)
        }
        #expect(made.map(\.localDisplayName) == ["carol", "carol_1", "friends_1", "alice_1", "friends-member_1"])
        #expect(made[1].profile.content.displayName == "carol" && made[1].shownName == "carol_1")
        #expect(try world.addContact("carol", of: bob).localDisplayName == "carol")
        let carol = made[0]
        #expect(carol.userID == alice.id && !carol.isUsed && carol.status == .active && !carol.isFavourite)
        #expect(!carol.isDeleted && carol.incognitoProfileID == nil && !carol.profile.isIncognito)
        #expect(carol.chatTime.text == "2026-07-20 09:05:00.120")
        #expect(try test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }

    @Test("a contact's whole profile is kept")
    func content() throws {
        let said = ContactProfileContent(
            displayName: "carol", fullName: "Carol C", shortDescription: "🙂", image: "data:,x", contactLink: "link",
            preferences: #"{"voice": {"allow": "yes"}}"#)
        let (first, then) = try test.write { chat throws in
            let contacts = ContactsWriter(chat, clock: TestStore.clock)
            let first = try contacts.create(said, of: alice.id)
            return (first, try contacts.update(first.id, profile: .init(displayName: "carol"), of: alice.id))
        }
        #expect(first.profile.content == said)
        #expect(
            then.profile.content == ContactProfileContent(displayName: "carol") && then.profile.id == first.profile.id)
    }

    @Test("an invalid name, or a profile that is not there, makes nothing")
    func refused() throws {
        for name in ["", " ", "a\u{7}b", String(repeating: "a", count: 201)] {
            try world.refuses("invalidContactName", ContactsError.self) {
                _ = try ContactsWriter($0).create(.init(displayName: name), of: alice.id)
            }
        }
        try world.refuses("invalidContactName", ContactsError.self) {
            _ = try ContactsWriter($0).create(.init(displayName: "a", fullName: "\u{202E}"), of: alice.id)
        }
        try world.refuses("profileNotFound", ContactsError.self) {
            _ = try ContactsWriter($0).create(.init(displayName: "a"), of: UserID(99))
        }
        try world.refuses("profileNotFound", ContactsError.self) {
            _ = try ContactsWriter($0).createIncognitoProfile(.init(displayName: "a"), of: UserID(99))
        }
    }

    @Test("a contact is found by number, name and link, and only by the profile it belongs to")
    func find() throws {
        let carol = try world.addContact("carol", link: "simplex:/a#1", of: alice)
        let dan = try world.addContact("dan", link: "simplex:/a#1", of: alice)
        try test.read { chat throws in
            let contacts = ContactsRepo(chat)
            #expect(try contacts.get(carol.id, of: alice.id) == carol)
            #expect(try contacts.find(named: "carol", of: alice.id) == carol)
            #expect(try contacts.find(named: "Carol", of: alice.id) == nil)
            #expect(try contacts.all(link: "simplex:/a#1", of: alice.id) == [dan, carol])
            #expect(try contacts.find(carol.id, of: bob.id) == nil)
            #expect(try contacts.find(named: "carol", of: bob.id) == nil)
            #expect(try contacts.all(link: "simplex:/a#1", of: bob.id).isEmpty)
            #expect(throws: ContactsError.contactNotFound(.id(carol.id))) { try contacts.get(carol.id, of: bob.id) }
        }
    }

    @Test("the profile's own contact is in no answer, and cannot be deleted")
    func ownContact() throws {
        try test.read { chat throws in
            let contacts = ContactsRepo(chat)
            #expect(try contacts.find(alice.contactID, of: alice.id, includingDeleted: true) == nil)
            #expect(try contacts.find(named: "alice", of: alice.id) == nil)
            #expect(try contacts.page(of: alice.id).contacts.isEmpty)
            #expect(try contacts.search("alice", of: alice.id).isEmpty)
        }
        try world.refuses("contactNotFound", ContactsError.self) {
            _ = try ContactsWriter($0).delete(alice.contactID, of: alice.id)
        }
    }

    @Test("a contact who calls themselves something else is listed by that, and the old name is free")
    func rename() throws {
        let carol = try world.addContact("carol", of: alice)
        _ = try world.addContact("dan", of: alice)
        let (_, member) = try world.addGroup("friends", of: alice)
        try test.write {
            // Carol is the member, too.
            try $0.run(
                """
                UPDATE group_members SET contact_id = \(carol.id), contact_profile_id = \(carol.profile.id),
                    local_display_name = 'carol' WHERE group_member_id = \(member)
                """)
            try $0.run("DELETE FROM display_names WHERE local_display_name = 'friends-member'")
        }
        let renamed = try test.write {
            try ContactsWriter($0, clock: TestStore.clock).update(
                carol.id, profile: .init(displayName: "dan"), of: alice.id)
        }
        #expect(renamed.localDisplayName == "dan_1" && renamed.profile.content.displayName == "dan")
        #expect(try world.names(of: alice) == ["alice", "dan", "dan_1", "friends"])
        let members = try test.count("SELECT count(*) FROM group_members WHERE local_display_name = 'dan_1'")
        #expect(members == 1)
        #expect(try world.addContact("carol", of: alice).localDisplayName == "carol")
        #expect(try test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }

    @Test("a contact who says the same name again keeps theirs, suffix and alias too")
    func sameName() throws {
        _ = try world.addContact("carol", of: alice)
        let second = try world.addContact("carol", of: alice)
        let after = try test.write { chat throws in
            let contacts = ContactsWriter(chat, clock: TestStore.clock)
            #expect(try contacts.setAlias(" Caro ", of: second.id, of: alice.id).shownName == "Caro")
            return try contacts.update(second.id, profile: .init(displayName: "carol", fullName: "C"), of: alice.id)
        }
        #expect(after.localDisplayName == "carol_1" && after.profile.content.fullName == "C")
        #expect(after.profile.localAlias == "Caro")
        let none = try test.write { try ContactsWriter($0).setAlias("  ", of: second.id, of: alice.id) }
        #expect(none.shownName == "carol_1")
    }

    @Test("favourites are listed newest chat first, and only while they are")
    func favourites() throws {
        let made = try ["carol", "dan", "erin"].map { try world.addContact($0, of: alice) }
        try test.write { chat throws in
            let contacts = ContactsWriter(chat, clock: TestStore.clock)
            for contact in made { #expect(try contacts.setFavourite(true, contact.id, of: alice.id).isFavourite) }
            #expect(try !contacts.setFavourite(false, made[1].id, of: alice.id).isFavourite)
            _ = try contacts.setStatus(.deleted, of: made[0].id, of: alice.id)
            #expect(try ContactsRepo(chat).favourites(of: alice.id).map(\.id) == [made[2].id, made[0].id])
            #expect(try ContactsRepo(chat).favourites(of: alice.id).map(\.status) == [.active, .deleted])
            #expect(try ContactsRepo(chat).favourites(of: bob.id).isEmpty)
        }
    }

    @Test("the random profile of a contact is that of the newest connection")
    func incognito() throws {
        let carol = try world.addContact("carol", of: alice)
        #expect(try test.read { try ContactsRepo($0).incognitoProfile(for: carol.id, of: alice.id) } == nil)
        try test.write { chat throws in
            let random = try ["Quiet Otter", "Quiet Owl"].map {
                try ContactsWriter(chat).createIncognitoProfile(.init(displayName: $0), of: alice.id)
            }
            #expect(random[0].isIncognito && random[0].id != random[1].id)
            for (index, profile) in random.enumerated() {
                _ = try ConnectionsWriter(chat).add(
                    NewConnection(
                        agentID: .init(bytes: Array("c\(index)".utf8)), owner: .contact(carol.id),
                        incognitoProfileID: profile.id),
                    of: alice.id)
            }
            #expect(try ContactsRepo(chat).get(carol.id, of: alice.id).incognitoProfileID == random[1].id)
            #expect(try ContactsRepo(chat).incognitoProfile(for: carol.id, of: alice.id) == random[1])
        }
        #expect(try world.names(of: alice) == ["alice", "carol"])
    }
}
