import ChatDBKit
import TestKit
import Testing

@testable import ChatDBEnginePostgres

/// Connections and statements that the server ends for a reason of its own. Rule: docs/errors.md, "Servers".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct PostgresEndedTests {
    @Test("a transaction that did nothing for too long is an error that says so, and the next one works")
    func idle() throws {
        let store = try TwoSchemas()
        let pair = try store.pair()
        let error = try #require(throws: StoreError.self) {
            try pair.write { chat, _ in
                try chat.run("INSERT INTO kept (whole) VALUES (1)")
                let backend = try chat.count("SELECT pg_backend_pid()")
                _ = try chat.rows("SELECT set_config('idle_in_transaction_session_timeout', '1', TRUE)")
                while try store.server.psql("SELECT count(*) FROM pg_stat_activity WHERE pid = \(backend)") != "0\n" {}
                try chat.run("INSERT INTO kept (whole) VALUES (2)")
            }
        }
        #expect(error.kind == .busy && error.message.contains("longer than the server allows"), "\(error.message)")
        #expect(try pair.read { chat, _ in try chat.count("SELECT count(*) FROM kept") } == 0)
    }

    @Test("the reason of an end that arrives together with the end of a result is not lost")
    func noticed() throws {
        let store = try TwoSchemas()
        let connection = try PostgresConnection(store.server.parameters(database: store.database, through: nil))
        let backend = connection.libpq.backendPID(connection.pointer)
        let text = "BEGIN; SET idle_in_transaction_session_timeout = 1; COPY (SELECT 1) TO STDOUT"
        try connection.copyOut(text) { _ in
            // What the server sends meanwhile, libpq reads at once.
            while try store.server.psql("SELECT count(*) FROM pg_stat_activity WHERE pid = \(backend)") != "0\n" {}
        }
        let error = try #require(throws: StoreError.self) { try connection.executeScript("SELECT 1") }
        #expect(error.kind == .busy && error.message.contains("longer than the server allows"), "\(error.message)")
    }

    @Test("a reader waits for a lock of a table as long as a writer for another one, and no longer")
    func lockedTable() throws {
        let store = try TwoSchemas()
        try store.pair().write { chat, _ in
            try chat.run("LOCK TABLE kept IN ACCESS EXCLUSIVE MODE")
            let error = try #require(throws: StoreError.self) {
                try store.pair(lockTimeout: 0.1).read { chat, _ in _ = try chat.rows("SELECT whole FROM kept") }
            }
            #expect(error.kind == .busy, "\(error.message)")
        }
        #expect(try store.rows() == 0)
    }

    @Test("a writer that gives up names the programs that have the lock, and its connection is usable")
    func holders() throws {
        let store = try TwoSchemas()
        let waiting = try store.pair(lockTimeout: 0.1)
        try store.pair().write { chat, _ in
            let process = try chat.count("SELECT pg_backend_pid()")
            let error = try #require(throws: StoreError.self) {
                try waiting.write { chat, _ in try chat.run("INSERT INTO kept (whole) VALUES (1)") }
            }
            #expect(error.kind == .busy, "\(error.message)")
            #expect(error.message.contains(": chatdb (\(process)), "), "\(error.message)")
        }
        try waiting.write { chat, _ in try chat.run("INSERT INTO kept (whole) VALUES (1)") }
        #expect(try store.rows() == 1)
    }

    @Test("many connections at once use the same store after the server has ended all of them")
    func allEnded() throws {
        let store = try TwoSchemas()
        let pairs = try (0..<6).map { _ in try store.pair() }
        for pair in pairs { _ = try pair.read { chat, _ in try chat.count("SELECT count(*) FROM kept") } }
        try store.server.psql(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '\(store.database)'")
        for (number, pair) in pairs.enumerated() {
            try pair.write { chat, _ in try chat.run("INSERT INTO kept (whole) VALUES (\(number))") }
        }
        #expect(try store.rows() == 6)
    }

    @Test(
        "the reason that the server gave for the end of a connection decides the error",
        arguments: [
            ("FATAL:  57P01\nserver closed the connection unexpectedly\n", StoreError.Kind.unreachable),
            ("FATAL:  25P03\nserver closed the connection unexpectedly\n", .busy),
            ("FATAL:  57P04\nserver closed the connection unexpectedly\n", .missing),
            ("server closed the connection unexpectedly\n\tThis probably means\n", .unreachable),
            ("ERROR:  23505\nserver closed the connection unexpectedly\n", .unreachable), ("", .unreachable),
        ])
    func reasons(_ text: String, _ kind: StoreError.Kind) {
        #expect(PostgresErrors.lost(text).kind == kind, "\(PostgresErrors.lost(text).message)")
    }

    @Test(
        "every code of a restart, a full disk, a replica and a time limit has a kind of its own",
        arguments: [
            ("53100", StoreError.Kind.diskFull), ("57P01", .unreachable), ("57P02", .unreachable),
            ("57P03", .unreachable), ("57P05", .unreachable), ("08006", .unreachable), ("25006", .readOnly),
            ("57014", .interrupted), ("55P03", .busy), ("25P03", .busy), ("25P04", .busy), ("53300", .unreachable),
            ("42501", .accessDenied), ("28P01", .accessDenied), ("57P04", .missing),
        ])
    func codes(_ state: String, _ kind: StoreError.Kind) {
        let error = PostgresErrors.error(of: state)
        #expect(error.kind == kind && error.message.hasSuffix("(SQLSTATE \(state))"), "\(error.message)")
    }
}
