import Testing

@Suite("Names and next commands in answers about groups") struct GroupFollowUpTests {
    @Test("Commands in notes name the given profile, and a prepared group counts as not joined")
    func followUps() throws {
        let demo = try DemoStore.make()
        let made = try demo.succeed("group", "prepare", GroupNounTests.link, "--name", "w", "-u", "work", "-d", "x")
            .output
        #expect(made.contains("chatdb group start id:2 -d x -u work records that joining has started"), "\(made)")
        #expect(made.contains("chatdb group cancel id:2 -d x -u work removes the group"))
        let shown = try demo.succeed("group", "show", "w", "-u", "work").output
        #expect(shown.contains("not joined yet: chatdb group start id:2 -u work"))
        #expect(shown.contains("Membership") && !shown.contains("unknown"), "\(shown)")
        #expect(try demo("group", "show", "w", "-u", "work", "--format", "csv").output.contains("membership,unknown"))
        let listed = try demo.succeed("group", "list", "-u", "work").output
        #expect(listed.contains("not joined") && !listed.contains("unknown"), "\(listed)")
        #expect(try demo("group", "list", "-u", "work", "--format", "csv").output.contains(",unknown,"))
        #expect(try demo("group", "start", "id:2", "-d", "x", "-u", "work").code == 0)
    }

    @Test("group create reports the id of a new channel, and its unique name if another channel has the given one")
    func created() throws {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        let first = try demo.succeed("group", "create", "talk", "--relay", "mine").output
        #expect(first.hasPrefix("The channel talk was created for alice (id 2).\n"), "\(first)")
        let second = try demo.succeed("group", "create", "talk", "--relay", "mine").output
        let taken = "the name talk is taken, so lists and commands call this channel talk_1"
        let created = "The channel talk_1 was created for alice (id 3). The\(taken.dropFirst(3)).\n"
        #expect(second.hasPrefix(created), "\(second)")
        let third = try demo.succeed("group", "create", "talk", "--relay", "mine", "--format", "json").answer()
        #expect(third["notes"]?.texts == [taken.replacing("talk_1", with: "talk_2")])
        let csv = try demo.succeed("group", "create", "talk", "--relay", "mine", "--format", "csv")
        #expect(csv.errors == "note: \(taken.replacing("talk_1", with: "talk_3"))\n", "\(csv.errors)")
        #expect(try demo("group", "--help").output.contains("id:3"))
    }

    @Test("The next step of a new or prepared group names the profile, so that it works after another one is active")
    func namesProfile() throws {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        let created = try demo.succeed("group", "create", "talk", "--relay", "mine").output
        let step = try #require(created.firstMatch(of: #/chatdb (group finish .*) finishes the creation/#)?.output.1)
        #expect(step == "group finish id:2 --link LINK -u alice")
        let prepared = try demo.succeed("group", "prepare", GroupNounTests.link, "--name", "w").output
        #expect(prepared.contains("chatdb group start id:3 -u alice records"), "\(prepared)")
        try demo.succeed("user", "activate", "work")
        let finish = step.replacing("LINK", with: "'\(GroupNounTests.channelLink)'")
        #expect(try demo.shell("$CHATDB \(finish)").code == 0)
    }
}
