import Foundation
import Testing

@Suite("The answers of the demo, command by command")
struct AnswerTests {
    @Test("Two profiles, a custom relay and a channel: every answer is as recorded, on a terminal and as JSON")
    func story() throws {
        let demo = try DemoStore.empty()
        func check(_ name: String, _ arguments: String...) throws {
            let run = try demo(arguments)
            #expect(run.code == 0, "\(arguments)")
            // An export is the answer itself, so the numbers in it are a note. CSV has only a part of the page.
            let notes = run.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("note: ") }
            #expect(
                run.errors.isEmpty || notes && (name.hasPrefix("preset-export") || name == "inspect.csv"),
                "\(arguments) \(run.errors)")
            try Snapshot.check(run.output, name, in: demo)
        }
        try check("user-list-empty.txt", "user", "list")
        try check("user-add.txt", "user", "add", "alice", "--seed", "1")
        try check("user-add.json", "user", "add", "work", "--seed", "2", "--format", "json")
        try check("user-list.txt", "user", "list")
        try check("user-list.json", "user", "list", "--format", "json")
        try check("user-activate.txt", "user", "activate", "alice")
        try check("user-activate.json", "user", "activate", "alice", "--format", "json")
        try check("relay-add.txt", "relay", "add", DemoStore.relay, "--name", "mine")
        try check(
            "relay-add.json", "relay", "add", DemoStore.otherRelay, "--domain", "Other.example.net", "--format", "json")
        try check("group-list-empty.txt", "group", "list")
        try check("group-create.txt", "group", "create", "news", "--relay", "mine", "--relay", "smp5.simplex.im")
        try check("group-create.json", "group", "create", "talk", "--relay", "mine", "--format", "json")
        try check("group-list.json", "group", "list", "--format", "json")
        try check("relay-list.json", "relay", "list", "--format", "json")
        try check("relay-list.csv", "relay", "list", "--format", "csv")
        try check("relay-list.md", "relay", "list", "--format", "markdown")
        try check("preset-list.json", "preset", "list", "--format", "json")
        try check("preset-sync.json", "preset", "sync", "--dry-run", "--format", "json")
        try check("preset-export.json", "preset", "export")
        try check("inspect.json", "inspect", "--format", "json")
        try check("inspect.csv", "inspect", "--format", "csv")

        func checkTerminal(_ name: String, _ run: ToolRun.Outcome) throws {
            #expect(run.code == 0)
            try Snapshot.check(run.output, "\(name)-terminal.txt", in: demo)
        }
        try checkTerminal("user-list", demo.onTerminal("user", "list"))
        try checkTerminal("relay-list", demo.onTerminal("relay", "list"))
        // However long the test took so far, the chats have the present time.
        try demo.sql("UPDATE groups SET chat_ts = strftime('%Y-%m-%d %H:%M:%f', 'now', (group_id - 9) || ' seconds')")
        try checkTerminal("group-list", demo.onTerminal("group", "list"))
        try checkTerminal("preset-list", demo.onTerminal("preset", "list"))
        try checkTerminal("preset-show", demo.onTerminal("preset", "show"))
        try checkTerminal("preset-sync", demo.onTerminal("preset", "sync", "--dry-run"))
    }

    @Test("Inspecting shows the whole store on one page of 80 columns")
    func inspect() throws {
        let demo = try DemoStore.make()
        // A longer age makes its column wider.
        try demo.sql("UPDATE groups SET created_at = strftime('%Y-%m-%d %H:%M:%f', 'now')")
        let run = try demo.onTerminal("inspect")
        #expect(run.code == 0)
        // The width of the path in the heading depends on the folder of the test.
        let page = run.output.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("Made by") }
        #expect(page.allSatisfy { $0.count <= 80 })
        try Snapshot.check(page.joined(separator: "\n"), "inspect-terminal.txt", in: demo)
    }

    @Test("A profile's list omits the relay of another profile, and its id does not find it")
    func isolation() throws {
        let demo = try DemoStore.make()
        let alices = try demo.succeed("relay", "list", "--user", "alice").output
        let works = try demo.succeed("relay", "list", "--user", "work").output
        #expect(alices.contains("relay.example.org"))
        #expect(!works.contains("relay.example.org"))
        let channel = try demo("group", "create", "x", "--relay", "id:7", "--user", "work", "--format", "json")
        #expect(channel.code == 1)
        #expect(try channel.refusal()["code"] == "relayNotFound")
        #expect(try demo.succeed("group", "list", "--user", "work").output.hasPrefix("no groups"))
        #expect(try demo.succeed("relay", "add", DemoStore.relay, "--user", "work").output.contains("was added"))
    }

    @Test("Options of every command may precede the noun")
    func optionsFirst() throws {
        let demo = try DemoStore.make()
        let usual = try demo.succeed("relay", "list", "-u", "alice", "--format", "json").output
        let first = try demo(["-d", demo.store, "-u", "alice", "--format=json", "relay", "list"])
        #expect(first.output == usual)
    }

    @Test("The tool ends quietly when its reader closes the pipe")
    func pipes() throws {
        let demo = try DemoStore.make()
        for command in ["relay list", "inspect --format json", "preset export -q", "preset show"] {
            let run = try demo.shell("\"$CHATDB\" \(command) | head -c 1 > /dev/null; echo ${PIPESTATUS[0]}")
            #expect(run.output == "0\n", "\(command)")
            #expect(run.errors.isEmpty, "\(command)")
        }
    }

    @Test("Without a store: exit 66, nothing on standard output, and no file created")
    func noStore() throws {
        let folder = try ToolRun()
        let commands = [
            ["user", "list"], ["user", "add", "alice"], ["user", "activate", "alice"], ["relay", "list"],
            ["relay", "add", DemoStore.relay], ["group", "list"], ["group", "create", "news"], ["preset", "export"],
            ["preset", "sync", "--yes"], ["inspect"],
        ]
        for command in commands {
            let run = try folder(command + ["--format", "json"])
            #expect(run.code == 66, "\(command)")
            #expect(run.output.isEmpty, "\(command)")
            #expect(try run.refusal()["code"] == "storeNotFound", "\(command)")
            #expect(try folder.folder.fingerprint().isEmpty, "\(command)")
        }
    }

    @Test("Commands read a store of an older version, and refuse to write it: exit 78, with a hint")
    func olderStore() throws {
        let demo = try DemoStore.make()
        try demo.succeed("migrate", "down", "--steps", "1", "--yes", "-q", "--no-backup")
        let before = try demo.folder.fingerprint()
        for command in [["relay", "list"], ["user", "list"], ["group", "list"], ["preset", "export"]] {
            let run = try demo(command)
            #expect(run.code == 0, "\(command)")
            #expect(run.errors.contains("older than this build by 1 migration; chatdb reads it as it is"), "\(command)")
        }
        for command in [["user", "add", "carol"], ["relay", "add", DemoStore.otherRelay]] {
            let run = try demo(command + ["--format", "json"])
            #expect(run.code == 78, "\(command)")
            #expect(try run.refusal()["code"] == "needsUpgrade", "\(command)")
        }
        #expect(try demo.folder.fingerprint()["x_chat.db"] == before["x_chat.db"])
    }

    @Test("The help of commands about the relays of a channel explains their columns, and that of usage what it counts")
    func columns() throws {
        let folder = try ToolRun()
        for command in ["show", "relays"] {
            let lines = try folder("group", command, "--help").output.split(separator: "\n")
            for column in ["Status", "Member", "State"] {
                #expect(lines.contains { $0.hasPrefix("  \(column) ") }, "\(command) \(column)")
            }
            #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE") }, "\(command)")
        }
        let usage = try folder("relay", "usage", "--help").output
        #expect(usage.contains("Channels counts the channels that use the relay."))
    }

    @Test("Every command and group of commands has help with examples")
    func help() throws {
        let folder = try ToolRun()
        let commands = [
            "user", "user list", "user add", "user activate", "relay", "relay list", "relay add", "group",
            "group list", "group create", "preset", "preset list", "preset show", "preset export", "preset sync",
            "inspect",
        ]
        for command in commands {
            let run = try folder(command.split(separator: " ").map(String.init) + ["--help"])
            #expect(run.code == 0, "\(command)")
            let examples = run.output.split(separator: "\n").filter { $0.hasPrefix("  chatdb \(command)") }
            #expect(examples.count >= 2, "\(command)")
            #expect(run.output.contains("Examples:"), "\(command)")
        }
    }
}
