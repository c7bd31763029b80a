import Foundation
import TestKit
import Testing

/// Names and objects on a server that would mislead a careless program. Rule: docs/postgresql.md, "What differs".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct HostileServerTests {
    @Test("functions, operators, tables and search paths of others change no answer")
    func searchPath() throws {
        let chatdb = try ServerRun()
        try chatdb.succeed("migrate", "run")
        try chatdb.succeed("user", "add", "alice", "--seed", "1")
        try chatdb.succeed("group", "create", "news", "--relay", "smp5.simplex.im")
        let commands = [
            ["user", "list"], ["relay", "list"], ["relay", "usage"], ["group", "list"], ["check"],
            ["migrate", "status"],
            ["chat", "list"], ["search", "hello"],
        ].map { $0 + ["--format", "json"] }
        let before = try commands.map { try chatdb($0) }
        try chatdb.sql(
            """
            CREATE SCHEMA postgres;
            CREATE TABLE postgres.users (user_id BIGINT);
            CREATE TABLE public.users (user_id BIGINT);
            CREATE TABLE public.migrations (name TEXT, ts TEXT);
            CREATE FUNCTION public.lower(text) RETURNS text LANGUAGE sql AS $$ SELECT 'no' $$;
            CREATE FUNCTION public.length(text) RETURNS int LANGUAGE sql AS $$ SELECT 0 $$;
            CREATE FUNCTION public.search_question(text[], boolean) RETURNS tsquery LANGUAGE sql AS $$ SELECT 'no'::tsquery $$;
            CREATE FUNCTION public.differ(text, text) RETURNS boolean LANGUAGE sql AS $$ SELECT FALSE $$;
            CREATE OPERATOR public.= (LEFTARG = text, RIGHTARG = text, FUNCTION = public.differ);
            CREATE FUNCTION public.same(bigint, bigint) RETURNS boolean LANGUAGE sql AS $$ SELECT TRUE $$;
            CREATE OPERATOR public.= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = public.same);
            ALTER DATABASE \(chatdb.database) SET search_path = public, "$user", pg_catalog;
            ALTER DATABASE \(chatdb.database) SET standard_conforming_strings = off;
            ALTER DATABASE \(chatdb.database) SET bytea_output = escape;
            ALTER DATABASE \(chatdb.database) SET DateStyle = 'German';
            ALTER DATABASE \(chatdb.database) SET IntervalStyle = 'sql_standard';
            ALTER DATABASE \(chatdb.database) SET TimeZone = 'Asia/Kathmandu';
            ALTER DATABASE \(chatdb.database) SET extra_float_digits = -10;
            ALTER DATABASE \(chatdb.database) SET default_transaction_read_only = on;
            """)
        for (command, expected) in zip(commands, before) {
            let found = try chatdb(command)
            #expect(found.output == expected.output, "\(command)")
            #expect(found.errors == expected.errors, "\(command)")
        }
        try chatdb.succeed("relay", "disable", "smp5")
        #expect(try chatdb.sql("SELECT enabled FROM main_chat.chat_relays WHERE strpos(address, 'smp5.') > 0") == "0")
        #expect(try chatdb.sql("SELECT count(*) FROM public.users") == "0")
    }

    @Test("databases and roles with quotes and blanks, and texts with all signs, are only names and texts")
    func names() throws {
        let chatdb = try ServerRun()
        let (database, role) = ("x'; DROP \"y\" \(chatdb.database.suffix(8))", "r'\"\\ \(chatdb.database.suffix(8))")
        func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
        func encoded(_ name: String) -> String {
            name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
        try chatdb.sql("CREATE ROLE \(quoted(role)) LOGIN")
        try chatdb.sql("CREATE DATABASE \(quoted(database)) OWNER \(quoted(role))")
        let store =
            chatdb.server.uri(database: encoded(database))
            .replacing("user=postgres", with: "user=\(encoded(role))") + "&store=s1"
        #expect(try chatdb("migrate", "run", "-d", store).code == 0)
        for name in ["a'b", "c\"d", "e\\f %s $1", "g -- h", "{i}", "é 中 🎈"] {
            let added = try chatdb("user", "add", name, "-d", store)
            #expect(added.code == 0, "\(name): \(added.errors)")
        }
        let listed = try chatdb("user", "list", "-d", store, "--format", "json").answer()["users"]?.arrayValue
        #expect(listed?.count == 6)
    }

    @Test(
        "a name that is no store's name is refused",
        arguments: ["", "A", "a-b", "a'b", "a;b", "1a", "é", "a%00b", "a b"])
    func storeNames(_ name: String) throws {
        let chatdb = try ServerRun()
        let store = chatdb.server.uri(database: chatdb.database) + "&store=\(name)"
        #expect(try chatdb("migrate", "run", "-d", store).code == 64)
        let long = String(repeating: "a", count: 41)
        #expect(
            try chatdb("migrate", "run", "-d", chatdb.server.uri(database: chatdb.database) + "&store=\(long)").code
                == 64)
        #expect(try chatdb.sql("SELECT count(*) FROM pg_namespace WHERE nspname LIKE '%chat'") == "0")
    }

    @Test("two stores of one database do not touch each other, and tables of others under a store's name are refused")
    func neighbours() throws {
        let chatdb = try ServerRun()
        try chatdb.succeed("migrate", "run")
        try chatdb.succeed("user", "add", "alice", "--seed", "1")
        let second = chatdb.store.replacing("store=main", with: "store=main_chat")
        #expect(try chatdb("migrate", "run", "-d", second).code == 0)
        #expect(try chatdb("user", "add", "bob", "-d", second).code == 0)
        #expect(try chatdb.sql("SELECT local_display_name FROM main_chat.users") == "alice")
        #expect(try chatdb.sql("SELECT local_display_name FROM main_chat_chat.users") == "bob")
        try chatdb.sql("CREATE SCHEMA foreign_chat CREATE TABLE users (user_id BIGINT)")
        let foreign = chatdb.store.replacing("store=main", with: "store=foreign")
        for command in [["migrate", "run"], ["user", "list"], ["user", "add", "x"]] {
            let outcome = try chatdb(command + ["-d", foreign])
            #expect(outcome.code != 0, "\(command)")
            #expect(!outcome.errors.isEmpty)
        }
        #expect(try chatdb.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'foreign_agent'") == "0")
        #expect(
            try chatdb.sql("SELECT count(*) FROM pg_class WHERE relnamespace = 'foreign_chat'::regnamespace") == "1")
    }
}
