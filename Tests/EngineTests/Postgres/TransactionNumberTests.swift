import ChatDBKit
import TestKit
import Testing

@testable import ChatDBEnginePostgres

/// What the server answers about a transaction whose connection was lost at the commit. Rule: docs/postgresql.md, "What
/// differs".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct TransactionNumberTests {
    private let server: OwnServer
    private let session: PostgresSession

    init() throws {
        server = try OwnServer()
        session = try PostgresSession(server.parameters(), schemas: [.chat: "public", .agent: "public"])
    }

    /// Begins a transaction and returns its number. The log of the server has nothing of it yet.
    private func begin() throws -> TransactionNumber {
        try session.begin(.writing)
        return try #require(try session.transactionNumber())
    }

    @Test("after a crash, a number that the server gives to another transaction says nothing about the lost one")
    func reused() throws {
        let number = try begin()
        try server.stop(.immediate)
        try server.start()
        let lost = try #require(UInt64(number.text))
        while try UInt64(server.psql("SELECT pg_current_xact_id()")) ?? 0 < lost {}
        // The server's own answer is about the other transaction.
        #expect(try server.psql("SELECT pg_xact_status('\(number.text)'::xid8)") == "committed")
        let error = try #require(throws: StoreError.self) { try session.commit(number) }
        #expect(error.kind == .commitUnknown, "\(error.message)")
    }

    @Test("after a crash, a number that the server does not know yet belongs to nothing that was committed")
    func unknown() throws {
        let number = try begin()
        try server.stop(.immediate)
        try server.start()
        let error = try #require(throws: StoreError.self) { try session.commit(number) }
        #expect(error.kind == .unreachable && error.message.hasSuffix("nothing was changed"), "\(error.message)")
    }

    @Test("after an ordinary restart, the server knows that the transaction was not committed")
    func restarted() throws {
        let number = try begin()
        try server.stop(.fast)
        try server.start()
        let error = try #require(throws: StoreError.self) { try session.commit(number) }
        #expect(error.kind == .unreachable && error.message.hasSuffix("nothing was changed"), "\(error.message)")
    }

    @Test("the history of a server outlives a restart, and ends with a crash")
    func histories() throws {
        let first = try begin().history
        session.rollback()
        try server.stop(.fast)
        try server.start()
        let second = try begin().history
        session.rollback()
        #expect(second.statistics == first.statistics && second.start != first.start)
        try server.stop(.immediate)
        try server.start()
        #expect(try begin().history.statistics != first.statistics)
        session.rollback()
    }
}
