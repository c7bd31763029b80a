import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// `schema diff`: drift, and differences of two stores.
@Suite struct SchemaDiffTests {
    private static let formats = [("table", "txt"), ("json", "json"), ("csv", "csv"), ("markdown", "md")]

    /// A store with drift of every kind.
    private func drifted() throws -> ToolRun {
        let chatdb = try DemoStore.empty()
        try chatdb.sql(
            """
            CREATE TABLE "order" (id INTEGER PRIMARY KEY, "a|b" TEXT);
            CREATE INDEX extra ON users (active_order) WHERE active_user = 1;
            ALTER TABLE users ADD COLUMN colour TEXT CHECK (colour <> '');
            DROP INDEX idx_group_members_role;
            """)
        try chatdb.sql("DROP TABLE processed_ratchet_key_hashes", in: "x_agent.db")
        return chatdb
    }

    private func differences(_ outcome: ToolRun.Outcome) throws -> [JSONValue] {
        try outcome.answer()["differences"]?.arrayValue ?? []
    }

    @Test("a store that equals its version: no differences, exit 0")
    func none() throws {
        for (chatdb, isOld) in [(try DemoStore.make(), false), (try MigrationFixture.oldStore(), true)] {
            let outcome = try chatdb("schema", "diff", "--exit-code")
            #expect(outcome.code == 0 && outcome.output == "no differences\n")
            #expect(outcome.errors.isEmpty != isOld && outcome.errors.contains(" are pending\n") == isOld, "\(outcome)")
            #expect(try chatdb("schema", "diff", "--format", "json").answer() == ["differences": []])
        }
    }

