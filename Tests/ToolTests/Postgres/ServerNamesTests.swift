import ChatDBKit
import Foundation
import TestKit
import Testing

/// Names on a server that lead elsewhere: search paths, other schemas, and names with characters of SQL and of
/// addresses. Rule: docs/postgresql.md, "Naming a store".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct ServerNamesTests {
    /// Tables, types, functions and operators with the names of the server's own and of the store's, found before them.
    private static let traps = """
        CREATE SCHEMA postgres;
        CREATE FUNCTION public.count(text) RETURNS bigint LANGUAGE sql AS 'SELECT 777::bigint';
        CREATE FUNCTION postgres.lower(text) RETURNS text LANGUAGE sql AS 'SELECT ''lie''::text';
        CREATE FUNCTION postgres.length(text) RETURNS int LANGUAGE sql AS 'SELECT 0';
        CREATE FUNCTION public.md5(text) RETURNS text LANGUAGE sql AS 'SELECT ''lie''::text';
        CREATE FUNCTION public.to_char(timestamp, text) RETURNS text LANGUAGE sql AS 'SELECT ''never''::text';
        CREATE FUNCTION public.strpos(text, text) RETURNS int LANGUAGE sql AS 'SELECT 0';
        CREATE FUNCTION public.hashtextextended(text, bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 5::bigint';
        CREATE FUNCTION public.pg_advisory_xact_lock(bigint) RETURNS void LANGUAGE sql AS 'SELECT NULL::void';
        CREATE FUNCTION public.pg_current_xact_id() RETURNS text LANGUAGE sql AS 'SELECT ''1''::text';
        CREATE FUNCTION public.pg_xact_status(xid8) RETURNS text LANGUAGE sql AS 'SELECT ''committed''::text';
        CREATE FUNCTION public.pg_backend_pid() RETURNS int LANGUAGE sql AS 'SELECT 3';
        CREATE FUNCTION public.current_schema() RETURNS name LANGUAGE sql AS 'SELECT ''public''::name';
        CREATE FUNCTION public.lie(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT FALSE';
        CREATE OPERATOR public.= (LEFTARG = text, RIGHTARG = text, PROCEDURE = public.lie);
        CREATE FUNCTION public.lie(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT TRUE';
        CREATE OPERATOR public.= (LEFTARG = bigint, RIGHTARG = bigint, PROCEDURE = public.lie);
        CREATE TABLE public.users (name int);
        CREATE TABLE postgres.migrations (name int);
        CREATE VIEW postgres.store AS SELECT 99::bigint AS generation;
        CREATE DOMAIN public.xid8 AS bigint;
        CREATE DOMAIN public.text AS int;
        ALTER DATABASE DATABASE_NAME SET search_path = '$user', public, pg_catalog;
        ALTER DATABASE DATABASE_NAME SET quote_all_identifiers = on;
        ALTER DATABASE DATABASE_NAME SET standard_conforming_strings = off;
        ALTER DATABASE DATABASE_NAME SET transform_null_equals = on;
        ALTER DATABASE DATABASE_NAME SET default_transaction_isolation = 'serializable';
        ALTER DATABASE DATABASE_NAME SET default_transaction_read_only = on;
        ALTER DATABASE DATABASE_NAME SET datestyle = 'German';
        ALTER DATABASE DATABASE_NAME SET timezone = 'Pacific/Chatham';
        ALTER DATABASE DATABASE_NAME SET bytea_output = 'escape';
        ALTER DATABASE DATABASE_NAME SET extra_float_digits = -15;
        """

    @Test("search paths, settings, and objects of the server's names in other schemas change no answer")
    func searchPaths() throws {
        let (plain, trapped) = (try ServerRun(), try ServerRun())
        try trapped.sql(Self.traps.replacing("DATABASE_NAME", with: trapped.database))
        let commands = [
            ["migrate", "run"], ["user", "add", "alice", "--seed", "1"], ["user", "add", "work", "--seed", "2"],
            ["relay", "list", "--user", "alice"], ["server", "list", "--user", "alice"], ["operator", "list"],
            ["user", "list"], ["group", "create", "news", "--relay", "smp5.simplex.im", "--user", "alice"],
            ["group", "list", "--user", "alice"], ["group", "show", "news", "--user", "alice"],
            ["relay", "disable", "smp5", "--user", "alice"], ["relay", "show", "smp5", "--user", "alice"],
            ["search", "news", "--user", "alice"], ["migrate", "status"], ["check"],
            ["user", "delete", "work", "--yes", "--no-backup"], ["user", "list"], ["check"],
        ]
        for command in commands {
            let (one, other) = (try trapped(command), try plain(command))
            #expect(one.code == 0, "\(command): \(one.output)\(one.errors)")
            guard command[0] != "migrate" else { continue }
            #expect(Self.comparable(one.output) == Self.comparable(other.output), "\(command)")
            #expect(one.errors == other.errors, "\(command)")
        }
    }

    /// Without times, which are not those of the other store.
    private static func comparable(_ text: String) -> String {
        text.replacing(#/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?Z?)?/#, with: "TIME")
    }

    @Test("two stores in one database: what is done in one never touches the other")
    func twoStores() throws {
        let server = try ServerRun()
        let (one, other) = ("\(server.store)_1", "\(server.store)_2")
        try server.run.succeed(on: one, "migrate", "run")
        try server.run.succeed(on: one, "user", "add", "alice", "--seed", "1")
        let contents = """
            SELECT md5(schema_to_xml('main_1_chat', TRUE, FALSE, '')::text
                || schema_to_xml('main_1_agent', TRUE, FALSE, '')::text)
            """
        let before = try server.sql(contents)
        let absent = try server.run.on(other, ["user", "list"])
        #expect(absent.code == 66, "\(absent.errors)")
        try server.run.succeed(on: other, "migrate", "run")
        try server.run.succeed(on: other, "user", "add", "bob", "--seed", "2")
        try server.run.succeed(on: other, "user", "add", "carol", "--seed", "3")
        try server.run.succeed(on: other, "user", "delete", "bob", "--yes", "--no-backup")
        try server.run.succeed(on: other, "check", "--fix", "--yes")
        #expect(try server.sql(contents) == before)
        let users = try server.run.succeed(on: one, "user", "list").output
        #expect(users.contains("alice") && !users.contains("carol"))
        #expect(try server.run.succeed(on: one, "check").output.contains("The store is in order."))
    }

    @Test("schemas of another program are refused by every command, and stay as they are")
    func strangers() throws {
        let server = try ServerRun()
        try server.sql(
            """
            CREATE SCHEMA main_chat; CREATE SCHEMA main_agent;
            CREATE TABLE main_chat.users (id INT); INSERT INTO main_chat.users VALUES (7);
            CREATE TABLE main_agent.users (id INT);
            """)
        for command in [
            ["migrate", "run"], ["migrate", "run", "--yes"], ["migrate", "plan"], ["user", "list"],
            ["user", "add", "alice"], ["user", "delete", "alice", "--yes"], ["group", "list"],
        ] {
            let outcome = try server(command)
            #expect(outcome.code == 66, "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("database of chatdb"), "\(command): \(outcome.errors)")
            #expect(
                outcome.errors.contains("another program made the schemas of this name"),
                "\(command): \(outcome.errors)")
        }
        #expect(try server("check").code == 1)
        #expect(try server.succeed("inspect").output.contains("unknown"))
        #expect(try server.sql("SELECT count(*) || ' ' || min(id) FROM main_chat.users") == "1 7")
    }

    @Test("a schema that has foreign tables or functions is no place for a new store")
    func halves() throws {
        let foreign = try ServerRun()
        try foreign.sql(
            """
            CREATE SCHEMA main_chat; CREATE FOREIGN DATA WRAPPER made; CREATE SERVER made FOREIGN DATA WRAPPER made;
            CREATE FOREIGN TABLE main_chat.users (id INT) SERVER made
            """)
        let outcome = try foreign("migrate", "run")
        #expect(outcome.code == 66, "\(outcome.errors)")
        #expect(try foreign.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'main_agent'") == "0")

        let functions = try ServerRun()
        try functions.sql(
            """
            CREATE SCHEMA main_chat; CREATE SCHEMA main_agent;
            CREATE FUNCTION main_chat.lower(varchar) RETURNS TEXT LANGUAGE sql AS 'SELECT ''lie''::text'
            """)
        let refused = try functions("migrate", "run")
        #expect(refused.code == 66, "\(refused.output)\(refused.errors)")
        #expect(refused.errors.contains("functions, types or operators of another program"), "\(refused.errors)")
        let tables = "SELECT count(*) FROM pg_class WHERE relnamespace = 'main_chat'::regnamespace"
        #expect(try functions.sql(tables) == "0")
    }

    @Test(
        "a store's name that could be anything else is refused before a server is asked",
        arguments: [
            "A", "a%22b", "a'b", "a;b", "a%00", "ünï", "pg_x", "_a", "1a", "", "a b", "a/../b",
            String(repeating: "a", count: 41),
        ])
    func stores(_ name: String) throws {
        let outcome = try ToolRun().on("postgres:///x?host=/nonexistent&store=\(name)", ["user", "list"])
        #expect(outcome.code == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains("the address of the store is not valid"), "\(outcome.errors)")
    }

    @Test("a database and a role with quotes, blanks and percent signs in their names are used as they are")
    func quoted() throws {
        let server = try ServerRun()
        let part = server.database
        try server.sql("CREATE DATABASE \"we'ird \"\"n%20;\(part)\"")
        try server.sql("CREATE ROLE \"ro\"\"le '\(part)\" LOGIN SUPERUSER")
        let store = server.store.replacing("/\(part)?", with: "/we'ird%20%22n%2520%3b\(part)?")
            .replacing("user=postgres", with: "user=ro%22le%20'\(part)")
        try server.run.succeed(on: store, "migrate", "run")
        try server.run.succeed(on: store, "user", "add", "alice", "--seed", "1")
        try server.run.succeed(on: store, "user", "add", "work", "--seed", "2")
        let answer = try server.run.succeed(on: store, "user", "delete", "work", "--yes", "--format", "json").answer()
        let command = try #require(answer["kept"]?["command"]?.stringValue)
        let restored = try server.run.shell(command)
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(try server.run.succeed(on: store, "user", "list").output.contains("work"))
        let owner = "SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'main_chat'"
        #expect(try server.server.psql(owner, database: "we'ird \"n%20;\(part)") == "ro\"le '\(part)\n")
    }

    @Test("names of profiles with characters of SQL, formats and escapes are kept as they are")
    func profiles() throws {
        let server = try ServerRun()
        try server.succeed("migrate", "run")
        let names = [
            "a\"b", "a'b", "per%cent", "%s%n", "back\\slash", "\\", "E'\\''", "$1", "{}", "x'); DROP TABLE users; --",
            "\u{1F469}\u{200D}\u{1F4BB}", "e\u{301}",
        ]
        for name in names { try server.succeed("user", "add", name, "--seed", "1") }
        let users = try server.succeed("user", "list", "--format", "json").answer()["users"]?.arrayValue ?? []
        let found = Set(users.compactMap { $0["name"]?.stringValue })
        #expect(found.count == names.count && names.allSatisfy(found.contains), "\(found)")
        for name in ["new\nline", "", " "] {
            let outcome = try server("user", "add", name)
            #expect(outcome.code == 65, "\(outcome.errors)")
        }
        #expect(try server.succeed("check").output.contains("The store is in order."))
    }
}
