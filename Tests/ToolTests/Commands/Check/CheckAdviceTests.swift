import ChatDBKit
import Testing

@testable import ChatDBTool

/// The advice of several commands about one store agrees. Rule: docs/checks.md, "Checks".
@Suite("advice about a store that lost something") struct CheckAdviceTests: CheckTesting {
    private func remedy(_ id: String, _ demo: ToolRun) throws -> String {
        let findings = try checked(demo)["findings"]?.arrayValue ?? []
        return findings.first { $0["id"]?.stringValue == id }?["remedy"]?.stringValue ?? ""
    }

    @Test("check and inspect of an older store in an archive name the commands that unpack and upgrade it")
    func olderArchive() throws {
        let demo = try DemoStore.make()
        try demo.succeed("migrate", "down", "--steps", "1", "--yes", "-q", "--no-backup")
        try demo.archive()
        let findings = try demo("check", "-d", "archive.zip", "--format", "json").answer()["findings"]?.arrayValue ?? []
        let remedy = findings.first { $0["id"] == "olderVersion" }?["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("chatdb archive unpack ") && remedy.contains("chatdb migrate up -d NEW"), "\(remedy)")
        let next = try demo("inspect", "-d", "archive.zip", "--format", "json").answer()["next"]?.texts ?? []
        #expect(next.count == 4 && next.first?.hasPrefix("chatdb migrate plan -d ") == true, "\(next)")
        for command in next.dropFirst().prefix(2) {
            let run = try demo.shell(command.replacing("chatdb ", with: "$CHATDB "))
            #expect(run.code == 0, "\(command): \(run.errors)")
        }
        let checked = try demo("migrate", "status", "-d", "NEW", "--exit-code")
        #expect(checked.code == 0, "\(checked.output) \(checked.errors)")
    }

    @Test("the agent file of another store: other findings refer to mismatchedPair, which names the backups")
    func mismatched() throws {
        let demo = try DemoStore.make()
        #expect(try remedy("unfinishedChannel", demo).contains("chatdb group finish"))
        try demo.succeed("backup", "make")
        try demo.succeed("migrate", "run", "-d", "y", "-q")
        #expect(try demo.shell("rm -f x_agent.db*; cp y_agent.db x_agent.db").code == 0)
        #expect(
            try remedy("unfinishedChannel", demo)
                == "The commands for that accept only a store whose two databases belong together: "
                + "see mismatchedPair first.")
        let pair = try remedy("mismatchedPair", demo)
        #expect(pair.contains("chatdb restore FOLDER --force") && pair.contains("chatdb backup list"), "\(pair)")
    }

