import ChatDBKit
import Foundation
import TestKit
import Testing

/// The same chat database copied by chatdb and loaded by pgloader. Rule: docs/copying.md, "What is refused".
@Suite(
    .enabled(if: Pgloader.program != nil && PostgresServer.isSupported, "needs pgloader and PostgreSQL"),
    .timeLimit(.minutes(60)))
struct PgloaderTests {
    /// A store that pgloader can load: it keeps numbers with a fraction in 4 bytes, and leaves out the row with the
    /// largest number.
    private func world() throws -> CopyWorld {
        let world = try CopyWorld()
        try world.fill()
        try world.files.execute(
            "DELETE FROM messages WHERE message_id > 9000", "UPDATE messages SET score = message_id % 8 * 0.5")
        return world
    }

    /// The name of a new database, into which pgloader has loaded the chat database. It must say that it succeeded.
    private func loaded(_ world: CopyWorld) throws -> String {
        let other = try world.server.makeDatabase()
        let result = try Pgloader.load(world.files.location.path(of: .chat), into: other, of: world.server)
        #expect(result.code == 0, "\(result.output)")
        return other
    }

    @Test("the tables that pgloader made from a clean store have the sums that chatdb tells")
    func clean() throws {
        let world = try world()
        let other = try loaded(world)
        let report = try world.toServer().run()
        // pgloader makes a flag a bigint.
        let rows = [
            "people": "id, name, image, best, active::smallint",
            "messages": "message_id, author, body, score::double precision", "the order": "\"from\", \"to\"",
        ]
        let tables = report.tables.filter { $0.database == .chat }
        #expect(tables.count == rows.count)
        for table in tables {
            let row = try #require(rows[table.name])
            #expect(try world.sum(of: "\"\(table.name)\"", row: row, in: other) == table.sum, "\(table.name)")
        }
    }

    /// What pgloader loses without a word in its exit code.
    enum Loss: String, CaseIterable, Sendable {
        case nul = "a text after a NUL byte"
        case notUTF8 = "the rows after a text that is not UTF-8"
        case reference = "a constraint that the rows do not satisfy"
    }

    @Test("pgloader ends with 0 and has lost what a copy refuses by name", arguments: Loss.allCases)
    func loses(_ loss: Loss) throws {
        let world = try world()
        let line: String
        switch loss {
        case .nul:
            try world.files.execute("UPDATE people SET name = CAST(x'6100626262' AS TEXT) WHERE id = 2")
            line = "chat people.name: a NUL byte, in id 2"
        case .notUTF8:
            try world.files.execute("UPDATE messages SET body = CAST(x'73ff63' AS TEXT) WHERE message_id IN (10, 20)")
            line = "chat messages.body: bytes that are not UTF-8, in message_id 10, 20"
        case .reference:
            try world.files.execute("UPDATE messages SET author = 77 WHERE message_id IN (4, 6)")
            line = "chat messages.author: a reference to a missing row of people, in message_id 4, 6"
        }
        let other = try loaded(world)
        func found(_ sql: String) throws -> String {
            try world.server.psql(sql, database: other).trimmingCharacters(in: .newlines)
        }
        switch loss {
        case .nul: #expect(try found("SELECT name FROM people WHERE id = 2") == "a")
        case .notUTF8: #expect(try Int(found("SELECT count(*) FROM messages")) ?? 0 < 3_001)
        case .reference:
            #expect(try found("SELECT count(*) FROM messages WHERE author = 77") == "2")
            #expect(try found("SELECT count(*) FROM pg_constraint WHERE contype = 'f'") == "0")
        }
        let error = #expect(throws: CopyError.self) { _ = try world.toServer().run() }
        #expect(error?.info.code == "notCopyable" && error?.info.lines == [line])
        #expect(try world.isEmpty())
    }
}
