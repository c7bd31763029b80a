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
