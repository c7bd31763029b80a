import ChatDBKit
import Foundation
import Testing

/// `relay add` with the address of a relay that the profile deleted or disabled.
@Suite("adding a relay again")
struct RelayAgainTests {
    /// The first relay of the bundled preset, which the channel "news" of alice uses.
    private static let preset = "https://smp5.simplex.im/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"

    private func add(_ demo: ToolRun, _ arguments: String...) throws -> JSONValue {
        try demo(["relay", "add"] + arguments + ["-u", "alice", "--format", "json"]).answer()
    }

    @Test("A deleted relay comes back with its name and domains, unless others are given")
    func keeps() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "edit", "mine", "--domain", "my.example", "-u", "alice")
        try demo.succeed("relay", "delete", "mine", "-u", "alice", "--yes")
        let back = try add(demo, DemoStore.sameRelay)
        #expect(back["outcome"] == "restored" && back["notes"] == [])
        #expect(back["relay"]?["name"] == "mine" && back["relay"]?["domains"] == ["my.example"])
        try demo.succeed("relay", "delete", "mine", "-u", "alice", "--yes")
        let other = try add(demo, DemoStore.relay, "--name", "new", "--domain", "new.example")
        #expect(other["relay"]?["name"] == "new" && other["relay"]?["domains"] == ["new.example"])
        try demo.succeed("relay", "delete", "new", "-u", "alice", "--yes")
        let nameless = try add(demo, DemoStore.relay, "--name", "")
        #expect(nameless["relay"]?["name"] == "" && nameless["relay"]?["domains"] == ["new.example"])
    }

    @Test("A name that another relay has by now is dropped, with a notice; a given one that is taken is refused")
    func takenName() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "delete", "mine", "-u", "alice", "--yes")
        try demo.succeed("relay", "add", DemoStore.otherRelay, "--name", "MINE", "-u", "alice")
        let refused = try demo("relay", "add", DemoStore.relay, "--name", "mine", "-u", "alice", "--format", "json")
        #expect(try refused.refusal()["code"] == "duplicateRelayName")
        let notice = "the relay lost its name \"mine\", because another relay has that name by now"
        let csv = try demo.succeed("relay", "add", DemoStore.relay, "-u", "alice", "--format", "csv")
        #expect(csv.errors == "note: \(notice)\n")
        try demo.succeed("relay", "edit", "MINE", "--name", "theirs", "-u", "alice")
        try demo.succeed("relay", "edit", "id:7", "--name", "mine", "-u", "alice")
        try demo.succeed("relay", "delete", "mine", "-u", "alice", "--yes")
        try demo.succeed("relay", "edit", "theirs", "--name", "Mine", "-u", "alice")
        let text = try demo.succeed("relay", "add", DemoStore.relay, "-u", "alice").output
        #expect(text.contains("note: \(notice)\n"))
        try demo.succeed("relay", "delete", "id:7", "-u", "alice", "--yes")
        try demo.sql("UPDATE chat_relays SET display_name = 'mine' WHERE chat_relay_id = 7")
        let back = try add(demo, DemoStore.relay)
        #expect(back["relay"]?["name"] == "" && back["notes"] == [.string(notice)])
    }

    @Test("A former preset relay comes back as custom, with its name and without its operator's domains")
    func formerPreset() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE chat_relays SET deleted = 1 WHERE chat_relay_id = 1")
        let back = try add(demo, Self.preset)
        #expect(back["outcome"] == "restored" && back["relay"]?["preset"] == false)
        #expect(back["relay"]?["name"] == "SimpleX Chat Relay 1" && back["relay"]?["domains"] == [])
    }

    @Test("The address of a disabled preset relay enables it; with another name or an enabled relay it is refused")
    func disabledPreset() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "disable", "id:1", "-u", "alice")
        let named = try demo("relay", "add", Self.preset, "--name", "x", "-u", "alice", "--format", "json")
        #expect(try named.refusal()["code"] == "duplicateRelayAddress")
        let answer = try add(demo, Self.preset, "--name", "simplex chat relay 1")
        #expect(answer["outcome"] == "enabled" && answer["relay"]?["enabled"] == true)
        #expect(answer["relay"]?["preset"] == true && answer["relay"]?["chatRelayId"] == 1)
        #expect(answer["relay"]?["domains"] == ["simplex.im"])
        let again = try demo("relay", "add", Self.preset, "-u", "alice", "--format", "json")
        #expect(again.code == 1)
        #expect(try again.refusal()["code"] == "duplicateRelayAddress")
        try demo.succeed("relay", "disable", "id:1", "-u", "alice")
        #expect(
            try demo.succeed("relay", "add", Self.preset, "-u", "alice").output
                == "The preset relay SimpleX Chat Relay 1 (id 1) of alice is enabled.\n")
        try demo.succeed("relay", "disable", "mine", "-u", "alice")
        let own = try demo("relay", "add", DemoStore.relay, "-u", "alice", "--format", "json")
        #expect(try own.refusal()["code"] == "duplicateRelayAddress", "a custom relay has its own command")
    }
}
