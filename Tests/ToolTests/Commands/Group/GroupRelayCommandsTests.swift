import ChatDBKit
import Foundation
import Testing

@Suite("group relay and group set-link")
struct GroupRelayCommandsTests {
    private static let relayLink = "https://made.example/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"

    private func demo() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        return demo
    }

    @Test("a relay goes from new to active by its steps, and each answer has the statuses and the progress")
    func steps() throws {
        let demo = try demo()
        var from = "new"
        for (step, status) in [
            (["invite"], "invited"), (["accept"], "accepted"), (["acknowledge"], "acknowledged_roster"),
            (["activate"], "active"), (["deactivate"], "inactive"),
        ] {
            let link = step == ["accept"] ? ["--link", Self.relayLink] : []
            let answer = try demo(["group", "relay"] + step + ["news", "mine"] + link + ["--format", "json"]).answer()
            #expect(answer["from"]?.stringValue == from && answer["relay"]?["relayStatus"]?.stringValue == status)
            #expect(answer["group"]?["progress"]?["active"] == (status == "active" ? 1 : 0))
            from = status
        }
        #expect(try demo.sql("SELECT relay_link FROM group_relays WHERE group_relay_id = 1") == Self.relayLink)
        #expect(try demo.sql("SELECT relay_link FROM group_members WHERE group_member_id = 2") == Self.relayLink)
        let again = try demo("group", "relay", "activate", "news", "mine", "--format", "json")
        #expect(try again.code == 1 && again.refusal()["code"] == "relayStepNotAllowed")
        try demo.succeed("group", "relay", "invite", "news", "smp5.simplex.im")
        let rejected = try demo.succeed("group", "relay", "reject", "news", "row:2")
        #expect(
            rejected.output.hasPrefix(
                "The relay SimpleX Chat Relay 1 of the channel news is rejected. It was connecting."))
    }

    @Test("a step that is not allowed names the channel and the step that is next")
    func notAllowed() throws {
        let demo = try demo()
        let early = try demo("group", "relay", "activate", "news", "mine")
        #expect(early.code == 1, "\(early.errors)")
        #expect(
            early.errors.contains(
                "the relay \"mine\" (row:1) cannot become active in the channel \"news\": it is new there, and the steps"
            ))
        #expect(early.errors.contains("hint: chatdb group relay invite id:1 row:1"), "\(early.errors)")
        try demo.succeed("group", "relay", "invite", "news", "mine")
        let again = try demo("group", "relay", "invite", "news", "mine").errors
        #expect(again.contains("the relay \"mine\" (row:1) is connecting in the channel \"news\" already"), "\(again)")
        // After a refusal, only another relay or a new row helps.
        try demo.succeed("group", "relay", "reject", "news", "mine")
        let rejected = try demo("group", "relay", "invite", "news", "mine").errors
        #expect(rejected.contains("it is rejected there, and takes no step any more"), "\(rejected)")
        #expect(rejected.contains("hint: chatdb group relay add id:1 RELAY adds another relay"), "\(rejected)")
        #expect(rejected.contains("with id:7, it adds this one again"), "\(rejected)")
        try demo.succeed("relay", "disable", "mine")
        #expect(try !demo("group", "relay", "invite", "news", "mine").errors.contains("adds this one again"))
    }

    @Test("group relay accept refuses the address of the relay, and the relay stays invited")
    func ownAddress() throws {
        let demo = try demo()
        try demo.succeed("group", "relay", "invite", "news", "mine")
        for link in [DemoStore.relay, DemoStore.sameRelay] {
            let run = try demo("group", "relay", "accept", "news", "mine", "--link", link, "--format", "json")
            #expect(run.code == 65, "\(run.output) \(run.errors)")
            #expect(try run.refusal()["code"] == "invalidRelayLink")
            #expect(run.errors.contains("is the address of the relay") && !run.errors.contains("Fp5RWXkiRFg"))
        }
        #expect(try demo.sql("SELECT relay_status FROM group_relays WHERE group_relay_id = 1") == "invited")
    }

    @Test("group relay accept refuses the link of the channel, and the relay stays invited")
    func linkOfChannel() throws {
        let demo = try demo()
        try demo.succeed("group", "set-link", "news", GroupNounTests.channelLink)
        try demo.succeed("group", "relay", "invite", "news", "mine")
        let run = try demo("group", "relay", "accept", "news", "mine", "--link", GroupNounTests.channelLink)
        #expect(run.code == 65 && run.errors.contains("the link is that of the channel \"news\""), "\(run.errors)")
        #expect(try demo.sql("SELECT relay_status FROM group_relays WHERE group_relay_id = 1") == "invited")
    }

    @Test("group relay accept refuses the link of another relay of the channel, and the relay stays invited")
    func linkOfOtherRelay() throws {
        let demo = try demo()
        for relay in ["mine", "smp5.simplex.im"] { try demo.succeed("group", "relay", "invite", "news", relay) }
        try demo.succeed("group", "relay", "accept", "news", "mine", "--link", Self.relayLink)
        let run = try demo("group", "relay", "accept", "news", "row:2", "--link", Self.relayLink)
        #expect(run.code == 65, "\(run.errors)")
        #expect(
            run.errors.contains("the link is that of the relay \"mine\" of the channel \"news\" (id:1); each relay"),
            "\(run.errors)")
        #expect(try demo.sql("SELECT relay_status FROM group_relays WHERE group_relay_id = 2") == "invited")
    }

    @Test("group relay accept refuses a text that is no link, and the relay stays invited")
    func noLink() throws {
        let demo = try demo()
        try demo.succeed("group", "relay", "invite", "news", "mine")
        for (link, reason) in [
            ("LINK", "it begins with neither https:// nor simplex:/"), ("hello", "it begins with neither"),
            ("https://h.example/c#abc", "its key has 3 characters; expected 43"),
            ("https://h.example/c#a", "its key has 1 character; expected 43"),
        ] {
            let run = try demo("group", "relay", "accept", "news", "mine", "--link", link, "--format", "json")
            #expect(run.code == 65, "\(run.output) \(run.errors)")
            #expect(try run.refusal()["code"] == "invalidRelayLink")
            #expect(run.errors.contains(reason), "\(run.errors)")
        }
        #expect(try demo.sql("SELECT relay_status FROM group_relays WHERE group_relay_id = 1") == "invited")
    }

    @Test("a relay that has accepted without its link becomes active only after accept has stored the link")
    func missingLink() throws {
        let demo = try demo()
        try demo.sql("UPDATE group_relays SET relay_status = 'accepted' WHERE group_relay_id = 1")
        let early = try demo("group", "relay", "activate", "news", "mine")
        #expect(early.code == 1 && early.errors.contains("its link for the channel is missing"), "\(early.errors)")
        let hint = "hint: chatdb group relay accept id:1 row:1 --link LINK is the next step"
        #expect(early.errors.contains(hint), "\(early.errors)")
        let added = try demo.succeed("group", "relay", "accept", "news", "mine", "--link", Self.relayLink).output
        #expect(added.hasPrefix("The relay mine of the channel news is accepted. Its link was added."), "\(added)")
        #expect(try demo.sql("SELECT relay_link FROM group_relays WHERE group_relay_id = 1") == Self.relayLink)
        #expect(try demo.sql("SELECT relay_link FROM group_members WHERE group_member_id = 2") == Self.relayLink)
        let again = try demo("group", "relay", "accept", "news", "mine", "--link", GroupNounTests.channelLink)
        #expect(again.code == 1 && again.errors.contains("already"), "\(again.errors)")
        try demo.succeed("group", "relay", "activate", "news", "mine")
    }

    @Test("each answer names the next step, with the store and the profile, and the steps work as shown")
    func nextSteps() throws {
        let demo = try DemoStore.make()
        var line = "group relay add news id:1 -u alice"
        try demo.sql("UPDATE chat_relays SET enabled = 1; DELETE FROM group_relays WHERE group_relay_id = 2")
        var seen: [String] = []
        while seen.count < 5 {
            let run = try demo.shell("$CHATDB \(line.replacing("LINK", with: "'\(Self.relayLink)'"))")
            #expect(run.code == 0, "\(line): \(run.errors)")
            guard let next = run.output.firstMatch(of: #/chatdb (group relay .*) records/#) else { break }
            line = String(next.1)
            if seen.isEmpty {
                #expect(run.output.contains("note: an app that uses the store invites the relay"), "\(run.output)")
            }
            seen.append(String(line.split(separator: " ")[2]))
            if seen.last == "accept" {
                #expect(run.output.contains("run it when the relay has sent its link"), "\(run.output)")
            }
        }
        #expect(seen == ["invite", "accept", "activate"])
        #expect(try demo.sql("SELECT relay_status FROM group_relays WHERE group_relay_id > 1") == "active")
    }

    @Test("remove asks, ends the membership, and the relay can be added again")
    func remove() throws {
        let demo = try demo()
        let refused = try demo("group", "relay", "remove", "news", "mine")
        #expect(refused.code == 64)
        #expect(refused.errors.contains("Take the relay mine out of the channel news of alice?"))
        let dry = try demo.succeed("group", "relay", "remove", "news", "mine", "--dry-run", "--format", "json").answer()
        #expect(dry["applied"] == false && dry["relay"]?["relayStatus"] == "new")
        let done = try demo.succeed("group", "relay", "remove", "news", "mine", "--yes", "--format", "json").answer()
        #expect(done["applied"] == true && done["from"] == "new")
        #expect(done["relay"]?["relayStatus"] == "inactive" && done["relay"]?["memberStatus"] == "removed")
        let progress: JSONValue = ["active": 0, "failed": 1, "removed": 1, "total": 2, "done": false]
        #expect(done["group"]?["progress"] == progress)
        // The number that people see counts the relays that the channel still has.
        for lists in [["group", "list"], ["group", "show", "news"], ["group", "relays", "news"], ["inspect"]] {
            let output = try demo(lists).output
            #expect(output.contains(" 0 of 1") && !output.contains(" 0 of 2"), "\(output)")
        }
        #expect(try !demo("group", "list").output.contains("mine"))
        #expect(try !demo("inspect").output.contains("mine (inactive)"))
        let again = try demo("group", "relay", "remove", "news", "mine", "--dry-run", "--format", "json")
        #expect(try again.code == 1 && again.refusal()["code"] == "memberGone")
        #expect(
            again.errors.contains("and its membership has ended (removed): there is nothing to remove"),
            "\(again.errors)")
        let added = try demo.succeed("group", "relay", "add", "news", "mine").output
        #expect(
            added.hasPrefix(
                "The relay mine was added to the channel news of alice again. Its row 1 (Inactive) no longer counts."),
            "\(added)")
        #expect(try demo.sql("SELECT max(group_relay_id) FROM group_relays WHERE group_id = 1") == "3")
        let first = try demo.succeed("group", "relay", "add", "news", "id:3", "--format", "json").answer()
        #expect(first["from"] == .null && first["relay"]?["groupRelayId"] == 4)
        // Its name means the newest row, and row:1 the row itself.
        #expect(
            try demo.succeed("group", "relay", "invite", "news", "mine", "--format", "json").answer()["relay"]?[
                "groupRelayId"] == 3)
        #expect(try demo("group", "relay", "invite", "news", "row:1").code == 1)
    }

    @Test("a number that is the row of one relay and the id of another is refused, and row:N has one meaning")
    func rows() throws {
        let demo = try demo()
        // Row 1 is the relay 7, and row 2 the relay 1.
        for (number, candidates) in [
            ("1", ["row:1 (mine)", "id:1 (SimpleX Chat Relay 1)"]),
            // The relay 2 of the profile is not in the channel.
            ("2", ["row:2 (SimpleX Chat Relay 1)", "id:2 (SimpleX Chat Relay 2)"]),
        ] {
            for verb in ["remove", "deactivate"] {
                let refused = try demo("group", "relay", verb, "news", number, "--format", "json")
                let error = try refused.refusal()
                #expect(refused.code == 1 && error["code"] == "ambiguousName", "\(error)")
                #expect(error["details"]?["candidates"]?.texts == candidates, "\(error)")
            }
        }
        for (row, name) in [
            ("row:1", "mine"), ("row:2", "SimpleX Chat Relay 1"), ("id:1", "SimpleX Chat Relay 1"), ("id:7", "mine"),
            ("7", "mine"),
        ] {
            let dry = try demo.succeed("group", "relay", "remove", "news", row, "--dry-run").output
            #expect(dry.hasPrefix("The relay \(name) would be taken out"), "\(row): \(dry)")
        }
        let other = try demo("group", "relay", "remove", "news", "row:7", "--dry-run")
        #expect(other.code == 1)
        #expect(other.errors.contains("; the relay id:7 in the list of the profile is row:1 (mine)"), "\(other)")
        // An id is never a row.
        let listed = try demo("group", "relay", "remove", "news", "id:2", "--yes")
        #expect(listed.code == 1)
        #expect(
            listed.errors.contains(
                """
                has no relay "id:2"; the relay with this id in the list of the profile is SimpleX Chat Relay 2; the row \
                with this number is row:2 (SimpleX Chat Relay 1)
                """), "\(listed)")
        let word = try demo("group", "relay", "remove", "news", "ROW", "--dry-run")
        #expect(word.errors.contains("put a row, such as row:3, in the place of ROW"), "\(word.errors)")
        // The row of a lost relay has no other handle.
        try demo.sql("PRAGMA foreign_keys = OFF; DELETE FROM chat_relays WHERE chat_relay_id = 7")
        let lost = try demo.succeed("group", "relay", "remove", "news", "row:1", "--yes").output
        #expect(lost.hasPrefix("Row 1 (mine, id:7, lost)"), "\(lost)")
    }

    @Test("a step of a relay whose row is lost says so, and names group relay add; a removal ends the membership")
    func lostRow() throws {
        let demo = try demo()
        try demo.sql("DELETE FROM group_relays WHERE chat_relay_id = 7")
        let planned = try demo.succeed("group", "relay", "remove", "news", "mine", "--dry-run").output
        #expect(planned.contains("The membership of its member 2, whose row is lost, would end."), "\(planned)")
        for line in ["group relay invite news mine", "group relay activate news mine"] {
            let run = try demo(line.split(separator: " ").map(String.init))
            #expect(run.code == 1, "\(line)")
            #expect(
                run.errors.contains("the row of the relay \"mine\" in the channel \"news\" is lost"), "\(run.errors)")
            #expect(run.errors.contains("chatdb group relay add id:1 id:7"), "\(run.errors)")
        }
        // A name that no member has, and the name of a member that has left, are not found as before.
        try demo.sql("UPDATE group_members SET member_status = 'left' WHERE group_member_id = 2")
        for name in ["mine", "zzzzzz"] {
            let run = try demo("group", "relay", "invite", "news", name)
            #expect(run.errors.contains("has no relay \"\(name)\""), "\(run.errors)")
        }
        // Without rows, the status of another relay is unknown, if there is one.
        try demo.sql(
            "DELETE FROM group_relays; UPDATE group_members SET member_status = 'invited' WHERE group_member_id = 2")
        let two = try demo("group", "relay", "remove", "news", "mine").errors
        #expect(two.contains("The status of the other relays is unknown."), "\(two)")
        try demo.sql("UPDATE group_members SET member_status = 'left' WHERE group_member_id = 3")
        let one = try demo("group", "relay", "remove", "news", "mine").errors
        #expect(one.contains("No relay of the channel is left then."), "\(one)")
        #expect(!one.contains("The status of the other relays"), "\(one)")
    }

    @Test("a removal says in the dry run, in its answer and in JSON that no relay of the channel is active or left")
    func consequence() throws {
        let demo = try demo()
        let remove = ["group", "relay", "remove", "news"]
        let dry = try demo(remove + ["mine", "--dry-run"]).output
        #expect(dry.contains("No relay of the channel is active, as before."), "\(dry)")
        try demo.sql("UPDATE group_relays SET relay_status = 'active' WHERE group_relay_id = 1")
        let planned = try demo(remove + ["mine", "--dry-run", "--format", "json"]).answer()
        #expect(planned["consequence"] == "No relay of the channel is active then.", "\(planned)")
        let done = try demo(remove + ["mine", "--yes"])
        #expect((done.output + done.errors).contains("no relay of the channel is active now"), "\(done.output)")
        let last = try demo(remove + ["smp5.simplex.im", "--dry-run"]).output
        #expect(last.contains("No relay of the channel is left then."), "\(last)")
        let made = try demo(remove + ["smp5.simplex.im", "--yes", "--format", "json"]).answer()
        #expect(made["consequence"] == "No relay of the channel is left now.", "\(made)")
    }

    @Test("a relay that left or refused the channel, or was removed, is added again with a note about other relays")
    func addedAgain() throws {
        let cases = [
            (["deactivate"], "had left"), (["reject"], "had refused"), (["remove", "--yes"], "was removed from"),
        ]
        for (verb, words) in cases {
            let demo = try demo()
            try demo.succeed("group", "relay", "invite", "news", "mine")
            _ = try demo(["group", "relay"] + verb + ["news", "mine"])
            let again = try demo("group", "relay", "add", "news", "mine")
            let note = "the relay \(words) the channel before; another enabled relay was never in it: id:3 (SimpleX"
            #expect((again.output + again.errors).contains(note), "\(again)")
        }
        let demo = try demo()
        let new = try demo("group", "relay", "add", "news", "id:3")
        #expect(!(new.output + new.errors).contains("never in it"), "\(new)")
    }

    @Test("an accepted relay that acknowledges the list has the same new word in each answer, refusal and list")
    func acknowledged() throws {
        let demo = try demo()
        try demo.succeed("group", "relay", "invite", "news", "mine")
        try demo.succeed("group", "relay", "accept", "news", "mine", "--link", Self.relayLink)
        let answer = try demo.succeed("group", "relay", "acknowledge", "news", "mine").output
        #expect(
            answer.hasPrefix("The relay mine of the channel news is acknowledged. It was accepted."), "\(answer)")
        let again = try demo("group", "relay", "acknowledge", "news", "mine").errors
        #expect(again.contains("is acknowledged in the channel \"news\" already"), "\(again)")
        let back = try demo("group", "relay", "invite", "news", "mine").errors
        #expect(back.contains("cannot become connecting in the channel \"news\": it is acknowledged there"), "\(back)")
        #expect(try demo.succeed("group", "relays", "news").output.contains(" Acknowledged "))
        #expect(try demo.succeed("inspect").output.contains("mine (acknowledged)"))
    }

    @Test("the heading of the relays of a channel has the number of the removed ones that the list shows")
    func removedInHeading() throws {
        let demo = try demo()
        func head() throws -> String {
            String(try demo.succeed("group", "relays", "news").output.split(separator: "\n").first ?? "")
        }
        #expect(try head() == "Relays of news: 0 of 2 active")
        try demo.succeed("group", "relay", "remove", "news", "mine", "--yes")
        #expect(try head() == "Relays of news: 0 of 1 active, 1 removed")
        try demo.succeed("group", "relay", "remove", "news", "smp5.simplex.im", "--yes")
        #expect(try head() == "Relays of news: 0 of 0 active, 2 removed")
    }

    @Test("group relay add says that it takes a relay of the profile, and not a row of a channel")
    func addedRow() throws {
        let demo = try demo()
        let run = try demo("group", "relay", "add", "news", "row:1", "--format", "json")
        let refusal = try run.refusal()
        #expect(run.code == 1 && refusal["code"] == "relayNotFound", "\(refusal)")
        let message = refusal["message"]?.stringValue ?? ""
        #expect(message.contains("has no relay \"row:1\"; row:N is a row of a channel"), "\(message)")
        let name = try demo("group", "relay", "add", "news", "zzzzzz", "--format", "json").refusal()
        #expect(name["message"]?.stringValue?.contains("row:N") == false, "\(name)")
    }

    @Test("only the owner of a channel changes its relays and its link")
    func owners() throws {
        let demo = try demo()
        try demo.succeed("group", "prepare", GroupNounTests.channelLink, "--name", "w")
        try demo.succeed("group", "prepare", GroupNounTests.groupLink, "--name", "g")
        for (line, code) in [
            ("group relay add w mine", "notOwner"), ("group relay activate w mine", "notOwner"),
            ("group set-link w --no-link --yes", "notOwner"), ("group relay add g mine", "notAChannel"),
            ("group relay add news work", "relayNotFound"), ("group relay invite news 99", "groupRelayNotFound"),
        ] {
            let run = try demo(line.split(separator: " ").map(String.init) + ["--format", "json"])
            #expect(run.code == 1, "\(line)")
            #expect(try run.refusal()["code"]?.stringValue == code, "\(line)")
        }
    }

    @Test("an owner who has left changes neither the link nor the relays")
    func pastOwner() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE group_members SET member_status = 'left' WHERE member_category = 'user' AND user_id = 1")
        for command in [["set-link", "news", "--no-link", "--yes"], ["relay", "add", "news", "id:1"]] {
            let refused = try demo(["group"] + command + ["-u", "alice"])
            #expect(refused.code == 1 && refused.errors.contains("chatdb group show"), "\(refused.errors)")
        }
    }

    @Test("set-link sets a first link at once, and asks before it replaces or removes one")
    func link() throws {
        let demo = try demo()
        func stored() throws -> String { try demo.sql("SELECT coalesce(group_link, 'none') FROM group_profiles") }
        let first = try demo.succeed("group", "set-link", "news", GroupNounTests.channelLink, "--format", "json")
            .answer()
        #expect(first["fields"]?["link"]?["from"] == .null && first["applied"] == true)
        #expect(try stored() == GroupNounTests.channelLink)
        let again = try demo.succeed("group", "set-link", "news", GroupNounTests.channelLink)
        #expect(again.output == "The channel news of alice has this link already; nothing was changed.\n")
        let other = "https://other.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
        for change in [[other], ["--no-link"]] {
            #expect(try demo(["group", "set-link", "news"] + change).code == 64)
            #expect(try demo(["group", "set-link", "news"] + change + ["--dry-run"]).code == 0)
            #expect(try stored() == GroupNounTests.channelLink)
        }
        try demo.succeed("group", "set-link", "news", other, "--yes")
        #expect(try stored() == other)
        let removed = try demo.succeed("group", "set-link", "news", "--no-link", "--yes", "--format", "json").answer()
        #expect(try removed["group"]?["link"] == .null && stored() == "none")
        #expect(try demo("group", "set-link", "news", "nonsense").code == 65)
        for wrong in [[], [other, "--no-link"]] { #expect(try demo(["group", "set-link", "news"] + wrong).code == 64) }
    }
}
