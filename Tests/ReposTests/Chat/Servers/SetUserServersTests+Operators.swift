import ChatDBKit
import Testing

// Operators are every profile's: what a change to them does to the others, and to servers that they have.

extension SetUserServersTests {
    @Test("two servers that the database cannot hold are refused, though validation does not look at them")
    func keysOfOperatorOff() throws {
        let added = try addOperator()
        try test.write { chat in
            for text in [server("s1.example"), server("s2.example", .xftp)] {
                try ServersWriter(chat).add(text, of: alice.id)
            }
            try OperatorsWriter(chat).setEnabled(added.id, false)
        }
        try refused(Changes(servers: [.add(try entry(server("smp.op.example")))]), "duplicateServerAddress")
        let twice = try entry(server("new.op.example"))
        try refused(Changes(servers: [.add(twice), .add(twice)]), "duplicateServerAddress")
        let error = #expect(throws: ServersError.self) { try set(Changes(servers: [.add(twice), .add(twice)])) }
        #expect(error?.message.hasSuffix("it is given twice") == true)
    }

    @Test(
        "an operator stays on if another profile would have no servers; errors of before do not refuse the change"
    )
    func otherProfiles() throws {
        let added = try addOperator()
        let bob = try test.addUser("bob")
        let off = Changes.OperatorEntry(
            id: added.id, isEnabled: false, smpRoles: .ofOwnServers, xftpRoles: .ofOwnServers)
        let mine = Changes(
            operators: [off],
            servers: [.add(try entry(server("s1.example"))), .add(try entry(server("s2.example", .xftp)))])
        // Bob has no servers at all: that was so before.
        try test.write { chat in
            _ = try ServersWriter(chat).set(mine, of: alice.id)
            try OperatorsWriter(chat).setEnabled(added.id, true)
        }
        #expect(try servers().count == 4)
        _ = try Self.addServers(of: bob, in: test)
        try refused(Changes(operators: [off]), "validationFailed")
        try test.hide(bob)
        let error = #expect(throws: ServersError.self) { try set(Changes(operators: [off])) }
        #expect(error?.message.hasSuffix("and 1 hidden profile") == true && error?.message.contains("bob") == false)
    }

    @Test("changes that leave another profile with fewer errors are allowed, although it still has some")
    func betterOff() throws {
        let added = try addOperator()
        let bob = try test.addUser("bob")
        _ = try Self.addServers(of: bob, in: test)
        let own = Changes(servers: [
            .add(try entry(server("s1.example"))), .add(try entry(server("s2.example", .xftp))),
        ])
        _ = try set(own)
        try test.write { try OperatorsWriter($0).setEnabled(added.id, false) }
        let noStorage = ServerRoles(storage: false, proxy: true)
        let roles = Changes.OperatorEntry(
            id: added.id, isEnabled: true, smpRoles: noStorage, xftpRoles: .ofOwnServers)
        _ = try set(Changes(operators: [roles]))
        let found = try test.read { try ServersRepo($0).validation(of: bob.id) }
        #expect(found.errors.map(\.problem) == [.storageMissing(.smp)])
    }

    @Test("operators change for every profile: switch and roles")
    func operators() throws {
        let added = try addOperator()
        let smpRoles = ServerRoles(storage: true, proxy: true, names: true)
        let xftpRoles = ServerRoles(storage: true, proxy: true, names: false)
        _ = try set(
            Changes(operators: [.init(id: added.id, isEnabled: true, smpRoles: smpRoles, xftpRoles: xftpRoles)]))
        #expect(try test.read { try OperatorsRepo($0).get(added.id).smpRoles } == smpRoles)
        let none = ServerRoles(storage: false, proxy: true)
        try refused(
            Changes(operators: [.init(id: added.id, isEnabled: true, smpRoles: none, xftpRoles: xftpRoles)]),
            "validationFailed")
    }
}
