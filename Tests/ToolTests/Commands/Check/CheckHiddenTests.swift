import ChatDBKit
import Testing

/// Rule: docs/checks.md: findings count hidden profiles and do not name them.
@Suite("checks of hidden profiles") struct CheckHiddenTests: CheckTesting {
    private func demo(_ sql: String) throws -> ToolRun {
        let demo = try DemoStore.finished()
        try demo.sql("UPDATE users SET view_pwd_hash = x'01', view_pwd_salt = x'02', show_ntfs = 0 WHERE user_id = 1")
        try demo.sql(sql)
        return demo
    }

    @Test("a hidden profile without servers, and its channel without an active relay, are findings without its number")
    func counted() throws {
        let demo = try demo(
            """
            UPDATE protocol_servers SET enabled = 0 WHERE user_id = 1;
            UPDATE group_relays SET relay_status = 'inactive'
            """)
        let findings = try checked(demo)["findings"]?.arrayValue ?? []
        for id in ["noEnabledSMPServers", "noEnabledXFTPServers"] {
            let found = findings.first { $0["id"]?.stringValue == id }
            #expect(found?["count"] == 1 && found?["sample"] == ["a hidden profile"] && found?["rows"] == [], "\(id)")
        }
        let silent = findings.first { $0["id"] == "channelWithoutActiveRelay" }
        #expect(silent?["sample"] == ["group 1"] && silent?["rows"]?[0]?["userId"] == .null, "\(findings)")
        let page = try demo("check").output
        #expect(!page.contains("in order") && !page.contains("alice") && !page.contains("profile 1"), "\(page)")
        for (message, id) in [
            ("the channel has no active relays", "channelWithoutActiveRelay"),
            (#"{"type":"storageMissing"}"#, "noEnabledSMPServers"),
        ] {
            let run = try demo("diagnose", message)
            #expect(run.code == 0 && run.output.contains(id) && !run.output.contains("alice"), "\(run.output)")
        }
        let bundle = try demo("bundle", "--preview").answer()
        let bundled = bundle["findings"]?.arrayValue?.first { $0["id"] == "channelWithoutActiveRelay" }
        #expect(bundled?["count"] == 1 && bundled?["rows"] == [], "\(String(describing: bundled))")
    }

    @Test("a remedy for a row of a hidden profile says how commands name the profile, and the command works")
    func named() throws {
        let demo = try demo("DELETE FROM group_relays WHERE group_id = 1")
        func remedy() throws -> String {
            let findings = try checked(demo)["findings"]?.arrayValue ?? []
            return findings.first { $0["id"] == "channelWithoutRelay" }?["remedy"]?.stringValue ?? ""
        }
        let text = try remedy()
        #expect(text.contains("group relay add id:1 id:7 --user USER"), "\(text)")
        #expect(text.contains("If a finding is about a hidden profile, chatdb user list --show-hidden"), "\(text)")
        #expect(text.contains("shows its number N; \(Self.advice)"), "\(text)")
        try demo.succeed("group", "relay", "add", "id:1", "id:7", "--user", "id:1", "--show-hidden")
        // Other findings and stores without a hidden profile have no such advice.
        try demo.sql("DELETE FROM group_relays; UPDATE users SET view_pwd_hash = NULL, view_pwd_salt = NULL")
        #expect(try remedy().contains("--user id:1") && !remedy().contains("--show-hidden"))
    }

    @Test("a remedy for a visible and a hidden profile has the number of neither, and says how to name the hidden one")
    func visibleAndHidden() throws {
        let demo = try demo("UPDATE protocol_servers SET enabled = 0")
        let found = try checked(demo)["findings"]?.arrayValue?.first { $0["id"] == "noEnabledSMPServers" }
        let rows = found?["rows"]?.arrayValue
        #expect(found?["count"] == 2 && rows?.count == 1 && rows?.first?["userId"] == 2, "\(String(describing: found))")
        let text = found?["remedy"]?.stringValue ?? ""
        #expect(text.contains("server enable SERVER --user USER") && !text.contains("--user id:2"), "\(text)")
        #expect(text.contains(Self.advice), "\(text)")
    }

    @Test("a remedy that names the hidden profile itself says how, and the command works")
    func renamed() throws {
        let demo = try demo(
            """
            INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (1, 'other', 'other');
            UPDATE contacts SET local_display_name = 'other' WHERE is_user = 1 AND user_id = 1
            """)
        let found = try checked(demo)["findings"]?.arrayValue?.first { $0["id"] == "ownNameDiffers" }
        let text = found?["remedy"]?.stringValue ?? ""
        #expect(text.hasPrefix("chatdb user rename USER NAME "), "\(text)")
        #expect(text.contains("USER is id:N --show-hidden."), "\(text)")
        let done = try demo.succeed("user", "rename", "id:1", "alice", "--show-hidden").output
        #expect(done.contains("The profile has the name alice; its own contact has it too now."), "\(done)")
        #expect(try ids(checked(demo)).isEmpty)
    }

    private static let advice = "the commands with --user take --user id:N --show-hidden."
}
