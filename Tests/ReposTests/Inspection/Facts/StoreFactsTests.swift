import ChatDBKit
import Testing

@Suite struct StoreFactsTests {
    @Test("facts name each profile with its relays, servers, channels and counts, and warn of what is missing")
    func facts() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        let bob = try test.addUser("bob")
        try test.write { _ = try PresetSync.start(BundledPresets.preset(), for: alice.id, in: $0, seed: 1) }
        let relay = try test.addRelay("own.example", of: alice)
        let channel = try test.addChannel("news", relays: [relay], of: alice)
        try test.setStatus(.active, of: relay, in: channel)

        let facts = try test.read { try StoreFacts(of: $0) }
        #expect(facts.profiles.map(\.user.name) == ["bob", "alice"] && facts.hiddenProfiles == 0)
        #expect(facts.operators.count == 2)
        let hers = facts.profiles[1]
        #expect(hers.relays.count == 4 && hers.servers.count == 32 && hers.contacts == 0 && hers.groups == 0)
        #expect(hers.relays.last?.use == (try test.read { try ChatRelaysRepo($0).use(of: relay.id, of: alice.id) }))
        #expect(hers.channels.map(\.group.id) == [channel.group.id] && hers.channels.map(\.progress.active) == [1])
        #expect(facts.profiles[0].relays.isEmpty && facts.profiles[0].channels.isEmpty)
        #expect(facts.warnings.map(\.kind) == [.noEnabledSMPServers, .noEnabledRelays, .noEnabledXFTPServers])
        #expect(facts.warnings.allSatisfy { $0.user?.id == bob.id })
        #expect(
            facts.warnings[1].message == "No chat relays enabled. Channels require at least one relay.")
    }

    @Test(
        "relays that are not active, soft-deleted ones and prepared groups are listed, and channels without an active relay"
    )
    func waiting() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        try test.write { _ = try PresetSync.start(BundledPresets.preset(), for: alice.id, in: $0, seed: 1) }
        let (relay, other) = (try test.addRelay("a.example", of: alice), try test.addRelay("b.example", of: alice))
        let channel = try test.addChannel("news", relays: [relay, other], of: alice)
        let left = try test.addChannel("left", relays: [other], of: alice)
        try test.setStatus(.active, of: relay, in: channel)
        try test.write { chat in
            _ = try ChatRelaysWriter(chat).delete(other.id, of: alice.id)
            try chat.run("UPDATE groups SET creating_in_progress = 0")
            try chat.run(
                """
                UPDATE group_members SET member_status = 'left'
                WHERE group_id = \(left.group.id) AND member_category = 'user'
                """)
        }
        var hers = try test.read { try StoreFacts(of: $0) }.profiles[0]
        #expect(hers.deletedRelays.map(\.relay.id) == [other.id] && !hers.relays.contains { $0.relay.id == other.id })
        #expect(hers.waitingRelays.map(\.chatRelayID) == [other.id] && hers.waitingRelays.map(\.status) == [.new])
        #expect(hers.readiness.isPossible && hers.readiness.deleted == 1 && hers.prepared.isEmpty)
        #expect(try test.read { try StoreFacts(of: $0) }.warnings.isEmpty)

        try test.setStatus(.new, of: relay, in: channel)
        try test.write {
            try $0.run(
                "UPDATE groups SET conn_short_link_to_connect = 'https://a.example/g#x' WHERE group_id = \(left.group.id)"
            )
        }
        let facts = try test.read { try StoreFacts(of: $0) }
        hers = facts.profiles[0]
        #expect(facts.warnings.map(\.kind) == [.channelsWithoutActiveRelay] && facts.warnings[0].count == 1)
        #expect(hers.prepared.map(\.group.id) == [left.group.id])
    }

    @Test("a finished channel without a relay is a reason to warn, if the profile created it")
    func withoutRelay() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        try test.write { _ = try PresetSync.start(BundledPresets.preset(), for: alice.id, in: $0, seed: 1) }
        let channel = try test.addChannel("news", relays: [try test.addRelay("a.example", of: alice)], of: alice)
        try test.write { try $0.run("DELETE FROM group_relays") }
        func warnings() throws -> [StoreWarning] { try test.read { try StoreFacts(of: $0) }.warnings }
        #expect(try warnings().isEmpty, "its creation is not finished")
        try test.write { try $0.run("UPDATE groups SET creating_in_progress = 0") }
        #expect(try warnings().map(\.kind) == [.channelsWithoutRelayRows], "the relay is still a member")
        try test.write { try $0.run("UPDATE group_members SET member_status = 'left' WHERE member_role = 'relay'") }
        #expect(try warnings().map(\.kind) == [.channelsWithoutRelay])
        #expect(try warnings().first?.channels == [channel.group.id] && warnings().first?.user?.id == alice.id)
        for status in [GroupMemberStatus.connected, .left] {
            try test.setOwnStatus(status, in: channel)
            #expect(try warnings().isEmpty, "\(status)")
        }
    }

    @Test("a channel that lost the membership of its profile is a reason to warn, and so are lost profiles and groups")
    func lostRows() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        try test.write { _ = try PresetSync.start(BundledPresets.preset(), for: alice.id, in: $0, seed: 1) }
        let channel = try test.addChannel("news", relays: [try test.addRelay("a.example", of: alice)], of: alice)
        func lost() throws -> [StoreWarning] { try test.read { try StoreWarning.lostRows(in: $0) } }
        #expect(try lost().isEmpty)
        #expect(try test.read { try StoreFacts(of: $0) }.warnings.isEmpty)
        // As another program does: with foreign keys off.
        let connection = try SQLiteEngine().openForMigration(test.location.path(of: .chat), creating: false)
        defer { connection.close() }
        _ = try connection.rows("DELETE FROM group_members WHERE member_category = 'user'")
        let warnings = try test.read { try StoreFacts(of: $0) }.warnings
        #expect(warnings.map(\.kind) == [.channelsWithoutOwnMember])
        #expect(warnings.first?.channels == [channel.group.id] && warnings.first?.user?.id == alice.id)
        _ = try connection.rows("DELETE FROM groups")
        #expect(try lost().map(\.kind) == [.lostGroups] && lost().first?.count == 1)
        _ = try connection.rows("DELETE FROM users")
        #expect(try lost().map(\.kind) == [.lostProfiles, .lostGroups])
    }

    @Test("the reasons why relays cannot be chosen are counted, each relay once")
    func readiness() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        #expect(ChannelReadiness(relays: [], among: []).reasons == ["the profile has no relays"])
        try test.write { chat in
            _ = try PresetSync.start(BundledPresets.preset(), for: alice.id, in: chat, seed: 1)
            try OperatorsWriter(chat).setEnabled(ServerOperatorID(1), false)
        }
        let own = try test.addRelay("own.example", of: alice)
        try test.write { try $0.run("UPDATE chat_relays SET tested = 0 WHERE chat_relay_id = \(own.id)") }
        let readiness = try test.read { try StoreFacts(of: $0) }.profiles[0].readiness
        #expect(readiness.isPossible && readiness.choosable == 1 && readiness.failedTest == 1)
        #expect(readiness.disabled == 1 && readiness.operatorOff == 2 && readiness.operatorsOff == ["SimpleX Chat"])
        #expect(readiness.reasons.count == 3)
        try test.write { try $0.run("UPDATE chat_relays SET address = 'x' WHERE chat_relay_id = \(own.id)") }
        let invalid = try test.read { try StoreFacts(of: $0) }
        #expect(!invalid.profiles[0].readiness.isPossible && invalid.profiles[0].readiness.invalidAddress == 1)
        #expect(invalid.profiles[0].readiness.reasons.contains("1 with an invalid address"))
        #expect(invalid.warnings.map(\.kind).contains(.noEnabledRelays))
    }

    @Test("entries of an operator that is off count as disabled")
    func operatorOff() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        try test.write { chat in
            _ = try PresetSync.start(BundledPresets.preset(), for: alice.id, in: chat, seed: 1)
            try OperatorsWriter(chat).setEnabled(ServerOperatorID(1), false)
        }
        #expect(try test.read { try StoreFacts(of: $0) }.warnings.map(\.kind) == [.noEnabledRelays])
        try test.write { try OperatorsWriter($0).setEnabled(ServerOperatorID(2), false) }
        #expect(try test.read { try StoreFacts(of: $0) }.warnings.count == 3)
    }

    @Test("hidden profiles are counted only, and one that is active is no reason to warn")
    func hidden() throws {
        let test = try TestStore()
        try test.addUser("alice")
        try test.hide(try test.addUser("bob"))
        let facts = try test.read { try StoreFacts(of: $0) }
        #expect(facts.profiles.map(\.user.name) == ["alice"] && facts.hiddenProfiles == 1)
        #expect(!facts.warnings.contains { $0.kind == .noActiveProfile || $0.user?.name == "bob" })
        let shown = try test.read { try StoreFacts(of: $0, hidden: .shown) }
        #expect(shown.profiles.count == 2 && shown.hiddenProfiles == 0)
        try test.write { try $0.run("UPDATE users SET active_user = 0") }
        #expect(try test.read { try StoreFacts(of: $0) }.warnings.first?.kind == .noActiveProfile)
    }

    @Test("contacts are counted without the profile itself and soft-deleted ones; an empty store has no facts")
    func counts() throws {
        let test = try TestStore()
        #expect(try test.read { try StoreFacts(of: $0) }.profiles.isEmpty)
        let alice = try test.addUser("alice")
        try test.write { chat in
            for (number, deleted) in [(1, 0), (2, 0), (3, 1)] {
                let name = "c\(number)"
                try chat.run(
                    """
                    INSERT INTO display_names (user_id, local_display_name, ldn_base)
                    VALUES (\(alice.id), \(name), \(name))
                    """)
                let profile = try chat.insert(
                    "INSERT INTO contact_profiles (user_id, display_name) VALUES (\(alice.id), \(name))",
                    returning: "contact_profile_id")
                try chat.run(
                    """
                    INSERT INTO contacts (user_id, contact_profile_id, local_display_name, deleted)
                    VALUES (\(alice.id), \(profile), \(name), \(deleted))
                    """)
            }
        }
        #expect(try test.read { try StoreFacts(of: $0) }.profiles.map(\.contacts) == [2])
    }

    @Test("the facts of many profiles take as many statements as those of one")
    func statements() throws {
        let test = try TestStore()
        try test.addUser("alice")
        func statements() throws -> Int {
            try test.write { chat in
                let recorder = RecordingTransaction(chat)
                _ = try StoreFacts(of: recorder)
                return recorder.queries.count
            }
        }
        let one = try statements()
        for number in 0..<20 { try test.addUser("user\(number)") }
        #expect(try statements() == one)
    }

    @Test("the facts read summaries of groups only if the store has groups of the kind")
    func summaries() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        func summaries() throws -> Int {
            try test.write { chat in
                let recorder = RecordingTransaction(chat)
                _ = try StoreFacts(of: recorder)
                return recorder.queries.count { $0.rendered(.questionMark).sql.contains("has_unknown_progress") }
            }
        }
        #expect(try summaries() == 0)
        let relay = try test.addRelay("a.example", of: alice)
        let channel = try test.addChannel("news", relays: [relay], of: alice)
        #expect(try summaries() == 2)
        try test.write { chat in
            try chat.run("UPDATE groups SET creating_in_progress = 0 WHERE group_id = \(channel.group.id)")
        }
        #expect(try summaries() == 1)
    }
}
