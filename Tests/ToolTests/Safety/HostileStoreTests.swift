import ChatDBKit
import Foundation
import TestKit
import Testing

/// Safety S01 to S03, S07, S12, S14, with the tool as a process: no file stops, crashes or deceives it.
@Suite("stores made by an attacker") struct HostileStoreTests {
    /// Runs `inspect` once. It must not end by a signal or as a defect, and must change nothing.
    private func inspect(_ store: ToolRun, _ arguments: String...) throws -> ToolRun.Outcome {
        let before = try store.folder.fingerprint()
        let run = try store(["inspect"] + arguments)
        #expect([0, 65, 66, 74, 78].contains(run.code), "\(run.code): \(run.errors)")
        #expect(try store.folder.fingerprint() == before)
        return run
    }

    /// A store without its agent database, so that everything depends on the chat database.
    private func loneChat() throws -> ToolRun {
        let store = try DemoStore.make()
        try FileManager.default.removeItem(atPath: store.file("x_agent.db"))
        return store
    }

    @Test(
        "S01, S03: inspect does not run a view in a table's place, and says so",
        arguments: [
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
            "SELECT printf('%.*c', 900000000, 'x') AS relay_status",
        ])
    func view(_ body: String) throws {
        let store = try DemoStore.make()
        try store.sql("PRAGMA foreign_keys = OFF; DROP TABLE group_relays; CREATE VIEW group_relays AS \(body);")
        let page = try inspect(store, "--format", "json").answer()
        let warning = "the chat database: group_relays is a view, not a table; chatdb did not run it"
        #expect(page["warnings"]?.texts?.first == warning)
        #expect(page["users"]?.arrayValue?.count == 2)
    }

    @Test("S02: inspect does not read a generated column of a gigabyte")
    func generatedColumn() throws {
        let store = try DemoStore.make()
        try store.sql("ALTER TABLE chat_relays ADD COLUMN bomb BLOB AS (zeroblob(999999999));")
        let page = try inspect(store, "--format", "json").answer()
        #expect(page["relays"]?.arrayValue?.count == 7)
        let preset = try store.succeed("preset", "export", "-u", "alice").answer()
        #expect(preset["operators"]?.arrayValue?.isEmpty == false)
    }

    @Test(
        "S02: nor in a store of SimpleX Chat, in a new column or one that a version lacks",
        arguments: [0, 2, 3, SimplexStore.newestIndex])
    func generatedColumnOfAnother(_ version: Int) throws {
        let version = SimplexStore.versions[version]
        let simplex = try SimplexFolder(version)
        let plain = try simplex.answer("preset", "export")
        let bombs = ["bomb", "role_names", "smp_role_names", "basic_auth", "domains"]
        var made = 0
        for table in ["users", "server_operators", "protocol_servers", "chat_relays", "contact_profiles"] {
            for bomb in bombs {
                // A column that the version already has cannot be added.
                let sql = "ALTER TABLE \(table) ADD COLUMN \(bomb) BLOB AS (zeroblob(999999999))"
                if (try? simplex.store.execute(sql)) != nil { made += 1 }
            }
        }
        #expect(made > 10)
        #expect(try simplex.answer("preset", "export") == plain)
        let page = try simplex.answer("inspect")
        #expect(page["users"]?.arrayValue?.isEmpty == false)
    }

    @Test("B09: query shows the size of a value over 64 MB without reading it, and backup copies it whole")
    func largeValue() throws {
        let store = try DemoStore.make()
        try store.sql("UPDATE group_profiles SET image = 'MARKER' || printf('%.70000000c', 'x')")
        let run = try store.succeed("inspect", "--sizes", "--format", "json")
        let page = try run.answer()
        let table = page["store"]?["chat"]?["tables"]?.arrayValue?.first { $0["name"] == "group_profiles" }
        #expect((table?["bytes"]?.integerValue ?? 0) > 70_000_000, "\(table ?? .null)")
        #expect(page["channels"]?.arrayValue?.count == 1)
        #expect(!run.output.contains("MARKER") && run.output.utf8.count < 100_000)
        let backup = try store.succeed("backup", "backups", "--format", "json").answer()["backup"]
        let name = try #require(backup?["path"]?.stringValue?.split(separator: "/").last)
        let length = try store.sql("SELECT length(image) FROM group_profiles", in: "backups/\(name)/x_chat.db")
        #expect(length == "70000006")
    }

    @Test("S07: a table that computes with JSON does not prevent reading the others, in whatever case it does")
    func untrustedFunction() throws {
        let store = try DemoStore.make()
        try store.sql("CREATE TABLE k(a, b AS (JSON_EXTRACT(a, '$.x')))")
        #expect(try inspect(store, "--format", "json").answer()["users"]?.arrayValue?.count == 2)
        try store.sql("DROP TABLE k")
        try store.sql("CREATE TABLE j(a, b AS (json_extract(a, '$.x'))); CREATE INDEX ji ON j(a ->> '$.y');")
        let page = try inspect(store, "--format", "json").answer()
        #expect(page["users"]?.arrayValue?.count == 2 && page["relays"]?.arrayValue?.count == 7)
        #expect(try store.succeed("user", "list", "--format", "json").answer()["users"]?.arrayValue?.count == 2)
    }

    @Test("S12: CSV prefixes a name that a spreadsheet takes for a formula with an apostrophe")
    func formula() throws {
        let store = try DemoStore.make()
        try store.sql("UPDATE chat_relays SET display_name = '=cmd()' WHERE display_name = 'mine'")
        #expect(try store.succeed("relay", "list", "-u", "alice", "--format", "csv").output.contains("'=cmd()"))
    }

    @Test("S14: too many columns, too long a statement and ten thousand tables are limits or an answer, not damage")
    func limits() throws {
        let columns = (0..<1_990).map { "c\($0)" }.joined(separator: ",")
        let tables = (0..<10_000).map { "CREATE TABLE t\($0)(a);" }.joined()
        let long = "CREATE TABLE long(a /* \(String(repeating: "x", count: 2_000_000)) */);"
        let sql = [("wide", "CREATE TABLE wide(\(columns));"), ("many", "BEGIN; \(tables) COMMIT;"), ("long", long)]
        for (name, sql) in sql {
            let store = try loneChat()
            let script = store.file("\(name).sql")
            try Data(sql.utf8).write(to: URL(fileURLWithPath: script))
            #expect(try store.shell("sqlite3 -bail x_chat.db < \(name).sql && rm \(name).sql").code == 0)
            let run = try inspect(store)
            #expect(run.code == 0 || run.errors.contains("safety limits"), "\(name): \(run.errors)")
            #expect(!run.errors.contains("damaged"))
        }
    }
}
