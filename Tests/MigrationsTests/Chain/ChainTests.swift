import ChatDBKit
import ChatDBMigrationFiles
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// The two histories of this build. Rule: docs/migrations.md, "Our own chain".
@Suite struct ChainTests {
    private static func build() throws -> [DatabaseName: [Migration]] { try MigrationSource.build.load() }

    private func scratch(_ database: DatabaseName) throws -> any MigrationConnection {
        let connection = try SQLiteEngine().scratch()
        try connection.begin()
        for migration in try Self.build()[database] ?? [] { try MigrationScripts.run(migration.up, on: connection) }
        return connection
    }

    @Test("the chat history has at least ten migrations and the agent's six, each with down SQL")
    func lengths() throws {
        let build = try Self.build()
        #expect((build[.chat]?.count ?? 0) >= 10 && (build[.agent]?.count ?? 0) >= 6)
        #expect(build.values.joined().allSatisfy { $0.down != nil })
        #expect(build.values.joined().allSatisfy { $0.name != SimpleXHistory.firstMigration })
    }

    @Test("no check, generated column or index calls a JSON function: such a file cannot be opened for reading")
    func noJSON() throws {
        for database in DatabaseName.allCases {
            let structure = try scratch(database).structure()
            let tables = structure.tables.values.flatMap { $0.checks + $0.columns.compactMap(\.generated) }
            let texts = (tables + structure.indexes.values.compactMap(\.condition)).map(\.folded)
            let columns = structure.indexes.values.flatMap(\.columns).map { $0.uppercased() }
            #expect(texts.count > 10)
            #expect(!(texts + columns).contains { $0.contains("JSON") || $0.contains("->") })
        }
    }

    @Test("every file begins with its reason")
    func why() throws {
        for migration in try Self.build().values.joined() {
            for script in [migration.up, migration.down].compactMap(\.self) {
                let first = script.text.split(separator: "\n").first { !$0.hasPrefix("-- chatdb:") }
                #expect(first?.hasPrefix("-- ") == true, "\(script.source)")
            }
        }
    }

