import ChatDBKit
import Foundation
import Testing

@Suite("settings get and set")
struct SettingsCommandTests {
    private func demo() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        return demo
    }

    @Test("get lists all settings, or shows one, in every format")
    func get() throws {
        let demo = try demo()
        try Snapshot.check(demo.succeed("settings", "get").output, "settings-get.txt")
        try Snapshot.check(demo.succeed("settings", "get", "--format", "json").output, "settings-get.json")
        #expect(try demo.succeed("settings", "get", "showNtfs").output == "on\n")
        let one = try demo.succeed("settings", "get", "chatItemTtl", "--format", "json").answer()
        #expect(one["settings"] == ["chatItemTtl": nil])
        let csv = try demo.succeed("settings", "get", "--format", "csv").output
        #expect(csv.hasPrefix("name,value\nshowNtfs,yes\n") && csv.hasSuffix("chatItemTtl,\nappSettings,\n"))
        let unknown = try demo("settings", "get", "nothing")
        #expect(unknown.code == 64 && unknown.errors.contains("one of the following: showNtfs, sendRcptsContacts, "))
    }

    @Test("a switch is set for one profile, and the second time nothing changes")
    func switches() throws {
        let demo = try demo()
        for (name, column) in [
            ("showNtfs", "show_ntfs"), ("sendRcptsContacts", "send_rcpts_contacts"),
            ("sendRcptsSmallGroups", "send_rcpts_small_groups"),
            ("autoAcceptGroupInvitations", "auto_accept_group_invitations"),
        ] {
            let before = try demo.sql("SELECT \(column) FROM users ORDER BY user_id").split(separator: "\n")
            let word = before[0] == "1" ? "off" : "on"
            let answer = try demo.succeed("settings", "set", name, word, "--format", "json").answer()
            #expect(answer["fields"]?[name] == ["from": .bool(word == "off"), "to": .bool(word == "on")])
            let after = try demo.sql("SELECT \(column) FROM users ORDER BY user_id").split(separator: "\n")
            #expect(after[0] != before[0] && after[1] == before[1], "\(name)")
            let again = try demo.succeed("settings", "set", name, word, "--format", "json").answer()
            #expect(again["changed"] == false && again["fields"] == [:])
            #expect(try demo("settings", "set", name, "perhaps").code == 64)
        }
        try demo.succeed("user", "activate", "work")
        let hidden = try demo.shell("printf secret | $CHATDB user hide alice --password-stdin")
        #expect(hidden.code == 0)
        let muted = try demo(
            "settings", "set", "showNtfs", "on", "-u", "alice", "--show-hidden", "--dry-run", "--format", "json")
        #expect(try muted.code == 1 && muted.refusal()["code"] == "hiddenProfileIsMuted")
    }

    @Test("a time after which more messages are deleted needs consent, a longer one and none do not")
    func timeToLive() throws {
        let demo = try demo()
        func stored() throws -> String { try demo.sql("SELECT chat_item_ttl FROM settings WHERE user_id = 1") }
        let refused = try demo("settings", "set", "chatItemTtl", "30d", "--format", "json")
        #expect(refused.code == 64)
        #expect(try refused.refusal()["code"] == "confirmationNeeded" && stored() == "")
        let dry = try demo.succeed("settings", "set", "chatItemTtl", "30d", "--dry-run", "--format", "json").answer()
        #expect(try dry["applied"] == false && stored() == "")
        let shortest = try demo("settings", "set", "chatItemTtl", "1").errors
        #expect(shortest.contains("that are older than 1 second. Set this time?"), "\(shortest)")
        let set = try demo.succeed("settings", "set", "chatItemTtl", "30d", "--yes", "--format", "json").answer()
        #expect(set["fields"]?["chatItemTtl"] == ["from": nil, "to": 2_592_000])
        #expect(try demo("settings", "set", "chatItemTtl", "2w").code == 64)
        try demo.succeed("settings", "set", "chatItemTtl", "3000000")
        #expect(try stored() == "3000000")
        try demo.succeed("settings", "set", "chatItemTtl", "none")
        #expect(try stored() == "")
        for wrong in ["x", "d", "", "9223372036854775807w"] {
            #expect(try demo("settings", "set", "chatItemTtl", wrong).code == 64, "\(wrong)")
        }
        #expect(try demo("settings", "set", "chatItemTtl", "0").code == 65)
        #expect(try demo("settings", "set", "chatItemTtl").code == 64)
    }

    @Test(
        "settings of the app come from a file or a pipe, need consent to be replaced, and only their number is listed")
    func app() throws {
        let demo = try demo()
        try Data(#"{"theme": "DARK", "lang": "de"}"#.utf8).write(to: URL(fileURLWithPath: demo.file("a.json")))
        let set = ["settings", "set", "appSettings"]
        try demo.succeed("settings", "set", "appSettings", demo.file("a.json"))
        #expect(try demo(set + [demo.file("a.json")]).output.contains("already; nothing was changed"))
        let listed = try demo.succeed("settings", "get", "--format", "json")
        #expect(try listed.answer()["settings"]?["appSettingsCount"] == 2 && !listed.output.contains("DARK"))
        let shown = try demo.succeed("settings", "get", "appSettings", "--format", "json").answer()
        #expect(shown["settings"] == ["appSettings": ["theme": "DARK", "lang": "de"]])
        let piped = try demo.shell("printf '{}' | $CHATDB settings set appSettings -")
        #expect(piped.code == 64 && piped.errors.contains("Replace the settings of the app"))
        #expect(try demo.shell("printf '{}' | $CHATDB settings set appSettings - --yes").code == 0)
        #expect(try demo.succeed("settings", "get", "appSettings").output == "{}\n")
        #expect(try demo(set + ["none"]).code == 64)
        try demo.succeed("settings", "set", "appSettings", "none", "--yes")
        #expect(try demo.sql("SELECT count(*) FROM app_settings") == "0")
        let invalid = try demo.shell("printf '[1]' | $CHATDB settings set appSettings - --format json")
        #expect(try invalid.code == 65 && invalid.refusal()["code"] == "invalidAppSettings")
        let missing = try demo(set + [demo.file("b.json"), "--format", "json"])
        #expect(try missing.code == 66 && missing.refusal()["code"] == "fileNotFound")
    }
}
