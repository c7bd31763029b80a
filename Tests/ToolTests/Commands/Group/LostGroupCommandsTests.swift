import ChatDBKit
import Testing

@testable import ChatDBTool

/// Rules: docs/domain.md, "Groups and channels", Lost groups; docs/checks.md, "Rows that stay lost".
@Suite("commands and groups or channels that lost their rows")
struct LostGroupCommandsTests: CheckTesting {
    private func losing(_ sql: String) throws -> ToolRun {
        let demo = try DemoStore.finished()
        try demo.succeed("group", "create", "other", "--relay", "mine", "-u", "alice")
        try demo.sql("PRAGMA foreign_keys = OFF; \(sql)")
        return demo
    }

    private func remedies(_ demo: ToolRun) throws -> [String: String] {
        var remedies: [String: String] = [:]
        for finding in try checked(demo)["findings"]?.arrayValue ?? [] {
            remedies[finding["id"]?.stringValue ?? ""] = finding["remedy"]?.stringValue
        }
        return remedies
    }

    @Test("group list warns of a lost channel and names it as far as possible, in every format")
    func list() throws {
        let demo = try losing("DELETE FROM groups WHERE group_id = 1")
        let warning = """
            channel id:1 is lost: its row is missing (groups), and its members still refer to it; its name may be news; \
            chatdb check says what still works
            """
        let answer = try demo("group", "list", "-u", "alice", "--format", "json").answer()
        #expect(answer["warnings"]?.texts == [warning], "\(answer)")
        #expect(answer["groups"]?.arrayValue?.map { $0["groupId"] } == [2], "\(answer)")
        let table = try demo.succeed("group", "list", "-u", "alice").output
        #expect(table.contains("warning: \(warning)") && table.contains("other"), "\(table)")
        let csv = try demo("group", "list", "-u", "alice", "--format", "csv")
        #expect(csv.errors.contains("warning: \(warning)") && !csv.output.contains("lost"), "\(csv)")
        let others = try demo("group", "list", "-u", "work", "--format", "json").answer()
        #expect(others["warnings"]?.texts == [], "\(others)")
    }

