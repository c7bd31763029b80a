import ChatDBKit

/// An agent database with a server and two profiles, alice and bob, and short words for what tests do in it.
struct AgentWorld {
    static let server = AgentServerID(host: "smp.example", port: "5223")
    static let clock = TestStore.clock
    /// The time of the clock.
    static let time = StoredTime(text: "2026-07-20 09:05:00.120") ?? StoredTime(microseconds: 0)

    let test: TestStore
    let alice: AgentUserID
    let bob: AgentUserID

    init() throws {
        test = try TestStore()
        (alice, bob) = try test.store.write(.agent) { agent in
            try AgentServersWriter(agent, clock: Self.clock).add(Self.server, keyHash: "k=")
            let users = AgentUsersWriter(agent, clock: Self.clock)
            return try (users.create().id, users.create().id)
        }
    }

    func read<T>(_ body: (any ReadTransaction) throws -> T) throws -> T { try test.store.read(.agent, body) }

    @discardableResult
    func write<T>(_ body: (any WriteTransaction) throws -> T) throws -> T { try test.store.write(.agent, body) }

    func count(_ query: Query) throws -> Int { try test.count(query, in: .agent) }

    @discardableResult
    func connection(
        _ name: String, _ mode: ConnectionMode = .invitation, of user: AgentUserID? = nil
    ) throws -> AgentConnectionID {
        let id = AgentConnectionID(name)
        try write { try AgentConnectionsWriter($0, clock: Self.clock).create(id, mode, of: user ?? alice) }
        return id
    }

    @discardableResult
    func receiveQueue(_ name: String, on connection: AgentConnectionID) throws -> QueueAddress {
        try write {
            try ReceiveQueuesWriter($0, clock: Self.clock).add(
                queue(name), senderID: QueueID("sender of \(name)"), keys: receiveKeys(), to: connection)
        }.address
    }

    @discardableResult
    func sendQueue(_ name: String, on connection: AgentConnectionID) throws -> SendQueue {
        try write {
            try SendQueuesWriter($0, clock: Self.clock).add(queue(name), keys: sendKeys(), to: connection)
        }
    }

    /// Sends a body, and lets it wait for queues.
    @discardableResult
    func send(
        _ body: SentBody, on connection: AgentConnectionID, through queues: [QueueNumber] = [],
        clock: StoreClock = AgentWorld.clock
    ) throws -> SentMessage {
        try write { agent in
            let message = try AgentMessagesWriter(agent, clock: clock).send(
                NewSentMessage(type: "M", body: body), on: connection
            ) { number, previous in SecretBytes([UInt8(truncatingIfNeeded: number.rawValue)] + previous.bytes.suffix(3))
            }
            if !queues.isEmpty {
                try DeliveriesWriter(agent, clock: clock).add(message.id, on: connection, through: queues)
            }
            return message
        }
    }
}

extension BytesID {
    init(_ text: String) { self.init(bytes: Array(text.utf8)) }
}

func queue(_ name: String, at server: AgentServerID = AgentWorld.server) -> QueueAddress {
    QueueAddress(server: server, id: QueueID(name))
}

func secret(_ text: String) -> SecretBytes { SecretBytes(Array(text.utf8)) }

func receiveKeys(_ text: String = "key") -> ReceiveQueueKeys {
    ReceiveQueueKeys(
        privateKey: secret(text), serverSecret: secret(text), e2ePrivateKey: secret(text), e2eSecret: secret(text),
        senderKey: secret(text))
}

func sendKeys(_ text: String = "key") -> SendQueueKeys {
    SendQueueKeys(
        publicKey: secret(text), privateKey: secret(text), e2ePublicKey: secret(text), e2eSecret: secret(text))
}

/// A message that came.
func incoming(
    _ number: Int64, hash: String, after previous: String, broker: String = "broker", queue: QueueNumber? = nil
) -> NewReceivedMessage {
    NewReceivedMessage(
        senderNumber: SenderMessageNumber(number), brokerID: BrokerMessageID(broker),
        brokerTime: StoredTime(microseconds: 0), queue: queue, type: "M", flags: "T", body: secret("body"),
        hash: secret(hash), previousHash: secret(previous))
}

/// Runs a body that must throw, and answers the code of its error.
func code<T>(_ body: () throws -> T) -> String? {
    do {
        _ = try body()
        return nil
    } catch let error as any RuleViolation {
        return error.code
    } catch {
        return "\(error)"
    }
}