    @Test("schema diff shows drift as a diff, and changes nothing", arguments: formats)
    func drift(_ format: String, _ ending: String) throws {
        let chatdb = try drifted()
        let before = try chatdb.folder.fingerprint()
        let outcome = try chatdb("schema", "diff", "--format", format)
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        try Snapshot.check(outcome.output, "schema-diff-drift.\(ending)")
        #expect(try chatdb("schema", "diff", "--exit-code", "--format", format).code == 1)
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("--only limits the differences to one database")
    func only() throws {
        let chatdb = try drifted()
        let rows = try differences(chatdb("schema", "diff", "--only", "agent", "--format", "json"))
        #expect(!rows.isEmpty && rows.allSatisfy { $0["database"] == "agent" })
        try chatdb.sql("DROP TABLE store", in: "x_agent.db")
        #expect(try differences(chatdb("schema", "diff", "--only", "agent", "--format", "json")) == rows)
    }

    @Test("on a terminal of 80 columns no line is wider")
    func terminal() throws {
        let shown = try drifted().onTerminal("schema", "diff").output
        #expect(shown.contains("+  chat") && shown.contains("-  agent"))
        #expect(shown.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("two stores: + is only in this one, - only in the other, in both databases, in either order of naming")
    func otherStore() throws {
        let (newer, older) = (try MigrationFixture.newerStore(), try MigrationFixture.oldStore())
        let forward = try differences(newer("schema", "diff", older.store, "--format", "json"))
        let back = try differences(older("schema", "diff", newer.store, "--format", "json"))
        #expect(Set(forward.compactMap { $0["database"]?.stringValue }) == ["chat", "agent"])
        #expect(forward.count == back.count && forward.map { $0["name"] } == back.map { $0["name"] })
        for (one, other) in zip(forward, back) {
            #expect(one["expected"] == other["found"] && one["found"] == other["expected"])
        }
        #expect(forward.contains { $0["name"] == "notes" && $0["kind"] == "extra" })
        #expect(back.contains { $0["name"] == "notes" && $0["kind"] == "missing" })
        #expect(try newer("schema", "diff", older.store, "--exit-code").code == 1)
        #expect(try newer("schema", "diff", newer.store, "--exit-code").code == 0)
    }

    @Test("another store may be a database of any name, as the store itself")
    func namedFiles() throws {
        let chatdb = try ToolRun()
        try chatdb.sql("CREATE TABLE t (a); CREATE TABLE u (b)", in: "notes.db")
        try chatdb.sql("CREATE TABLE t (a)", in: "other.db")
        let line = ["schema", "diff", "chat=other.db", "--database", "chat=notes.db"]
        let found = try differences(chatdb(line + ["--format", "json"]))
        #expect(found.count == 1 && found[0]["name"] == "u", "\(found)")
        #expect(try chatdb(line + ["--exit-code"]).code == 1)
        let lost = try chatdb("schema", "diff", "chat=none.db", "--database", "chat=notes.db")
        #expect(lost.code == 66, "\(lost)")
        // Of a pair, the named file is compared with the database of its name.
        try chatdb.sql("CREATE TABLE k (a)", in: "keys.db")
        let half = try chatdb(line + ["--database", "agent=keys.db"])
        #expect(half.code == 0 && half.output.contains(" u ") && !half.output.contains("agent"), "\(half)")
        #expect(half.errors.contains("agent=FILE as OTHER-STORE compares it"), "\(half)")
    }

    @Test("for a table with different constraints schema diff shows only those")
    func constraints() throws {
        let (newer, older) = (try DemoStore.empty(), try MigrationFixture.oldStore())
        let rows = try differences(newer("schema", "diff", older.store, "--only", "chat", "--format", "json"))
        let servers = try #require(rows.first { $0["name"] == "protocol_servers" })
        #expect(servers["expected"] == .null)
        #expect(servers["found"]?.stringValue?.hasPrefix("CHECK (role_names IN (0, 1))") == true)
        #expect(servers["found"]?.stringValue?.contains("key_hash") == false)
    }

    @Test("a database that only one of two stores has is one difference")
    func loneDatabase() throws {
        let (whole, lone) = (try DemoStore.empty(), try DemoStore.empty())
        try FileManager.default.removeItem(atPath: lone.file("x_agent.db"))
        for (one, other, kind) in [(whole, lone, "extra"), (lone, whole, "missing")] {
            let rows = try differences(one("schema", "diff", other.store, "--format", "json"))
            #expect(
                rows == [
                    [
                        "database": "agent", "kind": .string(kind), "object": "database", "name": "agent",
                        "expected": nil, "found": nil,
                    ]
                ])
            #expect(try one("schema", "diff", other.store, "--only", "chat", "--exit-code").code == 0)
        }
        let drift = try lone("schema", "diff", "--exit-code")
        #expect(drift.code == 0 && drift.errors.hasPrefix("note: the agent database is missing"))
        #expect(try lone("schema", "diff", "--only", "agent").code == 66)
    }

    @Test("schema diff compares a newer store with this build's version, and says so")
    func newerStore() throws {
        let chatdb = try MigrationFixture.newerStore()
        let outcome = try chatdb("schema", "diff", "--exit-code", "--format", "json")
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasPrefix("warning: the chat database is newer than this build, by 20991231_notes;"))
        #expect(try differences(outcome).map { $0["name"] } == ["notes", "users.colour"])
    }

    @Test("a store of another history: exit 78; a missing store, and a file that is no database: exit 66")
    func refused() throws {
        let chatdb = try DemoStore.empty()
        let missing = try chatdb("schema", "diff", chatdb.file("y"), "--format", "json")
        #expect(missing.code == 66)
        #expect(try missing.refusal()["message"]?.stringValue?.contains(chatdb.file("y")) == true)
        try chatdb.sql("UPDATE migrations SET name = '20200101_other' WHERE name LIKE '2025%'  AND name < '20250201'")
        let other = try chatdb("schema", "diff", "--format", "json")
        #expect(other.code == 78)
        #expect(try other.refusal()["code"] == "differentHistory")
        try Data("hello\n".utf8).write(to: URL(fileURLWithPath: chatdb.file("x_chat.db")))
        let text = try chatdb("schema", "diff", "--format", "json")
        #expect(text.code == 66)
        #expect(try text.refusal()["code"] == "notADatabase")
    }
}