    @Test("group list names several lost channels in one warning")
    func several() throws {
        let demo = try losing("DELETE FROM groups")
        let warnings = try demo("group", "list", "-u", "alice", "--format", "json").answer()["warnings"]?.texts
        #expect(
            warnings == [
                """
                channels id:1, id:2 are lost: their rows are missing (groups), and their members still refer to them; \
                their names may be among news, other; chatdb check says what still works
                """
            ])
    }

    @Test("group list names a channel whose profile row is missing")
    func profileRow() throws {
        let demo = try losing("DELETE FROM group_profiles WHERE group_profile_id = 1")
        let answer = try demo("group", "list", "-u", "alice", "--format", "json").answer()
        #expect(
            answer["warnings"]?.texts == [
                """
                channel news (id:1) is left out: its profile row is missing (group_profiles); \
                chatdb check says what still works
                """
            ])
        #expect(answer["unreadable"]?.arrayValue?.count == 1)
    }

    @Test("a command that names a lost channel says that it is lost")
    func show() throws {
        let demo = try losing("DELETE FROM groups WHERE group_id = 1")
        func refusal(_ group: String) throws -> JSONValue {
            let run = try demo("group", "show", group, "-u", "alice", "--format", "json")
            #expect(run.code == 1, "\(run)")
            return try run.refusal()
        }
        let hint = "chatdb check shows what refers to lost rows, and says what still works"
        let byID = try refusal("id:1")
        #expect(byID["code"] == "groupNotFound" && byID["hint"]?.stringValue == hint, "\(byID)")
        #expect(
            byID["message"]?.stringValue == """
                the channel id:1 of the profile "alice" is lost: its row is missing (groups), and its members still refer \
                to it
                """, "\(byID)")
        let byName = try refusal("news")
        #expect(byName["code"] == "groupNotFound" && byName["hint"]?.stringValue == hint, "\(byName)")
        #expect(
            byName["message"]?.stringValue
                == #"the profile "alice" has no group "news"; the row of id:1 is lost (groups), and may be that of "news""#
        )
        // Another name, and another profile.
        #expect(try refusal("zzzzzzz")["hint"]?.stringValue?.contains("lists them") == true)
        let work = try demo("group", "show", "id:1", "-u", "work", "--format", "json").refusal()
        #expect(work["message"]?.stringValue?.contains("lost") == false, "\(work)")
    }

    @Test("a command that names a lost profile says that the store has rows of lost profiles")
    func profile() throws {
        let demo = try losing("DELETE FROM users WHERE local_display_name = 'alice'")
        let refusal = try demo("group", "list", "-u", "alice", "--format", "json").refusal()
        #expect(refusal["code"] == "profileNotFound", "\(refusal)")
        #expect(
            refusal["message"]?.stringValue
                == #"there is no profile "alice" in this store; it has rows of profiles that it lost"#)
        #expect(refusal["hint"]?.stringValue?.hasPrefix("chatdb check shows what refers to lost rows") == true)
        // A mistyped name of a profile that the store has.
        let near = try demo("group", "list", "-u", "works", "--format", "json").refusal()
        #expect(near["hint"]?.stringValue == #"did you mean "work"?"#, "\(near)")
    }

    private static let losses = [
        (
            "DELETE FROM groups WHERE group_id = 1", "group 1 (profile 1) is lost",
            "No list has a lost group or channel, and commands refuse it"
        ),
        (
            "DELETE FROM group_profiles WHERE group_profile_id = 1", "the profile row of group 1 (profile 1) is lost",
            "Lists leave out a group without its profile row, and commands refuse it."
        ),
        (
            "DELETE FROM users WHERE user_id = 1", "the profile that has group 1, group 2 is lost",
            "No command finds a lost profile or its chats, and chatdb adds no new profile to the store."
        ),
    ]

    @Test(
        "without a backup, the remedy says what stays lost, and other findings no longer end there", arguments: losses)
    func staysLost(_ sql: String, _ detail: String, _ effect: String) throws {
        let demo = try losing(sql)
        let found = try checked(demo)["findings"]?.arrayValue?.first { $0["id"] == "chatDanglingReference" }
        #expect(found?["detail"]?.stringValue == detail, "\(String(describing: found))")
        let remedies = try remedies(demo)
        let remedy = remedies["chatDanglingReference"] ?? ""
        #expect(remedy.contains("chatdb restore FOLDER"), "\(remedy)")
        #expect(
            remedy.contains("Without a backup, chatdb cannot bring the rows back, and this finding stays. \(effect)"),
            "\(remedy)")
        #expect(remedy.contains("Other chats and profiles work as before, and chatdb query SQL"), "\(remedy)")
        let other = remedies["unfinishedChannel"] ?? ""
        #expect(
            other.contains("the rows do not come back, and these findings may stay: see chatDanglingReference."),
            "\(other)")
        #expect(!remedies.values.contains { $0.contains("first follow the remedy of chatDanglingReference") })
    }

    @Test("if relays are lost too, their steps stay, and only the other rows are said to stay lost")
    func mixed() throws {
        let demo = try losing(
            """
            DELETE FROM groups WHERE group_id = 2;
            UPDATE group_relays SET chat_relay_id = 99 WHERE group_relay_id = 1
            """)
        let remedy = try remedies(demo)["chatDanglingReference"] ?? ""
        #expect(remedy.contains("Without a backup, chatdb cannot bring the other rows back"), "\(remedy)")
        #expect(remedy.contains("chatdb group relay remove id:1 row:1 --user id:1"), "\(remedy)")
    }

    @Test("a relay of a lost channel has no steps: no command takes it out")
    func relayOfLostChannel() throws {
        let demo = try losing(
            """
            DELETE FROM groups WHERE group_id = 1;
            UPDATE group_relays SET chat_relay_id = 99 WHERE group_relay_id = 1
            """)
        let remedy = try remedies(demo)["chatDanglingReference"] ?? ""
        #expect(!remedy.contains("group relay"), "\(remedy)")
        #expect(remedy.contains("Without a backup, chatdb cannot bring the rows back"), "\(remedy)")
    }

    @Test("lost members without steps: channelWithoutActiveRelay does not refer to their finding")
    func silent() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            PRAGMA foreign_keys = OFF; DELETE FROM group_members WHERE member_role = 'relay';
            INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type, group_member_id)
            VALUES (77, 1, 'key', 'ready', 'member', 2)
            """)
        let remedies = try remedies(demo)
        let silent = try #require(remedies["channelWithoutActiveRelay"], "\(remedies)")
        #expect(!silent.isEmpty && !silent.contains("chatDanglingReference"), "\(silent)")
        let lost = remedies["chatDanglingReference"] ?? ""
        #expect(lost.contains("may be incomplete, or may fail") && !lost.contains("group relay remove"), "\(lost)")
    }

    @Test("agentDanglingReference says what a loss means without a backup")
    func agent() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            "PRAGMA foreign_keys = OFF; INSERT INTO connections (conn_id, user_id, conn_mode) VALUES (x'01', 99, 'INV')",
            in: "x_agent.db")
        let remedy = try remedies(demo)["agentDanglingReference"] ?? ""
        #expect(remedy.contains("Without a backup, chatdb cannot bring the rows back, and this finding stays."))
        #expect(remedy.contains("What lacks one of these rows may be incomplete, or may fail"), "\(remedy)")
    }
}
