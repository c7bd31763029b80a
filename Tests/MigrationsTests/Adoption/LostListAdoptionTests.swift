import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// A baseline of a store of chatdb whose list of migrations lost rows. Rule: docs/migrations.md, "A list that lost rows".
@Suite("a baseline of a list that lost rows")
struct LostListAdoptionTests {
    /// The name of the last migration of the build, of one database or of both.
    private static func last(_ database: DatabaseName? = nil) throws -> String {
        let build = try AppDatabases.build()
        let parts = database.map { [$0] } ?? DatabaseName.allCases
        let name = parts.compactMap { build[$0]?.last?.name }.max()
        return try #require(name)
    }

    /// An adopted pair at the last version.
    private func migrated() throws -> AppDatabases {
        let app = try AppDatabases()
        try app.adopt()
        var migrator = Migrator(try app.context())
        migrator.options.confirmation = .yesUp
        _ = try migrator.run()
        return app
    }

    @Test(
        "rows that were lost at the end are written again, after a backup of the store",
        arguments: DatabaseName.allCases)
    func written(_ database: DatabaseName) throws {
        let app = try migrated()
        let (content, lost) = (try app.content(), try Self.last(database))
        try app.sql("DELETE FROM migrations WHERE name = '\(lost)'", in: database)
        let plan = try app.plan(at: Self.last())
        #expect(plan.isCompletion && plan.databases[database]?.lost == [lost])
        #expect(plan.databases.values.flatMap(\.lost) == [lost])

        let context = try app.context()
        let report = try Adoption(context).run(plan)
        let note = "SELECT note, checksum IS NOT NULL, down IS NOT NULL FROM migrations WHERE name = '\(lost)'"
        #expect(try app.sql(note, in: database) == "adopted|1|1")
        #expect(try context.lostMigrations(of: database) == [])
        #expect(try context.status().isCurrent(DatabaseName.allCases))
        #expect(try app.content() == content)

        let restorer = Restorer(context)
        _ = try restorer.run(try restorer.plan(try #require(report.backup)))
        #expect(try context.lostMigrations(of: database) == [lost])
    }

    @Test("all rows of a list are written again")
    func all() throws {
        let app = try migrated()
        try app.sql("DELETE FROM migrations")
        let plan = try app.plan(at: Self.last())
        #expect(plan.databases[.chat]?.lost.count == 2)
        _ = try Adoption(try app.context()).run(plan)
        #expect(try app.context().status().isCurrent(DatabaseName.allCases))
    }

    @Test("a database of chatdb with tables and an empty list has lost its list, whatever its tables are")
    func unlisted() throws {
        let app = try AppDatabases()
        #expect(try app.context().databasesWithLostMigrations == [], "databases of another program")
        try app.adopt()
        let context = try app.context()
        #expect(context.databasesWithLostMigrations == [], "whole lists, and pending migrations")
        try app.sql("DELETE FROM migrations")
        #expect(context.databasesWithLostMigrations == [.chat], "the tables of a version")
        try app.sql("DROP TABLE tags; DROP TABLE notes; CREATE TABLE more(a)")
        #expect(try context.lostMigrations(of: .chat) == [])
        #expect(context.databasesWithLostMigrations == [.chat], "other tables")
        #expect(context.versionOfBaseline == nil)
        try app.sql("DROP TABLE more")
        #expect(context.databasesWithLostMigrations == [], "no tables")
    }

    private static let newest = "DELETE FROM migrations WHERE name = (SELECT max(name) FROM migrations)"

    /// A change of the chat database, and the code with which a baseline at the last version is refused.
    static let refusals: [(sql: String, code: String)] = [
        ("SELECT 1", "alreadyAdopted"),
        // The order in which they were applied is lost.
        ("DELETE FROM migrations WHERE name = (SELECT min(name) FROM migrations)", "alreadyAdopted"),
        (newest + "; CREATE TABLE more(a)", "otherSchema"),
        (newest + "; DELETE FROM store", "lostStoreRow"),
        (newest + "; UPDATE store SET store_id = 'x'", "mismatchedPair"),
    ]

    @Test("another loss is refused, and not one byte is written", arguments: refusals)
    func refused(_ one: (sql: String, code: String)) throws {
        let app = try migrated()
        try app.sql(one.sql)
        let bytes = try app.folder.fingerprint()
        let last = try Self.last()
        #expect(TwoVersions.code { _ = try app.plan(at: last) } == one.code)
        #expect(try app.folder.fingerprint() == bytes)
    }

    @Test("one database of a pair is refused without the other one")
    func half() throws {
        let app = try migrated()
        let (last, lost) = (try Self.last(), try Self.last(.chat))
        try app.sql("DELETE FROM migrations WHERE name = '\(lost)'")
        #expect(TwoVersions.code { _ = try app.plan([.chat], at: last) } == "halfOfPair")
    }

    @Test("a pending migration that only changes rows is not recorded")
    func pending() throws {
        let app = try AppDatabases()
        try app.adopt([.chat])
        let build = try SyntheticHistory.make(
            chat: [
                .init("first", AppDatabases.notes, down: "DROP TABLE tags; DROP TABLE notes;"),
                .init("greeting", "INSERT INTO notes(title) VALUES ('hello');"),
            ], agent: [])
        let context = StoreContext(engine: SQLiteEngine(), location: try app.location([.chat]), build: build)
        let last = try #require(build[.chat]?.last?.name)
        #expect(TwoVersions.code { _ = try Adoption(context).plan(at: last) } == "alreadyAdopted")
    }

    @Test("beside a gap in a list of chatdb's own migrations, a pending one that only changes rows is not recorded")
    func pendingBesideGap() throws {
        let app = try AppDatabases()
        try app.sql("CREATE TABLE more(id INTEGER)")
        // Only for chatdb's own names is the order of lost rows known.
        let names = Array(MigrationSource.ownNames.sorted().prefix(3))
        let scripts = [
            AppDatabases.notes, "CREATE TABLE more(id INTEGER);", "INSERT INTO notes(title) VALUES ('hello');",
        ]
        let files = zip(names, scripts).map { name, sql in
            (path: "sqlite/chat/\(name).up.sql", content: "-- Why: a test.\n" + sql)
        }
        let build = try MigrationSource.embedded(files).load()
        let context = StoreContext(engine: SQLiteEngine(), location: try app.location([.chat]), build: build)
        _ = try Adoption(context).run(try Adoption(context).plan(at: names[1]))
        try app.sql("DELETE FROM migrations WHERE name = '\(names[0])'")
        #expect(TwoVersions.code { _ = try Adoption(context).plan(at: names[2]) } == "alreadyAdopted")
        #expect(try Adoption(context).plan(at: names[1]).databases[.chat]?.lost == [names[0]])
    }

    @Test(
        "a database with chatdb's mark and without the row of its table store is refused, whatever is left of its list",
        arguments: [
            "DELETE FROM store", "DELETE FROM store; DELETE FROM migrations", "DROP TABLE store",
            "DELETE FROM store; DROP TABLE migrations", "DROP TABLE store; DELETE FROM migrations",
        ])
    func lostStoreRow(_ sql: String) throws {
        let app = try AppDatabases()
        try app.adopt([.chat])
        try app.sql(sql)
        let bytes = try app.folder.fingerprint()
        #expect(TwoVersions.code { _ = try app.plan([.chat]) } == "lostStoreRow")
        #expect(try app.folder.fingerprint() == bytes)
    }
}
