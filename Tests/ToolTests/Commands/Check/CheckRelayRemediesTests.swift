import ChatDBKit
import Testing

/// The remedies of findings about one relay agree, and lead to a store that is in order. Rule: docs/checks.md, Checks.
@Suite("remedies for relays of channels")
struct CheckRelayRemediesTests: CheckTesting {
    private func remedy(_ id: String, _ demo: ToolRun) throws -> String {
        try checked(demo)["findings"]?.arrayValue?.first { $0["id"]?.stringValue == id }?["remedy"]?.stringValue ?? ""
    }

    /// The remedy of lost rows, without the name of the store in its commands.
    private func remedyOfLoss(_ demo: ToolRun) throws -> String {
        try remedy("chatDanglingReference", demo).replacing(" -d \(demo.store)", with: "")
    }

    @Test("a relay that two channels lost: each channel has its steps, on lines of their own")
    func twoChannels() throws {
        let demo = try DemoStore.finished()
        try demo.succeed("group", "create", "blog", "--relay", "mine", "-u", "alice")
        try demo.sql("PRAGMA foreign_keys = OFF; DELETE FROM chat_relays WHERE display_name = 'mine'")
        try demo.sql("UPDATE group_relays SET relay_status = 'inactive' WHERE chat_relay_id <> 7")
        let text = try remedyOfLoss(demo)
        let steps = [("id:1", "row:1"), ("id:2", "row:3")].flatMap { group, row in
            [
                "Channel \(group) (profile 1), lost relay id:7:",
                "1. Add another relay to the channel: chatdb group relay add \(group) RELAY --user id:1. \(Self.relayChoice(group)) Incomplete rows do not count.",
                """
                2. Delete the row of the lost relay, which ends its membership: \
                chatdb group relay remove \(group) \(row) --user id:1.
                """,
            ]
        }
        let end = "chatdb group list --user id:1 shows the names of the channels. \(steps.joined(separator: " "))"
        #expect(text.hasSuffix(end), "\(text)")
        // People read the steps on lines of their own, in both commands.
        for command in [["check"], ["diagnose"]] {
            let lines = try demo(command).output.split(separator: "\n").map { $0.drop { $0 == " " } }
            let first = try #require(lines.firstIndex { $0 == steps[0] }, "\(lines)")
            #expect(lines[first...].prefix(steps.count).map(String.init) == steps, "\(lines)")
        }
        #expect(try demo("check", "--format", "markdown").output.contains("\n  - 2\\. Delete the row of the lost "))
        for (group, row) in [("id:1", "row:1"), ("id:2", "row:3")] {
            try demo.succeed("group", "relay", "add", group, "id:3", "--user", "id:1")
            try demo.succeed("group", "relay", "remove", group, row, "--user", "id:1", "--yes")
        }
        #expect(try !ids(checked(demo)).contains("chatDanglingReference"))
    }

    @Test("a lost relay of a channel that has another one: the remedy adds no relay")
    func otherRelay() throws {
        let demo = try DemoStore.finished()
        try demo.sql("PRAGMA foreign_keys = OFF; DELETE FROM chat_relays WHERE display_name = 'mine'")
        func changeOther(_ status: String, _ member: String) throws {
            try demo.sql("UPDATE group_relays SET relay_status = '\(status)' WHERE chat_relay_id <> 7")
            try demo.sql("UPDATE group_members SET member_status = '\(member)' WHERE group_member_id = 3")
        }
        // A relay that was just chosen is a member that is invited, and a newer app may store another status.
        let states = [("active", "connected"), ("new", "connected"), ("new", "invited"), ("later", "connected")]
        for (status, member) in states {
            try changeOther(status, member)
            let text = try remedyOfLoss(demo)
            #expect(text.contains(" membership: chatdb group relay remove id:1 row:1 --user id:1."), "\(text)")
            #expect(text.contains("Channel id:1 (profile 1), lost relay id:7, has another relay already:"), "\(text)")
            #expect(!text.contains("group relay add"), "\(text)")
            let page = try demo.succeed("group", "relays", "news", "-u", "alice").output
            #expect(page.contains("group relay remove id:1 row:1") && !page.contains("adds another relay"), "\(page)")
        }
        for (status, member) in [("inactive", "connected"), ("active", "removed"), ("rejected", "connected")] {
            try changeOther(status, member)
            let last = try remedyOfLoss(demo)
            #expect(last.contains("chatdb group relay add id:1 RELAY --user id:1. RELAY is an enabled"), "\(last)")
            let page = try demo.succeed("group", "relays", "news", "-u", "alice").output
            #expect(page.contains("adds another relay, and then "), "\(page)")
        }
    }

