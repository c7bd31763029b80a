import Engine
import Repos
import Schema
import Testing

/// What must hold for every configuration; the generator is seeded, so a failure can be repeated. Each store sees many
/// presets one after the other, so that thousands take seconds.
@Suite struct PresetImportPropertyTests {
    private static let everything = PresetDisclosure(secrets: true, testResults: true)
    private static let whole = PresetImportOptions(setsEnabled: true, trustsOperators: true)

    private func export(of user: User, _ test: TestStore) throws -> PresetFile {
        try test.read { try PresetExport(of: user.id, in: $0).file().file }
    }

    private func take(
        _ file: PresetFile, _ options: PresetImportOptions, to user: User, _ test: TestStore
    ) throws -> PresetPlan {
        try test.write { try PresetImport.apply(file, options, to: user.id, in: $0, clock: TestStore.clock) }
    }

    @Test(
        "export, import into an empty profile, export again: the same bytes, and a second import changes nothing",
        arguments: 0..<40)
    func roundTrip(_ batch: UInt64) throws {
        let (test, other) = (try TestStore(), try TestStore())
        for seed in batch * 10..<batch * 10 + 10 {
            var random = SplitMix64(seed: seed)
            let preset = try random.preset()
            for store in [test, other] { try store.write { try $0.run("DELETE FROM server_operators") } }
            let alice = try test.addUser("alice\(seed)")
            try test.write { _ = try PresetSync.start(preset, for: alice.id, in: $0, seed: 1) }
            let text = try export(of: alice, test).text(Self.everything)
            let bob = try other.addUser("bob\(seed)")
            let read = try PresetFile.read(text.utf8).file
            _ = try take(read, Self.whole, to: bob, other)
            #expect(try export(of: bob, other).text(Self.everything) == text, "seed \(seed)")
            for mode in PresetImportOptions.Mode.allCases {
                let options = PresetImportOptions(mode: mode, trustsOperators: mode == .replace)
                #expect(try !take(read, options, to: bob, other).changesAnything, "seed \(seed), \(mode)")
            }
        }
    }

    @Test(
        """
        any import into any profile: the plan is what is done, a second one changes nothing, no two relays have one \
        name, others keep theirs, and what was kept brings back exactly what was there
        """,
        arguments: 0..<50)
    func anyImport(_ batch: UInt64) throws {
        let test = try TestStore()
        var random = SplitMix64(seed: batch)
        let (alice, bob) = (try test.addUser("alice"), try test.addUser("bob"))
        try test.write { chat in
            for user in [alice, bob] { _ = try PresetSync.start(random.preset(), for: user.id, in: chat, seed: 1) }
        }
        let used = try test.read { try ChatRelaysRepo($0).choosable(of: alice.id) }
        if !used.isEmpty { try test.addChannel("c", relays: Array(used.prefix(2)), of: alice) }
        let bobs = try Configuration(of: bob, test)
        for step in 0..<40 {
            let file = try random.preset()
            let options = PresetImportOptions(
                mode: Bool.random(using: &random) ? .merge : .replace,
                onConflict: Bool.random(using: &random) ? .skip : .rename, setsEnabled: Bool.random(using: &random),
                changesOperators: Bool.random(using: &random), trustsOperators: Bool.random(using: &random))
            let place: Comment = "batch \(batch), step \(step), \(options)"
            let before = try Configuration(of: alice, test)
            let kept = try export(of: alice, test).text(Self.everything)
            let planned = try test.read { try PresetImport.plan(file, options, for: alice.id, in: $0) }
            #expect(try planned == take(file, options, to: alice, test), place)
            let again = try take(file, options, to: alice, test)
            #expect(!again.changesAnything, "\(place) \(again.changes)")
            let names = try Configuration(of: alice, test).relays.map { NameRule.key($0.name) }.filter { !$0.isEmpty }
            #expect(Set(names).count == names.count, "\(place) \(names)")
            if Bool.random(using: &random) {
                let restored = PresetImportOptions(mode: .restore)
                let plan = try take(PresetFile.read(kept.utf8).file, restored, to: alice, test)
                #expect(plan.blocking.isEmpty && plan.changes.allSatisfy { $0.action != .conflict }, place)
                let after = try Configuration(of: alice, test)
                #expect(after.relays == before.relays && after.servers == before.servers, place)
                #expect(before.operators.isSubset(of: after.operators), place)
            }
        }
        let after = try Configuration(of: bob, test)
        #expect(after.relays == bobs.relays && after.servers == bobs.servers)
    }
}

/// What a profile has, whatever the numbers and times of its rows.
private struct Configuration {
    let relays: Set<ChatRelay>
    let servers: Set<ProtocolServer>
    let operators: Set<ServerOperator>

    init(of user: User, _ test: TestStore) throws {
        (relays, servers, operators) = try test.read { chat in
            let relays = try ChatRelaysRepo(chat).all(of: user.id).map { relay in
                ChatRelay(
                    id: ChatRelayID(0), userID: user.id, address: relay.address, addressKey: relay.addressKey,
                    name: relay.name, domains: relay.domains, isPreset: relay.isPreset, tested: relay.tested,
                    testedAt: nil, isEnabled: relay.isEnabled, isDeleted: false)
            }
            let servers = try ServersRepo(chat).all(of: user.id).map { server in
                ProtocolServer(
                    id: ProtocolServerID(0), userID: user.id, serverProtocol: server.serverProtocol,
                    hosts: server.hosts, port: server.port, keyHash: server.keyHash, password: server.password,
                    isPreset: server.isPreset, tested: server.tested, isEnabled: server.isEnabled,
                    roles: server.roles)
            }
            return (Set(relays), Set(servers), Set(try OperatorsRepo(chat).all()))
        }
    }
}
