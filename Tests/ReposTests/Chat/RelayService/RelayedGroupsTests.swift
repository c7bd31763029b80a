import ChatDBKit
import Testing

/// The steps of a profile as a relay. Rule: docs/domain.md, "Relay operators".
@Suite struct RelayedGroupsTests {
    let test: TestStore
    let relay: User

    init() throws {
        test = try TestStore()
        relay = try test.addUser("relay")
        let user = relay.id
        try test.write { try UsersWriter($0).setChatRelay(true, of: user) }
    }

    private func receive(_ number: Int) throws -> GroupID {
        try test.write { chat in
            try RelayRequestsWriter(chat, clock: TestStore.clock).receive(
                NewRelayRequest(
                    invitationID: InvitationID(bytes: Array("inv-\(number)".utf8)),
                    link: GroupLink(channelLink(number)),
                    peerVersions: RelayRequest.PeerVersions(lowest: 1, highest: 1), ownerName: "owner",
                    ownerMemberID: "owner-\(number)", relayMemberID: "relay-\(number)"), of: relay.id
            ).group.id
        }
    }

    private func change<T>(at seconds: Int64 = 0, _ body: (RelayedGroupsWriter) throws -> T) throws -> T {
        try test.write { try body(RelayedGroupsWriter($0, clock: .fixed(TestStore.time(seconds)))) }
    }

    private func status(_ id: GroupID, _ status: RelayStatus) throws {
        try test.write {
            try $0.run(
                "UPDATE groups SET relay_own_status = \(status), relay_inactive_at = NULL WHERE group_id = \(id)")
        }
    }

    private func get(_ id: GroupID) throws -> RelayedGroup {
        try test.read { try RelayedGroupsRepo($0).get(id, of: relay.id) }
    }

    @Test("from each status only some steps are allowed; a refused one changes nothing")
    func steps() throws {
        let steps: [(String, (RelayedGroupsWriter, GroupID) throws -> RelayedGroup, RelayStatus, [RelayStatus])] = [
            ("activate", { try $0.activate($1, of: relay.id) }, .active, [.accepted, .acknowledgedRoster]),
            (
                "deactivate", { try $0.deactivate($1, of: relay.id) }, .inactive,
                [.new, .invited, .accepted, .acknowledgedRoster, .active, .unknown("x")]
            ),
            (
                "reject", { try $0.reject($1, of: relay.id) }, .rejected,
                [.new, .invited, .accepted, .acknowledgedRoster, .active, .inactive, .unknown("x")]
            ),
            ("allow", { try $0.allow($1, of: relay.id) }, .inactive, [.rejected]),
        ]
        let id = try receive(1)
        for (name, step, next, allowed) in steps {
            for from in RelayStatus.known + [.unknown("x")] {
                try status(id, from)
                let before = try test.everything()
                if allowed.contains(from) {
                    let now = try change(at: 5) { try step($0, id) }
                    #expect(now.status == next, "\(name) from \(from)")
                    #expect(now.inactiveSince == (next == .inactive ? TestStore.time(5) : nil))
                } else {
                    let error = #expect(throws: RelayServiceError.self) { try change { _ = try step($0, id) } }
                    #expect(error?.code == "ownStepNotAllowed", "\(name) from \(from)")
                    #expect(try test.everything() == before)
                }
            }
        }
    }

    @Test("a relay that leaves refuses the channel, and one that is removed is inactive; a refusal stays")
    func membership() throws {
        func own(_ id: GroupID) throws -> GroupMemberID {
            try #require(try test.group(id, of: relay).membership).memberID
        }
        let (left, removed) = (try receive(1), try receive(2))
        try test.write { _ = try GroupsWriter($0).leave(left, of: relay.id) }
        #expect(try get(left).status == .rejected && get(left).inactiveSince == nil)
        let member = try own(removed)
        try test.write {
            _ = try GroupMembersWriter($0, clock: TestStore.clock).setStatus(.removed, of: member, of: relay.id)
        }
        #expect(try get(removed).status == .inactive && get(removed).inactiveSince != nil)
        let gone = try own(left)
        try test.write { _ = try GroupMembersWriter($0).setStatus(.removed, of: gone, of: relay.id) }
        #expect(try get(left).status == .rejected)
        let rejected = try receive(3)
        _ = try change { try $0.reject(rejected, of: relay.id) }
        #expect(try test.group(rejected, of: relay).membership?.status == .left)
        // Other groups stay without a status.
        let talk = try test.addGroup("talk", of: relay).group.id
        try test.write {
            try $0.run("UPDATE group_members SET member_role = 'member' WHERE group_id = \(talk)")
            _ = try GroupsWriter($0).leave(talk, of: relay.id)
        }
        #expect(try test.count("SELECT count(*) FROM groups WHERE relay_own_status IS NOT NULL") == 3)
    }

