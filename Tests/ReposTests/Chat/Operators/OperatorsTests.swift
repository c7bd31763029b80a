import ChatDBKit
import Testing

@Suite struct OperatorsTests {
    let test: TestStore
    let roles = ServerRoles(storage: true, proxy: true)

    init() throws {
        test = try TestStore()
    }

    @discardableResult
    private func addOperator(
        _ name: String, domains: [String] = [], xftpRoles: ServerRoles? = nil
    ) throws -> ServerOperator {
        try test.write {
            try OperatorsWriter($0, clock: TestStore.clock).add(
                tag: nil, tradeName: name, legalName: nil, domains: domains, isEnabled: true, smpRoles: roles,
                xftpRoles: xftpRoles ?? roles)
        }
    }

    @Test("the operator of a host is the first with a domain that contains the host")
    func ofHost() throws {
        let first = try addOperator("First", domains: ["a.example"])
        let second = try addOperator("Second", domains: ["b.a.example", "c.example"])
        let hosts = ["b.a.example", "smp.C.example", "evilc.example"]
        let found = try test.read { chat in try hosts.map { try OperatorsRepo(chat).find(ofHost: $0) } }
        #expect(found == [first, second, nil])
    }

    @Test("the roles of one protocol are set and those of the other stay; XFTP has no role names")
    func setRoles() throws {
        let first = try addOperator("First")
        let second = try addOperator("Second")
        let smp = ServerRoles(storage: false, proxy: true, names: true)
        let xftp = ServerRoles(storage: false, proxy: false)
        try test.write { chat in
            let operators = OperatorsWriter(chat)
            try operators.setRoles(first.id, .smp, smp)
            #expect(try OperatorsRepo(chat).get(first.id).xftpRoles == roles)
            try operators.setRoles(first.id, .xftp, xftp)
            #expect(throws: OperatorsError.noNamesRole(.xftp)) {
                try operators.setRoles(first.id, .xftp, ServerRoles(storage: true, proxy: true, names: true))
            }
            #expect(throws: OperatorsError.operatorNotFound(.id(ServerOperatorID(9)))) {
                try operators.setRoles(ServerOperatorID(9), .smp, smp)
            }
        }
        let now = try test.read { try OperatorsRepo($0).all() }
        #expect(now.map(\.smpRoles) == [smp, roles] && now.map(\.xftpRoles) == [xftp, roles])
        #expect(now[1] == second)
    }

    @Test("names and domains of an operator are checked, and domains are stored in lower case and once")
    func checked() throws {
        let first = try addOperator(" First ", domains: ["A.example", "a.example"])
        #expect(first.tradeName == "First" && first.domains == ["a.example"])
        let attempts: [(name: String, legal: String?, domains: [String], code: String)] = [
            ("", nil, [], "invalidOperatorName"), ("a\u{202E}", nil, [], "invalidOperatorName"),
            ("A", " ", [], "invalidOperatorName"), ("A", nil, ["a,b"], "invalidOperatorDomain"),
        ]
        for attempt in attempts {
            let update = #expect(throws: OperatorsError.self) {
                try test.write {
                    try OperatorsWriter($0).update(
                        first.id, tradeName: attempt.name, legalName: attempt.legal, domains: attempt.domains)
                }
            }
            #expect(update?.code == attempt.code)
        }
        #expect(throws: OperatorsError.self) { try addOperator("", domains: []) }
        #expect(throws: OperatorsError.invalidOperatorDomain) { try addOperator("B", domains: ["-"]) }
        #expect(throws: OperatorsError.noNamesRole(.xftp)) {
            try addOperator("B", xftpRoles: ServerRoles(storage: true, proxy: true, names: true))
        }
        #expect(try test.read { try OperatorsRepo($0).all() } == [first])
        try test.write {
            try OperatorsWriter($0).update(first.id, tradeName: "Uno", legalName: "Uno Ltd", domains: ["u.example"])
        }
        let updated = try test.read { try OperatorsRepo($0).get(first.id) }
        #expect(updated.tradeName == "Uno" && updated.legalName == "Uno Ltd" && updated.domains == ["u.example"])
    }
}
