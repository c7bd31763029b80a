import ChatDBKit
import Foundation
import Testing

@Suite("relay delete")
struct RelayDeletingTests {
    private let sentence =
        "This relay is used by 1 channel. It will continue serving existing channels. It will be soft-deleted."

    @Test("For a relay in use, without a terminal: exit 64 with the app's message, and nothing changes")
    func noTerminal() throws {
        let demo = try DemoStore.make()
        let before = try demo.succeed("relay", "list", "-u", "alice", "--deleted").output
        let run = try demo("relay", "delete", "mine", "-u", "alice", "--format", "json")
        #expect(run.code == 64 && run.output.isEmpty)
        #expect(try run.refusal()["code"] == "confirmationNeeded")
        #expect(
            try run.refusal()["details"]?["question"]?.stringValue == sentence + " Delete \"mine\" of alice?")
        #expect(try demo.succeed("relay", "list", "-u", "alice", "--deleted").output == before)
    }

    @Test("On a terminal it asks: any answer but yes keeps the relay, yes soft-deletes it")
    func asking() throws {
        let demo = try DemoStore.make()
        let no = try demo.onTerminal("relay", "delete", "mine", "-u", "alice", input: "\n")
        #expect(no.code == 1)
        #expect(no.output.contains(sentence + " Delete \"mine\" of alice? [y/N]"))
        #expect(try demo.sql("SELECT deleted FROM chat_relays WHERE chat_relay_id = 7") == "0")
        let yes = try demo.onTerminal("relay", "delete", "mine", "-u", "alice", input: "y\n")
        #expect(yes.code == 0)
        #expect(yes.output.contains("The relay mine of alice was soft-deleted; the channel that uses it keeps it."))
        #expect(try demo.sql("SELECT deleted FROM chat_relays WHERE chat_relay_id = 7") == "1")
    }

    @Test(
        "If the relay changed between question and answer, chatdb leaves it alone: exit 75",
        arguments: [
            "UPDATE chat_relays SET display_name = 'other' WHERE chat_relay_id = 7",
            "UPDATE group_members SET member_status = 'creator' WHERE member_category = 'user'",
        ])
    func changedMeanwhile(_ change: String) throws {
        let demo = try DemoStore.make()
        try demo.succeed("group", "create", "talk", "--relay", "mine", "-u", "alice")
        try demo.sql("UPDATE group_members SET member_status = 'left' WHERE member_category = 'user' AND group_id = 2")
        let run = try TerminalRun(["relay", "delete", "mine", "-u", "alice"], in: demo)
        let sentence =
            "This relay is used by 1 channel; 1 more that the profile is no longer in refers to it. It will continue"
        _ = try run.terminal.read(
            until: sentence + " serving existing channels. It will be soft-deleted. Delete \"mine\" of alice? [y/N] ")
        try demo.sql(change)
        run.terminal.type("y\n")
        let end = try run.end()
        #expect(end.code == 75 && end.answer.isEmpty)
        #expect(end.shown.contains("Nothing was changed."))
        #expect(try demo.sql("SELECT deleted FROM chat_relays WHERE chat_relay_id = 7") == "0")
    }

    @Test("With --yes it shows the app's message, and reports the kind of deletion and the number of channels")
    func softDeleted() throws {
        let demo = try DemoStore.make()
        try demo.succeed("group", "create", "talk", "--relay", "mine", "-u", "alice")
        let run = try demo.succeed("relay", "delete", "mine", "-u", "alice", "--yes", "--format", "json")
        #expect(
            run.errors == "note: This relay is used by 2 channels. It will continue serving existing channels. "
                + "It will be soft-deleted.\n")
        let answer = try run.answer()
        #expect(answer["outcome"] == "softDeleted" && answer["channelsUsing"] == 2)
        #expect(answer["relay"]?["chatRelayId"] == 7 && answer["relay"]?["deleted"] == true)
        #expect(answer["user"] == ["userId": 1, "name": "alice"])
        let groups = try demo.succeed("group", "list", "-u", "alice", "--format", "json").answer()["groups"]
        #expect(groups?[0]?["relays"]?[0]?["userChatRelayId"] == 7, "the channel keeps showing it")
        #expect(try demo("group", "create", "x", "--relay", "mine", "-u", "alice").code == 1)
    }

    @Test("A dry run says what would be done, in the words of the answer, for both kinds of deletion")
    func dryRun() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "add", DemoStore.relay, "--name", "own", "-u", "work")
        for (relay, user, done) in [("mine", "alice", "soft-deleted;"), ("own", "work", "deleted.")] {
            let dry = try demo.succeed("relay", "delete", relay, "-u", user, "--dry-run").output
            #expect(dry.hasPrefix("The relay \(relay) of \(user) would be \(done)"), "\(dry)")
            #expect(!dry.contains("was ") && dry.contains("chatdb would first keep"), "\(dry)")
            let answer = try demo.succeed("relay", "delete", relay, "-u", user, "--yes").output
            let sentence = { (text: String) in text.prefix { $0 != "\n" }.replacing("would be", with: "was") }
            #expect(sentence(answer) == sentence(dry))
        }
    }

    @Test("A second deletion finds nothing, and adding the address restores the relay with its channels")
    func twice() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "delete", "mine", "-u", "alice", "--yes")
        for name in ["mine", "id:7", DemoStore.sameRelay] {
            let run = try demo("relay", "delete", name, "-u", "alice", "--yes", "--format", "json")
            #expect(run.code == 1, "\(name)")
            #expect(try run.refusal()["code"] == "relayNotFound", "\(name)")
            let message = try run.refusal()["message"]?.stringValue ?? ""
            #expect(message.hasSuffix("is deleted; it is kept only for the channels that have or had it"), "\(message)")
            let hint = try run.refusal()["hint"]?.stringValue ?? ""
            #expect(hint == "chatdb relay add '\(DemoStore.relay)' -u alice restores it", "\(hint)")
        }
        let page = try demo.succeed("relay", "show", "id:7", "-u", "alice").output
        #expect(page.contains(DemoStore.relay), "\(page)")
        let shown = try demo.succeed("relay", "show", "mine", "-u", "alice", "--format", "json").answer()
        #expect(shown["relay"]?["deleted"] == true && shown["usedBy"]?.arrayValue?.count == 1)
        let back = try demo.succeed("relay", "add", DemoStore.relay, "-u", "alice", "--format", "json").answer()
        #expect(back["outcome"] == "restored" && back["relay"]?["chatRelayId"] == 7)
    }

    @Test("A relay to which nothing refers is asked about too; for the last enabled one there is a warning")
    func unused() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "add", DemoStore.relay, "--name", "own", "-u", "work")
        try demo.succeed("operator", "disable", "simplex")
        let asked = try demo("relay", "delete", "own", "-u", "work", "--format", "json")
        #expect(asked.code == 64)
        #expect(
            try asked.refusal()["details"]?["question"]?.stringValue
                == "No channel refers to this relay. It will be deleted from the store. Delete \"own\" of work?")
        let run = try demo.succeed("relay", "delete", "own", "-u", "work", "--yes", "--format", "json")
        let answer = try run.answer()
        #expect(answer["outcome"] == "deleted" && answer["channelsUsing"] == 0)
        #expect(answer["relay"]?["name"] == "own", "as it was")
        #expect(run.errors == "warning: No chat relays enabled. Channels require at least one relay.\n")
        #expect(try demo.sql("SELECT count(*) FROM chat_relays WHERE user_id = 2 AND preset = 0") == "0")
        #expect(try demo.sql("SELECT deleted FROM chat_relays WHERE chat_relay_id = 7") == "0", "alice's is another")
    }

    @Test("A left channel still refers to the relay: it asks without a promise, and the row stays")
    func leftChannel() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE group_members SET member_status = 'left' WHERE member_category = 'user'")
        let refused = try demo("relay", "delete", "mine", "-u", "alice", "--format", "json")
        #expect(refused.code == 64)
        let left =
            "This relay is used by no channel; 1 channel that the profile is no longer in refers to it. It will be soft-deleted."
        #expect(try refused.refusal()["details"]?["question"]?.stringValue == left + " Delete \"mine\" of alice?")
        let run = try demo.succeed("relay", "delete", "mine", "-u", "alice", "--yes")
        #expect(run.errors == "note: \(left)\n")
        #expect(
            run.output.hasPrefix(
                "The relay mine of alice was soft-deleted: "
                    + "1 channel that the profile is no longer in refers to it.\n"))
    }

    @Test("The sentence counts the channels that the relay serves, and counts the others by their reason")
    func reasons() throws {
        let demo = try DemoStore.make()
        for name in ["b", "c", "d", "e", "f"] {
            try demo.succeed("group", "create", name, "--relay", "mine", "-u", "alice")
        }
        try demo.sql(
            """
            UPDATE group_relays SET relay_status = 'dreaming' WHERE group_id = 1;
            UPDATE group_relays SET relay_status = 'inactive' WHERE group_id IN (3, 4);
            UPDATE group_relays SET relay_status = 'rejected' WHERE group_id = 5;
            UPDATE group_members SET member_status = 'left' WHERE group_id = 6 AND member_category = 'user';
            """)
        let run = try demo.succeed("relay", "delete", "mine", "-u", "alice", "--dry-run", "--format", "json")
        #expect(try run.answer()["channelsUsing"] == 2)
        let shown = try demo.succeed("relay", "delete", "mine", "-u", "alice", "--dry-run").output
        #expect(
            shown.contains(
                "The relay mine of alice would be soft-deleted; the 2 channels that use it keep it; in 2 more it "
                    + "is inactive; in 1 more it is rejected; 1 more that the profile is no longer in refers to it."),
            "\(shown)")
        let asked = try demo("relay", "delete", "mine", "-u", "alice", "--format", "json").refusal()
        #expect(
            asked["details"]?["question"]?.stringValue
                == "This relay is used by 2 channels; in 2 more it is inactive; in 1 more it is rejected; "
                + "1 more that the profile is no longer in refers to it. It will continue serving existing channels. "
                + "It will be soft-deleted. Delete \"mine\" of alice?")
    }

    @Test("relay delete asks about a relay that is inactive in its only channel; refusing a new address gives a hint")
    func inactive() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE group_relays SET relay_status = 'inactive' WHERE chat_relay_id = 7")
        let asked = try demo("relay", "delete", "mine", "-u", "alice", "--format", "json")
        #expect(asked.code == 64)
        #expect(
            try asked.refusal()["details"]?["question"]?.stringValue
                == "This relay is used by no channel; in 1 channel it is inactive. It will be soft-deleted. "
                + "Delete \"mine\" of alice?")
        let moved = try demo(
            "relay", "edit", "mine", "--address", DemoStore.otherRelay, "-u", "alice", "--format", "json")
        #expect(try moved.refusal()["code"] == "relayInUse")
        #expect(try moved.refusal()["details"]?["channelsUsing"] == 0)
        #expect(try moved.refusal()["message"]?.stringValue?.contains("inactive or rejected, refers to it") == true)
        let hint = try moved.refusal()["hint"]?.stringValue
        #expect(hint?.hasPrefix("chatdb relay delete id:7 -u alice deletes it, and its channels keep it") == true)
        #expect(hint?.hasSuffix("chatdb relay show id:7 -u alice lists the channels that refer to the old one") == true)
        let shown = try demo.succeed("relay", "show", "id:7", "-u", "alice", "--format", "json").answer()
        #expect(shown["otherChannels"]?.arrayValue?.map { $0["name"] } == ["news"])
    }

    @Test("A preset relay cannot be deleted, with --yes or without, and the hint says what to do instead")
    func preset() throws {
        let demo = try DemoStore.make()
        for arguments in [[], ["--yes"]] {
            let run = try demo(["relay", "delete", "1", "-u", "alice", "--format", "json"] + arguments)
            #expect(run.code == 1)
            #expect(try run.refusal()["code"] == "presetRelayCannotBeDeleted")
            #expect(try run.refusal()["hint"] == "chatdb relay disable id:1 -u alice")
        }
    }
}
