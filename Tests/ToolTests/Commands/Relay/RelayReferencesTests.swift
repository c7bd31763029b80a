import ChatDBKit
import Foundation
import Testing

/// The channels that refer to a relay, in the answers of commands.
@Suite("references to relays")
struct RelayReferencesTests {
    /// Channels of alice that use the relay "mine" (news, talk), and others that only refer to it.
    private func demo() throws -> ToolRun {
        let demo = try DemoStore.make()
        for name in ["talk", "quiet", "no", "past"] {
            try demo.succeed("group", "create", name, "--relay", "mine", "-u", "alice")
        }
        try demo.sql(
            """
            UPDATE groups SET chat_ts = '2020-01-0' || (9 - group_id) || ' 00:00:00.000';
            UPDATE group_relays SET relay_status = 'active' WHERE group_id = 1;
            UPDATE group_relays SET relay_status = 'from a newer app' WHERE group_id = 2;
            UPDATE group_relays SET relay_status = 'inactive' WHERE group_id = 3;
            UPDATE group_relays SET relay_status = 'rejected' WHERE group_id = 4;
            UPDATE group_members SET member_status = 'left' WHERE group_id = 5 AND member_category = 'user';
            """)
        return demo
    }

    @Test("relay show separates the channels that use a relay from those that only refer to it")
    func show() throws {
        let demo = try demo()
        let answer = try demo.succeed("relay", "show", "mine", "-u", "alice", "--format", "json").answer()
        #expect(answer["relay"]?["channels"] == ["using": 2, "active": 1])
        #expect(answer["usedBy"]?.arrayValue?.map { $0["name"] } == ["news", "talk"])
        #expect(answer["usedBy"]?.arrayValue?.map { $0["relayStatus"] } == ["active", "from a newer app"])
        let others = answer["otherChannels"]?.arrayValue
        #expect(others?.map { $0["name"] } == ["quiet", "no", "past"])
        #expect(others?.map { $0["relayStatus"] } == ["inactive", "rejected", "new"])
        #expect(others?.map { $0["membership"] } == ["creator", "creator", "left"])
        try Snapshot.check(
            demo.onTerminal("relay", "show", "mine", "-u", "alice").output, "relay-show-others-terminal.txt")
        try Snapshot.check(
            demo.succeed("relay", "show", "mine", "-u", "alice", "--format", "csv").output, "relay-show-others.csv")
    }

    @Test("relay list, usage and inspect count only the channels that use a relay")
    func counts() throws {
        let demo = try demo()
        for verb in ["list", "usage"] {
            let relays = try demo.succeed("relay", verb, "-u", "alice", "--format", "json").answer()["relays"]
            let mine = relays?.arrayValue?.first { $0["chatRelayId"] == 7 }
            #expect(mine?["channels"] == ["using": 2, "active": 1], "\(verb)")
        }
        let relays = try demo.succeed("inspect", "--format", "json").answer()["relays"]?.arrayValue
        let mine = relays?.first { $0["relay"]?["chatRelayId"] == 7 }
        #expect(mine?["relay"]?["channels"] == ["using": 2, "active": 1])
    }

    @Test("relay list, usage and inspect say that they leave channels out, if there are such channels")
    func leftOut() throws {
        let demo = try demo()
        let plain = try DemoStore.make()
        let words =
            "Channels counts the channels that use a relay, not those that were left or in which it is inactive or "
            + "rejected; chatdb relay show RELAY"
        for (arguments, text) in [
            (["relay", "list", "-u", "alice"], "note: \(words) -u alice lists these too\n"),
            (["relay", "usage", "-u", "alice"], "note: \(words) -u alice lists these too\n"),
            (["inspect"], "\n\(words) lists these too\n"),
        ] {
            let shown = try demo(arguments).output
            #expect(shown.contains(text), "\(arguments): \(shown)")
            #expect(try !plain(arguments).output.contains("Channels counts"), "\(arguments)")
        }
    }

    @Test("A relay that a channel has twice is described by its latest row in every answer")
    func twice() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            UPDATE group_relays SET relay_status = 'active' WHERE chat_relay_id = 7;
            INSERT INTO group_members (
                group_id, member_id, local_display_name, member_role, member_category, member_status, user_id,
                contact_profile_id, created_at, updated_at)
            SELECT group_id, 'again', local_display_name, member_role, member_category, member_status, user_id,
                contact_profile_id, created_at, updated_at
            FROM group_members WHERE group_member_id = (
                SELECT group_member_id FROM group_relays WHERE chat_relay_id = 7);
            INSERT INTO group_relays (group_id, group_member_id, chat_relay_id, relay_status)
            VALUES (1, (SELECT max(group_member_id) FROM group_members), 7, 'rejected');
            """)
        let answer = try demo.succeed("relay", "show", "mine", "-u", "alice", "--format", "json").answer()
        #expect(answer["relay"]?["channels"] == ["using": 0, "active": 0])
        #expect(answer["usedBy"] == [])
        #expect(answer["otherChannels"]?.arrayValue?.map { $0["relayStatus"] } == ["rejected"])
        let text = try demo.succeed("relay", "show", "mine", "-u", "alice").output
        #expect(text.contains("Active in:  0 of 0 channels"))
        let list = try demo.succeed("relay", "list", "-u", "alice", "--format", "json").answer()["relays"]?.arrayValue
        #expect(list?.first { $0["chatRelayId"] == 7 }?["channels"] == ["using": 0, "active": 0])
        let shown = try demo.succeed("group", "relays", "news", "-u", "alice", "--format", "json").answer()
        #expect(shown["progress"] == ["active": 0, "failed": 1, "removed": 0, "total": 2, "done": false])
        let mine = shown["relays"]?.arrayValue?.filter { $0["userChatRelayId"] == 7 }
        #expect(mine?.map { $0["relayStatus"] } == ["rejected"])
        let inactive = try demo.succeed("inspect", "--format", "json").answer()["inactiveRelays"]?.arrayValue
        #expect(inactive?.filter { $0["userChatRelayId"] == 7 }.map { $0["relayStatus"] } == ["rejected"])
    }
}
