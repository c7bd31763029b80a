import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// The main use of the built program, from the first command to migrations.
@Suite struct StoryTests {
    private static let relay = "https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"

    @Test("two profiles, a custom relay, a channel, an export, two migrations down and up: no data is lost")
    func story() throws {
        let chatdb = try ToolRun()
        let made = try chatdb.succeed("migrate", "run", "--format", "json").answer()
        #expect(made["created"]?.boolValue == true && made["chat"]?["direction"]?.stringValue == "up")
        let alice = try chatdb.succeed("user", "add", "alice", "--seed", "1", "--format", "json").answer()
        #expect(alice["relays"]?["enabled"]?.integerValue == 2 && alice["smpServers"]?["enabled"]?.integerValue == 7)
        try chatdb("user", "add", "work")
        let added = try chatdb.succeed("relay", "add", Self.relay, "--name", "mine", "-u", "alice", "--format", "json")
            .answer()
        #expect(added["outcome"]?.stringValue == "added")

        let again = try chatdb(
            "relay", "add", "simplex:/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw?h=relay.example.org", "-u", "alice",
            "--format", "json")
        #expect(again.code == 1)
        #expect(try again.refusal()["code"]?.stringValue == "duplicateRelayAddress")

        let channel = try chatdb.succeed(
            "group", "create", "news", "--relay", "mine", "--relay", "smp5.simplex.im", "-u", "alice", "--format",
            "json"
        ).answer()
        #expect(channel["relays"]?.arrayValue?.map { $0["relayStatus"]?.stringValue } == ["new", "new"])

        let relays = try chatdb.succeed("relay", "list", "-u", "alice", "--format", "json").answer()
        let using = relays["relays"]?.arrayValue?.filter { $0["channels"]?["using"]?.integerValue == 1 }.map {
            $0["name"]?.stringValue
        }
        #expect(using == ["SimpleX Chat Relay 1", "mine"])
        let others = try chatdb.succeed("relay", "list", "-u", "work", "--format", "json").answer()
        #expect(others["relays"]?.arrayValue?.count == 3, "a relay of alice's is not work's")

        #expect(try chatdb("preset", "export", "-u", "alice", "-o", chatdb.folder.file("a.json")).code == 0)
        let export = try JSONValue(
            parsing: #require(FileManager.default.contents(atPath: chatdb.folder.file("a.json"))))
        #expect(export["custom"]?["relays"]?[0]?["name"]?.stringValue == "mine")
        #expect(try chatdb("preset", "export", "-u", "alice", "-o", chatdb.folder.file("a.json")).code == 73)

        #expect(try chatdb("migrate", "down", "--steps", "2").code == 64, "no terminal to ask on")
        #expect(try chatdb("relay", "list").code == 0)
        #expect(try chatdb("migrate", "down", "--steps", "2", "--yes").code == 0)
        #expect(try chatdb("relay", "list").code == 0, "older; chatdb reads it as it is")
        #expect(try chatdb("relay", "enable", "mine").code == 78)
        #expect(try chatdb("migrate", "status", "--exit-code").code == 78)
        #expect(try chatdb("migrate", "run").code == 78, "no consent")
        #expect(try chatdb("migrate", "run", "--dry-run").code == 0)
        #expect(try chatdb("migrate", "run", "--yes").code == 0)
        #expect(try chatdb.succeed("relay", "list", "-u", "alice", "--format", "json").answer() == relays)
        let page = try chatdb.succeed("inspect", "--format", "json").answer()
        #expect(page["store"]?["kind"]?.stringValue == "chatdb" && page["users"]?.arrayValue?.count == 2)
        #expect(page["channels"]?.arrayValue?.count == 1)
    }

    @Test(
        "commands that read a store change no byte",
        arguments: [
            ["inspect"], ["migrate", "status"], ["migrate", "plan"], ["migrate", "run", "--dry-run"],
            ["relay", "list"],
            ["user", "list"], ["group", "list"], ["preset", "export"], ["preset", "sync", "--dry-run"],
            ["schema", "diff"],
            ["schema", "show", "users"], ["migrate", "run"],
        ])
    func readOnly(_ arguments: [String]) throws {
        let chatdb = try ToolRun()
        try chatdb("migrate", "run")
        try chatdb("user", "add", "alice")
        let before = try chatdb.folder.fingerprint()
        for format in ["table", "json", "csv", "markdown"] {
            let outcome = try chatdb(arguments + ["--format", format])
            #expect(outcome.code == 0 && !outcome.output.isEmpty, "\(arguments) \(format): \(outcome.errors)")
        }
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test(
        "R14: without a store, every command except those that create one says so and creates no file",
        arguments: [
            ["inspect"], ["migrate", "status"], ["migrate", "down", "--steps", "1", "--yes"], ["relay", "list"],
            ["relay", "add", StoryTests.relay], ["user", "list"], ["user", "add", "alice"],
            ["user", "activate", "alice"],
            ["group", "list"], ["group", "create", "news"], ["preset", "export"], ["preset", "sync", "--yes"],
            ["schema", "diff"],
        ])
    func noStore(_ arguments: [String]) throws {
        let chatdb = try ToolRun()
        let outcome = try chatdb(arguments)
        #expect(outcome.code == 66, "\(outcome.errors)")
        #expect(try chatdb.folder.fingerprint().isEmpty)
    }

    @Test(
        "R13: a path is a plain file name, even if SQLite would read it as a URI or a special name",
        arguments: ["file:y?mode=rwc", ":memory:", "", "-y"])
    func plainNames(_ path: String) throws {
        let chatdb = try ToolRun()
        let outcome = try chatdb("inspect", "--store=\(path)")
        #expect(outcome.code == (path.isEmpty ? 64 : 66), "\(outcome.errors)")
        #expect(try chatdb.folder.fingerprint().isEmpty)
    }

    @Test(
        "R15: the error names the kind of a directory, a FIFO, a text and an encrypted file",
        arguments: [
            ("mkdir x_chat.db", "directory"), ("mkfifo x_chat.db", "FIFO"), ("echo hello > x_chat.db", "text"),
            ("head -c 65536 /dev/urandom > x_chat.db", "encrypted"), (": > x_chat.db", "empty"),
        ])
    func notADatabase(_ command: String, _ word: String) throws {
        let chatdb = try ToolRun()
        try chatdb("migrate", "run")
        #expect(try chatdb.shell("rm x_chat.db && \(command)").code == 0)
        for arguments in [["migrate", "status"], ["migrate", "run", "--yes"], ["relay", "list"]] {
            let outcome = try chatdb(arguments)
            // A passphrase could help.
            let code: Int32 = word == "encrypted" ? 64 : 66
            #expect(
                outcome.code == code && outcome.errors.contains(word), "\(arguments) \(outcome.code) \(outcome.errors)")
        }
    }

    @Test("a command finds things by name, then by id, and suggests names for misspelt ones")
    func names() throws {
        let chatdb = try ToolRun()
        try chatdb("migrate", "run")
        try chatdb("user", "add", "alice")
        try chatdb("user", "add", "1")
        #expect(try chatdb("user", "activate", "1").output.contains("The profile 1 is active"))
        #expect(try chatdb("user", "activate", "id:1").output.contains("alice"))
        let misspelt = try chatdb("user", "activate", "alcie")
        #expect(misspelt.code == 1 && misspelt.errors.contains("did you mean \"alice\"?"))
        #expect(try chatdb("user", "add", "alice").errors.contains("that name is taken in this store"))
    }

    @Test("hostile names never reach a terminal unescaped")
    func hostile() throws {
        let chatdb = try ToolRun()
        try chatdb("migrate", "run")
        #expect(try chatdb("user", "add", "a\u{1b}[2Jb").code == 65)
        try chatdb("user", "add", "alice")
        try chatdb("group", "create", "=cmd|x")
        #expect(try chatdb("group", "list", "--format", "csv").output.contains("'=cmd|x"))
        #expect(
            try !chatdb("user", "activate", "\u{1b}]0;x\u{7}").errors.unicodeScalars.contains {
                $0.value < 0x20 && $0 != "\n"
            })
    }

