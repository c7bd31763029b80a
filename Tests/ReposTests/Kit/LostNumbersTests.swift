import ChatDBKit
import Testing

/// New rows in a store that lost rows. Rule: docs/domain.md, "Numbers of new rows".
@Suite struct LostNumbersTests {
    /// A new row of a table, in a store in which a row refers to the lost row 900 of that table.
    struct NewRow: Sendable, CustomTestStringConvertible {
        let table: NumberedTable
        /// The statements that make a row refer to the row 900.
        let loss: [String]
        let make: @Sendable (Call) throws -> Any

        init(_ table: NumberedTable, _ loss: String..., make: @escaping @Sendable (Call) throws -> Any) {
            (self.table, self.loss, self.make) = (table, loss, make)
        }

        var testDescription: String { table.rawValue }
    }

    static let newRows: [NewRow] = [
        NewRow(.contactProfiles, "UPDATE group_members SET member_profile_id = 900 WHERE group_member_id = 41") {
            try newContact($0)
        },
        NewRow(.contacts, "UPDATE group_members SET invited_by = 900 WHERE group_member_id = 41") {
            try newContact($0)
        },
        NewRow(.groupProfiles, "UPDATE groups SET group_profile_id = 900 WHERE group_id = 21") { try newChannel($0) },
        NewRow(.groups, "UPDATE user_contact_links SET group_id = 900 WHERE user_contact_link_id = 21") {
            try newChannel($0)
        },
        NewRow(.groupMembers, "UPDATE contacts SET contact_group_member_id = 900 WHERE contact_id = 11") {
            try GroupMembersWriter($0.chat).add(
                NewMember(name: "new", memberID: "new", role: .member, category: .post, status: .connected),
                to: $0.things.group, of: $0.user)
        },
        NewRow(.chatRelays, "UPDATE group_relays SET chat_relay_id = 900 WHERE group_relay_id = 11") {
            try ChatRelaysWriter($0.chat).add(relay("new.example"), name: "new", of: $0.user)
        },
        NewRow(.connections, "UPDATE messages SET connection_id = 900 WHERE message_id = 11") {
            try ConnectionsWriter($0.chat).add(
                NewConnection(agentID: AgentConnectionID("new"), owner: nil), of: $0.user)
        },
        NewRow(
            .contactLinks, "UPDATE contact_requests SET user_contact_link_id = 900 WHERE contact_request_id = 11",
            "DELETE FROM user_contact_links WHERE user_contact_link_id = 11"
        ) {
            try UserContactLinksWriter($0.chat).createAddress(
                "simplex:/contact#/?v=2-7&smp=smp://k@new.example/new", of: $0.user)
        },
        NewRow(.files, "UPDATE rcv_files SET file_id = 900 WHERE file_id = 21") { try newFile($0) },
        NewRow(.fileDescriptions, "UPDATE snd_files SET file_descr_id = 900 WHERE file_id = 11") {
            let file = try newFile($0)
            return try FilesWriter($0.chat).addDescriptionPart(
                "new", number: 0, isComplete: false, of: file.id, of: $0.user)
        },
        NewRow(.messages, "UPDATE chat_items SET created_by_msg_id = 900 WHERE chat_item_id = 11") {
            try MessagesWriter($0.chat).add(
                NewMessage(.sent, event: "x.msg.new", body: "{}"), deliveries: [], of: $0.user)
        },
        NewRow(
            .noteFolders,
            """
            INSERT INTO files (user_id, note_folder_id, file_name, file_size, chunk_size, protocol)
            VALUES (1, 900, 'n', 1, 1, 'xftp')
            """, "DELETE FROM note_folders WHERE user_id = 1"
        ) {
            try NoteFoldersWriter($0.chat).findOrCreate(of: $0.user)
        },
        NewRow(.chatTags, "UPDATE chat_tags_chats SET chat_tag_id = 900 WHERE contact_id = 11") {
            try ChatTagsWriter($0.chat).create("new", emoji: "🐈", of: $0.user)
        },
        NewRow(
            .operators,
            "INSERT INTO operator_usage_conditions (server_operator_id, conditions_commit) VALUES (900, 'c')"
        ) {
            try RepositoryCatalogue.addOperator($0)
        },
    ]

    private static func newContact(_ call: Call) throws -> Contact {
        try ContactsWriter(call.chat).create(ContactProfileContent(displayName: "new"), of: call.user)
    }

    private static func newChannel(_ call: Call) throws -> Any {
        var random = SplitMix64(seed: 1)
        return try GroupsWriter(call.chat).createChannel(
            named: "new", relays: [call.things.relay], of: call.user, using: &random)
    }

    private static func newFile(_ call: Call) throws -> ChatFile {
        try FilesWriter(call.chat).createReceived(
            NewFile(name: "new", size: 10, chunkSize: 5, chat: .contact(call.things.friend)), from: nil, of: call.user)
    }

    @Test("a new row gets the number after that of a lost row to which others refer", arguments: newRows)
    func number(_ new: NewRow) throws {
        try TwoProfiles.undoing { chat, agent in
            try chat.run("PRAGMA defer_foreign_keys = ON")
            for sql in new.loss { try chat.run(.unchecked(sql: sql)) }
            _ = try new.make(Call(chat: chat, agent: agent, user: Things.alice.user, things: .alice))
            let highest = try chat.count(
                "SELECT max(\(identifier: new.table.key)) FROM \(identifier: new.table.rawValue)")
            #expect(highest == 901)
        }
    }

    @Test("every table is tried but that of profiles, to which chatdb adds none after a loss")
    func all() {
        #expect(Set(Self.newRows.map(\.table)) == Set(NumberedTable.allCases).subtracting([.users]))
    }
}
