import ChatDBKit
import Foundation
import TestKit
import Testing

@Suite("preset import, diff and validate")
struct PresetImportCommandTests {
    private static let key = String(repeating: "A", count: 42)
    private static let keyHash = key + "A="
    private static let friendsRelay = "https://relay.friend.example/r#\(key)E"
    private static let friendsServer = "smp://\(keyHash)@smp.friend.example"

    private func write(_ text: String, _ name: String, in demo: ToolRun) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: demo.file(name)))
        return demo.file(name)
    }

    private func list(in demo: ToolRun) throws -> String {
        try write("# of a friend\n\(Self.friendsRelay)\n\(Self.friendsServer)\n", "list.txt", in: demo)
    }

    // MARK: - Import

    @Test("A dry run shows what would change, and changes nothing; with --exit-code it exits with 1")
    func dryRun() throws {
        let demo = try DemoStore.make()
        let file = try list(in: demo)
        let before = try demo.folder.fingerprint()
        try Snapshot.check(
            demo.succeed("preset", "import", file, "-u", "alice", "--dry-run").output, "preset-import.txt")
        let json = try demo("preset", "import", file, "-u", "alice", "--dry-run", "--exit-code", "--format", "json")
        #expect(json.code == 1)
        try Snapshot.check(json.output, "preset-import.json")
        let terminal = try demo.onTerminal("preset", "import", file, "-u", "alice", "--dry-run")
        try Snapshot.check(terminal.output, "preset-import-terminal.txt")
        #expect(terminal.output.split(whereSeparator: \.isNewline).allSatisfy { $0.count <= 80 })
        #expect(try demo.folder.fingerprint() == before)
    }

    @Test("On a terminal the plan shows the whole host of every address, however long, also before the question")
    func wholeHosts() throws {
        let demo = try DemoStore.make()
        let host = "smp4.simplex.im.relays-of-the-evil-one.example.net"
        let file = try write(
            "https://\(host)/r#\(Self.key)E\nsmp://\(Self.keyHash)@\(host)\n", "evil.txt", in: demo)
        let run = try demo.onTerminal("preset", "import", file, "-u", "alice", input: "n\n")
        #expect(run.output.contains("https://\(host)/r#AAAA…AAAE"))
        #expect(run.output.contains("smp://AAAA…AAA=@\(host)"))
    }

    @Test("After yes, import does what it showed, also from standard input; a second run has nothing to do")
    func imports() throws {
        let demo = try DemoStore.make()
        let file = try list(in: demo)
        let before = try demo.folder.fingerprint()
        #expect(try demo("preset", "import", file).code == 64)
        #expect(try demo.onTerminal("preset", "import", file, "-u", "alice", input: "n\n").code == 1)
        #expect(try demo.folder.fingerprint() == before)
        let done = try demo.onTerminal("preset", "import", file, "-u", "alice", input: "y\n")
        #expect(done.code == 0 && done.output.contains("Changed in alice: 2 added.\n"))
        #expect(done.output.split(separator: "smp.friend.example", omittingEmptySubsequences: false).count == 3)
        let again = try demo.shell("cat list.txt | $CHATDB preset import - -u alice --format json").answer()
        #expect(again["applied"] == false && again["changes"] == [] && again["before"] == .null)
        #expect(try demo.sql("SELECT count(*) FROM chat_relays WHERE user_id = 2 AND preset = 0") == "0")
    }

    @Test("import leaves a profile alone that changed during the question, and leaves no file in the folder")
    func outdated() throws {
        let demo = try DemoStore.make()
        let file = try list(in: demo)
        let run = try TerminalRun(["preset", "import", file, "-u", "alice", "--mode", "replace"], in: demo)
        _ = try run.terminal.read(until: "[y/N] ")
        try demo.sql("UPDATE chat_relays SET address = address || '?h=more.example' WHERE display_name = 'mine'")
        let before = try demo.sql("SELECT * FROM chat_relays")
        run.terminal.type("y\n")
        let end = try run.end()
        #expect(end.code == 75 && end.shown.contains("another program changed the profile"))
        #expect(try demo.sql("SELECT * FROM chat_relays") == before)
        #expect(try demo.folder.fingerprint().keys.filter { $0.contains("-before-") }.isEmpty)
    }

    @Test("Conflicting names stop an import, with a hint; following the hint, it succeeds")
    func conflicts() throws {
        let demo = try DemoStore.make()
        let file = try write(
            """
            format: chatdb-preset
            version: 1
            custom:
              relays:
              - {name: theirs, address: "\(DemoStore.sameRelay)"}
              - {name: MINE, address: "\(Self.friendsRelay)"}
            """, "clash.yaml", in: demo)
        let refused = try demo("preset", "import", file, "-u", "alice", "--yes")
        #expect(refused.code == 1)
        try Snapshot.check(refused.output + refused.errors, "preset-import-conflicts.txt")
        for flag in ["--yes", "--dry-run"] {
            let json = try demo("preset", "import", file, "-u", "alice", flag, "--format", "json")
            #expect(try json.code == 1 && json.refusal()["code"] == "presetConflicts")
            #expect(json.errors.split(separator: "\n").count == 1)
            let answer = try json.answer()
            #expect(answer["applied"] == false)
            #expect(answer["changes"]?.arrayValue?.map { $0["action"] } == ["conflict", "conflict"])
        }
        let csv = try demo("preset", "import", file, "-u", "alice", "--dry-run", "--format", "csv")
        #expect(csv.code == 1 && csv.output.hasPrefix("action,kind,") && csv.output.contains("\nconflict,relay,"))
        try demo.succeed("preset", "import", file, "-u", "alice", "--yes", "--on-conflict", "rename")
        let names = try demo.sql("SELECT display_name FROM chat_relays WHERE user_id = 1 AND preset = 0 ORDER BY 1")
        #expect(names.split(separator: "\n") == ["MINE", "theirs"])
    }

    @Test("Every kind of invalid file is refused with its code, and nothing changes")
    func badFiles() throws {
        let demo = try DemoStore.make()
        let before = try demo.folder.fingerprint()
        #expect(try demo("preset", "import", "no-such.json").code == 66)
        #expect(try demo("preset", "import", demo.folder.path).code == 66)
        for text in ["", "{", "nonsense", #"{"format": "chatdb-preset", "version": 9}"#, "\u{FEFF}", "[1]"] {
            let run = try demo.shell("printf '%s' '\(text)' | $CHATDB preset import - --yes --format json")
            #expect(run.code == 65, "\(text): \(run.errors)")
            #expect(try run.refusal()["code"] == "invalidPreset")
        }
        // chatdb does not read endless input to its end.
        let zeros = try demo.shell("cat /dev/zero | $CHATDB preset validate -")
        #expect(zeros.code == 65 && zeros.errors.contains("16 MiB"))
        #expect(try demo.folder.fingerprint() == before)
    }

    // MARK: - Validate

    @Test("validate reports all problems at once with their places, to people and to programs")
    func validate() throws {
        let demo = try DemoStore.make()
        let file = try write(
            """
            {"format": "chatdb-preset", "version": 1, "custom": {"relays": [
              {"name": "a", "address": "https://r.example/i#\(Self.key)E"},
              {"name": "a", "address": "\(Self.friendsRelay)", "enabled": 1, "colour": "\\u001b[31m"}]}}
            """, "bad.json", in: demo)
        let people = try demo("preset", "validate", "bad.json")
        #expect(people.code == 65 && !people.errors.contains("\u{1B}"))
        try Snapshot.check(people.errors, "preset-validate-problems.txt", in: demo)
        let problems = try demo("preset", "validate", file, "--format", "json").refusal()["details"]?["problems"]
        #expect(problems?.arrayValue?.map { $0["line"]?.integerValue } == [2, 3, 3].map(Int64.init).map(Optional.some))
        try Snapshot.check(
            try demo.succeed("preset", "validate", try list(in: demo)).output, "preset-validate.txt", in: demo)
        let lenient = try demo("preset", "validate", "--lenient", "--format", "json", file)
        #expect(lenient.code == 65)
    }

    // MARK: - Diff

    @Test("preset diff compares two profiles, a file, and two stores; the exit code says whether they differ")
    func diff() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "export", "-u", "alice", "-o", "alice.yaml")
        let same = try demo("preset", "diff", "alice.yaml", "-u", "alice", "--exit-code")
        #expect(same.code == 0 && same.output.contains("no difference"))
        let profiles = try demo(
            "preset", "diff", "-u", "alice", "--with-user", "work", "--exit-code", "--format", "json")
        #expect(profiles.code == 1)
        let changes = try #require(try profiles.answer()["changes"]?.arrayValue)
        #expect(changes.contains { $0["action"] == "remove" && $0["name"] == "mine" })

        let other = try DemoStore.make()
        try other.sql("UPDATE chat_relays SET display_name = 'other' WHERE display_name = 'mine'")
        let stores = try demo.succeed("preset", "diff", "-u", "alice", "--with-store", other.store)
        #expect(stores.output.contains("mine → other"))
        #expect(try demo("preset", "diff").code == 64)
        try demo.succeed("preset", "export", "-u", "work", "-o", "work.json")
        let files = try demo(
            "preset", "diff", "alice.yaml", "work.json", "--exit-code", "--format", "json", "-d", "none")
        #expect(try files.code == 1 && files.answer()["changes"] == profiles.answer()["changes"])
        #expect(
            try files.answer()["user"] == .null && files.answer()["file"]?.stringValue?.hasSuffix("alice.yaml") == true)
        #expect(try demo("preset", "diff", "alice.yaml", "alice.yaml", "work.json").code == 64)
        #expect(try demo("preset", "diff", "-", "-").code == 64)
        #expect(try demo("preset", "diff", "alice.yaml", "--with-user", "work").code == 64)
        #expect(try demo("preset", "diff", "--with-user", "wokr").errors.contains("did you mean \"work\""))
    }

    @Test("preset diff --custom-only compares the custom entries of two profiles, of two stores, and with a file")
    func customOnly() throws {
        let demo = try DemoStore.make()
        let own = ["preset", "diff", "-u", "work", "--custom-only", "--format", "json"]
        let profiles = try demo(own + ["--with-user", "alice"]).answer()
        let changes = try #require(profiles["changes"]?.arrayValue)
        #expect(changes.map { $0["name"] } == ["mine"] && changes.first?["action"] == "add")
        #expect(profiles["unchanged"] == 0 && profiles["notCompared"] == [])
        #expect(
            try demo(own + ["--with-store", demo.store, "--with-user", "alice"]).answer()["changes"]
                == profiles["changes"])
        try demo.succeed("preset", "export", "-u", "alice", "-o", "alice.json")
        #expect(try demo(own + ["alice.json"]).answer()["changes"] == profiles["changes"])
    }

    @Test("preset diff says what it does not compare, because only one side has it")
    func notCompared() throws {
        let demo = try DemoStore.make()
        let relay =
            #"{"format": "chatdb-preset", "version": 1, "custom": {"relays": [{"name": "one", "address": "https://relay.example.org/r#8EQmGJ2nVbXyTzRkPw0sLd5uHfCa1iOo7tNqZgWvBxM"}]}}"#
        try relay.write(toFile: demo.file("one.json"), atomically: false, encoding: .utf8)
        try demo.succeed("preset", "export", "-u", "alice", "-o", "alice.json")
        let shown = try demo.succeed("preset", "diff", "alice.json", "one.json").output
        for kind in ["operators", "SMP servers", "XFTP servers"] {
            #expect(shown.contains("note: \(kind) are not compared, because only one side has them\n"), "\(shown)")
        }
        #expect(!shown.contains("relays are not compared"))
        let json = try demo("preset", "diff", "alice.json", "one.json", "--format", "json").answer()
        #expect(json["notCompared"] == ["operator", "smpServer", "xftpServer"])
        #expect(
            try demo("preset", "diff", "alice.json", "alice.json", "--format", "json").answer()["notCompared"] == [])
    }

    @Test("preset diff with a file without operators counts the operators' entries that it does not compare")
    func operatorsEntries() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "export", "-u", "alice", "-o", "alice.json")
        try demo.succeed("preset", "export", "-u", "alice", "--custom-only", "-o", "custom.json")
        let all = try demo("preset", "validate", "alice.json", "--format", "json").answer()
        let custom = try demo("preset", "validate", "custom.json", "--format", "json").answer()
        func left(_ key: String) throws -> Int64 {
            try #require(all[key]?.integerValue) - #require(custom[key]?.integerValue)
        }
        let (relays, smp, xftp) = try (left("relays"), left("smpServers"), left("xftpServers"))
        try #require(relays > 1 && smp > 0 && xftp > 0)
        for files in [["alice.json", "custom.json"], ["custom.json", "alice.json"]] {
            let shown = try demo(["preset", "diff"] + files).output
            #expect(shown.contains("\nno differences in what was compared\n"), "\(shown)")
            let note = "note: \(relays) relays and \(smp + xftp) servers of operators are not compared, because"
            #expect(shown.contains("\(note) only one side has operators\n"), "\(shown)")
            let json = try demo(["preset", "diff"] + files + ["--format", "json"]).answer()
            #expect(json["notCompared"] == ["operator"])
            let counts = json["entriesNotCompared"]
            #expect(counts?["relay"]?.integerValue == relays, "\(json)")
            #expect(counts?["smpServer"]?.integerValue == smp && counts?["xftpServer"]?.integerValue == xftp)
        }
        let same = try demo("preset", "diff", "alice.json", "alice.json", "--format", "json").answer()
        #expect(same["entriesNotCompared"] == [:])
    }

    @Test("a store in the place of a file is named as one, with the commands that read its relays and servers")
    func storeAsFile() throws {
        let demo = try DemoStore.make()
        for path in [demo.store, demo.file("x_chat.db")] {
            let refused = try demo("preset", "diff", path)
            #expect(refused.code == 65 || refused.code == 66)
            #expect(
                refused.errors.contains("\(path) is a store, not a file of relays and servers"), "\(refused.errors)")
            #expect(refused.errors.contains("chatdb preset export -d \(path) -o FILE"))
            #expect(refused.errors.contains("chatdb preset diff --with-store \(path)"))
        }
        let shown = try demo("preset", "show", demo.file("x_chat.db"))
        #expect([65, 66].contains(shown.code))
        #expect(shown.errors.contains(" is a store, not a file"), "\(shown.errors)")
    }

    @Test(
        "An export and an import copy the relays of a profile to another: as a list, as a file, and to an equal profile"
    )
    func carry() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "export", "-u", "alice", "-o", "alice.json")
        try demo.succeed("user", "add", "second", "--no-preset")
        try demo.succeed(
            "preset", "import", "alice.json", "-u", "second", "--mode", "replace", "--set-enabled", "--yes")
        #expect(try demo("preset", "diff", "-u", "alice", "--with-user", "second", "--exit-code").code == 0)
        try demo.succeed("user", "add", "third", "--preset", "alice.json")
        #expect(try demo("preset", "diff", "-u", "alice", "--with-user", "third", "--exit-code").code == 0)
    }
}
