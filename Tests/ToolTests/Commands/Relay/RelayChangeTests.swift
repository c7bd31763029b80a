import ChatDBKit
import Foundation
import Testing

@Suite("relay show, usage, edit, enable, disable, mark-tested")
struct RelayChangeTests {
    @Test("relay show lists the channels that use a relay and its status in each, newest chat first")
    func show() throws {
        let demo = try DemoStore.make()
        try demo.succeed("group", "create", "talk", "--relay", "mine", "-u", "alice")
        try demo.sql(
            """
            UPDATE groups SET chat_ts = '2020-01-01 00:00:00.000' WHERE group_id = 2;
            UPDATE group_relays SET relay_status = 'active', relay_link = 'https://link.example.org/r#x'
            WHERE group_id = 1 AND chat_relay_id = 7;
            """)
        let answer = try demo.succeed("relay", "show", "mine", "-u", "alice", "--format", "json").answer()
        #expect(answer["relay"]?["channels"] == ["using": 2, "active": 1])
        #expect(answer["usedBy"]?.arrayValue?.map { $0["name"] } == ["news", "talk"])
        #expect(answer["usedBy"]?.arrayValue?.map { $0["relayStatus"] } == ["active", "new"])
        #expect(answer["usedBy"]?[0]?["host"] == "link.example.org")
        #expect(answer["usedBy"]?[1]?["host"] == .null && answer["usedBy"]?[1]?["relayLink"] == .null)
        try Snapshot.check(demo.onTerminal("relay", "show", "mine", "-u", "alice").output, "relay-show-terminal.txt")
        try Snapshot.check(
            demo.succeed("relay", "show", "mine", "-u", "alice", "--format", "csv").output, "relay-show.csv")
    }

