import ChatDBKit
import TestKit
import Testing

@testable import ChatDBEnginePostgres

/// Programs that reach the server through PgBouncer in transaction mode. Rule: docs/postgresql.md, "Connection poolers".
@Suite(.enabled(if: PgBouncer.isSupported, "needs PgBouncer"))
struct PgBouncerTests {
    @Test("many clients share two connections: what each checks holds until it commits")
    func concurrent() throws {
        let store = try TwoSchemas()
        let bouncer = try store.server.bouncer()
        let added = try OwnThreads.results(6) { _ in
            let pair = try PostgresPair(
                bouncer.parameters(database: store.database), schemas: TwoSchemas.schemas, lockTimeout: 600)
            return try (1...25).reduce(into: 0) { added, number in
                // Both schemas in turn: neither the path nor a statement is left on the connection.
                _ = try pair.read { chat, agent in
                    try chat.count("SELECT count(*) FROM kept") + agent.count("SELECT count(*) FROM kept")
                }
                try pair.write { chat, agent in
                    guard try chat.count("SELECT count(*) FROM kept WHERE whole = \(number)") == 0 else { return }
                    try chat.run("INSERT INTO kept (whole) VALUES (\(number))")
                    try agent.run("INSERT INTO kept (whole) VALUES (\(number))")
                    added += 1
                }
            }
        }
        #expect(added.reduce(0, +) == 25)
        #expect(try store.rows() == 50)
    }

    @Test("an answer is read with a cursor, and an error leaves the connection usable")
    func cursors() throws {
        let store = try TwoSchemas()
        let bouncer = try store.server.bouncer()
        let pair = try PostgresPair(bouncer.parameters(database: store.database), schemas: TwoSchemas.schemas)
        try pair.write { chat, _ in try chat.run("INSERT INTO kept (whole) SELECT generate_series(1, 2500)") }
        var seen: [Int] = []
        try pair.read { chat, _ in
            try chat.forEach("SELECT whole FROM kept ORDER BY whole") { seen.append(try $0.get("whole")) }
        }
        #expect(seen == Array(1...2_500))
        #expect(throws: StoreError.self) { try pair.write { chat, _ in try chat.run("DELETE FROM nothing") } }
        #expect(try store.rows() == 2_500)
        #expect(try pair.read { chat, _ in try chat.count("SELECT count(*) FROM kept") } == 2_500)
        withExtendedLifetime(bouncer) {}
    }
}
