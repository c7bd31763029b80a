import ChatDBKit
import Testing

@Suite struct AgentConnectionsTests {
    let world: AgentWorld

    init() throws { world = try AgentWorld() }

    @Test("numbers of profiles are never used again, not even after the last one is removed")
    func numbers() throws {
        try world.write { agent in
            let users = AgentUsersWriter(agent)
            let last = try users.create()
            try users.markDeleted(last.id)
            try users.remove(last.id)
            #expect(try users.create().id > last.id)
            #expect(try AgentUsersRepo(agent).all().map(\.id).prefix(2) == [world.alice, world.bob])
        }
    }

    @Test(
        "a profile is deleted in two phases: marked with its connections and queues, then removed when no connection is left"
    )
    func deletingProfile() throws {
        let id = try world.connection("c")
        let bobs = try world.connection("b", of: world.bob)
        let address = try world.receiveQueue("q", on: id)
        let bobsQueue = try world.receiveQueue("bq", on: bobs)
        try world.write { agent in
            let users = AgentUsersWriter(agent)
            #expect(code { try users.remove(world.alice) } == "notMarkedDeleted")
            try users.markDeleted(world.alice)
            #expect(code { try users.markDeleted(world.alice) } == "agentUserNotFound")
            #expect(try AgentUsersRepo(agent).find(world.alice) == nil)
            #expect(try AgentUsersRepo(agent).get(world.alice, includingDeleted: true).isDeleted)
            #expect(try AgentConnectionsRepo(agent).find(id) == nil)
            #expect(try ReceiveQueuesRepo(agent).toDelete(at: AgentWorld.server).map(\.address) == [address])
            #expect(try AgentConnectionsRepo(agent).all(of: world.bob).map(\.id) == [bobs])
            #expect(try ReceiveQueuesRepo(agent).get(bobsQueue).isDeleted == false)

            #expect(throws: AgentUsersError.connectionsLeft(world.alice, count: 1)) { try users.remove(world.alice) }
            #expect(try users.removeCompleted() == [])
            #expect(try AgentConnectionsWriter(agent).removeCompleted(of: world.alice) == 0, "its queue is there")
            try ReceiveQueuesWriter(agent).remove(address)
            #expect(try AgentConnectionsWriter(agent).removeCompleted(of: world.bob) == 0)
            #expect(try AgentConnectionsRepo(agent).removable(of: world.alice).map(\.id) == [id])
            #expect(try AgentConnectionsWriter(agent).removeCompleted(of: world.alice) == 1)
            #expect(try users.removeCompleted() == [world.alice])
            #expect(try AgentUsersRepo(agent).all(includingDeleted: true).map(\.id) == [world.bob])
        }
    }

