import ChatDBKit
import Testing

/// The user's choices about entries of operators that the profile no longer has. No channel refers to these relays, so
/// none keeps its row.
@Suite struct PresetChoicesTests: ImportTesting {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        try test.write { _ = try PresetSync.start(Self.list(), for: alice.id, in: $0, seed: 1) }
    }

    /// An operator's list with the relays r1 to r3 and the servers s1 to s3, of which one each is used.
    static func list(relays: [Int] = [1, 2, 3], servers: [Int] = [1, 2, 3], use: Int? = 1) throws -> PresetFile {
        PresetFile(operators: [
            PresetOperator(
                tag: .simplex, tradeName: "Op", domains: ["op.example"],
                use: use.map { PresetUse(smp: $0, xftp: 0, relays: $0) },
                entries: PresetEntries(
                    smpServers: try servers.map {
                        PresetServer(address: try ServerAddress(server("s\($0).op.example")))
                    },
                    relays: try relays.map { try PresetSyncTests.relayEntry($0) }))
        ])
    }

    @discardableResult
    func sync(_ list: PresetFile, seed: UInt64 = 1) throws -> [PresetChange] {
        let plan = try test.write {
            try PresetSync.apply(list, to: alice.id, in: $0, seed: seed, clock: TestStore.clock)
        }
        return plan.changes
    }

    /// The choices as `kind address choice`, sorted.
    func choices(of user: User? = nil) throws -> [String] {
        try test.read { chat in
            try chat.presetChoices(of: (user ?? alice).id)
                .map { "\($0.kind) \($0.addressKey.split(separator: "@").last ?? "") \($1)" }.sorted()
        }
    }

    func enable(_ relays: Bool, _ servers: Bool) throws {
        try test.write { chat in
            try chat.run("UPDATE chat_relays SET enabled = \(relays)")
            try chat.run("UPDATE protocol_servers SET enabled = \(servers)")
        }
    }

    @Test("entries that a list dropped come back with the switch that the user left, and the plan says so")
    func dropped() throws {
        try enable(false, false)
        try test.write { chat in
            try chat.run("UPDATE chat_relays SET enabled = 1 WHERE display_name = 'Relay 3'")
            try chat.run("UPDATE protocol_servers SET enabled = 1 WHERE host = 's3.op.example'")
        }
        #expect(try sync(Self.list(relays: [], servers: [])).map(\.action) == Array(repeating: .remove, count: 6))
        #expect(
            try choices() == [
                "relay r1.op.example disabled", "relay r2.op.example disabled", "relay r3.op.example enabled",
                "smp s1.op.example disabled", "smp s2.op.example disabled", "smp s3.op.example enabled",
            ])
        // The file enables every entry, and an entry that comes back enabled counts for its use.
        let changes = try sync(Self.list(relays: [1, 3, 4, 5], servers: [1, 3, 4, 5], use: 2), seed: 7)
        let words = "comes back disabled, as the user left it"
        #expect(changes.map(\.action) == Array(repeating: .add, count: 8))
        #expect(changes.map(\.reason) == [words, nil, nil, nil, words, nil, nil, nil])
        for switches in [try relays().map(\.isEnabled), try servers().map(\.isEnabled)] {
            #expect(switches.prefix(2) == [false, true] && switches.count(where: \.self) == 2, "\(switches)")
        }
        #expect(try choices() == ["relay r2.op.example disabled", "smp s2.op.example disabled"])
        #expect(try sync(Self.list(relays: [1, 3, 4, 5], servers: [1, 3, 4, 5], use: 2)).isEmpty)
    }

    /// Ways in which a user deletes their own relay and server.
    enum Deletion: CaseIterable { case one, atOnce, replacing }

    @Test("an operator's relay or server that the user deleted comes back disabled", arguments: Deletion.allCases)
    func deleted(_ deletion: Deletion) throws {
        try sync(Self.list(relays: [1], servers: [1]))
        try test.write { chat in
            let relays = ChatRelaysWriter(chat)
            let servers = ServersWriter(chat)
            let added = try relays.add(relay("r2.op.example"), of: alice.id)
            let own = try servers.add(server("s2.op.example"), of: alice.id)
            #expect(added.outcome == .added && added.relay.isEnabled && own.isEnabled)
            #expect(try Set(choices(in: chat)) == ["r3.op.example", "s3.op.example"], "adding forgets the choice")
            switch deletion {
            case .one:
                #expect(try relays.delete(added.relay.id, of: alice.id).outcome == .deleted)
                try servers.delete(own.id, of: alice.id)
            case .atOnce:
                try servers.add(server("x.example", .xftp), of: alice.id)
                try chat.run("UPDATE protocol_servers SET enabled = 1")
                _ = try servers.set(
                    UserServersChanges(servers: [.delete(own.id)], relays: [.delete(added.relay.id)]), of: alice.id)
            case .replacing:
                var empty = PresetFile(custom: PresetEntries())
                empty.custom.lists = [.smpServers, .relays]
                _ = try PresetImport.apply(empty, PresetImportOptions(mode: .replace), to: alice.id, in: chat)
            }
        }
        let changes = try sync(Self.list(use: nil))
        let words = "comes back disabled, because the user deleted it"
        #expect(changes.filter { $0.reason == words }.map(\.address).count == 2)
        #expect(changes.first { $0.address == relay("r2.op.example") }?.fields.last?.to == .flag(false))
        #expect(try relays().first { $0.host == "r2.op.example" }?.isEnabled == false)
        #expect(try servers().first { $0.primaryHost == "s2.op.example" }?.isEnabled == false)
        #expect(try choices().isEmpty)
        let back = try test.write { try ChatRelaysWriter($0).add(relay("r2.op.example"), of: alice.id) }
        #expect(back.outcome == .enabled && back.relay.isEnabled && back.relay.isPreset)
    }

    private func choices(in chat: any ReadTransaction) throws -> [String] {
        try chat.presetChoices(of: alice.id).keys.map { String($0.addressKey.split(separator: "@").last ?? "") }
    }

    @Test("a relay or server of no operator leaves no trace")
    func ownEntries() throws {
        try test.write { chat in
            let relays = ChatRelaysWriter(chat)
            _ = try relays.delete(relays.add(relay("mine.example"), of: alice.id).relay.id, of: alice.id)
            let servers = ServersWriter(chat)
            try servers.delete(servers.add(server("mine.example"), of: alice.id).id, of: alice.id)
        }
        #expect(try choices().isEmpty)
    }

    @Test("a relay or server that gets the address of such an entry makes the choice go")
    func edited() throws {
        try sync(Self.list(relays: [], servers: []))
        try test.write { chat in
            let (relays, servers) = (ChatRelaysWriter(chat), ServersWriter(chat))
            let mine = try relays.add(relay("mine.example"), of: alice.id).relay
            try relays.edit(mine.id, address: relay("r1.op.example"), of: alice.id)
            let own = try servers.add(server("mine.example"), of: alice.id)
            try servers.update(own.id, address: server("s1.op.example"), of: alice.id)
        }
        #expect(try choices().allSatisfy { !$0.contains("1.op") } && choices().count == 4)
    }

    @Test("undoing a deletion leaves no choice, and the entry is as it was")
    func undone() throws {
        try sync(Self.list(relays: [1], servers: [1]))
        let added = try test.write { try ChatRelaysWriter($0).add(relay("r2.op.example"), of: alice.id).relay }
        let before = try test.read { _ in file(relays: [try entry("r2.op.example")]) }
        try test.write { _ = try ChatRelaysWriter($0).delete(added.id, of: alice.id) }
        #expect(try choices().contains("relay r2.op.example deleted"))
        try take(before, PresetImportOptions(trustsOperators: true))
        #expect(try relays().first { $0.host == "r2.op.example" }?.isEnabled == true)
        #expect(try !choices().contains { $0.contains("r2.op") })
    }

    @Test("restoring sets the switches of the file and leaves no choice; the same sync again gives the same profile")
    func restored() throws {
        try enable(true, false)
        let before = try kept()
        let list = try Self.list(relays: [3, 4, 5], servers: [3, 4, 5], use: 5)
        try sync(list)
        let synced = try kept()
        #expect(try choices().count == 4)
        try take(before, PresetImportOptions(mode: .restore))
        #expect(try kept() == before)
        #expect(
            try choices() == [
                "relay r4.op.example enabled", "relay r5.op.example enabled", "smp s4.op.example enabled",
                "smp s5.op.example enabled",
            ])
        try sync(list)
        #expect(try kept() == synced)
    }

    @Test(
        "a custom entry that restoring removes counts as deleted, with and without its row", arguments: [false, true])
    func restoredWithoutOwn(_ isUsed: Bool) throws {
        try sync(Self.list(relays: [1], servers: [1]))
        let before = try kept()
        let added = try test.write { try ChatRelaysWriter($0).add(relay("r2.op.example"), of: alice.id).relay }
        if isUsed { try test.addChannel("c", relays: [added], of: alice) }
        try take(before, PresetImportOptions(mode: .restore))
        let changes = try sync(Self.list(servers: [1], use: nil))
        let back = changes.first { $0.address == added.address }
        #expect(back?.reason == "comes back disabled, because the user deleted it")
        #expect(back?.action == (isUsed ? .restore : .add))
    }

    @Test("merging keeps the choice unless it sets switches; replacing takes the switch of the file")
    func imported() throws {
        let ways = [
            PresetImportOptions(trustsOperators: true),
            PresetImportOptions(setsEnabled: true, trustsOperators: true),
            PresetImportOptions(mode: .replace, trustsOperators: true),
            PresetImportOptions(mode: .restore),
        ]
        for options in ways {
            try enable(false, false)
            try sync(Self.list(relays: [], servers: []))
            let plan = try take(Self.list(), options)
            let isKept = !options.setsEnabled && options.mode == .merge
            let words = isKept ? "comes back disabled, as the user left it" : nil
            #expect(plan.changes.count == 6 && plan.changes.allSatisfy { $0.reason == words }, "\(options)")
            #expect(try relays().allSatisfy { $0.isEnabled == !isKept } && relays().allSatisfy(\.isPreset))
            #expect(try servers().allSatisfy { $0.isEnabled == !isKept } && choices().isEmpty)
        }
    }

    @Test("a preset relay that another app soft-deleted comes back disabled, because the user deleted it")
    func deletedByApp() throws {
        try enable(true, true)
        for relay in try relays() { try test.addChannel("c \(relay.name)", relays: [relay], of: alice) }
        try test.write { try $0.run("UPDATE chat_relays SET deleted = 1 WHERE display_name <> 'Relay 1'") }
        try sync(Self.list(relays: []))
        let changes = try sync(Self.list(relays: [1, 2]))
        #expect(changes.map(\.reason) == [nil, "comes back disabled, because the user deleted it"])
        #expect(try relays().map(\.isEnabled) == [true, false])
        #expect(try choices().isEmpty)
    }

    @Test("the choice outlives the row of a soft-deleted relay")
    func purged() throws {
        try enable(true, true)
        let three = try relays()
        let channel = try test.addChannel("c", relays: three, of: alice)
        let mine = try test.addRelay("mine.example", of: alice)
        let other = try test.addChannel("d", relays: [mine], of: alice)
        try sync(Self.list(relays: [2, 3]))
        // Earlier versions and other apps keep no choice.
        try test.write { chat in
            try chat.run("UPDATE chat_relays SET deleted = 1 WHERE display_name = 'Relay 2'")
            _ = try ChatRelaysWriter(chat).delete(mine.id, of: alice.id)
            for group in [channel, other] { _ = try GroupsWriter(chat).delete(group.group.id, of: alice.id) }
        }
        #expect(try test.count("SELECT count(*) FROM chat_relays WHERE deleted = 1") == 0)
        #expect(try choices() == ["relay r1.op.example enabled", "relay r2.op.example deleted"])
    }

    @Test("choices belong to one profile, and go with it; a plan is outdated when they change")
    func profiles() throws {
        let bob = try test.addUser("bob")
        try test.write { _ = try PresetSync.start(Self.list(), for: bob.id, in: $0, seed: 1) }
        try enable(false, false)
        try sync(Self.list(relays: [], servers: []))
        #expect(try choices(of: bob).isEmpty && choices().count == 6)
        let plan = try test.read { try PresetSync.plan(Self.list(), for: alice.id, in: $0, seed: 1) }
        try test.write { chat in
            try chat.run("UPDATE preset_choices SET choice = 'deleted' WHERE address_key = 's1.op.example'")
            #expect(try !plan.apply(to: alice.id, in: chat))
        }
        try test.store.writeBoth(committing: .chatFirst) { chat, agent in
            _ = try UsersWriter(chat).delete(alice.id, agent: agent)
        }
        #expect(try test.count("SELECT count(*) FROM preset_choices") == 0)
    }

    @Test("a choice of a newer app counts as disabled")
    func unknownChoice() throws {
        try enable(true, true)
        try sync(Self.list(relays: [], servers: []))
        try test.write { try $0.run("UPDATE preset_choices SET choice = 'hidden'") }
        #expect(try sync(Self.list()).allSatisfy { $0.reason == "comes back disabled, as the user left it" })
    }
}
