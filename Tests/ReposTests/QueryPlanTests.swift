import Engine
import Repos
import Schema
import Testing

@Suite struct QueryPlanTests {
    /// Of these there are a handful, however much a store is used.
    private static let small: Set<String> = ["users", "server_operators", "other"]

    @Test("no query of the repositories looks at every row of a table that grows")
    func noFullScan() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        let first = try test.addRelay("r0.example", name: "zero", of: alice)
        let channel = try test.addChannel("c", relays: [first], of: alice)
        try test.write { chat in
            let recorder = RecordingTransaction(chat)
            try Self.ask(recorder, alice, first, channel)
            try Self.change(recorder, alice, first)
            #expect(recorder.queries.count > 60)
            var seen: Set<String> = []
            for query in recorder.queries where seen.insert(query.rendered(.questionMark).sql).inserted {
                let plan = try chat.rows("EXPLAIN QUERY PLAN " + query).map { try $0.get("detail") as String }
                for line in plan where Self.isFullScan(line) {
                    Issue.record("\(line) in \(query.rendered(.questionMark).sql)")
                }
            }
        }
    }

    @Test("the look at the plans finds a full scan")
    func control() throws {
        let test = try TestStore()
        let plan = try test.read { chat in
            try chat.rows("EXPLAIN QUERY PLAN SELECT * FROM groups WHERE local_alias = 'x'").map {
                try $0.get("detail") as String
            }
        }
        #expect(plan.contains(where: Self.isFullScan))
    }

    /// `SCAN <table>`, with or without an index.
    private static func isFullScan(_ detail: String) -> Bool {
        let words = detail.split(separator: " ")
        return words.count > 1 && words[0] == "SCAN" && words[1] != "CONSTANT" && !small.contains(String(words[1]))
    }

    /// Every question of the repositories.
    private static func ask(
        _ chat: RecordingTransaction, _ user: User, _ relay: ChatRelay, _ channel: GroupSummary
    ) throws {
        var random = SplitMix64(seed: 1)
        for hidden in [HiddenProfiles.leftOut, .shown] {
            let users = UsersRepo(chat)
            _ = try (users.all(hidden: hidden), users.active(hidden: hidden), users.hiddenCount())
            _ = try (users.find(user.id, hidden: hidden), users.find(named: user.name, hidden: hidden))
        }
        let operators = OperatorsRepo(chat)
        _ = try (operators.all(), operators.find(ServerOperatorID(1)), operators.find(tag: .simplex))
        let servers = ServersRepo(chat)
        _ = try (servers.all(of: user.id), servers.find(ProtocolServerID(1), of: user.id))
        let relays = ChatRelaysRepo(chat)
        for deleted in [false, true] {
            _ = try relays.all(of: user.id, includingDeleted: deleted)
            _ = try relays.find(relay.id, of: user.id, includingDeleted: deleted)
            _ = try relays.usage(of: user.id, includingDeleted: deleted)
        }
        _ = try relays.find(sameAs: RelayAddress(relay.address), of: user.id)
        _ = try (relays.use(of: relay.id, of: user.id), relays.usedBy(relay.id, of: user.id))
        _ = try relays.choose(1, of: user.id, using: &random)
        let groups = GroupsRepo(chat)
        _ = try (groups.all(of: user.id), groups.find(channel.group.id, of: user.id))
        _ = try groups.find(named: "c", of: user.id)
        let groupRelays = GroupRelaysRepo(chat)
        _ = try (groupRelays.all(of: channel.group.id, of: user.id), groupRelays.progress(of: user.id))
        _ = try groupRelays.all(of: user.id)
        _ = try GroupMembersRepo(chat).all(with: .relay, in: channel.group.id, of: user.id)
        _ = try StoreFacts(of: chat)
        _ = try PresetExport(of: user.id, in: chat)
    }

    /// Every change.
    private static func change(_ chat: RecordingTransaction, _ user: User, _ relay: ChatRelay) throws {
        var random = SplitMix64(seed: 1)
        _ = try UsersWriter(chat).activate(user.id)
        var preset = try BundledPresets.preset()
        _ = try PresetSync.start(preset, for: user.id, in: chat, seed: 1)
        preset.operators[0].tradeName = "Other"
        preset.operators[0].entries.relays[0].name = "Other"
        preset.operators[0].entries.smpServers.removeFirst()
        preset.operators[0].entries.smpServers[0].address = try ServerAddress(
            preset.operators[0].entries.smpServers[0].address.description + ",more.example")
        _ = try PresetSync.apply(preset, to: user.id, in: chat, seed: 1)
        try OperatorsWriter(chat).setEnabled(ServerOperatorID(1), true)
        _ = try ServersWriter(chat).add(server("s.example"), of: user.id)
        let relays = ChatRelaysWriter(chat)
        _ = try relays.add(ReposTests.relay("r9.example"), of: user.id)
        _ = try GroupsWriter(chat).createChannel(named: "c", relays: [relay.id], of: user.id, using: &random)
        _ = try relays.delete(relay.id, of: user.id)
        _ = try relays.add(relay.address, of: user.id)
        _ = try relays.purgeUnreferenced(of: user.id)
    }
}
