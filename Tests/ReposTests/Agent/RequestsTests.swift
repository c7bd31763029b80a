import ChatDBKit
import Testing

@Suite struct RequestsTests {
    let world: AgentWorld
    let connection: AgentConnectionID

    init() throws {
        world = try AgentWorld()
        connection = try world.connection("c")
    }

    private func confirmation(_ name: String) -> NewAgentConfirmation {
        NewAgentConfirmation(
            id: ConfirmationID(name), e2ePublicKey: secret("1"), senderKey: secret("2"), ratchetState: secret("3"),
            senderInfo: secret("4"))
    }

    @Test("several answers to an invitation may come, and one of them is accepted")
    func confirmations() throws {
        try world.write { agent in
            let writer = ConfirmationsWriter(agent)
            let confirmations = ConfirmationsRepo(agent)
            let first = try writer.create(confirmation("a"), of: connection)
            try writer.create(confirmation("b"), of: connection)
            #expect(first.senderKey == secret("2") && !first.isAccepted && first.ownInfo == nil)
            #expect(code { try writer.create(confirmation("a"), of: connection) } == "confirmationExists")
            #expect(
                code { try writer.create(confirmation("c"), of: AgentConnectionID("x")) } == "agentConnectionNotFound")
            #expect(try confirmations.accepted(of: connection) == nil)
            let accepted = try writer.accept(ConfirmationID("b"), ownInfo: secret("me"))
            #expect(accepted.isAccepted && accepted.ownInfo == secret("me"))
            #expect(try confirmations.accepted(of: connection) == accepted)
            let refused = ConfirmationsError.alreadyAccepted(existing: ConfirmationID("b"))
            #expect(throws: refused) { try writer.accept(ConfirmationID("a"), ownInfo: secret("me")) }
            #expect(throws: refused) { try writer.create(confirmation("c"), of: connection) }
            #expect(code { try writer.accept(ConfirmationID("x"), ownInfo: secret("me")) } == "confirmationNotFound")
            #expect(try confirmations.all(of: connection) == [first, accepted])
            #expect(try writer.deleteAll(of: connection) == 2)
            #expect(code { try confirmations.get(first.id) } == "confirmationNotFound")
        }
    }

    @Test("a request belongs to an address, is accepted once, and is removed with the address")
    func invitations() throws {
        let address = try world.connection("address", .contact)
        try world.write { agent in
            let writer = InvitationsWriter(agent)
            let invitations = InvitationsRepo(agent)
            func create(_ name: String, _ id: AgentConnectionID) throws -> AgentInvitation {
                try writer.create(InvitationID(name), secret("inv"), senderInfo: secret("them"), through: id)
            }
            #expect(code { try create("a", connection) } == "notAnAddress")
            #expect(code { try create("a", AgentConnectionID("x")) } == "agentConnectionNotFound")
            let first = try create("a", address)
            let second = try create("b", address)
            #expect(code { try create("a", address) } == "invitationExists")
            #expect(try invitations.all(through: address) == [first, second])
            #expect(try writer.accept(first.id, ownInfo: secret("me")).ownInfo == secret("me"))
            #expect(code { try writer.accept(first.id, ownInfo: secret("me")) } == "alreadyAccepted")
            try writer.withdraw(first.id)
            #expect(try invitations.get(first.id) == first)
            #expect(try writer.accept(first.id, ownInfo: secret("me")).isAccepted)
            try writer.delete(first.id)
            for act in [writer.delete, writer.withdraw] { #expect(code { try act(first.id) } == "invitationNotFound") }
            try AgentConnectionsWriter(agent).markDeleted(address, of: world.alice)
            try AgentConnectionsWriter(agent).remove(address, of: world.alice)
            #expect(code { try invitations.get(second.id) } == "invitationNotFound")
        }
    }

    @Test("commands of a connection are done in their order at each server, and failed ones are skipped")
    func commands() throws {
        let other = try world.connection("d")
        try world.write { agent in
            let writer = CommandsWriter(agent)
            let commands = CommandsRepo(agent)
            func add(_ tag: String, _ id: AgentConnectionID, _ server: AgentServerID?) throws -> AgentCommand {
                try writer.add(secret(tag), tag: tag, correlationID: CorrelationID(tag), of: id, at: server)
            }
            let server = AgentWorld.server
            let nowhere = AgentServerID(host: "no.example", port: "1")
            let first = try add("A", connection, server)
            let second = try add("B", connection, nil)
            let third = try add("C", connection, server)
            let others = try add("D", other, server)
            #expect(code { try add("E", connection, nowhere) } == "agentServerNotFound")
            #expect(code { try add("E", AgentConnectionID("x"), nil) } == "agentConnectionNotFound")
            #expect(try commands.next(of: connection) == first)
            #expect(try commands.next(of: connection, at: nil) == second)
            #expect(try commands.waiting(at: server) == [connection, other])
            #expect(try commands.waiting(at: nil) == [connection])
            #expect(try AgentServersRepo(agent).withCommands().map(\.id) == [server])
            try writer.failed(first.id)
            #expect(try commands.get(first.id).isFailed)
            #expect(try commands.next(of: connection, at: server) == third)
            #expect(try commands.waiting(at: server) == [connection, other])
            try writer.delete(second.id)
            #expect(try commands.next(of: connection) == third)
            #expect(code { try writer.move(third.id, to: nowhere) } == "agentServerNotFound")
            try writer.move(third.id, to: nil)
            #expect(try commands.get(third.id).server == nil)
            #expect(try commands.waiting(at: server) == [other])
            try AgentConnectionsWriter(agent).markDeleted(other, of: world.alice)
            #expect(try commands.waiting(at: server) == [] && commands.next(of: other) == nil)
            #expect(try commands.next(of: other, at: server) == nil)
            #expect(try commands.get(others.id) == others)
            let missing = AgentCommandID(99)
            #expect(code { try writer.failed(missing) } == "commandNotFound")
            #expect(code { try writer.delete(missing) } == "commandNotFound")
            #expect(code { try writer.move(missing, to: nil) } == "commandNotFound")
        }
    }
}
