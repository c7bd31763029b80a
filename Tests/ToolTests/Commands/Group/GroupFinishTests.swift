import ChatDBKit
import Testing

@Suite("Channels whose creation is not finished") struct GroupFinishTests {
    private static let link = "https://own.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"

    @Test("group list, inspect and check show an unfinished channel, check with its age")
    func shown() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE groups SET created_at = strftime('%Y-%m-%d %H:%M:%f', 'now', '-40 days', '-1 hour')")
        let list = try demo("group", "list", "-u", "alice")
        #expect(list.output.contains("owner  not finished"), "\(list.output)")
        #expect(
            list.output.contains("chatdb group finish GROUP --link LINK -u alice completes a channel"), "\(list.output)"
        )
        let csv = try demo("group", "list", "-u", "alice", "--format", "csv").output
        #expect(csv.contains("creatingInProgress") && csv.contains(",creator,yes,"), "\(csv)")
        let page = try demo("inspect").output
        #expect(page.contains("Creation not finished"), "\(page)")
        let unfinished = try demo("inspect", "--format", "json").answer()["unfinishedChannels"]?.arrayValue
        #expect(unfinished?.count == 1 && unfinished?.first?["group"]?["name"] == "news")
        #expect(unfinished?.first?["missing"] == ["link"])
        let findings = try demo("check", "--format", "json").answer()["findings"]?.arrayValue ?? []
        let finding = findings.first { $0["id"] == "unfinishedChannel" }
        #expect(finding?["sample"] == ["group 1 (profile 1, 40 days old, without a link)"])
        #expect(finding?["severity"] == "warning" && finding?["rows"]?[0]?["missing"] == ["link"])
    }

    @Test("group finish says what is missing and changes nothing; with a link it finishes the channel, once")
    func finish() throws {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        let refused = try demo("group", "finish", "news", "--format", "json")
        #expect(refused.code == 1)
        #expect(refused.errors.contains("creationIncomplete") && refused.errors.contains("it has no link"))
        #expect(refused.errors.contains("chatdb group finish id:1 --link LINK"), "\(refused.errors)")
        #expect(try demo("group", "finish", "news", "--link", DemoStore.relay).code == 65)
        try demo.sql("CREATE TABLE kept AS SELECT * FROM group_relays; DELETE FROM group_relays")
        let both = try demo("group", "finish", "news")
        #expect(both.errors.contains("it has no link and no relay") && both.errors.contains("chatdb group cancel id:1"))
        // The link is not stored when the channel cannot be finished.
        #expect(try demo("group", "finish", "news", "--link", Self.link).errors.contains("it has no relay"))
        #expect(try demo.sql("SELECT count(*) FROM group_profiles WHERE group_link IS NOT NULL") == "0")
        try demo.sql("INSERT INTO group_relays SELECT * FROM kept; DROP TABLE kept")
        let finished = try demo.succeed("group", "finish", "news", "--link", Self.link, "--format", "json").answer()
        #expect(finished["outcome"] == "finished" && finished["group"]?["creatingInProgress"] == false)
        #expect(finished["group"]?["link"]?.stringValue == Self.link)
        let again = try demo("group", "finish", "news")
        #expect(again.code == 1 && again.errors.contains("it was finished before"))
        #expect(again.errors.contains("chatdb group set-link id:1 LINK sets its link"), "\(again.errors)")
        #expect(try demo("group", "cancel", "news", "--yes").code == 1)
        #expect(try demo("group", "finish", "nobody").code == 1)
        #expect(try demo("group", "list").output.contains("not finished") == false)
        #expect(try demo("inspect").output.contains("Creation not finished") == false)
    }

    @Test("answers name the step that an unfinished channel needs: a link, nothing but finishing, or cancelling")
    func nextSteps() throws {
        let demo = try DemoStore.make()
        func notes() throws -> String {
            try demo.succeed("group", "list", "-u", "alice").output
                + demo.succeed("group", "show", "news", "-u", "alice").output
        }
        let noLink = try notes()
        #expect(noLink.contains("chatdb group finish GROUP --link LINK -u alice completes a channel"), "\(noLink)")
        #expect(noLink.contains("chatdb group finish id:1 --link LINK -u alice or chatdb group cancel id:1"))
        #expect(try demo("check").output.contains("chatdb group finish id:1 --link LINK --user id:1 completes group"))
        try demo.sql("UPDATE group_profiles SET group_link = '\(Self.link)'")
        let hasLink = try notes()
        #expect(hasLink.contains("chatdb group finish GROUP -u alice completes a channel"), "\(hasLink)")
        #expect(hasLink.contains("creation not finished: chatdb group finish id:1 -u alice or"), "\(hasLink)")
        try demo.succeed("group", "create", "talk", "--relay", "mine", "-u", "alice")
        let mixed = try demo.succeed("group", "list", "-u", "alice").output
        #expect(mixed.contains("not finished (news): chatdb group finish GROUP -u alice completes"), "\(mixed)")
        #expect(mixed.contains("not finished (talk): chatdb group finish GROUP --link LINK -u alice"), "\(mixed)")
        try demo.sql("DELETE FROM group_relays; UPDATE group_profiles SET group_link = NULL")
        let nothing = try notes()
        #expect(!nothing.contains("group finish") && nothing.contains("chatdb group cancel GROUP -u alice deletes it"))
        #expect(nothing.contains("creation not finished: a channel without a relay cannot be completed"), "\(nothing)")
        #expect(nothing.contains("or chatdb group cancel id:1 -u alice deletes it"), "\(nothing)")
    }

    @Test("group finish says the state of a channel that the profile did not create")
    func notCreated() throws {
        let demo = try DemoStore.make()
        try demo.succeed("group", "prepare", GroupNounTests.link, "--name", "w", "-u", "alice")
        func message() throws -> String? {
            let run = try demo("group", "finish", "w", "-u", "alice", "--format", "json")
            #expect(try run.refusal()["code"] == "creationFinished")
            return try run.refusal()["message"]?.stringValue
        }
        #expect(try message()?.hasSuffix("the profile did not create it, and joining was not started") == true)
        try demo.succeed("group", "start", "w", "-u", "alice")
        #expect(
            try message()?.hasSuffix("the profile did not create it, and joining was started and is not done") == true)
    }

    @Test("group finish refuses the link of another group of the profile, in any spelling, and changes nothing")
    func linkOfAnother() throws {
        let demo = try DemoStore.make()
        let link = GroupNounTests.link
        try demo.succeed("group", "prepare", link, "--name", "w", "-u", "alice")
        let before = try demo.sql(".dump")
        let spelling = link.replacing("https://h.example/c#", with: "https://H.example/c#")
        for given in [link, spelling] {
            let run = try demo("group", "finish", "news", "--link", given, "-u", "alice", "--format", "json")
            #expect(run.code == 1)
            #expect(try run.refusal()["code"] == "duplicateGroupLink")
            #expect(try run.refusal()["message"]?.stringValue?.contains("\"w\" (id:2)") == true)
        }
        #expect(try demo.sql(".dump") == before)
        // A group of another profile does not count, nor does a group that the profile left.
        try demo.succeed("group", "prepare", Self.link, "--name", "v", "-u", "work")
        try demo.sql("UPDATE group_members SET member_status = 'left' WHERE group_id = 2")
        try demo.succeed("group", "finish", "news", "--link", link, "-u", "alice")
    }

    @Test("group finish refuses a stored link that another group of the profile has, and takes another one")
    func storedLinkOfAnother() throws {
        let demo = try DemoStore.make()
        let link = GroupNounTests.link
        try demo.succeed("group", "prepare", link, "--name", "w", "-u", "alice")
        // In another spelling, only the key is the same.
        let stored = link.replacing("https://h.example/c#", with: "https://H.example/c#")
        for text in [link, "\(stored)?p=443"] {
            try demo.sql("UPDATE group_profiles SET group_link = '\(text)' WHERE display_name = 'news'")
            try demo.sql(
                """
                UPDATE group_profiles SET group_link_key = (SELECT conn_short_link_to_connect_key FROM groups
                    WHERE conn_short_link_to_connect_key IS NOT NULL)
                WHERE display_name = 'news'
                """)
            let before = try demo.sql(".dump")
            let run = try demo("group", "finish", "news", "-u", "alice", "--format", "json")
            #expect(run.code == 1, "\(run.output) \(run.errors)")
            #expect(try run.refusal()["code"] == "duplicateGroupLink")
            #expect(try run.refusal()["message"]?.stringValue?.contains("\"w\" (id:2)") == true)
            #expect(try demo.sql(".dump") == before)
        }
        try demo.succeed("group", "finish", "news", "--link", Self.link, "-u", "alice")
    }

    @Test("a stored link of its own, also one that chatdb does not read, finishes a channel")
    func storedLink() throws {
        for link in [Self.link, "simplex:/contact#/?v=2-7&smp=x", "https://simplex.chat/c#x"] {
            let demo = try DemoStore.make()
            try demo.sql("UPDATE group_profiles SET group_link = '\(link)' WHERE display_name = 'news'")
            try demo.succeed("group", "finish", "news", "-u", "alice")
            #expect(try demo.sql("SELECT group_link FROM group_profiles WHERE display_name = 'news'") == link)
        }
    }

    @Test("a stored text that is no link does not finish a channel, and a link of --link takes its place")
    func storedText() throws {
        for text in ["not a link", "simplex.chat/c#x", "http://h.example/c#x", " "] {
            let demo = try DemoStore.make()
            try demo.sql("UPDATE group_profiles SET group_link = '\(text)' WHERE display_name = 'news'")
            let before = try demo.sql(".dump")
            let run = try demo("group", "finish", "news", "-u", "alice", "--format", "json")
            #expect(run.code == 1, "\(run)")
            let refusal = try run.refusal()
            #expect(refusal["code"] == "creationIncomplete" && refusal["details"]?["missing"] == ["link"], "\(refusal)")
            #expect(refusal["message"]?.stringValue?.hasSuffix("it has no readable link") == true, "\(refusal)")
            #expect(refusal["hint"]?.stringValue?.contains("group finish id:1 --link LINK") == true, "\(refusal)")
            #expect(try demo.sql(".dump") == before)
            let list = try demo.succeed("group", "list", "-u", "alice").output
            #expect(list.contains("chatdb group finish GROUP --link LINK -u alice completes a channel"), "\(list)")
            let check = try demo("check").output
            #expect(check.contains("group finish id:1 --link LINK --user id:1 completes group 1"), "\(check)")
            try demo.succeed("group", "finish", "news", "--link", Self.link, "-u", "alice")
            #expect(try demo.sql("SELECT group_link FROM group_profiles WHERE display_name = 'news'") == Self.link)
        }
    }

    @Test("group finish and group prepare refuse links without a server, and group finish the link of a group")
    func linksWithoutServer() throws {
        let demo = try DemoStore.make()
        let key = "Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
        let before = try demo.sql(".dump")
        for (link, reason) in [
            ("https://simplex.chat/c#\(key)", "names no host"), ("https://www.simplex.chat/c#\(key)?p=443", "no host"),
            ("https://simplex.chat/contact#/?v=2-7", "names no queue"),
            ("https://simplex.chat/contact#/?v=2-7&smp=junk", "names no queue"),
        ] {
            for command in [["finish", "news", "--link", link], ["prepare", link, "--name", "x"]] {
                let run = try demo(["group"] + command + ["-u", "alice", "--format", "json"])
                #expect(run.code == 65 && run.errors.contains(reason), "\(run.output) \(run.errors)")
                #expect(try run.refusal()["code"] == "invalidGroupLink" && !run.errors.contains(key))
            }
        }
        let run = try demo("group", "finish", "news", "--link", "simplex:/g#\(key)?h=h.example", "-u", "alice")
        #expect(run.code == 65 && run.errors.contains("is the link of a group and not of a channel"), "\(run.errors)")
        #expect(!run.errors.contains(key))
        #expect(try demo.sql(".dump") == before)
    }

    @Test("inspect lists prepared groups by their unique names")
    func preparedNames() throws {
        let demo = try DemoStore.make()
        try demo.succeed("group", "prepare", GroupNounTests.link, "--name", "sub", "-u", "alice")
        try demo.succeed("group", "prepare", Self.link, "--name", "sub", "-u", "alice")
        let page = try demo.succeed("inspect").output
        #expect(page.split(separator: "\n").contains { $0.hasPrefix("alice") && $0.contains("  sub_1  ") }, "\(page)")
        let groups = try demo("inspect", "--format", "json").answer()["preparedGroups"]?.arrayValue ?? []
        #expect(groups.allSatisfy { $0["group"]?["name"] == "sub" } && groups.count == 2)
    }

    @Test("group cancel deletes an unfinished channel as group delete does: it asks, backs up, and marks connections")
    func cancel() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type, group_member_id)
            SELECT 1, 'served', 'ready', 'member', group_member_id FROM group_members
            WHERE group_id = 1 AND member_role = 'relay' ORDER BY group_member_id LIMIT 1
            """)
        try demo.sql(
            "INSERT INTO connections (conn_id, user_id, conn_mode) VALUES (CAST('served' AS BLOB), 1, 'INV')",
            in: "x_agent.db")
        let asked = try demo("group", "cancel", "news", "-u", "alice")
        #expect(asked.code == 64 && asked.errors.contains("Cancel the unfinished channel news of alice"))
        #expect(try demo("group", "cancel", "news", "-u", "alice", "--dry-run").output.contains("would be cancelled"))
        #expect(try demo.sql("SELECT count(*) FROM groups") == "1")
        let done = try demo.succeed("group", "cancel", "news", "-u", "alice", "--yes", "--format", "json").answer()
        #expect(done["outcome"] == "cancelled" && done["backup"]?.stringValue != nil)
        #expect(try demo.sql("SELECT count(*) FROM groups") == "0")
        #expect(
            try demo.sql("SELECT CAST(conn_id AS TEXT) FROM connections WHERE deleted = 1", in: "x_agent.db")
                == "served")
        #expect(try demo("group", "cancel", "news", "-u", "alice", "--yes").code == 1)
    }
}
