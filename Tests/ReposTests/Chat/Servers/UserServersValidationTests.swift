import ChatDBKit
import Testing

@Suite struct UserServersValidationTests {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        try addServers(of: alice)
    }

    /// What makes a profile complete: a server of each protocol, with all roles, and a relay; all are of the operator
    /// whose domain is `op.example`, once there is one.
    private func addServers(of user: User) throws {
        try test.write { chat in
            let smp = try ServersWriter(chat).add(server("smp.op.example"), of: user.id)
            try ServersWriter(chat).setRoles(smp.id, ServerRoleChoices(names: true), of: user.id)
            try ServersWriter(chat).add(server("xftp.op.example", .xftp), of: user.id)
        }
        try test.addRelay("relay.example", domains: ["op.example"], of: user)
    }

    private func validation(_ hidden: HiddenProfiles = .leftOut) throws -> UserServersValidation {
        try test.read { try ServersRepo($0).validation(of: alice.id, hidden: hidden) }
    }

    private func problems() throws -> [UserServersProblem] {
        let validation = try validation()
        return (validation.errors + validation.warnings).filter { $0.other == nil }.map(\.problem)
    }

    private func run(_ query: Query) throws {
        try test.write { try $0.run(query) }
    }

    private func addOperator(isEnabled: Bool = true) throws -> ServerOperator {
        try test.write {
            try OperatorsWriter($0).add(
                tag: nil, tradeName: "Op", legalName: nil, domains: ["op.example"], isEnabled: isEnabled,
                smpRoles: .ofOwnServers, xftpRoles: .ofOwnServers)
        }
    }

    @Test("a profile with a server of each protocol in each role and a relay has no problems")
    func valid() throws {
        #expect(try problems().isEmpty)
        #expect(try validation().isValid)
    }

    @Test(
        "without an enabled server of a protocol, validation reports that, and no missing roles",
        arguments: ServerProtocol.allCases)
    func noServers(_ serverProtocol: ServerProtocol) throws {
        try run("UPDATE protocol_servers SET enabled = 0 WHERE protocol = \(serverProtocol.text)")
        #expect(try problems() == [.noServers(serverProtocol)] + (serverProtocol == .smp ? [.noNamesServers] : []))
        #expect(try !validation().isValid)
    }

    @Test(
        "the roles storage and proxy must be there for each protocol, by the server's choice",
        arguments: ServerProtocol.allCases)
    func roles(_ serverProtocol: ServerProtocol) throws {
        try run("UPDATE protocol_servers SET role_storage = 0 WHERE protocol = \(serverProtocol.text)")
        #expect(try problems() == [.storageMissing(serverProtocol)])
        try run("UPDATE protocol_servers SET role_proxy = 0 WHERE protocol = \(serverProtocol.text)")
        #expect(try problems() == [.storageMissing(serverProtocol), .proxyMissing(serverProtocol)])
    }

    @Test("the roles of the operator count, and without its own choice those of a server are its operator's")
    func operatorsRoles() throws {
        let operatorID = try addOperator().id
        #expect(try problems().isEmpty)
        try test.write {
            try OperatorsWriter($0).setRoles(operatorID, .smp, ServerRoles(storage: false, proxy: true, names: true))
        }
        #expect(try problems() == [.storageMissing(.smp)])
        try run("UPDATE protocol_servers SET role_storage = 1")
        #expect(try problems().isEmpty)
    }

    @Test("entries of an operator that is off count as disabled")
    func operatorOff() throws {
        _ = try addOperator(isEnabled: false)
        #expect(try problems() == [.noServers(.smp), .noServers(.xftp), .noChatRelays, .noNamesServers])
    }

    @Test("validation warns when no relay is enabled, and when no server has the role names; both are no errors")
    func warnings() throws {
        try run("UPDATE chat_relays SET enabled = 0")
        #expect(try problems() == [.noChatRelays] && validation().isValid)
        #expect(
            try validation().warningTexts == ["No chat relays enabled. Channels require at least one relay."])
        try run("UPDATE chat_relays SET enabled = 1, address = 'x'")
        #expect(try problems() == [.noChatRelays], "no channel can choose a relay whose address is not valid")
        try run("UPDATE chat_relays SET enabled = 1, deleted = 1")
        try run("UPDATE protocol_servers SET role_names = NULL")
        #expect(try problems() == [.noChatRelays, .noNamesServers] && validation().isValid)
        // The function of what a profile has does not count a soft-deleted relay that it is given either.
        let deleted = try test.read { try ChatRelaysRepo($0).all(of: alice.id, includingDeleted: true) }
        let groups = UserOperatorServers.grouped([], servers: [], relays: deleted)
        #expect(deleted.count == 1)
        #expect(UserServersValidation(of: groups, others: []).warnings.map(\.problem.code).contains("noChatRelays"))
    }

    @Test(
        "a host twice in a protocol is reported with both servers, whatever the ports, but not in another protocol")
    func duplicateServer() throws {
        try test.write { chat in
            try ServersWriter(chat).add(server("other.example,SMP.op.example:5223", password: "s3cret"), of: alice.id)
            try ServersWriter(chat).add(server("smp.op.example", .xftp), of: alice.id)
        }
        #expect(
            try problems() == [
                .duplicateServer(.smp, address: server("smp.op.example"), host: "smp.op.example"),
                .duplicateServer(
                    .smp, address: server("other.example,SMP.op.example:5223"), host: "SMP.op.example"),
            ])
        try run("UPDATE protocol_servers SET enabled = 0 WHERE port = '5223'")
        #expect(try problems().count == 2, "being disabled makes no difference")
    }

    @Test("a clash among the servers of an operator that is off does not count")
    func duplicateOfOperatorOff() throws {
        _ = try addOperator(isEnabled: false)
        try test.write { try ServersWriter($0).add(server("smp.op.example:5223"), of: alice.id) }
        #expect(try !problems().contains { $0.code == "duplicateServer" })
    }

    @Test("the same relay twice and the same name twice are reported with each entry, of operators that are off too")
    func duplicateRelays() throws {
        _ = try addOperator(isEnabled: false)
        // Two that another app let in: the index of ours is out of the way.
        try run("DROP INDEX idx_chat_relays_address_key")
        try run("UPDATE chat_relays SET display_name = ' One '")
        let same = "simplex:/r#\(key(0))?h=RELAY.example"
        try run(
            """
            INSERT INTO chat_relays (user_id, address, address_key, display_name)
            SELECT user_id, \(same), address_key, 'oNE' FROM chat_relays
            """)
        let found = try problems().filter { !$0.isWarning && $0.code.contains("Relay") }
        #expect(
            found == [
                .duplicateChatRelayName(" One "),
                .duplicateChatRelayAddress(name: " One ", address: relay("relay.example")),
                .duplicateChatRelayName("oNE"), .duplicateChatRelayAddress(name: "oNE", address: same),
            ])
        try run("UPDATE chat_relays SET display_name = ''")
        #expect(try !problems().contains { $0.code == "duplicateChatRelayName" })
        try run("UPDATE chat_relays SET deleted = 1 WHERE address = \(same)")
        #expect(try !problems().contains { $0.code == "duplicateChatRelayAddress" })
    }

    @Test("errors of roles and warnings of other profiles are reported with the name before them, duplicates are not")
    func others() throws {
        let bob = try test.addUser("bob")
        try addServers(of: bob)
        try test.write { try ServersWriter($0).add(server("smp.op.example:5223"), of: bob.id) }
        #expect(try validation().errors.isEmpty && validation().warnings.isEmpty)
        try run("UPDATE protocol_servers SET enabled = 0 WHERE protocol = 'xftp' AND user_id = \(bob.id)")
        try run("UPDATE chat_relays SET enabled = 0 WHERE user_id = \(bob.id)")
        #expect(try validation().errorTexts == ["bob: no XFTP server is enabled"])
        #expect(
            try validation().warningTexts
                == ["bob: No chat relays enabled. Channels require at least one relay."])
        #expect(try !validation().isValid && problems().isEmpty)
    }

    @Test("hidden profiles are counted and not named, unless they are to be shown")
    func hidden() throws {
        let bob = try test.addUser("bob")
        try test.hide(bob)
        let found = try validation()
        #expect(found.errors.isEmpty && found.hiddenWithErrors == 1 && found.hiddenWithWarnings == 1 && !found.isValid)
        #expect(found.errorTexts == ["and 1 hidden profile"] && found.warningTexts == ["and 1 hidden profile"])
        #expect(!String(reflecting: found).contains("bob"))
        try test.hide(try test.addUser("carol"))
        #expect(try validation().errorTexts == ["and 2 hidden profiles"])
        let shown = try validation(.shown)
        #expect(shown.hiddenWithErrors == 0 && shown.errors.count { $0.other?.id == bob.id } == 2)
    }
}
