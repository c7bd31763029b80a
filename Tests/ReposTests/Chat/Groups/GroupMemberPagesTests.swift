import ChatDBKit
import Testing

@Suite struct GroupMemberPagesTests {
    let test: TestStore
    let alice: User
    let channel: GroupSummary

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        let relay = try test.addRelay("r1.example", of: alice)
        channel = try test.addChannel("news", relays: [relay], of: alice)
    }

    /// Many members by SQL of the test's own; what each is, depends on its number.
    private func fill(_ count: Int, role: Query, status: Query) throws {
        try test.write { chat in
            let numbers: Query = """
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
                """
            try chat.run(
                """
                INSERT INTO display_names (user_id, local_display_name, ldn_base)
                \(numbers) SELECT \(alice.id), 'm' || n, 'm' || n FROM numbers
                """)
            try chat.run(
                """
                INSERT INTO contact_profiles (contact_profile_id, user_id, display_name)
                \(numbers) SELECT 1000 + n, \(alice.id), 'm' || n FROM numbers
                """)
            try chat.run(
                """
                INSERT INTO group_members (user_id, group_id, member_id, member_role, member_category, member_status,
                    local_display_name, contact_profile_id)
                \(numbers) SELECT \(alice.id), \(channel.group.id), 'id' || n, \(role), 'post', \(status), 'm' || n,
                    1000 + n FROM numbers
                """)
        }
    }

    @Test("pages of every size make the whole list, for any roles and statuses")
    func pages() throws {
        try fill(
            120, role: "CASE n % 4 WHEN 0 THEN 'observer' WHEN 1 THEN 'member' WHEN 2 THEN 'admin' ELSE 'owner' END",
            status: "CASE n % 3 WHEN 0 THEN 'connected' WHEN 1 THEN 'left' ELSE 'accepted' END")
        let all = try test.read { chat in
            try GroupMemberRole.known.flatMap {
                try GroupMembersRepo(chat).all(with: $0, in: channel.group.id, of: alice.id)
            }
            .sorted { $0.id < $1.id }
        }
        #expect(all.count == 122)
        var random = SplitMix64(seed: 5)
        for _ in 0..<60 {
            let roles = GroupMemberRole.known.filter { _ in Bool.random(using: &random) }
            let statuses = GroupMemberStatus.known.filter { _ in Bool.random(using: &random) }
            let limit = Int.random(in: 1...50, using: &random)
            let includingPast = Bool.random(using: &random)
            let expected = all.filter {
                (includingPast || !$0.status.isHistory) && (roles.isEmpty || roles.contains($0.role))
                    && (statuses.isEmpty || statuses.contains($0.status))
            }
            var found: [GroupMember] = []
            var after: GroupMemberID?
            repeat {
                let page = try test.read {
                    try GroupMembersRepo($0).page(
                        of: channel.group.id, of: alice.id, roles: roles, statuses: statuses,
                        includingPast: includingPast, after: after,
                        limit: limit)
                }
                #expect(page.members.count <= limit)
                #expect(after == nil || !page.members.isEmpty)
                #expect(page.next == nil || page.members.count == limit)
                found += page.members
                after = page.next
            } while after != nil && found.count <= all.count
            #expect(found == expected, "\(roles) \(statuses) \(limit)")
        }
        for limit in [0, -1, 1] {
            let page = try test.read {
                try GroupMembersRepo($0).page(of: channel.group.id, of: alice.id, limit: limit)
            }
            #expect(page.members.count == 1 && page.next == page.members[0].id)
        }
    }

    @Test("subscribers are all who are in the channel now but its owners and relays")
    func subscribers() throws {
        var expected = 0
        for (index, role) in (GroupMemberRole.known + [.unknown("newer")]).enumerated() {
            for status in GroupMemberStatus.known + [.unknown("newer")] {
                try test.addMember("\(index) \(status)", role, status, to: channel, of: alice)
                if role != .owner, role != .relay, status.isCurrent { expected += 1 }
            }
        }
        try test.read { chat in
            let members = GroupMembersRepo(chat)
            #expect(try members.subscriberCount(of: channel.group.id, of: alice.id) == expected)
            let page = try members.subscribers(of: channel.group.id, of: alice.id, limit: 1000)
            #expect(page.members.count == expected && page.next == nil)
            #expect(page.members.allSatisfy { $0.role != .owner && $0.role != .relay && $0.status.isCurrent })
        }
    }

    @Test("with 100,000 subscribers the statements of the last page read as many rows as those of the first")
    func many() throws {
        let count = 100_000
        try fill(count, role: "'observer'", status: "CASE n % 10 WHEN 0 THEN 'left' ELSE 'connected' END")
        try test.read { chat in
            let members = GroupMembersRepo(chat)
            #expect(try members.subscriberCount(of: channel.group.id, of: alice.id) == 90_000)
            let last = try chat.count("SELECT max(group_member_id) FROM group_members")
            for after in [0, last / 2, last - 60] {
                let page = try members.subscribers(
                    of: channel.group.id, of: alice.id, after: GroupMemberID(Int64(after)), limit: 50)
                #expect(page.members.count == 50 && page.next != nil)
                #expect(page.members.allSatisfy { $0.id.rawValue > after && $0.status == .connected })
            }
            let end = try members.subscribers(of: channel.group.id, of: alice.id, after: GroupMemberID(Int64(last)))
            #expect(end.members.isEmpty && end.next == nil)
        }
        try test.write { chat in
            let recording = RecordingTransaction(chat)
            _ = try GroupMembersRepo(recording).subscribers(of: channel.group.id, of: alice.id)
            let query = try #require(recording.queries.last)
            let plan = try chat.rows("EXPLAIN QUERY PLAN " + query).map { try $0.get("detail") as String }
            // It begins after the member, and the index is in the order of the answer: nothing is sorted. Who invited a
            // member is read by its number.
            #expect(plan.first?.contains("(group_id=? AND rowid>?)") == true, "\(plan)")
            #expect(plan.dropFirst().allSatisfy { !$0.hasPrefix("SCAN") && !$0.contains("TEMP B-TREE") }, "\(plan)")
        }
    }
}
