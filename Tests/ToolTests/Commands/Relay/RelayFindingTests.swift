import ChatDBKit
import Foundation
import Testing

@Suite("finding relays")
struct RelayFindingTests {
    @Test("A name in any case, an id, an address in either scheme and a unique host find a relay")
    func ways() throws {
        let demo = try DemoStore.make()
        let ways = [
            "mine", " MINE ", "name:mine", "7", "id:7", DemoStore.relay, DemoStore.sameRelay, "Relay.example.org",
        ]
        for way in ways {
            let answer = try demo.succeed("relay", "show", way, "-u", "alice", "--format", "json").answer()
            #expect(answer["relay"]?["chatRelayId"] == 7, "\(way)")
        }
    }

    @Test("The word RELAY of a printed command is no beginning of a host, and finds only a relay of that name")
    func placeholder() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "show", "relay", "-u", "alice")
        let run = try demo("group", "create", "x", "--relay", "RELAY", "-u", "alice")
        #expect(run.code == 1 && run.errors.contains("the profile \"alice\" has no relay \"RELAY\""), "\(run.errors)")
        #expect(run.errors.contains("put the name or id of a relay in the place of RELAY"), "\(run.errors)")
        let words = [
            (["server", "show", "SERVER"], "a server"), (["group", "show", "GROUP"], "a group"),
            (["operator", "enable", "OPERATOR"], "an operator"), (["user", "show", "USER"], "a profile"),
        ]
        for (command, thing) in words {
            let answer = try demo(command + (command[0] == "server" || command[0] == "group" ? ["-u", "alice"] : []))
            let hint = "put the name or id of \(thing) in the place of \(command[2])"
            #expect(answer.code == 1 && answer.errors.contains(hint), "\(answer.errors)")
        }
        try demo.succeed("relay", "edit", "mine", "--name", "relay", "-u", "alice")
        try demo.succeed("relay", "show", "RELAY", "-u", "alice")
    }

    @Test("A name precedes an id, unless the text begins with `id:`")
    func nameBeforeID() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "edit", "mine", "--name", "1", "-u", "alice")
        func id(_ given: String) throws -> JSONValue? {
            try demo.succeed("relay", "show", given, "-u", "alice", "--format", "json").answer()["relay"]?[
                "chatRelayId"]
        }
        #expect(try id("1") == 7)
        #expect(try id("name:1") == 7)
        #expect(try id("id:1") == 1)
    }

    @Test(
        "The error about an unknown relay names the profile, and suggests similar names",
        arguments: [
            ("mien", "mine"), ("relay.exmple.org", "relay.example.org"), ("99", nil), ("id:99", nil),
            ("id:mine", "mine"),
            ("name:7", nil), ("", nil), ("-1", nil), (DemoStore.otherRelay, nil),
            ("99999999999999999999", nil),
        ])
    func notFound(_ name: String, _ suggested: String?) throws {
        let demo = try DemoStore.make()
        for verb in [["show"], ["enable"], ["disable"], ["delete"], ["edit", "--name", "x"]] {
            let run = try demo(["relay"] + verb + ["-u", "alice", "--format", "json", "--", name])
            #expect(run.code == 1 && run.output.isEmpty, "\(verb)")
            let error = try run.refusal()
            #expect(error["code"] == "relayNotFound", "\(verb)")
            #expect(error["message"]?.stringValue?.contains("the profile \"alice\" has no relay") == true)
            let hint = try #require(error["hint"]?.stringValue)
            #expect(
                hint == suggested.map { "did you mean \"\($0)\"?" }
                    ?? "chatdb relay list -u alice lists them")
        }
    }

    @Test("The error about a relay of another profile names that profile, unless it is hidden")
    func otherProfile() throws {
        let demo = try DemoStore.make()
        let run = try demo("relay", "show", "Mine", "-u", "work")
        #expect(run.code == 1 && run.errors.contains("has no relay \"Mine\"; the profile \"alice\" has one\n"))
        let hint = "hint: -u alice names that profile; chatdb relay list -u alice lists them\n"
        #expect(run.errors.contains(hint), "\(run.errors)")
        let id = try demo("relay", "show", "id:7", "-u", "work").errors
        #expect(id.contains("has no relay \"id:7\"; the profile \"alice\" has one\n"), "\(id)")
        // The beginning of a name says the same, in a command that takes beginnings.
        for line in [["relay", "show", "min"], ["group", "create", "talk", "--relay", "min"]] {
            let begun = try demo(line + ["-u", "work"])
            #expect(begun.code == 1, "\(line)")
            #expect(begun.errors.contains("has no relay \"min\"; the profile \"alice\" has one\n"), "\(begun.errors)")
            #expect(begun.errors.contains(hint), "\(begun.errors)")
        }
        let deletion = try demo("relay", "delete", "min", "-u", "work", "--dry-run")
        #expect(deletion.code == 1 && !deletion.errors.contains("alice"), "\(deletion.errors)")
        let hidden = try demo.shell("printf secret | $CHATDB user hide alice --password-stdin")
        #expect(hidden.code == 0, "\(hidden.errors)")
        let silent = try demo("relay", "show", "Mine", "-u", "work")
        #expect(silent.code == 1 && !silent.errors.contains("alice"), "\(silent.errors)")
    }

    @Test("The error about a relay of several other profiles names all of them, and the options that name them")
    func otherProfiles() throws {
        let demo = try DemoStore.make()
        try demo.succeed("user", "add", "my bot")
        try demo.succeed("relay", "add", DemoStore.relay, "--name", "mine", "-u", "my bot")
        let run = try demo("relay", "show", "mine", "-u", "work")
        #expect(run.errors.contains("has no relay \"mine\"; the profiles \"my bot\" and \"alice\" have one\n"))
        #expect(run.errors.contains("hint: -u 'my bot' or -u alice names the profile\n"), "\(run.errors)")
    }

    @Test("A host of two relays is refused, with the candidates, and nothing changes")
    func ambiguous() throws {
        let demo = try DemoStore.make()
        try demo.succeed(
            "relay", "add", "https://relay.example.org/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ", "-u", "alice")
        let before = try demo.succeed("relay", "list", "-u", "alice").output
        for verb in ["show", "enable", "disable", "delete"] {
            let run = try demo(["relay", verb, "relay.example.org", "-u", "alice", "--format", "json"])
            #expect(run.code == 1)
            #expect(try run.refusal()["code"] == "ambiguousName", "\(verb)")
            #expect(
                try run.refusal()["details"]?["candidates"] == [
                    "id:7 (mine)", "id:8 (https://relay.example.org/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ)",
                ], "\(verb)")
        }
        #expect(try demo.succeed("relay", "list", "-u", "alice").output == before)
    }

    @Test("No command finds a relay of another profile, which stays as it was")
    func nameInOtherProfile() throws {
        let demo = try DemoStore.make()
        let before = try demo.succeed("relay", "list", "-u", "alice", "--format", "json").output
        for verb in [
            ["show"], ["enable"], ["disable"], ["delete", "--yes"], ["edit", "--name", "x"], ["mark-tested"],
        ] {
            let result = verb == ["mark-tested"] ? ["passed"] : []
            let run = try demo(["relay"] + verb + ["id:7"] + result + ["-u", "work", "--format", "json"])
            #expect(run.code == 1, "\(verb)")
            #expect(try run.refusal()["code"] == "relayNotFound", "\(verb)")
            #expect(!run.errors.contains("mine"), "\(verb)")
        }
        #expect(try demo.succeed("relay", "list", "-u", "alice", "--format", "json").output == before)
    }
}
