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

    @Test("the index of the search has the words that the server finds, whatever the texts are")
    func words() throws {
        let chatdb = try store()
        let texts = [
            "", "Plain words, twice: words!", "don''t stop", "Ägypten İstanbul ßtraße ǅ e" + "\u{301}", "日本語のテキスト 🙂🙃",
            "Ёлка и ёжик", "ΑΒΓ ς", "x" + String(repeating: "y", count: 1_200), "tab\tnew\nline",
            String(repeating: "a b ", count: 400), String(repeating: "слово ", count: 9_000),
        ]
        for text in texts {
            try chatdb.run.sql(
                """
                INSERT INTO chat_items (user_id, item_sent, item_ts, item_status, item_content, item_text)
                VALUES (1, 0, '2026-01-01 00:00:00.000', 'rcv_read', '{}', '\(text)')
                """)
        }
        try chatdb.run.sql(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
            INSERT INTO chat_items (user_id, item_sent, item_ts, item_status, item_content, item_text)
            SELECT 2, 0, '2026-01-01 00:00:00.000', 'rcv_read', '{}', 'item ' || i || ' ' || char(i + 0x100) FROM n
            """)
        try chatdb.run.succeed("copy", "--to", chatdb.store)
        let wrong = try chatdb.sql(
            """
            SET search_path = main_chat, pg_temp;
            SELECT count(*) FROM chat_items LEFT JOIN chat_items_fts USING (chat_item_id)
            WHERE words IS DISTINCT FROM search_words(user_id, item_text) AND (user_id = 1 OR chat_item_id % 10 = 0)
            """)
        #expect(wrong == "0")
        #expect(try chatdb.sql("SELECT count(*) FROM main_chat.chat_items_fts") == "12011")
    }

    @Test("after a copy, the first store can only be read, and its error and its reports name the new one")
    func moved() throws {
        let chatdb = try store()
        try chatdb.run.succeed("copy", "--to", chatdb.store)
        #expect(try chatdb.run("user", "list").code == 0)
        let outcome = try chatdb.run("user", "add", "carol")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("the store was moved to postgres://"), "\(outcome.errors)")
        #expect(try chatdb("user", "add", "carol", "--seed", "3").code == 0)
        for command in [["migrate", "status"], ["inspect"], ["check"]] {
            let report = try chatdb.run(command)
            #expect(report.output.contains("the store was moved to postgres://"), "\(command): \(report.output)")
        }
    }

    @Test("a backup from before the move is restored only with --force, because both stores would change")
    func restored() throws {
        let chatdb = try store()
        let made = try chatdb.run(["backup", "make", "--format", "json"]).answer()
        let backup = try #require(made["backup"]?["path"]?.stringValue)
        try chatdb.run.succeed("copy", "--to", chatdb.store)
        let refused = try chatdb.run("restore", backup, "--yes")
        #expect(refused.code == 1 && refused.errors.contains("the store was moved to postgres://"), "\(refused.errors)")
        try chatdb.run.succeed("restore", backup, "--yes", "--force")
        #expect(try chatdb.run("user", "add", "carol", "--seed", "3").code == 0)
    }

    @Test("a dry run and --keep-both leave the store as it is")
    func unmarked() throws {
        let chatdb = try store()
        let tried = try chatdb.run.succeed("copy", "--to", chatdb.store, "--dry-run", "--format", "json")
        #expect(tried.output.contains("\"applied\": false"), "\(tried.output)")
        let told = try chatdb.run.succeed("copy", "--to", chatdb.store, "--dry-run")
        #expect(told.output.contains("the copy would mark the store at"), "\(told.output)")
        let copied = try chatdb.run.succeed("copy", "--to", chatdb.store, "--keep-both", "--format", "json")
        #expect(copied.output.contains("\"moved\": false"), "\(copied.output)")
        #expect(try chatdb.run("user", "add", "carol", "--seed", "3").code == 0)
    }

    @Test("a folder that does not exist is made first, or another place is named with --to")
    func noFolder() throws {
        let chatdb = try store()
        try chatdb.run.succeed("copy", "--to", chatdb.store)
        let outcome = try chatdb.run("copy", "-d", chatdb.store, "--to", chatdb.run.file("missing/x"))
        #expect(outcome.code != 0 && outcome.errors.contains("name another place with --to"), "\(outcome.errors)")
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
