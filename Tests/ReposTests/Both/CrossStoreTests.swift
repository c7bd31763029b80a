import ChatDBKit
import Testing

@Suite struct CrossStoreTests {
    /// A store with alice and bob, to change.
    let two: TwoProfiles

    init() throws { two = try TwoProfiles() }

    private func repo<T>(_ body: (CrossStoreRepo) throws -> T) throws -> T {
        try two.test.store.readBoth { chat, agent in try body(CrossStoreRepo(chat: chat, agent: agent)) }
    }

    private func target(_ things: Things, hidden: HiddenProfiles = .leftOut) throws -> NotificationTarget? {
        try repo { try $0.target(ofNotification: things.notifier, hidden: hidden) }
    }

    private func change(_ name: DatabaseName, _ query: Query) throws {
        try two.test.store.write(name) { _ = try $0.run(query) }
    }

    @Test("a notification leads to its profile and to the owner of its connection", arguments: [Things.alice, .bob])
    func notification(things: Things) throws {
        let found = try #require(try target(things))
        #expect(found.user.id == things.user && found.entity == .contact(things.friend))
        #expect(found.connectionID == things.contactConnection && found.agentConnectionID == things.agentConnection)
        #expect(found.queue == queue("rcv-\(things.name)") && found.hasNotifications)
        #expect(try repo { try $0.target(ofNotification: queue("nobody")) } == nil)
        let elsewhere = QueueAddress(
            server: AgentServerID(host: "smp.example", port: "443"), id: things.notifier.id)
        #expect(try repo { try $0.target(ofNotification: elsewhere) } == nil)
    }

    @Test("a notification leads to a member, a link, a file, or a connection without an owner")
    func entities() throws {
        let alice = Things.alice
        let owners: [(Query, NotificationTarget.Entity)] = [
            ("group_member_id = \(alice.member)", .member(alice.member, of: alice.group)),
            ("user_contact_link_id = \(alice.address)", .link(alice.address)),
            ("snd_file_id = \(alice.sentFile)", .file(alice.sentFile)),
            ("rcv_file_id = \(alice.receivedFile)", .file(alice.receivedFile)),
            ("contact_id = NULL", .none),
        ]
        for (owner, entity) in owners {
            try change(
                .chat,
                """
                UPDATE connections SET contact_id = NULL, group_member_id = NULL, user_contact_link_id = NULL,
                    snd_file_id = NULL, rcv_file_id = NULL WHERE connection_id = \(alice.contactConnection)
                """)
            try change(.chat, "UPDATE connections SET \(owner) WHERE connection_id = \(alice.contactConnection)")
            #expect(try target(alice)?.entity == entity)
        }
    }

    @Test(
        "a notification finds no profile when its queue or connection is being deleted, or the chat database lacks it",
        arguments: [
            (DatabaseName.agent, "UPDATE rcv_queues SET deleted = 1"), (.agent, "UPDATE connections SET deleted = 1"),
            (.chat, "DELETE FROM connections"), (.agent, "DELETE FROM connections"),
            (.chat, "UPDATE connections SET agent_conn_id = agent_conn_id || ' '"),
            (.chat, "UPDATE users SET agent_user_id = agent_user_id + 5"),
        ])
    func noProfile(_ name: DatabaseName, _ sql: String) throws {
        try change(name, .unchecked(sql: sql))
        #expect(try target(.alice) == nil)
    }

    @Test("a notification for a hidden profile finds no profile, unless hidden profiles are shown")
    func hidden() throws {
        try change(.chat, "UPDATE users SET view_pwd_hash = x'01', view_pwd_salt = x'02' WHERE user_id = 1")
        #expect(try target(.alice) == nil)
        #expect(try target(.alice, hidden: .shown)?.user.isHidden == true)
        #expect(try target(.bob) != nil)
    }

