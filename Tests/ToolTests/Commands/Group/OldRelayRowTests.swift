import ChatDBKit
import Foundation
import Testing

/// An old row of a relay in a channel, which no longer counts, because the relay was added again.
@Suite("old rows of a channel's relays")
struct OldRelayRowTests {
    /// The demo, in whose channel the row 1 of the relay `mine` is old, and the row 3 counts.
    private func demo() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        try demo.succeed("group", "relay", "deactivate", "news", "mine")
        try demo.succeed("group", "relay", "add", "news", "mine")
        return demo
    }

    @Test("the removal of an old row says that the relay stays in the channel, and changes nothing for the channel")
    func removed() throws {
        let demo = try demo()
        let words = ["group", "relay", "remove", "news", "row:1"]
        let question = try demo(words)
        #expect(question.code == 64)
        #expect(
            question.errors.contains(
                """
                End the old row 1 of the relay mine in the channel news of alice? It no longer counts: only the \
                membership of its member 2 ends, and the relay stays in the channel by its row 3 (New). No relay of the \
                channel is active, as before.
                """), "\(question.errors)")
        // The active row stays active.
        try demo.sql("UPDATE group_relays SET relay_status = 'active' WHERE group_relay_id = 3")
        let active = try demo(words).errors
        #expect(active.contains("by its row 3 (Active). 1 of its relays stays active."), "\(active)")
        let dry = try demo.succeed("group", "relay", "remove", "news", "row:1", "--dry-run").output
        #expect(
            dry.hasPrefix("The old row 1 of the relay mine would be ended in the channel news of alice."), "\(dry)")
        #expect(dry.contains("would end, and the relay stays in the channel by its row 3 (Active)."), "\(dry)")
        let planned = try demo(words + ["--dry-run", "--format", "json"]).answer()
        #expect(planned["applied"] == false && planned["endsMembership"] == true, "\(planned)")
        #expect(planned["relay"]?["groupRelayId"] == 1 && planned["newerRow"]?["groupRelayId"] == 3, "\(planned)")
        #expect(planned["newerRow"]?["relayStatus"] == "active" && planned["group"]?["progress"]?["active"] == 1)
        #expect(planned["kept"]?["kind"] == "backup", "\(planned)")
        let done = try demo(words + ["--yes"])
        #expect(done.code == 0 && done.output.contains("chatdb restore "), "\(done.errors)")
        #expect(
            done.output.hasPrefix("The old row 1 of the relay mine was ended in the channel news of alice."),
            "\(done.output)")
        #expect(done.output.contains("its member 2 has ended") && done.output.contains("Active relays: 1 of 2."))
        #expect(try demo.sql("SELECT member_status FROM group_members WHERE group_member_id = 2") == "removed")
        #expect(try demo.succeed("group", "relays", "news").output.hasPrefix("Relays of news: 1 of 2 active\n"))
        let again = try demo(words + ["--format", "json"])
        #expect(try again.code == 1 && again.refusal()["code"] == "memberGone")
        #expect(
            again.errors.contains("there is nothing to remove; the relay stays in the channel by its row 3 (Active)"),
            "\(again.errors)")
        // Its name means the row that counts.
        let named = try demo.succeed("group", "relay", "remove", "news", "mine", "--dry-run").output
        #expect(named.hasPrefix("The relay mine would be taken out"), "\(named)")
    }

    @Test("an old row whose newer row is inactive too is not said to be the relay's last")
    func bothInactive() throws {
        let demo = try demo()
        try demo.succeed("group", "relay", "deactivate", "news", "row:3")
        let dry = try demo.succeed("group", "relay", "remove", "news", "row:1", "--dry-run").output
        #expect(dry.contains("would end, and only the newer row 3 (Inactive) counts."), "\(dry)")
    }

    @Test(
        "no step is taken with an old row, and the refusal names the row that counts",
        arguments: ["invite", "accept", "acknowledge", "activate", "reject", "deactivate"])
    func steps(_ verb: String) throws {
        let demo = try demo()
        // Another app may have left the old row in a status that allows the step.
        let status = ["invite": "new", "accept": "invited", "reject": "invited", "activate": "accepted"]
        try demo.sql(
            """
            UPDATE group_relays SET relay_status = '\(status[verb] ?? "accepted")', relay_link = 'https://h.example/c'
            WHERE group_relay_id = 1
            """)
        let link = verb == "accept" ? ["--link", GroupNounTests.channelLink] : []
        let run = try demo(["group", "relay", verb, "news", "row:1"] + link + ["--format", "json"])
        #expect(try run.code == 1 && run.refusal()["code"] == "relayStepNotAllowed", "\(run.errors)")
        #expect(
            try run.refusal()["message"]?.stringValue == """
                row:1 is an old row of the relay "mine" in the channel "news", and takes no step; the relay stays in \
                the channel by its row 3 (New)
                """, "\(run.errors)")
        #expect(try demo.sql("SELECT relay_status FROM group_relays WHERE group_relay_id = 3") == "new")
    }
}
