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

    @Test("every status of the relay counts as use, an unknown one too, except inactive and rejected")
    func useByStatus() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let channel = try test.addChannel("c", relays: [one], of: alice)
        for status in RelayStatus.known + [.unknown("newer")] {
            try test.setStatus(status, of: one, in: channel)
            let isUse = status != .inactive && status != .rejected
            #expect(status.isCurrent == isUse, "\(status)")
            try test.read { chat in
                let relays = ChatRelaysRepo(chat)
                let use = try relays.use(of: one.id, of: alice.id)
                #expect(try relays.usage(of: alice.id).map(\.use) == [use], "\(status)")
                #expect(try relays.usage(of: alice.id).map(\.isReferenced) == [true], "\(status)")
                #expect([use.using, use.others] == (isUse ? [1, 0] : [0, 1]), "\(status)")
                #expect(use.active == (status == .active ? 1 : 0), "\(status)")
                #expect(
                    [use.inactive, use.rejected, use.left] == [
                        status == .inactive ? 1 : 0, status == .rejected ? 1 : 0, 0,
                    ])
                #expect(try relays.usedBy(one.id, of: alice.id).map(\.status) == (isUse ? [status] : []))
                let others = try relays.otherChannels(one.id, of: alice.id)
                #expect(others.map(\.status) == (isUse ? [] : [status]))
                #expect(others.allSatisfy { $0.membership == .creator && $0.groupID == channel.group.id })
            }
            let deleted = try test.read { try ChatRelaysRepo($0).deletion(of: one.id, of: alice.id) }
            #expect(deleted.outcome == .softDeleted && deleted.channelsUsing == (isUse ? 1 : 0), "\(status)")
        }
        try test.setStatus(.inactive, of: one, in: channel)
        try test.setOwnStatus(.removed, in: channel)
        try test.read { chat in
            let use = try ChatRelaysRepo(chat).use(of: one.id, of: alice.id)
            #expect([use.using, use.inactive, use.rejected, use.left] == [0, 0, 0, 1], "the membership comes first")
            let others = try ChatRelaysRepo(chat).otherChannels(one.id, of: alice.id)
            #expect(others.map(\.membership) == [.removed] && others.map(\.status) == [.inactive])
        }
    }

    @Test("a channel of another profile that refers to the relay is in no list, and deleting the relay is soft")
    func otherProfile() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let bobs = try test.addRelay("r1.example", of: bob)
        try test.addChannel("secret", relays: [bobs], of: bob)
        try test.write { try $0.run("UPDATE group_relays SET chat_relay_id = \(one.id)") }
        try test.read { chat in
            let relays = ChatRelaysRepo(chat)
            let usage = try relays.usage(of: alice.id)
            #expect(usage.map(\.use) == [.none] && usage.map(\.isReferenced) == [true])
            #expect(try relays.usedBy(one.id, of: alice.id).isEmpty)
            #expect(try relays.otherChannels(one.id, of: alice.id).isEmpty)
            #expect(try relays.deletion(of: one.id, of: alice.id).outcome == .softDeleted)
            // The row because of which it is soft has no name of the other profile's channel.
            let rows = try relays.uncounted(one.id, of: alice.id)
            #expect(rows.map(\.reason) == [.otherProfile] && rows.map(\.channel) == [nil])
            #expect(rows.map(\.userID) == [bob.id] && rows.map(\.userName) == ["bob"])
            #expect(try relays.uncounted(one.id, of: bob.id).isEmpty)
            #expect(try relays.uncounted(bobs.id, of: bob.id).isEmpty)
        }
        try test.hide(bob)
        try test.read { chat in
            let rows = try ChatRelaysRepo(chat).uncounted(one.id, of: alice.id)
            #expect(
                rows.map(\.userID) == [nil] && rows.map(\.userName) == [nil] && rows.map(\.reason) == [.otherProfile])
        }
        #expect(throws: ChatRelaysError.relayNotFound(.id(one.id))) {
            try test.read { try ChatRelaysRepo($0).otherChannels(one.id, of: bob.id) }
        }
    }

    @Test("a channel that lost its row of a relay refers to it while the member with its name is in the channel")
    func lostRow() throws {
        let one = try test.addRelay("r1.example", name: "One", of: alice)
        let two = try test.addRelay("r2.example", name: "Two", of: alice)
        try test.addRelay("r1.example", name: "One", of: bob)
        let first = try test.addChannel("first", relays: [one, two], of: alice)
        let second = try test.addChannel("second", relays: [one], of: alice)
        try test.write { try $0.run("DELETE FROM group_relays WHERE chat_relay_id = \(one.id)") }
        try test.read { chat in
            let relays = ChatRelaysRepo(chat)
            #expect(try relays.usage(of: alice.id).map(\.use.lost) == [2, 0])
            #expect(try relays.usage(of: alice.id).map(\.isReferenced) == [true, true])
            #expect(try relays.usage(of: bob.id).map(\.isReferenced) == [false], "the channels are of another profile")
            #expect(try relays.usage(of: one.id, of: alice.id).use == RelayUseCount(using: 0, active: 0, lost: 2))
            let lost = try relays.channelsOfLostRows(one.id, of: alice.id)
            #expect(lost.map(\.localDisplayName) == ["second", "first"])
            #expect(try relays.channelsOfLostRows(two.id, of: alice.id).isEmpty)
            #expect(try relays.deletion(of: one.id, of: alice.id).outcome == .softDeleted)
        }
        let deleted = try test.write { try ChatRelaysWriter($0).delete(one.id, of: alice.id) }
        #expect(deleted.outcome == .softDeleted && deleted.channelsUsing == 0)
        func purgeable(without group: GroupSummary) throws -> Int {
            try test.read { try ChatRelaysRepo($0).purgeable(without: .group(group.group.id), of: alice.id) }
        }
        func purge() throws -> Int { try test.write { try ChatRelaysWriter($0).purgeUnreferenced(of: alice.id) } }
        #expect(try purge() == 0 && purgeable(without: first) == 0)
        // A member that left is no sign of a lost row.
        try test.write { chat in
            for (group, status) in [(first, "left"), (second, "connected")] {
                try chat.run(
                    """
                    UPDATE group_members SET member_status = \(status)
                    WHERE group_id = \(group.group.id) AND member_role = 'relay'
                        AND group_member_id NOT IN (SELECT group_member_id FROM group_relays)
                    """)
            }
        }
        #expect(try purge() == 0 && purgeable(without: first) == 0 && purgeable(without: second) == 1)
        try test.write { try $0.run("UPDATE group_members SET member_status = 'left' WHERE member_role = 'relay'") }
        #expect(try purge() == 1)
    }

    @Test("a lost row whose member has the name of no relay keeps each relay without a name, and no relay with one")
    func lostRowWithoutName() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let two = try test.addRelay("r2.example", domains: ["two.example"], of: alice)
        let named = try test.addRelay("r3.example", name: "Three", of: alice)
        let other = try test.addRelay("r4.example", name: "Four", of: alice)
        try test.addChannel("first", relays: [one], of: alice)
        try test.addChannel("third", relays: [named], of: alice)
        try test.write { try $0.run("DELETE FROM group_relays") }
        func referenced() throws -> [Bool] {
            try test.read { try ChatRelaysRepo($0).usage(of: alice.id).map(\.isReferenced) }
        }
        #expect(try referenced() == [true, true, true, false])
        try test.read { chat in
            let relays = ChatRelaysRepo(chat)
            for (relay, channel, isNamed) in [(one, "first", false), (two, "first", false), (named, "third", true)] {
                let lost = try relays.channelsOfLostRows(relay.id, of: alice.id)
                #expect(lost.map(\.localDisplayName) == [channel] && lost.map(\.isNamed) == [isNamed])
            }
            #expect(try relays.channelsOfLostRows(other.id, of: alice.id).isEmpty)
        }
        #expect(try test.write { try ChatRelaysWriter($0).delete(one.id, of: alice.id) }.outcome == .softDeleted)
        #expect(try test.write { try ChatRelaysWriter($0).purgeUnreferenced(of: alice.id) } == 0)
        // The end of the membership is the end of the reference.
        try test.write { chat in
            let host = try chat.rows("SELECT 1 FROM contact_profiles WHERE display_name = 'r1.example'")
            #expect(host.count == 1)
            try chat.run(
                """
                UPDATE group_members SET member_status = 'removed' WHERE contact_profile_id IN (
                    SELECT contact_profile_id FROM contact_profiles WHERE display_name = 'r1.example')
                """)
            #expect(try ChatRelaysWriter(chat).purgeUnreferenced(of: alice.id) == 1)
        }
        #expect(try referenced() == [false, true, false])
    }

    @Test("a lost row is known by the present name of the relay, so a rename ends the reference until it is undone")
    func lostRowOfRenamed() throws {
        let one = try test.addRelay("r1.example", name: "One", of: alice)
        try test.addChannel("first", relays: [one], of: alice)
        try test.write { try $0.run("DELETE FROM group_relays") }
        for (name, isLost) in [("New", false), ("One", true)] {
            try test.write { _ = try ChatRelaysWriter($0).edit(one.id, name: name, of: alice.id) }
            try test.read { chat in
                let channels = try ChatRelaysRepo(chat).channelsOfLostRows(one.id, of: alice.id)
                let outcome = try ChatRelaysRepo(chat).deletion(of: one.id, of: alice.id).outcome
                #expect(channels.isEmpty != isLost && outcome == (isLost ? .softDeleted : .deleted))
            }
        }
    }

    @Test("a channel that the profile left, and that lost its row of a relay, refers to the relay as before")
    func lostRowOfChannelThatWasLeft() throws {
        let one = try test.addRelay("r1.example", name: "One", of: alice)
        let left = try test.addChannel("left", relays: [one], of: alice)
        try test.setOwnStatus(.left, in: left)
        try test.write { try $0.run("DELETE FROM group_relays") }
        try test.read { chat in
            let relays = ChatRelaysRepo(chat)
            let use = try relays.use(of: one.id, of: alice.id)
            #expect(use == RelayUseCount(using: 0, active: 0, lost: 1))
            #expect(try relays.channelsOfLostRows(one.id, of: alice.id).map(\.localDisplayName) == ["left"])
            #expect(try relays.deletion(of: one.id, of: alice.id).outcome == .softDeleted)
        }
    }

    @Test("a channel that lost a row of a relay, and has the relay by another row, counts by this row")
    func lostRowBesideAnother() throws {
        let one = try test.addRelay("r1.example", name: "One", of: alice)
        let channel = try test.addChannel("c", relays: [one], of: alice)
        try test.setStatus(.inactive, of: one, in: channel)
        try test.write { chat in
            var random = SplitMix64(seed: 9)
            _ = try GroupRelaysWriter(chat).add(one.id, to: channel.group.id, of: alice.id, using: &random)
            try chat.run("DELETE FROM group_relays WHERE relay_status = 'inactive'")
        }
        try test.read { chat in
            let use = try ChatRelaysRepo(chat).use(of: one.id, of: alice.id)
            #expect(use == RelayUseCount(using: 1, active: 0))
            #expect(try ChatRelaysRepo(chat).channelsOfLostRows(one.id, of: alice.id).isEmpty)
        }
    }

    @Test("a relay that is twice in a channel has the status of its latest row there, whatever the earlier one has")
    func latestRow() throws {
        let one = try test.addRelay("r1.example", of: alice)
        let two = try test.addRelay("r2.example", of: alice)
        let channel = try test.addChannel("c", relays: [one, two], of: alice)
        try test.write { chat in
            try chat.run("UPDATE group_relays SET relay_status = 'active', chat_relay_id = \(one.id)")
            try chat.run("UPDATE group_members SET member_status = 'connected' WHERE member_role = 'relay'")
            try chat.run(
                """
                UPDATE group_relays SET relay_status = 'rejected'
                WHERE group_relay_id = (SELECT max(group_relay_id) FROM group_relays)
                """)
        }
        try test.read { chat in
            let relays = ChatRelaysRepo(chat)
            let use = try relays.use(of: one.id, of: alice.id)
            #expect([use.using, use.active, use.rejected] == [0, 0, 1])
            #expect(try relays.usage(of: alice.id).map(\.use).first == use)
            #expect(try relays.otherChannels(one.id, of: alice.id).map(\.status) == [.rejected])
            #expect(try GroupRelaysRepo(chat).published(of: channel.group.id, of: alice.id).isEmpty)
        }
        let again = try test.write { chat in
            var random = SplitMix64(seed: 9)
            return try GroupRelaysWriter(chat).add(one.id, to: channel.group.id, of: alice.id, using: &random)
        }
        #expect(again.groupRelay.status == .new, "the latest row allows it")
        try test.read { chat in
            let use = try ChatRelaysRepo(chat).use(of: one.id, of: alice.id)
            #expect([use.using, use.active, use.others] == [1, 0, 0])
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
