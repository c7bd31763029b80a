import ChatDBKit
import Foundation
import TestKit
import Testing

/// The tool is killed in the middle of `chatdb copy`, with chatdb's own schema. `make torture` tries every statement, the
/// suite a sample. Rule: docs/copying.md, "Two commands".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(600)))
struct CopyKilledToolTests {
    @Test("the tool is killed at a statement: the server has nothing, or the next copy finds everything")
    func statements() throws {
        let chatdb = try ServerRun()
        try chatdb.run.succeed("migrate", "run")
        try chatdb.run.succeed("user", "add", "alice", "--seed", "1")
        let proxy = try chatdb.server.statementProxy()
        let place = chatdb.server.uri(database: chatdb.database, through: proxy) + "&store=main"
        try proxy.count()
        try chatdb.run.succeed("copy", "--to", place, "--keep-both")
        let count = try proxy.state().statements
        try chatdb.sql("DROP SCHEMA main_chat, main_agent CASCADE")
        for statement in FaultSample.everyIfTortured(else: 8).pick(Array(0..<count)) {
            try proxy.kill(.client, at: statement)
            let outcome = try chatdb.run("copy", "--to", place)
            #expect(outcome.code == SIGKILL, "statement \(statement): \(outcome.errors)")
            let schemas = try chatdb.sql("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'main\\_%'")
            #expect(["0", "2"].contains(schemas), "statement \(statement)")
            // Nothing has the mark: the killed program had not come to it.
            let columns = try chatdb.run.sql("SELECT count(*) FROM pragma_table_info('store') WHERE name = 'moved_to'")
            #expect(columns == "0", "statement \(statement)")
            guard schemas == "2" else { continue }
            let next = try chatdb.run("copy", "--to", chatdb.store, "--dry-run", "--format", "json")
            #expect(next.code == 0, "statement \(statement): \(next.errors)")
            #expect(next.output.contains("\"wasThere\": true"), "statement \(statement): \(next.output)")
            try chatdb.sql("DROP SCHEMA main_chat, main_agent CASCADE")
        }
        let last = try chatdb.run.succeed("copy", "--to", chatdb.store)
        #expect(last.output.contains("is marked as moved"), "\(last.output)")
        #expect(try chatdb("check").code == 0)
    }
}
