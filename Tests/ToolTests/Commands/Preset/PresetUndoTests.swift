import ChatDBKit
import Foundation
import TestKit
import Testing

@Suite("copies that import and sync keep for undoing")
struct PresetUndoTests {
    private static let key = String(repeating: "A", count: 42)
    private static let keyHash = key + "A="
    private static let theirs = "https://relay.friend.example/r#\(key)E\nsmp://\(keyHash)@smp.friend.example\n"

    private func write(_ text: String, _ name: String, in demo: ToolRun) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: demo.file(name)))
        return demo.file(name)
    }

    private func list(in demo: ToolRun) throws -> String { try write(Self.theirs, "list.txt", in: demo) }

    /// A file without entries.
    private func empty(in demo: ToolRun) throws -> String {
        try write(
            #"{"format": "chatdb-preset", "version": 1, "custom": {"relays": [], "smpServers": []}}"#, "e.json",
            in: demo)
    }

    private func export(_ demo: ToolRun) throws -> String {
        try demo.succeed("preset", "export", "-u", "alice", "--with-secrets", "--with-test-results").output
    }

    /// Runs the command in an answer.
    private func undo(_ done: ToolRun.Outcome, _ demo: ToolRun) throws {
        let command = try #require(done.answer()["before"]?["command"]?.stringValue)
        let run = try demo.shell(command.replacing("chatdb ", with: "$CHATDB ", maxReplacements: 1) + " --yes")
        #expect(run.code == 0, "\(run.errors)")
    }

    private func kept(in demo: ToolRun) throws -> [String] {
        try demo.folder.fingerprint().keys.filter { $0.contains("-before-") }
    }

    @Test("import keeps what it removes or replaces in a file beside the store, and the reported command restores it")
    func undo() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "import", try list(in: demo), "-u", "alice", "--yes")
        try demo.sql("UPDATE protocol_servers SET basic_auth = 'hunter2' WHERE host = 'smp.friend.example'")
        let before = try demo.succeed("preset", "export", "-u", "alice", "--with-secrets").output
        let empty = try write(
            #"{"format": "chatdb-preset", "version": 1, "custom": {"relays": [], "smpServers": []}}"#, "e.json",
            in: demo)
        let done = try demo.succeed(
            "preset", "import", empty, "-u", "alice", "--mode", "replace", "--yes", "--format", "json")
        let kept = try #require(done.answer()["before"])
        let file = try #require(kept["file"]?.stringValue)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        #expect(!done.output.contains("hunter2") && !done.errors.contains("hunter2"))
        #expect(try demo.succeed("preset", "export", "-u", "alice", "--with-secrets").output != before)
        // The relay of the demo's channel is soft-deleted, and the restored one has its id.
        let command = try #require(kept["command"]?.stringValue).replacing(
            "chatdb ", with: "$CHATDB ", maxReplacements: 1)
        #expect(try demo.shell(command + " --yes").code == 0)
        #expect(try demo.succeed("preset", "export", "-u", "alice", "--with-secrets").output == before)
        #expect(try demo.sql("SELECT count(*) FROM chat_relays WHERE deleted = 1") == "0")
    }

    @Test("The command restores the exact state: no planted password, tests, and what sync removed or added")
    func exact() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "import", try list(in: demo), "-u", "alice", "--yes")
        try demo.sql("UPDATE protocol_servers SET tested = 1 WHERE host = 'smp.friend.example'")
        try demo.sql("UPDATE chat_relays SET tested = 0")
        let before = try export(demo)
        let planted = try write(
            """
            format: chatdb-preset
            version: 1
            custom:
              smpServers:
              - address: "smp://\(Self.keyHash):planted@smp.friend.example"
            """, "planted.yaml", in: demo)
        let done = try demo.succeed("preset", "import", planted, "-u", "alice", "--yes", "--format", "json")
        #expect(try export(demo).contains("planted"))
        try undo(done, demo)
        #expect(try export(demo) == before)

        var preset = try demo.succeed("preset", "show", "--format", "json").output
        preset = preset.replacing("smp8.simplex.im", with: "other.simplex.im")
            .replacing("SimpleX Chat Relay 1", with: "Renamed").replacing("https://smp5.", with: "https://smp99.")
        let operators = try write(preset, "operators.json", in: demo)
        let synced = try demo.succeed("preset", "sync", operators, "-u", "alice", "--yes", "--format", "json")
        let people = try demo("preset", "sync", operators, "-u", "work", "--dry-run")
        let kept = "35 other entries of the preset, 2 operators included, are there already"
        #expect(people.output.contains(kept), "\(people.output)")
        #expect(try export(demo) != before)
        let changes = try #require(try synced.answer()["changes"]?.arrayValue)
        #expect(changes.contains { $0["action"] == "softDelete" && $0["channelsUsing"] == 1 })
        try undo(synced, demo)
        #expect(try export(demo) == before)
    }

    @Test("The command also takes back an import that only adds: custom entries, a preset, and a relay that comes back")
    func additions() throws {
        let demo = try DemoStore.make()
        let preset = try demo.sql("SELECT address FROM chat_relays WHERE chat_relay_id = 3")
        try demo.sql("DELETE FROM chat_relays WHERE chat_relay_id = 3")
        try demo.succeed("relay", "delete", "mine", "-u", "alice", "--yes", "--no-backup")
        let before = try export(demo)
        let file = try write("\(Self.theirs)\(DemoStore.relay)\n\(preset)\n", "more.txt", in: demo)
        let done = try demo.succeed("preset", "import", file, "-u", "alice", "--yes", "--format", "json")
        let changes = try #require(done.answer()["changes"]?.arrayValue)
        #expect(changes.count == 4)
        #expect(changes.allSatisfy { $0["action"] == "add" || $0["action"] == "restore" }, "\(changes)")
        #expect(try export(demo) != before)
        try undo(done, demo)
        #expect(try export(demo) == before)
        #expect(try demo.sql("SELECT deleted FROM chat_relays WHERE chat_relay_id = 7") == "1")
    }

    @Test("The text of an import that only adds has the command too")
    func additionsText() throws {
        let demo = try DemoStore.make()
        let text = try demo.succeed("preset", "import", try list(in: demo), "-u", "alice", "--yes").output
        #expect(text.contains("To restore it:\n\nchatdb preset import ") && text.contains(" --mode restore"), "\(text)")
        #expect(try kept(in: demo).count == 1)
    }

    @Test("An import that restores a profile says the second time that the profile is as the file says")
    func restoredTwice() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "export", "-u", "alice", "-o", "alice.json")
        let again = try demo.succeed("preset", "import", "alice.json", "-u", "alice", "--mode", "restore", "--yes")
        #expect(again.output.contains("nothing: the profile is as the file says"), "\(again.output)")
    }

    @Test("An import that only adds keeps no copy with --no-before, and none that could not be read back")
    func additionsWithoutCopy() throws {
        let demo = try DemoStore.make()
        let first = try demo.succeed(
            "preset", "import", try list(in: demo), "-u", "alice", "--yes", "--no-before", "--format", "json")
        #expect(try first.answer()["before"] == .null && kept(in: demo).isEmpty)
        try demo.sql("UPDATE chat_relays SET display_name = 'twice' WHERE user_id = 1 AND preset = 1")
        let more = try write("smp://\(Self.keyHash)@smp.other.example\n", "more.txt", in: demo)
        let dry = try demo.succeed("preset", "import", more, "-u", "alice", "--dry-run", "--format", "json")
        #expect(try dry.answer()["before"] == .null)
        let second = try demo.succeed("preset", "import", more, "-u", "alice", "--yes", "--format", "json")
        #expect(try second.answer()["applied"] == true && second.answer()["before"] == .null)
        #expect(second.errors.contains("note: the previous configuration is not kept"), "\(second.errors)")
        #expect(try kept(in: demo).isEmpty)
    }

    @Test("The plan shows soft-deleted and restored relays with the number of channels that use them")
    func signs() throws {
        let demo = try DemoStore.make()
        let gone = try demo.succeed(
            "preset", "import", try empty(in: demo), "-u", "alice", "--mode", "replace", "--yes")
        let soft = gone.output.split(separator: "\n").first { $0.hasPrefix("◌") }
        #expect(
            soft?.contains("mine") == true && soft?.contains("used by 1 channel, which keeps it") == true,
            "\(gone.output)")
        let back = try write(DemoStore.relay + "\n", "mine.txt", in: demo)
        let plan = try demo.succeed("preset", "import", back, "-u", "alice", "--dry-run").output
        let restored = plan.split(separator: "\n").first { $0.hasPrefix("↺") }
        #expect(restored?.contains("used by 1 channel") == true, "\(plan)")
    }

    @Test("With a file that is no whole profile, the mode restore warns in a dry run, in JSON and before the question")
    func partOfProfile() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "export", "-u", "alice", "-o", "alice.json")
        try demo.succeed("preset", "import", try list(in: demo), "-u", "alice", "--yes")
        let arguments = ["preset", "import", try empty(in: demo), "-u", "alice", "--mode"]
        let warning = "warning: the file has no operators, so"
        let dry = try demo(arguments + ["restore", "--dry-run"])
        #expect(dry.code == 0 && dry.errors.contains(warning), "\(dry.errors)")
        let json = try demo(arguments + ["restore", "--dry-run", "--format", "json"]).answer()
        #expect(json["warnings"]?.texts?.first?.hasPrefix("the file has no operators, so") == true)
        let asked = try demo.onTerminal(
            "preset", "import", "e.json", "-u", "alice", "--mode", "restore", input: "n\n")
        #expect(asked.code == 1 && asked.output.contains(warning), "\(asked.output)")
        let replaced = try demo(arguments + ["replace", "--dry-run"])
        #expect(replaced.code == 0 && !replaced.errors.contains(warning), "\(replaced.errors)")
        let whole = try demo.succeed(
            "preset", "import", "alice.json", "-u", "alice", "--mode", "restore", "--dry-run")
        #expect(whole.output.contains("2 to remove") && !whole.errors.contains(warning), "\(whole.errors)")
    }

    @Test("The mode restore warns of a copy that chatdb kept for another store")
    func copyOfAnotherStore() throws {
        let (demo, other) = (try DemoStore.make(), try DemoStore.make())
        let done = try demo.succeed(
            "preset", "import", try list(in: demo), "-u", "alice", "--yes", "--format", "json")
        let file = try #require(done.answer()["before"]?["file"]?.stringValue)
        for (store, isOther) in [(demo, false), (other, true)] {
            let run = try store.succeed(
                "preset", "import", file, "-u", "alice", "--mode", "restore", "--dry-run")
            let warns = run.errors.contains("it may be the configuration of another one\n")
            #expect(warns == isOther, "\(run.errors)")
        }
    }

    @Test("import does not remove what it could not restore, unless --no-before permits it")
    func unkeepable() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE chat_relays SET display_name = 'twice' WHERE user_id = 1 AND preset = 1")
        let before = try export(demo)
        let arguments = ["preset", "import", try empty(in: demo), "-u", "alice", "--mode", "replace", "--yes"]
        let refused = try demo(arguments + ["--format", "json"])
        #expect(refused.code == 1)
        #expect(try refused.refusal()["code"] == "cannotKeepBefore" && refused.errors.contains("the same name as"))
        #expect(try export(demo) == before && kept(in: demo).isEmpty)
        let done = try demo(arguments + ["--no-before", "--format", "json"])
        #expect(try done.answer()["before"] == .null && kept(in: demo).isEmpty)
        #expect(try demo.sql("SELECT count(*) FROM chat_relays WHERE preset = 0 AND deleted = 0") == "0")
    }

    @Test("A copy may exceed the limits of other preset files, and can still be restored", .timeLimit(.minutes(60)))
    func large() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 18000)
            UPDATE chat_relays SET domains = (
                SELECT group_concat(printf('d%d.%s.%s.%s.%s', i, p, p, p, p)) FROM n,
                    (SELECT substr(hex(zeroblob(40)), 1, 60) AS p))
            WHERE user_id = 1
            """)
        let before = try export(demo)
        #expect(before.utf8.count > 16 << 20)
        let done = try demo.succeed(
            "preset", "import", try empty(in: demo), "-u", "alice", "--mode", "replace", "--yes", "--format", "json")
        try undo(done, demo)
        #expect(try export(demo) == before)
    }

    @Test("When the commit fails, nothing has changed and no copy is left")
    func commitFails() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            CREATE TABLE later (user_id INTEGER REFERENCES users (user_id) DEFERRABLE INITIALLY DEFERRED);
            CREATE TRIGGER fails AFTER UPDATE ON chat_relays BEGIN INSERT INTO later VALUES (999); END;
            """)
        let before = try export(demo)
        let run = try demo("preset", "import", try empty(in: demo), "-u", "alice", "--mode", "replace", "--yes")
        #expect(run.code != 0, "\(run.output)")
        #expect(try export(demo) == before && kept(in: demo).isEmpty)
    }

    // MARK: - Sync

    @Test("Two dry runs of a sync show the same plan, which the sync carries out; --seed makes another choice")
    func reproducible() throws {
        let demo = try DemoStore.make()
        try demo.sql("DELETE FROM protocol_servers WHERE user_id = 1")
        let arguments = ["preset", "sync", "-u", "alice", "--format", "json"]
        func changes(_ more: [String]) throws -> JSONValue? { try demo(arguments + more).answer()["changes"] }
        let plan = try changes(["--dry-run"])
        #expect(plan?.arrayValue?.isEmpty == false)
        #expect(try changes(["--dry-run"]) == plan)
        let others = try (1...4).map { try changes(["--dry-run", "--seed", "\($0)"]) }
        #expect(others.contains { $0 != plan })
        #expect(try changes(["--yes"]) == plan)
    }

    @Test("A list of addresses names no operator, so sync has nothing to apply, and says so")
    func nothingToFollow() throws {
        let demo = try DemoStore.make()
        let run = try demo("preset", "sync", try list(in: demo), "-u", "alice", "--dry-run")
        #expect(run.code == 65 && run.errors.contains("names no operator"), "\(run.errors)")
    }
}