    @Test("a connection starts with nothing sent or received, and its id is its own in the whole store")
    func create() throws {
        let id = try world.connection("c", .contact)
        try world.write { agent in
            let connection = try AgentConnectionsRepo(agent).get(id, of: world.alice)
            #expect(connection.mode == .contact && connection.ratchetSyncState == .ok && connection.hasNotifications)
            #expect(connection.counters.lastID.rawValue == 0 && connection.counters.lastReceivedHash.isEmpty)
            let writer = AgentConnectionsWriter(agent)
            #expect(throws: AgentConnectionsError.connectionExists(id)) {
                try writer.create(id, .invitation, of: world.bob)
            }
            #expect(throws: AgentConnectionsError.agentUserNotFound(AgentUserID(9))) {
                try writer.create(AgentConnectionID("d"), .invitation, of: AgentUserID(9))
            }
            try AgentUsersWriter(agent).markDeleted(world.bob)
            #expect(throws: AgentConnectionsError.agentUserNotFound(world.bob)) {
                try writer.create(AgentConnectionID("d"), .invitation, of: world.bob)
            }
        }
    }

    @Test("switches of a connection are its profile's, and the state of its ratchets is found by profile")
    func switches() throws {
        let id = try world.connection("c")
        try world.write { agent in
            let writer = AgentConnectionsWriter(agent, clock: AgentWorld.clock)
            #expect(throws: AgentConnectionsError.connectionNotFound(id)) {
                try writer.setNotifications(false, for: id, of: world.bob)
            }
            try writer.setNotifications(false, for: id, of: world.alice)
            #expect(try AgentConnectionsRepo(agent).outOfSync(of: world.alice) == [])
            try writer.setRatchetSyncState(.required, of: id)
            let found = try AgentConnectionsRepo(agent).outOfSync(of: world.alice)
            #expect(found.map(\.ratchetSyncState) == [.required] && found.map(\.hasNotifications) == [false])
            #expect(try AgentConnectionsRepo(agent).outOfSync(of: world.bob) == [])
            #expect(
                code { try writer.setRatchetSyncState(.ok, of: AgentConnectionID("x")) } == "agentConnectionNotFound")
        }
    }

    @Test("a connection is removed only when it is marked and its last queue is removed")
    func deleting() throws {
        let id = try world.connection("c")
        let address = try world.receiveQueue("q", on: id)
        try world.write { agent in
            let writer = AgentConnectionsWriter(agent)
            #expect(code { try writer.remove(id, of: world.alice) } == "notMarkedDeleted")
            #expect(code { try writer.markDeleted(id, of: world.bob) } == "agentConnectionNotFound")
            try writer.markDeleted(id, of: world.alice)
            #expect(code { try writer.markDeleted(id, of: world.alice) } == "agentConnectionNotFound")
            #expect(throws: AgentConnectionsError.queuesLeft(id, count: 1)) { try writer.remove(id, of: world.alice) }
            try ReceiveQueuesWriter(agent).remove(address)
            #expect(code { try writer.remove(id, of: world.bob) } == "agentConnectionNotFound")
            try writer.remove(id, of: world.alice)
            #expect(try AgentConnectionsRepo(agent).find(id, includingDeleted: true) == nil)
        }
    }

    @Test("a key hash without its padding is the same one, and is stored with it")
    func keyHashes() throws {
        let (bare, padded) = (key(3), key(3) + "=")
        let id = AgentServerID(host: "a.example", port: "")
        let files = [bare, padded].map { FileServer(host: "f.example", port: "443", keyHash: $0) }
        #expect(files[0] == files[1] && files[0].keyHash == padded)
        try world.write { agent in
            let writer = AgentServersWriter(agent)
            #expect(try writer.add(id, keyHash: bare).keyHash == padded)
            #expect(try writer.add(id, keyHash: padded).keyHash == padded)
            try writer.setKeyHash(bare, of: id)
            #expect(try agent.count("SELECT count(*) FROM servers WHERE key_hash = \(padded)") == 1)
            try agent.run("UPDATE servers SET key_hash = \(bare) WHERE host = \(id.host)")
            #expect(try writer.add(id, keyHash: padded).keyHash == padded, "an earlier version stored it as given")
            let tokens = NotificationTokensWriter(agent)
            try tokens.addServer(id, keyHash: bare)
            try tokens.addServer(id, keyHash: padded)
            try agent.run("UPDATE ntf_servers SET ntf_key_hash = \(bare)")
            try tokens.addServer(id, keyHash: padded)
        }
    }

    @Test("a server is known once; another certificate for it is refused, and only unused servers are removed")
    func servers() throws {
        let spare = AgentServerID(host: "spare.example", port: "")
        try world.receiveQueue("q", on: world.connection("c"))
        try world.write { agent in
            let writer = AgentServersWriter(agent)
            #expect(throws: AgentServersError.differentKeyHash(AgentWorld.server)) {
                try writer.add(AgentWorld.server, keyHash: "other=")
            }
            #expect(try writer.add(AgentWorld.server, keyHash: "k=").keyHash == "k=")
            try writer.add(spare, keyHash: "s=")
            try writer.setKeyHash("t=", of: spare)
            #expect(try AgentServersRepo(agent).all().map(\.keyHash) == ["k=", "t="])
            #expect(try AgentServersRepo(agent).toSubscribe().map(\.id) == [AgentWorld.server])
            #expect(try writer.removeUnused() == 1)
            #expect(try AgentServersRepo(agent).all().map(\.id) == [AgentWorld.server])
            #expect(code { try writer.setKeyHash("t=", of: spare) } == "agentServerNotFound")
        }
    }
}
