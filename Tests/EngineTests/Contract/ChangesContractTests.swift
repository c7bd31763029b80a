import ChatDBKit
import Synchronization
import Testing

/// The reports of commits, and the stamps that show the commits of other connections.
@Suite struct ChangesContractTests {
    private struct Undo: Error {}

    /// The reports of a recording.
    private final class Reports: Sendable {
        private let reports = Mutex<[TableChanges]>([])

        func add(_ changes: TableChanges) { reports.withLock { $0.append(changes) } }

        /// The number of rows by table, for each report since the last call.
        func taken() -> [[String: Int]] {
            reports.withLock { reports in
                defer { reports = [] }
                return reports.map { $0.tables.mapValues(\.numbers.count) }
            }
        }
    }

    @Test("a commit is reported once, with the rows of each table", arguments: EngineContract.observing)
    func commits(_ contract: EngineContract) throws {
        let database = try contract.database()
        let reports = Reports()
        let recording = try database.connection.recordCommits(in: ["kept", "parents"], reports.add)
        defer { withExtendedLifetime(recording) {} }
        try database.connection.write { tx in
            try tx.run("INSERT INTO kept(words) VALUES ('a'), ('b')")
            try tx.run("INSERT INTO parents(name) VALUES ('p')")
            try tx.run("UPDATE kept SET whole = 1")
        }
        // Before `write` returns, and after the commit: the row can be read.
        #expect(reports.taken() == [["kept": 2, "parents": 1]])
        try database.connection.write { tx in _ = try tx.run("UPDATE kept SET whole = 2 WHERE words = 'none'") }
        try database.connection.write { tx in _ = try tx.run("INSERT INTO children(parent_id) VALUES (1)") }
        _ = try database.connection.read { try $0.count("SELECT count(*) FROM kept") }
        #expect(reports.taken() == [])
    }

