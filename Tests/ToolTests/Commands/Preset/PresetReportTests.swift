import ChatDBKit
import Foundation
import Testing

@Suite("reports of the preset commands")
struct PresetReportTests {
    private static let keyHash = String(repeating: "A", count: 42) + "A="
    private static let evilRelay = "https://relay.evil.example/r#\(String(repeating: "A", count: 42))E"

    private func write(_ text: String, _ name: String, in demo: ToolRun) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: demo.file(name)))
        return demo.file(name)
    }

    /// Disables all relays and servers of alice.
    private func allOff(in demo: ToolRun) throws -> String {
        let text = try demo.succeed("preset", "export", "-u", "alice").output
        return try write(text.replacing("\"enabled\": true", with: "\"enabled\": false"), "off.json", in: demo)
    }

    @Test("import reports the problems that validation finds since, in other profiles too, and no older ones")
    func warnings() throws {
        let demo = try DemoStore.make()
        let file = try allOff(in: demo)
        let arguments = ["preset", "import", file, "-u", "alice", "--mode", "replace", "--format", "json"]
        let dry = try demo(arguments + ["--dry-run"])
        let run = try demo(arguments + ["--yes"])
        let warnings = try #require(run.answer()["warnings"]?.texts)
        #expect(try dry.answer()["warnings"]?.texts == warnings, "a dry run says what the run then says")
        #expect(warnings.allSatisfy { dry.errors.contains("warning: after the change: \($0)\n") })
        #expect(warnings.contains("no SMP server is enabled"))
        #expect(warnings.contains("No chat relays enabled. Channels require at least one relay."))
        #expect(warnings.contains("work: no SMP server is enabled"), "operators are shared")
        #expect(warnings.allSatisfy { run.errors.contains("warning: \($0)\n") })
        let relay = try write("\(Self.evilRelay)\n", "relay.txt", in: demo)
        let more = try demo.succeed("preset", "import", relay, "-u", "alice", "--yes", "--format", "json")
        #expect(try more.answer()["warnings"] == [] && !more.errors.contains("warning:"))
    }

    @Test("sync reports them too")
    func syncWarnings() throws {
        let demo = try DemoStore.make()
        let file = try write(
            """
            {"format": "chatdb-preset", "version": 1, "operators": [
              {"tag": "simplex", "tradeName": "SimpleX Chat", "domains": ["simplex.im"],
               "smpServers": [], "xftpServers": [], "relays": []},
              {"tag": "flux", "tradeName": "Flux", "domains": ["simplexonflux.com"],
               "smpServers": [], "xftpServers": [], "relays": []}]}
            """, "bare.json", in: demo)
        let run = try demo.succeed("preset", "sync", file, "-u", "work", "--yes", "--format", "json")
        #expect(try run.answer()["warnings"]?.texts?.contains("no XFTP server is enabled") == true)
        #expect(run.errors.contains("warning: no XFTP server is enabled\n"))
    }

    @Test("With CSV, notes and the command that undoes the change go to standard error")
    func csv() throws {
        let demo = try DemoStore.make()
        let file = try allOff(in: demo)
        let run = try demo.succeed(
            "preset", "import", file, "-u", "alice", "--mode", "replace", "--yes", "--format", "csv")
        #expect(run.output.hasPrefix("action,kind,"))
        #expect(run.errors.contains("note: the operator Flux is switched off for every profile: "))
        let command = try #require(run.errors.firstMatch(of: #/note: chatdb (preset import .*)\n/#)?.output.1)
        #expect(try demo.shell("$CHATDB \(command) --yes").code == 0)
        #expect(try demo.sql("SELECT count(*) FROM server_operators WHERE enabled = 0") == "0")
    }

    @Test("Ctrl-C at a question exits with 130 and says that nothing changed")
    func interrupted() throws {
        let demo = try DemoStore.make()
        let file = try allOff(in: demo)
        let before = try demo.folder.fingerprint()
        for arguments in [
            ["preset", "import", file, "-u", "alice", "--mode", "replace"], ["relay", "delete", "mine", "-u", "alice"],
            ["group", "delete", "news", "-u", "alice"],
        ] {
            let run = try TerminalRun(arguments, in: demo)
            _ = try run.terminal.read(until: "[y/N] ")
            run.interrupt()
            let end = try run.end()
            #expect(end.code == 130 && end.shown.contains("error: stopped on request"), "\(arguments)")
            #expect(end.shown.contains("Nothing was done."))
            #expect(try demo.folder.fingerprint() == before)
        }
    }

    @Test("The error about a profile that another store lacks names that store")
    func otherStore() throws {
        let demo = try DemoStore.make()
        let other = try DemoStore.empty()
        let run = try demo("preset", "diff", "-u", "alice", "--with-store", other.store)
        #expect(run.code == 1)
        #expect(run.errors.contains("error: there is no profile \"alice\" in the store \(other.store)"))
        #expect(run.errors.contains("hint: chatdb user list -d \(other.store) lists them"))
        try other.succeed("user", "add", "alicf", "--no-preset")
        let near = try demo("preset", "diff", "-u", "alice", "--with-store", other.store, "--format", "json")
        #expect(try near.refusal()["hint"] == "did you mean \"alicf\"?")
    }

    @Test("Messages name standard input, and the report on a file without entries says so")
    func standardInput() throws {
        let demo = try DemoStore.make()
        let valid = try demo.shell("$CHATDB preset show --format json | $CHATDB preset validate -")
        #expect(valid.output.hasPrefix("standard input is valid.\n"))
        let empty = try demo.shell("$CHATDB preset import - --as list --dry-run < /dev/null")
        #expect(empty.code == 0 && empty.output.contains("nothing: the file has no entries\n"))
        #expect(!empty.output.contains("there already"), "\(empty.output)")
        #expect(empty.errors.contains("warning: standard input: it has no addresses\n"))
    }

    @Test("export refuses to write YAML to a file whose name ends in .json")
    func contradiction() throws {
        let demo = try DemoStore.make()
        #expect(try demo("preset", "export", "--yaml", "-o", demo.file("x.json")).code == 64)
        #expect(!FileManager.default.fileExists(atPath: demo.file("x.json")))
        try demo.succeed("preset", "export", "--yaml", "-o", demo.file("x.yml"))
        try demo.succeed("preset", "validate", demo.file("x.yml"))
    }

    // MARK: - Profiles that start with a file

    /// A file with its own claims about an operator.
    private func boldFile(in demo: ToolRun) throws -> String {
        try write(
            """
            {"format": "chatdb-preset", "version": 1, "operators": [
              {"tag": "evil", "tradeName": "Evil", "domains": ["evil.example"],
               "relays": [{"name": "E", "address": "\(Self.evilRelay)", "domains": ["evil.example"]}]},
              {"tag": "flux", "tradeName": "Flux", "domains": ["simplexonflux.com"],
               "smpServers": [{"address": "smp://\(Self.keyHash)@smp.evil.example", "password": "omitted"}]}]}
            """, "bold.json", in: demo)
    }

    @Test("user add reports operators and entries that only the file has, and omitted passwords")
    func believed() throws {
        let demo = try DemoStore.make()
        // The build's own facts need no confirmation by the file.
        try demo.succeed("preset", "export", "-u", "alice", "-o", demo.file("alice.json"))
        let known = try demo.succeed("user", "add", "copy", "--preset", demo.file("alice.json"), "--format", "json")
        #expect(try known.answer()["notes"] == [] && !known.errors.contains("note:"))
        let file = try boldFile(in: demo)
        let run = try demo.succeed("user", "add", "bold", "--preset", file)
        try Snapshot.check(run.output + run.errors, "user-add-believed.txt")
        let json = try demo.succeed("user", "add", "bolder", "--preset", file, "--format", "json").answer()
        let notes = try #require(json["notes"]?.texts)
        #expect(notes.count == 3 && notes.contains { $0.contains("the file alone defines the operator Evil") })
        #expect(
            notes.last?.hasSuffix(
                "the file alone assigns 2 entries to operators; such entries can be disabled, but not deleted: "
                    + "relay.evil.example, smp.evil.example") == true)
        let csv = try demo.succeed("user", "add", "boldest", "--preset", file, "--format", "csv")
        #expect(csv.errors.contains("note: the file alone defines the operator Evil"))
    }

    @Test("user add warns of a new profile without servers, and does not repeat warnings about others")
    func bare() throws {
        let demo = try DemoStore.make()
        for name in ["bare", "barer"] {
            let run = try demo.succeed("user", "add", name, "--no-preset")
            #expect(
                run.errors.split(separator: "\n") == [
                    "warning: no SMP server is enabled", "warning: no XFTP server is enabled",
                    "warning: No chat relays enabled. Channels require at least one relay.",
                ])
        }
        let usual = try demo.succeed("user", "add", "usual", "--format", "json")
        #expect(try usual.answer()["warnings"] == [] && usual.errors.isEmpty)
        #expect(try demo("user", "add", "odd", "--lenient").code == 64)
    }

    @Test("user delete reports the files that imports kept beside the store")
    func keptFiles() throws {
        let demo = try DemoStore.make()
        let before = try demo.succeed(
            "preset", "import", try allOff(in: demo), "-u", "alice", "--mode", "replace", "--yes", "--format", "json"
        ).answer()["before"]?["file"]
        let run = try demo.succeed("user", "delete", "work", "--yes", "--format", "json")
        #expect(try run.answer()["before"] == .array([try #require(before)]))
        let last = try demo.succeed("user", "delete", "alice", "--yes", "--no-backup")
        #expect(last.output.contains("files that chatdb kept beside the store remain; they can contain passwords"))
        #expect(last.output.contains("-before-"))
    }
}
