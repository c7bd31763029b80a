import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Contacts", and "Connections", Verified codes.
@Suite struct ContactDetailsTests {
    let world: ContactWorld

    init() throws { world = try ContactWorld() }

    @Test("a contact's profile has everything that the contact sent, and an update replaces all of it")
    func profile() throws {
        let sent = ContactProfileContent(
            displayName: "friend", fullName: "A Friend", shortDescription: "short", description: "long",
            image: "data:image/png;base64,QUJD", contactLink: "simplex:/a#x", preferences: "{}", peerType: .bot)
        let contact = try world.test.write { try ContactsWriter($0).create(sent, of: world.alice.id) }
        #expect(contact.profile.content == sent)
        try world.test.write { chat throws in
            #expect(try ContactsRepo(chat).profile(of: contact.id, of: world.alice.id).content == sent)
            let changed = ContactProfileContent(displayName: "friend", description: "other", peerType: .human)
            try ContactsWriter(chat).update(contact.id, profile: changed, of: world.alice.id)
            #expect(try ContactsRepo(chat).profile(of: contact.id, of: world.alice.id).content == changed)
        }
    }

    @Test("the preferences for a contact are set, read and removed, and are one JSON object")
    func preferences() throws {
        let contact = try world.addContact("friend", of: world.alice)
        let other = try world.addContact("other", of: world.alice)
        try world.test.write { chat throws in
            let (contacts, writer) = (ContactsRepo(chat), ContactsWriter(chat))
            #expect(try contacts.preferences(for: contact.id, of: world.alice.id) == nil)
            try writer.setPreferences(#" {"voice":{"allow":"no"}}"#, for: contact.id, of: world.alice.id)
            #expect(
                try contacts.preferences(for: contact.id, of: world.alice.id) == #"{"voice":{"allow":"no"}}"#)
            #expect(try contacts.preferences(for: other.id, of: world.alice.id) == nil)
            try writer.setPreferences(nil, for: contact.id, of: world.alice.id)
            #expect(try contacts.preferences(for: contact.id, of: world.alice.id) == nil)
        }
        for given in ["", "1", "[]", "{\"a\"}"] {
            try world.refuses("invalidPreferences", ContactsError.self) {
                try ContactsWriter($0).setPreferences(given, for: contact.id, of: world.alice.id)
            }
        }
        try world.refuses("contactNotFound", ContactsError.self) {
            try ContactsWriter($0).setPreferences("{}", for: contact.id, of: world.bob.id)
        }
        try world.refuses("contactNotFound", ContactsError.self) {
            _ = try ContactsRepo($0).preferences(for: world.alice.contactID, of: world.alice.id)
        }
    }

    @Test("the verified code of a contact is that of the connection in use, with its time")
    func verifiedCode() throws {
        let contact = try world.addContact("friend", of: world.alice)
        try world.refuses("contactNotConnected", ContactsError.self) {
            try ContactsWriter($0).setVerifiedCode("1", of: contact.id, of: world.alice.id)
        }
        let old = try world.addConnection("old", .contact(contact.id), of: world.alice)
        try world.test.write { chat throws in
            let writer = ContactsWriter(chat, clock: TestStore.clock)
            let code = try writer.setVerifiedCode(" 12345 67890 ", of: contact.id, of: world.alice.id)
            #expect(code?.code == "12345 67890" && code?.verifiedAt.text == "2026-07-20 09:05:00.120")
            #expect(try ContactsRepo(chat).verifiedCode(of: contact.id, of: world.alice.id) == code)
            #expect(try ConnectionsRepo(chat).get(old.id, of: world.alice.id).verifiedCode == code)
        }
        _ = try world.addConnection("new", .contact(contact.id), of: world.alice)
        try world.test.write { chat throws in
            let writer = ContactsWriter(chat, clock: TestStore.clock)
            #expect(try ContactsRepo(chat).verifiedCode(of: contact.id, of: world.alice.id) == nil)
            #expect(try writer.setVerifiedCode("2", of: contact.id, of: world.alice.id)?.code == "2")
            #expect(try writer.setVerifiedCode(nil, of: contact.id, of: world.alice.id) == nil)
            #expect(try ContactsRepo(chat).verifiedCode(of: contact.id, of: world.alice.id) == nil)
            #expect(try ConnectionsRepo(chat).get(old.id, of: world.alice.id).verifiedCode != nil)
        }
        for code in [" ", "1\u{202E}"] {
            try world.refuses("invalidVerifiedCode", ContactsError.self) {
                try ContactsWriter($0).setVerifiedCode(code, of: contact.id, of: world.alice.id)
            }
        }
        try world.refuses("contactNotFound", ContactsError.self) {
            try ContactsWriter($0).setVerifiedCode("1", of: contact.id, of: world.bob.id)
        }
    }

    @Test("a member becomes a contact with the same profile and name, and keeps the member until it is connected")
    func fromMember() throws {
        let (_, member) = try world.addGroup("group", of: world.alice)
        let names = try world.names(of: world.alice)
        let contact = try world.test.write {
            try ContactsWriter($0, clock: TestStore.clock).create(fromMember: member, of: world.alice.id)
        }
        #expect(contact.localDisplayName == "group-member" && contact.memberID == member)
        #expect(!contact.isInvitationSent && !contact.isUsed)
        #expect(try world.names(of: world.alice) == names)
        try world.test.write { chat throws in
            #expect(try GroupMembersRepo(chat).get(member, of: world.alice.id).contactID == contact.id)
            #expect(try GroupMembersRepo(chat).profile(of: member, of: world.alice.id) == contact.profile)
            let writer = ContactsWriter(chat, clock: TestStore.clock)
            #expect(try writer.invitationSent(to: contact.id, of: world.alice.id).isInvitationSent)
            let connected = try writer.connected(contact.id, of: world.alice.id)
            #expect(connected.memberID == nil && !connected.isInvitationSent)
        }
        try world.refuses("memberHasContact", ContactsError.self) {
            _ = try ContactsWriter($0).create(fromMember: member, of: world.alice.id)
        }
        try world.refuses("notFromMember", ContactsError.self) {
            try ContactsWriter($0).invitationSent(to: contact.id, of: world.alice.id)
        }
        try world.refuses("memberNotFound", ContactsError.self) {
            _ = try ContactsWriter($0).create(fromMember: member, of: world.bob.id)
        }
        let own = try world.test.addGroup("own", of: world.alice)
        let membership = try #require(own.group.membership?.memberID)
        try world.refuses("memberNotFound", ContactsError.self) {
            _ = try ContactsWriter($0).create(fromMember: membership, of: world.alice.id)
        }
    }

    @Test("deleting a contact that was made from a member keeps the member, with name and profile")
    func deleted() throws {
        let (_, member) = try world.addGroup("group", of: world.alice)
        try world.test.write { chat throws in
            let writer = ContactsWriter(chat, clock: TestStore.clock)
            let contact = try writer.create(fromMember: member, of: world.alice.id)
            for _ in 1...2 { _ = try writer.delete(contact.id, of: world.alice.id) }
            let kept = try GroupMembersRepo(chat).get(member, of: world.alice.id)
            #expect(kept.contactID == nil && kept.localDisplayName == "group-member")
            #expect(try GroupMembersRepo(chat).profile(of: member, of: world.alice.id).content.displayName == "group")
        }
        #expect(try world.test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }

    @Test("the address of a business accepts no requests with random profiles")
    func businessAddress() throws {
        try world.refuses("addressNotFound", ContactsError.self) {
            try UserContactLinksWriter($0).setBusinessAddress(true, of: world.alice.id)
        }
        let address = try world.addAddress("simplex:/a#x", of: world.alice)
        #expect(!address.isBusinessAddress)
        let set = try world.test.write {
            try UserContactLinksWriter($0).setBusinessAddress(true, of: world.alice.id)
        }
        #expect(set.isBusinessAddress)
        let incognito = AutoAccept(isOn: true, isIncognito: true)
        try world.refuses("businessAddressIncognito", ContactsError.self) {
            try UserContactLinksWriter($0).setAutoAccept(incognito, of: world.alice.id)
        }
        try world.test.write { chat throws in
            let writer = UserContactLinksWriter(chat)
            #expect(try !writer.setBusinessAddress(false, of: world.alice.id).isBusinessAddress)
            try writer.setAutoAccept(incognito, of: world.alice.id)
        }
        try world.refuses("businessAddressIncognito", ContactsError.self) {
            try UserContactLinksWriter($0).setBusinessAddress(true, of: world.alice.id)
        }
    }
}