    @Test("relay usage has a line for each relay, soft-deleted ones too")
    func usage() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "delete", "mine", "-u", "alice", "--yes")
        let run = try demo.onTerminal("relay", "usage", "-u", "alice")
        try Snapshot.check(run.output, "relay-usage-terminal.txt")
        let relays = try demo.succeed("relay", "usage", "-u", "alice", "--format", "json").answer()["relays"]
        #expect(relays?.arrayValue?.map { $0["chatRelayId"] } == [1, 2, 3, 7])
        #expect(relays?[3]?["deleted"] == true && relays?[3]?["channels"] == ["using": 1, "active": 0])
    }

    @Test("relay edit changes the given fields and reports the differences; the second time it reports no difference")
    func edit() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "mark-tested", "mine", "passed", "-u", "alice")
        let edit = [
            "relay", "edit", "id:7", "--name", "ours", "--domain", "Example.org", "--domain", "b.example", "--address",
            DemoStore.sameRelay, "-u", "alice",
        ]
        let answer = try demo(edit + ["--format", "json"]).answer()
        #expect(answer["changed"] == true)
        #expect(
            answer["fields"]?.members?.map(\.name) == ["address", "name", "domains", "tested", "testedAt"],
            "another text of the same relay makes it untested")
        #expect(answer["fields"]?["name"] == ["from": "mine", "to": "ours"])
        #expect(answer["relay"]?["domains"] == ["example.org", "b.example"])
        #expect(answer["relay"]?["tested"] == .null)
        let again = try demo(edit)
        #expect(again.output == "The relay ours (id 7) of alice has these values already; nothing was changed.\n")
        let text = try demo.succeed("relay", "edit", "ours", "--no-domains", "--name", "mine", "-u", "alice").output
        try Snapshot.check(text, "relay-edit.txt")
    }

    @Test("relay edit refuses another address while a channel uses the relay, and for preset relays always")
    func editRefused() throws {
        let demo = try DemoStore.make()
        let moved = try demo(
            "relay", "edit", "mine", "--address", DemoStore.otherRelay, "-u", "alice", "--format", "json")
        #expect(moved.code == 1)
        #expect(try moved.refusal()["code"] == "relayInUse")
        let hint = try moved.refusal()["hint"]?.stringValue
        #expect(hint?.hasPrefix("chatdb relay delete id:7 -u alice deletes it, and its channels keep it") == true)
        #expect(hint?.hasSuffix("chatdb relay show id:7 -u alice lists the channels of the old one") == true)
        let preset = try demo("relay", "edit", "1", "--name", "x", "-u", "alice", "--format", "json")
        #expect(try preset.refusal()["code"] == "presetRelayCannotBeEdited")
        #expect(try preset.refusal()["hint"] == "chatdb relay disable id:1 -u alice")
        for (arguments, code) in [
            ([], 64), (["--no-domains", "--domain", "a.example"], 64), (["--address", "x"], 65),
            (["--domain", "a b"], 65),
            (["--name", "SimpleX Chat Relay 1"], 1),
        ] as [([String], Int32)] {
            #expect(try demo(["relay", "edit", "mine", "-u", "alice"] + arguments).code == code, "\(arguments)")
        }
        #expect(
            try demo.sql("SELECT display_name, address FROM chat_relays WHERE chat_relay_id = 7").hasPrefix("mine|"))
    }

    @Test("Disabling the last enabled relay gives a warning, in the answer too; enabling it does not")
    func lastRelay() throws {
        let demo = try DemoStore.make()
        let sentence = "No chat relays enabled. Channels require at least one relay."
        for relay in ["1", "3"] {
            let run = try demo.succeed("relay", "disable", relay, "-u", "alice")
            #expect(run.errors.isEmpty)
        }
        let last = try demo.succeed("relay", "disable", "mine", "-u", "alice")
        #expect(
            last.output == "The relay mine (id 7) of alice is disabled; the channel that uses it keeps it.\n")
        #expect(last.errors == "warning: \(sentence)\n")
        let again = try demo.succeed("relay", "disable", "mine", "-u", "alice")
        #expect(again.output == "The relay mine (id 7) of alice is disabled already; nothing was changed.\n")
        #expect(again.errors.isEmpty, "older problems are not repeated")
        let enabled = try demo.succeed("relay", "enable", "mine", "-u", "alice", "--format", "json").answer()
        #expect(enabled["changed"] == true && enabled["warnings"] == [])
        #expect(enabled["fields"] == ["enabled": ["from": false, "to": true]])
        let json = try demo.succeed("relay", "disable", "mine", "-u", "alice", "--format", "json")
        #expect(try json.answer()["warnings"] == [.string(sentence)])
        #expect(json.errors == "warning: \(sentence)\n")
    }

    @Test("Enabling a relay of a disabled operator reports that no new channel uses it")
    func operatorOff() throws {
        let demo = try DemoStore.make()
        try demo.succeed("operator", "disable", "simplex")
        for _ in 1...2 {
            let run = try demo.succeed("relay", "enable", "2", "-u", "alice")
            #expect(run.output.contains("note: its operator is disabled, so no new channel uses the relay"))
        }
    }

    @Test("mark-tested stores a result with the time, and unknown removes both")
    func markTested() throws {
        let demo = try DemoStore.make()
        func mark(_ result: String) throws -> JSONValue {
            try demo.succeed("relay", "mark-tested", "mine", result, "-u", "alice", "--format", "json").answer()
        }
        let passed = try mark("passed")
        #expect(passed["relay"]?["tested"] == true)
        #expect(passed["relay"]?["testedAt"]?.stringValue?.hasSuffix("Z") == true)
        #expect(try mark("failed")["fields"]?["tested"] == ["from": true, "to": false])
        let unknown = try mark("unknown")
        #expect(unknown["relay"]?["tested"] == .null && unknown["relay"]?["testedAt"] == .null)
        #expect(try mark("unknown")["changed"] == false)
        #expect(try demo("relay", "mark-tested", "mine", "maybe", "-u", "alice").code == 64)
        #expect(try demo("relay", "mark-tested", "mine", "-u", "alice").code == 64)
    }
}
