import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

/// A copy has every row, and its numbers go on. Rule: docs/copying.md.
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60))) struct CopyTests {
    @Test("a store that goes to a server and back has the same dump, the same id, and a later generation")
    func thereAndBack() throws {
        let world = try CopyWorld()
        try world.fill()
        let before = try world.dump(world.files.location)
        let there = try world.toServer().run()
        let back = try world.toFiles().run()
        let difference = try world.dump(back.to).difference(from: before)
        #expect(difference.isEmpty, "\(difference)")
        #expect(there.rows == 6_016)
        #expect(there.tables.map(\.sum) == back.tables.map(\.sum), "the sums are those of the rows, not of the engine")
        #expect(there.identity.storeID == back.identity.storeID)
        #expect([there.identity.generation, back.identity.generation] == [2, 3])
        #expect(Set(there.tables.map(\.name)) == ["people", "messages", "the order"])
    }

    @Test("psql alone computes the sum of a table")
    func sums() throws {
        let world = try CopyWorld()
        try world.fill()
        let report = try world.toServer().run()
        for table in report.tables {
            let sum = try world.sum(of: "made_\(table.database).\"\(table.name)\"")
            #expect(sum == table.sum, "\(table.database) \(table.name)")
        }
    }

    @Test("after a copy, each table takes a row, with a number that no row ever had")
    func numbers() throws {
        let world = try CopyWorld()
        try world.fill()
        _ = try world.toServer().run()
        // The largest number of messages leaves none; a person gets the next after the one of a deleted row.
        #expect(try world.sql("INSERT INTO made_chat.people (name) VALUES ('new') RETURNING id") == "41")
        try world.sql("DELETE FROM made_chat.messages WHERE message_id > 9000")
        try world.sql("SELECT setval('made_chat.messages_message_id_seq', max(message_id)) FROM made_chat.messages")
        #expect(
            try world.sql("INSERT INTO made_chat.messages (author) VALUES (3) RETURNING message_id") == "6001")
        #expect(try world.sql("SELECT active FROM made_chat.people WHERE id = 3") == "1", "the trigger is there again")
        try world.sql("INSERT INTO made_chat.\"the order\" VALUES ('c', 'c')")
        #expect(throws: (any Error).self) { try world.sql("INSERT INTO made_chat.messages (author) VALUES (99)") }
        #expect(throws: (any Error).self) { try world.sql("INSERT INTO made_chat.\"the order\" VALUES ('a', 'b')") }
        let back = try world.toFiles().run()
        try Self.execute("INSERT INTO people (name) VALUES ('newer')", back.to.path(of: .chat))
        #expect(try Self.rows("SELECT id FROM people WHERE name = 'newer'", back.to) == [42])
    }

    @Test("the copy has statistics of its tables, by which its engine plans queries")
    func statistics() throws {
        let world = try CopyWorld()
        try world.fill()
        _ = try world.toServer().run()
        let estimated = try world.sql(
            "SELECT reltuples FROM pg_class WHERE oid = 'made_chat.messages'::regclass")
        #expect(estimated == "3002")
        let unfrozen = try world.sql(
            "SELECT count(*) FROM pg_class WHERE oid = 'made_chat.messages'::regclass AND relallvisible < relpages")
        #expect(unfrozen == "0", "the rows are frozen, so that no later vacuum has to write them again")
        let back = try world.toFiles().run()
        for name in DatabaseName.allCases {
            let connection = try SQLiteEngine().open(back.to.path(of: name), as: .readOnly)
            defer { try? connection.close() }
            let tables: [String] = try connection.read {
                try $0.rows("SELECT DISTINCT tbl FROM sqlite_stat1 ORDER BY tbl").map { try $0.get("tbl") as String }
            }
            #expect(tables == ["messages", "people", "the order"], "\(name)")
        }
    }

    @Test("an empty store is copied")
    func empty() throws {
        let world = try CopyWorld()
        let report = try world.toServer().run()
        #expect(report.rows == 0)
        #expect(try world.toFiles().run().rows == 0)
    }

    @Test("a dry run counts the rows and changes nothing")
    func dryRun() throws {
        let world = try CopyWorld()
        try world.fill()
        let before = try world.dump(world.files.location)
        let report = try world.toServer().check()
        #expect(report.rows == 6_016 && !report.hasMoved)
        #expect(report.tables.allSatisfy { $0.sum == nil })
        #expect(try world.isEmpty())
        #expect(try world.dump(world.files.location) == before)
        #expect(try Self.rows("SELECT count(*) FROM pragma_table_info('store')", world.files.location) == [2])
    }

    // MARK: The store that was copied

    @Test("a store that was moved can be read, and refuses writers, migrations and another copy")
    func moved() throws {
        let world = try CopyWorld()
        try world.fill()
        let report = try world.toServer().run()
        #expect(report.hasMoved)
        let place = try world.place.prefix
        let context = try world.context(of: world.files.location)
        #expect(try StoreGate(context).reading() == .current)
        #expect(throws: MigrationError.moved(to: place)) { _ = try StoreGate(context).enter() }
        let failure = #expect(throws: MigrationFailure.self) {
            _ = try world.files.migrator(CopyWorld.build(for: .sqlite)).run()
        }
        #expect(failure?.error == .moved(to: place) && failure?.state == .unchanged)
        try world.sql("DROP SCHEMA made_chat, made_agent CASCADE")
        #expect(throws: MigrationError.moved(to: place)) { _ = try world.toServer().run() }
    }

    @Test("a store on a server that was moved to files refuses writers")
    func movedFromServer() throws {
        let world = try CopyWorld()
        _ = try world.toServer().run()
        let back = try world.toFiles().run()
        let context = try world.context(of: world.place)
        #expect(throws: MigrationError.moved(to: back.to.prefix)) { _ = try StoreGate(context).enter() }
        _ = try StoreGate(world.context(of: back.to)).enter()
    }

    @Test("with keepsBoth, the store gets no mark, and a program that writes it meanwhile waits for nothing")
    func keepsBoth() throws {
        let world = try CopyWorld()
        try world.fill()
        var copy = try world.toServer { $0.keepsBoth = true }
        let files = world.files
        let path = files.location.path(of: .chat)
        var source = copy.source
        // At the first row, another program adds a row to both tables.
        let writing = Once()
        source.progress = { progress in
            guard case .copying(_, .checking) = progress, writing.isFirst() else { return }
            try? Self.execute("INSERT INTO people (id, name) VALUES (30, 'late')", path)
            try? Self.execute("INSERT INTO messages (message_id, author) VALUES (7001, 30)", path)
        }
        copy = StoreCopy(from: source, to: copy.target, options: copy.options)
        let report = try copy.run()
        #expect(!report.hasMoved && report.rows == 6_016, "the copy has neither of the rows")
        #expect(try Self.rows("SELECT count(*) FROM people WHERE id = 30", files.location) == [1])
        _ = try StoreGate(world.context(of: files.location)).enter()
    }

    @Test(
        "with keepsBoth, the rows that a program adds to both files while they are opened are in both copies or in none"
    )
    func oneMoment() throws {
        let world = try CopyWorld()
        try world.fill()
        let location = world.files.location
        let added = Mutex(0)
        let failures = Mutex<[String]>([])
        var engine = WrappedEngine()
        // A row is added to both files after each opening of one; two threads open them.
        engine.snapshot = { opened in
            added.withLock { count in
                count += 1
                for database in DatabaseName.allCases {
                    let sql = "INSERT INTO people (id, name) VALUES (\(100 + count), 'late \(count)')"
                    do {
                        try Self.execute(sql, location.path(of: database))
                    } catch {
                        failures.withLock { $0.append("\(database) \(count): \(error)") }
                    }
                }
            }
            return opened
        }
        var copy = try world.toServer { $0.keepsBoth = true }
        let source = StoreContext(engine: engine, location: location, build: copy.source.build)
        copy = StoreCopy(from: source, to: copy.target, options: copy.options)
        _ = try copy.run()
        let people = try DatabaseName.allCases.map { database in
            try world.sql("SELECT string_agg(id::text, ' ' ORDER BY id) FROM made_\(database).people")
        }
        #expect(added.withLock(\.self) >= 2)
        #expect(failures.withLock(\.self).isEmpty, "each row is added to both files")
        #expect(people[0] == people[1] && people[0].contains("101"), "\(people)")
    }

    @Test("with keepsBoth, a store on a server gets no mark either, and what is written meanwhile is not in the copy")
    func keepsBothOnServer() throws {
        let world = try CopyWorld()
        try world.fill()
        _ = try world.toServer().run()
        var copy = try world.toFiles()
        let writing = Once()
        let written = Mutex("")
        var target = copy.target
        target.progress = { progress in
            guard case .copying = progress, writing.isFirst() else { return }
            let sql = "INSERT INTO made_chat.people (id, name) VALUES (99, 'late') RETURNING id"
            written.withLock { $0 = (try? world.sql(sql)) ?? "no row" }
        }
        var options = CopyOptions()
        options.keepsBoth = true
        copy = StoreCopy(from: copy.source, to: target, options: options)
        let report = try copy.run()
        #expect(written.withLock(\.self) == "99", "the program waits for nothing")
        #expect(!report.hasMoved && report.rows == 6_016)
        #expect(try Self.rows("SELECT count(*) FROM people WHERE id = 99", report.to) == [0])
        #expect(try world.marksOnServer() == 0)
        _ = try StoreGate(world.context(of: world.place)).enter()
    }

    /// Whether it is the first call.
    private final class Once: Sendable {
        private let count = Mutex(0)

        func isFirst() -> Bool {
            count.withLock { count in
                count += 1
                return count == 1
            }
        }
    }

    private static func execute(_ sql: String, _ path: String) throws {
        let connection = try SQLiteEngine().openForMigration(path, creating: false)
        defer { connection.close() }
        _ = try connection.rows(.unchecked(sql: sql))
    }

    private static func rows(_ sql: String, _ location: StoreLocation) throws -> [Int64] {
        let connection = try SQLiteEngine().open(location.path(of: .chat), as: .readOnly)
        defer { try? connection.close() }
        return try connection.read { try $0.rows(.unchecked(sql: sql)).compactMap { Int64(sqlValue: $0.values[0]) } }
    }
}
