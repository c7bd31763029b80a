import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Groups and channels", Lost groups.
@Suite("groups and channels that lost their rows")
struct LostGroupTests {
    private let test: TestStore
    private let alice: User
    private let bob: User
    private let channel: GroupID
    private let group: GroupID

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
        let relay = try test.addRelay("r1.example", of: alice)
        channel = try test.addChannel("news", relays: [relay], of: alice).group.id
        group = try test.addGroup("talk", of: alice).group.id
        _ = try test.addGroup("bobs", of: bob)
    }

    /// Runs a statement as another program would: with foreign keys off.
    private func execute(_ sql: String) throws {
        let connection = try SQLiteEngine().openForMigration(test.location.path(of: .chat), creating: false)
        defer { connection.close() }
        _ = try connection.rows(.unchecked(sql: sql))
    }

    private func lost(_ user: User) throws -> [LostGroup] { try test.read { try GroupsRepo($0).lost(of: user.id) } }

    private func names(_ user: User) throws -> [String] {
        try test.read { try GroupsRepo($0).namesWithoutGroup(of: user.id) }
    }

    private func withoutProfile(_ user: User) throws -> [LostGroup] {
        try test.read { try GroupsRepo($0).withoutProfile(of: user.id) }
    }

    @Test("nothing is lost in a store that is in order")
    func none() throws {
        for user in [alice, bob] {
            #expect(try lost(user).isEmpty && names(user).isEmpty && withoutProfile(user).isEmpty)
        }
    }

    @Test("a group without its row is found by its members, of its own profile, and its name is among those left")
    func lostRows() throws {
        try execute("DELETE FROM groups WHERE user_id = \(alice.id)")
        #expect(
            try lost(alice) == [
                LostGroup(id: channel, isChannel: true, localDisplayName: nil),
                LostGroup(id: group, isChannel: false, localDisplayName: nil),
            ])
        #expect(try names(alice) == ["news", "talk"])
        #expect(try lost(bob).isEmpty && names(bob).isEmpty)
        #expect(try withoutProfile(alice).isEmpty)
    }

    @Test("a channel whose rows of relays are lost too is known by the members that are relays")
    func relayMembers() throws {
        try execute("DELETE FROM groups WHERE group_id = \(channel)")
        try execute("DELETE FROM group_relays")
        #expect(try lost(alice) == [LostGroup(id: channel, isChannel: true, localDisplayName: nil)])
    }

    @Test("a group without its profile row keeps the name that the profile gives it")
    func lostProfiles() throws {
        try execute("DELETE FROM group_profiles WHERE user_id = \(alice.id)")
        #expect(
            try withoutProfile(alice) == [
                LostGroup(id: channel, isChannel: true, localDisplayName: "news"),
                LostGroup(id: group, isChannel: false, localDisplayName: "talk"),
            ])
        #expect(try withoutProfile(bob).isEmpty && lost(alice).isEmpty && names(alice).isEmpty)
    }

    @Test("no table is read in full")
    func plans() throws {
        try test.write { chat in
            let recording = RecordingTransaction(chat)
            let groups = GroupsRepo(recording)
            _ = (try groups.lost(of: alice.id), try groups.namesWithoutGroup(of: alice.id))
            _ = try groups.withoutProfile(of: alice.id)
            #expect(recording.queries.count == 3)
            for query in recording.queries {
                let lines = try FullScan.lines(of: query, in: chat)
                #expect(lines.isEmpty, "\(lines)")
            }
        }
    }
}
