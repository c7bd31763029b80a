import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// A history of two versions, stores at the first of them, and the values that tests read from them.
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

    /// The code of the error that `body` throws.
    static func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? MigrationFailure)?.error.code ?? (error as? MigrationError)?.code
        }
    }

    /// The journal mode in the header: a connection that opens the file as immutable would report another.
    static func headerMode(_ path: String) throws -> String {
        let header = try #require(FileManager.default.contents(atPath: path)?.prefix(20))
        return header[18] == 2 && header[19] == 2 ? "WAL" : "DELETE"
    }
}

/// Counts calls from a closure that must be Sendable.
final class Counter: @unchecked Sendable {
    // Called only on the thread of one run.
    private(set) var value = 0

    func next() -> Int {
        value += 1
        return value
    }
}
