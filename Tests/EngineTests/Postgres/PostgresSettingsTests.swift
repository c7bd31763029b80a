import ChatDBKit
import TestKit
import Testing

@testable import ChatDBEnginePostgres

/// What a role or a database can set and chatdb does not let stand. Rule: docs/postgresql.md.
@Suite(.enabled(if: PostgresServer.isSupported))
struct PostgresSettingsTests {
    /// Two schemas in a database with these settings.
    private func store(_ settings: [String]) throws -> TwoSchemas {
        let store = try TwoSchemas()
        for setting in settings {
            try store.server.psql("ALTER DATABASE \(store.database) SET \(setting)")
        }
        return store
    }

    private func setting(_ name: String, in transaction: any ReadTransaction) throws -> String? {
        try transaction.first("SELECT current_setting(\(name)) AS value")?.get("value")
    }

    @Test(
        "a transaction that writes waits for its commit to reach the disk, or for more if the server says so",
        arguments: [("off", "on"), ("on", "on"), ("local", "local"), ("remote_apply", "remote_apply")])
    func durability(_ given: String, _ expected: String) throws {
        let pair = try store(["synchronous_commit = \(given)"]).pair()
        let found = try pair.write { chat, _ in try setting("synchronous_commit", in: chat) }
        #expect(found == expected)
    }

    @Test("no time limit of a role ends the transaction of a copy, and other transactions have it")
    func timeLimits() throws {
        let names = ["statement_timeout", "idle_in_transaction_session_timeout"]
        let store = try store(names.map { "\($0) = '10min'" })
        let session = try PostgresSession(
            store.server.parameters(database: store.database), schemas: TwoSchemas.schemas)
        try session.begin(.writing)
        defer { session.rollback() }
        let transaction = try session.transaction(.chat)
        for name in names { #expect(try setting(name, in: transaction) == "10min") }
        try session.removeTimeLimits()
        for name in names { #expect(try setting(name, in: transaction) == "0") }
    }

    @Test(
        "a copy makes indexes in 128 MiB of the server's memory, or in more if the server says so",
        arguments: [("64MB", "128MB"), ("128MB", "128MB"), ("1GB", "1GB")])
    func memoryOfIndexes(_ given: String, _ expected: String) throws {
        let store = try store(["maintenance_work_mem = '\(given)'"])
        let session = try PostgresSession(
            store.server.parameters(database: store.database), schemas: TwoSchemas.schemas)
        try session.begin(.writing)
        defer { session.rollback() }
        try session.raiseMemoryOfIndexes()
        #expect(try setting("maintenance_work_mem", in: session.transaction(.chat)) == expected)
    }

    @Test("the connections of a snapshot show one moment, and another snapshot a later one")
    func snapshots() throws {
        let store = try TwoSchemas()
        let server = try ServerStore(store.server.uri(database: store.database) + "&store=one")
        let (engine, location) = (PostgresEngine(server), StoreLocation(server: server))
        let first = engine.snapshotConnections()
        let chat = try first.open(location.path(of: .chat))
        _ = try chat.renew()
        try store.server.psql(
            "INSERT INTO one_chat.kept (whole) VALUES (1); INSERT INTO one_agent.kept (whole) VALUES (1)",
            database: store.database)
        let agent = try first.open(location.path(of: .agent))
        #expect(try agent.rowCount(of: "kept") == 0)
        let later = try engine.snapshotConnections().open(location.path(of: .chat))
        #expect(try later.rowCount(of: "kept") == 1)
        #expect(try chat.rowCount(of: "kept") == 0)
    }
}
