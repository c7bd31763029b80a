import ChatDBKit
import Testing

@Suite struct GroupRelaysTests {
    let test: TestStore
    let alice: User
    let bob: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
    }

    @Test("a relay is found by its number, by its member and by the relay it is, and in the profile only")
    func finding() throws {
        let relays = try ["r1.example", "r2.example"].map { try test.addRelay($0, of: alice) }
        let first = try test.addChannel("first", relays: relays, of: alice)
        let second = try test.addChannel("second", relays: [relays[0]], of: alice)
        try test.read { chat in
            let repo = GroupRelaysRepo(chat)
            let (one, two) = (
                try repo.all(of: first.group.id, of: alice.id), try repo.all(of: second.group.id, of: alice.id)
            )
            for relay in one + two {
                #expect(try repo.find(relay.groupRelay.id, of: alice.id) == relay)
                #expect(try repo.find(member: relay.groupRelay.memberID, of: alice.id) == relay)
                #expect(try repo.find(relay.groupRelay.id, of: bob.id) == nil)
                #expect(try repo.find(member: relay.groupRelay.memberID, of: bob.id) == nil)
            }
            #expect(try repo.all(ofRelay: relays[0].id, of: alice.id) == [one[0], two[0]])
            #expect(try repo.all(ofRelay: relays[1].id, of: alice.id) == [one[1]])
            #expect(try repo.all(ofRelay: relays[0].id, of: bob.id).isEmpty)
            let own = try #require(first.group.membership)
            #expect(try repo.find(member: own.memberID, of: alice.id) == nil)
            #expect(throws: GroupsError.groupRelayNotFound(.id(GroupRelayID(999)))) {
                try repo.get(GroupRelayID(999), of: alice.id)
            }
        }
    }

    @Test("the relays of a channel have their names and domains, and one that is soft-deleted is among them")
    func softDeleted() throws {
        let relay = try test.addRelay("r1.example", name: "One", domains: ["one.example"], of: alice)
        let channel = try test.addChannel("news", relays: [relay], of: alice)
        try test.write { try ChatRelaysWriter($0, clock: TestStore.clock).delete(relay.id, of: alice.id) }
        let relays = try test.read { try GroupRelaysRepo($0).all(of: channel.group.id, of: alice.id) }
        #expect(relays.count == 1 && relays[0].relay.isDeleted)
        #expect(relays[0].relay.name == "One" && relays[0].relay.domains == ["one.example"])
    }

    @Test("adding a relay ends the membership of the members with its name whose rows are lost, and no other")
    func lostMembers() throws {
        let relay = try test.addRelay("r1.example", name: "One", of: alice)
        let other = try test.addRelay("r2.example", name: "Two", of: alice)
        let channel = try test.addChannel("news", relays: [relay, other], of: alice)
        let second = try test.addChannel("second", relays: [relay], of: alice)
        try test.write { try $0.run("DELETE FROM group_relays WHERE chat_relay_id = \(relay.id)") }
        try test.write { try $0.run("DELETE FROM group_relays WHERE chat_relay_id = \(other.id)") }
        func members(_ group: GroupSummary) throws -> [GroupMember] {
            try test.read { try GroupMembersRepo($0).all(with: .relay, in: group.group.id, of: alice.id) }
        }
        let before = try members(channel)
        let lost = try test.read { try GroupRelaysRepo($0).lostMembers(in: channel.group.id, of: alice.id) }
        #expect(lost.map(\.id) == before.map(\.id))
        try test.write { chat in
            var random = SplitMix64(seed: 3)
            let writer = GroupRelaysWriter(chat, clock: TestStore.clock)
            _ = try writer.add(relay.id, to: channel.group.id, of: alice.id, using: &random)
        }
        let after = try members(channel)
        #expect(before.map(\.status) == [.invited, .invited])
        #expect(after.map(\.status) == [.removed, .invited, .invited] && after[0].id == before[0].id)
        #expect(try members(second).map(\.status) == [.invited])
        let progress = try test.read { try GroupRelaysRepo($0).progress(of: channel.group.id, of: alice.id).progress }
        #expect(progress.total == 1 && progress.removed == 0)
    }

    @Test("adding a relay removes the soft-deleted relay to which only the member referred whose membership it ends")
    func lastReference() throws {
        let old = try test.addRelay("r1.example", name: "One", of: alice)
        let channel = try test.addChannel("news", relays: [old], of: alice)
        try test.write { chat in
            try chat.run("DELETE FROM group_relays")
            #expect(try ChatRelaysWriter(chat).delete(old.id, of: alice.id).outcome == .softDeleted)
        }
        let new = try test.addRelay("r2.example", name: "One", of: alice)
        try test.write { chat in
            var random = SplitMix64(seed: 3)
            _ = try GroupRelaysWriter(chat, clock: TestStore.clock)
                .add(new.id, to: channel.group.id, of: alice.id, using: &random)
        }
        let relays = try test.read { try ChatRelaysRepo($0).all(of: alice.id, includingDeleted: true) }
        #expect(relays.map(\.id) == [new.id])
    }

    @Test("progress counts the active out of all, and has the host and the status of each")
    func progress() throws {
        let relays = try ["r1.example", "r2.example", "r3.example"].map { try test.addRelay($0, of: alice) }
        let channel = try test.addChannel("news", relays: relays, of: alice)
        try test.setStatus(.active, of: relays[1], in: channel)
        try test.setStatus(.unknown("newer"), of: relays[2], in: channel)
        try test.write {
            try $0.run(
                "UPDATE group_relays SET relay_link = 'https://there.example/r#x' WHERE chat_relay_id = \(relays[1].id)"
            )
        }
        let progress = try test.read { try GroupRelaysRepo($0).progress(of: channel.group.id, of: alice.id) }
        #expect(progress.progress.active == 1 && progress.progress.total == 3)
        #expect(progress.relays.map(\.host) == ["r1.example", "there.example", "r3.example"])
        #expect(progress.relays.map(\.groupRelay.status.shownName) == ["New", "Active", "newer"])
        let all = try test.read { try GroupRelaysRepo($0).progress(of: alice.id) }
        #expect(all == [channel.group.id: progress.progress])
        let group = try test.addGroup("talk", of: alice)
        let none = try test.read { try GroupRelaysRepo($0).progress(of: group.group.id, of: alice.id) }
        #expect(none.progress.total == 0 && none.relays.isEmpty)
    }

    @Test(
        "as many relays are counted as are listed, whatever the rows refer to, and with the status they are listed with"
    )
    func counted() throws {
        let relays = try ["r1.example", "r2.example", "r3.example"].map { try test.addRelay($0, of: alice) }
        let channel = try test.addChannel("news", relays: relays, of: alice)
        let bobs = try test.addRelay("r4.example", of: bob)
        let old = Query("UPDATE group_relays SET relay_status = 'active' WHERE group_id = \(channel.group.id)")
        try test.write { try $0.run(old) }
        for fault in [
            // The relay of the third was added once more, and is not active since.
            """
            UPDATE group_relays SET chat_relay_id = \(relays[0].id), relay_status = 'new'
            WHERE group_id = \(channel.group.id) AND chat_relay_id = \(relays[2].id)
            """,
            "UPDATE group_relays SET chat_relay_id = \(bobs.id) WHERE chat_relay_id = \(relays[1].id)",
        ] as [Query] {
            try test.write { try $0.run(fault) }
            try test.read { chat in
                let listed = try GroupRelaysRepo(chat).progress(of: channel.group.id, of: alice.id)
                let active = listed.relays.count { $0.groupRelay.status == .active }
                #expect(listed.progress.total == listed.relays.count && listed.progress.active == active)
                #expect(try GroupsRepo(chat).get(channel.group.id, of: alice.id).progress == listed.progress)
                #expect(try GroupRelaysRepo(chat).progress(of: alice.id)[channel.group.id] == listed.progress)
            }
        }
        let end = try test.read { try GroupsRepo($0).get(channel.group.id, of: alice.id).progress }
        #expect(end.total == 1 && end.active == 0)
    }

    @Test(
        "a relay whose member left or was removed counts as inactive, whatever its row says, unless it was rejected",
        arguments: GroupMemberStatus.known)
    func formerMember(_ status: GroupMemberStatus) throws {
        let relays = try ["r1.example", "r2.example"].map { try test.addRelay($0, of: alice) }
        let channel = try test.addChannel("news", relays: relays, of: alice)
        try test.setStatus(.active, of: relays[0], in: channel)
        try test.setStatus(.rejected, of: relays[1], in: channel)
        try test.write {
            try $0.run("UPDATE group_members SET member_status = \(status) WHERE member_role = 'relay'")
            try $0.run("UPDATE groups SET creating_in_progress = 0")
        }
        let counted: RelayStatus = status.isHistory ? .inactive : .active
        let active = RelayProgress(
            active: status.isHistory ? 0 : 1, failed: status.isHistory ? 2 : 1, removed: status == .removed ? 2 : 0,
            total: 2)
        try test.read { chat in
            let repo = GroupRelaysRepo(chat)
            #expect(try repo.all(of: channel.group.id, of: alice.id).map(\.groupRelay.status) == [counted, .rejected])
            #expect(try repo.progress(of: channel.group.id, of: alice.id).progress == active)
            #expect(try repo.progress(of: alice.id)[channel.group.id] == active)
            #expect(try GroupsRepo(chat).get(channel.group.id, of: alice.id).progress == active)
            let waiting = try repo.waiting(ofEach: [alice.id]).map(\.status)
            #expect(waiting == (status.isHistory ? [.inactive, .rejected] : [.rejected]))
            let use = try ChatRelaysRepo(chat).use(of: relays[0].id, of: alice.id)
            #expect([use.using, use.active, use.inactive] == (status.isHistory ? [0, 0, 1] : [1, 1, 0]))
            let used = try ChatRelaysRepo(chat).usedBy(relays[0].id, of: alice.id).map(\.status)
            #expect(used == (status.isHistory ? [] : [.active]))
            let warnings = try StoreFacts(of: chat).warnings.map(\.kind)
            #expect(warnings.contains(.channelsWithoutActiveRelay) == status.isHistory)
        }
        try test.write { chat in
            var random = SplitMix64(seed: 3)
            let writer = GroupRelaysWriter(chat, clock: TestStore.clock)
            if status.isHistory {
                let again = try writer.add(relays[0].id, to: channel.group.id, of: alice.id, using: &random)
                #expect(again.groupRelay.status == .new)
            } else {
                #expect(throws: GroupsError.self) {
                    try writer.add(relays[0].id, to: channel.group.id, of: alice.id, using: &random)
                }
            }
        }
    }

    @Test("a step goes by the status that counts, and the row of a former member can still become inactive")
    func stepsOfFormerMember() throws {
        let relay = try test.addRelay("r1.example", of: alice)
        let channel = try test.addChannel("news", relays: [relay], of: alice)
        try test.setStatus(.accepted, of: relay, in: channel)
        try test.write { try $0.run("UPDATE group_members SET member_status = 'removed' WHERE member_role = 'relay'") }
        try test.write { chat in
            let part = try GroupRelaysRepo(chat).all(of: channel.group.id, of: alice.id)[0]
            let writer = GroupRelaysWriter(chat, clock: TestStore.clock)
            #expect(throws: GroupsError.relayStepNotAllowed(part, to: .active)) {
                try writer.activate(part.groupRelay.id, of: alice.id)
            }
            #expect(try writer.deactivate(part.groupRelay.id, of: alice.id).groupRelay.status == .inactive)
            let rows = try chat.rows("SELECT relay_status FROM group_relays")
            #expect(try rows.map { try $0.get("relay_status") as String } == ["inactive"])
        }
    }

    @Test("a relay without a name has the same label in errors and in lists: its domain")
    func labels() throws {
        let relay = try test.addRelay("r1.example", domains: ["one.example"], of: alice)
        let channel = try test.addChannel("news", relays: [relay], of: alice)
        let error = GroupsError.relayInChannel(relay, channel.group)
        #expect(error.info.message.contains("\"one.example\" (id:\(relay.id))"), "\(error.info.message)")
        #expect(relay.calledName == "one.example")
    }

    @Test("published are exactly those accepted, acknowledged or active whose member is connected")
    func published() throws {
        let relay = try test.addRelay("r1.example", of: alice)
        let channel = try test.addChannel("news", relays: [relay], of: alice)
        for status in RelayStatus.known + [.unknown("newer")] {
            for member in GroupMemberStatus.known + [.unknown("newer")] {
                try test.setStatus(status, of: relay, in: channel)
                try test.write {
                    try $0.run("UPDATE group_members SET member_status = \(member) WHERE member_role = 'relay'")
                }
                let count = try test.read {
                    try GroupRelaysRepo($0).published(of: channel.group.id, of: alice.id).count
                }
                let isPublished = [.accepted, .acknowledgedRoster, .active].contains(status) && member == .connected
                #expect(count == (isPublished ? 1 : 0), "\(status), \(member)")
            }
        }
    }

    @Test("adding makes an invited member with the role relay, and its part with status new")
    func add() throws {
        let relays = try ["r1.example", "r2.example"].map { try test.addRelay($0, of: alice) }
        let channel = try test.addChannel("news", relays: [relays[0]], of: alice)
        let added = try add(relays[1], to: channel, of: alice)
        #expect(added.relay == relays[1] && added.groupRelay.status == .new && added.memberStatus == .invited)
        try test.read { chat in
            let member = try GroupMembersRepo(chat).get(added.groupRelay.memberID, of: alice.id)
            #expect(member.role == .relay && member.category == .invitee && member.memberID.utf8.count == 16)
            let all = try GroupRelaysRepo(chat).all(of: channel.group.id, of: alice.id)
            #expect(all.map(\.relay) == relays)
        }
    }

    @Test("a relay that is in the channel is refused; once inactive or rejected it may be added again")
    func addTwice() throws {
        let relay = try test.addRelay("r1.example", of: alice)
        let channel = try test.addChannel("news", relays: [relay], of: alice)
        for status in RelayStatus.known + [.unknown("newer")] {
            try test.setStatus(status, of: relay, in: channel)
            if status == .inactive || status == .rejected {
                #expect(try add(relay, to: channel, of: alice).groupRelay.status == .new)
            } else {
                let before = try test.count("SELECT count(*) FROM group_members")
                let error = #expect(throws: GroupsError.self) { try add(relay, to: channel, of: alice) }
                #expect(error?.code == "relayInChannel", "\(status)")
                #expect(try test.count("SELECT count(*) FROM group_members") == before)
            }
        }
    }

    @Test("a channel's relay says that its operator is off, and its own state, in every list")
    func operatorOff() throws {
        let one = try test.addRelay("r1.example", domains: ["op.example"], of: alice)
        let two = try test.addRelay("r2.example", of: alice)
        let channel = try test.addChannel("news", relays: [one, two], of: alice)
        func states() throws -> [[Bool]] {
            try test.read { chat in
                let relays = GroupRelaysRepo(chat)
                let all = try relays.all(of: channel.group.id, of: alice.id)
                #expect(try relays.all(of: alice.id)[channel.group.id] == all)
                #expect(try relays.progress(of: channel.group.id, of: alice.id).relays == all)
                #expect(try all.map { try relays.get($0.groupRelay.id, of: alice.id) } == all)
                #expect(try all.map { try relays.find(member: $0.groupRelay.memberID, of: alice.id) } == all)
                return all.map { [$0.relay.isEnabled, $0.relay.isDeleted, $0.isOperatorOff] }
            }
        }
        #expect(try states() == [[true, false, false], [true, false, false]])
        try test.write { chat in
            try chat.run(
                """
                INSERT INTO server_operators (trade_name, server_domains, enabled) VALUES ('Op', 'op.example', 0)
                """)
            _ = try ChatRelaysWriter(chat).delete(two.id, of: alice.id)
        }
        #expect(try states() == [[true, false, true], [true, true, false]])
    }

    @Test("relays are added by owners to channels they are in, and only relays that a channel can choose")
    func addRefused() throws {
        let relays = try ["r1.example", "r2.example"].map { try test.addRelay($0, of: alice) }
        let bobs = try test.addRelay("r3.example", of: bob)
        let channel = try test.addChannel("news", relays: [relays[0]], of: alice)
        let group = try test.addGroup("talk", of: alice)
        func code(_ relay: ChatRelay, _ group: GroupSummary, _ user: User) throws -> String? {
            let before = try test.count("SELECT count(*) FROM group_members")
            let error = #expect(throws: GroupsError.self) { try add(relay, to: group, of: user) }
            #expect(try test.count("SELECT count(*) FROM group_members") == before)
            return error?.code
        }
        #expect(try code(relays[1], group, alice) == "notAChannel")
        #expect(try code(bobs, channel, alice) == "relayNotFound")
        #expect(try code(bobs, channel, bob) == "groupNotFound")
        try test.write { try $0.run("UPDATE chat_relays SET enabled = 0 WHERE chat_relay_id = \(relays[1].id)") }
        #expect(try code(relays[1], channel, alice) == "relayDisabled")
        try test.write { try $0.run("UPDATE chat_relays SET enabled = 1") }
        try test.setOwnRole(.admin, in: channel)
        #expect(try code(relays[1], channel, alice) == "notOwner")
        try test.setOwnRole(.owner, in: channel)
        try test.setOwnStatus(.left, in: channel)
        #expect(try code(relays[1], channel, alice) == "notInGroup")
    }

    @Test(
        "a row whose relay or member is missing, or another's, counts for nothing; its deletion ends the membership it has",
        arguments: [
            ("UPDATE group_relays SET chat_relay_id = 99 WHERE group_relay_id = 1", IncompleteGroupRelay.Part.relay),
            ("UPDATE group_relays SET chat_relay_id = 3 WHERE group_relay_id = 1", .relay),
            ("UPDATE group_relays SET group_member_id = 99 WHERE group_relay_id = 1", .member),
            ("UPDATE group_members SET member_role = 'member' WHERE group_member_id = 2", .member),
            ("UPDATE group_members SET group_id = 2 WHERE group_member_id = 2", .member),
        ])
    func incomplete(_ fault: String, _ missing: IncompleteGroupRelay.Part) throws {
        let relays = try ["r1.example", "r2.example"].map { try test.addRelay($0, of: alice) }
        try test.addRelay("r3.example", of: bob)
        let channel = try test.addChannel("news", relays: relays, of: alice)
        try test.addChannel("other", relays: [relays[1]], of: alice, seed: 2)
        let connection = try SQLiteEngine().openForMigration(test.location.path(of: .chat), creating: false)
        _ = try connection.rows(.unchecked(sql: fault))
        connection.close()
        let members = try test.count("SELECT count(*) FROM group_members WHERE member_status <> 'removed'")
        try test.read { chat in
            let repo = GroupRelaysRepo(chat)
            let rows = try repo.incomplete(of: channel.group.id, of: alice.id)
            #expect(rows.map(\.missing) == [[missing]] && rows.map(\.groupRelay.id) == [GroupRelayID(1)])
            #expect(rows.map { $0.relay == nil } == [missing == .relay])
            #expect(rows.map { $0.memberStatus == nil } == [missing == .member])
            #expect(rows.map(\.endsMembership) == [missing == .relay] && rows.map(\.hasUnknownRole) == [false])
            #expect(try repo.incomplete(ofEach: [alice.id, bob.id]) == rows)
            #expect(try repo.incomplete(of: channel.group.id, of: bob.id).isEmpty)
            #expect(try repo.progress(of: channel.group.id, of: alice.id).relays.map(\.relay.id) == [relays[1].id])
            #expect(try GroupsRepo(chat).get(channel.group.id, of: alice.id).progress.total == 1)
            #expect(try GroupsRepo(chat).info(of: channel.group.id, of: alice.id).incompleteRelays == rows)
            #expect(try repo.waiting(ofEach: [alice.id]).filter { $0.groupID == channel.group.id }.count == 1)
            #expect(try StoreFacts(of: chat).profiles.flatMap(\.incompleteRelays) == rows)
        }
        try test.write { chat in
            let writer = GroupRelaysWriter(chat, clock: TestStore.clock)
            #expect(throws: GroupsError.groupRelayNotFound(.id(GroupRelayID(2)))) {
                try writer.deleteIncomplete(GroupRelayID(2), in: channel.group.id, of: alice.id)
            }
            #expect(throws: GroupsError.groupRelayNotFound(.id(GroupRelayID(1)))) {
                try writer.deleteIncomplete(GroupRelayID(1), in: channel.group.id, of: bob.id)
            }
            let deleted = try writer.deleteIncomplete(GroupRelayID(1), in: channel.group.id, of: alice.id)
            #expect(deleted.row.missing == [missing] && deleted.purgedRelays == 0)
            #expect(try GroupRelaysRepo(chat).incomplete(of: channel.group.id, of: alice.id).isEmpty)
        }
        let left = try test.count("SELECT count(*) FROM group_members WHERE member_status <> 'removed'")
        #expect(left == members - (missing == .relay ? 1 : 0))
        #expect(try test.count("SELECT count(*) FROM group_relays WHERE group_relay_id = 2") == 1)
    }

    private func add(_ relay: ChatRelay, to group: GroupSummary, of user: User) throws -> ChannelRelay {
        var random = SplitMix64(seed: UInt64(try test.count("SELECT count(*) FROM group_members")))
        return try test.write {
            try GroupRelaysWriter($0, clock: TestStore.clock).add(
                relay.id, to: group.group.id, of: user.id, using: &random)
        }
    }
}
