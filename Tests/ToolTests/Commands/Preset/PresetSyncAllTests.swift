import ChatDBKit
import Foundation
import Testing

@Suite("preset sync --all-profiles, and user add --like")
struct PresetSyncAllTests {
    /// The demo with an operator's relay of each profile under an old name, and an operator too.
    private func demo() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            UPDATE chat_relays SET display_name = 'old' WHERE chat_relay_id IN (1, 4);
            UPDATE server_operators SET trade_name = 'Old' WHERE server_operator_id = 2;
            """)
        return demo
    }

    private let all = ["preset", "sync", "--all-profiles"]
    private let old = "SELECT count(*) FROM chat_relays WHERE display_name = 'old'"

    @Test("every profile is updated in one change, with a copy of each, after one question")
    func sync() throws {
        let demo = try demo()
        let refused = try demo(all)
        #expect(refused.code == 64 && refused.errors.contains("Make these changes to 2 profiles?"))
        let dry = try demo(all + ["--dry-run", "--format", "json"]).answer()
        #expect(dry["profiles"]?.arrayValue?.map { $0["user"]?["name"] } == ["work", "alice"])
        #expect(try dry["applied"] == false && demo.sql(old) == "2")
        #expect(try demo(all + ["--dry-run", "--exit-code"]).code == 1)
        let done = try demo(all + ["--yes", "--format", "json"]).answer()
        let profiles = done["profiles"]?.arrayValue ?? []
        #expect(try done["applied"] == true && demo.sql(old) == "0")
        #expect(profiles.map { $0["changes"] } == dry["profiles"]?.arrayValue?.map { $0["changes"] })
        #expect(try demo.sql("SELECT count(*) FROM server_operators WHERE trade_name = 'Old'") == "0")
        for profile in profiles.reversed() {
            let command = try #require(profile["before"]?["command"]?.stringValue)
            #expect(try demo.shell(command.replacing("chatdb ", with: "$CHATDB ") + " --yes").code == 0)
        }
        #expect(try demo.sql(old) == "2")
        let again = try demo(all + ["--yes"])
        #expect(again.code == 0)
        #expect(try demo(all + ["--exit-code", "--dry-run"]).code == 0)
        #expect(try demo(all + ["--yes"]).output.contains("nothing: the profile matches the preset"))
    }

    @Test("an operator's domain that changes is changed once, and the profiles follow as the plan shows")
    func domains() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "export", "-o", demo.file("p.json"), "-u", "alice")
        let file = URL(fileURLWithPath: demo.file("p.json"))
        let text = try String(contentsOf: file, encoding: .utf8)
        try Data(text.replacing("simplex.im", with: "renamed.example").utf8).write(to: file)
        let run = all + [file.path, "--format", "json"]
        let dry = try demo(run + ["--dry-run"]).answer()
        let done = try demo(run + ["--yes"]).answer()
        #expect(
            done["profiles"]?.arrayValue?.map { $0["changes"] } == dry["profiles"]?.arrayValue?.map { $0["changes"] })
        #expect(
            try demo.sql("SELECT count(*) FROM server_operators WHERE server_domains LIKE '%renamed.example%'") == "1")
        #expect(
            try demo.sql("SELECT count(*) FROM protocol_servers WHERE host LIKE '%simplex.im%' AND preset = 1") == "0")
        #expect(try demo(run + ["--dry-run", "--exit-code"]).code == 0)
    }

    @Test("hidden profiles are left out unless they are to be shown, and the option excludes --user")
    func hidden() throws {
        let demo = try demo()
        #expect(try demo.shell("printf secret | $CHATDB user hide alice --password-stdin").code == 0)
        #expect(try demo(all + ["--dry-run", "--format", "json"]).answer()["profiles"]?.arrayValue?.count == 1)
        let shown = try demo(all + ["--dry-run", "--show-hidden", "--format", "json"]).answer()
        #expect(shown["profiles"]?.arrayValue?.count == 2)
        #expect(try demo(all + ["-u", "work"]).code == 64)
        let csv = try demo(all + ["--dry-run", "--format", "csv"]).output
        #expect(csv.hasPrefix("userId,profile,action,kind,"))
        let none = try DemoStore.empty()
        #expect(try none(all).output == "no profiles\n")
    }

    @Test("a profile like another has its relays, servers and settings, and the answer says so")
    func like() throws {
        let demo = try DemoStore.make()
        try demo.succeed("settings", "set", "sendRcptsContacts", "on", "-u", "alice")
        try demo.succeed("server", "disable", "id:2", "-u", "alice")
        let run = try demo.succeed("user", "add", "carol", "--like", "alice")
        #expect(
            run.output.hasPrefix(
                "The profile carol was created and is active. It has relays, servers and settings of alice."))
        #expect(run.output.contains("sendRcptsContacts:           on"))
        let same = try demo.succeed("preset", "diff", "-u", "alice", "--with-user", "carol", "--format", "json")
            .answer()
        #expect(same["changes"] == [])
        #expect(try demo.succeed("group", "list", "-u", "carol").output.hasPrefix("no groups"))
        let json = try demo.succeed("user", "add", "dave", "--like", "id:1", "--format", "json").answer()
        #expect(json["like"] == ["userId": 1, "name": "alice"] && json["relays"]?["total"] == 4)
        let unknown = try demo("user", "add", "eve", "--like", "nobody", "--format", "json")
        #expect(try unknown.code == 1 && unknown.refusal()["code"] == "profileNotFound")
        for more in [["--no-preset"], ["--preset", "x"], ["--seed", "1"]] {
            #expect(try demo(["user", "add", "eve", "--like", "alice"] + more).code == 64)
        }
        #expect(try demo.sql("SELECT count(*) FROM users") == "4")
    }
}
