import ChatDBKit
import Testing

@Suite struct OperatorsAndServersTests {
    let test: TestStore
    let alice: User
    let roles = ServerRoles(storage: true, proxy: true)

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    private func addOperator(_ name: String, tag: OperatorTag? = nil, domains: [String]) throws -> ServerOperator {
        try test.write {
            try OperatorsWriter($0, clock: TestStore.clock).add(
                tag: tag, tradeName: name, legalName: nil, domains: domains, isEnabled: true,
                smpRoles: ServerRoles(storage: false, proxy: true, names: true), xftpRoles: roles)
        }
    }

    private func addServer(_ address: String) throws -> ProtocolServer {
        try test.write { try ServersWriter($0, clock: TestStore.clock).add(address, of: alice.id) }
    }

    @Test("an operator is read with all values that were added, in the order of adding, and its tag is unique")
    func operators() throws {
        let first = try addOperator("First", tag: .simplex, domains: ["a.example", "b.example"])
        let second = try addOperator("Second", domains: [])
        #expect(first.domains == ["a.example", "b.example"] && first.tag == .simplex)
        #expect(first.smpRoles == ServerRoles(storage: false, proxy: true, names: true) && first.xftpRoles == roles)
        #expect(try test.read { try OperatorsRepo($0).all() } == [first, second])
        #expect(throws: OperatorsError.duplicateOperatorTag(.simplex)) {
            try addOperator("Third", tag: .simplex, domains: [])
        }
        try test.write { try OperatorsWriter($0).setEnabled(second.id, false) }
        #expect(try test.read { try OperatorsRepo($0).get(second.id).isEnabled } == false)
        #expect(throws: OperatorsError.operatorNotFound(.id(ServerOperatorID(9)))) {
            try test.write { try OperatorsWriter($0).setEnabled(ServerOperatorID(9), true) }
        }
    }

    @Test("a server belongs to the first operator with a domain that is a suffix of one of its hosts, at a label")
    func ownerOfServer() throws {
        let first = try addOperator("First", domains: ["simplex.im"])
        let second = try addOperator("Second", domains: ["smp8.simplex.im", "flux.example"])
        let operators = [first, second]
        #expect(try operators.owner(of: addServer(server("smp8.simplex.im"))) == first)
        #expect(try operators.owner(of: addServer(server("evilsimplex.im"))) == nil)
        #expect(try operators.owner(of: addServer(server("x.example,smp1.flux.example"))) == second)
    }

    @Test("a relay belongs to the first operator that has one of its domains, not to one that has a parent domain")
    func ownerOfRelay() throws {
        let first = try addOperator("First", domains: ["simplex.im"])
        let operators = [first]
        #expect(operators.owner(of: try test.addRelay("r1.example", domains: ["simplex.im"], of: alice)) == first)
        #expect(operators.owner(of: try test.addRelay("r2.example", domains: ["r.simplex.im"], of: alice)) == nil)
        #expect(operators.owner(of: try test.addRelay("smp5.simplex.im", of: alice)) == nil, "the host does not count")
    }

    @Test("a server is listed with SMP first; one with the same primary host and port is a duplicate")
    func servers() throws {
        let files = try addServer(server("s1.example", .xftp))
        let messages = try addServer(server("s1.example,b.onion"))
        let other = try addServer(server("s1.example:5223"))
        #expect(try test.read { try ServersRepo($0).all(of: alice.id) } == [messages, other, files])
        let error = #expect(throws: ServersError.self) { try addServer(server("S1.example")) }
        #expect(error == .duplicateServer(existing: messages) && error?.code == "duplicateServerAddress")
        let invalid = #expect(throws: ServersError.self) { try addServer("smp://x@h.example") }
        #expect(invalid?.code == "invalidServerAddress")
        let bob = try test.addUser("bob")
        #expect(try test.read { try ServersRepo($0).find(messages.id, of: bob.id) } == nil)
        #expect(try test.read { try ServersRepo($0).all(of: bob.id) }.isEmpty)
    }

    @Test("the password of a server is in no description, dump or error")
    func password() throws {
        let secret = try addServer(server("s1.example", password: "s3cret"))
        #expect(secret.password == "s3cret" && secret.addressText(withPassword: true).contains(":s3cret@"))
        var dumped = ""
        dump(secret, to: &dumped)
        let error = #expect(throws: ServersError.self) { try addServer(server("s1.example", password: "s3cret")) }
        for text in ["\(secret)", String(reflecting: secret), dumped, secret.addressText(), error?.message ?? "?"] {
            #expect(!text.contains("s3cret"))
        }
    }
}
