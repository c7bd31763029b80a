import ChatDBKit
import Testing

@Suite struct RatchetsTests {
    let world: AgentWorld
    let connection: AgentConnectionID

    init() throws {
        world = try AgentWorld()
        connection = try world.connection("c")
    }

    private let keys = AgreementKeys(
        private1: secret("1"), private2: secret("2"), public1: secret("3"), public2: secret("4"))

    @Test("first there are keys for agreeing, then the ratchet in their place, which every message changes")
    func life() throws {
        try world.write { agent in
            let writer = RatchetsWriter(agent)
            let ratchets = RatchetsRepo(agent)
            #expect(try ratchets.find(connection) == nil)
            #expect(code { try ratchets.get(connection) } == "ratchetNotFound")
            #expect(code { try writer.update(secret("s"), of: connection) } == "ratchetNotFound")
            try writer.store(keys, version: 2, of: connection)
            #expect(try ratchets.get(connection).agreement == keys && ratchets.get(connection).state == nil)
            #expect(code { try writer.update(secret("s"), of: connection) } == "ratchetNotAgreed")
            try writer.store(secret("state"), version: 3, of: connection)
            let agreed = try ratchets.get(connection)
            #expect(agreed.agreement == nil && agreed.state == secret("state") && agreed.version == 3)
            try writer.update(secret("next"), of: connection)
            #expect(try ratchets.get(connection).state == secret("next"))
            try writer.store(keys, version: 2, of: connection)
            let newer = AgreementKeys(private1: secret("5"), private2: secret("6"))
            try writer.store(newer, version: 3, of: connection)
            let renewed = try ratchets.get(connection)
            #expect(renewed.agreement == newer && renewed.state == nil && renewed.version == 3)
            let missing = AgentConnectionID("x")
            #expect(code { try writer.store(keys, version: 1, of: missing) } == "agentConnectionNotFound")
            #expect(code { try writer.store(secret("s"), version: 1, of: missing) } == "agentConnectionNotFound")
        }
    }

    @Test("the key of a skipped message is used once; keys stay after a renewal and are removed with the ratchet")
    func skipped() throws {
        func key(_ number: Int64, _ header: String = "h") -> SkippedMessageKey {
            SkippedMessageKey(headerKey: secret(header), messageNumber: number, messageKey: secret("k\(number)"))
        }
        try world.write { agent in
            let writer = RatchetsWriter(agent)
            let ratchets = RatchetsRepo(agent)
            #expect(code { try writer.addSkipped([key(1)], of: connection) } == "ratchetNotFound")
            try writer.store(secret("state"), version: 3, of: connection)
            try writer.addSkipped((1...450).map { key($0) } + [key(1, "other")], of: connection)
            try writer.addSkipped([], of: connection)
            #expect(try ratchets.skippedKeys(of: connection).count == 451)
            #expect(code { try writer.addSkipped([key(500), key(7)], of: connection) } == "duplicateSkippedKey")
            #expect(code { try writer.addSkipped([key(500), key(500)], of: connection) } == "duplicateSkippedKey")
            #expect(try ratchets.skippedKeys(of: connection).count == 451)
            let taken = try (1...2).map { _ in
                try writer.takeSkipped(headerKey: secret("h"), number: 7, of: connection)
            }
            #expect(taken == [secret("k7"), nil])
            #expect(try writer.takeSkipped(headerKey: secret("no"), number: 1, of: connection) == nil)
            try writer.store(keys, version: 3, of: connection)
            #expect(try ratchets.skippedKeys(of: connection).count == 450)
            #expect(try writer.deleteSkipped(of: connection) == 450)
            try writer.addSkipped([key(7)], of: connection)
            try writer.delete(connection)
            #expect(try ratchets.skippedKeys(of: connection) == [])
            #expect(code { try writer.delete(connection) } == "ratchetNotFound")
        }
    }

    @Test("keys that were used to renew a ratchet are known by their hash, until it is forgotten")
    func keyHashes() throws {
        let other = try world.connection("d")
        let late = StoredTime(microseconds: AgentWorld.time.microseconds + 1_000)
        try world.write { agent in
            let writer = RatchetsWriter(agent, clock: AgentWorld.clock)
            let isNew = try writer.remember(keyHash: secret("h"), of: connection)
            #expect(isNew)
            #expect(try !writer.remember(keyHash: secret("h"), of: connection))
            #expect(try writer.remember(keyHash: secret("h"), of: other))
            #expect(try RatchetsRepo(agent).isProcessed(keyHash: secret("h"), of: connection))
            #expect(try writer.forgetKeyHashes(before: AgentWorld.time) == 0)
            #expect(try writer.forgetKeyHashes(before: late) == 2)
            #expect(try !RatchetsRepo(agent).isProcessed(keyHash: secret("h"), of: connection))
            let missing = AgentConnectionID("x")
            #expect(code { try writer.remember(keyHash: secret("h"), of: missing) } == "agentConnectionNotFound")
        }
    }
}
