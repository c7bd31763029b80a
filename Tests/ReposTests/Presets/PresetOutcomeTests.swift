import ChatDBKit
import Foundation
import Testing

/// What a plan would bring is worked out in memory; here it is carried out as well, and compared.
@Suite struct PresetOutcomeTests {
    /// Plans that follow each other in one store: more of them under `make torture`.
    private static let steps = ProcessInfo.processInfo.environment["CHATDB_TORTURE"] == "full" ? 300 : 30

    @Test(
        """
        what a plan is said to bring is what it brings: operators, servers and relays of every profile, and what \
        validation finds, word for word
        """,
        arguments: 0..<8)
    func outcome(_ batch: UInt64) throws {
        let test = try TestStore()
        var random = SplitMix64(seed: batch)
        let users = [try test.addUser("alice"), try test.addUser("bob")]
        try test.write { chat in
            for user in users { _ = try PresetSync.start(random.preset(), for: user.id, in: chat, seed: 1) }
        }
        let used = try test.read { try ChatRelaysRepo($0).choosable(of: users[0].id) }
        if !used.isEmpty { try test.addChannel("c", relays: Array(used.prefix(3)), of: users[0]) }
        try test.write { chat in
            for step in 0..<Self.steps {
                let user = users[Int.random(in: 0...1, using: &random)].id
                try self.step("batch \(batch), step \(step)", user, chat, &random)
            }
        }
    }

    private func step(
        _ place: Comment, _ user: UserID, _ chat: any WriteTransaction, _ random: inout SplitMix64
    ) throws {
        let before = try ServersRepo(chat).allProfiles()
        let plan = try carryOut(random.preset(), to: user, chat, &random)
        let after = try ServersRepo(chat).allProfiles()
        let said = plan.applied(to: before, for: user)
        #expect(said.map(\.bare) == after.map(\.bare), place)
        let (saidValidation, validation) = (
            UserServersValidation(of: said, asking: user), UserServersValidation(of: after, asking: user)
        )
        #expect(saidValidation == validation, place)
    }

    /// An import of any kind, or a sync.
    private func carryOut(
        _ file: PresetFile, to user: UserID, _ chat: any WriteTransaction, _ random: inout SplitMix64
    ) throws -> PresetPlan {
        if !file.operators.isEmpty, Int.random(in: 0...3, using: &random) == 0 {
            return try PresetSync.apply(file, to: user, in: chat, seed: 1, clock: TestStore.clock)
        }
        let options = PresetImportOptions(
            mode: PresetImportOptions.Mode.allCases.randomElement(using: &random) ?? .merge,
            onConflict: Bool.random(using: &random) ? .skip : .rename, setsEnabled: Bool.random(using: &random),
            changesOperators: Bool.random(using: &random), trustsOperators: Bool.random(using: &random))
        return try PresetImport.apply(file, options, to: user, in: chat, clock: TestStore.clock)
    }
}

extension ProfileServers {
    /// What is whose, in its order, without the numbers and times that only a row has.
    fileprivate var bare: [[String]] {
        groups.map { group in
            let servers = (group.smpServers + group.xftpServers).map { server in
                "\(server.addressText(withPassword: true)) \(server.isPreset) \(server.isEnabled) \(server.roles) "
                    + "\(String(describing: server.tested))"
            }
            let relays = group.chatRelays.map { relay in
                "\(relay.address) \(relay.addressKey) \(relay.name) \(relay.domains) \(relay.isPreset) "
                    + "\(relay.isEnabled) \(String(describing: relay.tested))"
            }
            let owner = group.operator.map { owner in
                "\(String(describing: owner.tag)) \(owner.tradeName) \(owner.legalName ?? "") \(owner.domains) "
                    + "\(owner.isEnabled) \(owner.smpRoles) \(owner.xftpRoles)"
            }
            return [owner ?? "own"] + servers + relays
        }
    }
}
