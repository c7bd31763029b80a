import ChatDBKit
import Testing

@Suite struct RelayUseTests {
    let test: TestStore
    let alice: User
    let bob: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
    }

    @Test("a relay is used by the channels in which the profile is, and active in those where its status says so")
    func use() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let two = try test.addRelay("r2.example", of: alice)
        let bobs = try test.addRelay("r1.example", of: bob)
        let first = try test.addChannel("first", relays: [one, two], of: alice)
        let second = try test.addChannel("second", relays: [one], of: alice)
        let left = try test.addChannel("left", relays: [one], of: alice)
        let bobsChannel = try test.addChannel("bobs", relays: [bobs], of: bob)
        try test.setStatus(.active, of: one, in: first)
        try test.setStatus(.active, of: one, in: left)
        try test.setOwnStatus(.left, in: left)
        try test.setStatus(.active, of: bobs, in: bobsChannel)

        try test.read { chat in
            let relays = ChatRelaysRepo(chat)
            let usage = try relays.usage(of: alice.id)
            #expect(usage.map(\.relay) == [one, two])
            #expect(usage.map { [$0.use.using, $0.use.active] } == [[2, 1], [1, 0]])
            #expect(try relays.usage(of: bob.id).map { [$0.use.using, $0.use.active] } == [[1, 1]])
            #expect(try relays.use(of: two.id, of: alice.id).using == 1)
            let channels = try relays.usedBy(one.id, of: alice.id)
            #expect(channels.map(\.groupID) == [second.group.id, first.group.id])
            #expect(channels.map(\.status) == [.new, .active])
        }
    }

    @Test("a channel whose rows refer to a relay twice counts once")
    func useCountsChannels() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let two = try test.addRelay("r2.example", of: alice)
        let channel = try test.addChannel("c", relays: [one, two], of: alice)
        try test.write {
            try $0.run("UPDATE group_relays SET chat_relay_id = \(one.id) WHERE group_id = \(channel.group.id)")
        }
        #expect(try test.read { try ChatRelaysRepo($0).use(of: one.id, of: alice.id) }.using == 1)
    }

    @Test("every status of the own membership that is current counts as use, and no other")
    func useByMembership() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let channel = try test.addChannel("c", relays: [one], of: alice)
        for status in GroupMemberStatus.known + [.unknown("newer")] {
            try test.setOwnStatus(status, in: channel)
            let use = try test.read { try ChatRelaysRepo($0).use(of: one.id, of: alice.id) }
            #expect(use.using == (status.isCurrent ? 1 : 0), "\(status)")
        }
    }

    @Test("a relay that was added again is listed once for its channel, with its latest part, and counts once")
    func addedOnceMore() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let two = try test.addRelay("r2.example", of: alice)
        let channel = try test.addChannel("c", relays: [one, two], of: alice)
        try test.setStatus(.active, of: two, in: channel)
        try test.setStatus(.inactive, of: one, in: channel)
        let again = try test.write { chat in
            var random = SplitMix64(seed: 9)
            return try GroupRelaysWriter(chat, clock: TestStore.clock).add(
                one.id, to: channel.group.id, of: alice.id, using: &random)
        }
        try test.read { chat in
            let used = try ChatRelaysRepo(chat).usedBy(one.id, of: alice.id)
            #expect(used.map(\.status) == [.new])
            let relays = GroupRelaysRepo(chat)
            let progress = try relays.progress(of: channel.group.id, of: alice.id)
            #expect(progress.progress == RelayProgress(active: 1, total: 2))
            #expect(progress.relays.map(\.groupRelay.id).last == again.groupRelay.id && progress.relays.count == 2)
            #expect(try relays.progress(of: alice.id) == [channel.group.id: RelayProgress(active: 1, total: 2)])
            let groups = GroupsRepo(chat)
            #expect(try groups.get(channel.group.id, of: alice.id).progress == RelayProgress(active: 1, total: 2))
            #expect(try groups.info(of: channel.group.id, of: alice.id).relays == progress.relays)
            #expect(try relays.all(of: channel.group.id, of: alice.id).count == 3)
        }
    }
}
