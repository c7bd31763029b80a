import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Connections", Errors.
@Suite struct ConnectionStatesTests {
    let world: ContactWorld
    let contact: Contact

    init() throws {
        world = try ContactWorld()
        contact = try world.addContact("friend", of: world.alice)
    }

    private func change<T>(_ body: (ConnectionsWriter) throws -> T) throws -> T {
        try world.test.write { try body(ConnectionsWriter($0, clock: TestStore.clock)) }
    }

    @Test("a connection is disabled after 10 errors of authentication in a row, and inactive after 5 of a full queue")
    func counters() throws {
        let connection = try world.addConnection("c", .contact(contact.id), of: world.alice)
        let user = world.alice.id
        #expect(connection.authenticationErrors == 0 && connection.quotaErrors == 0)
        for count in 1...10 {
            let after = try change { try $0.countError(.authentication, of: connection.id, of: user) }
            #expect(after.authenticationErrors == count && after.isDisabled == (count == 10) && !after.isInactive)
        }
        for count in 1...5 {
            let after = try change { try $0.countError(.quota, of: connection.id, of: user) }
            #expect(after.quotaErrors == count && after.isInactive == (count == 5))
        }
        #expect(ChatConnection.disablingErrors == 10 && ChatConnection.inactivatingErrors == 5)
        let active = try change { try $0.resetErrors(.quota, of: connection.id, of: user) }
        #expect(active.isDisabled && active.quotaErrors == 0)
        let given = try change { try $0.makeInactive(connection.id, of: user) }
        #expect(given.isInactive && given.quotaErrors == 999)
        let enabled = try change { try $0.resetErrors(.authentication, of: connection.id, of: user) }
        #expect(enabled.authenticationErrors == 0 && enabled.isInactive)
        let works = try change { try $0.resetErrors(of: connection.id, of: user) }
        #expect(!works.isDisabled && !works.isInactive && works.quotaErrors == 0)
        try world.refuses("connectionNotFound", ConnectionsError.self) {
            try ConnectionsWriter($0).countError(.quota, of: connection.id, of: world.bob.id)
        }
    }

    @Test("a counter stays at the greatest number")
    func greatest() throws {
        let connection = try world.addConnection("c", .contact(contact.id), of: world.alice)
        try world.test.write { try $0.run("UPDATE connections SET auth_err_counter = \(Int64.max)") }
        let after = try change { try $0.countError(.authentication, of: connection.id, of: world.alice.id) }
        #expect(after.authenticationErrors == Int.max)
    }

    @Test("connections that stopped working are listed, by number; none that were given up, and none of others")
    func failing() throws {
        let connections = try ["a", "b", "c", "d"].map { try world.addConnection($0, of: world.alice) }
        let others = try world.addConnection("other", of: world.bob)
        for _ in 1...10 {
            _ = try change { try $0.countError(.authentication, of: connections[0].id, of: world.alice.id) }
        }
        for connection in connections[1...2] {
            _ = try change { try $0.makeInactive(connection.id, of: world.alice.id) }
        }
        _ = try change { try $0.makeInactive(others.id, of: world.bob.id) }
        _ = try change { try $0.setStatus(.deleted, of: connections[2].id, of: world.alice.id) }
        try world.test.write { chat throws in
            let failing = try ConnectionsRepo(chat).failing(of: world.alice.id)
            #expect(failing.map(\.id) == connections[0...1].map(\.id))
            #expect(failing.map(\.isDisabled) == [true, false])
            let recording = RecordingTransaction(chat)
            _ = try ConnectionsRepo(recording).failing(of: world.alice.id)
            let query = try #require(recording.queries.first)
            let plan = try chat.rows("EXPLAIN QUERY PLAN " + query).map { try $0.get("detail") as String }
            #expect(plan.contains { $0.contains("idx_connections_failing") }, "\(plan)")
        }
    }

    @Test("the connections in use of several people are read at once: the newest of each")
    func inUse() throws {
        let (_, member) = try world.addGroup("group", of: world.alice)
        let lonely = try world.addContact("lonely", of: world.alice)
        _ = try world.addConnection("old", .contact(contact.id), of: world.alice)
        let new = try world.addConnection("new", .contact(contact.id), of: world.alice)
        let ofMember = try world.addConnection("member", .member(member), of: world.alice)
        try world.test.write { chat throws in
            let recording = RecordingTransaction(chat)
            let connections = ConnectionsRepo(recording)
            let ids = [contact.id, lonely.id]
            #expect(try connections.inUse(ofContacts: ids, of: world.alice.id) == [contact.id: new])
            #expect(try connections.inUse(ofMembers: [member], of: world.alice.id) == [member: ofMember])
            #expect(recording.queries.count == 2)
            #expect(try connections.inUse(ofContacts: ids, of: world.bob.id).isEmpty)
            #expect(try connections.inUse(ofMembers: [member], of: world.bob.id).isEmpty)
            #expect(try connections.inUse(ofContacts: [], of: world.alice.id).isEmpty)
        }
    }

    @Test("the random profile of a new connection can be set, changed and removed; the old one is removed with it")
    func incognito() throws {
        let connection = try world.addConnection("c", of: world.alice)
        let user = world.alice.id
        let first = try change {
            try $0.setIncognitoProfile(ContactProfileContent(displayName: "red fox"), of: connection.id, of: user)
        }
        let second = try change {
            try $0.setIncognitoProfile(ContactProfileContent(displayName: "blue cat"), of: connection.id, of: user)
        }
        #expect(first.incognitoProfileID != nil && second.incognitoProfileID != nil)
        let names: Query = "SELECT count(*) FROM contact_profiles WHERE incognito = 1"
        #expect(try world.test.count(names) == 1)
        #expect(try world.test.count("\(names) AND display_name = 'blue cat'") == 1)
        try world.refuses("invalidContactName", ConnectionsError.self) {
            try ConnectionsWriter($0).setIncognitoProfile(
                ContactProfileContent(displayName: " "), of: connection.id, of: user)
        }
        #expect(try change { try $0.setIncognitoProfile(nil, of: connection.id, of: user) }.incognitoProfileID == nil)
        #expect(try world.test.count(names) == 0)
        _ = try change { try $0.setStatus(.joined, of: connection.id, of: user) }
        let owned = try world.addConnection("owned", .contact(contact.id), of: world.alice)
        for id in [connection.id, owned.id] {
            try world.refuses("connectionStarted", ConnectionsError.self) {
                try ConnectionsWriter($0).setIncognitoProfile(nil, of: id, of: user)
            }
        }
    }
}
