import ChatDBKit
import Foundation
import TestKit
import Testing

@Suite("preset export")
struct PresetExportCommandTests {
    private static let key = String(repeating: "A", count: 42)
    private static let theirs = "https://relay.friend.example/r#\(key)E\nsmp://\(key)A=@smp.friend.example\n"

    private func list(in demo: ToolRun) throws -> String {
        try Data(Self.theirs.utf8).write(to: URL(fileURLWithPath: demo.file("list.txt")))
        return demo.file("list.txt")
    }

    @Test("Options select parts, YAML, origin, passwords and SimpleX Chat's JSON")
    func exports() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "import", try list(in: demo), "-u", "alice", "--yes")
        try demo.sql("UPDATE protocol_servers SET basic_auth = 'hunter2' WHERE host = 'smp.friend.example'")
        let custom = try demo.succeed("preset", "export", "-u", "alice", "--custom-only", "--select", "relays").answer()
        #expect(custom["operators"] == nil && custom["custom"]?.members?.map(\.name) == ["relays"])
        #expect(custom["custom"]?["relays"]?.arrayValue?.count == 2)
        let yaml = try demo.succeed("preset", "export", "-u", "alice", "--yaml", "--with-origin").output
        #expect(yaml.contains("\nprofile: \"alice\"\n") && yaml.hasPrefix("format: "))
        let secret = try demo("preset", "export", "-u", "alice", "--with-secrets")
        #expect(secret.output.contains("hunter2") && secret.errors.contains("passwords of 1 server"))
        let app = try demo.succeed("preset", "export", "-u", "alice", "--as", "simplex-api", "--envelope")
        #expect(try app.answer()["type"] == "userServers" && !app.output.contains("hunter2"))
        let narrowed = try demo("preset", "export", "--as", "simplex-api", "--custom-only")
        #expect(narrowed.code == 64)
        #expect(narrowed.errors.contains("send the addresses that relay show and server show have"))
        let help = try demo.succeed("preset", "export", "--help").output
        #expect(
            help.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
                "the JSON that SimpleX Chat reads, which accepts only --envelope and --with-secrets"), "\(help)")
        #expect(try demo("preset", "export", "--select", "birds").code == 64)
        // The second option adds to the first one.
        let both = try demo.succeed(
            "preset", "export", "-u", "alice", "--custom-only", "--select", "operators", "--select", "relays"
        ).answer()
        #expect(both["custom"]?["relays"]?.arrayValue?.count == 2, "\(both)")
    }

    @Test("An export says how much it has, and what of it is disabled")
    func counts() throws {
        let demo = try DemoStore.make()
        let all = try demo("preset", "export", "-u", "alice", "--custom-only")
        #expect(all.errors.contains("exported 1 relay and 0 servers of the profile \"alice\"\n"), "\(all.errors)")
        try demo.succeed("relay", "disable", "mine", "-u", "alice")
        let disabled = try demo("preset", "export", "-u", "alice", "--custom-only")
        #expect(disabled.errors.contains("exported 1 relay (1 disabled) and 0 servers of the profile \"alice\"; "))
        let enabled = try demo("preset", "export", "-u", "alice", "--custom-only", "--enabled-only")
        #expect(enabled.errors.contains("the profile \"alice\" has no enabled relays or servers of its own\n"))
        let app = try demo("preset", "export", "-u", "alice", "--as", "simplex-api")
        #expect(app.errors.contains(" disabled) and ") && !app.errors.contains("--enabled-only"), "\(app.errors)")
        #expect(try demo("preset", "export", "-u", "alice", "-q").errors.isEmpty)
        // An import counts the operators too, so both name them.
        let whole = try demo("preset", "export", "-u", "alice", "-o", "whole.json").errors
        #expect(whole.contains("of the profile \"alice\", and 2 operators"), "\(whole)")
        let plan = try demo.succeed("preset", "import", "whole.json", "-u", "alice", "--dry-run").output
        #expect(plan.contains(" entries of the file, 2 operators included, are there already"), "\(plan)")
    }

    @Test("An export counts only the kinds that --select names")
    func selectedCounts() throws {
        let demo = try DemoStore.make()
        func errors(_ kind: String, _ arguments: String...) throws -> String {
            try demo(["preset", "export", "-u", "alice", "--select", kind] + arguments).errors
        }
        let relays = try errors("relays", "--custom-only")
        #expect(relays.contains("exported 1 relay of the profile \"alice\"\n"), "\(relays)")
        let servers = try errors("servers", "--custom-only")
        #expect(servers.contains("the profile \"alice\" has no servers of its own\n"), "\(servers)")
        let both = try errors("relays,servers", "--custom-only")
        #expect(both.contains("exported 1 relay and 0 servers of the profile \"alice\"\n"), "\(both)")
        let operators = try errors("operators")
        #expect(operators.contains("exported 2 operators of the profile \"alice\"\n"), "\(operators)")
    }

    @Test("An export of a profile without entries names it, and the profile that has some")
    func nothing() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            DELETE FROM chat_relays WHERE user_id = (SELECT user_id FROM users WHERE local_display_name = 'work');
            DELETE FROM protocol_servers WHERE user_id = (SELECT user_id FROM users WHERE local_display_name = 'work');
            """)
        let empty = try demo("preset", "export", "-u", "work")
        #expect(empty.errors.contains("exported 0 relays and 0 servers of the profile \"work\", and 2 operators\n"))
        #expect(empty.errors.contains("the profile \"alice\" has relays or servers, which --user exports"))
        // A profile whose entries were only not selected has no such note.
        let selected = try demo("preset", "export", "-u", "alice", "--select", "operators")
        #expect(!selected.errors.contains("which --user exports"), "\(selected.errors)")
    }

    @Test("An export of relays of which a list cannot read a time does not say that the profile has none")
    func unreadable() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            UPDATE chat_relays SET tested_at = 'soon' WHERE user_id = (
                SELECT user_id FROM users WHERE local_display_name = 'alice')
            """)
        let run = try demo("preset", "export", "-u", "alice", "--select", "relays")
        #expect(run.code == 0 && !run.errors.contains("exported 0 relays"), "\(run.errors)")
        #expect(!run.errors.contains("the profile has none"), "\(run.errors)")
    }

    @Test("An export of own entries warns of a profile that has none, and names the profile that has some: exit 0")
    func nothingOwn() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            DELETE FROM chat_relays WHERE preset = 0 AND user_id <> (
                SELECT user_id FROM users WHERE local_display_name = 'alice')
            """)
        let empty = try demo("preset", "export", "-u", "work", "--custom-only", "--select", "relays")
        #expect(empty.code == 0)
        let reason = """
            : the profile "work" has no relays of its own; the profile "alice" has relays of its own, which --user \
            exports

            """
        #expect(empty.errors == "warning: the export is empty\(reason)", "\(empty.errors)")
        #expect(try empty.answer()["custom"]?["relays"]?.arrayValue?.isEmpty != false, "\(empty.output)")
        // An empty file would be sent, or be in the way of the right export.
        let file = try demo("preset", "export", "-u", "work", "--custom-only", "--select", "relays", "-o", "f.json")
        #expect(file.code == 0, "\(file.errors)")
        #expect(file.errors == "warning: nothing was exported, and no file was written\(reason)", "\(file.errors)")
        #expect(!FileManager.default.fileExists(atPath: demo.file("f.json")))
        try demo.succeed("preset", "export", "-u", "alice", "--custom-only", "--select", "relays", "-o", "f.json")
        let kept = try Data(contentsOf: URL(fileURLWithPath: demo.file("f.json")))
        let none = try demo(
            "preset", "export", "-u", "work", "--custom-only", "--select", "relays", "-o", "f.json", "--force")
        #expect(none.code == 0 && none.errors.contains("written (f.json is still the old file): "), "\(none.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: demo.file("f.json"))) == kept)
        let some = try demo("preset", "export", "-u", "alice", "--custom-only", "--select", "relays")
        #expect(!some.errors.contains("the export is empty"), "\(some.errors)")
    }

    @Test("The error for another --format names what writes YAML", arguments: ["yaml", "yml", "toml"])
    func formats(_ word: String) throws {
        let demo = try DemoStore.make()
        let run = try demo("preset", "export", "-u", "alice", "--format", word)
        #expect(run.code == 64 && run.output.isEmpty, "\(run.output)")
        #expect(run.errors.contains("'\(word)' is no value of '--format'"), "\(run.errors)")
        #expect(run.errors.contains("-o FILE.yaml") && !run.errors.contains("markdown"), "\(run.errors)")
        // Another command has no such hint.
        let list = try demo("relay", "list", "-u", "alice", "--format", word)
        #expect(list.code == 64 && list.errors.contains("'markdown'") && !list.errors.contains("FILE"))
    }

    @Test("A file's name ends as what is written, or in nothing")
    func endings() throws {
        let demo = try DemoStore.make()
        for (name, start) in [("a.json", "{"), ("a.yaml", "format:"), ("a.yml", "format:"), ("a", "{"), ("b.d/a", "{")]
        {
            try FileManager.default.createDirectory(atPath: demo.file("b.d"), withIntermediateDirectories: true)
            try demo.succeed("preset", "export", "-u", "alice", "-o", name, "--force")
            #expect(try String(contentsOfFile: demo.file(name), encoding: .utf8).hasPrefix(start), "\(name)")
        }
        for arguments in [["-o", "a.toml"], ["-o", "a.txt"], ["--as", "simplex-api", "-o", "a.yaml"]] {
            let run = try demo(["preset", "export", "-u", "alice"] + arguments)
            #expect(run.code == 64 && run.errors.contains(".json"), "\(run.errors)")
        }
    }

    @Test("Options select enabled entries only, some kinds only, and results of tests")
    func parts() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE chat_relays SET tested = 1 WHERE display_name = 'mine'")
        func lists(_ arguments: String...) throws -> [(name: String, entries: [JSONValue])] {
            let file = try demo(["preset", "export", "-u", "alice"] + arguments).answer()
            let parts = (file["operators"]?.arrayValue ?? []) + [try #require(file["custom"])]
            return parts.flatMap { part in
                (part.members ?? []).filter { ["smpServers", "xftpServers", "relays"].contains($0.name) }
                    .map { ($0.name, $0.value.arrayValue ?? []) }
            }
        }
        let all = try lists().flatMap(\.entries)
        #expect(all.contains { $0["enabled"] == false } && all.contains { $0["enabled"] == true })
        #expect(!all.contains { $0["tested"] != nil })
        let enabled = try lists("--enabled-only").flatMap(\.entries)
        #expect(enabled == all.filter { $0["enabled"] == true })
        #expect(try Set(lists("--select", "servers").map(\.name)) == ["smpServers", "xftpServers"])
        #expect(try Set(lists("--select", "relays").map(\.name)) == ["relays"])
        let operators = try demo.succeed("preset", "export", "-u", "alice", "--select", "operators").answer()
        #expect(try lists("--select", "operators").isEmpty && operators["operators"]?.arrayValue?.count == 2)
        let tested = try lists("--with-test-results").flatMap(\.entries).filter { $0["tested"] != nil }
        #expect(tested.map { $0["name"] } == ["mine"] && tested.first?["tested"] == true)
    }
}
