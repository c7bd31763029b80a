import ChatDBKit
import Testing

@Suite struct PresetDiffTests {
    @Test(
        "a configuration does not differ from itself, and a difference found one way is found the other way round",
        arguments: 0..<60)
    func symmetric(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (one, other) = (try random.preset(), try random.preset())
        #expect(PresetDiff(from: one, to: one).changes.isEmpty)
        let (forth, back) = (PresetDiff(from: one, to: other), PresetDiff(from: other, to: one))
        #expect(forth.unchanged == back.unchanged)
        func count(_ diff: PresetDiff, _ action: PresetChange.Action) -> Int {
            diff.changes.count { $0.action == action }
        }
        #expect(count(forth, .add) == count(back, .remove) && count(forth, .remove) == count(back, .add))
        #expect(count(forth, .update) == count(back, .update))
        for (there, here) in zip(
            forth.changes.filter { $0.action == .update }.sorted { ($0.address ?? $0.name) < ($1.address ?? $1.name) },
            back.changes.filter { $0.action == .update }.sorted { ($0.address ?? $0.name) < ($1.address ?? $1.name) })
        where there.address == here.address {
            #expect(there.fields.map(\.name) == here.fields.map(\.name))
            #expect(there.fields.map(\.from) == here.fields.map(\.to))
        }
    }

    @Test("entries are equal in any place of a file; a difference is that only one of them is an operator's")
    func preset() throws {
        let relay = PresetRelay(name: "R", address: try RelayAddress(relay("r.example")))
        let theirs = PresetFile(operators: [
            PresetOperator(tag: .simplex, tradeName: "S", entries: PresetEntries(relays: [relay]))
        ])
        let own = PresetFile(
            operators: [PresetOperator(tag: .simplex, tradeName: "S")], custom: PresetEntries(relays: [relay]))
        let diff = PresetDiff(from: own, to: theirs)
        #expect(diff.changes.map(\.action) == [.update] && diff.changes[0].fields.map(\.name) == ["preset"])
        var silent = own
        (silent.operators, silent.tellsOperators) = ([], false)
        #expect(PresetDiff(from: silent, to: theirs).changes.isEmpty, "which does not tell of operators")
    }

    @Test("the comparison of passwords says whether one exists and whether two known ones differ, never their text")
    func passwords() throws {
        func file(_ password: String?, omitted: Bool = false) throws -> PresetFile {
            let address = try ServerAddress(server("s.example", password: password))
            return PresetFile(
                custom: PresetEntries(smpServers: [PresetServer(address: address, isPasswordOmitted: omitted)]))
        }
        func differ(_ one: PresetFile, _ other: PresetFile) -> [PresetValue] {
            PresetDiff(from: one, to: other).changes.flatMap(\.fields).flatMap { [$0.from, $0.to] }
        }
        #expect(try differ(file("a"), file("b")) == [.secret, .secret])
        #expect(try differ(file("a"), file(nil)) == [.secret, .none])
        #expect(try differ(file("a"), file(nil, omitted: true)) == [])
        #expect(try !"\(PresetDiff(from: file("s3cret"), to: file("b")))".contains("s3cret"))
    }

