import ChatDBKit
import Testing

/// What was kept before a change brings back exactly that.
@Suite struct PresetRestoreTests: ImportTesting {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    @Test("restoring removes a password that the earlier state did not have, and restores tests, roles and switches")
    func exact() throws {
        try startWithBundled()
        let mine = try test.addRelay("r.example", name: "R", domains: ["r.example"], of: alice)
        try test.write { chat in
            try ChatRelaysWriter(chat).setTested(mine.id, false, of: alice.id)
            let open = try ServersWriter(chat).add(server("open.example"), of: alice.id)
            try ServersWriter(chat).setTested(open.id, true, of: alice.id)
            let roles = ServerRoleChoices(storage: false)
            let preset = try ServersRepo(chat).all(of: alice.id)[0]
            try ServersWriter(chat).setRoles(preset.id, roles, of: alice.id)
        }
        let (before, rows) = (try kept(), (try relays(), try servers()))
        try take(
            file(
                relays: [
                    PresetRelay(name: "Other", address: try RelayAddress(relay("r.example") + "?h=more.example")),
                    try entry("new.example", "New"),
                ],
                smp: [try serverEntry("open.example", password: "planted"), try serverEntry("new.example")]),
            PresetImportOptions(mode: .replace))
        #expect(try servers() != rows.1 && relays() != rows.0)
        try take(before, PresetImportOptions(mode: .restore))
        #expect(try relays().map(\.untimed) == rows.0.map(\.untimed) && servers() == rows.1)
        #expect(try !take(before, PresetImportOptions(mode: .restore)).changesAnything)
    }

    @Test(
        "restoring undoes a sync: it removes the preset entries that were added, and restores those that were removed")
    func sync() throws {
        try startWithBundled()
        let used = try relays()[0]
        try test.write { try ChatRelaysWriter($0).setEnabled(used.id, true, of: alice.id) }
        try test.addChannel("c", relays: [used], of: alice)
        let (before, rows) = (try kept(), (try relays(), try servers()))
        var list = try BundledPresets.preset()
        let domains = list.operators[0].domains
        list.operators[0].tradeName = "Other"
        list.operators[0].entries.relays[0] = try entry("new.\(domains[0])", "New", domains: domains)
        list.operators[0].entries.smpServers[0] = try serverEntry("new.\(domains[0])")
        let plan = try test.write { try PresetSync.apply(list, to: alice.id, in: $0, seed: 1) }
        #expect(Set(plan.changes.map(\.action)) == [.update, .add, .remove, .softDelete])
        let undone = try take(before, PresetImportOptions(mode: .restore))
        #expect(Set(undone.changes.map(\.action)) == [.update, .add, .remove, .restore])
        #expect(try Set(relays()) == Set(rows.0), "the same row for the relay that a channel uses")
        #expect(try Set(servers().map { $0.addressText() }) == Set(rows.1.map { $0.addressText() }))
        #expect(try servers().allSatisfy(\.isPreset) && kept() == before)
    }

    @Test("domains are stored as everywhere: in lower case, each once, operators' too")
    func domains() throws {
        let text =
            #"{"format": "chatdb-preset", "version": 1, "operators": [{"tradeName": "O", "domains": "#
            + #"["Op.Example", "op.example"]}], "custom": {"relays": [{"address": "\#(relay("r.example"))", "domains": "#
            + #"["Foo.Example", " foo.example ", "b.example"]}]}}"#
        let file = try PresetFile.read(text.utf8).file
        #expect(file.operators[0].domains == ["op.example"])
        #expect(file.custom.relays[0].domains == ["foo.example", "b.example"])
    }

    @Test("a kept file may be larger than a file of another person")
    func large() throws {
        let file = PresetFile(custom: PresetEntries(relays: [try entry("r.example", "R")]))
        let bytes = Array(file.text().utf8) + [UInt8](repeating: 0x20, count: PresetFile.largestFile)
        #expect(throws: PresetError.self) { try PresetFile.read(bytes) }
        #expect(try PresetFile.read(bytes, upTo: PresetFile.largestKeptFile).file == file)
    }

    @Test("a sync refuses a file without operators")
    func noOperators() throws {
        let error = #expect(throws: PresetError.self) {
            try test.read {
                try PresetSync.plan(file(relays: [try entry("r.example")]), for: alice.id, in: $0, seed: 1)
            }
        }
        #expect(error?.code == "invalidPreset" && error?.message.contains("names no operator") == true)
    }
}

extension ChatRelay {
    /// Without the time of the test, which no file has.
    var untimed: ChatRelay {
        ChatRelay(
            id: id, userID: userID, address: address, addressKey: addressKey, name: name, domains: domains,
            isPreset: isPreset, tested: tested, testedAt: nil, isEnabled: isEnabled, isDeleted: isDeleted)
    }
}
