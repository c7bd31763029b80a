import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// S04: an unknown trigger would run on every write.
@Suite struct TriggerGateTests {
    private static let known = """
        CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT;
        CREATE TRIGGER watch AFTER UPDATE ON t BEGIN SELECT 1; END;
        """

    @Test(
        "a trigger that is not in the version, or differs from it, prevents writers from opening the store",
        arguments: [
            (["CREATE TRIGGER spy AFTER UPDATE ON t BEGIN DELETE FROM t; END"], ["spy"]),
            (["DROP TRIGGER watch", "CREATE TRIGGER watch AFTER UPDATE ON t BEGIN DELETE FROM t; END"], ["watch"]),
            (["DROP TRIGGER watch", "create trigger watch after update on t begin select 1; end"], []),
            (["DROP TRIGGER watch"], []), (["CREATE VIEW seen AS SELECT 1"], []),
        ])
    func gate(_ statements: [String], _ names: [String]) throws {
        let store = try SyntheticStore()
        let build = try SyntheticHistory.make(chat: [.init("first", Self.known)])
        _ = try store.migrator(build).run()
        for statement in statements { try store.execute(statement) }
        let gate = StoreGate(store.migrator(build).context)
        if names.isEmpty {
            _ = try gate.enter()
        } else {
            #expect(throws: MigrationError.unknownTrigger(.chat, names: names)) { _ = try gate.enter() }
            #expect(throws: MigrationError.unknownTrigger(.chat, names: names)) { try gate.check() }
        }
        #expect(try gate.reading() == .current, "reading runs no trigger")
    }

    @Test("the error of an unknown function speaks of functions, and other errors do not")
    func functions() {
        func message(_ names: [String]) -> String { MigrationError.unknownTrigger(.chat, names: names).info.message }
        #expect(message(["watch"]).contains("has triggers or views that"))
        #expect(message(["watch", "utc_now()"]).contains("has triggers, views or functions that"))
    }

    @Test(
        "the triggers and functions of the newest version on a server are known without building its schema",
        .enabled(if: PostgresServer.isSupported, "needs PostgreSQL"))
    func newestOnServer() throws {
        let server = try PostgresServer.started()
        let store = try ServerStore(server.uri(database: server.makeDatabase()) + "&store=newest")
        for (database, migrations) in try MigrationSource.build.load(for: .postgres) {
            let triggers = try VersionSchemas(engine: PostgresEngine(store)).triggers(after: migrations)
            let hashes = Set(triggers.map { KnownTriggers.hash($0.key, KnownTriggers.folded($0.value)) })
            let version = try #require(migrations.last?.name)
            let known = KnownTriggers.newest.first { $0.database == database && $0.version == version }
            #expect(known?.hashes == hashes, "\(database): \(hashes.sorted())")
        }
    }

    @Test("the triggers of the newest version are known without building its schema")
    func newest() throws {
        for (database, migrations) in try MigrationSource.build.load() {
            let triggers = try SchemaText.structure(of: migrations, engine: SQLiteEngine()).triggers
            let hashes = Set(triggers.map { KnownTriggers.hash($0.key, $0.value.text.folded) })
            let version = try #require(migrations.last?.name)
            let known = try #require(
                KnownTriggers.newest.first { $0.database == database && $0.version == version })
            #expect(known.hashes == hashes, "\(database): \(hashes.sorted())")
        }
    }
}