    @Test("connections and profiles that only one database has are found both ways")
    func orphans() throws {
        try change(.agent, "DELETE FROM connections")
        try change(.chat, "DELETE FROM connections")
        #expect(try repo { try $0.orphanCounts() }.isEmpty)
        for name in ["a", "m", "z"] {
            try two.test.store.writeBoth(committing: .agentFirst) { chat, agent in
                try insert(chat: name, into: chat)
                try insert(agent: name, into: agent)
            }
        }
        try two.test.store.writeBoth(committing: .agentFirst) { chat, agent in
            for name in ["b", "zz"] { try insert(chat: name, into: chat) }
            for name in ["", "n", "o"] { try insert(agent: name, into: agent) }
            try agent.run("UPDATE connections SET deleted = 1 WHERE conn_id = \(AgentConnectionID("o"))")
            try agent.run("INSERT INTO connections (conn_id, user_id, conn_mode) VALUES (x'ff', 1, 'INV')")
            try agent.run("INSERT INTO users (user_id) VALUES (8)")
            try agent.run("INSERT INTO users (user_id, deleted) VALUES (9, 1)")
            try chat.run("UPDATE users SET agent_user_id = 7 WHERE user_id = 2")
        }
        let counts = try repo { try $0.orphanCounts() }
        #expect(counts.chatConnections == 2 && counts.agentConnections == 3 && !counts.isEmpty)
        #expect(counts.chatUsers == 1 && counts.agentUsers == 2)
        let users = try repo { try $0.orphanUsers() }
        #expect(users.map(\.agentUserID.rawValue) == [2, 7, 8])
        #expect(users.map(\.database) == [.agent, .chat, .agent] && users[1].userID == UserID(2))

        let all = try repo { try $0.orphanConnections(limit: 100) }
        #expect(all.map(\.id.bytes) == [[], [98], [110], [122, 122], [255]])
        #expect(all.map(\.database) == [.agent, .chat, .agent, .chat, .agent])
        for orphan in all {
            #expect(orphan.profile == (orphan.database == .chat ? .chat(UserID(1)) : .agent(AgentUserID(1))))
        }
        var pages: [OrphanConnection] = []
        for _ in 0..<9 {
            pages += try repo { try $0.orphanConnections(after: pages.last?.id, limit: 2) }
        }
        #expect(pages == all)
        #expect(try repo { try $0.orphanConnections(limit: 0) } == [])
    }

    @Test("orphans are found over many pages of ids, as a comparison of sets finds them", arguments: 1...3)
    func manyOrphans(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try change(.agent, "DELETE FROM connections")
        try change(.chat, "DELETE FROM connections")
        var (chatIDs, agentIDs) = (Set<String>(), Set<String>())
        for number in 0..<2_600 {
            let side = Int.random(in: 0..<20, using: &random)
            if side != 0 { chatIDs.insert("id\(number)") }
            if side != 1 { agentIDs.insert("id\(number)") }
        }
        try two.test.store.writeBoth(committing: .agentFirst) { chat, agent in
            for name in chatIDs { try insert(chat: name, into: chat) }
            for name in agentIDs { try insert(agent: name, into: agent) }
        }
        let expected = chatIDs.symmetricDifference(agentIDs).map { AgentConnectionID($0) }.sorted()
        #expect(try repo { try $0.orphanConnections(limit: 10_000) }.map(\.id) == expected)
        let last = expected[expected.count / 2]
        let rest = try repo { try $0.orphanConnections(after: last, limit: 10_000) }.map(\.id)
        #expect(rest == expected.filter { $0 > last })
    }

    @Test("rows of each profile are counted in both databases, without hidden profiles unless they are shown")
    func counts() throws {
        let counts = try repo { try $0.counts() }
        #expect(counts.map(\.user.id) == [UserID(2), UserID(1)])
        for count in counts {
            #expect(count.hasAgentUser && count.contacts == 1 && count.groups == 10)
            #expect(count.chatConnections == 3 && count.agentConnections == 4 && count.deletedConnections == 1)
            #expect(count.receiveQueues == 2 && count.sendQueues == 2 && count.waitingDeliveries == 2)
        }
        try change(.agent, "UPDATE users SET deleted = 1 WHERE user_id = 1")
        try change(.chat, "UPDATE users SET view_pwd_hash = x'01', view_pwd_salt = x'02' WHERE user_id = 2")
        #expect(try repo { try $0.counts() }.map(\.hasAgentUser) == [false])
        #expect(try repo { try $0.counts(hidden: .shown) }.count == 2)
    }

    private func insert(chat name: String, into chat: any WriteTransaction) throws {
        try chat.run(
            """
            INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type)
            VALUES (1, \(name), 'ready', 'contact')
            """)
    }

    private func insert(agent name: String, into agent: any WriteTransaction) throws {
        try agent.run(
            "INSERT INTO connections (conn_id, user_id, conn_mode) VALUES (\(AgentConnectionID(name)), 1, 'INV')")
    }
}
