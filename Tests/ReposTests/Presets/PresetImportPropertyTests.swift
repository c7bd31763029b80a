import ChatDBKit
import Foundation
import TestKit
import Testing

/// What must hold for every configuration; the generator is seeded, so a failure can be repeated. Each store sees many
/// presets one after the other: making stores is what takes time.
@Suite struct PresetImportPropertyTests {
    private static let everything = PresetDisclosure(secrets: true, testResults: true)
    /// How many imports follow each other: thousands in all under `make torture`.
    private static let steps = FaultSample.isTortured ? 250 : 15
    /// Of so many stores with presets of their own.
    private static let batches: UInt64 = FaultSample.isTortured ? 20 : 5
    private static let whole = PresetImportOptions(setsEnabled: true, trustsOperators: true)

    private func export(of user: User, _ chat: any ReadTransaction) throws -> PresetFile {
        try PresetExport(of: user.id, in: chat).file().file
    }

    private func take(
        _ file: PresetFile, _ options: PresetImportOptions, to user: User, _ chat: any WriteTransaction
    ) throws -> PresetPlan {
        try PresetImport.apply(file, options, to: user.id, in: chat, clock: TestStore.clock)
    }

    @Test(
        "export, import into an empty profile, export again: the same bytes, and a second import changes nothing",
        arguments: 0..<batches / 2)
    func roundTrip(_ batch: UInt64) throws {
        let (test, other) = (try TestStore(), try TestStore())
        let (alice, bob) = (try test.addUser("alice"), try other.addUser("bob"))
        for seed in batch * 20..<batch * 20 + 20 {
            var random = SplitMix64(seed: seed)
            let preset = try random.preset()
            let text = try test.undone { chat in
                _ = try PresetSync.start(preset, for: alice.id, in: chat, seed: 1)
                return try export(of: alice, chat).text(Self.everything)
            }
            try other.undone { chat in
                let read = try PresetFile.read(text.utf8).file
                _ = try take(read, Self.whole, to: bob, chat)
                #expect(try export(of: bob, chat).text(Self.everything) == text, "seed \(seed)")
                for mode in PresetImportOptions.Mode.allCases {
                    let options = PresetImportOptions(mode: mode, trustsOperators: mode == .replace)
                    let again = try PresetImport.plan(read, options, for: bob.id, in: chat)
                    #expect(!again.changesAnything, "seed \(seed), \(mode)")
                }
            }
        }
    }

    @Test(
        """
        any import into any profile: the plan is what is done, a second one changes nothing, no two relays have one \
        name, others keep theirs, and what was kept brings back exactly what was there
        """,
        arguments: 0..<batches)
    func anyImport(_ batch: UInt64) throws {
        let test = try TestStore()
        var random = SplitMix64(seed: batch)
        let (alice, bob) = (try test.addUser("alice"), try test.addUser("bob"))
        try test.write { chat in
            for user in [alice, bob] { _ = try PresetSync.start(random.preset(), for: user.id, in: chat, seed: 1) }
        }
        let used = try test.read { try ChatRelaysRepo($0).choosable(of: alice.id) }
        if !used.isEmpty { try test.addChannel("c", relays: Array(used.prefix(2)), of: alice) }
        try test.write { chat in
            let bobs = try Configuration(of: bob, chat)
            for step in 0..<Self.steps { try self.step("batch \(batch), step \(step)", alice, chat, &random) }
            let after = try Configuration(of: bob, chat)
            #expect(after.relays == bobs.relays && after.servers == bobs.servers)
        }
    }

    /// One import, and in every other case what undoes it.
    private func step(
        _ place: Comment, _ alice: User, _ chat: any WriteTransaction, _ random: inout SplitMix64
    ) throws {
        let file = try random.preset()
        let options = PresetImportOptions(
            mode: Bool.random(using: &random) ? .merge : .replace,
            onConflict: Bool.random(using: &random) ? .skip : .rename, setsEnabled: Bool.random(using: &random),
            changesOperators: Bool.random(using: &random), trustsOperators: Bool.random(using: &random))
        let before = try Configuration(of: alice, chat)
        let kept = try export(of: alice, chat).text(Self.everything)
        let planned = try PresetImport.plan(file, options, for: alice.id, in: chat)
        #expect(try planned == take(file, options, to: alice, chat), place)
        let again = try PresetImport.plan(file, options, for: alice.id, in: chat)
        #expect(!again.changesAnything, "\(place) \(again.changes)")
        let names = try Configuration(of: alice, chat).relays.map { NameRule.key($0.name) }.filter { !$0.isEmpty }
        #expect(Set(names).count == names.count, "\(place) \(names)")
        guard Bool.random(using: &random) else { return }
        let plan = try take(PresetFile.read(kept.utf8).file, PresetImportOptions(mode: .restore), to: alice, chat)
        #expect(plan.changes.allSatisfy { $0.action != .conflict }, place)
        let after = try Configuration(of: alice, chat)
        #expect(after.relays == before.relays && after.servers == before.servers, place)
        #expect(before.operators.isSubset(of: after.operators), place)
    }
}

private struct Undone: Error {}

extension TestStore {
    /// Runs something in a transaction that is rolled back.
    fileprivate func undone<T>(_ body: (any WriteTransaction) throws -> T) throws -> T {
        var answer: Result<T, any Error>?
        do {
            try write { chat in
                answer = Result { try body(chat) }
                throw Undone()
            }
        } catch is Undone {}
        return try #require(answer).get()
    }
}

/// What a profile has, whatever the numbers and times of its rows.
private struct Configuration {
    let relays: Set<ChatRelay>
    let servers: Set<ProtocolServer>
    let operators: Set<ServerOperator>

    init(of user: User, _ chat: any ReadTransaction) throws {
        relays = Set(
            try ChatRelaysRepo(chat).all(of: user.id).map { relay in
                ChatRelay(
                    id: ChatRelayID(0), userID: user.id, address: relay.address, addressKey: relay.addressKey,
                    name: relay.name, domains: relay.domains, isPreset: relay.isPreset, tested: relay.tested,
                    testedAt: nil, isEnabled: relay.isEnabled, isDeleted: false)
            })
        servers = Set(
            try ServersRepo(chat).all(of: user.id).map { server in
                ProtocolServer(
                    id: ProtocolServerID(0), userID: user.id, serverProtocol: server.serverProtocol,
                    hosts: server.hosts, port: server.port, keyHash: server.keyHash, password: server.password,
                    isPreset: server.isPreset, tested: server.tested, isEnabled: server.isEnabled,
                    roles: server.roles)
            })
        operators = Set(try OperatorsRepo(chat).all())
    }
}
