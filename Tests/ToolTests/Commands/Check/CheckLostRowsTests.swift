import ChatDBKit
import Testing

/// The remedies for channels that lost the rows of their relays lead to a store that is in order, whatever became of the
/// relays. Rule: docs/domain.md, "Group relays", Lost rows.
@Suite("remedies for lost rows of relays")
struct CheckLostRowsTests: CheckTesting {
    private func remedy(_ id: String, _ demo: ToolRun) throws -> String {
        try checked(demo)["findings"]?.arrayValue?.first { $0["id"]?.stringValue == id }?["remedy"]?.stringValue ?? ""
    }

    /// Takes a step that a remedy has.
    private func take(_ step: String, of remedy: String, _ demo: ToolRun) throws {
        #expect(remedy.contains(": chatdb \(step) -d \(demo.store)."), "\(step): \(remedy)")
        let words = step.split(separator: " ").map(String.init)
        let done = try demo(words + (step.contains(" remove ") ? ["--yes"] : []))
        #expect(done.code == 0, "\(step): \(done.errors)")
    }

    /// What became of the relay 7 of the member 2, and the steps for a channel that lost all rows, and for one that has
    /// the row of another relay.
    private static let relays: [(String, [String], [String])] = [
        (
            "SELECT 1", ["group relay add id:1 id:7 --user id:1", "group relay add id:1 id:1 --user id:1"],
            ["group relay add id:1 id:7 --user id:1"]
        ),
        (
            "UPDATE chat_relays SET enabled = 0 WHERE chat_relay_id = 7",
            [
                "relay enable id:7 --user id:1", "group relay add id:1 id:7 --user id:1",
                "group relay add id:1 id:1 --user id:1",
            ],
            ["relay enable id:7 --user id:1", "group relay add id:1 id:7 --user id:1"]
        ),
        (
            // A relay without a name has the host of its address as a member.
            """
            UPDATE chat_relays SET display_name = '' WHERE chat_relay_id = 7;
            UPDATE contact_profiles SET display_name = 'relay.example.org'
            WHERE contact_profile_id = (SELECT contact_profile_id FROM group_members WHERE group_member_id = 2)
            """,
            ["group relay add id:1 id:7 --user id:1", "group relay add id:1 id:1 --user id:1"],
            ["group relay add id:1 id:7 --user id:1"]
        ),
        (
            "UPDATE chat_relays SET display_name = 'other' WHERE chat_relay_id = 7",
            ["group relay add id:1 id:1 --user id:1", "group relay remove id:1 member:2 --user id:1"],
            ["group relay remove id:1 member:2 --user id:1"]
        ),
        (
            "UPDATE chat_relays SET deleted = 1 WHERE chat_relay_id = 7",
            ["group relay add id:1 id:1 --user id:1", "group relay remove id:1 member:2 --user id:1"],
            ["group relay remove id:1 member:2 --user id:1"]
        ),
        (
            "UPDATE chat_relays SET user_id = 2 WHERE chat_relay_id = 7",
            ["group relay add id:1 id:1 --user id:1", "group relay remove id:1 member:2 --user id:1"],
            ["group relay remove id:1 member:2 --user id:1"]
        ),
    ]

    @Test("an enabled, disabled, nameless, renamed, deleted or foreign relay: each step works", arguments: relays)
    func steps(_ change: String, _ all: [String], _ one: [String]) throws {
        let cases = [
            ("channelWithoutRelay", "DELETE FROM group_relays", all),
            ("relayMemberWithoutRow", "DELETE FROM group_relays WHERE chat_relay_id = 7", one),
        ]
        for (id, loss, steps) in cases {
            let demo = try DemoStore.finished()
            #expect(try demo.sql("SELECT chat_relay_id FROM group_relays WHERE group_member_id = 3") == "1")
            try demo.sql(loss)
            try demo.sql(change)
            let text = try remedy(id, demo)
            for step in steps { try take(step, of: text, demo) }
            let left = try ids(checked(demo))
            #expect(left.allSatisfy { $0 == "channelWithoutActiveRelay" }, "\(change) \(loss): \(left)")
        }
    }

