import ChatDBKit
import Testing

@Suite struct MessagesTests {
    let test: TestStore
    let alice: User
    let group: GroupID
    let member: GroupMemberID

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        group = try test.addGroupChat("group", of: alice)
        member = try test.addMember("member", to: group, of: alice)
    }

    private func add(_ new: NewMessage, _ deliveries: [NewDelivery] = []) throws -> Message {
        try test.write { try MessagesWriter($0, clock: TestStore.clock).add(new, deliveries: deliveries, of: alice.id) }
    }

    @Test("a message is stored with its deliveries, and found by its shared id and by the agent's number")
    func add() throws {
        let connections = try (0..<1_200).map { try test.addConnection("c\($0)", member: member, of: alice) }
        var new = NewMessage(.sent, event: "x.msg.new", body: "{}")
        (new.groupID, new.sharedMessageID, new.authorID) = (group, "s", member)
        (new.forwardedByID, new.brokerTime) = (member, TestStore.time(1))
        let message = try add(
            new,
            connections.enumerated().map {
                NewDelivery(on: $1, agentMessageID: AgentMessageID(Int64($0)), status: .sndAgent)
            })
        #expect(message.direction == .sent && message.event == "x.msg.new" && message.body == "{}")
        #expect(message.groupID == group && message.authorID == member && message.forwardedByID == member)
        #expect(message.brokerTime == TestStore.time(1) && message.sharedMessageID == "s")
        try test.read { chat throws in
            let messages = MessagesRepo(chat)
            #expect(try messages.all(sharedID: "s", on: .group(group), of: alice.id) == [message])
            #expect(try messages.all(sharedID: "s", on: .connection(connections[0]), of: alice.id).isEmpty)
            let deliveries = try messages.deliveries(of: message.id, of: alice.id)
            #expect(deliveries.map(\.connectionID) == connections)
            #expect(
                try messages.deliveries(ofAgentMessage: AgentMessageID(7), on: connections[7], of: alice.id) == [
                    deliveries[7]
                ])
            #expect(
                try messages.deliveries(ofAgentMessage: AgentMessageID(7), on: connections[8], of: alice.id).isEmpty)
        }
    }

    @Test("the rows to which a message refers must be the profile's; otherwise nothing is stored")
    func refusals() throws {
        let bob = try test.addUser("bob")
        let bobs = try test.addConnection("b", of: bob)
        let other = try test.addMember("other", to: try test.addGroupChat("g2", of: alice), of: alice)
        var new = NewMessage(.sent, event: "x.msg.new", body: "{}")
        new.groupID = group
        #expect(throws: ChatsError.connectionNotFound(bobs)) {
            try add(new, [NewDelivery(on: bobs, status: .sndPending)])
        }
        new.authorID = other
        #expect(throws: ChatsError.memberNotFound(other)) { try add(new) }
        (new.authorID, new.connectionID) = (nil, bobs)
        #expect(throws: ChatsError.connectionNotFound(bobs)) { try add(new) }
        (new.connectionID, new.groupID) = (nil, GroupID(99))
        #expect(throws: ChatsError.chatNotFound(.group(GroupID(99)))) { try add(new) }
        #expect(try test.count("SELECT count(*) FROM messages") == 0)
    }

    @Test("a delivery gets its next status, and keeps the agent's number when no other is given")
    func deliveryStatus() throws {
        let connection = try test.addConnection("c", of: alice)
        let message = try add(
            NewMessage(.sent, event: "x.msg.new", body: "{}"), [NewDelivery(on: connection, status: .sndPending)])
        func delivery() throws -> MessageDelivery? {
            try test.read { try MessagesRepo($0).deliveries(of: message.id, of: alice.id).first }
        }
        let id = try #require(try delivery()).id
        try test.write {
            try MessagesWriter($0).setStatus(.sndAgent, agentMessage: AgentMessageID(5), of: id, of: alice.id)
        }
        try test.write { try MessagesWriter($0).setStatus(.sndSent, of: id, of: alice.id) }
        #expect(try delivery()?.agentMessageID == AgentMessageID(5) && delivery()?.status == .sndSent)
        let bob = try test.addUser("bob")
        #expect(throws: ChatsError.deliveryNotFound(id)) {
            try test.write { try MessagesWriter($0).setStatus(.sndSent, of: id, of: bob.id) }
        }
    }

    @Test("old messages are removed with their deliveries, and the items made from them stay")
    func deleteOld() throws {
        let connection = try test.addConnection("c", of: alice)
        let friend = try test.addContact("friend", of: alice)
        let new = NewMessage(.received, event: "x.msg.new", body: "{}")
        let message = try add(new, [NewDelivery(on: connection, agentMessageID: AgentMessageID(1), status: .rcvAgent)])
        let item = try test.say("x", in: .contact(friend), of: alice) { $0.messageID = message.id }
        let time = try #require(StoredTime(text: "2026-07-20 09:05:00.120"))
        try test.write { chat throws in
            let messages = MessagesWriter(chat)
            #expect(try messages.delete(storedBefore: time, of: alice.id) == 0)
            let later = StoredTime(microseconds: time.microseconds + 1_000)
            #expect(try messages.delete(storedBefore: later, of: alice.id) == 1)
        }
        #expect(try test.count("SELECT count(*) FROM msg_deliveries") == 0)
        let kept = try test.readItems { try $0.get(item.id, of: alice.id) }
        #expect(kept.text == "x" && kept.messageID == nil)
    }
}
