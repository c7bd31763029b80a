import ChatDBKit
import Foundation
import Testing

/// What chatdb reports to people who carry relays and servers between profiles and stores.
@Suite struct ConfigurationReportTests {
    private static let fake = "https://dom.example.org/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ"

    @Test("the text that a list shows for a relay without a name finds that relay")
    func shownName() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "add", Self.fake, "--domain", "dom.example", "-u", "work")
        let shown = try demo.succeed("relay", "show", "dom.example", "-u", "work", "--format", "json").answer()
        #expect(shown["relay"]?["host"] == "dom.example.org")
    }

    @Test("relay add names the operator that a relay's domain belongs to")
    func owner() throws {
        let demo = try DemoStore.make()
        let added = try demo.succeed("relay", "add", Self.fake, "--domain", "simplex.im", "-u", "work").output
        #expect(added.contains("its domains belong to SimpleX Chat"), "\(added)")
        let other = try demo.succeed("relay", "add", DemoStore.relay, "-u", "work").output
        #expect(!other.contains("belongs to"))
    }

    @Test("import reports how many entries the file enables or disables differently, while it leaves them")
    func switches() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "export", "-u", "alice", "-o", demo.file("alice.json"))
        try demo.succeed("relay", "disable", "mine", "-u", "alice")
        let plan = try demo.succeed("preset", "import", demo.file("alice.json"), "-u", "alice", "--dry-run").output
        #expect(plan.contains("1 entry is enabled or disabled differently in the file, and stays as it is: mine ("))
        try demo.sql("UPDATE protocol_servers SET enabled = 1 - enabled WHERE user_id = 1")
        let many = try demo.succeed("preset", "import", demo.file("alice.json"), "-u", "alice", "--dry-run").output
        #expect(many.contains(#/in the file, and stay as they are: [^ ]+, [^ ]+, [^ ]+ and [0-9]+ more \(/#), "\(many)")
        let taken = try demo("preset", "import", demo.file("alice.json"), "-u", "alice", "--dry-run", "--set-enabled")
        #expect(taken.output.contains("enabled: no → yes") && !taken.output.contains("otherwise"))
    }

    @Test("a plan counts the entries of the file that the profile has already, and no other entries of the profile")
    func there() throws {
        let demo = try DemoStore.make()
        let list = demo.file("list.txt")
        let planned = { try demo.succeed("preset", "import", list, "-u", "alice", "--dry-run").output }
        try Data("\(DemoStore.relay)\n\(Self.fake)\n".utf8).write(to: URL(fileURLWithPath: list))
        #expect(try planned().contains("1 to add, 1 other entry of the file is there already\n"))
        let done = try demo.succeed("preset", "import", list, "-u", "alice", "--yes").output
        #expect(done.contains("1 added, 1 other entry of the file was there already\n"), "\(done)")
        // One line says why there is nothing to change.
        #expect(try planned().contains("\nnothing\n\n2 entries of the file are there already\n"))
    }

    @Test("of an import that is carried out, entries that it does not take are left out, and not in conflict")
    func leftOut() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "export", "-u", "alice", "-o", "alice.json")
        let text = try String(contentsOfFile: demo.file("alice.json"), encoding: .utf8)
        let other = text.replacing("\"SimpleX Chat Relay 1\"", with: "\"Other\"")
        try #require(other != text)
        try other.write(toFile: demo.file("other.json"), atomically: false, encoding: .utf8)
        let planned = try demo.succeed("preset", "import", "other.json", "-u", "work", "--dry-run").output
        #expect(planned.contains(#/\n1 to add, 1 left out, /#), "\(planned)")
        let done = try demo.succeed("preset", "import", "other.json", "-u", "work", "--yes").output
        #expect(done.contains(#/\n1 added, 1 left out, /#), "\(done)")
        let again = try demo.succeed("preset", "import", "other.json", "-u", "work", "--yes").output
        #expect(again.contains(#/\n1 left out, /#), "\(again)")
        // Where nothing changes, no arrow looks like a change.
        #expect(done.contains("Changed in work (1 left out)\n"), "\(done)")
        #expect(done.contains("left out: a preset relay cannot be changed; the file has name: Other\n"), "\(done)")
        #expect(again.contains("Nothing to change in work (1 left out)\n") && !again.contains("→"), "\(again)")
    }

    @Test(
        "of a server with another key hash, an import says that it is left out, and shows no change of the address",
        arguments: ["skip", "rename"])
    func otherKeyHash(_ onConflict: String) throws {
        let demo = try DemoStore.make()
        let (key, other) = (String(repeating: "A", count: 43), "h--vW7ZSkXPeOUpfxlFGgauQmXNFOzGoizak7Ult7cw")
        try demo.succeed("server", "add", "smp://\(key)=@smp.bob.example", "-u", "work")
        let theirs = "smp://\(other)=@smp.bob.example"
        try Data("\(theirs)\n\(Self.fake)\n".utf8).write(to: URL(fileURLWithPath: demo.file("list.txt")))
        let arguments = ["preset", "import", demo.file("list.txt"), "-u", "work", "--on-conflict", onConflict]
        let reason = "left out: the file has another key hash for it, and so means another server; "
        for (option, heading) in [("--dry-run", "To change in work"), ("--yes", "Changed in work")] {
            let run = try demo(arguments + [option])
            #expect(run.code == 0 && run.output.hasPrefix("\(heading) (1 left out)\n"), "\(run.output)")
            #expect(run.output.contains("\(reason)the file has address: \(theirs)\n"), "\(run.output)")
            #expect(!run.output.contains("→"), "\(run.output)")
        }
        let changes = try demo(arguments + ["--dry-run", "--format", "json"]).answer()["changes"]
        let change = changes?.arrayValue?.first { $0["action"] == "conflict" }
        #expect(change?["fields"]?["address"]?["to"] == .string(theirs), "JSON has both values")
    }

    @Test("import says that the previous configuration has passwords only if it has one")
    func passwordsOfBefore() throws {
        let demo = try DemoStore.make()
        let list = demo.file("list.txt")
        try demo.sql("UPDATE protocol_servers SET basic_auth = NULL")
        try Data("\(Self.fake)\n".utf8).write(to: URL(fileURLWithPath: list))
        let without = try demo.succeed("preset", "import", list, "-u", "alice", "--yes").output
        #expect(without.contains(".json. To restore it:") && !without.contains("with passwords"), "\(without)")
        try demo.succeed("relay", "delete", Self.fake, "-u", "alice", "--yes", "--no-backup")
        try demo.sql("UPDATE protocol_servers SET basic_auth = 'hunter2'")
        let with = try demo.succeed("preset", "import", list, "-u", "alice", "--yes", "--format", "csv").errors
        #expect(with.contains(".json, with passwords; to restore it:"), "\(with)")
    }

    @Test("JSON in a file of any name is read as JSON")
    func anyName() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "export", "-u", "alice", "-o", demo.file("alice.json"))
        try FileManager.default.moveItem(atPath: demo.file("alice.json"), toPath: demo.file("alice.txt"))
        #expect(try demo("preset", "validate", demo.file("alice.txt")).code == 0)
    }

    @Test(
        "an invalid version appears in the error as it was given",
        arguments: [("\"1\"", "a string"), ("", "missing"), ("0", "0")])
    func version(_ given: String, _ found: String) throws {
        let demo = try DemoStore.empty()
        let text =
            given.isEmpty ? #"{"format": "chatdb-preset"}"# : #"{"format": "chatdb-preset", "version": \#(given)}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: demo.file("p.json")))
        let outcome = try demo("preset", "validate", demo.file("p.json"))
        #expect(
            outcome.code == 65 && outcome.errors.contains("version: it is \(found); expected 1"), "\(outcome.errors)")
    }

    @Test("contradictory options are a usage error")
    func contradictions() throws {
        let demo = try DemoStore.empty()
        for arguments in [
            ["preset", "export", "--custom-only", "--select", "operators"],
            ["preset", "diff", "x.json", "--with-user", "work"], ["preset", "diff"],
            ["preset", "diff", "x.json", "y.json", "--custom-only"],
        ] {
            #expect(try demo(arguments).code == 64, "\(arguments)")
        }
    }

    @Test("a commit that times out on another program's lock changes nothing")
    func locked() throws {
        let demo = try DemoStore.make()
        for name in ["x_chat.db", "x_agent.db"] { try demo.sql("PRAGMA journal_mode = DELETE", in: name) }
        let empty = #"{"format": "chatdb-preset", "version": 1, "custom": {"relays": []}}"#
        try Data(empty.utf8).write(to: URL(fileURLWithPath: demo.file("e.json")))
        let reader = try SQLiteEngine().open(demo.file("x_chat.db"), as: .readOnly)
        defer { try? reader.close() }
        let outcome = try reader.read { chat in
            _ = try chat.rows("SELECT * FROM users")
            return try demo("preset", "import", demo.file("e.json"), "-u", "alice", "--mode", "replace", "--yes")
        }
        #expect(outcome.code == 75 && !outcome.errors.contains("cannot determine"), "\(outcome.errors)")
        #expect(
            try !FileManager.default.contentsOfDirectory(atPath: demo.folder.path).contains { $0.contains("-before-") })
        #expect(try demo("relay", "show", "mine", "-u", "alice").code == 0)
    }

    @Test("an import does not report a restored test result as a test made now")
    func testedTime() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "mark-tested", "mine", "passed", "-u", "alice")
        let empty = #"{"format": "chatdb-preset", "version": 1, "custom": {"relays": []}}"#
        try Data(empty.utf8).write(to: URL(fileURLWithPath: demo.file("e.json")))
        try demo.succeed("relay", "add", DemoStore.otherRelay, "--name", "free", "-u", "alice")
        try demo.succeed("relay", "mark-tested", "free", "passed", "-u", "alice")
        let gone = try demo.succeed(
            "preset", "import", demo.file("e.json"), "-u", "alice", "--mode", "replace", "--yes", "--format", "json"
        ).answer()
        let command = try #require(gone["before"]?["command"]?.stringValue)
        #expect(try demo.shell("$CHATDB" + command.dropFirst("chatdb".count) + " --yes").code == 0)
        for name in ["mine", "free"] {
            let relay = try demo.succeed("relay", "show", name, "-u", "alice", "--format", "json").answer()["relay"]
            #expect(relay?["tested"] == true && relay?["testedAt"] == .null, "\(name)")
        }
    }

    @Test("enabling an operator reports no problem that was worse before")
    func better() throws {
        let demo = try DemoStore.make()
        for name in ["flux", "simplex"] { try demo.succeed("operator", "disable", name, "-u", "alice") }
        let warned = try demo.succeed("operator", "enable", "flux", "-u", "alice").errors
        #expect(!warned.contains("storage") && !warned.contains("proxy"), "\(warned)")
    }
}
