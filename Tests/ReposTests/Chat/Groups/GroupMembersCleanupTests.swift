import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Groups and channels", Clean-up of members.
@Suite struct GroupMembersCleanupTests {
    let test: TestStore
    let alice: User
    let bob: User
    let group: GroupSummary

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
        group = try test.addGroup("talk", of: alice)
    }

    private func add(
        _ name: String, _ status: GroupMemberStatus, role: GroupMemberRole = .member, to: GroupSummary? = nil
    ) throws -> GroupMember {
        try test.write {
            try GroupMembersWriter($0, clock: TestStore.clock).add(
                NewMember(name: name, memberID: "id of \(name)", role: role, category: .post, status: status),
                to: (to ?? group).group.id, of: alice.id)
        }
    }

    private func listed(limit: Int = 100) throws -> [String] {
        try test.read { try GroupMembersRepo($0).toCleanUp(in: group.group.id, of: alice.id, limit: limit) }
            .map(\.localDisplayName)
    }

    private func cleanUp(limit: Int = 100) throws -> [String] {
        try test.write {
            try GroupMembersWriter($0, clock: TestStore.clock).cleanUp(in: group.group.id, of: alice.id, limit: limit)
        }.map(\.localDisplayName)
    }

    @Test("members who left, were removed, or are known from messages only are cleaned up; others stay")
    func statuses() throws {
        for status in GroupMemberStatus.known { _ = try add("m \(status)", status) }
        _ = try add("relay", .left, role: .relay)
        _ = try add("newer", .unknown("floating"))
        let other = try test.addGroup("other", of: alice)
        _ = try add("elsewhere", .left, to: other)
        let gone = ["m removed", "m left", "m deleted", "m unknown"]
        #expect(try listed() == gone)
        #expect(try listed(limit: 2) == Array(gone.prefix(2)))
        #expect(try cleanUp(limit: 3) == Array(gone.prefix(3)))
        #expect(try cleanUp() == ["m unknown"])
        #expect(try cleanUp().isEmpty && listed().isEmpty)
        for name in gone {
            #expect(try test.count("SELECT count(*) FROM group_members WHERE local_display_name = \(name)") == 0)
            #expect(try test.count("SELECT count(*) FROM display_names WHERE local_display_name = \(name)") == 0)
            #expect(try test.count("SELECT count(*) FROM contact_profiles WHERE display_name = \(name)") == 0)
        }
        for name in ["m rejected", "m connected", "relay", "newer", "elsewhere"] {
            #expect(try test.count("SELECT count(*) FROM group_members WHERE local_display_name = \(name)") == 1)
            #expect(try test.count("SELECT count(*) FROM contact_profiles WHERE display_name = \(name)") == 1)
        }
        #expect(try test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }

    @Test("the profile's own membership stays after the profile left")
    func own() throws {
        try test.setOwnStatus(.left, in: group)
        #expect(try cleanUp().isEmpty)
    }

    @Test(
        "a member to whom a row refers stays",
        arguments: [
            """
            INSERT INTO chat_items (user_id, group_id, group_member_id, item_sent, item_ts, item_status, item_content,
                item_text) VALUES (1, (SELECT max(group_id) FROM groups), :m, 0, '2026-07-20', 'rcv_read', '{}', '')
            """,
            """
            INSERT INTO chat_items (user_id, group_id, item_deleted_by_group_member_id, item_sent, item_ts, item_status,
                item_content, item_text)
            VALUES (1, (SELECT max(group_id) FROM groups), :m, 0, '2026-07-20', 'rcv_read', '{}', '')
            """,
            """
            INSERT INTO chat_items (user_id, group_id, group_scope_tag, group_scope_group_member_id, item_sent, item_ts,
                item_status, item_content, item_text)
            VALUES (1, (SELECT max(group_id) FROM groups), 'member_support', :m, 1, '2026-07-20', 'snd_new', '{}', '')
            """,
            "UPDATE contacts SET contact_group_member_id = :m WHERE contact_id = 1",
            """
            INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type, group_member_id)
            VALUES (1, 'c', 'ready', 'member', :m)
            """,
            """
            INSERT INTO messages (user_id, msg_sent, chat_msg_event, group_id, author_group_member_id)
            VALUES (1, 0, 'x', (SELECT max(group_id) FROM groups), :m)
            """,
            """
            INSERT INTO messages (user_id, msg_sent, chat_msg_event, group_id, forwarded_by_group_member_id)
            VALUES (1, 0, 'x', (SELECT max(group_id) FROM groups), :m)
            """,
        ])
    func references(_ insertion: String) throws {
        let member = try add("carol", .left)
        #expect(try listed() == ["carol"])
        try test.write { try $0.run(.unchecked(sql: insertion.replacing(":m", with: "\(member.id)"))) }
        #expect(try listed().isEmpty)
        #expect(try cleanUp().isEmpty)
        #expect(try test.count("SELECT count(*) FROM group_members WHERE group_member_id = \(member.id)") == 1)
    }

    @Test("reactions and files keep a member, too")
    func reactionsAndFiles() throws {
        let members = try ["carol", "dave", "erin"].map { try add($0, .left) }
        let item = try test.say("x", in: .group(group.group.id), of: alice)
        let connection = try test.addConnection("c", of: alice)
        try test.write { chat in
            try chat.run(
                """
                INSERT INTO chat_item_reactions (chat_item_id, group_member_id, reaction, reaction_sent, reaction_ts)
                VALUES (\(item.id), \(members[0].id), '+', 0, '2026-07-20')
                """)
            for file in [1, 2] {
                try chat.run(
                    """
                    INSERT INTO files (file_id, user_id, file_name, file_size, chunk_size, protocol)
                    VALUES (\(file), \(alice.id), 'f', 1, 1, 'xftp')
                    """)
            }
            try chat.run(
                "INSERT INTO rcv_files (file_id, file_status, group_member_id) VALUES (1, 'new', \(members[1].id))")
            try chat.run(
                """
                INSERT INTO snd_files (file_id, connection_id, file_status, group_member_id)
                VALUES (2, \(connection), 'new', \(members[2].id))
                """)
        }
        #expect(try cleanUp().isEmpty)
    }

    @Test("a profile and a name that a contact shares with the member stay")
    func shared() throws {
        let member = try add("carol", .left)
        try test.write { chat in
            try chat.run(
                """
                INSERT INTO contacts (user_id, contact_profile_id, local_display_name)
                SELECT user_id, contact_profile_id, local_display_name FROM group_members
                WHERE group_member_id = \(member.id)
                """)
        }
        #expect(try cleanUp() == ["carol"])
        #expect(try test.count("SELECT count(*) FROM display_names WHERE local_display_name = 'carol'") == 1)
        #expect(try test.count("SELECT count(*) FROM contact_profiles WHERE display_name = 'carol'") == 1)
    }

    @Test("a group of another profile is not found")
    func scope() throws {
        _ = try add("carol", .left)
        for call in [
            { (chat: any WriteTransaction) throws in
                _ = try GroupMembersRepo(chat).toCleanUp(in: group.group.id, of: bob.id)
            }, { try GroupMembersWriter($0).cleanUp(in: group.group.id, of: bob.id) },
        ] {
            let error = #expect(throws: GroupsError.self) { try test.write { try call($0) } }
            #expect(error?.code == "groupNotFound")
        }
        #expect(try listed() == ["carol"])
    }
}
