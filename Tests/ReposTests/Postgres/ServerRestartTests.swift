import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

/// A server whose processes end while programs write and read. Rule: docs/postgresql.md, "What differs".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct ServerRestartTests {
    private static let writers = 16
    private static let readers = 16
    /// How many relays each writer adds.
    private static let rounds = FaultSample.isTortured ? 200 : 12

    @Test("what writers are told around a crash of the server is what is there, and readers see no half")
    func crash() throws {
        let server = try PostgresServer.own()
        let address = try ServerStore(server.uri(database: server.makeDatabase()) + "&store=many")
        let location = StoreLocation(server: address)
        let user = try Self.makeStore(at: location)
        let told = Mutex<Set<String>>([])
        let problems = Mutex<[String]>([])
        let added = Atomic<Int>(0)
        let left = Atomic<Int>(Self.writers)
        let isRestarted = Atomic<Bool>(false)
        OwnThreads.perform(Self.writers + Self.readers + 1) { thread in
            do {
                if thread < Self.writers {
                    defer { left.subtract(1, ordering: .sequentiallyConsistent) }
                    let store = try Store.openForWriting(location, with: PostgresEngine(address, lockTimeout: 600))
                    for round in 0..<Self.rounds {
                        let number = thread * Self.rounds + round
                        // Half of them come after the crash, however fast the others were.
                        if round == Self.rounds / 2 { while !isRestarted.load(ordering: .acquiring) { sched_yield() } }
                        let addresses = [relay("a.example", key: 2 * number), relay("b.example", key: 2 * number + 1)]
                        try Self.add(addresses, to: store, of: user)
                        told.withLock { $0.formUnion(addresses) }
                        added.add(1, ordering: .sequentiallyConsistent)
                    }
                } else if thread < Self.writers + Self.readers {
                    let store = try Store.openForReading(location, with: PostgresEngine(address))
                    while left.load(ordering: .sequentiallyConsistent) > 0 {
                        guard let count = try Self.afterCrash({ try Self.count(in: store, of: user) }) else { continue }
                        if !count.isMultiple(of: 2) { problems.withLock { $0.append("\(count) relays") } }
                    }
                } else {
                    while added.load(ordering: .sequentiallyConsistent) < Self.writers { sched_yield() }
                    try server.restart()
                    isRestarted.store(true, ordering: .releasing)
                }
            } catch {
                problems.withLock { $0.append("thread \(thread): \(error)") }
                // No thread waits for one that has ended.
                isRestarted.store(true, ordering: .releasing)
                added.store(Self.writers, ordering: .sequentiallyConsistent)
            }
        }
        #expect(problems.withLock(\.self) == [])
        let store = try Store.openForReading(location, with: PostgresEngine(address))
        let found = try store.read { try ChatRelaysRepo($0).all(of: user).map(\.address) }
        #expect(found.sorted() == told.withLock(\.self).sorted())
        #expect(found.count == 2 * Self.writers * Self.rounds)
    }

    private static func makeStore(at location: StoreLocation) throws -> UserID {
        let address = try #require(location.server)
        var options = MigrationOptions()
        options.backup = .none
        let context = StoreContext(
            engine: PostgresEngine(address), location: location, build: try MigrationSource.build.load(for: .postgres))
        _ = try Migrator(context, options: options).run()
        let store = try Store.openForWriting(location, with: PostgresEngine(address))
        return try store.writeBoth(committing: .agentFirst) { chat, agent in
            try UsersWriter(chat).create("alice", agent: agent)
        }.id
    }

    /// Adds relays in one transaction, again after each lost connection that changed nothing.
    private static func add(_ addresses: [String], to store: Store, of user: UserID) throws {
        let write: () throws -> Bool = {
            try store.write { chat in
                for address in addresses { _ = try ChatRelaysWriter(chat).add(address, of: user) }
                return true
            }
        }
        while try afterCrash(write) == nil {}
    }

    /// The result, or nil for the error that says that the connection was lost and nothing was changed.
    private static func afterCrash<T>(_ body: () throws -> T) throws -> T? {
        do {
            return try body()
        } catch let error as StoreError where error.kind == .unreachable {
            return nil
        } catch let error as ChatRelaysError {
            if case .store(let reason) = error, reason.kind == .unreachable { return nil }
            throw error
        }
    }

    private static func count(in store: Store, of user: UserID) throws -> Int {
        try store.read { try ChatRelaysRepo($0).all(of: user).count }
    }
}
