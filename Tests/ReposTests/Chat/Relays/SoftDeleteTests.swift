import ChatDBKit
import Testing

/// Generated sequences of adding, using, disabling, deleting and adding again, leaving channels and deleting them, for
/// two profiles at once, against a small model.
@Suite struct SoftDeleteTests {
    @Test("relays and their channels behave as the model, step by step")
    func sequences() throws {
        var seen: Set<String> = []
        for seed in 0..<10 as Range<UInt64> {
            var run = try Run(seed: seed)
            for _ in 0..<50 {
                try run.step()
                try run.compare()
            }
            seen.formUnion(run.seen)
        }
        // What the sequences are for does happen in them.
        #expect(seen == ["added", "restored", "deleted", "softDeleted", "purged", "left"])
    }

    private struct Run {
        let test: TestStore
        let users: [User]
        var model = RelayModel()
        var random: SplitMix64
        var steps: [String] = []
        var seen: Set<String> = []
        private let hosts = ["r0.example", "r1.example", "r2.example", "r3.example"]

        init(seed: UInt64) throws {
            random = SplitMix64(seed: seed)
            let store = try TestStore()
            test = store
            users = try ["alice", "bob"].map { try store.addUser($0) }
        }

        mutating func step() throws {
            let user = users[Int.random(in: 0...1, using: &random)].id
            let host = hosts[Int.random(in: 0..<hosts.count, using: &random)]
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2: try add(host, of: user)
            case 3...4: try createChannel(of: user)
            case 5...6: try delete(host, of: user)
            case 7: try toggle(host, of: user)
            case 8: try leaveChannel(of: user)
            default: try deleteChannel(of: user)
            }
        }

        private mutating func add(_ host: String, of user: UserID) throws {
            steps.append("add \(host) \(user)")
            let text =
                Bool.random(using: &random) ? relay(host) : "simplex:/r#\(key(0))?h=\(host.uppercased()),b.example"
            let result = Result { try test.write { try ChatRelaysWriter($0).add(text, of: user) } }
            if let live = model.live(host, of: user) {
                let error = #expect(throws: ChatRelaysError.self) { try result.get() }
                guard case .duplicateRelayAddress(let existing, _) = error else {
                    Issue.record("\(steps): \(String(describing: error))")
                    return
                }
                #expect(existing.id == live.id)
                return
            }
            let added = try result.get()
            seen.insert(added.outcome.rawValue)
            if let old = model.deleted(host, of: user) {
                #expect(added.outcome == .restored && added.relay.id == old.id, "\(steps)")
                model.update(old.id) { ($0.isDeleted, $0.isEnabled) = (false, true) }
            } else {
                #expect(added.outcome == .added, "\(steps)")
                #expect(!model.relays.contains { $0.id == added.relay.id })
                model.relays.append(.init(id: added.relay.id, user: user, host: host))
            }
        }

        private mutating func createChannel(of user: UserID) throws {
            steps.append("channel \(user)")
            let choosable = model.relays.filter { $0.user == user && !$0.isDeleted && $0.isEnabled }.map(\.id)
            let wanted = Int.random(in: 1...3, using: &random)
            var chooser = random
            let chosen = Result {
                try test.read { try ChatRelaysRepo($0).choose(wanted, of: user, using: &chooser).map(\.id) }
            }
            random = chooser
            guard choosable.count >= wanted else {
                #expect(throws: ChatRelaysError.self) { try chosen.get() }
                return
            }
            let relays = try chosen.get()
            #expect(Set(relays).isSubset(of: choosable) && Set(relays).count == wanted, "\(steps)")
            let channel = try test.write { chat in
                try GroupsWriter(chat).createChannel(named: "c", relays: relays, of: user, using: &chooser)
            }
            random = chooser
            model.channels.append(.init(id: channel.group.id, user: user, relays: relays))
        }

        private mutating func delete(_ host: String, of user: UserID) throws {
            steps.append("delete \(host) \(user)")
            guard let live = model.live(host, of: user) else {
                // What is soft-deleted is not found; so is what another profile has.
                guard let other = model.relays.first(where: { $0.isDeleted || $0.user != user }) else { return }
                #expect(throws: ChatRelaysError.relayNotFound(.id(other.id))) {
                    try test.write { try ChatRelaysWriter($0).delete(other.id, of: user) }
                }
                return
            }
            let deleted = try test.write { try ChatRelaysWriter($0).delete(live.id, of: user) }
            seen.insert(deleted.outcome.rawValue)
            let isReferenced = model.isReferenced(live.id)
            #expect(deleted.outcome == (isReferenced ? .softDeleted : .deleted), "\(steps)")
            #expect(deleted.channelsUsing == model.channelsUsing(live.id), "\(steps)")
            model.delete(live.id)
        }

        private mutating func toggle(_ host: String, of user: UserID) throws {
            steps.append("toggle \(host) \(user)")
            guard let live = model.live(host, of: user) else { return }
            try test.write { try ChatRelaysWriter($0).setEnabled(live.id, !live.isEnabled, of: user) }
            model.update(live.id) { $0.isEnabled.toggle() }
        }

        private mutating func leaveChannel(of user: UserID) throws {
            guard let channel = model.channels.filter({ $0.user == user }).randomElement(using: &random) else { return }
            steps.append("leave \(channel.id)")
            seen.insert("left")
            if channel.isLeft { return }
            // A sole owner may not leave, so the channel gets another one.
            try test.write { chat in
                let owner = NewMember(
                    name: "owner", memberID: "other", role: .owner, category: .post, status: .connected)
                _ = try GroupMembersWriter(chat).add(owner, to: channel.id, of: user)
                try GroupsWriter(chat).leave(channel.id, of: user)
            }
            for index in model.channels.indices where model.channels[index].id == channel.id {
                model.channels[index].isLeft = true
            }
        }

        private mutating func deleteChannel(of user: UserID) throws {
            guard let channel = model.channels.filter({ $0.user == user }).randomElement(using: &random) else { return }
            steps.append("delete channel \(channel.id)")
            let deleted = try test.write { try GroupsWriter($0).delete(channel.id, of: user) }
            if deleted.purgedRelays > 0 { seen.insert("purged") }
            model.deleteChannel(channel.id)
        }

        /// Every answer about relays, for both profiles, is what the model says.
        func compare() throws {
            for user in users.map(\.id) {
                let own = model.relays.filter { $0.user == user }.sorted { $0.id < $1.id }
                let live = own.filter { !$0.isDeleted }
                try test.read { chat in
                    let repo = ChatRelaysRepo(chat)
                    let all = try repo.usage(of: user, includingDeleted: true)
                    #expect(all.map(\.relay.id) == own.map(\.id), "\(steps)")
                    #expect(all.map(\.relay.isDeleted) == own.map(\.isDeleted), "\(steps)")
                    #expect(all.map(\.use.using) == own.map { model.channelsUsing($0.id) }, "\(steps)")
                    #expect(all.map(\.isReferenced) == own.map { model.isReferenced($0.id) }, "\(steps)")
                    #expect(try repo.all(of: user).map(\.id) == live.map(\.id), "\(steps)")
                    let choosable = try repo.choosable(of: user).map(\.id)
                    #expect(choosable == live.filter(\.isEnabled).map(\.id), "\(steps)")
                    let shown = try GroupRelaysRepo(chat).all(of: user).mapValues { Set($0.map(\.relay.id)) }
                    let channels = model.channels.filter { $0.user == user }
                    #expect(
                        shown == Dictionary(channels.map { ($0.id, Set($0.relays)) }) { first, _ in first }, "\(steps)")
                }
            }
        }
    }
}
