import Engine
import Repos
import Schema
import Testing

/// What must hold for every configuration; the generator is seeded, so a failure can be repeated.
@Suite struct PresetImportPropertyTests {
    private static let everything = PresetDisclosure(secrets: true)
    private static let whole = PresetImportOptions(setsEnabled: true, trustsOperators: true)

    private func export(of user: User, _ test: TestStore) throws -> PresetFile {
        try test.read { try PresetExport(of: user.id, in: $0).file().file }
    }

    private func take(
        _ file: PresetFile, _ options: PresetImportOptions, to user: User, _ test: TestStore
    ) throws -> PresetPlan {
        try test.write { try PresetImport.apply(file, options, to: user.id, in: $0, clock: TestStore.clock) }
    }

    /// A profile started with a generated preset, and its export.
    private func generated(_ random: inout SplitMix64) throws -> (TestStore, User, PresetFile) {
        let test = try TestStore()
        let user = try test.addUser("alice")
        let preset = try random.preset()
        try test.write { _ = try PresetSync.start(preset, for: user.id, in: $0, seed: 1) }
        return (test, user, try export(of: user, test))
    }

    @Test(
        "export, import into an empty profile, export again: the same bytes, and a second import changes nothing",
        arguments: 0..<150)
    func roundTrip(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (_, _, first) = try generated(&random)
        let text = first.text(Self.everything)
        let other = try TestStore()
        try other.addUser("zoe")
        let bob = try other.addUser("bob")
        let read = try PresetFile.read(text.utf8).file
        _ = try take(read, Self.whole, to: bob, other)
        #expect(try export(of: bob, other).text(Self.everything) == text)
        for options in [Self.whole, PresetImportOptions(mode: .replace, trustsOperators: true), PresetImportOptions()] {
            #expect(try !take(read, options, to: bob, other).changesAnything, "\(options)")
        }
    }

    @Test(
        "any import into any profile: the plan is what is done, a second one changes nothing, others keep theirs",
        arguments: 0..<150)
    func anyImport(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (test, alice, _) = try generated(&random)
        let bob = try test.addUser("bob")
        try test.write { _ = try PresetSync.start(random.preset(), for: bob.id, in: $0, seed: 2) }
        // The same addresses as the profile has, with other names, domains and switches.
        let file = try random.preset()
        let options = PresetImportOptions(
            mode: Bool.random(using: &random) ? .merge : .replace,
            onConflict: Bool.random(using: &random) ? .skip : .rename, setsEnabled: Bool.random(using: &random),
            changesOperators: Bool.random(using: &random), trustsOperators: Bool.random(using: &random))
        let bobs = try test.read { chat in
            (try ChatRelaysRepo(chat).all(of: bob.id, includingDeleted: true), try ServersRepo(chat).all(of: bob.id))
        }
        let planned = try test.read { try PresetImport.plan(file, options, for: alice.id, in: $0) }
        let done = try take(file, options, to: alice, test)
        #expect(planned == done)
        let again = try take(file, options, to: alice, test)
        #expect(!again.changesAnything, "\(again.changes)")
        let after = try test.read { chat in
            (try ChatRelaysRepo(chat).all(of: bob.id, includingDeleted: true), try ServersRepo(chat).all(of: bob.id))
        }
        #expect(after.0 == bobs.0 && after.1 == bobs.1)
        let relays = try test.read { try ChatRelaysRepo($0).all(of: alice.id) }
        let names = relays.map { $0.name.lowercased() }.filter { !$0.isEmpty }
        #expect(Set(names).count == names.count, "\(names)")
    }
}