    @Test("with a password that the file omits, the comparison shows what an import does, before it and after it")
    func omittedPasswords() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        let omitted = PresetServer(address: try ServerAddress(server("s.example")), isPasswordOmitted: true)
        let file = PresetFile(custom: PresetEntries(smpServers: [omitted]))
        func compared(_ options: PresetImportOptions) throws -> (diff: PresetDiff, plan: PresetPlan) {
            try test.read { chat in
                let own = try PresetExport(of: alice.id, in: chat).file().file
                return (
                    PresetDiff(from: own, to: file, asImport: true),
                    try PresetImport.plan(file, options, for: alice.id, in: chat)
                )
            }
        }
        let before = try compared(PresetImportOptions())
        #expect(before.diff.changes == before.plan.changes)
        #expect(before.diff.changes[0].fields.map(\.to) == [.flag(false)])
        #expect(before.diff.changes[0].reason == "the file omits its password")
        _ = try test.write { try PresetImport.apply(file, to: alice.id, in: $0) }
        for mode in PresetImportOptions.Mode.allCases {
            let after = try compared(PresetImportOptions(mode: mode, setsEnabled: true))
            #expect(after.plan.changes.isEmpty && after.plan.switchedOtherwise.isEmpty)
            #expect(after.plan.withoutPassword.map(\.primaryHost) == ["s.example"])
            #expect(after.plan.notes.count == 1)
            #expect(after.plan.notes[0].hasSuffix("s.example, which the profile does not have either"))
            #expect(after.diff.changes.map(\.action) == [.conflict] && after.diff.unchanged == 0)
            #expect(after.diff.changes[0].fields.isEmpty)
            #expect(after.diff.changes[0].reason == "the file omits its password, so no import adds the password")
        }
        // With a password of the profile's own, the file has nothing else to say about it.
        try test.write { try $0.run("UPDATE protocol_servers SET basic_auth = 'own'") }
        let own = try compared(PresetImportOptions(setsEnabled: true))
        #expect(own.plan.withoutPassword.isEmpty && own.plan.changes.map(\.action) == [.update])
        #expect(own.diff.changes == own.plan.changes)
    }

    @Test(
        "two files differ in an omitted password as in a known one, beside their other differences",
        arguments: [true, false])
    func omittedInFiles(_ isEnabled: Bool) throws {
        func file(omitted: Bool, isEnabled: Bool) throws -> PresetFile {
            PresetFile(
                custom: PresetEntries(smpServers: [
                    PresetServer(
                        address: try ServerAddress(server("s.example")), isPasswordOmitted: omitted,
                        isEnabled: isEnabled)
                ]))
        }
        let omitted = try file(omitted: true, isEnabled: true)
        let without = try file(omitted: false, isEnabled: isEnabled)
        let forth = PresetDiff(from: omitted, to: without).changes
        let back = PresetDiff(from: without, to: omitted).changes
        let names = isEnabled ? ["password"] : ["password", "enabled"]
        for changes in [forth, back] {
            #expect(changes.map(\.action) == [.update] && changes.allSatisfy { $0.reason == nil })
            #expect(changes.flatMap(\.fields).map(\.name) == names)
        }
        #expect(forth[0].fields[0].from == .secret && forth[0].fields[0].to == .none)
        #expect(back[0].fields[0].from == .none && back[0].fields[0].to == .secret)
        #expect(PresetDiff(from: omitted, to: omitted).unchanged == 1)
        let added = PresetDiff(from: PresetFile(), to: omitted).changes
        #expect(added.map(\.action) == [.add] && added[0].reason == nil)
        #expect(added[0].fields.map(\.to) == [.secret, .flag(true)])
    }

    @Test("a list that one side lacks is not compared, nor fields that a list of addresses does not have")
    func partial() throws {
        let relay = PresetRelay(name: "R", address: try RelayAddress(relay("r.example")), isEnabled: false)
        let whole = PresetFile(custom: PresetEntries(relays: [relay]))
        let servers = #"{"format": "chatdb-preset", "version": 1, "custom": {"smpServers": []}}"#
        #expect(PresetDiff(from: whole, to: try PresetFile.read(servers.utf8).file).changes.isEmpty)
        let list = try PresetFile.read(relay.address.text.utf8).file
        #expect(PresetDiff(from: whole, to: list).changes.isEmpty)
    }

    @Test("for an entry that only the other side has, the diff shows domains or roles, and whether it is enabled")
    func added() throws {
        let relay = PresetRelay(
            name: "R", address: try RelayAddress(relay("r.example")), domains: ["a.example", "b.example"],
            isEnabled: false)
        let server = PresetServer(
            address: try ServerAddress(server("s.example")), isEnabled: false, roles: ServerRoleChoices(proxy: false))
        let other = PresetFile(
            operators: [PresetOperator(tag: nil, tradeName: "O", domains: ["o.example"], isEnabled: false)],
            custom: PresetEntries(smpServers: [server], relays: [relay]))
        let changes = PresetDiff(from: PresetFile(), to: other).changes
        func shown(_ kind: PresetChange.Kind) -> [String: PresetValue] {
            let fields = changes.first { $0.kind == kind }?.fields ?? []
            #expect(fields.allSatisfy { $0.from == .none })
            return Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.to) })
        }
        #expect(shown(.operator) == ["domains": .texts(["o.example"]), "enabled": .flag(false)])
        #expect(shown(.smpServer) == ["enabled": .flag(false), "roles": .texts(["proxy off"])])
        #expect(shown(.relay) == ["domains": .texts(["a.example", "b.example"]), "enabled": .flag(false)])
        #expect(PresetDiff(from: other, to: PresetFile()).changes.allSatisfy { $0.fields.isEmpty })
    }

    @Test(
        "with a list of addresses nothing else is compared: no operators, nothing it lacks of theirs, no switches, no names"
    )
    func list() throws {
        let shipped = try BundledPresets.preset()
        let known = try #require(shipped.operators[0].entries.smpServers.first?.address)
        var profile = shipped
        profile.custom = PresetEntries(smpServers: [
            PresetServer(address: try ServerAddress(server("own.example", password: "p")), isEnabled: false)
        ])
        func diff(_ lines: String...) throws -> [PresetChange] {
            let list = try PresetFile.read(lines.joined(separator: "\n").utf8, as: .list).file
            let (forth, back) = (PresetDiff(from: profile, to: list), PresetDiff(from: list, to: profile))
            #expect(forth.unchanged == back.unchanged && forth.changes.count == back.changes.count)
            return forth.changes
        }
        #expect(try diff("# nothing").isEmpty)
        #expect(try diff(known.text(withPassword: false), server("own.example")).isEmpty)
        #expect(try diff(server("own.example", password: "p")).isEmpty)
        #expect(try diff(server("own.example", password: "q")).flatMap(\.fields).map(\.name) == ["password"])
        let changes = try diff(server("new.example"))
        #expect(changes.map(\.action) == [.remove, .add] && changes.map(\.name) == ["own.example", "new.example"])
        #expect(changes.allSatisfy { $0.fields.isEmpty }, "a list does not say whether it is enabled")
        let otherKey = "smp://\(key(9))=@own.example"
        let moved = try diff(otherKey)
        #expect(moved.map(\.action) == [.update] && moved.flatMap(\.fields).map(\.name) == ["address"])
        #expect(moved.flatMap(\.fields).map(\.to) == [.text(otherKey)])
    }

    @Test("a file without operators causes no difference of operators or their entries")
    func withoutOperators() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        try test.addRelay("mine.example", name: "mine", of: alice)
        let friends = try test.read {
            try PresetExport(of: alice.id, in: $0, PresetSelection(kinds: [.relays], customOnly: true)).file().file
        }
        let text = friends.text()
        #expect(!text.contains("operators"))
        let read = try PresetFile.read(text.utf8).file
        #expect(read == friends && !read.tellsOperators)
        try test.write { _ = try PresetSync.start(BundledPresets.preset(), for: alice.id, in: $0, seed: 1) }
        let profile = try test.read { try PresetExport(of: alice.id, in: $0).file().file }
        #expect(PresetDiff(from: profile, to: read).changes.isEmpty)
        #expect(PresetDiff(from: read, to: profile).changes.isEmpty)
        // One that says that there are none does say so.
        let none = PresetFile(custom: friends.custom)
        #expect(!PresetDiff(from: profile, to: none).changes.isEmpty)
    }

    @Test(
        "a comparison with a list of addresses ignores exactly what an import of the list does not change",
        arguments: 0..<6)
    func listAndImport(_ batch: UInt64) throws {
        let test = try TestStore()
        var random = SplitMix64(seed: batch)
        let alice = try test.addUser("alice")
        try test.write { chat in
            for step in 0..<25 {
                let restored = try random.preset()
                _ = try PresetImport.apply(
                    restored, PresetImportOptions(mode: .restore, onConflict: .skip), to: alice.id, in: chat)
                let profile = try PresetExport(of: alice.id, in: chat).file().file
                let list = try random.addresses()
                let plan = try PresetImport.plan(list, for: alice.id, in: chat)
                let diff = PresetDiff(from: profile, to: list)
                let shown = Set(diff.changes.filter { $0.action != .remove }.map(Entry.init))
                #expect(Set(plan.changes.map(Entry.init)) == shown, "batch \(batch), step \(step)")
                #expect(plan.unchanged == diff.unchanged, "batch \(batch), step \(step)")
            }
        }
    }
}

/// What a line is about.
private struct Entry: Hashable {
    let kind: PresetChange.Kind
    let name: String

    init(_ change: PresetChange) {
        kind = change.kind
        name = change.kind == .relay ? linkHost(change.address ?? "").lowercased() : change.name
    }
}

extension SplitMix64 {
    /// The addresses of a preset as a list of them.
    fileprivate mutating func addresses() throws -> PresetFile {
        let preset = try preset()
        let servers = preset.custom.smpServers + preset.custom.xftpServers
        let lines =
            servers.map { $0.address.text(withPassword: true) } + preset.custom.relays.map(\.address.text)
        return try PresetFile.read(lines.joined(separator: "\n").utf8, as: .list).file
    }
}
