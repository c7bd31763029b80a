import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// Files of a folder with the names of chatdb's own migrations and other texts. The tests of the own migrations say
/// nothing about them. Rule: docs/migrations.md, "The plan".
@Suite("files with the names of chatdb's own migrations, and other texts") struct OwnNamesTests {
    private let own: [DatabaseName: [Migration]]
    private let first: Migration

    init() throws {
        own = try MigrationSource.build.load()
        first = try #require(own[.chat]?.first)
    }

    /// The first migration of each database, where that of the chat database has another text.
    private func edited(up: String? = nil, down: String? = nil) throws -> [DatabaseName: [Migration]] {
        let migration = Migration(
            name: first.name, up: try up.map(script) ?? first.up, down: try down.map(script) ?? first.down)
        return [.chat: [migration], .agent: Array((own[.agent] ?? []).prefix(1))]
    }

    private func script(_ text: String) throws -> MigrationScript {
        try MigrationScript(storedDown: text, of: first.name)
    }

    @Test("the first own migrations are not those of a folder; with a gap or another text, they are")
    func folder() throws {
        let store = try SyntheticStore()
        func isOfFolder(_ build: [DatabaseName: [Migration]]) -> Bool { store.migrator(build).context.isOfFolder }
        #expect(!isOfFolder(own) && !isOfFolder(own.mapValues { Array($0.prefix(2)) }))
        #expect(isOfFolder(own.mapValues { Array($0.dropFirst()) }))
        #expect(try isOfFolder(edited(up: "CREATE TABLE t (id INTEGER)")))
        #expect(try isOfFolder(edited(down: "DROP TABLE nowhere")))
    }

    @Test("a new store is refused with a view that lacks its table")
    func creation() throws {
        let store = try SyntheticStore()
        let broken = "CREATE TABLE t (id INTEGER); CREATE VIEW v AS SELECT id FROM t; DROP TABLE t"
        let failure = #expect(throws: MigrationFailure.self) { try store.migrator(edited(up: broken)).run() }
        guard case .brokenDefinitions(.chat, _, let definitions)? = failure?.error else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(definitions.map(\.name) == ["v"])
    }

    @Test("a plan tries an edited down file")
    func downFault() throws {
        let store = try SyntheticStore()
        let plan = try store.migrator(edited(down: "DROP TABLE nowhere")).plan()
        #expect(plan.databases[.chat]?.downFault?.code == "migrationFailed")
        #expect(plan.databases[.agent]?.downFault == nil)
    }

    @Test("an edited file that drops a table is examined for the indexes that go with it")
    func removedParts() throws {
        let build = try edited(up: "CREATE TABLE t (id INTEGER); DROP TABLE t")
        let step = try MigrationStep.up(#require(build[.chat]?.first))
        #expect(step.mayRemoveParts)
    }
}
