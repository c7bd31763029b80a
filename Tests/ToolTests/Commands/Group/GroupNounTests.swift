import ChatDBKit
import Foundation
import Testing

@Suite("group show, members, relays, prepare, start, cancel, leave, delete")
struct GroupNounTests {
    static let link = "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
    static let groupLink = "https://h.example/g#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ"
    /// A link of a channel that no other group has.
    static let channelLink = "https://h.example/c#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ"

    /// The demo with three more members in its channel, one of them an owner, and an active relay.
    private func demo() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            INSERT INTO display_names (user_id, local_display_name, ldn_base)
                VALUES (1, 'carol', 'carol'), (1, 'dave', 'dave'), (1, 'erin', 'erin');
            INSERT INTO contact_profiles (contact_profile_id, user_id, display_name)
                VALUES (100, 1, 'carol'), (101, 1, 'dave'), (102, 1, 'erin');
            INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
                member_status, local_display_name, contact_profile_id) VALUES
                (100, 1, 1, 'memberOfCarol', 'owner', 'post', 'connected', 'carol', 100),
                (101, 1, 1, 'memberOfDave', 'observer', 'post', 'connected', 'dave', 101),
                (102, 1, 1, 'memberOfErin', 'observer', 'post', 'left', 'erin', 102);
            UPDATE group_members SET member_id = 'own' WHERE member_category = 'user';
            UPDATE group_members SET member_id = 'relay' || group_member_id WHERE member_role = 'relay';
            UPDATE group_profiles SET description = 'Welcome!' || char(10) || 'Read on.';
            UPDATE group_relays SET relay_status = 'active', relay_link = 'https://relay.example.org/r#theirs'
                WHERE chat_relay_id = 7;
            """)
        try demo.succeed("user", "activate", "alice")
        return demo
    }

    @Test("Every answer is as recorded, on a terminal of 80 columns, as JSON, CSV and Markdown")
    func snapshots() throws {
        let demo = try demo()
        for command in [["show", "news"], ["relays", "news"], ["members", "news", "--past"]] {
            for (format, end) in [("json", "json"), ("csv", "csv"), ("markdown", "md")] {
                let run = try demo(["group"] + command + ["--format", format])
                #expect(run.code == 0 && run.errors.isEmpty, "\(command) \(format)")
                try Snapshot.check(run.output, "group-\(command[0]).\(end)", in: demo)
            }
            let run = try demo.onTerminal("group", command[0], "news")
            #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
            try Snapshot.check(run.output, "group-\(command[0])-terminal.txt", in: demo)
        }
        func check(_ name: String, _ arguments: String...) throws {
            let run = try demo(arguments)
            #expect(run.code == 0 && run.errors.isEmpty, "\(arguments)")
            try Snapshot.check(run.output, "group-\(name)", in: demo)
        }
        try check("prepare.txt", "group", "prepare", Self.link, "--name", "weather")
        try check("prepare.json", "group", "prepare", Self.link, "--name", "weather", "--format", "json")
        try check("show-prepared.txt", "group", "show", "weather")
        try check("cancel.json", "group", "cancel", "weather", "--yes", "--format", "json")
        try check("prepare-group.txt", "group", "prepare", Self.groupLink, "--name", "talk")
        try check("start.txt", "group", "start", "talk")
        try check("leave.json", "group", "leave", "news", "--yes", "--format", "json")
        try check("delete.txt", "group", "delete", "news", "--yes", "--no-backup")
        try check("delete.json", "group", "delete", "talk", "--yes", "--no-backup", "--format", "json")
    }

    @Test("Every verb has help with two examples, and without a store exits with 66 and creates nothing")
    func everyVerb() throws {
        let folder = try ToolRun()
        let verbs = [
            ["show", "x"], ["members", "x"], ["relays", "x"], ["prepare", Self.link, "--name", "x"], ["start", "x"],
            ["cancel", "x"], ["leave", "x", "--yes"], ["delete", "x", "--yes"],
        ]
        for verb in verbs {
            let help = try folder("group", verb[0], "--help")
            #expect(help.code == 0)
            let examples = help.output.split(separator: "\n").filter { $0.hasPrefix("  chatdb group \(verb[0]) ") }
            #expect(examples.count >= 2, "\(verb)")
            let run = try folder(["group"] + verb + ["--format", "json"])
            #expect(run.code == 66 && run.output.isEmpty, "\(verb)")
            #expect(try run.refusal()["code"] == "storeNotFound")
        }
        #expect(try folder.folder.fingerprint().isEmpty)
    }

    @Test("Commands take a group's name or id; a name of two groups is refused, with the candidates")
    func naming() throws {
        let demo = try demo()
        for way in ["news", "name:news", "1", "id:1"] {
            let group = try demo.succeed("group", "show", way, "--format", "json").answer()["group"]
            #expect(group?["groupId"] == 1, "\(way)")
        }
        try demo.succeed("group", "create", "news", "--relay", "mine")
        // The unique name precedes the name that both have.
        for (name, id) in [("news", 1), ("news_1", 2)] as [(String, JSONValue)] {
            let group = try demo.succeed("group", "show", name, "--format", "json").answer()["group"]
            #expect(group?["groupId"] == id)
        }
        try demo.sql("UPDATE groups SET local_display_name = 'news_2' WHERE group_id = 1")
        let two = try demo("group", "show", "news", "--format", "json")
        #expect(two.code == 1)
        #expect(try two.refusal()["code"] == "ambiguousName")
        #expect(two.errors.contains("id:1 (news_2)") && two.errors.contains("id:2 (news_1)"))
        try demo.sql("UPDATE groups SET local_display_name = 'news' WHERE group_id = 1")
        // A name precedes an id, unless the text begins with `id:`.
        try demo.succeed("group", "create", "1", "--relay", "mine")
        #expect(try demo.succeed("group", "show", "1").output.hasPrefix("1\n"))
        #expect(try demo.succeed("group", "show", "id:1").output.hasPrefix("news\n"))
    }

    @Test("An unknown group gives suggestions; no verb finds the group of another profile")
    func notFound() throws {
        let demo = try demo()
        let near = try demo("group", "show", "nesw")
        #expect(near.code == 1 && near.errors.contains("has no group \"nesw\""))
        #expect(near.errors.contains("hint: did you mean \"news\"?"))
        let others = try demo("group", "show", "news", "-u", "work")
        #expect(others.errors.contains("; the profile \"alice\" has one"), "\(others.errors)")
        #expect(others.errors.contains("group list -u alice"), "\(others.errors)")
        let before = try demo.sql("SELECT * FROM groups; SELECT * FROM group_members; SELECT * FROM display_names")
        for verb in ["show", "members", "relays", "start", "cancel", "leave", "delete"] {
            for name in ["news", "id:1"] {
                let run = try demo("group", verb, name, "-u", "work", "--format", "json")
                #expect(run.code == 1, "\(verb)")
                #expect(try run.refusal()["code"] == "groupNotFound", "\(verb)")
                #expect(run.output.isEmpty)
            }
        }
        #expect(
            try demo.sql("SELECT * FROM groups; SELECT * FROM group_members; SELECT * FROM display_names") == before)
    }

    @Test("group members lists members by role, past ones too, page by page")
    func members() throws {
        let demo = try demo()
        func names(_ arguments: String...) throws -> [String] {
            let run = try demo(["group", "members", "news", "--format", "json"] + arguments)
            try #require(run.code == 0, "\(run.errors)")
            return (try run.answer()["members"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
        }
        #expect(try names() == ["alice", "mine", "SimpleX Chat Relay 1", "carol", "dave"])
        #expect(try names("--past").last == "erin")
        #expect(try names("--role", "owner", "--role", "Observer") == ["alice", "carol", "dave"])
        #expect(try names("--role", "author") == [])
        let page = try demo.succeed("group", "members", "news", "--limit", "2", "--format", "json").answer()
        let next = try #require(page["next"]?.integerValue)
        #expect(try names("--limit", "2", "--after", "\(next)") == ["SimpleX Chat Relay 1", "carol"])
        #expect(
            try demo.succeed("group", "members", "news", "--limit", "2").output.contains("more members follow: --after")
        )
        #expect(try demo("group", "members", "news", "--limit", "0").code == 64)
        #expect(try demo("group", "members", "news", "--role", "king").code == 64)
    }

    @Test("A subscriber's profile shows relays as members, and only the published number of subscribers")
    func subscriber() throws {
        let demo = try demo()
        try demo.sql(
            """
            DELETE FROM group_relays;
            UPDATE group_members SET member_role = 'observer' WHERE member_category = 'user';
            UPDATE group_members SET relay_link = 'https://r.example/r#x' || group_member_id
                WHERE member_role = 'relay';
            """)
        let answer = try demo.succeed("group", "show", "news", "--format", "json").answer()
        #expect(answer["subscribers"] == .null)
        let relays = try #require(answer["relays"]?.arrayValue)
        #expect(relays.count == 2 && relays.allSatisfy { $0["host"] == "r.example" })
        #expect(relays.allSatisfy { $0["relayStatus"] == .null && $0["groupMemberId"]?.integerValue != nil })
        #expect(answer["mayLeave"] == true && answer["mayDelete"] == false)
        try demo.sql("UPDATE groups SET public_member_count = 1234")
        #expect(try demo.succeed("group", "show", "news", "--format", "json").answer()["subscribers"] == 1234)
        let refused = try demo("group", "delete", "news", "--format", "json")
        #expect(refused.code == 1)
        #expect(try refused.refusal()["code"] == "notOwner")
    }

    @Test("group delete asks: without a terminal exit 64, no keeps everything, yes deletes it and purges the relay")
    func deleting() throws {
        let demo = try demo()
        let count = "SELECT (SELECT count(*) FROM groups) || ' ' || (SELECT count(*) FROM display_names)"
        let before = try demo.sql(count)
        let unasked = try demo("group", "delete", "news", "--format", "json")
        #expect(unasked.code == 64)
        #expect(try unasked.refusal()["code"] == "confirmationNeeded")
        let declined = try demo.onTerminal("group", "delete", "news", input: "n\n")
        #expect(
            declined.code == 1
                && declined.output.contains("Delete the channel news of alice, which has 1 subscriber, with"))
        #expect(try demo.sql(count) == before)
        // A dry run shows the number of the question.
        let planned = try demo.succeed("group", "delete", "news", "--dry-run").output
        #expect(planned.contains("The channel news of alice, which has 1 subscriber, would be deleted"), "\(planned)")
        let json = try demo.succeed("group", "delete", "news", "--dry-run", "--format", "json").answer()
        #expect(json["subscribers"] == 1)
        try demo.sql("UPDATE chat_relays SET deleted = 1 WHERE chat_relay_id = 7")
        let done = try demo.onTerminal("group", "delete", "news", input: "y\n")
        #expect(
            done.code == 0 && done.output.contains("also deleted 1 soft-deleted relay that no channel uses"))
        #expect(try demo.sql("SELECT count(*) FROM groups") == "0")
        #expect(try demo.sql("SELECT group_concat(local_display_name) FROM display_names WHERE user_id = 1") == "alice")
        #expect(try demo.sql("SELECT count(*) FROM chat_relays WHERE chat_relay_id = 7") == "0")
    }

    @Test("A group is prepared once, started once, and cancelled only before that")
    func prepared() throws {
        let demo = try demo()
        try demo.succeed("group", "finish", "news", "--link", Self.link.replacing("h.", with: "own."))
        func code(_ arguments: String...) throws -> String? {
            let run = try demo(["group"] + arguments + ["--format", "json"])
            #expect(run.code == 1, "\(arguments)")
            return try run.refusal()["code"]?.stringValue
        }
        let made = try demo.succeed("group", "prepare", Self.link, "--name", "w", "--format", "json").answer()
        #expect(made["outcome"] == "prepared")
        let group = try #require(made["group"])
        #expect(group["useRelays"] == true && group["nextConnectPrepared"] == true)
        #expect(group["membership"] == "unknown")
        let again = try demo.succeed("group", "prepare", " \(Self.link)", "--name", "x", "--format", "json").answer()
        #expect(again["outcome"] == "existing")
        #expect(again["group"]?["groupId"] == group["groupId"])
        #expect(try code("leave", "w") == "notInGroup")
        try demo.succeed("group", "start", "w")
        #expect(try code("start", "w") == "alreadyStarted")
        #expect(try code("cancel", "w") == "alreadyStarted")
        #expect(try code("start", "news") == "notPrepared")
        #expect(try code("cancel", "news") == "notPrepared")
        let direct = try demo.succeed("group", "prepare", Self.groupLink, "--name", "t", "--format", "json").answer()
        #expect(direct["group"]?["useRelays"] == false)
    }

    @Test("A link that is not a group's is refused with 65 and its kind; the error does not repeat the part after #")
    func invalidLink() throws {
        let demo = try demo()
        for (link, word) in [
            (DemoStore.relay, "the address of a relay"), ("hello", "neither https:// nor simplex:/"),
            ("https://h.example/i#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw", "a one-time invitation link"),
        ] {
            let run = try demo("group", "prepare", link, "--name", "x", "--format", "json")
            #expect(run.code == 65 && run.errors.contains(word), "\(link)")
            #expect(try run.refusal()["code"] == "invalidGroupLink")
            #expect(!run.errors.contains("Fp5RWX"))
        }
        let relay = try demo("group", "prepare", Self.link, "--name", "x", "--relay", "hello", "--format", "json")
        #expect(try relay.code == 65 && relay.refusal()["code"] == "invalidRelayLink", "\(relay.errors)")
        #expect(try demo("group", "prepare", Self.link, "--name", " ").code == 65)
        #expect(try demo("group", "prepare", Self.link).code == 64)
    }

    @Test("The only owner cannot leave, and the hint says what to do")
    func soleOwner() throws {
        let demo = try demo()
        try demo.sql("UPDATE group_members SET member_status = 'left' WHERE group_member_id = 100")
        let run = try demo("group", "leave", "news")
        #expect(
            run.code == 1
                && run.errors.contains("it is the only owner; make another member an owner, or delete the group"))
        #expect(run.errors.contains("hint: chatdb group delete id:1"))
    }
}