    @Test("a relay that was added again, and whose newer row is lost: an ended row of it does not hide it")
    func addedAgain() throws {
        let demo = try DemoStore.finished()
        try demo.sql("UPDATE group_relays SET relay_status = 'inactive' WHERE chat_relay_id = 7")
        try demo.succeed("group", "relay", "add", "id:1", "id:7", "--user", "id:1")
        try demo.sql("DELETE FROM group_relays WHERE group_relay_id = (SELECT max(group_relay_id) FROM group_relays)")
        try take("group relay add id:1 id:7 --user id:1", of: remedy("relayMemberWithoutRow", demo), demo)
        #expect(try !ids(checked(demo)).contains("relayMemberWithoutRow"))
    }

    @Test("two lost members of one relay: one step adds it, and the other way ends both memberships")
    func twoMembers() throws {
        let demo = try DemoStore.finished()
        try demo.sql("UPDATE group_relays SET relay_status = 'inactive' WHERE chat_relay_id = 7")
        try demo.succeed("group", "relay", "add", "id:1", "id:7", "--user", "id:1")
        try demo.sql("DELETE FROM group_relays WHERE chat_relay_id = 7")
        let members = try demo.sql(
            "SELECT group_member_id FROM group_members WHERE member_role = 'relay' AND group_member_id <> 3")
        let numbers = members.split(separator: "\n").map(String.init)
        #expect(numbers.count == 2, "\(members)")
        let text = try remedy("relayMemberWithoutRow", demo)
        #expect(text.contains("Add the relay of members \(numbers.joined(separator: " and ")) again, "), "\(text)")
        #expect(text.contains("end the memberships instead: "), "\(text)")
        for number in numbers {
            let command = ["group", "relay", "remove", "id:1", "member:\(number)", "--user", "id:1"]
            #expect(text.contains("chatdb \(command.joined(separator: " ")) "), "\(text)")
            let outcome = try demo(command + ["--yes"])
            #expect(outcome.code == 0, "\(outcome.errors)")
        }
        #expect(try ids(checked(demo)).isEmpty)
    }

