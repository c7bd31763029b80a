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
    }

    @Test("the error of a second start says how to delete the group")
    func startedTwice() throws {
        let demo = try demo()
        try demo.succeed("group", "start", "caf\u{e9}")
        let again = try demo(["group", "start", "caf\u{e9}", "--format", "json"])
        #expect(try again.refusal()["code"] == "alreadyStarted" && again.errors.contains("chatdb group delete id:"))
    }
}
