import ChatDBKit
import Foundation
import Testing

/// `migrate status --exit-code` exits with 0 only for a store of this version.
@Suite struct MigrateStatusTests {
    private func code(_ chatdb: ToolRun, _ arguments: String...) throws -> Int32 {
        try chatdb(["migrate", "status", "--exit-code"] + arguments).code
    }

    @Test("a store of this version: 0; one of its databases alone: 78, or 0 with --only")
    func lone() throws {
        let chatdb = try DemoStore.empty()
        #expect(try code(chatdb) == 0)
        try FileManager.default.removeItem(atPath: chatdb.file("x_agent.db"))
        #expect(try code(chatdb) == 78)
        #expect(try code(chatdb, "--only", "chat") == 0)
    }

    @Test("a terminal of 80 columns shows the versions whole")
    func narrow() throws {
        let shown = try DemoStore.empty().onTerminal("migrate", "status")
        #expect(shown.output.contains("20260820_agent_receive_attempts"), "\(shown)")
        #expect(shown.output.contains("20261124_relay_service"), "\(shown)")
    }

    @Test("databases of another program: 78")
    func unrelated() throws {
        let chatdb = try ToolRun()
        for name in ["x_chat.db", "x_agent.db"] { try chatdb.sql("CREATE TABLE t (id INTEGER)", in: name) }
        #expect(try code(chatdb) == 78)
    }

    @Test("a store of SimpleX Chat: 78")
    func simplex() throws {
        #expect(try SimplexFolder()(["migrate", "status", "--exit-code"]).code == 78)
    }

    @Test("a pair between two restores: 78")
    func interruptedRestore() throws {
        let chatdb = try DemoStore.empty()
        let id = try chatdb.sql("SELECT store_id FROM store")
        try FileManager.default.createDirectory(atPath: chatdb.file("x.restoring"), withIntermediateDirectories: false)
        let record: JSONValue = [
            "format": "chatdb-restore", "startedAt": "2026-01-01T00:00:00Z", "backup": "/backups/one",
            "storeId": .string(id), "generation": 2, "replaced": "x.replaced-1",
            "databases": ["chat": ["version": .null], "agent": ["version": .null]],
        ]
        try Data(record.text(.pretty).utf8).write(to: URL(fileURLWithPath: chatdb.file("x.restoring/restore.json")))
        #expect(try code(chatdb) == 78)
    }

    @Test("S04: a command that writes refuses a foreign trigger, does not show its name, and changes nothing")
    func unknownTrigger() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql("CREATE TRIGGER spy AFTER UPDATE ON users BEGIN DELETE FROM server_operators; END")
        let before = try chatdb.folder.fingerprint()
        let outcome = try chatdb("user", "rename", "alice", "bob", "--format", "json")
        #expect(outcome.code == 1)
        #expect(try outcome.refusal()["code"] == "unknownTrigger")
        #expect(try outcome.refusal()["details"]?["names"] == ["other"])
        let sentence = "the chat database has triggers or views that its version does not have, or that differ from it"
        #expect(try outcome.refusal()["message"] == .string(sentence))
        #expect(try outcome.refusal()["state"] == "Nothing was changed.")
        #expect(try chatdb.folder.fingerprint() == before)
        #expect(try chatdb("user", "list").code == 0)
    }
}
