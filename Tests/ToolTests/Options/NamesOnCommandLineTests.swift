import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Beginnings of names, other names of commands, and options before the verb. Rule: README.md, "Names".
@Suite("names on the command line") struct NamesOnCommandLineTests {
    @Test("the beginning of a name or host is enough, if only one thing has it")
    func beginnings() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "disable", "mi", "-u", "alice")
        #expect(try demo.succeed("relay", "show", "mine", "-u", "alice").output.contains("disabled"))
        for command in [
            ["relay", "show", "MI", "-u", "alice"], ["group", "show", "new", "-u", "alice"],
            ["group", "relays", "ne", "-u", "alice"], ["operator", "disable", "simp"], ["operator", "enable", "flu"],
        ] {
            let run = try demo(command)
            #expect(run.code == 0, "\(command) \(run.errors)")
        }
        let several = try demo("server", "show", "smp", "-u", "alice", "--format", "json")
        #expect(try several.code == 1 && several.refusal()["code"] == "ambiguousName")
        for text in ["m", "name:mi", "id:mi"] {
            let run = try demo("relay", "show", text, "-u", "alice", "--format", "json")
            #expect(try run.code == 1 && run.refusal()["code"] == "relayNotFound", "\(text)")
        }
    }

    @Test("a single character finds nothing, and the hint says that a beginning has two or more")
    func singleCharacter() throws {
        let demo = try DemoStore.make()
        for (command, list) in [
            (["relay", "show", "m"], "relay list"), (["relay", "disable", "M"], "relay list"),
            (["server", "show", "s"], "server list"), (["group", "show", "n"], "group list"),
            (["group", "relay", "activate", "news", "m"], "group relays id:1"),
        ] {
            let run = try demo(command + ["-u", "alice"])
            let hint = "hint: the beginning of a name has two characters or more; chatdb \(list)"
            #expect(run.code == 1 && run.errors.contains(hint), "\(command) \(run.errors)")
        }
        for command in [["relay", "show", "q"], ["relay", "show", "name:m"], ["relay", "delete", "m"]] {
            let run = try demo(command + ["-u", "alice"])
            #expect(run.code == 1 && !run.errors.contains("two characters"), "\(command) \(run.errors)")
        }
    }

    @Test("a beginning that two groups have finds neither, also if both call themselves the same")
    func beginningOfTwo() throws {
        let demo = try DemoStore.make()
        try demo.succeed("group", "create", "news", "--relay", "mine", "-u", "alice")
        let before = try demo.sql(".dump", in: "x_chat.db")
        for command in [["group", "show", "ne"], ["group", "relay", "add", "NE", "other"]] {
            let refusal = try demo(command + ["-u", "alice", "--format", "json"]).refusal()
            #expect(refusal["code"] == "ambiguousName", "\(command) \(refusal)")
            #expect(refusal["details"]?["candidates"]?.texts?.count == 2, "\(refusal)")
        }
        #expect(try demo.sql(".dump", in: "x_chat.db") == before)
        for name in ["news", "NEWS"] {
            #expect(try demo.succeed("group", "show", name, "-u", "alice").output.hasPrefix("news\n"), "\(name)")
        }
        #expect(try demo.succeed("group", "show", "news_", "-u", "alice").output.hasPrefix("news_1\n"))
    }

    @Test("a command that removes what it finds takes whole names only, and says which begin like that")
    func wholeNames() throws {
        let demo = try DemoStore.make()
        let before = try demo.sql(".dump", in: "x_chat.db")
        for (command, code, name) in [
            (["relay", "delete", "min"], "relayNotFound", "mine"),
            (["server", "delete", "smp8"], "serverNotFound", "smp8.simplex.im"),
            (["group", "delete", "ne"], "groupNotFound", "news"), (["group", "leave", "NEW"], "groupNotFound", "news"),
            (["group", "relay", "remove", "news", "mi"], "groupRelayNotFound", "mine"),
            (["group", "relay", "remove", "new", "mine"], "groupNotFound", "news"),
        ] {
            let run = try demo(command + ["-u", "alice", "--yes", "--format", "json"])
            #expect(try run.code == 1 && run.refusal()["code"]?.stringValue == code, "\(command)")
            let hint = "a command that removes something takes only a whole name: \"\(name)\""
            #expect(try run.refusal()["hint"]?.stringValue == hint, "\(command) \(run.errors)")
        }
        let several = try demo("server", "delete", "smp1", "-u", "alice", "--yes", "--format", "json").refusal()
        #expect(several["hint"]?.stringValue?.components(separatedBy: " or ").count == 3, "\(several)")
        let other = try demo("relay", "delete", "mien", "-u", "alice", "--yes", "--format", "json").refusal()
        #expect(other["hint"] == "did you mean \"mine\"?")
        #expect(try demo.sql(".dump", in: "x_chat.db") == before)
    }

    @Test("a name that is whole comes before a beginning, also that of a deleted relay")
    func wholeFirst() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "add", DemoStore.otherRelay, "--name", "mine too", "-u", "alice")
        #expect(try demo.succeed("relay", "disable", "mine", "-u", "alice").output.contains("mine (id "))
        try demo.succeed("relay", "delete", "mine", "-u", "alice", "--yes")
        let run = try demo("relay", "disable", "mine", "-u", "alice")
        #expect(run.code == 1 && run.errors.contains("is deleted"), "\(run.errors)")
    }

    @Test(
        "channel, profile and ls are other names of commands",
        arguments: [
            ("channel list", "group list"), ("profile ls", "user list"), ("relay ls", "relay list"),
            ("channel ls", "group list"), ("server ls", "server list"), ("channel show news", "group show news"),
        ])
    func aliases(_ alias: String, _ name: String) throws {
        let demo = try DemoStore.make()
        func output(_ line: String) throws -> String {
            let run = try demo(line.split(separator: " ").map(String.init) + ["--format", "json"])
            #expect(run.code == 0, "\(line) \(run.errors)")
            return run.output
        }
        try demo.succeed("user", "activate", "alice")
        #expect(try output(alias) == output(name))
    }

    @Test("options that every command has may stand before the words of the command, between them, and behind them")
    func places() throws {
        let words = ["relay", "show", "mine"]
        let options = ["-d", "x", "-u", "alice", "--format=json"]
        for place in 0...3 {
            let line = words[..<place] + options + words[place...]
            let expected = place == 3 ? words + options : ["relay", "show"] + options + ["mine"]
            #expect(GlobalArguments.behindCommand(Array(line)) == expected, "\(line)")
        }
        #expect(GlobalArguments.behindCommand(["backup", "-d", "x", "list"]) == ["backup", "list", "-d", "x"])
        // After the words of a command, every word is an argument.
        #expect(
            GlobalArguments.behindCommand(["query", "-d", "x", "--", "-q"]) == ["query", "-d", "x", "--", "-q"])
        #expect(GlobalArguments.behindCommand(["-d", "x"]) == ["-d", "x"])
        // The error about a wrong word is not about the option before it.
        #expect(GlobalArguments.behindCommand(["relay", "-d", "x", "lst"]) == ["relay", "lst", "-d", "x"])
        // The last of several stores counts, whatever stands between them.
        let two = ["passphrase", "change", "-d", "x", "--new-passphrase-file", "new", "-d", "y"]
        #expect(GlobalArguments.behindCommand(two) == two)
    }
}
