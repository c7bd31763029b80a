import Foundation
import Testing

@Suite("relay")
struct RelayTests {
    @Test("The same relay in the other scheme is refused; the error shows both, and nothing changes")
    func duplicateAddress() throws {
        let demo = try DemoStore.make()
        let before = try demo.succeed("relay", "list", "-u", "alice").output
        let run = try demo(
            "relay", "add", DemoStore.sameRelay, "--name", "again", "-u", "alice", "--format", "json")
        #expect(run.code == 1)
        let error = try run.refusal()
        #expect(error["code"] == "duplicateRelayAddress")
        let message = try #require(error["message"]?.stringValue)
        #expect(message.contains(DemoStore.sameRelay) && message.contains("\"mine\" (id:7)"))
        #expect(error["state"] == "Nothing was changed.")
        let existing = error["details"]?["existing"]
        #expect(existing?["chatRelayId"] == 7)
        #expect(try demo.succeed("relay", "list", "-u", "alice").output == before)
    }

    @Test("A name that equals another relay's, ignoring case and blanks, is refused")
    func duplicateName() throws {
        let demo = try DemoStore.make()
        let run = try demo(
            "relay", "add", DemoStore.otherRelay, "--name", " MINE ", "-u", "alice", "--format", "json")
        #expect(run.code == 1)
        #expect(try run.refusal()["code"] == "duplicateRelayName")
    }

    @Test(
        "An address that is not a relay's is refused with 65, and the error says what it is",
        arguments: [
            ("hello", "invalidRelayAddress"),
            ("https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw", "channel"),
            ("https://h.example/g#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw", "group"),
            ("smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@h.example", "invalidRelayAddress"),
        ])
    func invalidAddress(_ address: String, _ word: String) throws {
        let demo = try DemoStore.make()
        let run = try demo("relay", "add", address, "--format", "json")
        #expect(run.code == 65)
        #expect(try run.refusal()["code"] == "invalidRelayAddress")
        #expect(run.errors.contains(word))
    }

    @Test("Invalid names and domains: exit 65")
    func invalidNames() throws {
        let demo = try DemoStore.make()
        for arguments in [["--name", "a\u{7}b"], ["--domain", "not a domain"], ["--domain", "a,b"]] {
            let run = try demo(["relay", "add", DemoStore.otherRelay] + arguments)
            #expect(run.code == 65, "\(arguments)")
            #expect(!run.errors.contains("\u{7}"))
        }
        #expect(!(try demo.succeed("relay", "list").output.contains("other.example.net")))
    }

    @Test("relay list shows soft-deleted relays only with --deleted, and adding one again restores it with its id")
    func restored() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE chat_relays SET deleted = 1, enabled = 0, tested = 1 WHERE chat_relay_id = 7")
        #expect(!(try demo.succeed("relay", "list", "-u", "alice").output.contains("relay.example.org")))
        let all = try demo.succeed("relay", "list", "-u", "alice", "--deleted").output
        #expect(all.contains("relay.example.org") && all.contains("soft-deleted"))
        let run = try demo.succeed(
            "relay", "add", DemoStore.sameRelay, "--name", "back", "-u", "alice", "--format", "json")
        let answer = try run.answer()
        #expect(answer["outcome"] == "restored")
        let relay = try #require(answer["relay"])
        #expect(relay["chatRelayId"] == 7)
        #expect(relay["name"] == "back")
        #expect(relay["enabled"] == true)
        #expect(relay["tested"] == .null)
        #expect(relay["channels"] == ["using": 1, "active": 0])
    }

    @Test("relay list marks relays of a disabled operator, and counts the channels that use a relay")
    func states() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE server_operators SET enabled = 0 WHERE server_operator_tag = 'simplex'")
        try demo.sql("UPDATE chat_relays SET tested = 0 WHERE chat_relay_id = 7")
        try demo.sql("UPDATE group_relays SET relay_status = 'active' WHERE chat_relay_id = 7")
        let run = try demo.succeed("relay", "list", "-u", "alice")
        try Snapshot.check(run.output, "relay-list-operator-off.txt")
        let works = try demo.succeed("relay", "list", "-u", "work").output
        #expect(works.contains("warning: No chat relays enabled. Channels require at least one relay."))
    }

    @Test("Names with control characters are escaped in every format")
    func hostile() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            "UPDATE chat_relays SET display_name = '=cmd|' || char(27) || '[2J' || char(8238) || char(10) || 'x'"
                + " WHERE chat_relay_id = 7; UPDATE group_profiles SET display_name = '<b>' || char(155) || '|x';"
                + " UPDATE groups SET local_display_name = '<b>' || char(155) || '|x'")
        for format in ["table", "json", "csv", "markdown"] {
            for command in [["relay", "list"], ["group", "list"], ["inspect"]] {
                let user = command == ["inspect"] ? [] : ["-u", "alice"]
                let output = try demo(command + user + ["--format", format]).output
                let unsafe = output.unicodeScalars.filter { ["\u{1b}", "\u{202e}", "\u{9b}"].contains($0) }
                #expect(unsafe.isEmpty, "\(command) \(format)")
            }
        }
        let rows = try demo("relay", "list", "-u", "alice", "--format", "csv").output
        #expect(rows.contains(",\"'=cmd|\\u{1b}[2J\\u{202e}\nx\","))
        #expect(try demo("group", "list", "-u", "alice", "--format", "markdown").output.contains("&lt;b&gt;"))
    }
}
