import ChatDBKit
import Foundation
import TestKit
import Testing

/// `chatdb copy` with chatdb's own schema. Rule: docs/copying.md.
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct CopyCommandTests {
    /// A store in files with a profile and a channel, and an empty database.
    private func store() throws -> ServerRun {
        let chatdb = try ServerRun()
        try chatdb.run.succeed("migrate", "run")
        try chatdb.run.succeed("user", "add", "alice", "--seed", "1")
        try chatdb.run.succeed("user", "add", "bob", "--seed", "2")
        return chatdb
    }

    @Test("two commands copy a store to a server and back, and every answer is that of the first store")
    func thereAndBack() throws {
        let chatdb = try store()
        let questions = [["user", "list"], ["relay", "list"], ["server", "list"], ["group", "list"]]
        let before = try questions.map { try chatdb.run($0).output }
        let there = try chatdb.run.succeed("copy", "--to", chatdb.store)
        #expect(there.output.contains("The store was copied: "), "\(there.output)")
        #expect(there.output.contains("is marked as moved"), "\(there.output)")
        #expect(try questions.map { try chatdb($0).output } == before)
        let back = try chatdb.run.succeed("copy", "-d", chatdb.store, "--to", chatdb.run.file("back"))
        #expect(back.code == 0)
        let again = try questions.map { try chatdb.run.on(chatdb.run.file("back"), $0).output }
        #expect(again == before)
        let check = try chatdb.run.on(chatdb.run.file("back"), ["check"])
        #expect(check.code == 0, "\(check.output)\(check.errors)")
    }

    @Test("after a copy, the first store only can be read, and its error names the new one")
    func moved() throws {
        let chatdb = try store()
        try chatdb.run.succeed("copy", "--to", chatdb.store)
        #expect(try chatdb.run("user", "list").code == 0)
        let outcome = try chatdb.run("user", "add", "carol")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("the store was moved to postgres://"), "\(outcome.errors)")
        #expect(try chatdb("user", "add", "carol", "--seed", "3").code == 0)
    }

    @Test("a dry run and --keep-both leave the store as it is")
    func unmarked() throws {
        let chatdb = try store()
        let tried = try chatdb.run.succeed("copy", "--to", chatdb.store, "--dry-run", "--format", "json")
        #expect(tried.output.contains("\"applied\": false"), "\(tried.output)")
        let copied = try chatdb.run.succeed("copy", "--to", chatdb.store, "--keep-both", "--format", "json")
        #expect(copied.output.contains("\"moved\": false"), "\(copied.output)")
        #expect(try chatdb.run("user", "add", "carol", "--seed", "3").code == 0)
    }

    @Test("texts that a server does not hold are named, and --replace-bad-text writes them")
    func texts() throws {
        let chatdb = try store()
        try chatdb.run.sql("UPDATE users SET ui_themes = CAST(x'7300ff' AS TEXT) WHERE user_id = 2")
        let refused = try chatdb.run("copy", "--to", chatdb.store)
        #expect(refused.code == 1)
        #expect(refused.errors.contains("chat users.ui_themes: a NUL byte, in user_id 2"), "\(refused.errors)")
        #expect(refused.errors.contains("--replace-bad-text"), "\(refused.errors)")
        let made = try chatdb.run.succeed("copy", "--to", chatdb.store, "--replace-bad-text")
        #expect(made.output.contains("1 text"), "\(made.output)\(made.errors)")
    }
}
