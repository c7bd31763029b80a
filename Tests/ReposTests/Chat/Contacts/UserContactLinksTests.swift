import ChatDBKit
import Testing

@Suite struct UserContactLinksTests {
    let world: ContactWorld
    var test: TestStore { world.test }
    var alice: User { world.alice }
    var bob: User { world.bob }

    init() throws {
        world = try ContactWorld()
    }

    @Test("a profile has one address, which accepts no request automatically unless it is set to")
    func address() throws {
        #expect(try test.read { try UserContactLinksRepo($0).address(of: alice.id) } == nil)
        try world.refuses("addressNotFound", ContactsError.self) {
            _ = try UserContactLinksWriter($0).setAutoAccept(AutoAccept(isOn: true), of: alice.id)
        }
        let made = try world.addAddress("full", of: alice)
        #expect(made.userID == alice.id && made.groupID == nil && made.fullLink == "full" && made.shortLink == nil)
        #expect(made.autoAccept == AutoAccept() && !made.autoAccept.isOn && made.memberRole == nil)
        try world.refuses("addressAlreadyExists", ContactsError.self) {
            _ = try UserContactLinksWriter($0).createAddress("other", of: alice.id)
        }
        let bobs = try world.addAddress("full", of: bob)
        let settings = AutoAccept(isOn: true, isIncognito: true, reply: #"{"text": "hi"}"#)
        try test.write { chat throws in
            let writer = UserContactLinksWriter(chat)
            #expect(try writer.setAutoAccept(settings, of: alice.id).autoAccept == settings)
            #expect(try writer.setShortLink("short", of: made.id, of: alice.id).shortLink == "short")
            let links = UserContactLinksRepo(chat)
            for text in ["full", "short"] { #expect(try links.find(text: text, of: alice.id)?.id == made.id) }
            #expect(try links.find(text: "short", of: bob.id) == nil)
            #expect(try links.address(of: bob.id) == bobs && links.get(bobs.id, of: bob.id) == bobs)
            #expect(try links.find(made.id, of: bob.id) == nil)
            #expect(try writer.setShortLink(nil, of: made.id, of: alice.id).shortLink == nil)
        }
    }

    @Test("a link without text, or of a profile that is not there, is not made")
    func refused() throws {
        for (link, short) in [("", nil), (" ", nil), ("full", ""), ("full", "\n")] as [(String, String?)] {
            try world.refuses("invalidLink", ContactsError.self) {
                _ = try UserContactLinksWriter($0).createAddress(link, short: short, of: alice.id)
            }
        }
        try world.refuses("profileNotFound", ContactsError.self) {
            _ = try UserContactLinksWriter($0).createAddress("full", of: UserID(99))
        }
        let made = try world.addAddress("full", of: alice)
        try world.refuses("invalidLink", ContactsError.self) {
            _ = try UserContactLinksWriter($0).setShortLink(" ", of: made.id, of: alice.id)
        }
        try world.refuses("linkNotFound", ContactsError.self) {
            _ = try UserContactLinksWriter($0).setShortLink("s", of: made.id, of: bob.id)
        }
    }

    @Test("deleting an address removes its unanswered requests and their names; contacts and other links stay")
    func deleteAddress() throws {
        let (group, _) = try world.addGroup("friends", of: alice)
        let link = try test.write {
            try UserContactLinksWriter($0).createGroupLink("g", id: "gid", to: group, of: alice.id)
        }
        let accepted = try world.addContact("dan", of: alice)
        let before = try world.rows()
        let address = try world.addAddress("full", of: alice)
        _ = try world.addConnection("listening", .link(address.id), of: alice)
        let came = try world.addConnection("dan-1", .contact(accepted.id), of: alice)
        try test.write { chat throws in
            for name in ["carol", "carol", "erin"] {
                _ = try ContactRequestsWriter(chat).receive(
                    NewContactRequest(
                        linkID: address.id, agentInvitationID: InvitationID("i"), xContactID: "\(name) \(address.id)",
                        profile: .init(displayName: name)),
                    of: alice.id)
            }
            try chat.run(
                """
                UPDATE connections SET via_user_contact_link = \(address.id) WHERE connection_id = \(came.id)
                """)
        }
        let deleted = try test.write { try UserContactLinksWriter($0).deleteAddress(of: alice.id) }
        #expect(deleted.link == address && deleted.connections.map(\.description) == ["listening"])
        try test.write { try $0.run("DELETE FROM connections WHERE connection_id = \(came.id)") }
        #expect(try world.rows() == before)
        #expect(try test.read { try UserContactLinksRepo($0).all(of: alice.id) } == [link])
        try world.refuses("addressNotFound", ContactsError.self) {
            _ = try UserContactLinksWriter($0).deleteAddress(of: alice.id)
        }
    }

    @Test("a group has one link, with the role of those who join by it")
    func groupLink() throws {
        let (group, _) = try world.addGroup("friends", of: alice)
        let made = try test.write {
            try UserContactLinksWriter($0).createGroupLink("g", short: "gs", id: "gid", to: group, of: alice.id)
        }
        #expect(made.groupID == group && made.groupLinkID == "gid" && made.memberRole == .member)
        #expect(made.fullLink == "g" && made.shortLink == "gs")
        try world.refuses("groupLinkAlreadyExists", ContactsError.self) {
            _ = try UserContactLinksWriter($0).createGroupLink("h", id: "h", to: group, of: alice.id)
        }
        // A group link is no address.
        #expect(try test.read { try UserContactLinksRepo($0).address(of: alice.id) } == nil)
        let address = try world.addAddress("full", of: alice)
        #expect(try test.read { try UserContactLinksRepo($0).all(of: alice.id) } == [address, made])
        try test.write { chat throws in
            let writer = UserContactLinksWriter(chat)
            #expect(try writer.setRole(.observer, ofLinkTo: group, of: alice.id).memberRole == .observer)
            #expect(try UserContactLinksRepo(chat).groupLink(of: group, of: bob.id) == nil)
            #expect(try writer.deleteGroupLink(to: group, of: alice.id).link.id == made.id)
            #expect(try UserContactLinksRepo(chat).all(of: alice.id) == [address])
        }
        try world.refuses("groupLinkNotFound", ContactsError.self) {
            _ = try UserContactLinksWriter($0).setRole(.member, ofLinkTo: group, of: alice.id)
        }
    }

    @Test("no one joins by a link as more than a member, nor a group of another profile")
    func groupLinkRefused() throws {
        let (group, _) = try world.addGroup("friends", of: alice)
        for role in [.relay, .moderator, .admin, .owner, .unknown("x")] as [GroupMemberRole] {
            try world.refuses("invalidLinkRole", ContactsError.self) {
                _ = try UserContactLinksWriter($0).createGroupLink("g", id: "i", role: role, to: group, of: alice.id)
            }
        }
        try world.refuses("groupNotFound", ContactsError.self) {
            _ = try UserContactLinksWriter($0).createGroupLink("g", id: "i", to: group, of: bob.id)
        }
        _ = try test.write { try UserContactLinksWriter($0).createGroupLink("g", id: "i", to: group, of: alice.id) }
        try world.refuses("invalidLinkRole", ContactsError.self) {
            _ = try UserContactLinksWriter($0).setRole(.owner, ofLinkTo: group, of: alice.id)
        }
        try world.refuses("groupLinkNotFound", ContactsError.self) {
            _ = try UserContactLinksWriter($0).deleteGroupLink(to: group, of: bob.id)
        }
    }
}
