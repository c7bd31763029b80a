import Foundation
import Testing

/// Relays whose stored address is not valid: another app, or an older one, may have stored it. Rule: docs/domain.md,
/// "Choosing relays".
@Suite("relays whose address is not valid")
struct InvalidRelayTests {
    /// Each of them is no address of a relay: `check` reports it.
    static let addresses = [
        "x", "https://h.example/g#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw", "https://h.example/r#short",
    ]

    /// The demo's store, in which the relay of alice's own, which a channel uses, has such an address.
    private static func demo(_ address: String = "x") throws -> ToolRun {
        let demo = try DemoStore.finished()
        try demo.sql("UPDATE chat_relays SET address = '\(address)', address_key = 'y' WHERE chat_relay_id = 7")
        return demo
    }

    @Test("no channel gets such a relay, by name or by chance, and relay enable refuses it", arguments: addresses)
    func refused(_ address: String) throws {
        let demo = try Self.demo(address)
        let found = try demo("check", "--format", "json").answer()["findings"]?.arrayValue?.map { $0["id"] }
        #expect(found?.contains("invalidRelayAddress") == true, "\(found ?? [])")
        try demo.succeed("group", "create", "other", "--relay", "id:1", "-u", "alice")
        for command in [
            ["relay", "enable", "id:7"], ["group", "create", "more", "--relay", "id:7"],
            ["group", "relay", "add", "other", "id:7"],
        ] {
            let run = try demo(command + ["-u", "alice", "--format", "json"])
            #expect(run.code == 1, "\(command)")
            #expect(try run.refusal()["code"] == "relayAddressNotValid", "\(command)")
            #expect(try run.refusal()["state"] == "Nothing was changed.", "\(command)")
        }
        let many = try demo("group", "create", "more", "--relays", "3", "-u", "alice", "--format", "json")
        #expect(try many.refusal()["code"] == "notEnoughRelays")
        let made = try demo.succeed("group", "create", "more", "-u", "alice", "--format", "json").answer()
        #expect(made["relays"]?.arrayValue?.contains { $0["userChatRelayId"] == 7 } == false)
    }

    @Test("a profile with such a relay alone has no relay for new channels: check, inspect and relay list say so")
    func alone() throws {
        let demo = try Self.demo()
        for id in ["id:1", "id:3"] { try demo.succeed("relay", "disable", id, "-u", "alice") }
        let found = try demo("check", "--format", "json").answer()["findings"]?.arrayValue?.map { $0["id"] }
        #expect(found?.contains("noEnabledRelays") == true, "\(found ?? [])")
        let inspected = try demo.succeed("inspect", "--format", "json").answer()
        let ready = inspected["channelCreation"]?.arrayValue?.first { $0["userId"] == 1 }
        #expect(ready?["possible"] == false && ready?["choosable"] == 0 && ready?["invalidAddress"] == 1)
        let listed = try demo.succeed("relay", "list", "-u", "alice").output
        #expect(listed.contains("enabled, invalid address"), "\(listed)")
        #expect(listed.contains("No chat relays enabled."), "\(listed)")
        let made = try demo("group", "create", "more", "-u", "alice", "--format", "json")
        #expect(try made.refusal()["code"] == "noEnabledRelays")
    }

    @Test("the last relay with a valid address that is disabled is a new problem of the profile")
    func lastDisabled() throws {
        let demo = try Self.demo()
        try demo.succeed("relay", "disable", "id:1", "-u", "alice")
        let last = try demo.succeed("relay", "disable", "id:3", "-u", "alice")
        #expect((last.output + last.errors).contains("No chat relays enabled."), "\(last)")
    }

    @Test("a channel that has such a relay shows it, also after the relay was deleted")
    func ofChannel() throws {
        let demo = try Self.demo()
        for state in ["enabled", "soft-deleted"] {
            if state != "enabled" { try demo.succeed("relay", "delete", "id:7", "--no-backup", "--yes", "-u", "alice") }
            let relays = try demo.succeed("group", "relays", "news", "-u", "alice").output
            #expect(relays.contains("\(state), invalid address"), "\(relays)")
            #expect(try demo.succeed("inspect").output.contains("mine (\(state), invalid address)"), "\(state)")
            let off = try demo.succeed("inspect", "--format", "json").answer()["relaysOff"]?.arrayValue
            #expect(off?.map { $0["userChatRelayId"] } == [7] && off?.map { $0["invalidAddress"] } == [true])
        }
    }

    @Test("no remedy says to wait for an app to connect to a new relay of a channel that it cannot reach")
    func outOfReach() throws {
        let demo = try DemoStore.finished()
        try demo.sql("UPDATE group_relays SET relay_status = 'inactive'")
        try demo.sql("UPDATE group_relays SET relay_status = 'new', relay_link = NULL WHERE chat_relay_id = 7")
        func remedy() throws -> String {
            let findings = try demo("check", "--format", "json").answer()["findings"]?.arrayValue ?? []
            return findings.first { $0["id"] == "channelWithoutActiveRelay" }?["remedy"]?.stringValue ?? ""
        }
        #expect(try remedy().contains("start the app, and wait until one is Active"))
        try demo.sql("UPDATE chat_relays SET address = 'x' WHERE chat_relay_id = 7")
        let text = try remedy()
        #expect(!text.contains("start the app") && text.contains("chatdb group relay add id:1 "), "\(text)")
        try demo.sql("UPDATE group_relays SET relay_status = 'invited' WHERE chat_relay_id = 7")
        #expect(try remedy().contains("start the app, and wait until one is Active"))
    }

    @Test("the way out of relay edit names the relay that has the new address already")
    func otherHasAddress() throws {
        let demo = try Self.demo()
        try demo.succeed("relay", "add", DemoStore.otherRelay, "--name", "other", "-u", "alice")
        let edit = try demo(
            "relay", "edit", "id:7", "--address", DemoStore.otherRelay, "-u", "alice", "--format", "json")
        #expect(try edit.refusal()["code"] == "duplicateRelayAddress")
    }

    @Test(
        "relay edit proposes --no-backup only where relay delete needs it: an encrypted store gets a backup",
        .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
    func encrypted() throws {
        let store = try EncryptedStore(
            "UPDATE chat_relays SET address = 'x', address_key = 'y' WHERE chat_relay_id = 7")
        let edit = ["relay", "edit", "id:7", "--address", DemoStore.otherRelay, "-u", "alice", "--format", "json"]
        let plain = try store.run(edit + ["-d", "x"]).refusal()
        let encrypted = try store.run(edit + ["-d", "y", "--passphrase-file", "pass"]).refusal()
        #expect(plain["code"] == "relayInUse" && encrypted["code"] == "relayInUse")
        #expect(plain["hint"]?.stringValue?.contains("relay delete id:7 --no-backup") == true, "\(plain)")
        let hint = try #require(encrypted["hint"]?.stringValue)
        #expect(hint.hasPrefix("chatdb relay delete id:7 ") && !hint.contains("--no-backup"), "\(hint)")
        let deleted = try store("relay", "delete", "id:7", "-u", "alice", "--yes")
        #expect(deleted.code == 0, "\(deleted.errors)")
    }
}
