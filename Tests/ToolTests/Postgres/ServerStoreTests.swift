import ChatDBKit
import Foundation
import TestKit
import Testing

/// The commands on a store on a PostgreSQL server.
@Suite("a store on a server", .enabled(if: PostgresServer.isSupported, "needs PostgreSQL")) struct ServerStoreTests {
    @Test("an empty database becomes a store with two profiles and a channel, with the commands for files")
    func fiveMinutes() throws {
        let chatdb = try ServerRun()
        try chatdb.succeed("migrate", "run")
        try chatdb.succeed("user", "add", "alice", "--seed", "1")
        try chatdb.succeed("user", "add", "work", "--seed", "2")
        let relay = "https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
        try chatdb.succeed("relay", "add", relay, "--name", "my relay", "--user", "alice")
        try chatdb.succeed("group", "create", "news", "--relay", "my relay", "--user", "alice")
        #expect(try chatdb.succeed("relay", "list", "--user", "alice").output.contains("my relay"))
        #expect(try chatdb.succeed("group", "relays", "news", "--user", "alice").output.contains("my relay"))
        #expect(try chatdb.succeed("migrate", "status").output.contains("20261127_initial"))
        #expect(try chatdb.succeed("user", "list", "--format", "json").answer()["users"]?.arrayValue?.count == 2)
        #expect(try chatdb.sql("SELECT count(*) FROM main_chat.users") == "2")
    }

    @Test(
        "the same commands work through PgBouncer in transaction mode",
        .enabled(if: PgBouncer.isSupported, "needs PgBouncer"))
    func pooled() throws {
        let chatdb = try ServerRun()
        let bouncer = try chatdb.server.bouncer()
        let store = ["-d", bouncer.uri(database: chatdb.database) + "&store=main"]
        let commands = [
            ["migrate", "run"], ["user", "add", "alice"], ["user", "add", "work"],
            ["group", "create", "news", "--relay", "smp5.simplex.im", "--user", "alice"], ["migrate", "status"],
            ["group", "list", "--user", "alice"], ["inspect"], ["check"], ["user", "delete", "work", "--yes"],
        ]
        for command in commands {
            let outcome = try chatdb(command + store)
            #expect(outcome.code == 0, "\(command): \(outcome.output)\(outcome.errors)")
        }
        #expect(try chatdb.sql("SELECT count(*) FROM main_chat.users") == "1")
        withExtendedLifetime(bouncer) {}
    }

    @Test("the same commands on files and on a server print the same")
    func sameAnswers() throws {
        let (server, files) = (try ServerRun(), try ToolRun())
        let commands = [
            ["migrate", "run"], ["user", "add", "alice", "--seed", "1"], ["user", "add", "work", "--seed", "2"],
            ["relay", "list", "--user", "alice"], ["server", "list", "--user", "alice"], ["operator", "list"],
            ["user", "list"], ["group", "create", "news", "--relay", "smp5.simplex.im", "--user", "alice"],
            ["group", "list", "--user", "alice"], ["group", "show", "news", "--user", "alice"],
            ["preset", "export", "--user", "alice"], ["relay", "disable", "smp5", "--user", "alice"],
            ["relay", "show", "smp5", "--user", "alice"], ["conditions", "list"],
        ]
        for command in commands {
            let (one, other) = (try server(command), try files(command))
            #expect(one.code == 0, "\(command): \(one.errors)")
            guard command[0] != "migrate" else { continue }
            #expect(Self.comparable(one.output) == Self.comparable(other.output), "\(command)")
            #expect(one.errors == other.errors, "\(command)")
        }
    }

    /// Without times, which are not those of the other store.
    private static func comparable(_ text: String) -> String {
        text.replacing(#/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?Z?)?/#, with: "TIME")
    }

    @Test("a second run has nothing to do, and a store that does not exist is an error with a next step")
    func states() throws {
        let chatdb = try ServerRun()
        let absent = try chatdb("user", "list")
        #expect(absent.code == 66)
        #expect(absent.errors.contains("chatdb migrate run"), "\(absent.errors)")
        try chatdb.succeed("migrate", "run")
        #expect(try chatdb.succeed("migrate", "run").output.contains("Nothing to do"))
        #expect(try chatdb.sql("SELECT generation FROM main_chat.store") == "1")
    }

    @Test("an address without a store's name, and one with a password, are refused")
    func addresses() throws {
        let chatdb = try ToolRun()
        let nameless = try chatdb("user", "list", "-d", "postgres://localhost/x")
        #expect(nameless.code == 64)
        #expect(nameless.errors.contains("?store=NAME"))
        let open = try chatdb("user", "list", "-d", "postgres://me:secret@localhost/x?store=a")
        #expect(open.code == 64)
        #expect(!open.errors.contains("secret"))
        #expect(open.errors.contains("PGPASSWORD"))
    }

    @Test("a server that cannot be reached, a wrong database and a role without rights have errors of their own")
    func unreachable() throws {
        let chatdb = try ServerRun()
        let nowhere = try chatdb.run("user", "list", "-d", "postgres:///x?host=/nonexistent&store=a")
        #expect(nowhere.code == 69)
        #expect(nowhere.errors.contains("hint: check the address, and whether the server runs"))
        let noDatabase = try chatdb("user", "list", "-d", chatdb.server.uri(database: "absent") + "&store=a")
        #expect(noDatabase.code == 66)
        try chatdb.succeed("migrate", "run")
        let role = "reader_" + chatdb.database
        try chatdb.sql("CREATE ROLE \(role) LOGIN")
        let store = chatdb.store.replacing("user=postgres", with: "user=\(role)")
        let refused = try chatdb("user", "list", "-d", store)
        #expect(refused.code == 77, "\(refused.errors)")
        #expect(refused.errors.contains("permission denied for schema main_agent"))
        #expect(refused.errors.contains("hint: use another role, or grant this one the rights"))
        let latin = "latin_" + chatdb.database
        try chatdb.sql("CREATE DATABASE \(latin) ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        let encoded = try chatdb("user", "list", "-d", chatdb.server.uri(database: latin) + "&store=a")
        #expect(encoded.code == 66)
        #expect(encoded.errors.contains("createdb -E UTF8"))
    }

    @Test("commands that work on files say so")
    func filesOnly() throws {
        let chatdb = try ServerRun()
        try chatdb.succeed("migrate", "run")
        for command in [["query", "SELECT 1"], ["backup", "make"], ["restore", "x"], ["schema", "show"]] {
            let outcome = try chatdb(command)
            #expect(outcome.code == 64, "\(command)")
            #expect(outcome.errors.contains("works on files"), "\(command): \(outcome.errors)")
        }
    }

    @Test("check finds damage of rows and of the schema, and repairs what needs no decision")
    func check() throws {
        let chatdb = try ServerRun()
        try chatdb.succeed("migrate", "run")
        try chatdb.succeed("user", "add", "alice", "--seed", "1")
        #expect(try chatdb.succeed("check").output.contains("The store is in order."))
        try chatdb.sql(
            """
            SET search_path = main_chat, pg_temp;
            INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (1, 'old', 'old');
            UPDATE chat_relays SET address_key = 'x' WHERE chat_relay_id = 1;
            DROP INDEX idx_files_contact_id;
            DROP TRIGGER chat_items_fts_insert ON chat_items;
            DROP INDEX idx_chat_tags_text;
            INSERT INTO chat_tags (user_id, chat_tag_text) VALUES (1, 'a'), (1, 'a');
            """)
        func ids() throws -> [String] {
            let outcome = try chatdb("check", "--format", "json")
            #expect(outcome.code == 1, "\(outcome.errors)")
            return try outcome.answer()["findings"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        }
        let found = ["wrongAddressKey", "chatSchemaLost", "chatDuplicateRow", "duplicateTag", "unusedDisplayName"]
        #expect(try ids() == found)
        try chatdb("check", "--fix", "--yes")
        #expect(try ids() == ["chatDuplicateRow", "duplicateTag", "unusedDisplayName"])
        try chatdb.sql("DELETE FROM main_chat.chat_tags WHERE chat_tag_id = 2")
        try chatdb("check", "--fix", "--yes")
        #expect(try chatdb.succeed("check").output.contains("The store is in order."))
    }

    @Test("a deletion is preceded by a backup, and the command in its answer restores the store")
    func restore() throws {
        let chatdb = try ServerRun()
        try chatdb.succeed("migrate", "run")
        try chatdb.succeed("user", "add", "alice", "--seed", "1")
        try chatdb.succeed("user", "add", "work", "--seed", "2")
        let answer = try chatdb.succeed("user", "delete", "work", "--yes", "--format", "json").answer()
        #expect(try chatdb.sql("SELECT count(*) FROM main_chat.users") == "1")
        let command = try #require(answer["kept"]?["command"]?.stringValue)
        let restored = try chatdb.run.shell(command)
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(try chatdb.sql("SELECT count(*) FROM main_chat.users") == "2")
        #expect(try chatdb.succeed("user", "list", "--format", "json").answer()["users"]?.arrayValue?.count == 2)
    }
}