    @Test("a relay without its member: a relay is to be added only while the channel has no current one")
    func lostMember() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            PRAGMA foreign_keys = OFF; DELETE FROM group_members WHERE group_member_id = 2;
            UPDATE group_relays SET relay_status = 'inactive' WHERE group_relay_id <> 1
            """)
        let delete =
            "1. Delete the row of the relay that has lost its member; the answer names the relay: "
            + "chatdb group relay remove id:1 row:1 --user id:1."
        func advice() throws -> String {
            try remedy("chatDanglingReference", demo).replacing(" -d \(demo.store)", with: "")
        }
        let before = try advice()
        #expect(
            before.hasSuffix(
                "Channel id:1 (profile 1): \(delete) 2. Add that relay again, or another one: chatdb group relay add "
                    + "id:1 RELAY --user id:1."), "\(before)")
        try demo.succeed("group", "relay", "add", "id:1", "id:7", "--user", "id:1")
        let after = try advice()
        #expect(after.hasSuffix("Channel id:1 (profile 1), has a relay already: \(delete)"), "\(after)")
        // The relay is in the channel, so the only step is enough.
        try demo.succeed("group", "relay", "remove", "id:1", "row:1", "--user", "id:1", "--yes")
        #expect(try remedy("chatDanglingReference", demo).isEmpty)
    }

    @Test("a channel that lost a relay, and the member of another one: the remedy names both, and adds a relay once")
    func relayAndMember() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            PRAGMA foreign_keys = OFF; UPDATE group_relays SET chat_relay_id = 99 WHERE group_relay_id = 1;
            DELETE FROM group_members WHERE group_member_id = 3
            """)
        let text = try remedy("chatDanglingReference", demo)
        #expect(text.contains("Relays of channels are lost. Relays of channels have lost their members."), "\(text)")
        #expect(text.components(separatedBy: "chatdb group relay add ").count == 2, "\(text)")
        #expect(text.contains("3. Delete the row of the relay that has lost its member; "), "\(text)")
        // The list has no advice about one row alone.
        let page = try demo.succeed("group", "relays", "news", "-u", "alice").output
        #expect(page.contains("shows whether rows were lost, and its remedy has the next step"), "\(page)")
        #expect(!page.contains("group relay remove"), "\(page)")
        for command in ["add id:1 id:3", "remove id:1 row:1 --yes", "remove id:1 row:2 --yes"] {
            let run = try demo(["group", "relay"] + command.split(separator: " ").map(String.init) + ["-u", "id:1"])
            #expect(run.code == 0, "\(command): \(run.errors)")
        }
        #expect(try !ids(checked(demo)).contains("chatDanglingReference"))
    }

    /// A store that lacks a database, or whose databases do not belong together.
    private static let broken = [
        ("without the agent database", "rm x_agent.db*", LossCautions.ofOneDatabase.union(LossCautions.listsOfChat)),
        ("without the chat database", "rm x_chat.db*", LossCautions.ofOneDatabase),
        (
            "with the agent database of another store",
            "$CHATDB migrate run -d y; rm -f x_agent.db*; cp y_agent.db x_agent.db", [.restore]
        ),
        ("with exchanged files", "mv x_chat.db z; mv x_agent.db x_chat.db; mv z x_agent.db", []),
        ("with the chat database twice", "rm -f x_agent.db*; cp x_chat.db x_agent.db", []),
    ]

    @Test("a remedy names only commands that accept the store, which may lack a database", arguments: broken)
    func accepted(_ name: String, _ damage: String, _ others: Set<CommandName>) throws {
        let demo = try DemoStore.finished()
        try demo.succeed("backup", "make", "b")
        #expect(try demo.shell("set -e; mv b/* c; \(damage)").code == 0)
        let arguments: [CommandName: [String]] = [
            .diagnose: ["noActiveUser"], .query: ["SELECT 1"], .salvage: ["--output", "new"], .bundleWrite: ["f"],
            .restore: ["c", "--force", "--dry-run"], .relayUsage: ["id:1", "-u", "id:1"],
            .groupShow: ["id:1", "-u", "id:1"], .groupMembers: ["id:1", "-u", "id:1"],
            .groupRelays: ["id:1", "-u", "id:1"], .contactShow: ["id:1", "-u", "id:1"], .backupVerify: ["c"],
        ]
        for command in LossCautions.ofAnyStore.union(others) where command != .find {
            let run = try demo(Array(command.words.dropFirst()) + (arguments[command] ?? []) + ["--format", "json"])
            let code = run.code == 0 ? nil : try? run.refusal()["code"]?.stringValue
            let refusals = ["incompleteStore", "mismatchedPair", "notOurStore", "readOnlyStore"]
            #expect(!refusals.contains(code ?? ""), "\(name): \(command): \(run.errors)")
        }
    }

    @Test("a truncated file: an ordinary command names check")
    func truncated() throws {
        let demo = try DemoStore.finished()
        #expect(try demo.shell("truncate -s 200000 x_chat.db").code == 0)
        for command in [["relay", "list"], ["user", "add", "bob"], ["migrate", "run"]] {
            let outcome = try demo(command)
            #expect(outcome.code == 66 && outcome.errors.contains("is truncated"), "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("hint: chatdb check"), "\(command): \(outcome.errors)")
        }
    }

    @Test("a lost relay: inspect does not say that the channel has no relay, as check does not")
    func lostRelay() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            "PRAGMA foreign_keys = OFF; DELETE FROM chat_relays WHERE chat_relay_id IN (SELECT chat_relay_id FROM group_relays)"
        )
        #expect(try remedy("chatDanglingReference", demo).contains("chatdb group relay add id:1 RELAY --user id:1"))
        #expect(try remedy("chatDanglingReference", demo).contains("chatdb restore FOLDER -d "))
        #expect(try remedy("channelWithoutRelay", demo).isEmpty)
        let warnings = try demo("inspect", "--format", "json").answer()["warnings"]?.texts ?? []
        #expect(!warnings.contains { $0.contains("has no relay.") }, "\(warnings)")
        #expect(warnings.contains { $0.contains("1 channel has no relay that is known to be active.") }, "\(warnings)")
    }

    @Test("a lost relay: the finding names the channel and the profile, and the channel has no active relay")
    func channelOfLostRelay() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            PRAGMA foreign_keys = OFF; UPDATE group_relays SET relay_status = 'inactive' WHERE chat_relay_id <> 7;
            DELETE FROM chat_relays WHERE chat_relay_id = 7
            """)
        let findings = try checked(demo)["findings"]?.arrayValue ?? []
        let lost = try #require(findings.first { $0["id"] == "chatDanglingReference" }, "\(findings)")
        #expect(lost["sample"] == ["group_relays 1: chat_relay_id in chat_relays"], "\(lost)")
        #expect(lost["detail"] == "relays of group 1 (profile 1) are lost", "\(lost)")
        let row = lost["rows"]?[0]
        #expect(row?["table"] == "group_relays" && row?["row"] == 1 && row?["userId"] == 1 && row?["groupId"] == 1)
        let text = lost["remedy"]?.stringValue ?? ""
        #expect(text.contains("chatdb group relay remove id:1 row:1 --user id:1"), "\(text)")
        let silent = findings.first { $0["id"] == "channelWithoutActiveRelay" }
        #expect(silent?["sample"] == ["group 1 (profile 1)"], "\(findings)")
        // Without any row that counts, no list and no warning says how many relays are active.
        try demo.sql("UPDATE group_relays SET chat_relay_id = 99 WHERE chat_relay_id <> 7")
        let warnings = try demo("inspect", "--format", "json").answer()["warnings"]?.texts ?? []
        #expect(warnings.contains { $0.contains("1 channel has no relay that is known to be active.") }, "\(warnings)")
        let page = try demo("check").output
        #expect(page.contains("Channels of a profile that have no relay that is known to be active."), "\(page)")
        #expect(try demo.succeed("group", "list", "-u", "alice").output.contains(" unknown "))
        #expect(try demo.succeed("group", "show", "id:1", "-u", "alice").output.contains("unknown"))
        #expect(try demo.succeed("inspect").output.contains(" unknown "))
    }

    @Test("a lost relay: other remedies say to follow the remedy of the loss first, and then to check again")
    func firstTheLoss() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            PRAGMA foreign_keys = OFF; UPDATE group_relays SET relay_status = 'accepted', relay_link = NULL;
            UPDATE group_members SET relay_link = NULL WHERE member_role = 'relay';
            DELETE FROM chat_relays WHERE display_name = 'mine'
            """)
        let text = try remedy("acceptedRelayWithoutLink", demo)
        #expect(text.contains("Without one, first follow the remedy of chatDanglingReference, and then check again."))
        #expect(
            try remedy("channelWithoutActiveRelay", demo)
                == "chatDanglingReference is about relays of the same channels: first follow its remedy, and then check again."
        )
    }

    @Test("a lost relay without a backup: after the commands of the remedy, check finds nothing more of it")
    func lostRelayWithoutBackup() throws {
        let demo = try DemoStore.finished()
        try demo.sql("PRAGMA foreign_keys = OFF; DELETE FROM chat_relays WHERE display_name = 'mine'")
        let text = try remedy("chatDanglingReference", demo)
        #expect(text.contains("Delete the row of the lost relay, which ends its membership: "), "\(text)")
        #expect(text.contains(" to the profile again: chatdb relay add ADDRESS --user id:1 "), "\(text)")
        try demo.succeed("group", "relay", "add", "id:1", "id:3", "--user", "id:1")
        let rows = try demo.succeed("group", "relays", "id:1", "--user", "id:1").output
        #expect(rows.contains("chatdb group relay remove id:1 row:1"), "\(rows)")
        try demo.succeed("group", "relay", "remove", "id:1", "row:1", "--user", "id:1", "--yes")
        #expect(try demo.succeed("check", "--format", "json").answer()["findings"] == [])
        let members = "SELECT member_status FROM group_members WHERE group_member_id IN (2, 3) ORDER BY group_member_id"
        #expect(try demo.sql(members) == "removed\nconnected")
    }

    @Test("a lost relay and a lost name: after the steps of the remedy and its repair, check finds nothing more")
    func lostRelayAndName() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            PRAGMA foreign_keys = OFF; DELETE FROM chat_relays WHERE display_name = 'mine';
            UPDATE group_members SET local_display_name = 'other' WHERE group_member_id = 3
            """)
        let findings = try checked(demo)["findings"]?.arrayValue ?? []
        let lost = try #require(findings.first { $0["id"] == "chatDanglingReference" }, "\(findings)")
        #expect(lost["fixable"] == true, "\(lost)")
        let names = "the reserved names of member 3 of group 1 (profile 1) are lost"
        #expect(lost["detail"]?.stringValue == "relays of group 1 (profile 1) are lost; \(names)", "\(lost)")
        let text = try remedy("chatDanglingReference", demo).replacing(" -d \(demo.store)", with: "")
        #expect(text.contains("Without a backup, chatdb check --fix reserves the lost names again"), "\(text)")
        try demo.succeed("group", "relay", "remove", "id:1", "row:1", "--user", "id:1", "--yes")
        try demo.succeed("check", "--fix", "--yes")
        // The name that the member had before is free now.
        #expect(try checked(demo)["findings"]?.arrayValue?.map { $0["id"] } == ["unusedDisplayName"])
        try demo.succeed("check", "--fix", "--yes")
        #expect(try demo.succeed("check", "--format", "json").answer()["findings"] == [])
    }

    @Test("several relays of one channel: the commands of the remedy have what the relays have in common")
    func severalRelays() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            UPDATE group_relays SET relay_link = NULL;
            UPDATE group_members SET relay_link = NULL WHERE member_role = 'relay'
            """)
        let text = try remedy("acceptedRelayWithoutLink", demo)
        #expect(text.contains("chatdb group relay remove id:1 ROW --user id:1 "), "\(text)")
    }

    @Test("lost rows of relays: group list and check say how to see the loss before a channel is deleted")
    func lostRows() throws {
        let demo = try DemoStore.make()
        try demo.sql("DELETE FROM group_relays")
        let list = try demo("group", "list", "-u", "alice")
        let show = try demo("group", "show", "id:1", "-u", "alice")
        for (output, name) in [(list.output, "GROUP"), (show.output, "id:1")] {
            let parts = output.components(
                separatedBy:
                    "if not, chatdb group relay add \(name) RELAY -u alice adds a relay, or chatdb group cancel \(name)"
            )
            #expect(parts.count == 2, "\(output)")
            #expect(parts[0].contains("if chatdb group members \(name) -u alice shows"), "\(output)")
        }
        let text = try remedy("unfinishedChannel", demo)
        #expect(text.hasPrefix("channelWithoutRelay is about relays of group 1 "), "\(text)")
        #expect(!text.contains("chatdb group cancel"), "\(text)")
        let members = try demo("group", "members", "id:1", "-u", "alice")
        #expect(members.code == 0 && members.output.contains("relay"), "\(members.output)")
    }

    @Test("a lost profile: its own contact is said to follow from the loss")
    func lostProfile() throws {
        let demo = try DemoStore.finished()
        try demo.sql("PRAGMA foreign_keys = OFF; DELETE FROM users WHERE local_display_name = 'work'")
        let text = try remedy("strayOwnContact", demo)
        #expect(text.contains("The chat database lost rows (chatDanglingReference)"), "\(text)")
    }

    @Test("schema dump warns of a definition that no migration can have")
    func quotedText() throws {
        let chatdb = try ToolRun()
        try chatdb.sql("CREATE TABLE t (kind TEXT CHECK (kind IN (\"x\", \"y\")))", in: "app.db")
        let dump = try chatdb.succeed("schema", "dump", "--database", "chat=app.db")
        #expect(dump.output.contains("CREATE TABLE t"))
        #expect(
            dump.errors.contains("statement 1 of the chat database cannot be run again (no such column"),
            "\(dump.errors)")
        #expect(dump.errors.contains("docs/adoption.md"), "\(dump.errors)")
        let sound = try chatdb.shell("sqlite3 b.db 'CREATE TABLE t (a)'; $CHATDB schema dump --database chat=b.db")
        #expect(sound.code == 0 && sound.errors.isEmpty, "\(sound.errors)")
    }
}