    @Test("options may precede the noun, and every format reports usage errors in the same way")
    func commandLine() throws {
        let chatdb = try ToolRun()
        try chatdb("migrate", "run")
        try chatdb("user", "add", "alice")
        #expect(try chatdb("--format", "json", "-u", "alice", "relay", "list").output.hasPrefix("{"))
        for arguments in [
            ["relay", "lst"], ["relay", "list", "--format", "xml"], ["migrate", "down"],
            ["relay", "list", "--usr", "x"],
        ] {
            let outcome = try chatdb(arguments + ["--format", "json"])
            let code = try? JSONValue(parsing: outcome.errors)["error"]?["code"]?.stringValue
            #expect(
                outcome.code == 64 && (code == "usage" || arguments.contains("xml")), "\(arguments): \(outcome.errors)")
        }
        #expect(try chatdb("--version").output.hasPrefix("chatdb "))
        for shell in ["bash", "zsh", "fish"] {
            #expect(try chatdb("completion", shell).output.contains("chatdb"))
        }
    }

    @Test("a reader that closes the pipe is no error")
    func pipe() throws {
        let run = try ToolRun().shell("set -o pipefail; \"$CHATDB\" schema docs | head -c 1 > /dev/null")
        #expect(run.code == 0 && run.errors.isEmpty)
    }
}