    @Test(
        "a transaction that is rolled back is not reported, and not with the next one",
        arguments: EngineContract.observing)
    func rollback(_ contract: EngineContract) throws {
        let database = try contract.database()
        let reports = Reports()
        let recording = try database.connection.recordCommits(in: ["kept", "parents", "children"], reports.add)
        defer { withExtendedLifetime(recording) {} }
        #expect(throws: Undo.self) {
            try database.connection.write { tx in
                try tx.run("INSERT INTO kept(words) VALUES ('a')")
                throw Undo()
            }
        }
        // The reference to a missing row fails.
        try storeError(.foreignKeyViolation) {
            try database.connection.write { tx in
                try tx.run("INSERT INTO kept(words) VALUES ('a')")
                try tx.run("INSERT INTO children(parent_id) VALUES (77)")
            }
        }
        #expect(reports.taken() == [])
        try database.connection.write { tx in _ = try tx.run("INSERT INTO parents(name) VALUES ('p')") }
        #expect(reports.taken() == [["parents": 1]])
    }

    @Test(
        "the deletion of all rows is reported by row, also by a statement that ran before the recording",
        arguments: EngineContract.observing)
    func allRows(_ contract: EngineContract) throws {
        let database = try contract.database()
        let fill: (any WriteTransaction) throws -> Void = { tx in
            try tx.run("INSERT INTO kept(words) VALUES ('a'), ('b'), ('c')")
        }
        let empty: (any WriteTransaction) throws -> Void = { tx in try tx.run("DELETE FROM kept") }
        try database.connection.write(fill)
        try database.connection.write(empty)
        try database.connection.write(fill)
        let reports = Reports()
        let recording = try database.connection.recordCommits(in: ["kept"], reports.add)
        try database.connection.write(empty)
        #expect(reports.taken() == [["kept": 3]])
        withExtendedLifetime(recording) {}
    }

    @Test("the rows that foreign keys and triggers change are reported", arguments: EngineContract.observing)
    func effects(_ contract: EngineContract) throws {
        let database = try contract.database()
        try database.connection.write { tx in
            try tx.run(
                "CREATE TABLE parts(id \(contract.generatedKey), parent_id BIGINT REFERENCES parents(id) ON DELETE CASCADE)"
            )
            try tx.run("INSERT INTO parents(id, name) VALUES (1, 'p')")
            try tx.run("INSERT INTO parts(parent_id) VALUES (1), (1)")
        }
        let reports = Reports()
        let recording = try database.connection.recordCommits(in: ["parts"], reports.add)
        try database.connection.write { tx in _ = try tx.run("DELETE FROM parents WHERE id = 1") }
        #expect(reports.taken() == [["parts": 2]])
        withExtendedLifetime(recording) {}
    }

    @Test("a recording ends when it is released, and several run side by side", arguments: EngineContract.observing)
    func releases(_ contract: EngineContract) throws {
        let database = try contract.database()
        let (first, second) = (Reports(), Reports())
        let stays = try database.connection.recordCommits(in: ["kept"], first.add)
        var ends: (any CommitRecording)? = try database.connection.recordCommits(in: ["kept"], second.add)
        let insert: (any WriteTransaction) throws -> Void = { tx in try tx.run("INSERT INTO kept(words) VALUES ('a')") }
        try database.connection.write(insert)
        #expect(ends != nil)
        ends = nil
        try database.connection.write(insert)
        #expect(first.taken().count == 2)
        #expect(second.taken().count == 1)
        withExtendedLifetime(stays) {}
    }

    @Test("a table keeps a limited number of rows, and shows that there are more", arguments: EngineContract.observing)
    func limit(_ contract: EngineContract) throws {
        let database = try contract.database()
        let last = Mutex(TableChanges())
        let recording = try database.connection.recordCommits(in: ["kept"]) { changes in last.withLock { $0 = changes }
        }
        for count in [TableChanges.mostRows, TableChanges.mostRows + 1] {
            try database.connection.write { tx in
                for number in 0..<count { try tx.run("INSERT INTO kept(whole) VALUES (\(number))") }
            }
            let rows = try #require(last.withLock(\.tables)["kept"])
            #expect(rows.numbers.count == TableChanges.mostRows)
            #expect(rows.areAll == (count == TableChanges.mostRows))
        }
        withExtendedLifetime(recording) {}
    }

    @Test(
        "a stamp changes with commits of other connections, and not with own ones", arguments: EngineContract.observing)
    func stamps(_ contract: EngineContract) throws {
        let database = try contract.database()
        let other = try database.open(as: .existing)
        defer { try? other.close() }
        let insert: (any WriteTransaction) throws -> Void = { tx in try tx.run("INSERT INTO kept(words) VALUES ('a')") }
        let (own, others) = (try database.connection.sourceStamp(), try other.sourceStamp())
        #expect(own != nil && others != nil)
        try database.connection.write(insert)
        #expect(try database.connection.sourceStamp() == own)
        #expect(try other.sourceStamp() != others)
        let reader = try database.open(as: .untrusted)
        defer { try? reader.close() }
        let seen = try #require(try reader.sourceStamp())
        try database.connection.write(insert)
        #expect(try reader.sourceStamp() != seen)
    }

    @Test("a connection that reads without locks has no stamp", arguments: EngineContract.observing)
    func noStamp(_ contract: EngineContract) throws {
        let database = try contract.database()
        try database.connection.close()
        let reader = try database.open(as: .untrusted)
        defer { try? reader.close() }
        #expect(try reader.sourceStamp() == nil)
    }

    @Test("a closed connection and one in a transaction throw", arguments: EngineContract.observing)
    func refuses(_ contract: EngineContract) throws {
        let database = try contract.database()
        try database.connection.write { _ in
            try storeError { _ = try database.connection.recordCommits(in: []) { _ in } }
            try storeError { _ = try database.connection.sourceStamp() }
        }
        try database.connection.close()
        try storeError { _ = try database.connection.recordCommits(in: []) { _ in } }
        try storeError { _ = try database.connection.sourceStamp() }
    }
}
