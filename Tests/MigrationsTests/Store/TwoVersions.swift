import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// A history of two versions, stores at the first of them, and what tests ask of them.
enum TwoVersions {
    typealias Step = SyntheticHistory.Step

    static let first = Step(
        "first", "CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE t;")
    static let second = Step(
        "second", "CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE u;")
    static let agentFirst = Step(
        "agent_first", "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE a;")
    private static let agentSecond = Step(
        "agent_second", "CREATE TABLE b (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE b;")

    static func old() throws -> [DatabaseName: [Migration]] {
        try SyntheticHistory.make(chat: [first], agent: [agentFirst])
    }

    static func new() throws -> [DatabaseName: [Migration]] {
        try SyntheticHistory.make(chat: [first, second], agent: [agentFirst, agentSecond])
    }

    static func oldStore() throws -> SyntheticStore {
        let store = try SyntheticStore()
        _ = try store.migrator(old()).run()
        return store
    }

    /// The code of the error that comes out of `body`.
    static func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? MigrationFailure)?.error.code ?? (error as? MigrationError)?.code
        }
    }

    /// As the header says: a connection that declares the file immutable would say something else.
    static func headerMode(_ path: String) throws -> String {
        let header = try #require(FileManager.default.contents(atPath: path)?.prefix(20))
        return header[18] == 2 && header[19] == 2 ? "WAL" : "DELETE"
    }
}

/// Counts calls from a closure that must be Sendable.
final class Counter: @unchecked Sendable {
    // Called on the thread of one run only.
    private(set) var value = 0

    func next() -> Int {
        value += 1
        return value
    }
}
