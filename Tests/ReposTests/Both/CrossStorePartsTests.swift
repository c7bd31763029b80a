import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Between the two databases".
@Suite struct CrossStorePartsTests {
    let two: TwoProfiles
    let alice = Things.alice

    init() throws {
        two = try TwoProfiles()
        // Files that were sent the old way, each with a connection of its own that both databases have.
        try two.test.store.writeBoth(committing: .agentFirst) { chat, agent in
            let files: [(String, FileID, Query)] = [
                ("in group", FileID(71), "group_id"), ("in contact", FileID(72), "contact_id"),
                ("in notes", FileID(73), "note_folder_id"),
            ]
            let chats: [Int64] = [alice.group.rawValue, alice.friend.rawValue, alice.noteFolder.rawValue]
            for ((name, file, column), place) in zip(files, chats) {
                try chat.run(
                    """
                    INSERT INTO files (file_id, user_id, \(column), file_name, file_size, chunk_size, protocol)
                    VALUES (\(file), \(alice.user), \(place), 'f', 1, 1, 'smp')
                    """)
                let owner: Query = file == FileID(72) ? "rcv_file_id" : "snd_file_id"
                try chat.run(
                    """
                    INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type, \(owner))
                    VALUES (\(alice.user), \(name), 'ready', 'snd_file', \(file))
                    """)
                try AgentConnectionsWriter(agent).create(AgentConnectionID(name), .invitation, of: alice.agentUser)
            }
        }
    }

    @discardableResult
    private func write<T>(_ body: (CrossStoreWriter) throws -> T) throws -> T {
        try two.test.store.writeBoth(committing: .chatFirst) { chat, agent in
            try body(CrossStoreWriter(chat: chat, agent: agent, clock: TestStore.clock))
        }
    }

    private func marked() throws -> Set<String> {
        try two.test.store.read(.agent) { agent in
            Set(
                try agent.rows("SELECT conn_id FROM connections WHERE deleted = 1").map { row in
                    String(decoding: try row.get("conn_id") as [UInt8], as: UTF8.self)
                })
        }.subtracting(["conn-alice-5", "conn-bob-5"])
    }

    @Test("the connections of a group's files are marked with it")
    func group() throws {
        let deleted = try write { try $0.deleteGroup(alice.group, of: alice.user) }
        #expect(deleted.agentConnections.contains(AgentConnectionID("in group")))
        #expect(try marked() == ["conn-alice-2", "in group"])
    }

    @Test("the connections of the files in the chat with a contact are given up and marked with the contact's")
    func contact() throws {
        let deleted = try write { try $0.deleteContact(alice.friend, of: alice.user) }
        #expect(deleted.connections.contains(AgentConnectionID("in contact")))
        #expect(try marked() == ["conn-alice-1", "in contact"])
        let status = try two.test.count(
            "SELECT count(*) FROM connections WHERE agent_conn_id = 'in contact' AND conn_status = 'deleted'")
        #expect(status == 1)
        #expect(try write { try $0.deleteContact(alice.friend, of: alice.user) }.connections.count == 2)
    }

    @Test("a file, an address, a group's link and a single connection are deleted on both sides")
    func parts() throws {
        #expect(
            try write { try $0.deleteFile(FileID(73), of: alice.user) }.connections == [AgentConnectionID("in notes")])
        #expect(try marked() == ["in notes"])
        #expect(try write { try $0.deleteGroupLink(to: alice.group, of: alice.user) }.connections.isEmpty)
        try write { try $0.deleteAddress(of: alice.user) }
        #expect(try marked() == ["in notes", "conn-alice-3"])
        try write { try $0.deleteConnection(alice.memberConnection, of: alice.user) }
        #expect(try marked() == ["in notes", "conn-alice-3", "conn-alice-2"])
        #expect(code { try write { try $0.deleteFile(FileID(73), of: alice.user) } } == "chatFileNotFound")
        #expect(code { try write { try $0.deleteFile(FileID(71), of: Things.bob.user) } } == "chatFileNotFound")
        #expect(try marked().count == 3)
    }
}
