import ChatDBKit
import Testing

@Suite struct PresetTrustTests: ImportTesting {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    @Test("an operator's entry counts as preset only if the shipped preset has it; others are the user's own")
    func trust() throws {
        let bundled = try BundledPresets.preset().operators[0]
        var planted = bundled
        planted.entries.relays = [
            bundled.entries.relays[0], try entry("evil.example", "Evil", domains: planted.domains),
        ]
        planted.entries.smpServers = []
        planted.entries.xftpServers = []
        planted.tradeName = "Evil Corp"
        planted.smpRoles = ServerRoles(storage: true, proxy: false)
        try test.write { chat in
            var empty = bundled
            empty.entries = PresetEntries()
            _ = try PresetSync.start(PresetFile(operators: [empty]), for: alice.id, in: chat, seed: 1)
        }
        let plan = try take(PresetFile(operators: [planted]))
        #expect(try relays().map(\.isPreset) == [true, false])
        #expect(plan.changes.last?.reason?.contains("imported as custom") == true)
        #expect(
            plan.changes.first?.action == .conflict
                && plan.changes.first?.fields.map(\.name) == ["tradeName", "smpRoles"])
        let stored = try test.read { try OperatorsRepo($0).all() }
        #expect(stored.map(\.tradeName) == [bundled.tradeName] && stored[0].smpRoles == bundled.smpRoles)

