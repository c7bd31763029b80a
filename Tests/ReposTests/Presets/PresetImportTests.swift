import Engine
import Repos
import Schema
import Testing

@Suite struct PresetImportTests {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    // MARK: - Files and answers

    private func file(relays: [PresetRelay] = [], smp: [PresetServer] = []) -> PresetFile {
        PresetFile(custom: PresetEntries(smpServers: smp, relays: relays))
    }

    private func entry(
        _ host: String, _ name: String = "", domains: [String] = [], isEnabled: Bool = true
    ) throws -> PresetRelay {
        PresetRelay(name: name, address: try RelayAddress(relay(host)), domains: domains, isEnabled: isEnabled)
    }

    private func serverEntry(_ host: String, password: String? = nil, isEnabled: Bool = true) throws -> PresetServer {
        PresetServer(address: try ServerAddress(server(host, password: password)), isEnabled: isEnabled)
    }

    @discardableResult
    private func take(_ file: PresetFile, _ options: PresetImportOptions = PresetImportOptions()) throws -> PresetPlan {
        let planned = try test.read { try PresetImport.plan(file, options, for: alice.id, in: $0) }
        let done = try test.write {
            try PresetImport.apply(file, options, to: alice.id, in: $0, clock: TestStore.clock)
        }
        #expect(planned == done, "what was shown is what was done")
        return done
    }

    private func relays() throws -> [ChatRelay] { try test.read { try ChatRelaysRepo($0).all(of: alice.id) } }
    private func servers() throws -> [ProtocolServer] { try test.read { try ServersRepo($0).all(of: alice.id) } }

    private func startWithBundled() throws {
        try test.write { _ = try PresetSync.start(BundledPresets.preset(), for: alice.id, in: $0, seed: 1) }
    }

    // MARK: - Merging

    @Test("merging adds what is new and removes nothing; a second time nothing changes")
    func merge() throws {
        try test.addRelay("mine.example", name: "Mine", of: alice)
        let new = file(relays: [try entry("new.example", "New", isEnabled: false)], smp: [try serverEntry("s.example")])
        let plan = try take(new)
        #expect(plan.changes.map(\.action) == [.add, .add])
        #expect(try relays().map(\.name) == ["Mine", "New"] && relays().map(\.isEnabled) == [true, false])
        #expect(try relays().allSatisfy { !$0.isPreset } && servers().map(\.primaryHost) == ["s.example"])
        let again = try take(new)
        #expect(!again.changesAnything && again.changes.isEmpty && again.unchanged == 2)
    }

    @Test("what is enabled stays as the user has it, unless the file is to set it")
    func enabled() throws {
        let mine = try test.addRelay("r.example", name: "R", of: alice)
        let off = file(relays: [try entry("r.example", "R", isEnabled: false)])
        #expect(try !take(off).changesAnything && relays()[0].isEnabled)
        let plan = try take(off, PresetImportOptions(setsEnabled: true))
        let field = try #require(plan.changes.first?.fields.first)
        #expect(plan.changes.count == 1 && field.name == "enabled" && field.to == .flag(false))
        #expect(try relays().map(\.id) == [mine.id] && !relays()[0].isEnabled)
    }

    @Test("domains, hosts and a password follow; nothing in the file takes nothing away")
    func updates() throws {
        try test.addRelay("r.example", name: "R", domains: ["old.example"], of: alice)
        _ = try test.write { try ServersWriter($0).add(server("s.example", password: "old"), of: alice.id) }
        try take(file(relays: [try entry("r.example")], smp: [try serverEntry("s.example")]))
        #expect(try relays()[0].domains == ["old.example"] && relays()[0].name == "R")
        #expect(try servers()[0].password == "old")
        let plan = try take(
            file(
                relays: [try entry("r.example", "R", domains: ["new.example"])],
                smp: [try serverEntry("s.example,s.onion", password: "new")]))
        #expect(try relays()[0].domains == ["new.example"])
        #expect(try servers()[0].hosts == ["s.example", "s.onion"] && servers()[0].password == "new")
        #expect(plan.changes.first?.fields.last?.to == .secret)
    }

    @Test("a server whose password the file omits keeps the one there is; a new one is disabled, and that is told")
    func omittedPasswords() throws {
        _ = try test.write { try ServersWriter($0).add(server("s.example", password: "kept"), of: alice.id) }
        var (old, new) = (try serverEntry("s.example"), try serverEntry("new.example"))
        (old.isPasswordOmitted, new.isPasswordOmitted) = (true, true)
        let plan = try take(file(smp: [old, new]))
        #expect(try servers().map(\.password) == ["kept", nil] && servers().map(\.isEnabled) == [true, false])
        #expect(plan.notes.count == 1 && plan.notes[0].contains("new.example"))
    }

    @Test("a soft-deleted relay comes back with its id, as the user's own")
    func restores() throws {
        let gone = try test.addRelay("r.example", name: "Old", of: alice)
        try test.addChannel("c", relays: [gone], of: alice)
        _ = try test.write { try ChatRelaysWriter($0).delete(gone.id, of: alice.id) }
        let plan = try take(file(relays: [try entry("r.example", "New")]))
        #expect(plan.changes.map(\.action) == [.restore] && plan.changes[0].channelsUsing == 1)
        #expect(try relays().map(\.id) == [gone.id] && relays()[0].name == "New")
    }