    @Test("several lost relays of one channel: each row has a step")
    func oneWord() throws {
        let demo = try DemoStore.finished()
        try demo.sql("PRAGMA foreign_keys = OFF; UPDATE group_relays SET chat_relay_id = 99 + chat_relay_id")
        let text = try remedyOfLoss(demo)
        #expect(text.contains(" membership: chatdb group relay remove id:1 row:1 --user id:1. 3. "), "\(text)")
        #expect(text.hasSuffix(" membership: chatdb group relay remove id:1 row:2 --user id:1."), "\(text)")
        #expect(text.contains("lost relays id:"))
    }

    @Test("an unfinished channel whose relays are lost: the lists refer to check, and advise to delete nothing")
    func unfinished() throws {
        let demo = try DemoStore.make()
        try demo.sql("PRAGMA foreign_keys = OFF; UPDATE group_relays SET chat_relay_id = 99 + chat_relay_id")
        for command in [["list"], ["show", "news"]] {
            let text = try demo(["group"] + command + ["-u", "alice"]).output
            #expect(text.contains("cannot be completed; chatdb check shows what to do first"), "\(text)")
            #expect(!text.contains("group cancel"), "\(text)")
        }
        #expect(try remedy("unfinishedChannel", demo).contains("first follow the remedy of chatDanglingReference"))
    }

