import ChatDBKit
import Foundation
import Testing

/// Relays of a channel that no new channel can choose, in the answers about the channel.
@Suite("states of a channel's relays")
struct GroupRelayStatesTests {
    @Test(
        "group relays, its JSON and inspect tell that a channel's relay is soft-deleted, disabled or its operator off")
    func states() throws {
        let demo = try DemoStore.make()
        #expect(try demo.succeed("inspect", "--format", "json").answer()["relaysOff"] == [])
        #expect(try !demo.succeed("inspect").output.contains("Relays off"))
        try demo.succeed("relay", "delete", "mine", "-u", "alice", "--yes")
        try demo.succeed("relay", "disable", "id:1", "-u", "alice")
        let text = try demo.succeed("group", "relays", "news", "-u", "alice").output
        #expect(text.contains("soft-deleted") && text.contains("disabled"))
        try demo.succeed("relay", "enable", "id:1", "-u", "alice")
        try demo.succeed("operator", "disable", "simplex")
        let off = try demo.succeed("group", "relays", "news", "-u", "alice").output
        #expect(off.contains("soft-deleted") && off.contains("operator off"))
        for verb in ["relays", "show"] {
            let relays = try demo.succeed("group", verb, "news", "-u", "alice", "--format", "json").answer()["relays"]
            #expect(relays?.arrayValue?.map { $0["userChatRelayId"] } == [7, 1])
            #expect(relays?.arrayValue?.map { $0["deleted"] } == [true, false])
            #expect(relays?.arrayValue?.map { $0["enabled"] } == [true, true])
            #expect(relays?.arrayValue?.map { $0["operatorOff"] } == [false, true])
        }
        let csv = try demo.succeed("group", "relays", "news", "-u", "alice", "--format", "csv").output
        #expect(csv.contains("enabled,deleted,operatorOff,joining,failure,missing,lostConnection\n"))
        #expect(csv.contains(",yes,yes,no,,,,\n"))
        let page = try demo.succeed("inspect").output
        #expect(page.contains("mine (soft-deleted), SimpleX Chat Relay 1 (operator off)"))
        let found = try demo.succeed("inspect", "--format", "json").answer()["relaysOff"]?.arrayValue
        #expect(found?.map { $0["userChatRelayId"] } == [7, 1] && found?.allSatisfy { $0["groupId"] == 1 } == true)
        #expect(found?.map { $0["deleted"] } == [true, false] && found?.map { $0["operatorOff"] } == [false, true])
    }

