import ChatDBKit
import Testing

@Suite struct PresetImportTests: ImportTesting {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    // MARK: - Merging

    @Test("merging adds new entries and removes nothing; a second import changes nothing")
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

    @Test("switches stay as the user has them, unless the import sets them")
    func enabled() throws {
        let mine = try test.addRelay("r.example", name: "R", of: alice)
        let off = file(relays: [try entry("r.example", "R", isEnabled: false)])
        #expect(try !take(off).changesAnything && relays()[0].isEnabled)
        let plan = try take(off, PresetImportOptions(setsEnabled: true))
        let field = try #require(plan.changes.first?.fields.first)
        #expect(plan.changes.count == 1 && field.name == "enabled" && field.to == .flag(false))
        #expect(try relays().map(\.id) == [mine.id] && !relays()[0].isEnabled)
    }

    @Test("domains, hosts and a password follow the file; an empty field in the file removes nothing")
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

    @Test("the plan shows that a new server brings a password, and not which")
    func newPassword() throws {
        let new = file(smp: [try serverEntry("s.example", password: "hunter2"), try serverEntry("t.example")])
        let changes = try take(new).changes
        #expect(changes.map { $0.fields.map(\.name) } == [["password", "enabled"], ["enabled"]])
        #expect(changes[0].fields[0].from == .none && changes[0].fields[0].to == .secret)
    }

    @Test("a server whose password the file omits keeps its password; a new one is disabled, with a note")
    func omittedPasswords() throws {
        _ = try test.write { try ServersWriter($0).add(server("s.example", password: "kept"), of: alice.id) }
        var (old, new) = (try serverEntry("s.example"), try serverEntry("new.example"))
        (old.isPasswordOmitted, new.isPasswordOmitted) = (true, true)
        let plan = try take(file(smp: [old, new]))
        #expect(try servers().map(\.password) == ["kept", nil] && servers().map(\.isEnabled) == [true, false])
        #expect(plan.notes.count == 1 && plan.notes[0].contains("new.example"))
    }

    @Test("a server without the password that the file omits is disabled by the switches of the file, with the reason")
    func omittedPasswordOfEnabled() throws {
        _ = try test.write { try ServersWriter($0).add(server("s.example"), of: alice.id) }
        var entry = try serverEntry("s.example")
        entry.isPasswordOmitted = true
        let plan = try take(file(smp: [entry]), PresetImportOptions(setsEnabled: true))
        #expect(try servers().map(\.isEnabled) == [false])
        #expect(plan.changes.map(\.reason) == ["the file omits its password"])
        // Without the switches of the file, the server keeps its own.
        try test.write { try $0.run("UPDATE protocol_servers SET enabled = 1") }
        _ = try take(file(smp: [entry]))
        #expect(try servers().map(\.isEnabled) == [true])
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

    @Test("a list of addresses adds new entries and does not change existing ones")
    func list() throws {
        try test.addRelay("r.example", name: "R", domains: ["d.example"], of: alice)
        try test.write { try $0.run("UPDATE chat_relays SET enabled = 0") }
        let text = "\(relay("r.example"))\n\(relay("new.example"))"
        let plan = try take(try PresetFile.read(text.utf8).file, PresetImportOptions(setsEnabled: true))
        #expect(plan.changes.map(\.action) == [.add] && plan.unchanged == 1)
        #expect(try relays().map(\.name) == ["R", ""] && relays().map(\.isEnabled) == [false, true])
    }

    // MARK: - Replacing

    @Test("replacing makes the user's own entries those of the file, and removes no preset entry")
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
        #expect(own.map(\.name) == ["Kept"] && own.map(\.domains) == [["d.example"]], "the file has none")
        #expect(own.map(\.isEnabled) == [false])
        #expect(try relays().filter(\.isPreset) == presets)
    }

    @Test("replacing does not change a kind of entry for which the file has no list")
    func replaceOneKind() throws {
        _ = try test.write { try ServersWriter($0).add(server("s.example"), of: alice.id) }
        try test.addRelay("r.example", of: alice)
        let text = #"{"format": "chatdb-preset", "version": 1, "custom": {"relays": []}}"#
        try take(try PresetFile.read(text.utf8).file, PresetImportOptions(mode: .replace))
        #expect(try relays().isEmpty && servers().count == 1)
    }

    @Test("replacing with an earlier export restores the earlier state")
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

    @Test(
        "the same relay with another name, and the same name of another relay, stop an import unless the caller decides"
    )
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
        #expect(conflicts.count == 2 && error?.info.lines.contains { $0.contains("Theirs") } == true)
        #expect(try relays() == before)

        let skipped = try take(clash, PresetImportOptions(onConflict: .skip))
        #expect(skipped.changes.filter { $0.action == .conflict }.count == 2)
        #expect(try relays().map(\.name) == ["Mine", "New"])
    }

    @Test("renaming gives the same relay the name of the file, and adds a number to the name of another relay")
    func renames() throws {
        try test.addRelay("r.example", name: "Mine", of: alice)
        try test.addRelay("s.example", name: "Taken", of: alice)
        try take(
            file(relays: [try entry("r.example", "Theirs"), try entry("other.example", "taken")]),
            PresetImportOptions(onConflict: .rename))
        #expect(try relays().map(\.name) == ["Theirs", "Taken", "taken 2"])
    }

    @Test("a relay that an import gave a number keeps its name in the next import, while another relay has the name")
    func numberedAgain() throws {
        try test.addRelay("s.example", name: "Taken", of: alice)
        let preset = file(relays: [try entry("other.example", "taken")])
        try take(preset, PresetImportOptions(onConflict: .rename))
        let before = try relays()
        #expect(before.map(\.name) == ["Taken", "taken 2"])
        for decision in [PresetImportOptions.OnConflict.fail, .skip, .rename] {
            let plan = try take(preset, PresetImportOptions(onConflict: decision))
            #expect(plan.changes.isEmpty && plan.unchanged == 1, "\(plan.changes)")
        }
        #expect(try relays() == before)
        // Without the other relay, the file has another name for it.
        _ = try test.write { try ChatRelaysWriter($0).delete(before[0].id, of: alice.id) }
        #expect(throws: PresetError.self) { try take(preset, PresetImportOptions()) }
    }
}
