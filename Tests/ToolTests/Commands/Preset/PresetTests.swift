import Foundation
import Testing

@Suite("preset")
struct PresetTests {
    @Test("An exported file has the bytes of standard output and mode 600, and only --force replaces it")
    func export() throws {
        let demo = try DemoStore.make()
        let text = try demo.succeed("preset", "export", "-u", "alice").output
        let file = demo.file("alice.json")
        let run = try demo("preset", "export", "-u", "alice", "-o", file)
        #expect(run.code == 0 && run.output.isEmpty)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)

        let again = try demo("preset", "export", "-u", "work", "-o", file, "--format", "json")
        #expect(again.code == 73)
        #expect(try again.refusal()["code"] == "fileExists")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        try demo.succeed("preset", "export", "-u", "work", "-o", file, "--force")
        #expect(
            try String(contentsOfFile: file, encoding: .utf8) == demo.succeed("preset", "export", "-u", "work").output)
        #expect(try demo.folder.fingerprint().keys.filter { $0.contains(".new-") }.isEmpty)
    }

    @Test("Export creates no file at a folder, in a missing folder, at a FIFO, or at a dangling link")
    func exportNowhere() throws {
        let demo = try DemoStore.make()
        // A FIFO and no device: if the rule fails, chatdb would replace the device for the whole machine.
        try #require(mkfifo(demo.file("fifo"), 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: demo.file("link"), withDestinationPath: demo.file("nothing"))
        for path in [demo.folder.path, demo.file("no/such.json"), demo.file("fifo"), demo.file("link")] {
            let run = try demo("preset", "export", "-o", path, "--force", "--format", "json")
            #expect(run.code == 73, "\(path)")
        }
        #expect(!FileManager.default.fileExists(atPath: demo.file("nothing")))
        #expect(try demo("preset", "export", "-o", "-").output.hasPrefix("{\n  \"format\": \"chatdb-preset\""))
    }

    @Test("An export has no ids, times, profile or passwords")
    func exportIsPrivate() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE protocol_servers SET basic_auth = 'hunter2' WHERE smp_server_id IN (1, 2)")
        let run = try demo.succeed("preset", "export", "-u", "alice")
        #expect(!run.output.contains("hunter2") && !run.output.contains("alice"))
        #expect(!run.output.contains("exportedAt") && !run.output.contains("Id\""))
        #expect(run.output.contains("\"password\": \"omitted\""))
        #expect(run.errors.contains("note: the passwords of smp8.simplex.im, smp9.simplex.im are omitted: who "))
        #expect(run.errors.contains("gets these servers disabled, and has to add the passwords; --with-secrets "))
    }

    @Test("A new profile equals the preset; sync changes nothing, and does not ask")
    func nothingToSync() throws {
        let demo = try DemoStore.make()
        let run = try demo("preset", "sync")
        #expect(run.code == 0)
        #expect(run.output.contains("nothing: the profile matches the preset"))
        #expect(try demo("preset", "sync", "--dry-run", "--exit-code").code == 0)
    }

    /// A profile that differs from the preset in every way a sync knows.
    private func outdated() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            DELETE FROM chat_relays WHERE chat_relay_id = 2;
            UPDATE chat_relays SET display_name = 'old name' WHERE chat_relay_id = 3;
            INSERT INTO chat_relays (
                user_id, address, address_key, display_name, domains, preset, enabled, created_at, updated_at)
            VALUES
                (1, 'https://gone.simplex.im/r#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
                 'r#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA@gone.simplex.im', 'gone', 'simplex.im', 1, 1,
                 '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000'),
                (1, 'https://used.simplex.im/r#BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
                 'r#BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA@used.simplex.im', 'used', 'simplex.im', 1, 1,
                 '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000');
            UPDATE group_relays SET chat_relay_id = 9 WHERE chat_relay_id = 1;
            """)
        return demo
    }

    @Test("A dry run shows every kind of change and makes none; with --exit-code it exits with 1")
    func dryRun() throws {
        let demo = try outdated()
        let before = try demo.folder.fingerprint()
        let run = try demo("preset", "sync", "-u", "alice", "--dry-run", "--seed", "1")
        #expect(run.code == 0)
        try Snapshot.check(run.output, "preset-sync-changes.txt")
        let json = try demo(
            "preset", "sync", "-u", "alice", "--dry-run", "--seed", "1", "--format", "json", "--exit-code")
        #expect(json.code == 1)
        try Snapshot.check(json.output, "preset-sync-changes.json")
        #expect(try demo.folder.fingerprint() == before)
        #expect(try demo("preset", "sync", "--exit-code").code == 64)
    }

    @Test("Without a terminal and without --yes: exit 64, the changes are shown, and none is made")
    func noTerminal() throws {
        let demo = try outdated()
        let before = try demo.folder.fingerprint()
        let run = try demo("preset", "sync", "-u", "alice")
        #expect(run.code == 64)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("gone.simplex.im") && run.errors.contains("--yes"))
        #expect(try demo.folder.fingerprint() == before)
    }

    @Test(
        "Without a terminal, in other formats than text, there is only the error, which names the dry run",
        arguments: ["json", "csv", "markdown"])
    func noTerminalForPrograms(_ format: String) throws {
        let run = try outdated()("preset", "sync", "-u", "alice", "--format", format)
        #expect(run.code == 64 && run.output.isEmpty)
        let hint = "--dry-run shows what would be done; add --yes to confirm"
        if format == "json" {
            #expect(try run.refusal()["hint"]?.stringValue == hint)
        } else {
            #expect(run.errors.hasPrefix("error: ") && run.errors.hasSuffix("hint: \(hint)\n"))
            #expect(!run.errors.contains("gone.simplex.im"))
        }
    }

    @Test("On a terminal sync asks: any answer but yes changes nothing")
    func asking() throws {
        let demo = try outdated()
        let before = try demo.folder.fingerprint()
        let no = try demo.onTerminal("preset", "sync", "-u", "alice", input: "\n")
        #expect(no.code == 1)
        #expect(no.output.contains("Make these changes to alice? [y/N]"))
        #expect(try demo.folder.fingerprint() == before)
        let yes = try demo.onTerminal("preset", "sync", "-u", "alice", input: "y\n")
        #expect(yes.code == 0)
        #expect(yes.output.contains("Changed in alice"))
        #expect(try demo("preset", "sync", "-u", "alice", "--dry-run", "--exit-code").code == 0)
    }

    @Test(
        "sync does what it planned: the channel keeps its relay, other profiles stay, a second run changes nothing")
    func sync() throws {
        let demo = try outdated()
        let works = try demo.succeed("preset", "export", "-u", "work").output
        let plan = try demo.succeed(
            "preset", "sync", "-u", "alice", "--dry-run", "--seed", "4", "--format", "json"
        ).answer()
        let done = try demo.succeed("preset", "sync", "-u", "alice", "--yes", "--seed", "4", "--format", "json")
            .answer()
        #expect(done["applied"] == true && plan["applied"] == false)
        #expect(done["changes"] == plan["changes"])
        #expect(done["changes"]?.arrayValue?.count == 4)
        let relays = try demo.succeed("relay", "list", "-u", "alice", "--deleted").output
        #expect(!relays.contains("gone.simplex.im") && relays.contains("used.simplex.im"))
        #expect(try demo.sql("SELECT deleted FROM chat_relays WHERE chat_relay_id = 9") == "1")
        #expect(try demo.sql("SELECT count(*) FROM group_relays WHERE chat_relay_id = 9") == "1")
        #expect(try demo.succeed("preset", "export", "-u", "work").output == works)
        let again = try demo.succeed("preset", "sync", "-u", "alice", "--yes", "--format", "json").answer()
        #expect(again["changes"] == [])
    }

    @Test("preset show shows the bundled preset; an unknown name gives a suggestion")
    func show() throws {
        let folder = try ToolRun()
        let shown = try folder.succeed("preset", "show", "--format", "json").answer()
        #expect(shown["format"] == "chatdb-preset")
        let run = try folder("preset", "show", "simplx")
        #expect(run.code == 1)
        #expect(run.errors.contains("did you mean \"simplex\"?"))
        #expect(try folder.folder.fingerprint().isEmpty)
    }

    @Test("preset show shows a file too, also from standard input, and never a password")
    func showFile() throws {
        let demo = try DemoStore.make()
        let server = "smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=:hunter2@s.example"
        try demo.succeed("server", "add", server, "-u", "alice")
        try demo.succeed("preset", "export", "--custom-only", "-o", "own.json", "-u", "alice")
        try demo.succeed("preset", "export", "--custom-only", "--with-secrets", "-o", "secret.json", "-u", "alice")
        let shown = try demo.succeed("preset", "show", "own.json").output
        #expect(shown.hasPrefix("Custom\nKind ") && shown.contains("relay       mine  "))
        #expect(shown.hasSuffix("\nnote: the file omits the password of s.example\n"))
        for format in ["table", "json", "csv"] {
            #expect(try !demo.succeed("preset", "show", "secret.json", "--format", format).output.contains("hunter2"))
        }
        #expect(try demo.shell("$CHATDB preset show - < own.json").output == shown)
        let list = try demo.shell("printf '# none\n' | $CHATDB preset show - --as list")
        #expect(list.code == 0 && list.output == "no entries\n", "\(list.output) \(list.errors)")
        #expect(try [65, 66].contains(demo("preset", "show", "x_chat.db").code))
        let missing = try demo("preset", "show", "other.json")
        #expect(missing.code == 1 && missing.errors.contains("and there is no file of that name"))
    }

    @Test("preset show says which passwords the file has, and shows none")
    func hiddenPasswords() throws {
        let chatdb = try ToolRun()
        let key = String(repeating: "A", count: 43) + "="
        try Data("smp://\(key):letmein@s.example\n".utf8).write(to: URL(fileURLWithPath: chatdb.file("list.txt")))
        for format in ["table", "json"] {
            let shown = try chatdb("preset", "show", chatdb.file("list.txt"), "--format", format)
            #expect(shown.code == 0, "\(shown.errors)")
            let words = shown.output + shown.errors
            #expect(words.contains("the file has the password of s.example, which is not shown here"), "\(words)")
            #expect(!words.contains("letmein"))
        }
    }
}
