import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// The advice of chatdb: commands that help, and that can be typed as they are.
@Suite("advice for support") struct SupportAdviceTests {
    private func page(_ store: ToolRun) throws -> JSONValue { try store("inspect", "--format", "json").answer() }

    private func next(_ store: ToolRun) throws -> [String] { try page(store)["next"]?.texts ?? [] }

    @Test("the advice enables relays that are disabled, or of a disabled operator, before it adds one")
    func relays() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE chat_relays SET enabled = 0")
        var commands = try next(demo).filter { $0.contains("--user id:1 ") }
        #expect(commands.count == 1 && commands.first?.hasPrefix("chatdb relay enable id:") == true)
        try demo.sql("UPDATE chat_relays SET enabled = preset; UPDATE server_operators SET enabled = 0")
        commands = try next(demo)
        #expect(commands.first == "chatdb operator enable id:1 -d \(demo.store)")
        for command in commands where command.contains(" enable ") {
            #expect(try demo.shell("\"$CHATDB\"\(command.dropFirst("chatdb".count))").code == 0, "\(command)")
        }
        #expect(try page(demo)["warnings"]?.texts?.contains { $0.contains("No chat relays") } == false)
        try demo.sql("DELETE FROM group_relays; DELETE FROM chat_relays")
        #expect(try next(demo).contains("chatdb relay add ADDRESS --user id:1 -d \(demo.store)"))
    }

    @Test("the advice enables no relay of a disabled operator, unless it enables the operator too")
    func relaysOfDisabledOperators() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE chat_relays SET enabled = 0; UPDATE server_operators SET enabled = 0")
        #expect(
            try next(demo).filter { $0.contains("--user id:1 ") } == [
                "chatdb relay enable id:7 --user id:1 -d \(demo.store)"
            ])
        try demo.sql("DELETE FROM group_relays; DELETE FROM chat_relays WHERE chat_relay_id = 7")
        let commands = try next(demo).filter { $0.contains("operator enable") || $0.contains("--user id:1 ") }
        #expect(Set(commands).count == commands.count && commands.count { $0.contains("relay enable") } == 1)
        #expect(commands.contains("chatdb operator enable id:1 -d \(demo.store)"))
        for command in commands {
            #expect(try demo.shell("\"$CHATDB\"\(command.dropFirst("chatdb".count))").code == 0, "\(command)")
        }
        #expect(try demo("group", "create", "possible", "-u", "alice").code == 0)
    }

    @Test("a newer store, or one of another history, gets no advice that this build would refuse")
    func versions() throws {
        let future = "INSERT INTO migrations VALUES ('20990101_future', '2099-01-01 00:00:00.000', NULL, NULL, NULL)"
        let newer = try DemoStore.make()
        try newer.sql(future)
        let own = ["chatdb migrate status -d \(newer.store)", "chatdb check -d \(newer.store)"]
        #expect(try next(newer) == own)
        let note = "open it with the newer app or chatdb that created it; "
        let lacking = "can migrate it down: there is no SQL to undo 20990101_future"
        #expect(try page(newer)["notes"]?.texts?.contains("\(note)no other \(lacking)") == true)
        let check = try newer("check", "--format", "json").answer()["findings"]?.arrayValue
        let remedy = check?.first { $0["id"] == "newerVersion" }?["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("no other \(lacking.replacing(" it ", with: " them "))."), "\(remedy)")
        try newer.sql("UPDATE migrations SET down = 'SELECT 1;' WHERE name = '20990101_future'")
        let notes = try #require(try page(newer)["notes"]?.texts)
        let down = "chatdb migrate run --confirm yes-up-down -d \(newer.store) migrates it down"
        #expect(notes.contains { $0.hasPrefix(note + down) }, "\(notes)")
        #expect(try newer.shell("\"$CHATDB\" migrate run --confirm yes-up-down -d \(newer.store)").code == 0)
        let other = try DemoStore.make()
        try other.sql("\(future); DELETE FROM migrations WHERE name = '20260907_list_indexes'")
        let page = try page(other)
        let warnings = page["warnings"]?.texts ?? []
        #expect(warnings.contains { $0.contains("has another history than this build") })
        #expect(!warnings.contains { $0.contains("newer than") || $0.contains("older than") })
        #expect(page["store"]?["chat"]?["state"] == "differentHistory")
        #expect(try next(other).allSatisfy { !$0.contains("migrate plan") && !$0.contains("migrate run") })
    }

    @Test("inspect warns of drift and of several active profiles")
    func drift() throws {
        let demo = try DemoStore.make()
        let index = try demo.sql(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%users%active_user%'")
        try demo.sql("DROP INDEX \(index); UPDATE users SET active_user = 1")
        let page = try page(demo)
        #expect(
            page["warnings"]?.texts == [
                "2 profiles are active. At most one can be.",
                "the schema of the chat database differs in 1 thing from that of its version",
            ])
        #expect(
            page["next"]?.texts == ["chatdb schema diff -d \(demo.store)", "chatdb check -d \(demo.store)"])
    }

    @Test("the page shortens a very long name; JSON has all of it")
    func longNames() throws {
        let demo = try DemoStore.make()
        let name = String(repeating: "n", count: 20_000)
        try demo.sql(
            """
            UPDATE display_names SET local_display_name = '\(name)' WHERE local_display_name = 'alice';
            UPDATE users SET local_display_name = '\(name)' WHERE local_display_name = 'alice'
            """)
        #expect(try demo("inspect").output.utf8.count < 20_000)
        #expect(try page(demo)["users"]?.arrayValue?.contains { $0["name"]?.stringValue == name } == true)
    }

    @Test("inspect does not warn of missing servers or relays in a version without them")
    func older() throws {
        let demo = try DemoStore.make()
        try demo.succeed("migrate", "down", "--to", "20250519_files", "--yes", "-q", "--no-backup")
        let warnings = try page(demo)["warnings"]?.texts ?? []
        #expect(!warnings.contains { $0.contains("enabled") }, "\(warnings)")
        #expect(try !demo("relay", "list").output.contains("No chat relays"))
    }

    @Test(
        "every command in a hint names the store of the command line",
        arguments: [
            (.command(.migrateUp), "chatdb migrate up -d 'a b'"),
            ("\(.restore, "/x/y") completes it", "chatdb restore /x/y -d 'a b' completes it"),
            (
                "use a newer chatdb, or: \(.migrateRun, "--confirm", "yes-up-down")",
                "use a newer chatdb, or: chatdb migrate run --confirm yes-up-down -d 'a b'"
            ),
            (
                "\(.check) shows the damage; \(.restore, "FOLDER") goes back",
                "chatdb check -d 'a b' shows the damage; chatdb restore FOLDER -d 'a b' goes back"
            ),
            (
                "free some space, or name another folder: \(.backupMake, "DIR")",
                "free some space, or name another folder: chatdb backup make DIR -d 'a b'"
            ),
            (
                "\(.userList), or \(.userAdd, "NAME")",
                "chatdb user list -d 'a b', or chatdb user add NAME -d 'a b'"
            ),
            ("see chatdb relay --help", "see chatdb relay --help"), ("use a newer chatdb", "use a newer chatdb"),
            (.command(.migrateNew, "NAME", "--only", "chat"), "chatdb migrate new NAME --only chat"),
            (.command(.relayShow, "id:3", "-d", "y"), "chatdb relay show id:3 -d y"),
        ] as [(Hint, String)])
    func hints(_ hint: Hint, _ named: String) {
        #expect(GivenOptions(arguments: ["-d", "a b"]).text(hint) == named)
    }

    @Test("-d, --store or --database name the store, anywhere on the command line")
    func namedStore() throws {
        #expect(GivenOptions(arguments: ["relay", "list", "-d", "x"]).store == "x")
        #expect(GivenOptions(arguments: ["--store=x", "relay", "list"]).store == "x")
        #expect(GivenOptions(arguments: ["relay", "show", "--", "-d"]).store == nil)
        let old = try MigrationFixture.oldStore()
        let run = try old("relay", "add", DemoStore.otherRelay, "-d", old.store)
        #expect(run.errors.contains("; chatdb migrate run --yes -d \(old.store) applies them\n"))
        #expect(try !old("relay", "add", DemoStore.otherRelay).errors.contains(" -d "))
    }

    @Test("hints of query and schema diff fit the statement and the options")
    func questions() throws {
        let demo = try DemoStore.make()
        try demo.sql("CREATE VIEW v AS SELECT 1")
        #expect(try !demo("query", "SELECT * FROM v").errors.contains("one statement: SELECT"))
        #expect(try demo("query", "DELETE FROM users").errors.contains("one statement: SELECT"))
        try FileManager.default.removeItem(atPath: demo.file("x_chat.db"))
        let lone = try demo("query", "SELECT * FROM chat_relays")
        #expect(lone.errors.contains("the table is in the chat database, which is missing"))
        let simplex = try SimplexFolder()
        let run = try simplex(["schema", "diff", "--format", "json"])
        #expect(try run.code == 66 && run.refusal()["code"] == "notOurStore")
    }

    @Test("the error names a missing folder for temporary files, and is not that of a missing store")
    func temporaryFolder() throws {
        let store = try FoundStore.hotJournal.make()
        let run = try store(["user", "list"], environment: ["TMPDIR": "/nonexistent/folder"])
        #expect(run.code == 74 && run.errors.contains("TMPDIR"), "\(run.errors)")
    }

    @Test("a plan warns of hidden profiles that a migration down makes visible")
    func unhiding() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE users SET view_pwd_hash = x'01', view_pwd_salt = x'02' WHERE user_id = 2")
        let plan = try demo("migrate", "down", "--to", "20250317_many_profiles", "--dry-run")
        #expect(plan.output.contains("hidden profiles become visible"), "\(plan.output)")
        let run = try demo("migrate", "down", "--to", "20250317_many_profiles", "--yes", "--no-backup")
        #expect(run.code == 0 && run.errors.contains("profiles that were hidden are now visible"), "\(run.errors)")
        let less = try DemoStore.make()("migrate", "down", "--steps", "1", "--yes", "--no-backup")
        #expect(less.code == 0 && !less.errors.contains("hidden"), "\(less.errors)")
    }

    @Test("a bundle of a store of SimpleX Chat has its profiles by number, and no name")
    func simplexBundle() throws {
        for version in SimplexStore.versions {
            let simplex = try SimplexFolder(version)
            let run = try simplex(["bundle", "--preview"])
            let bundle = try run.answer()
            #expect(bundle["profiles"]?.arrayValue?.count == 3)
            #expect(bundle["relays"]?.arrayValue?.count == (version.hasRelays ? 6 : 0))
            #expect(bundle["servers"]?.arrayValue?.isEmpty == false)
            for name in ["my.example.org", "\"work\"", "\"news\""] { #expect(!run.output.contains(name), "\(name)") }
        }
    }
}
