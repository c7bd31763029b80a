import ChatDBKit
import ChatDBMigrationFiles
import Foundation
import Testing

@testable import ChatDBMigrations

/// The recorded schemas of all versions of this build. Rule: docs/migrations.md, "Drift".
@Suite struct RecordedVersionsTests {
    private static func build(_ database: DatabaseName) throws -> [Migration] {
        try MigrationSource.build.load()[database] ?? []
    }

    /// Each version of a database, with a connection to the schema that its migrations make.
    private func replay(
        _ database: DatabaseName, _ body: ([Migration], any MigrationConnection) throws -> Void
    ) throws {
        let connection = try SQLiteEngine().scratch()
        defer { connection.close() }
        try connection.begin()
        var migrations: [Migration] = []
        for migration in try Self.build(database) {
            try MigrationScripts.run(migration.up, on: connection)
            migrations.append(migration)
            try body(migrations, connection)
        }
    }

    /// The statements that create the objects of a schema, by kind and name, as SQLite keeps them: a later `ALTER TABLE`
    /// depends on their form. SQLite itself makes the tables of a search index.
    private func statements(in connection: any MigrationConnection) throws -> [String: String] {
        var found: [(kind: String, name: String, sql: String)] = []
        for row in try connection.rows(connection.dialect.definitions) {
            found.append((try row.get("type"), try row.get("name"), try row.get("sql")))
        }
        let indexes = found.filter { $0.sql.hasPrefix("CREATE VIRTUAL TABLE ") }.map { $0.name + "_" }
        found.removeAll { object in object.kind == "table" && indexes.contains(where: object.name.hasPrefix) }
        return Dictionary(uniqueKeysWithValues: found.map { ("\($0.kind) \($0.name)", $0.sql) })
    }

    /// The text of `migrations/versions.json`, made of the statements of each version.
    private func json(
        _ versions: [DatabaseName: [(migrations: [Migration], statements: [String: String])]]
    ) -> String {
        let members = DatabaseName.allCases.map { database in
            var before: [String: String] = [:]
            let entries = (versions[database] ?? []).map { version -> JSONValue in
                let now = version.statements
                let changed = Set(now.keys).union(before.keys).filter { now[$0] != before[$0] }.sorted()
                before = now
                return [
                    "name": JSONValue(version.migrations.last?.name), "migrations": .string(version.migrations.digest),
                    "changes": .object(changed.map { JSONValue.Member($0, JSONValue(now[$0])) }),
                ]
            }
            return JSONValue.Member(database.rawValue, .array(entries))
        }
        return JSONValue.object(members).text() + "\n"
    }

    @Test("migrations/versions.json is what the migrations make; make golden rewrites it")
    func golden() throws {
        var versions: [DatabaseName: [(migrations: [Migration], statements: [String: String])]] = [:]
        for database in DatabaseName.allCases {
            try replay(database) { migrations, connection in
                versions[database, default: []].append((migrations, try statements(in: connection)))
            }
        }
        let text = json(versions)
        if ProcessInfo.processInfo.environment["CHATDB_RECORD_SNAPSHOTS"] == "1" {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../migrations/versions.json").standardizedFileURL
            try Data(text.utf8).write(to: file)
            return
        }
        #expect(
            EmbeddedFiles.all.first { $0.path == "versions.json" }?.content == text,
            "the build embeds another migrations/versions.json: make golden, and build again")
    }

    @Test(
        "the recorded schema of each version is the one that its migrations make, and leads down to the one before",
        arguments: DatabaseName.allCases)
    func schemas(_ database: DatabaseName) throws {
        var before: DatabaseStructure?
        try replay(database) { migrations, connection in
            let version = migrations.last?.name ?? ""
            #expect(RecordedVersions.definitions(after: migrations)?.isEmpty == false, "\(version)")
            let schemas = try VersionSchemas(engine: SQLiteEngine())
            #expect(
                try schemas.structure(after: migrations).differences(from: connection.structure()) == [], "\(version)")
            let triggers = try schemas.triggers(after: migrations).mapValues(KnownTriggers.folded)
            let expected = try connection.rows(connection.dialect.triggers).map { row -> (String, String) in
                (try row.get("name"), KnownTriggers.folded(try row.get("sql")))
            }
            #expect(triggers == Dictionary(uniqueKeysWithValues: expected), "\(version)")
            #expect(try schemas.brokenDefinitions(after: migrations).isEmpty, "\(version)")
            // `rehearse` would not find the losses of rows that a migration adds.
            for table in try connection.ordinaryTables() {
                #expect(try connection.rowCount(of: table) == 0, "\(version) adds rows to \(table)")
            }
            let last = try #require(migrations.last)
            let down = try MigrationStep.down(last.name, #require(last.down), from: .build)
            let left = try schemas.rehearse([down], of: database, after: migrations)
            #expect(left?.differences(from: before ?? DatabaseStructure()) == [], "\(version)")
            before = try connection.structure()
        }
    }

    /// A migration of the chat database from a folder.
    private func own(_ name: String, _ sql: String) throws -> Migration {
        let source = MigrationSource.embedded([("sqlite/chat/\(name).up.sql", sql)])
        return try #require(source.load()[.chat]?.first)
    }

    @Test("a history that is edited, incomplete or in another order has no recorded schema")
    func others() throws {
        let migrations = try Self.build(.chat)
        let edited = try own(migrations[0].name, "CREATE TABLE t (id INTEGER)")
        #expect(RecordedVersions.definitions(after: migrations) != nil)
        #expect(RecordedVersions.definitions(after: [edited] + migrations.dropFirst()) == nil)
        #expect(RecordedVersions.definitions(after: Array(migrations.dropFirst())) == nil)
        #expect(RecordedVersions.definitions(after: migrations.reversed()) == nil)
        #expect(RecordedVersions.definitions(after: migrations + [edited]) == nil)
        #expect(RecordedVersions.definitions(after: []) == nil)
    }

    @Test("migrations of a folder run after those of the build, in any order of the questions")
    func folder() throws {
        let build = try Self.build(.chat)
        let first = try own("29990101_first", "CREATE TABLE own (id INTEGER PRIMARY KEY); INSERT INTO own VALUES (7)")
        let second = try own(
            "29990102_second",
            "CREATE TABLE found (id INTEGER NOT NULL); INSERT INTO found VALUES ((SELECT id FROM own))")
        let schemas = try VersionSchemas(engine: SQLiteEngine())
        #expect(try schemas.structure(after: build).tables["own"] == nil)
        #expect(try schemas.structure(after: build + [first]).tables["own"] != nil)
        #expect(try schemas.structure(after: build + [first, second]).tables["found"] != nil)
        #expect(try schemas.structure(after: build.dropLast()).tables["own"] == nil)
        #expect(try schemas.triggers(after: build).isEmpty == false)
    }
}
