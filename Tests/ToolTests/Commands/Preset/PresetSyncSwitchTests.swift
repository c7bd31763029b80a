import ChatDBKit
import Foundation
import Testing

/// `preset sync` and the switches of relays that come back.
@Suite("preset sync: switches")
struct PresetSyncSwitchTests {
    private static let preset = "https://smp5.simplex.im/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"

    /// The file of an operator's list without the first relay, which the channel "news" of alice uses.
    private func shorterList(in demo: ToolRun) throws -> String {
        let file = demo.file("shorter.json")
        let text = try demo.succeed("preset", "show", "simplex", "--format", "json").output
        var document = try #require(
            JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        var operators = try #require(document["operators"] as? [[String: Any]])
        var relays = try #require(operators[0]["relays"] as? [[String: Any]])
        relays.removeAll { $0["address"] as? String == Self.preset }
        operators[0]["relays"] = relays
        document["operators"] = operators
        try JSONSerialization.data(withJSONObject: document).write(to: URL(fileURLWithPath: file))
        return file
    }

    private func sync(_ demo: ToolRun) throws -> JSONValue? {
        let answer = try demo.succeed("preset", "sync", "-u", "alice", "--yes", "--format", "json").answer()
        return answer["changes"]?.arrayValue?.first { $0["address"] == .string(Self.preset) }
    }

    @Test("A relay that the list had dropped comes back with the switch that the user left", arguments: [true, false])
    func keepsSwitch(_ isEnabled: Bool) throws {
        let demo = try DemoStore.make()
        if !isEnabled { try demo.succeed("relay", "disable", "id:1", "-u", "alice") }
        try demo.succeed("preset", "sync", shorterList(in: demo), "-u", "alice", "--yes")
        #expect(try demo.sql("SELECT deleted FROM chat_relays WHERE chat_relay_id = 1") == "1")
        let change = try sync(demo)
        #expect(change?["action"] == "restore")
        #expect(change?["fields"]?["enabled"]?["to"] == .bool(isEnabled))
        #expect(change?["reason"] == (isEnabled ? .null : "comes back disabled, as the user left it"))
        #expect(
            try demo.sql("SELECT deleted, enabled FROM chat_relays WHERE chat_relay_id = 1")
                == "0|\(isEnabled ? 1 : 0)")
        #expect(try sync(demo) == nil)
    }

    @Test("A preset relay that the user deleted comes back disabled, the plan says so, and relay add enables it")
    func deletedByUser() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "sync", shorterList(in: demo), "-u", "alice", "--yes")
        try demo.succeed("relay", "add", Self.preset, "-u", "alice")
        try demo.succeed("relay", "delete", "id:1", "-u", "alice", "--yes")
        let plan = try demo.succeed("preset", "sync", "-u", "alice", "--dry-run").output
        #expect(plan.contains("comes back disabled, because the user deleted it"))
        let change = try sync(demo)
        #expect(change?["action"] == "restore" && change?["fields"]?["enabled"]?["to"] == false)
        #expect(
            try demo.sql("SELECT deleted, enabled, preset FROM chat_relays WHERE chat_relay_id = 1") == "0|0|1")
        let added = try demo.succeed("relay", "add", Self.preset, "-u", "alice", "--format", "json").answer()
        #expect(added["outcome"] == "enabled" && added["relay"]?["enabled"] == true)
        #expect(try sync(demo) == nil)
    }

    @Test("The result of a test stays, with its time, when a list drops a relay and has it again with the same address")
    func keepsTest() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "mark-tested", "id:1", "passed", "-u", "alice")
        let tested = "SELECT tested, tested_at FROM chat_relays WHERE chat_relay_id = 1"
        let before = try demo.sql(tested)
        #expect(before.hasPrefix("1|2"))
        let list = try shorterList(in: demo)
        try demo.succeed("preset", "sync", list, "-u", "alice", "--yes")
        _ = try sync(demo)
        #expect(try demo.sql(tested) == before)
        try demo.succeed("preset", "sync", list, "-u", "alice", "--yes")
        try demo.sql("UPDATE chat_relays SET address = address || '?h=more.example' WHERE chat_relay_id = 1")
        _ = try sync(demo)
        #expect(try demo.sql(tested) == "|")
    }

    @Test("An import in which everything is in conflict changes nothing, and says so, unless it skips conflicts")
    func allInConflict() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "sync", shorterList(in: demo), "-u", "alice", "--yes")
        try demo.succeed("relay", "add", Self.preset, "--name", "own", "-u", "alice")
        let gone = try demo.succeed("relay", "delete", "own", "-u", "alice", "--yes", "--format", "json").answer()
        let command = try #require(gone["kept"]?["command"]?.stringValue)
        _ = try sync(demo)
        let before = try demo.sql("SELECT * FROM chat_relays")
        let undo = "$CHATDB" + command.dropFirst("chatdb".count)
        for flag in ["--yes", "--dry-run"] {
            let run = try demo.shell(undo + " " + flag)
            #expect(run.code == 1 && run.output.contains("1 in conflict"))
            #expect(run.errors.contains("a preset relay cannot be changed\nNothing was changed.\n"), "\(run.errors)")
            #expect(!run.errors.contains("hint:"), "no decision about conflicts helps")
        }
        let json = try demo.shell(undo + " --yes --format json")
        #expect(try json.refusal()["code"] == "presetConflicts" && json.answer()["applied"] == false)
        let skipped = try demo.shell(undo.replacing("--on-conflict rename", with: "--on-conflict skip") + " --yes")
        #expect(skipped.code == 0 && skipped.errors.contains("nothing was changed"), "\(skipped.errors)")
        #expect(skipped.output.contains("1 left out"), "\(skipped.output)")
        #expect(try demo.sql("SELECT * FROM chat_relays") == before)
    }

    @Test("A preset relay that a restoring import removed comes back disabled too")
    func removedByImport() throws {
        let demo = try DemoStore.make()
        let list = try shorterList(in: demo)
        try demo.succeed("preset", "import", list, "--mode", "restore", "-u", "alice", "--yes")
        let change = try sync(demo)
        #expect(change?["action"] == "restore" && change?["fields"]?["enabled"]?["to"] == false)
        #expect(change?["reason"] == "comes back disabled, as the user left it")
    }
}