    @Test("a channel that the profile refuses is not deleted, because the refusal would go with it")
    func deleting() throws {
        let id = try receive(1)
        _ = try change { try $0.reject(id, of: relay.id) }
        let error = #expect(throws: GroupsError.self) {
            try test.write { _ = try GroupsWriter($0).delete(id, of: relay.id) }
        }
        #expect(error?.code == "relayRefusal")
        #expect(try test.read { try !GroupsRepo($0).info(of: id, of: relay.id).mayDelete })
        _ = try change { try $0.allow(id, of: relay.id) }
        #expect(try test.read { try GroupsRepo($0).info(of: id, of: relay.id).mayDelete })
        try test.write { _ = try GroupsWriter($0).delete(id, of: relay.id) }
        #expect(try test.read { try RelayedGroupsRepo($0).find(id, of: relay.id) } == nil)
    }

    @Test("groups are listed by status and number, in pages; inactive ones the longest first")
    func lists() throws {
        let ids = try (1...6).map { try receive($0) }
        for (id, status) in zip(ids, [RelayStatus.active, .accepted, .inactive, .rejected, .inactive, .active]) {
            try self.status(id, status)
        }
        try test.write {
            try $0.run("UPDATE groups SET relay_inactive_at = \(TestStore.time(9).text) WHERE group_id = \(ids[2])")
            try $0.run("UPDATE groups SET relay_inactive_at = \(TestStore.time(3).text) WHERE group_id = \(ids[4])")
        }
        try test.read { chat throws in
            let groups = RelayedGroupsRepo(chat)
            let served = try groups.page(of: relay.id, statuses: [.accepted, .active], limit: 2)
            #expect(served.groups.map(\.id) == [ids[0], ids[1]] && served.next == ids[1])
            let rest = try groups.page(of: relay.id, statuses: [.accepted, .active], after: served.next, limit: 2)
            #expect(rest.groups.map(\.id) == [ids[5]] && rest.next == nil)
            #expect(try groups.page(of: relay.id).groups.count == 6)
            #expect(try groups.inactive(of: relay.id, since: TestStore.time(9)).map(\.id) == [ids[4], ids[2]])
            #expect(try groups.inactive(of: relay.id, since: TestStore.time(8)).map(\.id) == [ids[4]])
        }
    }

    @Test("the counts of a profile are those of its rows, with the first word of a reason only when it is known")
    func counts() throws {
        let ids = try (1...9).map { try receive($0) }
        let statuses: [RelayStatus] = [.active, .accepted, .acknowledgedRoster, .inactive, .rejected]
        for (id, status) in zip(ids, statuses) { try self.status(id, status) }
        try test.write { chat in
            let requests = RelayRequestsWriter(chat)
            _ = try requests.fail(ids[5], reason: "ChatErrorAgent {agentError = BROKER secret.example}", of: relay.id)
            _ = try requests.fail(ids[6], reason: "secret words", of: relay.id)
            _ = try requests.giveUp(ids[7], of: relay.id)
        }
        let counts = try test.read { try RelayedGroupsRepo($0).counts(of: relay.id) }
        #expect(counts.active == 1 && counts.accepted == 2 && counts.served == 3)
        #expect(counts.inactive == 1 && counts.rejected == 1)
        #expect(counts.waitingRequests == 1 && counts.failedRequests == 2 && counts.givenUpRequests == 1)
        #expect(counts.incompleteRequests == 0 && counts.oldestRequest != nil)
        #expect(Set(counts.failureWords.map(\.word)) == ["ChatErrorAgent", "other"])
        try test.write { try $0.run("UPDATE groups SET relay_request_inv_id = NULL WHERE group_id = \(ids[8])") }
        let after = try test.read { try RelayedGroupsRepo($0).counts(of: relay.id) }
        #expect(after.waitingRequests == 0 && after.incompleteRequests == 1 && after.oldestRequest == nil)
        #expect(try get(ids[8]).requestState == .incomplete)
    }

    @Test("the web domain that an owner was sent is kept for a group that the profile serves")
    func webDomain() throws {
        let id = try receive(1)
        func set(_ text: String?) throws -> RelayedGroup {
            try change { try $0.setSentWebDomain(text, of: id, of: relay.id) }
        }
        func code(_ text: String?) -> String? { #expect(throws: RelayServiceError.self) { try set(text) }?.code }
        #expect(code("web.example") == "groupNotServed")
        try status(id, .accepted)
        #expect(try set(" Web.Example ").sentWebDomain == "web.example")
        #expect(code("no domain") == "invalidWebDomain")
        #expect(try get(id).sentWebDomain == "web.example")
        #expect(try set(nil).sentWebDomain == nil)
    }
}
