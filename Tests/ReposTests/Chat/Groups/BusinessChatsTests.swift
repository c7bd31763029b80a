import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Business chats", and "Groups and channels", Public groups.
@Suite struct BusinessChatsTests {
    let world: ContactWorld

    init() throws { world = try ContactWorld() }

    private func create(
        _ customer: ContactProfileContent, request: String? = nil, of user: User
    ) throws -> GroupSummary {
        try world.test.write { chat throws in
            var random = SplitMix64(seed: 7)
            return try GroupsWriter(chat, clock: TestStore.clock).createBusinessChat(
                with: customer, request: request, of: user.id, using: &random)
        }
    }

    @Test("a business chat has the name of the customer, the business as its owner, and the customer as a member")
    func create() throws {
        let customer = ContactProfileContent(
            displayName: "carol", fullName: "C.", image: "data:image/png;base64,QUJD", preferences: "{}")
        let chat = try create(customer, request: "r1", of: world.alice)
        #expect(chat.group.localDisplayName == "carol" && !chat.group.isChannel)
        #expect(chat.group.membership?.role == .owner && chat.group.membership?.status == .creator)
        let business = try #require(chat.group.businessChat)
        #expect(business.kind == .customer)
        try world.test.read { tx throws in
            let members = GroupMembersRepo(tx)
            let (group, user) = (chat.group.id, world.alice.id)
            let own = try members.find(memberID: business.businessMemberID, in: group, of: user)
            #expect(own?.isOwn == true)
            let found = try members.find(memberID: business.customerMemberID, in: group, of: user)
            let other = try #require(found)
            #expect(other.role == .member && other.status == .accepted && other.invitedBy == .user)
            #expect(try members.profile(of: other.id, of: user).content == customer)
            #expect(try GroupsRepo(tx).find(businessRequest: "r1", of: user) == chat)
            #expect(try GroupsRepo(tx).find(businessRequest: "r1", of: world.bob.id) == nil)
            #expect(try GroupsRepo(tx).all(of: user).map(\.group.businessChat) == [business])
        }
    }

    @Test("a repeated request gets the same chat, and one without an id a new one")
    func repeated() throws {
        let carol = ContactProfileContent(displayName: "carol")
        let first = try create(carol, request: "r1", of: world.alice)
        #expect(try create(ContactProfileContent(displayName: "other"), request: "r1", of: world.alice) == first)
        #expect(try create(carol, request: "r2", of: world.alice).group.id != first.group.id)
        #expect(try create(carol, of: world.bob).group.localDisplayName == "carol")
        #expect(try create(carol, of: world.bob).group.localDisplayName == "carol_2")
        try world.refuses("invalidGroupName", GroupsError.self) { tx in
            var random = SplitMix64(seed: 7)
            _ = try GroupsWriter(tx).createBusinessChat(
                with: ContactProfileContent(displayName: " "), of: world.alice.id, using: &random)
        }
    }

    @Test("deleting a business chat leaves nothing of it")
    func delete() throws {
        let before = try world.rows()
        let chat = try create(ContactProfileContent(displayName: "carol"), request: "r1", of: world.alice)
        try world.test.write { _ = try GroupsWriter($0).delete(chat.group.id, of: world.alice.id) }
        #expect(try world.rows() == before)
    }

    @Test("a group becomes a business chat as its invitation says, and a channel does not")
    func customerSide() throws {
        let group = try world.test.prepare(GroupLink(channelLink()), throughRelays: false, of: world.alice).group
        #expect(group.group.businessChat == nil)
        let shop = BusinessChat(.business, businessMemberID: "shop", customerMemberID: "me")
        try world.test.write { tx throws in
            let groups = GroupsWriter(tx, clock: TestStore.clock)
            #expect(
                try groups.setBusinessChat(shop, of: group.group.id, of: world.alice.id).group.businessChat == shop)
            #expect(
                try groups.setBusinessChat(nil, of: group.group.id, of: world.alice.id).group.businessChat == nil)
        }
        try world.refuses("invalidMemberId", GroupsError.self) {
            try GroupsWriter($0).setBusinessChat(
                BusinessChat(.business, businessMemberID: "shop", customerMemberID: " "), of: group.group.id,
                of: world.alice.id)
        }
        let channel = try world.test.prepare(GroupLink(channelLink(1)), "channel", of: world.alice).group
        try world.refuses("channelIsNoBusinessChat", GroupsError.self) {
            try GroupsWriter($0).setBusinessChat(shop, of: channel.group.id, of: world.alice.id)
        }
        try world.refuses("groupNotFound", GroupsError.self) {
            try GroupsWriter($0).setBusinessChat(shop, of: group.group.id, of: world.bob.id)
        }
    }

    @Test("a public group is found by its id, which can be set and removed")
    func publicGroups() throws {
        let groups = try ["a", "b"].map { try world.test.addGroup($0, of: world.alice).group.id }
        let others = try world.test.addGroup("c", of: world.bob).group.id
        let known = PublicGroup(id: "id 1", kind: .channel)
        try world.test.write { tx throws in
            let (repo, writer) = (GroupsRepo(tx), GroupsWriter(tx, clock: TestStore.clock))
            #expect(try repo.publicGroup(of: groups[0], of: world.alice.id) == nil)
            for id in groups { try writer.setPublicGroup(known, of: id, of: world.alice.id) }
            try writer.setPublicGroup(known, of: others, of: world.bob.id)
            #expect(try repo.publicGroup(of: groups[0], of: world.alice.id) == known)
            #expect(
                try Set(repo.all(publicID: "id 1", of: world.alice.id).map(\.group.id)) == Set(groups))
            try writer.setPublicGroup(nil, of: groups[0], of: world.alice.id)
            #expect(try repo.publicGroup(of: groups[0], of: world.alice.id) == nil)
            #expect(try repo.all(publicID: "id 1", of: world.alice.id).map(\.group.id) == [groups[1]])
        }
        try world.refuses("invalidPublicGroupId", GroupsError.self) {
            try GroupsWriter($0).setPublicGroup(PublicGroup(id: "", kind: nil), of: groups[0], of: world.alice.id)
        }
        try world.refuses("groupNotFound", GroupsError.self) {
            try GroupsWriter($0).setPublicGroup(nil, of: groups[0], of: world.bob.id)
        }
        #expect(throws: GroupsError.groupNotFound(.id(others))) {
            try world.test.read { _ = try GroupsRepo($0).publicGroup(of: others, of: world.alice.id) }
        }
    }
}