    @Test("a list of addresses adds those that are new, and says nothing about those that are there")
    func list() throws {
        try test.addRelay("r.example", name: "R", domains: ["d.example"], of: alice)
        try test.write { try $0.run("UPDATE chat_relays SET enabled = 0") }
        let text = "\(relay("r.example"))\n\(relay("new.example"))"
        let plan = try take(try PresetFile.read(text.utf8).file, PresetImportOptions(setsEnabled: true))
        #expect(plan.changes.map(\.action) == [.add] && plan.unchanged == 1)
        #expect(try relays().map(\.name) == ["R", ""] && relays().map(\.isEnabled) == [false, true])
    }

    // MARK: - Replacing

    @Test("replacing makes the user's own entries exactly the file's, and removes no preset entry")
    func replace() throws {
        try startWithBundled()
        let presets = try relays()
        let used = try test.addRelay("used.example", name: "Used", of: alice)
        try test.addChannel("c", relays: [used], of: alice)
        try test.addRelay("spare.example", name: "Spare", of: alice)
        try test.addRelay("kept.example", name: "Kept", domains: ["d.example"], of: alice)
        let plan = try take(
            file(relays: [try entry("kept.example", "", isEnabled: false)]), PresetImportOptions(mode: .replace))
        #expect(Set(plan.changes.map(\.action)) == [.update, .softDelete, .remove])
        let own = try relays().filter { !$0.isPreset }
        #expect(own.map(\.name) == [""] && own.map(\.domains) == [[]] && own.map(\.isEnabled) == [false])
        #expect(try relays().filter(\.isPreset) == presets)
    }

    @Test("replacing leaves alone what the file has no list of")
    func replaceOneKind() throws {
        _ = try test.write { try ServersWriter($0).add(server("s.example"), of: alice.id) }
        try test.addRelay("r.example", of: alice)
        let text = #"{"format": "chatdb-preset", "version": 1, "custom": {"relays": []}}"#
        try take(try PresetFile.read(text.utf8).file, PresetImportOptions(mode: .replace))
        #expect(try relays().isEmpty && servers().count == 1)
    }

    @Test("replacing with an export of an earlier moment brings that moment back")
    func bringsBack() throws {
        try startWithBundled()
        try test.addRelay("a.example", name: "A", of: alice)
        try test.addRelay("b.example", name: "B", of: alice)
        _ = try test.write { try ServersWriter($0).add(server("s.example", password: "p"), of: alice.id) }
        let before = try test.read { try PresetExport(of: alice.id, in: $0).file().file }
        try take(
            file(relays: [try entry("b.example", "A"), try entry("c.example", "B")]),
            PresetImportOptions(mode: .replace))
        #expect(try relays().filter { !$0.isPreset }.map(\.name) == ["A", "B"])
        try take(before, PresetImportOptions(mode: .replace, trustsOperators: true))
        #expect(try test.read { try PresetExport(of: alice.id, in: $0).file().file } == before)
    }

    // MARK: - Names that clash

    @Test("the same relay with another name, and the same name of another relay, stop an import unless decided about")
    func conflicts() throws {
        try test.addRelay("r.example", name: "Mine", of: alice)
        let clash = file(relays: [
            try entry("r.example", "Theirs"), try entry("other.example", "MINE "), try entry("new.example", "New"),
        ])
        let before = try relays()
        let error = #expect(throws: PresetError.self) {
            try test.write { try PresetImport.apply(clash, to: alice.id, in: $0) }
        }
        guard case .presetConflicts(let conflicts) = error else { return }
        #expect(conflicts.count == 2 && error?.lines.contains { $0.contains("Theirs") } == true)
        #expect(try relays() == before)

        let skipped = try take(clash, PresetImportOptions(onConflict: .skip))
        #expect(skipped.changes.filter { $0.action == .conflict }.count == 2)
        #expect(try relays().map(\.name) == ["Mine", "New"])
    }

    @Test("renaming gives the same relay the file's name, and another one a number")
    func renames() throws {
        try test.addRelay("r.example", name: "Mine", of: alice)
        try test.addRelay("s.example", name: "Taken", of: alice)
        try take(
            file(relays: [try entry("r.example", "Theirs"), try entry("other.example", "taken")]),
            PresetImportOptions(onConflict: .rename))
        #expect(try relays().map(\.name) == ["Theirs", "Taken", "taken 2"])
    }

    // MARK: - Whom to trust

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
        #expect(plan.changes.last?.reason?.contains("taken as your own") == true)
        #expect(
            plan.changes.first?.action == .conflict
                && plan.changes.first?.fields.map(\.name) == ["tradeName", "smpRoles"])
        let stored = try test.read { try OperatorsRepo($0).all() }
        #expect(stored.map(\.tradeName) == [bundled.tradeName] && stored[0].smpRoles == bundled.smpRoles)

        try take(PresetFile(operators: [planted]), PresetImportOptions(trustsOperators: true))
        let trusted = try test.read { try OperatorsRepo($0).all() }
        #expect(trusted.map(\.tradeName) == ["Evil Corp"] && trusted[0].smpRoles == planted.smpRoles)
    }

    @Test("an operator that neither the store nor this build knows is not made, unless the file is trusted")
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

    @Test("a preset relay stays as its operator made it, whatever a file says of it")
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
}
