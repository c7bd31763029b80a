import ChatDBKit
import Foundation
import Testing

@Suite("names of groups in lists and on the command line")
struct GroupNamesTests {
    /// The demo with a second channel whose own name is `news`, and a started group whose name has an accent.
    private func demo() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        try demo.succeed("group", "prepare", GroupNounTests.link, "--name", "news")
        try demo.succeed("group", "prepare", GroupNounTests.groupLink, "--name", "caf\u{e9}")
        return demo
    }

    @Test("a list shows unique names, which the other commands take")
    func list() throws {
        let demo = try demo()
        let table = try demo(["group", "list"]).output
        #expect(table.contains(" news_1 "))
        let lines = try demo(["group", "list", "--format", "csv"]).output.split(separator: "\n").map(String.init)
        #expect(lines[0].split(separator: ",")[1] == "localDisplayName")
        let names = lines.dropFirst().map { String($0.split(separator: ",")[1]) }
        #expect(Set(names) == ["news", "news_1", "caf\u{e9}"] && names.count == 3)
        for name in names where name != "news" {
            #expect(try demo(["group", "show", name]).code == 0, "\(name)")
        }
    }

    @Test("the channels of a relay have the names of the list, also where two channels chose one name")
    func ofRelay() throws {
        let demo = try DemoStore.make()
        try demo.succeed("group", "create", "news", "--relay", "mine", "-u", "alice")
        let shown = try demo.succeed("relay", "show", "mine", "-u", "alice", "--format", "markdown").output
        #expect(shown.contains("| news_1 ") && shown.contains("| news "))
        try demo.succeed("group", "show", "news_1", "-u", "alice")
    }

    @Test("a name is found in any Unicode composition, and a name of two groups finds neither")
    func find() throws {
        let demo = try demo()
        #expect(try demo(["group", "show", "cafe\u{301}"]).code == 0)
        // Of news and news_1, which both call themselves news, it is the first.
        #expect(try demo.succeed("group", "show", "news").output.hasPrefix("news\n"))
        try demo.sql(
            """
            UPDATE group_profiles SET display_name = 'sport' WHERE group_profile_id =
                (SELECT group_profile_id FROM groups WHERE local_display_name = 'news' AND user_id = 1)
            """)
        #expect(try demo(["group", "show", "news", "--format", "json"]).refusal()["code"] == "ambiguousName")
        let missing = try demo(["group", "show", "nwes", "--format", "json"])
        #expect(try missing.refusal()["code"] == "groupNotFound")
        #expect(missing.errors.contains("news"))
        #expect(try demo(["group", "show", "id:99", "--format", "json"]).refusal()["code"] == "groupNotFound")
        // The error repeats an id as it was given, so that it is not taken for a name.
        for noun in ["group", "relay", "server", "contact", "user"] {
            let refusal = try demo([noun, "show", "id:99", "--format", "json"]).refusal()
            #expect(refusal["message"]?.stringValue?.contains("\"id:99\"") == true, "\(noun): \(refusal)")
            #expect(refusal["details"]?["name"] == "id:99", "\(noun): \(refusal)")
        }
    }

    @Test("the error of a second start says how to delete the group")
    func startedTwice() throws {
        let demo = try demo()
        try demo.succeed("group", "start", "caf\u{e9}")
        let again = try demo(["group", "start", "caf\u{e9}", "--format", "json"])
        #expect(try again.refusal()["code"] == "alreadyStarted" && again.errors.contains("chatdb group delete id:"))
    }

    @Test("The refusal of a step that was made before, or comes later, says the state of the group")
    func states() throws {
        let demo = try DemoStore.finished()
        let link = "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
        try demo.succeed("group", "prepare", link, "--name", "w", "-u", "alice")
        func message(_ verb: String, _ name: String) throws -> String {
            let consent = verb == "cancel" ? ["--yes"] : []
            let refusal = try demo(["group", verb, name, "-u", "alice", "--format", "json"] + consent).refusal()
            #expect(refusal["hint"] != nil && refusal["state"] == "Nothing was changed.", "\(verb) \(name)")
            return refusal["message"]?.stringValue ?? ""
        }
        #expect(try message("finish", "news").hasSuffix("it was finished before"))
        #expect(try message("cancel", "news").hasSuffix("a channel of the profile, and its creation is finished"))
        #expect(try message("leave", "w").hasSuffix("joining was not started"))
        try demo.succeed("group", "start", "w", "-u", "alice")
        #expect(try message("start", "w").hasSuffix("joining was started and is not done"))
        #expect(try message("leave", "w").hasSuffix("joining was started and is not done"))
        for verb in [["list"], ["show", "w"]] {
            #expect(try demo(["group"] + verb + ["-u", "alice"]).output.contains("connecting"), "\(verb)")
        }
    }

    @Test("An owner's channel whose relays are members only has no number of active relays above the list")
    func membersOnly() throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM group_relays")
        let relays = try demo.succeed("group", "relays", "news", "-u", "alice").output
        #expect(relays.contains("Relays of news: status unknown") && !relays.contains("0 of 0"), "\(relays)")
        #expect(relays.contains("(group_relays) are missing"))
        #expect(!relays.contains("(chat_relays)"))
        #expect(try !demo.succeed("group", "show", "news", "-u", "alice").output.contains("0 of 0"))
    }

    @Test(
        "a channel whose rows of relays are lost has the same state and the same relays in every list and format",
        arguments: [
            "DELETE FROM group_relays", "DELETE FROM group_members WHERE member_role = 'relay'",
            "DELETE FROM chat_relays WHERE chat_relay_id IN (SELECT chat_relay_id FROM group_relays)",
        ])
    func lostRows(_ loss: String) throws {
        let demo = try DemoStore.finished()
        try demo.sql("PRAGMA foreign_keys = OFF; \(loss)")
        func output(_ words: String...) throws -> String { try demo(words + ["-u", "alice"]).output }
        #expect(try output("group", "list").contains(" unknown "))
        #expect(try output("group", "list", "--format", "csv").contains(",unknown,"))
        #expect(try output("group", "show", "news").contains("Active relays:  unknown"))
        #expect(try output("group", "show", "news", "--format", "csv").contains("unknown"))
        let reason = "the list shows the relays as members"
        let hasMembers = !loss.contains("FROM group_members")
        #expect(try output("group", "show", "news").contains(reason) == hasMembers)
        #expect(try output("group", "relays", "news").contains(reason) == hasMembers)
        #expect(try output("group", "relays", "news").contains("Relays of news: status unknown"))
        let inspected = try demo.succeed("inspect").output
        #expect(inspected.contains(" unknown "), "\(inspected)")
        let html = try demo.succeed("inspect", "--html", "-").output
        #expect(html.contains("status unknown") && !html.contains("0 of 0 active"))
        // Programs read the same sign everywhere.
        let listed = try demo.succeed("group", "list", "-u", "alice", "--format", "json").answer()["groups"]?[0]
        let shown = try demo.succeed("group", "show", "news", "-u", "alice", "--format", "json").answer()
        let bundle = try demo.succeed("bundle", "--preview").answer()["channels"]?[0]
        for group in [listed, shown["group"], bundle] {
            #expect(group?["progressUnknown"] == true && group?["progress"]?["total"] == 0, "\(shown)")
        }
        let names = { (relays: JSONValue?) in (relays?.arrayValue ?? []).map { $0["name"] } }
        #expect(names(listed?["relays"]) == names(shown["relays"]))
        // inspect and diagnose name what check finds.
        let hasRows = try demo.sql("SELECT count(*) FROM group_relays") != "0"
        let (id, words) =
            hasRows
            ? ("channelWithoutActiveRelay", "1 channel has no relay that is known to be active")
            : ("channelWithoutRelay", "1 channel has lost the rows of its relays: their status is unknown")
        let findings = try demo("check", "--format", "json").answer()["findings"]?.arrayValue ?? []
        #expect(findings.contains { $0["id"]?.stringValue == id } && inspected.contains(words), "\(inspected)")
        let message = "the channel has no active relays"
        let diagnosed = try demo.succeed("diagnose", message, "--format", "json").output
        #expect(diagnosed.contains(id), "\(diagnosed)")
    }

    @Test("The relays of a channel whose rows refer to missing relays are not said to have no rows")
    func missingRelays() throws {
        let demo = try DemoStore.finished()
        func relays() throws -> String { try demo.succeed("group", "relays", "news", "-u", "alice").output }
        #expect(try !relays().contains("(group_relays)"))
        try demo.sql("UPDATE group_relays SET chat_relay_id = 99 WHERE chat_relay_id = 7")
        let one = try relays()
        #expect(one.contains("Relays of news: 1 of 1 active"), "\(one)")
        #expect(one.contains("Incomplete rows, which do not count\n") && one.contains(" mine (id:99, lost) "), "\(one)")
        // As check advises: the channel has another relay.
        let steps = one.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            steps.contains(
                """
                without a backup, or if no rows were lost, chatdb group relay remove id:1 row:1 -u alice deletes the row
                """), "\(one)")
        #expect(one.contains("if so, restore a backup, and delete no row"), "\(one)")
        #expect(!one.contains("shows the relays as members"))
        try demo.sql("UPDATE group_relays SET chat_relay_id = 99 + group_relay_id")
        let none = try relays()
        #expect(none.contains("Relays of news: status unknown") && !none.contains("are missing"), "\(none)")
        #expect(none.contains("mine (id:100, lost)"), "\(none)")
        #expect(none.contains("SimpleX Chat Relay 1 (id:101, lost)"), "\(none)")
        #expect(none.contains("chatdb group relay add id:1 RELAY -u alice adds another relay, and then"), "\(none)")
        #expect(none.contains("chatdb group relay remove id:1 row:1 -u alice deletes row 1\n"), "\(none)")
        let seen = try demo.succeed("inspect").output
        #expect(seen.contains(" mine (id:100, lost), "), "\(seen)")
        #expect(none.contains("all rows with the status of the relays are incomplete; the list"), "\(none)")
        // Such a row has only its id, although a list shows the name of its member.
        let refused = try demo("group", "relay", "remove", "news", "mine", "-u", "alice", "--dry-run")
        #expect(refused.code == 1 && refused.errors.contains("has no relay \"mine\"; the rows that lack"))
        let rows = "are row:1 (mine, id:100, lost), row:2 (SimpleX Chat Relay 1, id:101, lost)"
        #expect(refused.errors.contains(rows), "\(refused.errors)")
    }

    @Test("A lost relay of two channels has one name, with its id, in every list")
    func oneLostRelay() throws {
        let demo = try DemoStore.finished()
        try demo.succeed("group", "create", "talk", "--relay", "mine", "-u", "alice")
        try demo.sql("PRAGMA foreign_keys = OFF; DELETE FROM chat_relays WHERE chat_relay_id = 7")
        func output(_ words: String...) throws -> String { try demo(words + ["-u", "alice"]).output }
        let name = "mine (id:7, lost)"
        let (list, csv) = (try output("group", "list"), try output("group", "list", "--format", "csv"))
        // The table omits the end of a long text, and so has the word first.
        #expect(list.components(separatedBy: "lost: mine (id:7)").count == 3 && !list.contains("mine_1"), "\(list)")
        for text in [csv, try demo.succeed("inspect").output] {
            #expect(text.components(separatedBy: name).count == 3 && !text.contains("mine_1"), "\(text)")
        }
        // Of talk, no relay counts: it is listed as a member too, with the same name.
        for (channel, places) in [("news", 1), ("talk", 2)] {
            for verb in ["relays", "show"] {
                let text = try output("group", verb, channel)
                #expect(text.components(separatedBy: name).count == places + 1, "\(text)")
                #expect(!text.contains("mine_1"), "\(text)")
            }
        }
    }
}