    @Test("the relay of an operator that is off: the remedy names the command that turns it on, and then the relay")
    func operatorOff() throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM group_relays WHERE chat_relay_id = 1; UPDATE server_operators SET enabled = 0")
        let text = try remedy("relayMemberWithoutRow", demo)
        #expect(text.contains("or its operator is off (chatdb operator enable OPERATOR "), "\(text)")
        try demo.succeed("operator", "enable", "simplex")
        try take("group relay add id:1 id:1 --user id:1", of: remedy("relayMemberWithoutRow", demo), demo)
        #expect(try !ids(checked(demo)).contains("relayMemberWithoutRow"))
    }

    @Test("the member of a lost row has the only relay left: the remedy adds another one, and ends the membership")
    func onlyRelay() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            DELETE FROM group_relays; UPDATE chat_relays SET display_name = 'other' WHERE chat_relay_id = 7;
            UPDATE group_members SET member_status = 'left' WHERE group_member_id = 3
            """)
        let text = try remedy("channelWithoutRelay", demo)
        let add = "1. Add a relay to the channel: chatdb group relay add id:1 RELAY --user id:1"
        #expect(text.contains(add), "\(text)")
        #expect(text.contains("2. End the membership of member 2, unless the step before has ended it: "), "\(text)")
        try demo.succeed("group", "relay", "add", "id:1", "id:7", "--user", "id:1")
        try demo.succeed("group", "relay", "remove", "id:1", "member:2", "--user", "id:1", "--yes")
        #expect(try ids(checked(demo)) == ["channelWithoutActiveRelay"])
    }

    @Test("an unfinished channel that lost its rows of relays: its remedy refers to that of the rows first")
    func unfinished() throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM group_relays; UPDATE groups SET creating_in_progress = 1")
        let first = "channelWithoutRelay is about relays of group 1 (profile 1): first follow its remedy"
        #expect(try remedy("unfinishedChannel", demo) == "\(first), and then check again.")
        try take("group relay add id:1 id:7 --user id:1", of: remedy("channelWithoutRelay", demo), demo)
        #expect(try remedy("unfinishedChannel", demo).hasPrefix("chatdb group finish id:1 "))
        // Another channel keeps its own steps.
        try demo.succeed("group", "create", "blog", "--relay", "mine", "-u", "alice")
        try demo.sql("DELETE FROM group_relays WHERE group_id = 1")
        let both = try remedy("unfinishedChannel", demo)
        #expect(both.hasPrefix("channelWithoutRelay is about relays of group 1 (profile 1): "), "\(both)")
        #expect(both.contains("The rest is about other channels. chatdb group finish id:2 --link LINK "), "\(both)")
    }

    @Test("group relay remove takes the member only of a lost row: member:2")
    func memberWithRow() throws {
        let demo = try DemoStore.finished()
        let remove = ["group", "relay", "remove", "news", "member:2", "-u", "alice", "--yes", "--format", "json"]
        let refused = try demo(remove)
        #expect(try refused.refusal()["code"] == "groupRelayNotFound", "\(refused)")
        #expect(try demo.sql("SELECT member_status FROM group_members WHERE group_member_id = 2") == "connected")
    }

    @Test("an empty link counts as none: the remedy's group set-link asks for no confirmation")
    func emptyLink() throws {
        let demo = try DemoStore.finished()
        try demo.sql("UPDATE group_profiles SET group_link = ''")
        #expect(try remedy("channelWithoutLink", demo).contains("chatdb group set-link id:1 LINK --user id:1 "))
        let link = "https://own.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
        try demo.succeed("group", "set-link", "id:1", link, "--user", "id:1")
        #expect(try ids(checked(demo)).isEmpty)
    }

    @Test("group set-link --no-link asks before it removes the key of a lost link, and says what it did")
    func keyOfLostLink() throws {
        let demo = try DemoStore.finished()
        try demo.sql("UPDATE group_profiles SET group_link = NULL, group_link_key = 'smp#q@h.example'")
        let command = ["group", "set-link", "id:1", "--no-link", "--user", "id:1"]
        #expect(try demo(command).code == 64)
        let planned = try demo(command + ["--dry-run"])
        #expect(planned.output.contains("has no link. The key of its lost link would be removed."), "\(planned)")
        #expect(try ids(checked(demo)) == ["channelWithoutLink", "lostLink"])
        let removed = try demo(command + ["--yes"])
        #expect(removed.output.contains("has no link. The key of its lost link was removed."), "\(removed)")
        #expect(try ids(checked(demo)) == ["channelWithoutLink"])
        #expect(try demo(command).output.contains("has no link already; nothing was changed."))
    }

    @Test("a channel that the profile left: the relays of lost rows are no finding, because no command changes them")
    func leftChannel() throws {
        for change in ["member_status = 'left'", "member_role = 'admin'"] {
            let demo = try DemoStore.finished()
            try demo.sql("DELETE FROM group_relays WHERE chat_relay_id = 7")
            #expect(try ids(checked(demo)) == ["relayMemberWithoutRow"])
            try demo.sql("UPDATE group_members SET \(change) WHERE member_category = 'user'")
            #expect(try !ids(checked(demo)).contains("relayMemberWithoutRow"), "\(change)")
        }
    }

    @Test("a relay to add: the remedy names none that the channel has or had, and RELAY if there is no other")
    func relayToAdd() throws {
        let demo = try DemoStore.finished()
        try demo.sql("UPDATE group_relays SET relay_status = 'inactive'")
        let silent = try remedy("channelWithoutActiveRelay", demo)
        #expect(silent.contains("or with chatdb group relay add id:1 id:3 --user id:1 "), "\(silent)")
        // Both relays were taken out, and no row is left.
        try demo.sql("DELETE FROM group_relays")
        try demo.sql("UPDATE group_members SET member_status = 'removed' WHERE member_role = 'relay'")
        let bare = try remedy("channelWithoutRelay", demo)
        #expect(bare.contains("or with chatdb group relay add id:1 id:3 --user id:1"), "\(bare)")
        try demo.succeed("relay", "disable", "id:3", "-u", "alice")
        let none = try remedy("channelWithoutRelay", demo)
        #expect(none.contains("group relay add id:1 RELAY --user id:1 "), "\(none)")
        #expect(none.contains(" RELAY is an enabled relay of chatdb relay list --user id:1 "), "\(none)")
        #expect(none.contains("chatdb group relays id:1 --user id:1 "), "\(none)")
    }
}
