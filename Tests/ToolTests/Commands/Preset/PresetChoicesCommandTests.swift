import ChatDBKit
import Foundation
import Testing

/// `preset sync` and the user's choices about relays and servers whose rows are gone.
@Suite("preset sync: choices")
struct PresetChoicesCommandTests {
    /// The second relay and the first server of the bundled preset, to which no channel of alice refers.
    private static let relay = "https://smp6.simplex.im/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ"
    private static let server = "smp8.simplex.im"

    /// A store in which the list of an operator dropped the relay and the server.
    private func demoAfterDrop() throws -> ToolRun {
        let demo = try DemoStore.make()
        try drop(in: demo)
        return demo
    }

    private func drop(in demo: ToolRun) throws {
        let file = demo.file("shorter.json")
        let text = try demo.succeed("preset", "show", "simplex", "--format", "json").output
        var document = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        var operators = try #require(document["operators"] as? [[String: Any]])
        for kind in ["relays", "smpServers"] {
            var entries = try #require(operators[0][kind] as? [[String: Any]])
            entries.removeAll { entry in
                let address = entry["address"] as? String ?? ""
                return address == Self.relay || address.contains("@\(Self.server)")
            }
            operators[0][kind] = entries
        }
        document["operators"] = operators
        try JSONSerialization.data(withJSONObject: document).write(to: URL(fileURLWithPath: file))
        try demo.succeed("preset", "sync", file, "-u", "alice", "--yes", "--no-backup")
    }

    private func rows(_ demo: ToolRun) throws -> String {
        try demo.sql(
            """
            SELECT (SELECT count(*) FROM chat_relays WHERE user_id = 1 AND address = '\(Self.relay)'),
                (SELECT count(*) FROM protocol_servers WHERE user_id = 1 AND host LIKE '\(Self.server),%'),
                (SELECT count(*) FROM preset_choices)
            """)
    }

    /// The changes of a sync with the bundled preset.
    private func sync(_ demo: ToolRun, _ options: String...) throws -> [JSONValue] {
        let answer = try demo(["preset", "sync", "-u", "alice", "--format", "json"] + options).answer()
        return answer["changes"]?.arrayValue ?? []
    }

    @Test("A relay and a server that the user had disabled come back disabled, and table and JSON say so")
    func disabled() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE chat_relays SET enabled = 1; UPDATE protocol_servers SET enabled = 1")
        try demo.succeed("relay", "disable", Self.relay, "-u", "alice")
        try demo.succeed("server", "disable", Self.server, "-u", "alice")
        try drop(in: demo)
        #expect(try rows(demo) == "0|0|2")
        let table = try demo.succeed("preset", "sync", "-u", "alice", "--dry-run").output
        let lines = table.split(separator: "\n").filter { $0.hasPrefix("+!") }
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains("comes back disabled, as the user left it") })
        for change in try sync(demo, "--yes") {
            #expect(change["action"] == "add" && change["fields"]?["enabled"]?["to"] == false)
            #expect(change["reason"] == "comes back disabled, as the user left it")
        }
        #expect(try rows(demo) == "1|1|0")
        #expect(try demo.sql("SELECT count(*) FROM chat_relays WHERE user_id = 1 AND enabled = 0") == "1")
        #expect(try demo.sql("SELECT count(*) FROM protocol_servers WHERE user_id = 1 AND enabled = 0") == "1")
        #expect(try sync(demo, "--yes").isEmpty)
    }

    @Test("A relay and a server that the user deleted come back disabled; adding the relay enables it")
    func deleted() throws {
        let demo = try demoAfterDrop()
        let address = try demo.sql(
            "SELECT 'smp://' || key_hash || '@' || host FROM protocol_servers WHERE host LIKE '\(Self.server),%'")
        try demo.succeed("relay", "add", Self.relay, "-u", "alice")
        try demo.succeed("server", "add", address.split(separator: "\n").map(String.init)[0], "-u", "alice")
        #expect(try rows(demo) == "1|1|0", "adding forgets")
        let gone = try demo.succeed("relay", "delete", Self.relay, "-u", "alice", "--yes", "--format", "json").answer()
        #expect(gone["outcome"] == "deleted")
        try demo.succeed("server", "delete", Self.server, "-u", "alice", "--yes")
        #expect(try rows(demo) == "0|0|2")
        let changes = try sync(demo, "--yes")
        #expect(changes.count == 2)
        for change in changes {
            #expect(change["action"] == "add" && change["fields"]?["enabled"]?["to"] == false)
            #expect(change["reason"] == "comes back disabled, because the user deleted it")
        }
        let back = try demo.succeed("relay", "add", Self.relay, "-u", "alice", "--format", "json").answer()
        #expect(back["outcome"] == "enabled" && back["relay"]?["enabled"] == true)
        #expect(try sync(demo, "--yes").isEmpty && rows(demo) == "1|1|0")
    }

    @Test("After the command that undoes a deletion, no choice is left")
    func undone() throws {
        let demo = try demoAfterDrop()
        try demo.succeed("relay", "add", Self.relay, "-u", "alice")
        let before = try demo.sql("SELECT count(*) FROM preset_choices")
        let gone = try demo.succeed("relay", "delete", Self.relay, "-u", "alice", "--yes", "--format", "json").answer()
        #expect(try demo.sql("SELECT choice FROM preset_choices WHERE kind = 'relay'") == "deleted")
        let command = try #require(gone["kept"]?["command"]?.stringValue)
        let undo = try demo.shell("$CHATDB" + command.dropFirst("chatdb".count) + " --yes")
        #expect(undo.code == 0, "\(undo.errors)")
        #expect(try demo.sql("SELECT count(*) FROM preset_choices") == before)
        #expect(try demo.sql("SELECT enabled FROM chat_relays WHERE address = '\(Self.relay)' AND user_id = 1") == "1")
    }

    @Test("A migration down lists the choices as lost; up again makes choices of soft-deleted preset relays")
    func migrations() throws {
        let demo = try demoAfterDrop()
        try demo.sql("UPDATE chat_relays SET deleted = 1 WHERE chat_relay_id = 1")
        let down = ["migrate", "down", "--only", "chat", "--to", "20261122_link_keys", "--format", "json"]
        let plan = try demo(down + ["--dry-run"]).output
        #expect(plan.contains("preset_choices"), "\(plan)")
        let run = try demo(down + ["--yes"]).answer()
        #expect(run["chat"]?["losses"]?[0] == ["kind": "table", "table": "preset_choices", "column": nil, "rows": 2])
        try demo.succeed("migrate", "run", "--confirm", "yes-up")
        #expect(try demo.sql("SELECT kind, choice FROM preset_choices") == "relay|enabled")
    }
}
