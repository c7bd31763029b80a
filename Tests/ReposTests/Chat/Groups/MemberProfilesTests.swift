import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Groups and channels", Profiles of members.
@Suite struct MemberProfilesTests {
    let world: ContactWorld
    let group: GroupSummary
    let member: GroupMember

    init() throws {
        world = try ContactWorld()
        group = try world.test.addGroup("group", of: world.alice)
        member = try world.test.addMember("carol", to: group, of: world.alice)
    }

    private func change<T>(_ body: (GroupMembersWriter) throws -> T) throws -> T {
        try world.test.write { try body(GroupMembersWriter($0, clock: TestStore.clock)) }
    }

    @Test("the profiles of members are those that the group sees, in one statement")
    func profiles() throws {
        let own = try #require(group.group.membership?.memberID)
        let random = try world.test.write { chat throws in
            let random = try ContactsWriter(chat).createIncognitoProfile(
                ContactProfileContent(displayName: "red fox"), of: world.alice.id)
            try chat.run(
                "UPDATE group_members SET member_profile_id = \(random.id) WHERE group_member_id = \(own)")
            return random
        }
        try world.test.write { chat throws in
            let recording = RecordingTransaction(chat)
            let members = GroupMembersRepo(recording)
            let profiles = try members.profiles(of: [own, member.id], of: world.alice.id)
            #expect(recording.queries.count == 1)
            #expect(profiles[own] == random && profiles[member.id]?.content.displayName == "carol")
            #expect(try members.profile(of: own, of: world.alice.id) == random)
            #expect(try members.get(own, of: world.alice.id).incognitoProfileID == random.id)
            #expect(try members.profiles(of: [own, member.id], of: world.bob.id).isEmpty)
            #expect(throws: GroupsError.memberNotFound(.id(own))) { try members.profile(of: own, of: world.bob.id) }
            #expect(
                try GroupsRepo(chat).get(group.group.id, of: world.alice.id).group.membership?.incognitoProfileID
                    == random.id)
        }
    }

    @Test("a profile that a member sent replaces the old one, with the name in the lists, and that of the contact")
    func setProfile() throws {
        let contact = try world.test.write {
            try ContactsWriter($0, clock: TestStore.clock).create(fromMember: member.id, of: world.alice.id)
        }
        let sent = ContactProfileContent(
            displayName: "caroline", fullName: "C.", description: "long", image: "data:image/png;base64,QUJD",
            preferences: "{}", peerType: .human)
        let changed = try change { try $0.setProfile(sent, of: member.id, of: world.alice.id) }
        #expect(changed.localDisplayName == "caroline")
        try world.test.read { chat throws in
            #expect(try GroupMembersRepo(chat).profile(of: member.id, of: world.alice.id).content == sent)
            let same = try ContactsRepo(chat).get(contact.id, of: world.alice.id)
            #expect(same.localDisplayName == "caroline" && same.profile.content == sent)
        }
        #expect(try !world.names(of: world.alice).contains("carol"))
        let own = try #require(group.group.membership?.memberID)
        try world.refuses("ownMembership", GroupsError.self) {
            try GroupMembersWriter($0).setProfile(sent, of: own, of: world.alice.id)
        }
        try world.refuses("invalidMemberName", GroupsError.self) {
            try GroupMembersWriter($0).setProfile(
                ContactProfileContent(displayName: ""), of: member.id, of: world.alice.id)
        }
        try world.refuses("memberNotFound", GroupsError.self) {
            try GroupMembersWriter($0).setProfile(sent, of: member.id, of: world.bob.id)
        }
    }

    @Test("a member can be blocked for all and for the profile itself, and both can be taken back")
    func blocked() throws {
        #expect(member.restriction == nil && member.showsMessages && !member.isBlocked)
        let user = world.alice.id
        for restriction in [MemberRestriction.blocked, .unrestricted, .unknown("muted")] {
            let changed = try change { try $0.setRestriction(restriction, of: member.id, of: user) }
            #expect(changed.restriction == restriction && changed.isBlocked == (restriction == .blocked))
        }
        #expect(try change { try $0.setRestriction(nil, of: member.id, of: user) }.restriction == nil)
        let hidden = try change { try $0.setShowsMessages(false, of: member.id, of: user) }
        #expect(!hidden.showsMessages && hidden.isBlocked)
        #expect(try change { try $0.setShowsMessages(true, of: member.id, of: user) }.showsMessages)
        let own = try #require(group.group.membership?.memberID)
        try world.refuses("ownMembership", GroupsError.self) {
            try GroupMembersWriter($0).setRestriction(.blocked, of: own, of: user)
        }
        try world.refuses("ownMembership", GroupsError.self) {
            try GroupMembersWriter($0).setShowsMessages(false, of: own, of: user)
        }
    }

    @Test("a member knows who invited it: the profile, a contact, or a member of the same group")
    func invitedBy() throws {
        let friend = try world.addContact("friend", of: world.alice)
        #expect(member.invitedBy == nil)
        for (number, inviter) in [MemberInviter.user, .contact(friend.id), .member(member.id)].enumerated() {
            let new = NewMember(
                name: "new", memberID: "new \(number)", role: .member, category: .post, status: .connected,
                invitedBy: inviter)
            let added = try change { try $0.add(new, to: group.group.id, of: world.alice.id) }
            #expect(added.invitedBy == inviter)
        }
        let (_, stranger) = try world.addGroup("other", of: world.alice)
        let foreign = try world.addContact("foreign", of: world.bob)
        for (code, inviter) in [
            ("memberNotFound", MemberInviter.member(stranger)), ("contactNotFound", .contact(foreign.id)),
            ("contactNotFound", .contact(world.alice.contactID)),
        ] {
            try world.refuses(code, GroupsError.self) {
                try GroupMembersWriter($0).add(
                    NewMember(
                        name: "x", memberID: "x", role: .member, category: .post, status: .connected,
                        invitedBy: inviter),
                    to: group.group.id, of: world.alice.id)
            }
        }
    }

    @Test("the verified code of a member is at the connection in use, and without one at the member")
    func verifiedCode() throws {
        let user = world.alice.id
        let atMember = try change { try $0.setVerifiedCode(" 12345 ", of: member.id, of: user) }
        #expect(atMember?.code == "12345" && atMember?.verifiedAt.text == "2026-07-20 09:05:00.120")
        #expect(try world.test.read { try GroupMembersRepo($0).verifiedCode(of: member.id, of: user) } == atMember)
        #expect(try change { try $0.setVerifiedCode(nil, of: member.id, of: user) } == nil)
        let connection = try world.addConnection("c", .member(member.id), of: world.alice)
        let atConnection = try change { try $0.setVerifiedCode("67890", of: member.id, of: user) }
        try world.test.read { chat throws in
            #expect(try ConnectionsRepo(chat).get(connection.id, of: user).verifiedCode == atConnection)
            #expect(try GroupMembersRepo(chat).verifiedCode(of: member.id, of: user)?.code == "67890")
        }
        #expect(try change { try $0.setVerifiedCode(nil, of: member.id, of: user) } == nil)
        #expect(
            try world.test.count(
                "SELECT count(*) FROM group_members WHERE member_security_code IS NOT NULL") == 0)
        try world.refuses("invalidVerifiedCode", GroupsError.self) {
            try GroupMembersWriter($0).setVerifiedCode("", of: member.id, of: user)
        }
        let own = try #require(group.group.membership?.memberID)
        try world.refuses("ownMembership", GroupsError.self) {
            try GroupMembersWriter($0).setVerifiedCode("1", of: own, of: user)
        }
        try world.refuses("memberNotFound", GroupsError.self) {
            _ = try GroupMembersRepo($0).verifiedCode(of: member.id, of: world.bob.id)
        }
    }
}
