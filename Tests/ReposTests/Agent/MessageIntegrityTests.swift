import ChatDBKit
import Testing

@Suite struct MessageIntegrityTests {
    private static func counters(last: Int64, hash: String) -> MessageCounters {
        MessageCounters(
            lastID: AgentMessageID(0), lastReceived: 0, lastSent: SenderMessageNumber(0),
            lastExternal: SenderMessageNumber(last), lastReceivedHash: secret(hash), lastSentHash: secret(""))
    }

    @Test(
        "the integrity of a message follows from its number, then from the hash of the one before",
        arguments: [
            (0, "", 1, "", MessageIntegrity.ok), (5, "h", 6, "h", .ok), (5, "h", 6, "x", .badHash),
            (5, "h", 5, "h", .duplicate), (5, "h", 4, "h", .badID), (5, "h", 7, "x", .skipped(from: 6, to: 6)),
            (5, "h", 10, "h", .skipped(from: 6, to: 9)), (0, "", 3, "", .skipped(from: 1, to: 2)),
            (.max, "h", .max, "h", .duplicate), (.max, "h", .min, "h", .badID),
            (.min, "h", .max, "h", .skipped(from: .min + 1, to: .max - 1)), (.max - 1, "h", .max, "h", .ok),
        ])
    func table(_ last: Int64, _ hash: String, _ number: Int64, _ previous: String, _ expected: MessageIntegrity) {
        let integrity = MessageIntegrity(
            of: SenderMessageNumber(number), previousHash: secret(previous),
            after: Self.counters(last: last, hash: hash))
        #expect(integrity == expected)
    }

    @Test("for messages in any order, the store gives the same integrity as a model of the rule", arguments: 1...20)
    func property(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let world = try AgentWorld()
        let connection = try world.connection("c")
        let other = try world.connection("d")
        var (highest, highestHash) = (Int64(0), "")
        var (total, received, sent) = (Int64(0), Int64(0), Int64(0))
        for step in 0..<60 {
            if Int.random(in: 0..<4, using: &random) == 0 {
                let message = try world.send(.own(secret("b\(step)")), on: connection)
                (total, sent) = (total + 1, sent + 1)
                #expect(message.id.rawValue == total && message.number.rawValue == sent)
                continue
            }
            let number = max(0, highest + Int64.random(in: -2...3, using: &random))
            let previous = Bool.random(using: &random) ? highestHash : "wrong"
            let expected: MessageIntegrity =
                switch number - highest {
                case ..<0: .badID
                case 0: .duplicate
                case 1: previous == highestHash ? .ok : .badHash
                default: .skipped(from: highest + 1, to: number - 1)
                }
            let message = try world.write {
                try AgentMessagesWriter($0).receive(
                    incoming(number, hash: "h\(step)", after: previous, broker: "b\(step)"), on: connection)
            }
            (total, received) = (total + 1, received + 1)
            if number > highest { (highest, highestHash) = (number, "h\(step)") }
            #expect(message.integrity == expected)
            #expect(message.id.rawValue == total && message.receivedNumber == received)
        }
        try world.read { agent in
            let counters = try AgentConnectionsRepo(agent).get(connection).counters
            #expect(counters.lastID.rawValue == total && counters.lastReceived == received)
            #expect(counters.lastSent.rawValue == sent && counters.lastExternal.rawValue == highest)
            #expect(counters.lastReceivedHash == secret(highestHash))
            #expect(try AgentConnectionsRepo(agent).get(other).counters.lastID.rawValue == 0)
        }
    }
}
