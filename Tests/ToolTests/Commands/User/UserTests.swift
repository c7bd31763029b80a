import Foundation
import Testing

@Suite("user")
struct UserTests {
    @Test("The name of another profile is refused, and nothing changes")
    func duplicate() throws {
        let demo = try DemoStore.make()
        let users = try demo.succeed("user", "list").output
        let run = try demo("user", "add", "alice", "--format", "json")
        #expect(run.code == 1)
        #expect(run.output.isEmpty)
        #expect(try run.refusal()["code"] == "duplicateProfileName")
        #expect(try run.refusal()["state"] == "Nothing was changed.")
        #expect(try demo.succeed("user", "list").output == users)
        #expect(try demo.sql("SELECT count(*) FROM users", in: "x_agent.db") == "2")
    }

    @Test("A new profile whose name differs from that of another one only in capitals has a note")
    func similarName() throws {
        let demo = try DemoStore.make()
        let note = "note: another profile has nearly the same name: alice\n"
        let added = try demo.succeed("user", "add", "Alice", "--no-preset")
        #expect(added.output.contains(note), "\(added.output)")
        let copied = try demo.succeed("user", "add", "ALICE", "--like", "work")
        #expect(copied.output.contains(note), "\(copied.output)")
        let other = try demo.succeed("user", "add", "alicia", "--no-preset")
        #expect(!other.output.contains("nearly the same"), "\(other.output)")
    }

    @Test("The activation of the active profile says that nothing was changed, and changes no row")
    func activeAlready() throws {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        let rows = try demo.sql("SELECT * FROM users")
        let shown = try demo.succeed("user", "activate", "alice").output
        #expect(shown.contains("The profile alice is active already; nothing was changed."), "\(shown)")
        #expect(try demo.sql("SELECT * FROM users") == rows)
    }

    @Test(
        "A name with control characters, or without letters, is refused: exit 65",
        arguments: ["", "  ", "a\u{1b}[2J", "a\u{202e}b", "a\nb"])
    func invalidName(_ name: String) throws {
        let folder = try DemoStore.empty()
        let run = try folder("user", "add", name, "--format", "json")
        #expect(run.code == 65)
        #expect(try run.refusal()["code"] == "invalidProfileName")
        #expect(try folder.succeed("user", "list", "--format", "json").answer()["users"] == [])
    }

    @Test("The same seed chooses the same relays and servers, and --verbose shows a random seed")
    func seeds() throws {
        func enabled(_ arguments: String...) throws -> String {
            let folder = try DemoStore.empty()
            try #require(try folder(["user", "add", "x"] + arguments).code == 0)
            return try folder.succeed("preset", "export").output
        }
        let some = try enabled("--seed", "5")
        #expect(try enabled("--seed", "5") == some)
        #expect(try (6...9).contains { try enabled("--seed", "\($0)") != some })

        let folder = try DemoStore.empty()
        let run = try folder("user", "add", "x", "--verbose")
        let seed = try #require(run.errors.firstMatch(of: #/--seed ([0-9]+) repeats the choice/#)?.output.1)
        #expect(try enabled("--seed", String(seed)) == folder.succeed("preset", "export").output)
        #expect(try folder("user", "add", "y", "--seed", "18446744073709551615").code == 64)
    }

    @Test("Without a preset a profile starts empty, and inspect says what that means")
    func noPreset() throws {
        let folder = try DemoStore.empty()
        let answer = try folder.succeed("user", "add", "bare", "--no-preset", "--format", "json").answer()
        #expect(answer["relays"] == ["total": 0, "enabled": 0])
        #expect(answer["seed"] == .null)
        let page = try folder.succeed("inspect").output
        #expect(page.contains("warning: bare: No chat relays enabled. Channels require at least one relay."))
        #expect(page.contains("chatdb relay add ADDRESS --user id:1 -d \(folder.store)"))
    }

    @Test("user activate takes a name or an id; text that looks like an id is a name first")
    func activate() throws {
        let demo = try DemoStore.make()
        try demo.succeed("user", "add", "1", "--no-preset")
        func active(_ name: String) throws -> Int64? {
            let answer = try demo.succeed("user", "activate", name, "--format", "json").answer()
            return answer["user"]?["userId"]?.integerValue
        }
        #expect(try active("1") == 3)
        #expect(try active("id:1") == 1)
        #expect(try active("name:1") == 3)
        #expect(try active("2") == 2)
        #expect(try active("work") == 2)
        #expect(try demo.sql("SELECT count(*) FROM users WHERE active_user = 1") == "1")
        #expect(try demo("user", "activate", "name:2").code == 1)
    }

    @Test("A misspelt name gives a suggestion, in every command that takes a profile")
    func didYouMean() throws {
        let demo = try DemoStore.make()
        for command in [
            ["user", "activate", "wrok"], ["relay", "list", "-u", "wrok"], ["preset", "export", "-u", "wrok"],
        ] {
            let run = try demo(command)
            #expect(run.code == 1)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("there is no profile \"wrok\""))
            #expect(run.errors.contains("hint: did you mean \"work\"?"))
        }
    }

    @Test("user list counts a hidden profile; without --show-hidden no command lists, names, suggests or finds it")
    func hidden() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE users SET view_pwd_hash = x'00', view_pwd_salt = x'00' WHERE local_display_name = 'alice'")
        let list = try demo.succeed("user", "list")
        #expect(!list.output.contains("alice"))
        #expect(list.output.contains("and 1 hidden profile"))
        let page = try demo.succeed("inspect", "--format", "json")
        #expect(!page.output.contains("alice") && !page.output.contains("relay.example.org"))
        #expect(try page.answer()["hiddenUsers"] == 1)
        for name in ["alice", "alicf", "1", "id:1"] {
            let run = try demo("relay", "list", "--user", name)
            #expect(run.code == 1)
            #expect(!run.errors.contains("\"alice\"?"))
        }
        #expect(try demo("preset", "export", "--user", "id:1").code == 1)
        #expect(try demo.succeed("user", "list", "--show-hidden").output.contains("alice"))
        #expect(try demo.succeed("relay", "list", "-u", "alice", "--show-hidden").output.contains("relay.example.org"))
        #expect(try demo.succeed("inspect", "--show-hidden").output.contains("relay.example.org"))
        #expect(
            try demo.succeed("preset", "export", "-u", "alice", "--show-hidden").output.contains("relay.example.org"))
        // Its name is still taken.
        #expect(try demo("user", "add", "alice").code == 1)
    }

    @Test("Without an active profile the error asks for the name of one")
    func noActive() throws {
        let folder = try DemoStore.empty()
        let run = try folder("relay", "list", "--format", "json")
        #expect(run.code == 1)
        #expect(try run.refusal()["code"] == "noActiveProfile")
    }
}