    @Test("a row without a member counts neither for the channel nor for the relay, but still refers to the relay")
    func withoutMember() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            INSERT INTO group_relays (group_id, group_member_id, chat_relay_id, relay_status)
            VALUES (1, 9998, 7, 'inactive')
            """)
        func use(_ relay: String) throws -> [JSONValue?] {
            let shown = try demo.succeed("relay", "show", relay, "-u", "alice", "--format", "json").answer()
            return [shown["relay"]?["channels"]?["using"], .integer(Int64(shown["usedBy"]?.arrayValue?.count ?? 0))]
        }
        func head() throws -> String? {
            let page = try demo.succeed("group", "relays", "news", "-u", "alice").output
            return page.split(separator: "\n").first.map(String.init)
        }
        #expect(try head() == "Relays of news: 2 of 2 active")
        #expect(try use("id:7") == [1, 1])
        try demo.sql(
            "UPDATE group_relays SET group_member_id = 9999 WHERE chat_relay_id = 7 AND group_member_id <> 9998")
        #expect(try head() == "Relays of news: 1 of 1 active")
        #expect(try use("id:7") == [0, 0] && use("id:1") == [1, 1])
        let list = try demo.succeed("relay", "list", "-u", "alice", "--format", "json").answer()["relays"]
        #expect(list?.arrayValue?.first { $0["chatRelayId"] == 7 }?["channels"]?["using"] == 0)
        let deletion = try demo.succeed("relay", "delete", "id:7", "-u", "alice", "--dry-run", "--format", "json")
        #expect(try deletion.answer()["outcome"] == "softDeleted")
        // Both commands name the rows because of which the deletion is soft.
        let shown = try demo.succeed("relay", "show", "id:7", "-u", "alice", "--format", "json").answer()
        let rows = shown["uncountedRows"]?.arrayValue
        #expect(rows?.map { $0["groupRelayId"] } == [1, 3] && rows?.map { $0["name"] } == ["news", "news"])
        #expect(rows?.allSatisfy { $0["reason"] == "memberMissing" && $0["userId"] == 1 } == true)
        let text = try demo.succeed("relay", "show", "id:7", "-u", "alice").output
        #expect(text.contains("Rows that refer to it and do not count\n"), "\(text)")
        #expect(text.contains(#/Row  Channel +Status +Reason/#) && !text.contains("groupId"), "\(text)")
        #expect(text.contains("shows whether rows were lost, and its remedy has the next step"), "\(text)")
        let dry = try demo.succeed("relay", "delete", "id:7", "-u", "alice", "--dry-run").output
        #expect(
            dry.contains("soft-deleted: row 1 of the channel news, row 3 of the channel news refer to it"), "\(dry)")
    }

    @Test("a channel that lost its row of a relay is named by the commands about the relay, and deleting it is soft")
    func withoutRow() throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM group_relays")
        for verb in ["list", "usage"] {
            let page = try demo.succeed("relay", verb, "-u", "alice").output
            #expect(page.contains("Channels leaves out channels that have lost their rows of relays"), "\(page)")
            #expect(page.contains("so 2 relays may be used by more channels"), "\(page)")
        }
        let clause = "the channel news has lost its row of the relay"
        let text = try demo.succeed("relay", "show", "id:7", "-u", "alice").output
        #expect(text.contains("note: \(clause); chatdb check"), "\(text)")
        let shown = try demo.succeed("relay", "show", "id:7", "-u", "alice", "--format", "json").answer()
        #expect(shown["channelsOfLostRows"]?[0]?["localDisplayName"] == "news" && shown["uncountedRows"] == [])
        let asked = try demo("relay", "delete", "id:7", "-u", "alice")
        #expect(asked.code == 64 && asked.errors.contains("but \(clause). It will be soft-deleted."), "\(asked.errors)")
        let done = try demo.succeed("relay", "delete", "id:7", "-u", "alice", "--yes")
        #expect(done.output.contains("was soft-deleted: \(clause)."), "\(done.output)")
        // Nothing removes the row while the member is in the channel.
        let ids = try demo("check", "--format", "json").answer()["findings"]?.arrayValue?.map { $0["id"] } ?? []
        #expect(!ids.contains("deletedRelayWithoutReference"), "\(ids)")
        let removed = try demo.succeed("group", "relay", "remove", "id:1", "mine", "-u", "alice", "--yes").output
        #expect(removed.contains("1 soft-deleted relay without a channel was removed too."), "\(removed)")
    }

    @Test("group relay add says that it removed the soft-deleted relay whose member it ended")
    func removedWithMember() throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM group_relays")
        try demo.succeed("relay", "delete", "id:7", "-u", "alice", "--yes")
        try demo.succeed("relay", "add", DemoStore.third, "--name", "mine", "-u", "alice")
        let added = try demo.succeed("group", "relay", "add", "news", "mine", "-u", "alice").output
        #expect(
            added.contains("has ended. 1 soft-deleted relay without a channel was removed too."), "\(added)")
        #expect(try demo.sql("SELECT count(*) FROM chat_relays WHERE deleted = 1") == "0")
    }

    @Test("the clause about lost rows says the loss only, also for a left channel, several channels and unnamed relays")
    func lostRowsInWords() throws {
        let demo = try DemoStore.finished()
        for name in ["a", "b", "c"] { try demo.succeed("group", "create", name, "--relay", "mine", "-u", "alice") }
        try demo.sql(
            """
            DELETE FROM group_relays; UPDATE group_members SET member_status = 'left' WHERE member_category = 'user'
            """)
        func question() throws -> String { try demo("relay", "delete", "id:7", "-u", "alice").errors }
        let four = try question()
        #expect(
            four.contains("but the channels c, b, a and 1 more have lost their rows of the relay. It will be"),
            "\(four)")
        try demo.sql("UPDATE group_members SET member_status = 'left' WHERE group_id = 1")
        let three = try question()
        #expect(three.contains("but the channels c, b and a have lost their rows of the relay."), "\(three)")
        // A member with the name of no relay may be each relay without a name.
        try demo.sql("UPDATE chat_relays SET display_name = '' WHERE chat_relay_id = 7")
        let unnamed = try question()
        #expect(unnamed.contains("but the channels c, b and a have lost rows that may be of the relay."), "\(unnamed)")
        try demo.sql("UPDATE group_members SET member_status = 'left' WHERE group_id IN (2, 3)")
        let one = try question()
        #expect(one.contains("but the channel c has lost a row that may be of the relay."), "\(one)")
    }

    @Test("relay show and relay delete name the profile of a channel that uses the relay, unless it is hidden")
    func ofOtherProfile() throws {
        let demo = try DemoStore.finished()
        try demo.sql("UPDATE groups SET user_id = 2")
        let text = try demo.succeed("relay", "show", "id:7", "-u", "alice").output
        #expect(text.contains("a channel of the profile work") && !text.contains("news"), "\(text)")
        let shown = try demo.succeed("relay", "show", "id:7", "-u", "alice", "--format", "json").answer()
        #expect(shown["uncountedRows"]?[0]?["userId"] == 2 && shown["uncountedRows"]?[0]?["name"] == .null)
        try demo.sql("UPDATE users SET view_pwd_hash = x'01', view_pwd_salt = x'02', show_ntfs = 0 WHERE user_id = 2")
        let dry = try demo.succeed("relay", "delete", "id:7", "-u", "alice", "--dry-run").output
        #expect(dry.contains("row 1 of a channel of another profile") && !dry.contains(" work"), "\(dry)")
    }

    @Test("a row that lacks its member is shown with its relay, is removed, and leaves nothing for check")
    func incomplete() throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM group_members WHERE group_member_id = 2")
        let page = try demo.succeed("group", "relays", "news", "-u", "alice").output
        #expect(page.contains("Relays of news: 1 of 1 active") && page.contains("  member\n"), "\(page)")
        #expect(try demo.succeed("group", "show", "news", "-u", "alice").output.contains("Incomplete rows"))
        for verb in ["relays", "show"] {
            let answer = try demo.succeed("group", verb, "news", "-u", "alice", "--format", "json").answer()
            #expect(answer["relays"]?.arrayValue?.map { $0["groupRelayId"] } == [2])
            let row = answer["incompleteRelays"]?[0]
            #expect(row?["groupRelayId"] == 1 && row?["name"] == "mine" && row?["missing"] == ["member"])
            #expect(row?["memberStatus"] == .null && row?["relayStatus"] == "active")
        }
        let csv = try demo.succeed("group", "relays", "news", "-u", "alice", "--format", "csv").output
        #expect(csv.split(separator: "\n").last?.hasSuffix(",member,") == true, "\(csv)")
        let inspected = try demo.succeed("inspect", "--format", "json").answer()
        #expect(inspected["incompleteRelays"]?[0]?["missing"] == ["member"])
        #expect(try demo.succeed("inspect").output.contains("mine (member missing)"))
        #expect(try demo.succeed("group", "list", "-u", "alice").output.contains("member missing: mine"))
        // No step of a relay is possible, and the refusal says why.
        let refused = try demo("group", "relay", "deactivate", "news", "mine", "-u", "alice")
        #expect(refused.code == 1 && refused.errors.contains("row:1 lacks its member, and does not count"))
        // A lost row may be one of many, and a backup has it.
        let check = try demo("check").output
        #expect(check.contains("chatDanglingReference is about the same relays: first follow its remedy"), "\(check)")
        #expect(check.contains("Examples: relay row 1 of group 1 (profile 1)."), "\(check)")
        let dry = try demo.succeed(
            "group", "relay", "remove", "news", "mine", "-u", "alice", "--dry-run", "--format", "json"
        ).answer()
        #expect(dry["applied"] == false && dry["relay"]?["missing"] == ["member"] && dry["purgedRelays"] == 0)
        #expect(try demo("group", "relay", "remove", "news", "mine", "-u", "alice").code == 64)
        let done = try demo.succeed("group", "relay", "remove", "id:1", "row:1", "-u", "alice", "--yes").output
        #expect(
            done.hasPrefix("Row 1 (mine) of the channel news of alice was deleted. It lacked its member."), "\(done)")
        #expect(done.contains("chatdb group relay add id:1 id:7 -u alice adds the relay to the channel again"))
        let left = try demo("check", "--format", "json").answer()["findings"]?.arrayValue ?? []
        #expect(left.allSatisfy { $0["severity"] != "error" }, "\(left)")
        try demo.succeed("group", "relay", "add", "id:1", "id:7", "-u", "alice")
    }

    @Test("the deletion of a row that lacks its member proposes to add the relay only if the channel lacks it")
    func addedBefore() throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM group_members WHERE group_member_id = 2")
        try demo.succeed("group", "relay", "add", "id:1", "id:7", "-u", "alice")
        let done = try demo.succeed("group", "relay", "remove", "id:1", "row:1", "-u", "alice", "--yes").output
        #expect(done.hasPrefix("Row 1 (mine) of the channel news of alice was deleted."), "\(done)")
        #expect(!done.contains("adds the relay to the channel again"), "\(done)")
        // An inactive relay can be added again.
        let other = try DemoStore.finished()
        try other.sql("DELETE FROM group_members WHERE group_member_id = 2")
        try other.succeed("group", "relay", "add", "id:1", "id:7", "-u", "alice")
        try other.sql("UPDATE group_relays SET relay_status = 'inactive' WHERE group_relay_id = 3")
        let inactive = try other.succeed("group", "relay", "remove", "id:1", "row:1", "-u", "alice", "--yes").output
        #expect(inactive.contains("adds the relay to the channel again"), "\(inactive)")
        try other.succeed("group", "relay", "add", "id:1", "id:7", "-u", "alice")
    }

    @Test(
        "a removal ends the membership of a row that lacks only its relay, and none of a row that lacks its member")
    func incompleteInOtherWays() throws {
        let demo = try DemoStore.finished()
        try demo.sql("UPDATE group_relays SET chat_relay_id = 99 WHERE group_relay_id = 1")
        let dry = try demo.succeed("group", "relay", "remove", "news", "row:1", "-u", "alice", "--dry-run")
        #expect(dry.output.contains("The membership of its member would end."), "\(dry.output)")
        let done = try demo.succeed(
            "group", "relay", "remove", "news", "row:1", "-u", "alice", "--yes", "--format", "json")
        #expect(try done.answer()["endsMembership"] == true)
        #expect(try demo.sql("SELECT member_status FROM group_members WHERE group_member_id = 2") == "removed")
        try demo.sql("UPDATE group_members SET member_role = 'observer' WHERE group_member_id = 3")
        try demo.succeed("group", "relay", "remove", "news", "row:2", "-u", "alice", "--yes")
        #expect(try demo.sql("SELECT member_status FROM group_members WHERE group_member_id = 3") == "connected")
        #expect(try demo.sql("SELECT count(*) FROM group_relays") == "0")
    }

    @Test("after the removal of the row of a lost relay, group relays speaks of no missing rows")
    func removedRow() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            "DELETE FROM group_relays WHERE group_relay_id = 2; DELETE FROM group_members WHERE group_member_id = 3")
        try demo.sql("UPDATE group_relays SET chat_relay_id = 99")
        try demo.succeed("group", "relay", "remove", "news", "row:1", "-u", "alice", "--yes")
        let page = try demo.succeed("group", "relays", "news", "-u", "alice").output
        #expect(page.contains("removed") && !page.contains("are missing"), "\(page)")
        #expect(!page.contains("status unknown"), "\(page)")
        // The row of a member that is in the channel is lost.
        try demo.sql("UPDATE group_members SET member_status = 'connected' WHERE group_member_id = 2")
        let lost = try demo.succeed("group", "relays", "news", "-u", "alice").output
        #expect(lost.contains("(group_relays) are missing"), "\(lost)")
    }

    @Test("a row whose member has a role of a newer app is no loss: no list advises to delete it, as check does not")
    func unknownRole() throws {
        let demo = try DemoStore.finished()
        try demo.sql("UPDATE group_members SET member_role = 'conductor' WHERE group_member_id = 2")
        let ids = try demo("check", "--format", "json").answer()["findings"]?.arrayValue?.map { $0["id"] }
        #expect(ids == ["unknownMemberWord"])
        for verb in ["relays", "show"] {
            let page = try demo.succeed("group", verb, "news", "-u", "alice").output
            #expect(page.contains("member with a known role"), "\(page)")
            #expect(page.contains("chatdb group members id:1 -u alice shows the roles"), "\(page)")
            #expect(!page.contains("relay remove"), "\(page)")
        }
        #expect(try demo.succeed("inspect").output.contains("mine (member with a known role missing)"))
        let relay = try demo.succeed("relay", "show", "id:7", "-u", "alice").output
        #expect(relay.contains("its member has a role") && !relay.contains("relay remove"), "\(relay)")
        let dry = try demo.succeed("group", "relay", "remove", "news", "row:1", "-u", "alice", "--dry-run").output
        #expect(dry.contains("It lacks a member with a role that this version knows."), "\(dry)")
        // Another row lacks its member, and may be deleted.
        try demo.sql("UPDATE group_members SET member_role = 'member' WHERE group_member_id = 3")
        let both = try demo.succeed("group", "relays", "news", "-u", "alice").output
        #expect(both.contains("shows whether rows were lost, and its remedy has the next step"), "\(both)")
    }

    @Test("removing the last row of a soft-deleted relay removes the relay too, and says so")
    func purged() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            "DELETE FROM group_members WHERE group_member_id = 2; UPDATE chat_relays SET deleted = chat_relay_id = 7")
        let dry = try demo.succeed("group", "relay", "remove", "news", "row:1", "-u", "alice", "--dry-run").output
        #expect(dry.contains("1 soft-deleted relay without a channel would be removed too."), "\(dry)")
        let asked = try demo("group", "relay", "remove", "news", "row:1", "-u", "alice").errors
        #expect(asked.contains("1 soft-deleted relay without a channel is removed too."), "\(asked)")
        let done = try demo.succeed("group", "relay", "remove", "news", "row:1", "-u", "alice", "--yes").output
        #expect(done.contains("1 soft-deleted relay without a channel was removed too."), "\(done)")
        #expect(!done.contains("group relay add"))
        #expect(try demo.sql("SELECT count(*) FROM chat_relays WHERE chat_relay_id = 7") == "0")
    }

    @Test("the deletion of a row makes a backup first, and its command brings the row back")
    func backedUp() throws {
        let demo = try DemoStore.finished()
        try demo.sql("DELETE FROM group_members WHERE group_member_id = 2")
        let words = ["group", "relay", "remove", "news", "row:1", "-u", "alice"]
        let asked = try demo(words).errors
        #expect(asked.contains("Only the backup that is made first can take this back."), "\(asked)")
        let dry = try demo(words + ["--dry-run"]).output
        #expect(dry.contains("Only the backup could take this back."), "\(dry)")
        #expect(dry.contains("chatdb would first make a backup in \(demo.file("x.backups"));"), "\(dry)")
        let planned = try demo(words + ["--dry-run", "--format", "json"]).answer()
        #expect(planned["kept"]?["kind"] == "backup" && planned["kept"]?["path"] == .null, "\(planned)")
        #expect(!FileManager.default.fileExists(atPath: demo.file("x.backups")))
        let done = try demo(words + ["--yes", "--format", "json", "--backup-dir", demo.file("kept")]).answer()
        #expect(done["kept"]?["path"]?.stringValue?.hasPrefix(demo.file("kept") + "/") == true, "\(done)")
        #expect(try demo.sql("SELECT count(*) FROM group_relays WHERE group_relay_id = 1") == "0")
        let command = try #require(done["kept"]?["command"]?.stringValue)
        let undone = try demo.shell("$CHATDB" + command.dropFirst("chatdb".count) + " --yes")
        #expect(undone.code == 0, "\(command): \(undone.errors)")
        #expect(try demo.sql("SELECT count(*) FROM group_relays WHERE group_relay_id = 1") == "1")
        // A backup that cannot be made stops the deletion.
        try Data().write(to: URL(fileURLWithPath: demo.file("file")))
        #expect(try demo(words + ["--yes", "--backup-dir", demo.file("file")]).code == 74)
        #expect(try demo.sql("SELECT count(*) FROM group_relays WHERE group_relay_id = 1") == "1")
        let bare = try demo(words + ["--no-backup"]).errors
        #expect(bare.contains("Nothing can take this back."), "\(bare)")
        let text = try demo(words + ["--no-backup", "--yes"]).output
        #expect(text.contains("there is no copy to undo the removal with (--no-backup)"), "\(text)")
    }

    @Test("taking a relay out of a channel loses no row, and makes a backup only with --backup-dir")
    func notBackedUp() throws {
        let demo = try DemoStore.finished()
        let words = ["group", "relay", "remove", "news", "mine", "-u", "alice"]
        #expect(try demo(words + ["--dry-run", "--format", "json"]).answer()["kept"] == .null)
        let dry = try demo(words + ["--dry-run"]).output
        #expect(!dry.contains("backup") && !dry.contains("take this back"), "\(dry)")
        let asked = try demo(words + ["--dry-run", "--backup-dir", demo.file("kept")]).output
        #expect(asked.contains("would first make a backup in \(demo.file("kept"));"), "\(asked)")
        let done = try demo(words + ["--yes", "--format", "json"])
        #expect(try done.code == 0 && done.answer()["kept"] == .null, "\(done)")
        #expect(!FileManager.default.fileExists(atPath: demo.file("x.backups")))
    }

    @Test("a list of relays shows the hosts of the links for the channel apart, if they are other hosts")
    func hosts() throws {
        let demo = try DemoStore.make()
        let before = try demo.succeed("group", "relays", "news", "-u", "alice").output
        #expect(!before.contains("Link host") && before.contains("relay.example.org"), "\(before)")
        try demo.sql("UPDATE group_relays SET relay_link = 'https://made.example/g#abc' WHERE chat_relay_id = 7")
        let after = try demo.succeed("group", "relays", "news", "-u", "alice").output
        #expect(after.contains("Link host") && after.contains("relay.example.org"), "\(after)")
        #expect(after.contains("made.example"))
        #expect(try demo.succeed("relay", "show", "mine", "-u", "alice").output.contains("Link host"))
    }

    @Test("a relay that is disabled and whose operator is off shows both, in every list")
    func both() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "disable", "id:1", "-u", "alice")
        try demo.succeed("operator", "disable", "simplex")
        for command in [["relay", "list"], ["relay", "show", "id:1"], ["group", "relays", "news"]] {
            let shown = try demo(command + ["-u", "alice"]).output
            #expect(shown.contains("disabled, operator off"), "\(command): \(shown)")
        }
        #expect(try demo.succeed("inspect").output.contains("SimpleX Chat Relay 1 (disabled, operator off)"))
    }

    @Test("inspect lists relays of channels that the profile is in, and only those")
    func left() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "disable", "mine", "-u", "alice")
        #expect(try demo.succeed("inspect", "--format", "json").answer()["relaysOff"]?.arrayValue?.count == 1)
        try demo.sql("UPDATE group_members SET member_status = 'left' WHERE member_category = 'user'")
        #expect(try demo.succeed("inspect", "--format", "json").answer()["relaysOff"] == [])
    }

    @Test("a step by hand of a relay without a connection has a note, if the profile has connections with others")
    func withoutConnection() throws {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        let link = "https://made.example/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
        let note = "the profile has connections, but none with this relay"
        #expect(try !demo.succeed("group", "relay", "invite", "news", "mine").output.contains(note))
        try demo.sql(
            """
            INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type)
            VALUES (77, 1, 'key77', 'ready', 'contact')
            """)
        let accepted = try demo.succeed("group", "relay", "accept", "news", "mine", "--link", link).output
        #expect(accepted.contains(note), "\(accepted)")
        #expect(try !demo.succeed("group", "relay", "deactivate", "news", "mine").output.contains(note))
    }
}