    @Test("the embedded files are the files of the folder")
    func embedded() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../migrations/sqlite").standardizedFileURL
        #expect(
            try MigrationSource.folder(folder.path).load().mapValues { $0.map(\.checksum) }
                == Self.build().mapValues { $0.map(\.checksum) })
    }

    @Test(
        "M25: every migration up, down and up again leads back to the same schema, and all the way down to nothing",
        arguments: DatabaseName.allCases)
    func verified(_ database: DatabaseName) throws {
        let report = try Verifier(engine: SQLiteEngine()).verify(Self.build()[database] ?? [], of: database)
        #expect(report.failures.isEmpty && report.irreversible.isEmpty)
    }

    @Test(
        "every table is STRICT, has both times, and every foreign key has an index and is never RESTRICT",
        arguments: DatabaseName.allCases)
    func tables(_ database: DatabaseName) throws {
        let connection = try scratch(database)
        defer { connection.close() }
        let structure = try connection.structure()
        for (name, table) in structure.tables where table.virtualDefinition == nil {
            #expect(table.options.contains("STRICT"), "\(name)")
            #expect(Set(table.columns.map(\.name)).isSuperset(of: ["created_at", "updated_at"]), "\(name)")
            let lists =
                structure.indexes.values.filter { $0.table == name && $0.condition == nil }.map(\.columns)
                + table.unique + [table.primaryKey]
            for key in table.foreignKeys {
                #expect(
                    lists.contains { Set($0.prefix(key.columns.count)) == Set(key.columns) }, "\(name) \(key.columns)")
                #expect(key.onDelete != "RESTRICT" && key.onUpdate != "RESTRICT", "\(name) \(key.columns)")
            }
        }
    }

    @Test(
        "the catalogue has every table and column of either database, in their order, and nothing else",
        arguments: DatabaseName.allCases)
    func catalogue(_ database: DatabaseName) throws {
        let connection = try scratch(database)
        defer { connection.close() }
        try Ledger.create(in: connection)
        let found = try connection.structure().tables.mapValues { $0.columns.map(\.name) }
        let known = Dictionary(
            Catalogue.tables(of: database).map { ($0.name, $0.columns.map(\.name)) },
            uniquingKeysWith: { first, _ in first })
        #expect(found == known)
    }

    @Test(
        "migrations/newest and docs/schema are the schema of the migrations; make golden rewrites them",
        arguments: DatabaseName.allCases)
    func golden(_ database: DatabaseName) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
            .standardizedFileURL
        let migrations = try Self.build()[database] ?? []
        let connection = try scratch(database)
        defer { connection.close() }
        let schema = try connection.structure()
        let texts = [
            "migrations/newest/\(database).sql": SchemaText.sql(of: schema),
            "docs/schema/\(database).md": try SchemaReference.markdown(
                of: database, migrations, engine: SQLiteEngine(), generatedBy: "chatdb schema docs"),
        ]
        for (path, text) in texts {
            let file = root.appendingPathComponent(path)
            if ProcessInfo.processInfo.environment["CHATDB_RECORD_SNAPSHOTS"] == "1" {
                try Data(text.utf8).write(to: file)
                continue
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(path): make golden")
        }
    }

    @Test(
        "the recorded text makes the schema that the migrations make, and no other history has a recorded text",
        arguments: DatabaseName.allCases)
    func recordedText(_ database: DatabaseName) throws {
        let migrations = try Self.build()[database] ?? []
        let text = try #require(NewestSchema.sql(after: migrations))
        let connection = try scratch(database)
        defer { connection.close() }
        let expected = try connection.structure()
        let made = try SchemaText.structure(of: migrations, engine: SQLiteEngine())
        #expect(made.differences(from: expected) == [])
        #expect(SchemaText.sql(of: made) == text)
        #expect(NewestSchema.sql(after: migrations.dropLast()) == nil)
        #expect(NewestSchema.sql(after: migrations.reversed()) == nil)
        #expect(NewestSchema.sql(after: []) == nil)
    }

    @Test(
        "migrations/newest.json records the schema of the migrations for each engine; make golden rewrites it",
        .enabled(if: PostgresServer.isSupported, "needs PostgreSQL"))
    func newest() throws {
        let server = try PostgresServer.started()
        let store = try ServerStore(server.uri(database: server.makeDatabase()) + "&store=newest")
        let builds: [([DatabaseName: [Migration]], any StorageEngine)] = [
            (try Self.build(), SQLiteEngine()),
            (try MigrationSource.build.load(for: .postgres), PostgresEngine(store)),
        ]
        let text = try NewestSchema.json(files: builds[0], server: builds[1])
        if ProcessInfo.processInfo.environment["CHATDB_RECORD_SNAPSHOTS"] == "1" {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../migrations/newest.json").standardizedFileURL
            try Data(text.utf8).write(to: file)
            return
        }
        for (build, engine) in builds {
            for (database, migrations) in build {
                let schema = try NewestSchema(running: migrations, engine: engine)
                #expect(
                    NewestSchema.recorded[database]?.contains(schema) == true,
                    "the build embeds another migrations/newest.json: make golden, and build again")
            }
        }
        #expect(EmbeddedFiles.all.first { $0.path == "newest.json" }?.content == text)
    }

    @Test("the canonical SQL creates the schema it was made from", arguments: DatabaseName.allCases)
    func canonicalSQL(_ database: DatabaseName) throws {
        let connection = try scratch(database)
        defer { connection.close() }
        let expected = try connection.structure()
        let copy = try SQLiteEngine().scratch()
        defer { copy.close() }
        for statement in try SQLStatements.split(SchemaText.sql(of: expected)) {
            try copy.run(.unchecked(sql: statement.text))
        }
        #expect(try copy.structure().differences(from: expected) == [])
    }

    @Test("M24: every version of the store migrates to the newest, equal to a new store")
    func everyVersion() throws {
        let build = try Self.build()
        let fresh = try SyntheticStore()
        _ = try fresh.migrator(build).run()
        let structures = try DatabaseName.allCases.map { try fresh.migrator(build).context.liveStructure(of: $0) }
        let names = build.values.joined().map(\.name).sorted()
        for name in names {
            let store = try SyntheticStore()
            _ = try store.migrator(build) { $0.target = .up(to: name) }.run()
            let report = try store.migrator(build).run()
            #expect(report.findings.values.allSatisfy { $0.drift == [] && $0.danglingReferences == 0 })
            for (database, structure) in zip(DatabaseName.allCases, structures) {
                let found = try store.migrator(build).context.liveStructure(of: database)
                #expect(found.differences(from: structure) == [], "\(name)")
            }
        }
    }

    @Test("a filled old store keeps its data through all migrations up and down, byte by byte")
    func content() throws {
        let old = try TortureStore(journal: .wal, items: 200)
        defer { old.remove() }
        let location = try StoreLocation(prefix: old.folder.path + "/x")
        var migrator = Migrator(engine: SQLiteEngine(), location: location, build: try Self.build())
        migrator.options.confirmation = .yesUpDown
        migrator.options.backup = .none
        let report = try migrator.run()
        #expect(report.findings.values.allSatisfy { $0.danglingReferences == 0 })
        #expect(try Fingerprint(location).content == old.fingerprint.content)
        migrator.options.target = .down(to: TortureStore.chatVersion)
        _ = try migrator.run()
        #expect(try Fingerprint(location) == old.fingerprint)
    }
}
