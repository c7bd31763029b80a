import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

/// Rule: docs/architecture.md, "The seam".
@Suite struct ReadersBesideWriterTests {
    /// What one reader saw.
    private struct Seen {
        var reads = 0
        var channels: Set<Int> = []
        var broken: [String] = []
    }

    @Test("many read while one writes: no reader fails, and all rows that one transaction reads are of one moment")
    func readers() throws {
        let folder = try TemporaryFolder()
        let location = try StoreLocation(prefix: folder.file("s"))
        // As an app makes it: in WAL mode, where readers and the writer do not stop each other.
        _ = try Migrator(engine: SQLiteEngine(), location: location, build: MigrationSource.build.load()).run()
        let (user, relays) = try makeProfile(location)

        let isDone = Mutex(false)
        let seen = Mutex<[Seen]>([])
        let failures = Mutex<[String]>([])
        // The first writes, all others read, each through connections of its own.
        OwnThreads.perform(5) { lane in
            do {
                let store = try Store.openForWriting(location, with: SQLiteEngine())
                defer { try? store.close() }
                if lane == 0 {
                    defer { isDone.withLock { $0 = true } }
                    try write(store, user, relays)
                } else {
                    let own = try read(store, user, until: { isDone.withLock { $0 } })
                    seen.withLock { $0.append(own) }
                }
            } catch {
                failures.withLock { $0.append("\(lane): \(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        let all = seen.withLock { $0 }
        #expect(all.count == 4)
        for reader in all {
            #expect(reader.broken == [])
            #expect(reader.reads > 0)
        }
    }

    private func makeProfile(_ location: StoreLocation) throws -> (UserID, [ChatRelayID]) {
        let store = try Store.openForWriting(location, with: SQLiteEngine())
        defer { try? store.close() }
        #expect(try store.read { try $0.first("PRAGMA journal_mode")?.get("journal_mode") as String? } == "wal")
        return try store.writeBoth(committing: .agentFirst) { chat, agent in
            let user = try UsersWriter(chat).create("alice", agent: agent).id
            let relays = try (0..<2).map { number in
                try ChatRelaysWriter(chat).add(relay("r\(number).example", key: number), of: user).relay.id
            }
            return (user, relays)
        }
    }

    /// Makes and deletes channels, each with both relays; now and then a transaction is undone.
    private func write(_ store: Store, _ user: UserID, _ relays: [ChatRelayID]) throws {
        struct Undo: Error {}
        var random = SplitMix64(seed: 1)
        for number in 0..<60 {
            do {
                try store.write { chat in
                    let groups = GroupsWriter(chat)
                    let made = try groups.createChannel(named: "c", relays: relays, of: user, using: &random)
                    if number % 5 == 0 { throw Undo() }
                    if number % 3 == 0 { _ = try groups.delete(made.group.id, of: user) }
                }
            } catch is Undo {}
        }
    }

    private func read(_ store: Store, _ user: UserID, until isDone: () -> Bool) throws -> Seen {
        var seen = Seen()
        repeat {
            // Asked one after the other: were they not of one moment, the numbers would not agree.
            let (uses, groups, members) = try store.read { chat in
                (
                    try ChatRelaysRepo(chat).usage(of: user).map(\.use.using),
                    try GroupsRepo(chat).all(of: user),
                    try chat.count("SELECT count(*) FROM group_members")
                )
            }
            seen.reads += 1
            seen.channels.insert(groups.count)
            // Each channel has both relays, and three members: the profile and the two.
            let isWhole = uses == [groups.count, groups.count] && members == 3 * groups.count
            if !isWhole || groups.contains(where: { $0.progress.total != 2 }) {
                seen.broken.append("\(uses), \(groups.count) groups, \(members) members")
            }
        } while !isDone()
        return seen
    }
}
