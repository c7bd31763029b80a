import ChatDBKit
import Foundation
import Testing

/// Rule: docs/domain.md, "Group relays", Lost connections.
@Suite("check of lost connections with the relays of an own channel")
struct LostRelaysTests: CheckTesting {
    /// The demo's channel, finished, with connections of both relays and of another member in both databases. The chat
    /// database has then lost those of the members. Member 1 is the profile, 2 and 3 are relays.
    private func lost(_ members: String) throws -> ToolRun {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type, group_member_id)
            VALUES (77, 1, 'k1', 'ready', 'member', 1), (78, 1, 'k2', 'ready', 'member', 2),
                (79, 1, 'k3', 'ready', 'member', 3)
            """)
        try demo.sql(
            """
            INSERT INTO connections (conn_id, user_id, conn_mode)
            VALUES (x'6b31', 1, 'INV'), (x'6b32', 1, 'INV'), (x'6b33', 1, 'INV')
            """, in: "x_agent.db")
        try demo.sql("DELETE FROM connections WHERE group_member_id IN (\(members))")
        return demo
    }

    private func finding(_ demo: ToolRun) throws -> JSONValue? {
        try checked(demo)["findings"]?.arrayValue?.first { $0["id"] == "groupRelayWithoutConnection" }
    }

    @Test("A relay whose connection the chat database lost is an error that names the relay and the channel")
    func found() throws {
        #expect(try finding(lost("0")) == nil)
        let demo = try lost("2, 3")
        let found = try #require(try finding(demo))
        #expect(found["severity"] == "error" && found["fixable"] == false, "\(found)")
        #expect(
            found["sample"]?.texts == ["relay row 1 of group 1 (profile 1)", "relay row 2 of group 1 (profile 1)"],
            "\(found)")
        #expect(found["remedy"]?.stringValue?.contains("chatdb restore FOLDER") == true, "\(found)")
        #expect(try demo("check").code == 1)
        // `group relays` calls the same relays.
        let relays = try demo("group", "relays", "news", "-u", "alice", "--format", "json").answer()["relays"]
        #expect(relays?.arrayValue?.map { $0["lostConnection"] } == ["chat", "chat"])
    }

    @Test("A finding about one relay has the numbers of that relay in its commands")
    func one() throws {
        let remedy = try finding(lost("2"))?["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("chatdb group relay remove id:1 row:1 --user id:1 "), "\(remedy)")
        #expect(remedy.contains("chatdb group relay add id:1 id:7 --user id:1 "), "\(remedy)")
    }

    @Test("Without as many connections of the agent database that the chat database lacks, nothing is proven")
    func unproven() throws {
        let demo = try lost("2, 3")
        try demo.sql("DELETE FROM connections WHERE conn_id = x'6b33'", in: "x_agent.db")
        #expect(try finding(demo) == nil)
        let clause = """
            groupRelayWithoutConnection was not decided: the chat database has no connection with relay row 1 of group 1 \
            (profile 1), relay row 2 of group 1 (profile 1), and their channels do not reach them; nothing proves \
            that a connection was lost
            """
        let left: JSONValue = ["id": "groupRelayWithoutConnection", "reason": "unproven"]
        #expect(try checked(demo)["leftOut"] == [left])
        let shown = try demo("check").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(shown.contains("note: \(clause)"), "\(shown)")
        // The others say the same: nothing explains it, and nothing is in order.
        let page = try demo("inspect", "--format", "json").answer()
        let note =
            "1 channel has no connection with a relay, and does not reach it; nothing proves that a connection was lost."
        #expect(page["notes"]?.texts?.contains("alice: \(note) Channel: news.") == true, "\(page["notes"] ?? .null)")
        #expect(page["warnings"]?.texts?.contains { $0.contains("lost the connection") } == false)
        let diagnosis = try demo("diagnose", "no active relays", "--format", "json")
        let message = try diagnosis.answer()["messages"]?[0]
        #expect(diagnosis.code == 1 && message?["answer"] == "unknown", "\(diagnosis.output)")
        #expect(message?["leftOut"] == [left])
        let bundle = try demo("bundle", "--preview").answer()["notes"]?.texts ?? []
        #expect(bundle.contains(clause), "\(bundle)")
    }

    @Test("A relay of a hidden profile whose connection may be lost is in no bundle")
    func hidden() throws {
        let demo = try lost("2, 3")
        try demo.sql("DELETE FROM connections WHERE conn_id = x'6b33'", in: "x_agent.db")
        try demo.sql("UPDATE users SET view_pwd_hash = x'01', view_pwd_salt = x'02', active_user = 0 WHERE user_id = 1")
        let shown = try demo("check").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(shown.contains("no connection with relay row 1 of group 1, relay row 2 of group 1, and"), "\(shown)")
        let bundle = try demo("bundle", "--preview").answer()["notes"]?.texts ?? []
        #expect(!bundle.contains { $0.contains("groupRelayWithoutConnection") }, "\(bundle)")
    }

    @Test("A relay that is no longer in the channel, or was never asked, needs no connection")
    func unneeded() throws {
        for change in [
            "UPDATE group_members SET member_status = 'removed' WHERE group_member_id = 2",
            "UPDATE group_relays SET relay_status = 'new' WHERE group_relay_id = 1",
        ] {
            let demo = try lost("2")
            try demo.sql(change)
            #expect(try finding(demo) == nil, "\(change)")
        }
    }

    @Test("inspect, a bundle and diagnose know the finding")
    func elsewhere() throws {
        let demo = try lost("2, 3")
        let warnings = try demo("inspect", "--format", "json").answer()["warnings"]?.texts ?? []
        let warning = "alice: 1 channel has lost the connection with a relay. Its messages do not reach this relay."
        #expect(warnings.contains("\(warning) Channel: news."), "\(warnings)")
        let bundle = try demo("bundle", "--preview").answer()["findings"]?.arrayValue ?? []
        #expect(bundle.contains { $0["id"] == "groupRelayWithoutConnection" }, "\(bundle)")
        let diagnosis = try demo("diagnose", "SEConnectionNotFoundByMemberId", "--format", "json").answer()
        let causes = diagnosis["messages"]?[0]?["findings"]?.arrayValue ?? []
        #expect(causes.contains { $0["id"] == "groupRelayWithoutConnection" }, "\(diagnosis)")
    }

    @Test("The question of group relay remove says that the relay that stays active has lost its connection")
    func removing() throws {
        let demo = try lost("3")
        let shown = try demo("group", "relay", "remove", "id:1", "row:1", "-u", "id:1", "--dry-run")
        let asked = try demo("group", "relay", "remove", "id:1", "row:1", "-u", "id:1", "--format", "json")
        let text = shown.output + shown.errors + asked.output + asked.errors
        #expect(text.contains("1 of its relays stays active. The store has lost the connection with it"), "\(text)")
    }
}
