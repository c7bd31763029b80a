import ChatDBKit
import Dispatch
import Foundation
import Synchronization
import Testing

/// What a store reports of its own commits. Rule: docs/events.md.
@Suite(.timeLimit(.minutes(60))) struct StoreChangesTests {
    private struct Undo: Error {}

    let test: TestStore
    let alice: User
    let bob: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
    }

    private func setTTL(of user: User) throws {
        try test.write { try $0.run("INSERT INTO settings (user_id, chat_item_ttl) VALUES (\(user.id), 60)") }
    }

    @Test("a commit is reported by subject and profile, once")
    func subjects() async throws {
        var changes = try test.store.changes.makeAsyncIterator()
        try test.addRelay("r1.example", of: alice)
        #expect(await changes.next() == StoreChange(.relays, of: alice.id, transactions: 1))
        try test.addRelay("r1.example", of: bob)
        #expect(await changes.next() == StoreChange(.relays, of: bob.id, transactions: 1))
        // Two profiles and two subjects in one transaction.
        try test.write { tx in
            try tx.run("UPDATE chat_relays SET enabled = 0")
            try tx.run("UPDATE server_operators SET enabled = 0")
            try tx.run("UPDATE users SET show_ntfs = 0 WHERE user_id = \(bob.id)")
        }
        #expect(await changes.next()?.subject == .profiles)
        #expect(await changes.next() == StoreChange(.relays, of: alice.id, transactions: 1))
        #expect(await changes.next() == StoreChange(.relays, of: bob.id, transactions: 1))
        try setTTL(of: alice)
        let next = await changes.next()
        #expect(next?.subject == .settings || next?.subject == .presets)
    }

    @Test("a transaction that is rolled back, and one that changes nothing, are not reported")
    func rollback() async throws {
        var changes = try test.store.changes.makeAsyncIterator()
        #expect(throws: Undo.self) {
            try test.write { tx in
                try tx.run("UPDATE users SET show_ntfs = 0")
                throw Undo()
            }
        }
        try test.write { tx in try tx.run("UPDATE users SET show_ntfs = 0 WHERE user_id = 77") }
        _ = try test.read { try UsersRepo($0).all() }
        try setTTL(of: alice)
        #expect(await changes.next() == StoreChange(.settings, of: alice.id, transactions: 1))
    }

    @Test("a change of the relays of a channel shows the channel, its relays and how many are active")
    func channels() async throws {
        let relays = try ["r1.example", "r2.example"].map { try test.addRelay($0, of: alice) }
        let channel = try test.addChannel("news", relays: relays, of: alice)
        _ = try test.addChannel("other", relays: relays, of: alice, seed: 2)
        var changes = try test.store.changes.makeAsyncIterator()
        try test.setStatus(.active, of: relays[1], in: channel)
        let change = try #require(await changes.next())
        #expect(change.subject == .groupRelays && change.profile == alice.id && !change.isMerged)
        #expect(change.channels.map(\.group) == [channel.group.id])
        let progress = try #require(change.channels.first?.progress)
        #expect(progress.progress == RelayProgress(active: 1, failed: 0, total: 2))
        #expect(progress.relays.map(\.groupRelay.status) == [.new, .active])
        #expect(progress.relays.map(\.host) == ["r1.example", "r2.example"])
    }

    @Test("a relay that a subscriber sees as a member is a relay of the channel, and other members are not")
    func members() async throws {
        let channel = try test.addChannel("news", relays: [test.addRelay("r1.example", of: alice)], of: alice)
        try test.setOwnRole(.observer, in: channel)
        let member = try test.addMember("carol", to: channel, of: alice)
        let relay = try test.addMember("relay", to: channel, of: alice)
        try test.write {
            try $0.run("UPDATE group_members SET member_role = 'relay' WHERE group_member_id = \(relay.id)")
        }
        var changes = try test.store.changes.makeAsyncIterator()
        for (id, expected) in [(member.id, []), (relay.id, [channel.group.id])] {
            try test.write { try $0.run("UPDATE group_members SET show_messages = 0 WHERE group_member_id = \(id)") }
            if !expected.isEmpty {
                let change = await changes.next()
                #expect(change?.subject == .groupRelays && change?.channels.map(\.group) == expected)
            }
            #expect(await changes.next() == StoreChange(.groups, of: alice.id, transactions: 1))
        }
    }

    @Test("many channels are not listed, and deleted rows have no profile")
    func manyAndDeleted() async throws {
        let relay = try test.addRelay("r1.example", of: alice)
        for number in 0...StoreChange.mostChannels {
            try test.addChannel("c\(number)", relays: [relay], of: alice, seed: UInt64(number))
        }
        var changes = try test.store.changes.makeAsyncIterator()
        try test.write { try $0.run("UPDATE group_relays SET relay_status = 'active'") }
        #expect(await changes.next() == StoreChange(.groupRelays, of: alice.id, transactions: 1))
        try test.write { try $0.run("DELETE FROM group_relays") }
        #expect(await changes.next() == StoreChange(.groupRelays, transactions: 1))
    }

    @Test("a receiver that was slow gets the newest state, and how many transactions it stands for")
    func slow() async throws {
        let relay = try test.addRelay("r1.example", of: alice)
        let channel = try test.addChannel("news", relays: [relay], of: alice)
        var changes = try test.store.changes.makeAsyncIterator()
        for status in [RelayStatus.invited, .accepted, .active] {
            try test.setStatus(status, of: relay, in: channel)
        }
        try setTTL(of: bob)
        let change = try #require(await changes.next())
        #expect(change.subject == .groupRelays && change.transactions == 3 && change.isMerged)
        #expect(change.channels.map(\.progress.progress.active) == [1])
        // Another subject is not merged with it.
        #expect(await changes.next() == StoreChange(.settings, of: bob.id, transactions: 1))
    }

    @Test("more rows than are recorded are reported without a profile as well")
    func manyRows() async throws {
        try test.write { tx in
            for number in 0...TableChanges.mostRows {
                try tx.run(
                    """
                    INSERT INTO preset_choices (user_id, kind, address_key, choice)
                    VALUES (\(alice.id), 'relay', \("key \(number)"), 'kept')
                    """)
            }
        }
        var changes = try test.store.changes.makeAsyncIterator()
        try test.write { try $0.run("UPDATE preset_choices SET kind = kind") }
        #expect(await changes.next() == StoreChange(.presets, transactions: 1))
        #expect(await changes.next() == StoreChange(.presets, of: alice.id, transactions: 1))
    }

    @Test("a change of a hidden profile has its number, so that a receiver can withhold it")
    func hidden() async throws {
        var changes = try test.store.changes.makeAsyncIterator()
        try test.hide(bob)
        #expect(await changes.next() == StoreChange(.profiles, of: bob.id, transactions: 1))
        try test.addRelay("r1.example", of: bob)
        #expect(await changes.next() == StoreChange(.relays, of: bob.id, transactions: 1))
    }

    @Test("an observer is called one change at a time, may use the store, and gets what came meanwhile merged")
    func observer() async throws {
        let (stream, continuation) = AsyncStream<StoreChange>.makeStream()
        let mayGoOn = DispatchSemaphore(value: 0)
        let store = test.store
        let seen = Mutex(0)
        let observation = try store.observe { change in
            let users = (try? store.read { try UsersRepo($0).all().count }) ?? 0
            seen.withLock { $0 = users }
            continuation.yield(change)
            mayGoOn.wait()
        }
        var changes = stream.makeAsyncIterator()
        try test.addRelay("r1.example", of: alice)
        #expect(await changes.next() == StoreChange(.relays, of: alice.id, transactions: 1))
        #expect(seen.withLock(\.self) == 2)
        // The observer waits.
        try test.addRelay("r2.example", of: alice)
        try test.addRelay("r3.example", of: alice)
        for _ in 0..<2 { mayGoOn.signal() }
        #expect(await changes.next() == StoreChange(.relays, of: alice.id, transactions: 2))
        observation.cancel()
        observation.cancel()
    }

    @Test("an observation whose token is thrown away or cancelled gets nothing, and the others go on")
    func tokens() async throws {
        let calls = Mutex(0)
        let count: @Sendable (StoreChange) -> Void = { _ in calls.withLock { $0 += 1 } }
        _ = try test.store.observe(count)
        let cancelled = try test.store.observe(count)
        var changes: AsyncStream<StoreChange>.Iterator? = try test.store.changes.makeAsyncIterator()
        cancelled.cancel()
        try test.addRelay("r1.example", of: alice)
        #expect(await changes?.next()?.subject == .relays)
        #expect(calls.withLock(\.self) == 0)
        // An observation that begins after all others have ended works as the first one did.
        changes = nil
        try test.addRelay("r2.example", of: alice)
        var again = try test.store.changes.makeAsyncIterator()
        try test.addRelay("r3.example", of: alice)
        #expect(await again.next()?.transactions == 1)
    }

    @Test("observations end with the store, after what was committed before, and a closed store refuses new ones")
    func close() async throws {
        var changes = try test.store.changes.makeAsyncIterator()
        let observation = try test.store.observe { _ in }
        try test.addRelay("r1.example", of: alice)
        try test.store.close()
        // The rows cannot be read any more.
        #expect(await changes.next() == StoreChange(.relays, transactions: 1))
        #expect(await changes.next() == nil)
        #expect(await changes.next() == nil)
        observation.cancel()
        #expect(throws: StoreError.self) { _ = try test.store.observe { _ in } }
        #expect(throws: StoreError.self) { _ = try test.store.changes }
    }

    @Test("an observation keeps no store open")
    func released() async throws {
        var store: Store? = try Store.openForWriting(test.location, with: SQLiteEngine())
        var changes = try #require(try store?.changes.makeAsyncIterator())
        let observation = try store?.observe { _ in }
        store = nil
        #expect(await changes.next() == nil)
        observation?.cancel()
    }

    @Test("a transaction cannot observe or close its store, which stays as it is")
    func inside() async throws {
        var changes = try test.store.changes.makeAsyncIterator()
        try test.write { tx in
            #expect(throws: StoreError.self) { _ = try test.store.observe { _ in } }
            #expect(throws: StoreError.self) { try test.store.close() }
            try tx.run("UPDATE users SET show_ntfs = 0 WHERE user_id = \(alice.id)")
        }
        #expect(await changes.next() == StoreChange(.profiles, of: alice.id, transactions: 1))
    }
}
