import ChatDBKit
import Testing

/// No two relays of a profile have one name, however an import hands them on. `take` of `ImportTesting` sees to it.
@Suite struct PresetNamesTests: ImportTesting {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    /// The names by host, without the domain.
    private func names() throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try relays().map { (String($0.host.prefix { $0 != "." }), $0.name) })
    }

    @Test("a name is free only when its relay really gets another one")
    func notGivenAway() throws {
        try test.addRelay("p.example", name: "x", of: alice)
        try test.write { try $0.run("UPDATE chat_relays SET preset = 1") }
        try test.addRelay("a.example", name: "a", of: alice)
        let plan = try take(
            file(relays: [try entry("n.example", "a"), try entry("a.example", "x")]),
            PresetImportOptions(mode: .replace, onConflict: .skip))
        #expect(plan.changes.map(\.action) == [.conflict, .conflict] && !plan.changesAnything)
        #expect(try names() == ["p": "x", "a": "a"])
        // What was there can be kept and brought back.
        #expect(try kept().custom.relays.count == 2)
    }

    @Test(
        "a soft-deleted relay that comes back keeps its name and domains where the file has none",
        arguments: [PresetImportOptions.Mode.merge, .replace])
    func broughtBack(_ mode: PresetImportOptions.Mode) throws {
        let relay = try test.addRelay("keep.example", name: "keepme", of: alice)
        try test.write { try $0.run("UPDATE chat_relays SET deleted = 1, domains = 'keep.example'") }
        let address = try RelayAddress(relay.address)
        let plan = try take(
            file(relays: [PresetRelay(name: "", address: address)]), PresetImportOptions(mode: mode))
        #expect(plan.changes.map(\.action) == [.restore])
        #expect(try relays().map(\.name) == ["keepme"] && relays().map(\.domains) == [["keep.example"]])
        let again = try take(
            file(relays: [PresetRelay(name: "", address: address)]), PresetImportOptions(mode: mode))
        #expect(!again.changesAnything, "\(again.changes)")
        #expect(try relays().map(\.name) == ["keepme"] && relays().map(\.domains) == [["keep.example"]])
    }

    @Test("replacing takes a name that the file gives another relay from a relay for which the file has none")
    func givenToAnother() throws {
        try test.addRelay("a.example", name: "a", of: alice)
        try test.addRelay("b.example", name: "b", of: alice)
        try take(
            file(relays: [try entry("a.example", ""), try entry("b.example", ""), try entry("n.example", "A")]),
            PresetImportOptions(mode: .replace))
        #expect(try names() == ["a": "", "b": "b", "n": "A"])
    }

    @Test("a relay comes back without the name that another entry of the file gets, and with one that becomes free")
    func keptNames() throws {
        try test.addRelay("a.example", name: "a", of: alice)
        try test.addRelay("b.example", name: "b", of: alice)
        try test.write { try $0.run("UPDATE chat_relays SET deleted = 1") }
        try test.addRelay("c.example", name: "B", of: alice)
        let plan = try take(
            file(relays: [try entry("a.example"), try entry("b.example"), try entry("n.example", "A")]),
            PresetImportOptions(mode: .replace))
        #expect(plan.changes.allSatisfy { $0.action != .conflict } && plan.notes.count == 1, "\(plan)")
        #expect(try names() == ["a": "", "b": "b", "n": "A"])
    }

    @Test("a relay that renaming adds or brings back with a number has the reason")
    func numberedReason() throws {
        try test.addRelay("gone.example", name: "x", of: alice)
        try test.write { try $0.run("UPDATE chat_relays SET deleted = 1") }
        try test.addRelay("a.example", name: "x", of: alice)
        let plan = try take(
            file(relays: [try entry("gone.example", "x"), try entry("n.example", "X"), try entry("m.example", "y")]),
            PresetImportOptions(onConflict: .rename))
        #expect(plan.changes.map(\.action) == [.restore, .add, .add])
        #expect(
            plan.changes.map(\.reason) == [
                "gets a number, because another relay has the name \"x\"",
                "gets a number, because another relay has the name \"X\"", nil,
            ])
    }

    @Test("relays take over names along a chain and around a circle; a chain whose end is not free stays unchanged")
    func chains() throws {
        for name in ["a", "b", "c", "d"] { try test.addRelay("\(name).example", name: name, of: alice) }
        let options = PresetImportOptions(mode: .replace, onConflict: .skip)
        try take(
            file(relays: [
                try entry("a.example", "B"), try entry("b.example", "a"), try entry("c.example", "d"),
                try entry("d.example", "e"),
            ]), options)
        #expect(try names() == ["a": "B", "b": "a", "c": "d", "d": "e"])
        try test.write { try $0.run("UPDATE chat_relays SET preset = 1 WHERE display_name = 'e'") }
        let plan = try take(
            file(relays: [
                try entry("a.example", "a"), try entry("b.example", "d"), try entry("c.example", "e"),
                try entry("new.example", "b"),
            ]), options)
        #expect(plan.changes.map(\.action) == [.conflict, .conflict, .conflict, .conflict], "\(plan.changes)")
        #expect(try names() == ["a": "B", "b": "a", "c": "d", "d": "e"])
    }

    @Test(
        "renaming numbers the name that another relay has, and not of a relay that is there; a second time nothing changes"
    )
    func numbered() throws {
        for name in ["a", "b", "b 2"] {
            try test.addRelay("\(name.replacing(" ", with: "")).example", name: name, of: alice)
        }
        let theirs = file(relays: [try entry("a.example", "B"), try entry("new.example", "b 2")])
        let options = PresetImportOptions(onConflict: .rename)
        let plan = try take(theirs, options)
        #expect(plan.changes.map(\.action) == [.add] && plan.unchanged == 1)
        #expect(try names() == ["a": "a", "b": "b", "b2": "b 2", "new": "b 2 2"])
        #expect(try !take(theirs, options).changesAnything)
    }

    @Test(
        "merging does not change a relay that the user renamed while another relay has its name in the file",
        arguments: [PresetImportOptions.OnConflict.fail, .skip, .rename])
    func renamedByUser(_ onConflict: PresetImportOptions.OnConflict) throws {
        for name in ["garage", "bobs"] { try test.addRelay("\(name).example", name: name, of: alice) }
        try test.addRelay("third.example", name: "third", of: alice)
        // The name that the third relay has in the file is not free either, because the second one keeps it.
        let theirs = file(relays: [try entry("bobs.example", "Garage"), try entry("third.example", "bobs")])
        let options = PresetImportOptions(onConflict: onConflict)
        let plan = try take(theirs, options)
        #expect(plan.changes.isEmpty && plan.unchanged == 2, "\(plan.changes)")
        #expect(try names() == ["garage": "garage", "bobs": "bobs", "third": "third"])
    }

    @Test("merging exchanges the names of two relays with renaming, and has two conflicts without")
    func exchanged() throws {
        for name in ["a", "b"] { try test.addRelay("\(name).example", name: name, of: alice) }
        let theirs = file(relays: [try entry("a.example", "b"), try entry("b.example", "a")])
        let skipped = try take(theirs, PresetImportOptions(onConflict: .skip))
        #expect(skipped.changes.map(\.action) == [.conflict, .conflict])
        try take(theirs, PresetImportOptions(onConflict: .rename))
        #expect(try names() == ["a": "b", "b": "a"])
    }

    @Test("a long name is shortened before it gets a number, so that the result is a valid name")
    func longNames() throws {
        let long = String(repeating: "x", count: 199) + "é"
        try test.addRelay("a.example", name: long, of: alice)
        try take(file(relays: [try entry("n.example", long)]), PresetImportOptions(onConflict: .rename))
        try take(file(relays: [try entry("m.example", long)]), PresetImportOptions(onConflict: .rename))
        let names = try names()
        #expect(names["n"]?.hasSuffix("x 2") == true && names["m"]?.hasSuffix("x 3") == true, "\(names)")
        #expect(names.values.allSatisfy { $0.unicodeScalars.count <= 200 })
        #expect(try kept().custom.relays.count == 3)
    }

    @Test("a sync gives no relay a name that another relay keeps")
    func sync() throws {
        let preset = try PresetOperator(
            tag: OperatorTag(text: "op"), tradeName: "Op", domains: ["op.example"],
            entries: PresetEntries(relays: [
                entry("a.op.example", "a", domains: ["op.example"]),
                entry("b.op.example", "b", domains: ["op.example"]),
            ]))
        try test.write { _ = try PresetSync.start(PresetFile(operators: [preset]), for: alice.id, in: $0, seed: 1) }
        try test.addRelay("own.example", name: "mine", of: alice)
        var list = preset
        list.entries.relays[0].name = "b"
        list.entries.relays[1].name = "mine"
        list.entries.relays.append(try entry("c.op.example", "a", domains: ["op.example"]))
        let plan = try test.write {
            try PresetSync.apply(PresetFile(operators: [list]), to: alice.id, in: $0, seed: 1, clock: TestStore.clock)
        }
        #expect(plan.changes.map(\.action) == [.conflict, .conflict, .conflict] && !plan.changesAnything)
        #expect(try names() == ["a": "a", "b": "b", "own": "mine"])
    }

    @Test(
        """
        a name that gets a number is one that neither another relay nor another entry of the file has, so that renaming \
        takes every entry, and only merging leaves a relay the name that it has
        """,
        arguments: 0..<8)
    func numbersAvoidTheFile(_ batch: UInt64) throws {
        var random = SplitMix64(seed: batch)
        let names = ["b", "B 2", "b 3", "b 2 2", "c", "b 4", ""]
        let hosts = (0..<9).map { "h\($0).example" }
        try test.write { chat in
            for step in 0..<60 {
                func entries(_ count: Int) throws -> [PresetRelay] {
                    let chosen = names.shuffled(using: &random).prefix(count)
                    return try zip(hosts.shuffled(using: &random), chosen).map { try entry($0, $1) }
                }
                _ = try PresetImport.apply(
                    file(relays: entries(5)), PresetImportOptions(mode: .restore), to: alice.id, in: chat)
                let before = try ChatRelaysRepo(chat).all(of: alice.id)
                let theirs = try file(relays: entries(7))
                let mode: PresetImportOptions.Mode = Bool.random(using: &random) ? .merge : .replace
                let plan = try PresetImport.apply(
                    theirs, PresetImportOptions(mode: mode, onConflict: .rename), to: alice.id, in: chat)
                let place: Comment = "batch \(batch), step \(step): \(plan.changes)"
                #expect(plan.changes.allSatisfy { $0.action != .conflict }, place)
                let after = try ChatRelaysRepo(chat).all(of: alice.id)
                for relay in theirs.custom.relays {
                    let name = try #require(after.first { $0.addressKey == relay.address.addressKey }, place).name
                    if name == relay.name || relay.name.isEmpty { continue }
                    let old = before.first { $0.addressKey == relay.address.addressKey }?.name ?? ""
                    if mode == .merge, !old.isEmpty {
                        let key = NameRule.key(relay.name)
                        #expect(name == old && after.contains { NameRule.key($0.name) == key }, place)
                        continue
                    }
                    #expect(name.hasPrefix("\(relay.name) "), place)
                    let others = theirs.custom.relays.filter { $0.address != relay.address }.map(\.name)
                    let kept = before.filter { $0.addressKey != relay.address.addressKey && after.contains($0) }
                    let taken = Set((others + kept.map(\.name)).map(NameRule.key))
                    #expect(!taken.contains(NameRule.key(name)), place)
                }
            }
        }
    }
}
