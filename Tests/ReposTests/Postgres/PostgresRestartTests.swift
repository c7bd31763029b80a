import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

/// A server that is restarted while programs write and read a store. Rule: docs/postgresql.md, "What differs".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct PostgresRestartTests {
    private static let writers = 6
    private static let readers = 4
    private static let rounds = FaultSample.isTortured ? 100 : 8

    private let server: OwnServer
    private let address: ServerStore

    init() throws {
        server = try OwnServer()
        try server.psql("CREATE DATABASE chats")
        address = try ServerStore(server.uri(database: "chats") + "&store=main")
    }

    private var location: StoreLocation { StoreLocation(server: address) }

    @Test(
        "after a restart each writer goes on with its store, and what it was told is what the table has",
        arguments: OwnServer.Stop.allCases)
    func restarted(_ how: OwnServer.Stop) throws {
        let (store, user) = try location.makeStore()
        let progress = Progress()
        // Opened before, because the server may be stopped soon.
        let stores = try (0..<Self.writers + Self.readers).map { number in
            try number < Self.writers
                ? Store.openForWriting(location, with: PostgresEngine(address, lockTimeout: 600))
                : Store.openForReading(location, with: PostgresEngine(address))
        }
        let threads = stores.enumerated().map { number, own in
            ThreadResult<Void> {
                do {
                    if number < Self.writers {
                        try Self.write(number, to: own, of: user, progress)
                    } else {
                        while progress.writersLeft.load(ordering: .relaxed) > 0 { try Self.look(at: own, of: user) }
                    }
                } catch {
                    progress.note(error)
                }
            }
        }
        for _ in 0..<2 {
            for _ in 0..<Self.writers * 2 { progress.changed.wait() }
            try server.stop(how)
            try server.start()
        }
        for thread in threads { try thread.value() }
        #expect(progress.problems.withLock(\.self) == [])
        #expect(
            try store.read { try ChatRelaysRepo($0).all(of: user).count } == Self.writers * Self.rounds * 2)
        _ = try store.write { try ChatRelaysWriter($0).add(relay("last.example", key: 999), of: user) }
    }

    /// What the threads tell the test.
    private final class Progress: Sendable {
        let problems = Mutex<[String]>([])
        let writersLeft = Atomic<Int>(PostgresRestartTests.writers)
        /// Every change signals once, and a thread that fails signals often enough for all.
        let changed = DispatchSemaphore(value: 0)

        func note(_ error: any Error) {
            problems.withLock { $0.append("\(error)") }
            for _ in 0..<PostgresRestartTests.writers * PostgresRestartTests.rounds { changed.signal() }
        }
    }

    private static func write(_ writer: Int, to store: Store, of user: UserID, _ progress: Progress) throws {
        defer { progress.writersLeft.subtract(1, ordering: .relaxed) }
        for round in 0..<rounds {
            try add(writer, round, to: store, of: user)
            progress.changed.signal()
        }
    }

    private struct WronglyTold: Error {}

    /// Adds two relays at once, and tries again as long as the server says that it has changed nothing.
    private static func add(_ writer: Int, _ round: Int, to store: Store, of user: UserID) throws {
        var mayBeThere = false
        while true {
            do {
                try store.write { chat in
                    for part in 0..<2 {
                        _ = try ChatRelaysWriter(chat).add(
                            relay(
                                "w\(writer)r\(round)p\(part).example",
                                key: writer * 100 + round * 2 + part + 1), of: user)
                    }
                }
                return
            } catch ChatRelaysError.duplicateRelayAddress {
                // No other writer adds these.
                if mayBeThere { return }
                throw WronglyTold()
            } catch {
                switch Self.kind(error) {
                case .unreachable: sched_yield()
                case .commitUnknown: mayBeThere = true
                default: throw error
                }
            }
        }
    }

    /// A reader sees both relays of a change or neither. It may find no server for a while.
    private static func look(at store: Store, of user: UserID) throws {
        struct HalfAChange: Error {}
        do {
            let count = try store.read { try ChatRelaysRepo($0).all(of: user).count }
            if !count.isMultiple(of: 2) { throw HalfAChange() }
        } catch {
            guard kind(error) == .unreachable else { throw error }
            sched_yield()
        }
    }

    /// The kind of an error of the seam, also inside one of a writer.
    private static func kind(_ error: any Error) -> StoreError.Kind? {
        if let error = error as? StoreError { return error.kind }
        switch error {
        case ChatRelaysError.store(let cause), ChatRelaysError.users(.store(let cause)): return cause.kind
        default: return nil
        }
    }
}
