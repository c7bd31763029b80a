import ChatDBKit
import Testing

@Suite struct ChannelInfoTests {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    @Test("an owner sees owners, relays, and the subscribers with the first page of them")
    func owner() throws {
        let relay = try test.addRelay("r1.example", of: alice)
        let channel = try test.addChannel("news", relays: [relay], of: alice)
        let carol = try test.addMember("carol", .owner, to: channel, of: alice)
        let readers = try (0..<5).map { try test.addMember("reader \($0)", .observer, to: channel, of: alice) }
        try test.addMember("gone", .observer, .left, to: channel, of: alice)
        try test.write { chat in
            let writer = GroupsWriter(chat, clock: TestStore.clock)
            try writer.setLink(channel.group.id, to: channelLink(), of: alice.id)
            try writer.update(
                channel.group.id, profile: GroupProfile(displayName: "news", welcome: "Welcome!"), of: alice.id)
        }
        let info = try info(channel, subscribers: 2)
        #expect(info.summary.group.link == channelLink() && info.profile.welcome == "Welcome!")
        #expect(info.owners.map(\.id) == [try #require(channel.group.membership).memberID, carol.id])
        #expect(info.subscribers == 5)
        #expect(info.subscriberPage?.members == Array(readers.prefix(2)))
        #expect(info.subscriberPage?.next == readers[1].id)
        #expect(
            info.relays.map(\.relay) == [relay]
                && info.relayMembers.map(\.member.id) == info.relays.map(\.groupRelay.memberID)
        )
        #expect(info.mayLeave && info.mayDelete)
    }

    @Test("only owners and admins who are in the channel see its subscribers; others see the number that it publishes")
    func subscriber() throws {
        let channel = try test.prepare(GroupLink(channelLink()), of: alice).group
        let known = try test.addMember("reader", .observer, to: channel, of: alice)
        for role in GroupMemberRole.known + [.unknown("newer")] {
            for status in GroupMemberStatus.known {
                for published in [nil, 1_234] as [Int?] {
                    try test.setOwnRole(role, in: channel)
                    try test.setOwnStatus(status, in: channel)
                    try test.write { try $0.run("UPDATE groups SET public_member_count = \(published)") }
                    let info = try info(channel)
                    let counts = status.isCurrent && (role == .owner || role == .admin)
                    #expect((info.subscriberPage != nil) == counts, "\(role) \(status)")
                    let own = role == .admin ? 1 : 0
                    #expect(info.subscribers == (counts ? 1 + own : published), "\(role) \(status)")
                    if counts { #expect(info.subscriberPage?.members.contains(known) == true) }
                    #expect(info.mayDelete == (role == .owner || !status.isCurrent), "\(role) \(status)")
                    #expect(info.mayLeave == (try mayLeave(channel)), "\(role) \(status)")
                }
            }
        }
    }

    @Test("a subscriber knows the relays as members, with their links; a former one of the same link is left out")
    func relayMembers() throws {
        let channel = try test.prepare(GroupLink(channelLink()), of: alice).group
        let relay = try test.addMember("relay", .relay, to: channel, of: alice)
        try test.addMember("old relay", .relay, .removed, to: channel, of: alice)
        try test.write {
            try $0.run("UPDATE group_members SET relay_link = 'https://r.example/r#x' WHERE member_role = 'relay'")
        }
        let info = try info(channel)
        #expect(info.relays.isEmpty && info.relayMembers.map(\.member.id) == [relay.id])
        #expect(info.relayMembers.first?.link == "https://r.example/r#x")
    }

    private func info(_ group: GroupSummary, subscribers: Int = 50) throws -> ChannelInfo {
        try test.read { try GroupsRepo($0).info(of: group.group.id, of: alice.id, subscribers: subscribers) }
    }

    private func mayLeave(_ group: GroupSummary) throws -> Bool {
        try test.read { try GroupMembersRepo($0).mayLeave(group.group.id, of: alice.id) }
    }
}