    @Test("a relay whose member is lost: the remedies lead to a store that is in order")
    func lostMember() throws {
        let demo = try DemoStore.finished()
        try demo.sql("PRAGMA foreign_keys = OFF; DELETE FROM group_members WHERE group_member_id = 2")
        let finding = try checked(demo)["findings"]?.arrayValue?.first { $0["id"] == "chatDanglingReference" }
        let text = try remedyOfLoss(demo)
        #expect(text.contains("Channel id:1 (profile 1), has a relay already: 1. Delete the row of "), "\(text)")
        #expect(text.hasSuffix("names the relay: chatdb group relay remove id:1 row:1 --user id:1."), "\(text)")
        #expect(!text.contains("group relay add"), "\(text)")
        #expect(finding?["rows"]?[0]?["missing"] == ["member"] && finding?["detail"] == .null, "\(finding ?? .null)")
        let relays = try demo.succeed("group", "relays", "news", "-u", "alice").output
        #expect(relays.contains("shows whether rows were lost, and its remedy has the next step"), "\(relays)")
        #expect(!relays.contains("group relay remove"), "\(relays)")
        #expect(
            try remedy("groupRelayWithoutMember", demo)
                == "chatDanglingReference is about the same relays: first follow its remedy, and then check again.")
        let removed = try demo.succeed("group", "relay", "remove", "id:1", "row:1", "--user", "id:1", "--yes").output
        #expect(removed.contains("Row 1 (mine)"), "\(removed)")
        try demo.succeed("group", "relay", "add", "id:1", "mine", "--user", "id:1")
        try demo.succeed("check", "--fix", "--yes")
        #expect(try ids(checked(demo)) == [])
    }

    @Test("a member that other rows lost too: no remedy deletes the row of its relay")
    func lostByMore() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type, group_member_id)
            VALUES (77, 1, 'key', 'ready', 'member', 2);
            DELETE FROM group_members WHERE group_member_id = 2
            """)
        for finding in try checked(demo)["findings"]?.arrayValue ?? [] {
            #expect(finding["remedy"]?.stringValue?.contains("group relay remove") == false, "\(finding)")
        }
    }

    /// Damage of relay 1 that leads to a finding besides `acceptedRelayWithoutLink`, and the relay to add instead.
    private static let damages = [
        (
            "groupRelayOfOtherProfile",
            """
            UPDATE group_relays SET chat_relay_id = (SELECT min(chat_relay_id) FROM chat_relays WHERE user_id = 2)
            WHERE group_relay_id = 1
            """, "RELAY"
        ),
        (
            "connectionWithoutAgent",
            """
            INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type, group_member_id)
            VALUES (77, 1, 'key77', 'ready', 'member', 2)
            """, "id:7"
        ),
    ]

    @Test("two findings about one relay: the second says to follow the first, and both vanish", arguments: damages)
    func sameRelay(_ id: String, _ damage: String, _ relay: String) throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            UPDATE group_relays SET relay_status = 'accepted', relay_link = NULL WHERE group_relay_id = 1;
            UPDATE group_members SET relay_link = NULL WHERE group_member_id = 2;
            \(damage)
            """)
        let second = "\(id) is about the same relays: first follow its remedy, and then check again."
        #expect(try remedy("acceptedRelayWithoutLink", demo) == second)
        let first = try remedy(id, demo)
        #expect(first.contains("chatdb group relay remove id:1 row:1 --user id:1 "), "\(first)")
        #expect(first.contains("chatdb group relay add id:1 \(relay) --user id:1 "), "\(first)")
        try demo.succeed("group", "relay", "remove", "id:1", "row:1", "--user", "id:1", "--yes")
        try demo.succeed("group", "relay", "add", "id:1", "mine", "--user", "id:1")
        let left = try checked(demo)["findings"]?.arrayValue ?? []
        #expect(left.allSatisfy { $0["severity"] == "info" }, "\(left)")
    }

    @Test("a channel without an active relay says to follow the finding about its relays first")
    func withoutActiveRelay() throws {
        let demo = try DemoStore.finished()
        try demo.sql("UPDATE group_relays SET relay_status = 'accepted', relay_link = NULL")
        try demo.sql("UPDATE group_members SET relay_link = NULL")
        let text = try remedy("channelWithoutActiveRelay", demo)
        #expect(
            text == "acceptedRelayWithoutLink is about relays of the same channels: "
                + "first follow its remedy, and then check again.")
        try demo.sql("UPDATE group_relays SET relay_link = '\(DemoStore.otherRelay)'")
        #expect(try remedy("channelWithoutActiveRelay", demo).contains("New, Connecting, Accepted or Acknowledged"))
        // After a loss of other rows, the remedy of the other finding says to wait.
        try demo.sql(
            "PRAGMA foreign_keys = OFF; UPDATE group_relays SET relay_link = NULL; DELETE FROM contact_profiles")
        #expect(try remedy("acceptedRelayWithoutLink", demo).contains("Delete nothing because of them"))
        #expect(try remedy("channelWithoutActiveRelay", demo).contains("New, Connecting, Accepted or Acknowledged"))
    }

    @Test("a channel that lost its rows of relays: the remedy names the relay of its member, and check wants no other")
    func relayOfMember() throws {
        let demo = try DemoStore.finished()
        try demo.succeed("group", "create", "blog", "--relay", "mine", "-u", "alice")
        try demo.sql("DELETE FROM group_relays WHERE group_id = 2")
        let text = try remedy("channelWithoutRelay", demo)
        #expect(text.contains("chatdb group relay add id:2 id:7 --user id:1"), "\(text)")
        #expect(text.contains("The rows of relays of group 2 (profile 1) are lost"), "\(text)")
        #expect(text.contains("There is no backup in "), "\(text)")
        #expect(text.contains("x.backups. Without another backup"), "\(text)")
        #expect(!text.contains("FOLDER"), "\(text)")
        try demo.succeed("group", "relay", "add", "id:2", "id:7", "--user", "id:1")
        let left = try ids(checked(demo))
        #expect(!left.contains("channelWithoutRelay") && !left.contains("relayMemberWithoutRow"), "\(left)")
        // The profile no longer has the relay, so the reader has to choose one.
        try demo.sql(
            """
            DELETE FROM group_relays WHERE group_id = 2;
            UPDATE chat_relays SET display_name = 'own' WHERE chat_relay_id = 7
            """)
        #expect(try remedy("channelWithoutRelay", demo).contains("chatdb group relay add id:2 RELAY --user id:1"))
        // With a backup, it names the command that lists it; without a member, no row is lost.
        try demo.succeed("backup")
        // The only backup may be younger than the loss.
        let younger = try remedy("channelWithoutRelay", demo)
        #expect(younger.contains("chatdb backup list"), "\(younger)")
        #expect(younger.contains("Only one that was made before the loss has these rows, and chatdb restore FOLDER "))
        #expect(younger.contains("restores it. If all are younger, restore none, and follow the steps"), "\(younger)")
        try demo.sql("UPDATE group_members SET member_status = 'left' WHERE group_id = 2 AND member_role = 'relay'")
        let bare = try remedy("channelWithoutRelay", demo)
        #expect(bare.contains("Add a relay to group 2 (profile 1) in the app") && !bare.contains("lost"), "\(bare)")
    }

    @Test("after the advice about lost rows, each relay is one member, and check, group show and inspect agree")
    func oneMemberForEachRelay() throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM group_relays")
        let add = ["group", "relay", "add", "id:1", "id:7", "--user", "id:1"]
        let first = try remedy("channelWithoutRelay", demo)
        #expect(first.contains("chatdb \(add.joined(separator: " ")) "), "\(first)")
        let old = try demo.sql("SELECT group_member_id FROM group_members WHERE local_display_name = 'mine'")
        let added = try demo(add)
        #expect(added.output.contains("again. The membership of its member \(old), whose row was lost, has ended."))
        // The other relay is still a member without a row, which is the next finding.
        let second = try remedy("relayMemberWithoutRow", demo)
        let preset = try demo.sql("SELECT chat_relay_id FROM chat_relays WHERE user_id = 1 AND address LIKE '%smp5%'")
        #expect(second.contains("chatdb group relay add id:1 id:\(preset) --user id:1 "), "\(second)")
        try demo.succeed("group", "relay", "add", "id:1", "smp5.simplex.im", "--user", "id:1")
        let left = try ids(checked(demo))
        #expect(!left.contains("channelWithoutRelay") && !left.contains("relayMemberWithoutRow"), "\(left)")
        let members = "SELECT count(*) FROM group_members WHERE member_role = 'relay' AND member_status"
        #expect(try demo.sql("\(members) <> 'removed'") == "2" && demo.sql("\(members) = 'removed'") == "2")
        #expect(try demo.succeed("group", "show", "id:1", "-u", "alice").output.contains("Active relays:  0 of 2"))
        let warnings = try demo("inspect", "--format", "json").answer()["warnings"]?.texts ?? []
        #expect(!warnings.contains { $0.contains("rows of its relays") || $0.contains("no relay.") }, "\(warnings)")
    }

    @Test(
        "a channel whose row of a relay is lost moves to another relay: group relay remove ends the old membership",
        arguments: [[], ["relay", "delete", "mine", "-u", "alice", "--yes"]])
    func movesToOther(_ deletion: [String]) throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM group_relays")
        try demo.sql(
            "UPDATE group_members SET member_status = 'left' WHERE group_member_id <> 2 AND member_role = 'relay'")
        if !deletion.isEmpty { #expect(try demo(deletion).code == 0) }
        try demo.succeed("group", "relay", "add", "news", "id:3", "-u", "alice")
        #expect(
            try remedy("relayMemberWithoutRow", demo).contains("chatdb group relay remove id:1 member:2 --user id:1 "))
        let remove = ["group", "relay", "remove", "news", "mine", "-u", "alice", "--format", "json"]
        let unconfirmed = try demo(remove)
        #expect(unconfirmed.code != 0, "\(unconfirmed)")
        let planned = try demo(remove + ["--dry-run"]).answer()
        #expect(planned["applied"] == false && planned["relay"]?["groupMemberId"] == 2, "\(planned)")
        #expect(try ids(checked(demo)).contains("relayMemberWithoutRow"))
        let made = try demo(remove + ["--yes"]).answer()
        #expect(made["applied"] == true && made["endsMembership"] == true && made["from"] == .null, "\(made)")
        let purged: JSONValue = deletion.isEmpty ? 0 : 1
        #expect(planned["purgedRelays"] == purged && made["purgedRelays"] == purged && made["kept"] != .null, "\(made)")
        #expect(try demo.sql("SELECT member_status FROM group_members WHERE group_member_id = 2") == "removed")
        #expect(try !ids(checked(demo)).contains("relayMemberWithoutRow"))
        let again = try demo(remove + ["--yes"])
        #expect(try again.refusal()["code"] == "groupRelayNotFound", "\(again)")
    }

    @Test("no command of a remedy adds a disabled relay: the remedy enables it first, or names one that can be used")
    func disabledRelay() throws {
        let demo = try DemoStore.finished()
        try demo.succeed("relay", "disable", "mine", "-u", "alice")
        try demo.sql(
            """
            UPDATE group_relays SET relay_status = 'accepted', relay_link = NULL;
            UPDATE group_members SET relay_link = NULL
            """)
        let unnamed = try remedy("acceptedRelayWithoutLink", demo)
        #expect(!unnamed.contains("id:7") && unnamed.contains("RELAY is an enabled relay of "), "\(unnamed)")
        try demo.sql(
            """
            DELETE FROM group_relays;
            UPDATE group_members SET member_status = 'left' WHERE member_role = 'relay' AND group_member_id <> 2
            """)
        let lost = try remedy("channelWithoutRelay", demo)
        #expect(lost.contains("1. Enable the relay of member 2: chatdb relay enable id:7 --user id:1 "), "\(lost)")
        #expect(lost.contains("2. Add the relay of member 2 again, which ends its old membership: "), "\(lost)")
        let refused = try demo("group", "relay", "invite", "news", "mine", "-u", "alice")
        #expect(refused.errors.contains("group relay add id:1 RELAY"), "\(refused.errors)")
        try demo.sql("UPDATE group_members SET member_status = 'left' WHERE member_role = 'relay'")
        let usable = try demo.sql(
            """
            SELECT chat_relay_id FROM chat_relays WHERE user_id = 1 AND deleted = 0 AND enabled = 1
                AND display_name NOT IN (SELECT local_display_name FROM group_members)
            ORDER BY preset, chat_relay_id LIMIT 1
            """)
        let bare = try remedy("channelWithoutRelay", demo)
        #expect(bare.contains("or with chatdb group relay add id:1 id:\(usable) --user id:1"), "\(bare)")
        #expect(!bare.contains("RELAY"), "\(bare)")
        for name in ["flux", "simplex"] { try demo.succeed("operator", "disable", name) }
        let off = try remedy("channelWithoutRelay", demo)
        #expect(off.contains("with chatdb group relay add id:1 RELAY --user id:1"), "\(off)")
        for name in ["flux", "simplex"] { try demo.succeed("operator", "enable", name) }
        try demo.succeed("group", "relay", "add", "id:1", "id:\(usable)", "--user", "id:1")
    }

    @Test("the command of a remedy names no relay of an operator that is off")
    func relayOfDisabledOperator() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            UPDATE group_relays SET relay_status = 'accepted', relay_link = NULL;
            UPDATE group_members SET relay_link = NULL
            """)
        #expect(try remedy("acceptedRelayWithoutLink", demo).contains("id:7"))
        try demo.sql(
            """
            UPDATE chat_relays SET domains = (SELECT domains FROM chat_relays WHERE chat_relay_id = 1)
            WHERE chat_relay_id = 7
            """)
        try demo.succeed("operator", "disable", "simplex")
        let text = try remedy("acceptedRelayWithoutLink", demo)
        #expect(!text.contains("id:7") && text.contains("RELAY"), "\(text)")
    }

    @Test("a finding about the relays of one channel is no reason to wait with another channel")
    func withoutActiveRelayOfOthers() throws {
        let demo = try DemoStore.finished()
        try demo.succeed("group", "create", "blog", "--relay", "mine", "-u", "alice")
        try demo.sql(
            """
            UPDATE groups SET creating_in_progress = 0;
            UPDATE group_profiles SET group_link = 'https://simplex.chat/c#' || group_profile_id;
            UPDATE group_relays SET relay_status = 'inactive' WHERE group_id = 1;
            UPDATE group_relays SET relay_status = 'accepted', relay_link = NULL WHERE group_id = 2;
            UPDATE group_members SET relay_link = NULL WHERE group_id = 2
            """)
        let text = try remedy("channelWithoutActiveRelay", demo)
        #expect(
            text.hasPrefix(
                "acceptedRelayWithoutLink is about relays of group 2 (profile 1): first follow its remedy, and then "
                    + "check again. The rest is about group 1 (profile 1). Messages of such a channel may reach no "),
            "\(text)")
        #expect(text.contains("chatdb group relays id:1 --user id:1 -d \(demo.store) shows the relays"), "\(text)")
        // Of two findings, the advice is there once.
        try demo.sql("UPDATE group_relays SET relay_status = 'later' WHERE group_id = 1")
        #expect(
            try remedy("channelWithoutActiveRelay", demo)
                == "unknownRelayStatus is about relays of group 1 (profile 1), acceptedRelayWithoutLink is about relays of "
                + "group 2 (profile 1): first follow their remedies in this order, and then check again.")
        try demo.sql("UPDATE group_relays SET relay_status = 'accepted', relay_link = NULL")
        try demo.sql("UPDATE group_members SET relay_link = NULL")
        #expect(
            try remedy("channelWithoutActiveRelay", demo).hasPrefix(
                "acceptedRelayWithoutLink is about relays of the same channels: "))
    }

    @Test("two channels without an active relay: the remedy says for each what its relays need")
    func twoSilentChannels() throws {
        let demo = try DemoStore.finished()
        try demo.succeed("group", "create", "blog", "--relay", "mine", "-u", "alice")
        try demo.sql(
            """
            UPDATE groups SET creating_in_progress = 0;
            UPDATE group_profiles SET group_link = 'https://simplex.chat/c#' || group_profile_id;
            UPDATE group_relays SET relay_status = 'inactive' WHERE group_id = 1
            """)
        let text = try remedy("channelWithoutActiveRelay", demo)
        #expect(
            text.contains(
                """
                An app connects to the relays of group 2 (profile 1) that are New, Connecting, Accepted or \
                Acknowledged: start
                """),
            "\(text)")
        #expect(
            text.contains(
                """
                An app connects to no relay of group 1 (profile 1): none is known to be New, Connecting, Accepted or \
                Acknowledged, or a New one has an address that is not valid. Add another one in the app
                """),
            "\(text)")
        #expect(text.hasPrefix("Messages of such a channel may reach no subscriber: "), "\(text)")
        #expect(text.contains("group relays id:1 ") && text.contains("group relays id:2 "), "\(text)")
        #expect(text.contains("\(demo.store) show the relays."), "\(text)")
        #expect(text.contains("chatdb group relay add id:1 id:3 --user id:1"), "\(text)")
        #expect(!text.contains("GROUP") && !text.contains("group relay add id:2"), "\(text)")
        try demo.sql("UPDATE group_relays SET relay_status = 'inactive'")
        let both = try remedy("channelWithoutActiveRelay", demo)
        #expect(both.contains("group relay add id:2 id:1 --user id:1") && !both.contains("start the app"), "\(both)")
    }
}
