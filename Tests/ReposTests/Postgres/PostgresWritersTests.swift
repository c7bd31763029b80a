import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

/// Many programs that write and read one store on a server at once. Rule: docs/postgresql.md, "What differs".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct PostgresWritersTests {
    private static let threads = 16
    /// How long they do it: a minute under `make torture`, and six rounds otherwise.
    private static let time: Duration? = FaultSample.isTortured ? .seconds(60) : nil
    private static let rounds = FaultSample.isTortured ? Int.max : 6

    private let server: PostgresServer
    private let address: ServerStore

    init() throws {
        server = try PostgresServer.started()
        address = try ServerStore(server.uri(database: server.makeDatabase()) + "&store=many")
    }

    private var location: StoreLocation { StoreLocation(server: address) }

    @Test(
        "16 writers add the same relays and 16 readers look: each relay is there once, and no look is between two rows")
    func writersAndReaders() throws {
        let (store, user) = try location.makeStore()
        let added = Atomic<Int>(0)
        let writersLeft = Atomic<Int>(Self.threads)
        let problems = Mutex<[String]>([])
        let end = Self.time.map { ContinuousClock.now + $0 }
        OwnThreads.perform(Self.threads * 2) { thread in
            do {
                if thread < Self.threads {
                    defer { writersLeft.subtract(1, ordering: .relaxed) }
                    let own = try Store.openForWriting(location, with: PostgresEngine(address, lockTimeout: 600))
                    for round in 0..<Self.rounds {
                        if let end, ContinuousClock.now > end { break }
                        do {
                            try own.write { chat in
                                // Two relays at once: a reader sees both or neither.
                                for part in ["a", "b"] {
                                    _ = try ChatRelaysWriter(chat).add(
                                        relay("\(part)\(round).example", key: round * 2 + (part == "a" ? 1 : 2)),
                                        of: user)
                                }
                            }
                            added.add(1, ordering: .relaxed)
                        } catch ChatRelaysError.duplicateRelayAddress {
                            // Another writer was first.
                        }
                    }
                } else {
                    let own = try Store.openForReading(location, with: PostgresEngine(address))
                    repeat {
                        let count = try own.read { try ChatRelaysRepo($0).all(of: user).count }
                        if !count.isMultiple(of: 2) { problems.withLock { $0.append("\(count) relays") } }
                    } while writersLeft.load(ordering: .relaxed) > 0
                }
            } catch {
                problems.withLock { $0.append("\(error)") }
            }
        }
        #expect(problems.withLock(\.self) == [])
        let rounds = added.load(ordering: .relaxed)
        #expect(Self.time == nil ? rounds == Self.rounds : rounds > 6)
        #expect(try store.read { try ChatRelaysRepo($0).all(of: user).count } == rounds * 2)
    }

    @Test("a store that was migrated after it was opened is not written")
    func migratedMeanwhile() throws {
        let (store, user) = try location.makeStore()
        _ = try store.write { try ChatRelaysWriter($0).add(relay("r.example"), of: user) }
        try PostgresEngine(address).migrationConnections().open(location.path(of: .chat), creating: false)
            .raiseGeneration()
        let error = #expect(throws: StoreError.self) {
            try store.write { try $0.run("DELETE FROM chat_relays") }
        }
        #expect(error?.kind == .inUse)
        #expect(try store.read { try ChatRelaysRepo($0).all(of: user).count } == 1)
    }

    @Test("an error inside a change of both databases changes neither")
    func bothOrNeither() throws {
        struct Stop: Error {}
        let (store, _) = try location.makeStore()
        #expect(throws: Stop.self) {
            try store.writeBoth(committing: .agentFirst) { chat, agent in
                _ = try UsersWriter(chat).create("bob", agent: agent)
                throw Stop()
            }
        }
        #expect(try store.read { try UsersRepo($0).all().map(\.name) } == ["alice"])
        #expect(try store.read(.agent) { try $0.count("SELECT count(*) FROM users") } == 1)
    }
}

extension StoreLocation {
    /// A store on a server with one profile, opened to be written.
    func makeStore() throws -> (store: Store, user: UserID) {
        let server = try #require(self.server)
        var options = MigrationOptions()
        options.backup = .none
        let context = StoreContext(
            engine: PostgresEngine(server), location: self, build: try MigrationSource.build.load(for: .postgres))
        _ = try Migrator(context, options: options).run()
        let store = try Store.openForWriting(self, with: PostgresEngine(server))
        let user = try store.writeBoth(committing: .agentFirst) { chat, agent in
            try UsersWriter(chat).create("alice", agent: agent)
        }
        return (store, user.id)
    }
}

extension MigrationConnection {
    /// What every migration does.
    fileprivate func raiseGeneration() throws {
        try begin()
        try run("UPDATE store SET generation = generation + 1")
        try commit()
    }
}
