import ChatDBKit
import TestKit
import Testing

/// A copy that ended between its two commits is completed by the next one. Rule: docs/copying.md, "The store that was
/// copied".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct CopyCompletionTests {
    /// A store and a complete copy on a server, as a program that ends between the two commits leaves them.
    private func unmarked() throws -> CopyWorld {
        let world = try CopyWorld()
        try world.fill()
        // Both commits are made, and the second one is undone.
        _ = try world.toServer().run()
        try Self.removeMark(of: world)
        return world
    }

    private static func removeMark(of world: CopyWorld) throws {
        for database in DatabaseName.allCases {
            try world.files.execute("UPDATE store SET moved_to = NULL", in: database)
        }
    }

    @Test("the same copy once more compares all rows and sets the mark")
    func completes() throws {
        let world = try unmarked()
        let tried = try world.toServer().check()
        #expect(tried.wasThere && !tried.hasMoved && tried.rows == 6_016)
        #expect(try world.marksInFiles() == 0, "a dry run sets no mark")
        let report = try world.toServer().run()
        #expect(report.wasThere && report.hasMoved && report.rows == 6_016)
        #expect(report.identity.generation == 2)
        #expect(try world.marksInFiles() == 2)
        let place = try world.place.prefix
        #expect(throws: MigrationError.moved(to: place)) { _ = try world.toServer().run() }
        #expect(try world.toFiles().run().rows == 6_016, "the copy is a store as any other")
    }

    @Test("the sums of the completion are those of the copy, in both directions")
    func sums() throws {
        let world = try CopyWorld()
        try world.fill()
        let there = try world.toServer().run()
        let back = try world.toFiles().run()
        for schema in ["made_chat", "made_agent"] { try world.sql("ALTER TABLE \(schema).store DROP COLUMN moved_to") }
        let again = try world.toFiles().run()
        #expect(again.wasThere && again.hasMoved)
        #expect(again.tables == back.tables && again.tables == there.tables)
        #expect(try world.marksOnServer() == 2)
    }

    @Test("if one of the two was written since, the command says which table differs, and sets no mark")
    func written() throws {
        let world = try unmarked()
        let place = try world.place.prefix
        let changed = CopyError.changedSince(.chat, table: "messages", copy: place)
        try world.files.execute("UPDATE messages SET body = 'edited' WHERE message_id = 10")
        #expect(throws: changed) { _ = try world.toServer().run() }
        #expect(throws: changed) { _ = try world.toServer().check() }
        try world.sql("UPDATE made_chat.messages SET body = 'edited' WHERE message_id = 10")
        #expect(try world.toServer().check().wasThere)
        try world.sql("INSERT INTO made_agent.people (name) VALUES ('new')")
        #expect(throws: CopyError.changedSince(.agent, table: "people", copy: place, written: .copy)) {
            _ = try world.toServer().run()
        }
        #expect(try world.marksInFiles() == 0)
        _ = try StoreGate(world.context(of: world.files.location)).enter()
    }

    @Test("a row that was inserted and deleted since is noticed by the number that it had")
    func numbers() throws {
        let world = try unmarked()
        try world.files.execute("INSERT INTO people (name) VALUES ('new')", "DELETE FROM people WHERE name = 'new'")
        let place = try world.place.prefix
        let error = CopyError.changedSince(.chat, table: "people", copy: place, written: .store)
        #expect(throws: error) { _ = try world.toServer().run() }
    }

    @Test("another store, a migrated copy, and a copy of two generations before are no copies to complete")
    func others() throws {
        let world = try unmarked()
        let place = try world.place.prefix
        for schema in ["made_chat", "made_agent"] { try world.sql("UPDATE \(schema).store SET generation = 3") }
        #expect(throws: CopyError.targetExists(place)) { _ = try world.toServer().run() }
        for schema in ["made_chat", "made_agent"] {
            try world.sql("UPDATE \(schema).store SET generation = 2, store_id = 'another'")
        }
        #expect(throws: CopyError.targetExists(place)) { _ = try world.toServer().run() }
        #expect(try world.marksInFiles() == 0)
    }

    @Test("texts that were replaced in the copy are replaced for the comparison")
    func replaced() throws {
        let world = try CopyWorld()
        try world.fill()
        try world.files.execute("UPDATE messages SET body = CAST(x'73ff63' AS TEXT) WHERE message_id = 10")
        _ = try world.toServer { $0.replacesBadText = true }.run()
        try Self.removeMark(of: world)
        let error = #expect(throws: CopyError.self) { _ = try world.toServer().run() }
        #expect(error?.info.code == "notCopyable")
        let report = try world.toServer { $0.replacesBadText = true }.run()
        #expect(report.wasThere && report.replacedTexts == 1)
    }
}