        try take(PresetFile(operators: [planted]), PresetImportOptions(trustsOperators: true))
        let trusted = try test.read { try OperatorsRepo($0).all() }
        #expect(trusted.map(\.tradeName) == ["Evil Corp"] && trusted[0].smpRoles == planted.smpRoles)
    }

    @Test("missing data of an operator in a file do not change the store's, trusted or not")
    func missingData() throws {
        try test.write { chat in
            _ = try PresetSync.start(try BundledPresets.preset(), for: alice.id, in: chat, seed: 1)
        }
        let text = #"{"format":"chatdb-preset","version":1,"operators":[{"tag":"flux","tradeName":"Flux"}]}"#
        let file = try PresetFile.read(Array(text.utf8)).file
        for trusts in [false, true] {
            let plan = try take(file, PresetImportOptions(trustsOperators: trusts))
            #expect(plan.changes.isEmpty, "\(plan.changes)")
        }
        // Nor is a list that is not there an empty one, for those who follow operators' lists.
        let followed = try test.read { try PresetSync.plan(file, for: alice.id, in: $0, seed: 1) }
        #expect(followed.changes.isEmpty, "\(followed.changes)")
    }

    @Test("an operator that the store and this build do not know is created only from a trusted file")
    func unknownOperator() throws {
        let preset = PresetOperator(
            tag: OperatorTag(text: "friend"), tradeName: "Friend", domains: ["f.example"],
            entries: PresetEntries(relays: [try entry("r.f.example", "F", domains: ["f.example"])]))
        let plan = try take(PresetFile(operators: [preset]))
        #expect(plan.changes.map(\.action) == [.conflict, .add])
        #expect(try test.read { try OperatorsRepo($0).all() }.isEmpty && relays().map(\.isPreset) == [false])
        let bob = try test.addUser("bob")
        try test.write { chat in
            _ = try PresetImport.apply(
                PresetFile(operators: [preset]), PresetImportOptions(trustsOperators: true), to: bob.id, in: chat)
        }
        #expect(try test.read { try ChatRelaysRepo($0).all(of: bob.id) }.map(\.isPreset) == [true])
    }

    @Test("an operator's switch is the store's: the plan names all profiles, and --no-operators leaves it")
    func operators() throws {
        try startWithBundled()
        try test.addUser("bob")
        try test.hide(try test.addUser("carol"))
        var off = try BundledPresets.preset()
        off.operators[1].isEnabled.toggle()
        let isEnabled = off.operators[1].isEnabled
        #expect(try !take(off).changes.contains { $0.kind == .operator }, "only when it is to set what is enabled")
        let left = try take(off, PresetImportOptions(setsEnabled: true, changesOperators: false))
        #expect(!left.changes.contains { $0.kind == .operator })
        let plan = try take(off, PresetImportOptions(setsEnabled: true))
        #expect(plan.notes.contains { $0.hasSuffix("every profile: bob, alice, 1 hidden profile") }, "\(plan.notes)")
        #expect(try test.read { try OperatorsRepo($0).all() }[1].isEnabled == isEnabled)
    }

    @Test("an import without operators counts as unchanged only the operators that the store has")
    func operatorsLeftOut() throws {
        let friend = PresetOperator(
            tag: OperatorTag(text: "friend"), tradeName: "Friend", domains: ["f.example"], entries: PresetEntries())
        var known = try BundledPresets.preset().operators
        for index in known.indices { known[index].entries = PresetEntries() }
        let file = PresetFile(operators: [friend] + known)
        let options = PresetImportOptions(changesOperators: false)
        let empty = try take(file, options)
        #expect(empty.unchangedOperators == 0 && empty.unchanged == 0 && empty.changes.isEmpty)
        #expect(try test.read { try OperatorsRepo($0).all() }.isEmpty)
        try startWithBundled()
        #expect(try take(file, options).unchangedOperators == known.count)
    }

    @Test("a preset relay keeps the values of its operator, with any values in the file")
    func presetStays() throws {
        try startWithBundled()
        let before = try relays()
        let theirs = file(relays: [
            PresetRelay(name: "Renamed", address: try RelayAddress(before[0].address), domains: ["x.example"])
        ])
        let plan = try take(theirs, PresetImportOptions(onConflict: .rename))
        #expect(plan.changes.map(\.action) == [.conflict] && !plan.changes[0].isBlocking)
        #expect(try relays() == before)
    }

    @Test("entries of the shipped preset are taken from it, with any values in a friend's file")
    func shippedEntries() throws {
        var planted = try BundledPresets.preset().operators[0]
        let (relay, smp) = (planted.entries.relays[0], planted.entries.smpServers[0])
        let evil = try ServerAddress("smp://\(key(9))=:planted@\(smp.address.primaryHost),evil.example")
        planted.entries = PresetEntries(
            smpServers: [
                PresetServer(
                    address: evil, isEnabled: !smp.isEnabled, roles: ServerRoleChoices(storage: false), tested: true)
            ],
            relays: [
                PresetRelay(
                    name: "Evil", address: try RelayAddress(relay.address.text + "?h=evil.example"),
                    domains: ["evil.example"], isEnabled: !relay.isEnabled, tested: true)
            ])
        let plan = try take(PresetFile(operators: [planted]))
        let (taken, server) = (try #require(try relays().first), try #require(try servers().first))
        #expect(taken.isPreset && taken.name == relay.name && taken.address == relay.address.text)
        #expect(taken.domains == relay.domains && taken.tested == nil && taken.isEnabled != relay.isEnabled)
        #expect(server.isPreset && server.addressText(withPassword: true) == smp.address.text(withPassword: true))
        #expect(server.roles.isEmpty && server.tested == nil && server.isEnabled != smp.isEnabled)
        let reasons = plan.changes.filter { $0.kind != .operator }.map { $0.reason ?? "" }
        #expect(reasons.count == 2 && reasons[0].hasSuffix("another address, password, roles"), "\(reasons)")
        #expect(reasons[1].hasSuffix("another name, address, domains"), "\(reasons)")
    }

    @Test(
        "of a preset server that is there, a file that is not trusted changes neither address, password nor roles",
        arguments: PresetImportOptions.Mode.allCases.filter { $0 != .restore })
    func presetServersStay(_ mode: PresetImportOptions.Mode) throws {
        try startWithBundled()
        let before = try servers()
        var planted = try BundledPresets.preset().operators[0]
        let host = planted.entries.smpServers[0].address.primaryHost
        let evil = try ServerAddress("smp://\(key(9))=:planted@\(host),evil.example")
        planted.entries.smpServers[0] = PresetServer(
            address: evil, isEnabled: true, roles: ServerRoleChoices(storage: false))
        for index in planted.entries.smpServers.indices { planted.entries.smpServers[index].isEnabled = true }
        let options = PresetImportOptions(mode: mode, setsEnabled: true)
        for file in [PresetFile(operators: [planted]), file(smp: planted.entries.smpServers)] {
            let plan = try take(file, options)
            let line = try #require(plan.changes.first { $0.name == host && $0.action == .conflict })
            #expect(line.fields.map(\.name) == ["address", "password", "roles"] && line.reason != nil)
            #expect(line.fields[1].to == .secret)
            let after = try servers()
            #expect(
                after.map { $0.addressText(withPassword: true) } == before.map { $0.addressText(withPassword: true) })
            #expect(after.allSatisfy { $0.roles.isEmpty })
            #expect(after.first { $0.primaryHost == host }?.isEnabled == true, "but it is switched")
        }
        try take(PresetFile(operators: [planted]), PresetImportOptions(trustsOperators: true))
        #expect(try servers().first { $0.primaryHost == host }?.password == "planted", "trusted it is taken")
    }

    @Test("the result of a test elsewhere is taken only from a trusted file")
    func tests() throws {
        var (relay, server) = (try entry("r.example"), try serverEntry("s.example"))
        (relay.tested, server.tested) = (true, false)
        try take(file(relays: [relay], smp: [server]))
        #expect(try relays()[0].tested == nil && servers()[0].tested == nil)
        let bob = try test.addUser("bob")
        let trusted = PresetImportOptions(trustsOperators: true)
        try test.write { chat in
            _ = try PresetImport.apply(file(relays: [relay], smp: [server]), trusted, to: bob.id, in: chat)
        }
        #expect(try test.read { try ChatRelaysRepo($0).all(of: bob.id) }.map(\.tested) == [true])
        #expect(try test.read { try ServersRepo($0).all(of: bob.id) }.map(\.tested) == [false])
    }

    @Test("an operator with data that are not taken is reported once, and does not count as unchanged")
    func reportedOnce() throws {
        try startWithBundled()
        var file = PresetFile(operators: [try BundledPresets.preset().operators[0]])
        file.operators[0].entries = PresetEntries()
        file.operators[0].tradeName = "Evil Corp"
        let plan = try take(file)
        #expect(plan.changes.map(\.action) == [.conflict] && plan.unchanged == 0)
    }
}
