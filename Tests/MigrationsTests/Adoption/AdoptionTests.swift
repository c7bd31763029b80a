import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// Databases of other programs become stores. Rule: docs/adoption.md.
@Suite struct AdoptionTests {
    @Test("adopting writes the ledger, backs up, and changes nothing else", arguments: ["DELETE", "WAL"])
    func adopts(_ journal: String) throws {
        let app = try AppDatabases(journal: journal)
        let before = try app.content()
        let bytes = try app.folder.fingerprint()
        let plan = try app.plan()
        #expect(try app.folder.fingerprint() == bytes, "a plan writes nothing")
        #expect(plan.databases[.chat]?.migrations.count == 1 && plan.databases[.agent]?.migrations.count == 1)

        let report = try app.adopt()
        #expect(try app.content() == before)
        #expect(try app.sql("PRAGMA journal_mode").uppercased() == journal)
        for database in DatabaseName.allCases {
            #expect(try app.sql("SELECT store_id FROM store", in: database) == report.identity.storeID)
            #expect(try app.sql("SELECT note FROM migrations", in: database) == "adopted")
        }
        let backup = try #require(report.backup)
        #expect(backup.hasPrefix(app.path(of: .chat) + ".backups/"))
        #expect(try AppDatabases.content(in: backup) == before)
        #expect(
            try AppDatabases.sql(
                "SELECT count(*) FROM sqlite_master WHERE name = 'migrations'", in: backup + "/app.sqlite") == "0")
    }

    @Test("an adopted store is migrated up and down, restored, and reported as current")
    func afterwards() throws {
        let app = try AppDatabases()
        let before = try app.content()
        try app.adopt()
        var migrator = Migrator(try app.context())
        migrator.options.confirmation = .yesUpDown
        let up = try migrator.run()
        #expect(up.applied(.chat).count == 1 && up.applied(.agent).count == 1)
        #expect(try migrator.context.status().isCurrent(DatabaseName.allCases))
        #expect(try migrator.context.drift(of: .chat).isEmpty)
        let restorer = Restorer(migrator.context)
        _ = try restorer.run(try restorer.plan(try #require(up.backup)))
        #expect(try app.content() == before)
    }

    @Test("one database is adopted, migrated and restored alone", arguments: DatabaseName.allCases)
    func alone(_ database: DatabaseName) throws {
        let app = try AppDatabases()
        let before = try app.content()
        let other = DatabaseName.allCases.first { $0 != database }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: app.path(of: try #require(other))))
        try app.adopt([database])
        var migrator = Migrator(try app.context([database]))
        migrator.options.confirmation = .yesUp
        let up = try migrator.run()
        #expect(up.applied(database).count == 1)
        #expect(try migrator.context.status().isCurrent([database]))
        let restorer = Restorer(migrator.context)
        let plan = try restorer.plan(try #require(up.backup))
        _ = try restorer.run(plan)
        #expect(try app.content() == before)
        #expect(try Data(contentsOf: URL(fileURLWithPath: app.path(of: try #require(other)))) == bytes)
    }

    @Test("a new database alone is created at the named path")
    func creates() throws {
        let folder = try TemporaryFolder()
        let location = try StoreLocation(files: [.chat: folder.file("new.db")])
        let context = StoreContext(engine: SQLiteEngine(), location: location, build: try AppDatabases.build())
        #expect(try Migrator(context).run().created)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == ["new.db", "new.db.lock"])
    }

    @Test("a database of a pair is not migrated, adopted, backed up or restored without the other one")
    func halfOfPair() throws {
        let app = try AppDatabases()
        try app.adopt()
        let backup = try app.context().backUp().path
        for database in DatabaseName.allCases {
            let context = try app.context([database])
            let partner = database == .chat ? "keys.db" : "app.sqlite"
            let expected = MigrationError.halfOfPair(database, path: app.path(of: database), partner: partner)
            #expect(throws: expected) { try Migrator(context).plan() }
            #expect(throws: expected) { try Restorer(context).plan(backup) }
            #expect(throws: expected) { try context.backUp() }
            #expect(throws: expected) { try context.pruning(keeping: 1) }
            #expect(throws: expected) { try app.plan([database]) }
        }
    }

    @Test("a restored database keeps the mode of the one that it replaces")
    func mode() throws {
        let app = try AppDatabases()
        for database in DatabaseName.allCases {
            try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: app.path(of: database))
        }
        try app.adopt()
        let context = try app.context()
        let restorer = Restorer(context)
        _ = try restorer.run(try restorer.plan(context.backUp().path))
        for database in DatabaseName.allCases {
            let found = try FileManager.default.attributesOfItem(atPath: app.path(of: database))
            #expect(found[.posixPermissions] as? Int == 0o664)
        }
    }

    @Test("an adopted store is restored without naming its migrations")
    func withoutMigrations() throws {
        let app = try AppDatabases()
        try app.adopt()
        let context = StoreContext(
            engine: SQLiteEngine(), location: try app.location(), build: try MigrationSource.build.load())
        let restorer = Restorer(context)
        #expect(try restorer.plan(context.backUp().path).objections.isEmpty)
    }

    @Test("a table migrations of another program does not prevent reading the database")
    func foreignLedger() throws {
        let app = try AppDatabases()
        try app.sql("CREATE TABLE migrations(id INTEGER, batch INTEGER); INSERT INTO migrations VALUES (1, 1)")
        try app.sql("CREATE TABLE store(shop TEXT); INSERT INTO store VALUES ('x')", in: .agent)
        #expect(try app.context().status().readable.values.map(\.kind) == [.unknown, .unknown])
    }

    // MARK: Refusals

    /// A change of the app's chat database, and the code with which the adoption is refused.
    static let refusals: [(sql: String, code: String)] = [
        ("CREATE TABLE migrations(id INTEGER)", "hasLedger"),
        ("CREATE TABLE Migrations(migration TEXT, batch INTEGER)", "hasLedger"),
        ("CREATE TABLE store(x)", "hasLedger"),
        ("CREATE VIEW STORE AS SELECT 1", "hasLedger"),
        ("PRAGMA application_id = 1234", "foreignMark"),
        ("PRAGMA application_id = -5", "foreignMark"),
        ("PRAGMA application_id = \(StoreMark.of(.chat))", "foreignMark"),
        (
            "CREATE TABLE migrations(name TEXT PRIMARY KEY, ts TEXT); "
                + "INSERT INTO migrations VALUES ('20220101_initial', ''), ('20220122_v1_1', '')", "readOnlyStore"
        ),
        ("ALTER TABLE notes ADD COLUMN more TEXT", "otherSchema"),
        ("DROP TABLE tags", "otherSchema"),
        ("DROP INDEX notes_title", "otherSchema"),
        ("CREATE TRIGGER t AFTER INSERT ON notes BEGIN SELECT 1; END", "otherSchema"),
    ]

    @Test("what cannot be adopted is refused, and not one byte is written", arguments: refusals)
    func refused(_ one: (sql: String, code: String)) throws {
        let app = try AppDatabases()
        try app.sql(one.sql)
        let bytes = try app.folder.fingerprint()
        #expect(TwoVersions.code { _ = try app.plan() } == one.code)
        #expect(TwoVersions.code { try app.adopt() } == one.code)
        #expect(try app.folder.fingerprint() == bytes)
        let names = try FileManager.default.contentsOfDirectory(atPath: app.folder.path)
        #expect(Set(names) == ["app.sqlite", "keys.db"])
    }

    @Test("an adopted database is not adopted again")
    func again() throws {
        let app = try AppDatabases()
        try app.adopt()
        let bytes = try app.folder.fingerprint()
        #expect(TwoVersions.code { try app.adopt() } == "alreadyAdopted")
        #expect(try app.folder.fingerprint() == bytes)
    }

    @Test("another schema is shown with both forms, and the version that fits is named")
    func fitting() throws {
        let app = try AppDatabases()
        try app.sql("ALTER TABLE notes ADD COLUMN colour TEXT")
        try app.sql("CREATE TABLE more(id INTEGER)", in: .agent)
        let build = try AppDatabases.build()
        let last = try #require(build.values.compactMap(\.last?.name).max())
        do {
            _ = try app.plan()
            Issue.record("the schema is another one")
        } catch MigrationError.otherSchema(let database, _, let version, let differences, let fitting) {
            #expect(try database == .agent && version == AppDatabases.first())
            #expect(differences.map(\.sentence) == ["extra table more"])
            #expect(fitting == build[.agent]?.last?.name)
        }
        _ = try app.plan(at: last)
    }

    @Test("a missing file, an unknown version and a database in use are refused")
    func others() throws {
        let app = try AppDatabases()
        #expect(TwoVersions.code { _ = try app.plan(at: "20200101_nothing") } == "unknownMigration")
        let held = try SQLiteEngine().open(app.path(of: .chat), as: .existing)
        try held.write { transaction in
            try transaction.run("INSERT INTO notes(title) VALUES ('three')")
            #expect(TwoVersions.code { try app.adopt() } == "inUse")
        }
        try held.close()
        try FileManager.default.removeItem(atPath: app.path(of: .agent))
        #expect(TwoVersions.code { _ = try app.plan() } == "incompleteStore")
        try FileManager.default.removeItem(atPath: app.path(of: .chat))
        #expect(TwoVersions.code { _ = try app.plan() } == "storeNotFound")
    }

    @Test("a damaged database is not adopted")
    func damaged() throws {
        let app = try AppDatabases()
        try app.sql(
            "INSERT INTO notes(title) WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 500) SELECT 't' || i FROM n"
        )
        let root = try #require(Int(try app.sql("SELECT rootpage FROM sqlite_master WHERE name = 'notes_title'")))
        let file = try #require(FileHandle(forUpdatingAtPath: app.path(of: .chat)))
        try file.seek(toOffset: UInt64((root - 1) * 4096))
        try file.write(contentsOf: Data(repeating: 0xaa, count: 200))
        try file.close()
        #expect(TwoVersions.code { try app.adopt() } == "damaged")
        // Without a backup, no copy is checked.
        var adoption = Adoption(try app.context())
        adoption.backup = .none
        #expect(TwoVersions.code { _ = try adoption.run(adoption.plan(at: AppDatabases.first())) } == "damaged")
    }

    // MARK: Interrupted

    @Test("after a crash between the two commits, the same adoption completes it")
    func completes() throws {
        let app = try AppDatabases()
        // The commit of agent is the first one.
        let whole = try AppDatabases()
        let identity = try whole.adopt().identity
        try FileManager.default.removeItem(atPath: app.path(of: .agent))
        try FileManager.default.copyItem(atPath: whole.path(of: .agent), toPath: app.path(of: .agent))

        #expect(TwoVersions.code { _ = try Migrator(try app.context()).plan() } == "notOurStore")
        let plan = try app.plan()
        #expect(plan.databases[.agent]?.isAdopted == true && plan.databases[.chat]?.isAdopted == false)
        let report = try app.adopt()
        #expect(report.identity == identity)
        #expect(try Migrator(try app.context()).context.status().isMismatched == false)
        #expect(TwoVersions.code { try app.adopt() } == "alreadyAdopted")
    }

    @Test("an adopted database of another pair is no half of an interrupted adoption")
    func otherPair() throws {
        let (app, other) = (try AppDatabases(), try AppDatabases())
        try other.adopt([.agent])
        try FileManager.default.removeItem(atPath: app.path(of: .agent))
        try FileManager.default.copyItem(atPath: other.path(of: .agent), toPath: app.path(of: .agent))
        #expect(TwoVersions.code { try app.adopt() } == "alreadyAdopted")
    }
}
